-- Commands lie in the order of their ids. Ids that begin with the time, as those of UUID version 7 do,
-- are then written next to each other instead of one page for every person who asked something.

alter table command drop constraint command_pkey;
alter table command add primary key (id, person);
