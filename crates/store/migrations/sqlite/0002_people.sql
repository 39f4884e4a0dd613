-- Who they are, how they prove it, and the limits they set themselves.

-- Numbers are given once and never again: money and history hang on them.
create table person (
    id            integer primary key autoincrement check (id between 1 and 4294967295),
    name          text    not null,
    name_key      text    not null unique,          -- the name in lower case, by Unicode's rules
    password_hash text,                             -- none: a guest
    role          text    not null,
    created       integer not null,
    disabled      integer                           -- since when, if at all
) strict;

-- A token is known to its holder alone; here lies its SHA-256.
create table session (
    token      blob    not null primary key check (length(token) = 32),
    person     integer not null references person (id),
    created    integer not null,
    last_seen  integer not null,
    idle_until integer not null,
    until      integer not null
) strict;

create index session_person on session (person);

-- Failures to log in, under the name or address they were tried with.
create table failed_login (
    subject text    not null,
    at      integer not null
) strict;

create index failed_login_subject on failed_login (subject, at);

-- Limits people set themselves: each keeps its place, the last that has begun counts.
create table own_limit (
    number integer primary key autoincrement,
    person integer not null references person (id),
    kind   text    not null,
    most   integer check (most >= 0),               -- none: no limit
    made   integer not null,
    begins integer not null
) strict;

create index own_limit_person on own_limit (person, number);
