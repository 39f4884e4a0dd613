-- Which accounts may be overdrawn follows from their names; nobody gives an account the right by hand.
alter table balance add constraint overdraft_by_name check (
    not overdraft or account ~ '^(house|issue)/|^table/[^/]+/house$'
);

create function refuse_overdraft() returns trigger language plpgsql as $$
begin
    raise exception 'whether an account may be overdrawn never changes'
        using errcode = 'restrict_violation';
end $$;

create trigger overdraft_is_final before update of overdraft on balance
    for each row when (new.overdraft <> old.overdraft) execute function refuse_overdraft();

-- What people wished for themselves stays, in the order in which they wished it.
create trigger own_limit_is_final before update or delete or truncate on own_limit
    execute function refuse_change();
