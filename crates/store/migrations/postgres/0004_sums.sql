-- Rounds and their bets summed by day, table and rulebook, so that a report over a year reads a few
-- thousand rows instead of every round. Kept with the rounds in one transaction; written anew from
-- them at any time.

create table round_sum (
    day        bigint  not null,                    -- counted from 1970, by UTC
    table_id   bigint  not null,
    rulebook   text collate "C" not null,
    status     text collate "C" not null,
    rounds     bigint  not null,
    house_took bigint  not null,                    -- cents
    house_paid bigint  not null,
    primary key (day, table_id, rulebook, status)
);

-- Bets of rounds that are not void.
create table bet_sum (
    day        bigint  not null,
    table_id   bigint  not null,
    rulebook   text collate "C" not null,
    bet        text collate "C" not null,
    bot        boolean not null,
    shares     bigint  not null,
    wagered    bigint  not null,                    -- cents
    taken      bigint  not null,
    paid       bigint  not null,
    back       bigint  not null,
    commission bigint  not null,
    squares    double precision not null,           -- of the wagers, for standard errors alone
    primary key (day, table_id, rulebook, bet, bot)
);

insert into round_sum (day, table_id, rulebook, status, rounds, house_took, house_paid)
    select ended / 86400000, table_id, rulebook, status, count(*), sum(house_took), sum(house_paid)
    from round group by 1, 2, 3, 4;

insert into bet_sum (day, table_id, rulebook, bet, bot, shares,
                     wagered, taken, paid, back, commission, squares)
    select ended / 86400000, table_id, rulebook, bet, bot, count(*),
           sum(wagered), sum(taken), sum(paid), sum(back), sum(commission),
           sum(cast(wagered as double precision) * wagered)
    from round_share where status <> 'void' group by 1, 2, 3, 4, 5;
