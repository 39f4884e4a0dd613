-- Rounds and their bets summed by day, table and rulebook, so that a report over a year reads a few
-- thousand rows instead of every round. Kept with the rounds in one transaction; written anew from
-- them at any time.

create table round_sum (
    day        integer not null,                    -- counted from 1970, by UTC
    table_id   integer not null,
    rulebook   text    not null,
    status     text    not null,
    rounds     integer not null,
    house_took integer not null,                    -- cents
    house_paid integer not null,
    primary key (day, table_id, rulebook, status)
) strict, without rowid;

-- Bets of rounds that are not void.
create table bet_sum (
    day        integer not null,
    table_id   integer not null,
    rulebook   text    not null,
    bet        text    not null,
    bot        integer not null check (bot in (0, 1)),
    shares     integer not null,
    wagered    integer not null,                    -- cents
    taken      integer not null,
    paid       integer not null,
    back       integer not null,
    commission integer not null,
    squares    real    not null,                    -- of the wagers, for standard errors alone
    primary key (day, table_id, rulebook, bet, bot)
) strict, without rowid;

insert into round_sum (day, table_id, rulebook, status, rounds, house_took, house_paid)
    select ended / 86400000, table_id, rulebook, status, count(*), sum(house_took), sum(house_paid)
    from round group by 1, 2, 3, 4;

insert into bet_sum (day, table_id, rulebook, bet, bot, shares,
                     wagered, taken, paid, back, commission, squares)
    select ended / 86400000, table_id, rulebook, bet, bot, count(*),
           sum(wagered), sum(taken), sum(paid), sum(back), sum(commission),
           sum(cast(wagered as double precision) * wagered)
    from round_share where status <> 'void' group by 1, 2, 3, 4, 5;
