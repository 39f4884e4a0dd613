-- Finished rounds, told by the log and kept beside it so that they can be searched and summed.
-- Like balances they can be written anew from the log at any time, so nothing guards them.

-- One row per finished round or correction of one, at the place of its last entry. The log has one
-- entry at each place, so no two rows can claim it.
create table round (
    table_id      integer not null,
    last_version  integer not null,
    round         integer not null,
    first_version integer not null,
    rulebook      text    not null,
    began         integer not null,                 -- milliseconds since 1970
    ended         integer not null,
    status        text    not null check (status in ('settled', 'void', 'corrected')),
    clause        text,
    house_took    integer not null,                 -- cents
    house_paid    integer not null,
    primary key (table_id, last_version)
) strict;

create index round_number on round (table_id, round, last_version);
create index round_table on round (table_id, ended, last_version);
create index round_ended on round (ended, table_id, last_version);

-- What a bet came to for a person. Time, rulebook and status are the round's, so that neither a
-- search nor a sum has to look there.
create table round_share (
    table_id     integer not null,
    last_version integer not null,
    person       integer not null,                  -- 0: the house
    bet          text    not null,
    bot          integer not null check (bot in (0, 1)),
    ended        integer not null,
    rulebook     text    not null,
    status       text    not null,
    wagered      integer not null,                  -- cents
    taken        integer not null,
    paid         integer not null,
    back         integer not null,
    commission   integer not null,
    primary key (table_id, last_version, person, bet),
    foreign key (table_id, last_version) references round (table_id, last_version),
    constraint round_share_whole check (wagered = taken + back)
) strict;

create index round_share_person on round_share (person, ended, table_id, last_version);
create index round_share_ended on round_share (ended);
