-- What happened, and the money that moved because of it.

-- One row per entry, in the order in which its stream lived them.
--
-- The primary key is the whole concurrency control: two writers who both believe that a stream
-- stands at version 41 cannot both insert 42. The loser reads again and decides again.
create table entry (
    stream   text    not null,
    version  integer not null check (version > 0),
    at       integer not null check (at >= 0),      -- milliseconds since 1970
    kind     text    not null,
    body     text    not null,                      -- not looked into: it may be sealed
    previous blob    not null check (length(previous) = 32),
    hash     blob    not null check (length(hash) = 32),
    primary key (stream, version)
) strict;

-- Versions have no gaps. This also stops `insert or replace`, which would get round the two
-- triggers below.
create trigger entry_follows before insert on entry
when new.version <> 1 + coalesce((select max(version) from entry where stream = new.stream), 0)
begin
    select raise(abort, 'a stream has no gaps');
end;

-- The log is the audit trail, so not even we can edit it by accident.
create trigger entry_is_final before update on entry
begin
    select raise(abort, 'entries are never changed');
end;

create trigger entry_stays before delete on entry
begin
    select raise(abort, 'entries are never removed');
end;

-- Money that moved, each movement with both of its ends and the entry that moved it.
--
-- The time is the entry's: an account's statement is read by it, newest first.
create table move (
    stream       text    not null,
    version      integer not null,
    number       integer not null check (number >= 0),
    at           integer not null,
    from_account text    not null,
    to_account   text    not null check (to_account <> from_account),
    amount       integer not null check (amount > 0),   -- cents
    reason       text    not null,
    clause       text,
    primary key (stream, version, number),
    foreign key (stream, version) references entry (stream, version)
) strict;

create index move_from on move (from_account, at, stream, version, number);
create index move_to on move (to_account, at, stream, version, number);

create trigger move_is_new before insert on move
when exists (
    select 1 from move
    where stream = new.stream and version = new.version and number = new.number
)
begin
    select raise(abort, 'moves are never changed');
end;

create trigger move_is_final before update on move
begin
    select raise(abort, 'moves are never changed');
end;

create trigger move_stays before delete on move
begin
    select raise(abort, 'moves are never removed');
end;

-- What is in every account: the sum of its moves, kept beside them and rebuildable from them.
create table balance (
    account   text    not null primary key,
    amount    integer not null,                     -- cents
    overdraft integer not null check (overdraft in (0, 1)),
    constraint balance_floor check (overdraft = 1 or amount >= 0)
) strict;

-- The first answer to every command that asked to be remembered, refused ones too.
create table command (
    person  integer not null,
    id      blob    not null check (length(id) = 16),
    digest  blob    not null check (length(digest) = 32),
    stream  text    not null,
    version integer not null,                       -- where the stream stood after it
    answer  text    not null,
    primary key (person, id)
) strict;

create trigger command_is_final before update on command
begin
    select raise(abort, 'answers are never changed');
end;

create trigger command_stays before delete on command
begin
    select raise(abort, 'answers are never removed');
end;
