-- Streams added up at some of their places, so that nobody has to read a long log from its first entry on.
-- They are sealed, and can be made anew from the log at any time: what is missing is read from there.

create table mark (
    stream  text collate "C" not null,
    version bigint not null,
    body    text not null,
    primary key (stream, version)
);
