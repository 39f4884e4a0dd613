-- A gap in a stream undoes the whole transaction instead of the one statement. Nobody goes on after
-- it either way; but for a statement that can be undone by itself SQLite copies every page before it
-- writes there, and this one is run for every entry.

drop trigger entry_follows;

create trigger entry_follows before insert on entry
when new.version <> 1 + coalesce((select max(version) from entry where stream = new.stream), 0)
begin
    select raise(rollback, 'a stream has no gaps');
end;
