-- Commands lie in the order of their ids. Ids that begin with the time, as those of UUID version 7 do,
-- are then written next to each other: a commit of fifty commands writes a page or two of them instead
-- of one for every person who asked something. The row lies in the index itself, since nobody looks for
-- it in another way.

create table command_by_id (
    id      blob    not null check (length(id) = 16),
    person  integer not null,
    digest  blob    not null check (length(digest) = 32),
    stream  text    not null,
    version integer not null,                       -- where the stream stood after it
    answer  text    not null,
    primary key (id, person)
) strict, without rowid;

insert into command_by_id (id, person, digest, stream, version, answer)
    select id, person, digest, stream, version, answer from command order by id, person;

drop trigger command_is_final;
drop trigger command_stays;
drop table command;
alter table command_by_id rename to command;

create trigger command_is_final before update on command
begin
    select raise(abort, 'answers are never changed');
end;

create trigger command_stays before delete on command
begin
    select raise(abort, 'answers are never removed');
end;
