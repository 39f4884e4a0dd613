-- `insert or replace` gets round triggers on updates and deletions, so what is already there is looked for
-- first.
create trigger command_is_new before insert on command
when exists (select 1 from command where id = new.id and person = new.person)
begin
    select raise(abort, 'answers are never changed');
end;

-- Which accounts may be overdrawn follows from their names; nobody gives an account the right by hand.
create trigger overdraft_is_by_name before insert on balance
when new.overdraft = 1 and not (
    new.account glob 'house/*' or new.account glob 'issue/*'
    or (new.account glob 'table/*/house' and new.account not glob 'table/*/*/*')
)
begin
    select raise(abort, 'this account may not be overdrawn');
end;

create trigger overdraft_is_final before update of overdraft on balance
when new.overdraft <> old.overdraft
begin
    select raise(abort, 'whether an account may be overdrawn never changes');
end;

-- What people wished for themselves stays, in the order in which they wished it.
create trigger own_limit_is_new before insert on own_limit
when exists (select 1 from own_limit where number = new.number)
begin
    select raise(abort, 'limits are never changed');
end;

create trigger own_limit_is_final before update on own_limit
begin
    select raise(abort, 'limits are never changed');
end;

create trigger own_limit_stays before delete on own_limit
begin
    select raise(abort, 'limits are never removed');
end;
