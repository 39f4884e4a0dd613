-- Only of wallets is it asked where their money came from and went; the moves of accounts at a table stand
-- in its own log. Almost all moves are at a table, and need neither index: each would be another page to
-- write for nearly every move.

drop index move_from;
drop index move_to;

create index move_from_wallet on move (from_account, at, stream, version, number)
    where from_account >= 'wallet/' and from_account < 'wallet0';
create index move_to_wallet on move (to_account, at, stream, version, number)
    where to_account >= 'wallet/' and to_account < 'wallet0';
