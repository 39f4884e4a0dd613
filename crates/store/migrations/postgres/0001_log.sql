-- What happened, and the money that moved because of it. The SQLite schema, in PostgreSQL's words.
--
-- Names are compared byte by byte (collation "C"): prefixes are ranges, and every node sorts
-- accounts alike before it locks them.

-- One row per entry, in the order in which its stream lived them.
--
-- The primary key is the whole concurrency control: two nodes that both believe that a stream
-- stands at version 41 cannot both insert 42. The loser reads again and decides again.
create table entry (
    stream   text collate "C" not null,
    version  bigint not null check (version > 0),
    at       bigint not null check (at >= 0),       -- milliseconds since 1970
    kind     text   not null,
    body     text   not null,                       -- not looked into: it may be sealed
    previous bytea  not null check (length(previous) = 32),
    hash     bytea  not null check (length(hash) = 32),
    primary key (stream, version)
);

-- Versions have no gaps. Whoever is too late gets the same error as from the primary key, because
-- it is the same lost race seen a moment later.
create function entry_follows() returns trigger language plpgsql as $$
begin
    if new.version <> 1 + coalesce((select max(version) from entry where stream = new.stream), 0) then
        raise exception 'a stream has no gaps' using errcode = 'unique_violation';
    end if;
    return new;
end $$;

create trigger entry_follows before insert on entry
    for each row execute function entry_follows();

-- The log is the audit trail, so not even we can edit it by accident.
create function refuse_change() returns trigger language plpgsql as $$
begin
    raise exception '% is never changed', tg_table_name using errcode = 'restrict_violation';
end $$;

create trigger entry_is_final before update or delete or truncate on entry
    execute function refuse_change();

-- Money that moved, each movement with both of its ends and the entry that moved it.
--
-- The time is the entry's: an account's statement is read by it, newest first.
create table move (
    stream       text collate "C" not null,
    version      bigint not null,
    number       bigint not null check (number >= 0),
    at           bigint not null,
    from_account text collate "C" not null,
    to_account   text collate "C" not null check (to_account <> from_account),
    amount       bigint not null check (amount > 0),    -- cents
    reason       text   not null,
    clause       text,
    primary key (stream, version, number),
    foreign key (stream, version) references entry (stream, version)
);

create index move_from on move (from_account, at, stream, version, number);
create index move_to on move (to_account, at, stream, version, number);

create trigger move_is_final before update or delete or truncate on move
    execute function refuse_change();

-- What is in every account: the sum of its moves, kept beside them and rebuildable from them.
create table balance (
    account   text collate "C" not null primary key,
    amount    bigint  not null,                     -- cents
    overdraft boolean not null,
    constraint balance_floor check (overdraft or amount >= 0)
);

-- The first answer to every command that asked to be remembered, refused ones too.
create table command (
    person  bigint not null,
    id      bytea  not null check (length(id) = 16),
    digest  bytea  not null check (length(digest) = 32),
    stream  text collate "C" not null,
    version bigint not null,                        -- where the stream stood after it
    answer  text   not null,
    primary key (person, id)
);

create trigger command_is_final before update or delete or truncate on command
    execute function refuse_change();
