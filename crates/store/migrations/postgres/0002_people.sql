-- Who they are, how they prove it, and the limits they set themselves.

-- Numbers are given once and never again: money and history hang on them.
create table person (
    id            bigint generated always as identity primary key check (id between 1 and 4294967295),
    name          text   not null,
    name_key      text collate "C" not null unique, -- the name in lower case, by Unicode's rules
    password_hash text,                             -- none: a guest
    role          text   not null,
    created       bigint not null,
    disabled      bigint                            -- since when, if at all
);

-- A token is known to its holder alone; here lies its SHA-256.
create table session (
    token      bytea  not null primary key check (length(token) = 32),
    person     bigint not null references person (id),
    created    bigint not null,
    last_seen  bigint not null,
    idle_until bigint not null,
    until      bigint not null
);

create index session_person on session (person);

-- Failures to log in, under the name or address they were tried with.
create table failed_login (
    subject text collate "C" not null,
    at      bigint not null
);

create index failed_login_subject on failed_login (subject, at);

-- Limits people set themselves: each keeps its place, the last that has begun counts.
create table own_limit (
    number bigint generated always as identity primary key,
    person bigint not null references person (id),
    kind   text   not null,
    most   bigint check (most >= 0),                -- none: no limit
    made   bigint not null,
    begins bigint not null
);

create index own_limit_person on own_limit (person, number);
