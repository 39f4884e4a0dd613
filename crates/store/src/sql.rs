//! What SQLite and PostgreSQL understand alike: one text for both, written out for each of their
//! types by a macro. What they do differently is in their own modules: how a transaction begins,
//! how an append gets to its commit, how notices travel.

/// A numbered step of the schema.
pub(crate) struct Migration {
    pub(crate) name: &'static str,
    pub(crate) sql: &'static str,
}

/// The most rows that a statement of an append writes or asks for. A statement is read by the database
/// once for each number of rows; there are few enough of these that all are kept.
pub(crate) const ROWS: usize = 32;

/// The name, the version and one more column of each stream's last entry, for names from `$1` to
/// before `$2`: from name to name along the key, instead of through every entry.
macro_rules! last_entries {
    ($column:literal) => {
        concat!(
            "with recursive name (stream) as ( \
                 select min(stream) from entry where stream >= $1 and stream < $2 \
                 union all \
                 select (select min(stream) from entry \
                         where stream > name.stream and stream < $2) \
                 from name where name.stream is not null \
             ) \
             select entry.stream, entry.version, entry.",
            $column,
            " from name join entry on entry.stream = name.stream and entry.version = \
                 (select max(version) from entry where stream = name.stream) \
             order by entry.stream"
        )
    };
}

/// Where a round ends, or a share of one, and no entry is.
macro_rules! no_entry {
    () => {
        "where not exists (select 1 from entry \
         where entry.stream = 'table/' || table_id and entry.version = last_version)"
    };
}

/// Where a mark stands and no entry is.
macro_rules! no_marked_entry {
    () => {
        "where not exists (select 1 from entry \
         where entry.stream = mark.stream and entry.version = mark.version)"
    };
}

/// Implements [`Store`](crate::Store) for a store that has
/// - `reading()` and `writing()`, pools of connections,
/// - `begin_alone()`, a transaction that no append runs beside,
/// - `append_durably`,
/// - `tell_of`, which tells everyone that someone has changed,
/// - `teller` and `end()`.
///
/// What follows the types are methods that the store has in place of the trait's own.
macro_rules! store_in_sql {
    ($store:ty, $database:ty, $connection:ty, { $($own:tt)+ }) => {
        /// Brings the schema up to date, inside a transaction that nobody else migrates beside.
        async fn migrate(
            db: &mut $connection,
            migrations: &'static [Migration],
        ) -> Result<(), OpenError> {
            sqlx::raw_sql(
                "create table if not exists schema_version \
                 (version bigint primary key, name text not null)",
            )
            .execute(&mut *db)
            .await?;
            let (found,): (i64,) =
                sqlx::query_as("select coalesce(max(version), 0) from schema_version")
                    .fetch_one(&mut *db)
                    .await?;
            let found = rows::count(found)? as usize;
            if found > migrations.len() {
                let (found, known) = (found as u32, migrations.len() as u32);
                return Err(OpenError::NewerSchema { found, known });
            }
            for (number, migration) in (1_i64..).zip(migrations).skip(found) {
                sqlx::raw_sql(migration.sql).execute(&mut *db).await?;
                sqlx::query("insert into schema_version (version, name) values ($1, $2)")
                    .bind(number)
                    .bind(migration.name)
                    .execute(&mut *db)
                    .await?;
            }
            Ok(())
        }

        async fn head_in(db: &mut $connection, stream: &StreamId) -> Result<Head, Failure> {
            let head: Option<(i64, Vec<u8>)> = sqlx::query_as(
                "select version, hash from entry where stream = $1 order by version desc limit 1",
            )
            .bind(stream.as_str())
            .fetch_optional(db)
            .await?;
            head.map(rows::head).transpose().map(Option::unwrap_or_default)
        }

        async fn recall_in(
            db: &mut $connection,
            by: Person,
            id: Uuid,
        ) -> Result<Option<Remembered>, Failure> {
            let row: Option<rows::CommandRow> = sqlx::query_as(
                "select digest, stream, version, answer from command \
                 where person = $1 and id = $2",
            )
            .bind(i64::from(by.0))
            .bind(&id.as_bytes()[..])
            .fetch_optional(db)
            .await?;
            row.map(rows::remembered).transpose()
        }

        /// Writes rows, some at a time.
        async fn insert<const N: usize>(
            db: &mut $connection,
            rows: &Insert<'_, N>,
        ) -> Result<(), sqlx::Error> {
            for some in rows.values.chunks(ROWS) {
                let mut insert = QueryBuilder::<$database>::new("insert into ");
                insert.push(rows.into).push(" ").push_values(some, |mut row, values| {
                    for value in values {
                        match *value {
                            Value::Int(it) => row.push_bind(it),
                            Value::Real(it) => row.push_bind(it),
                            Value::Bool(it) => row.push_bind(it),
                            Value::Text(it) => row.push_bind(it),
                            Value::NoText => row.push_bind(None::<&str>),
                            Value::Bytes(it) => row.push_bind(it),
                        };
                    }
                });
                insert.push(rows.conflict).build().execute(&mut *db).await?;
            }
            Ok(())
        }

        async fn insert_rounds(
            db: &mut $connection,
            rounds: &[&RoundRow],
        ) -> Result<(), sqlx::Error> {
            insert(db, &inserts::rounds(rounds)).await?;
            insert(db, &inserts::shares(rounds)).await?;
            let (of_rows, of_bets) = inserts::day_sums(rounds);
            insert(db, &inserts::round_sums(&of_rows)).await?;
            insert(db, &inserts::bet_sums(&of_bets)).await
        }

        async fn heads(
            db: &mut $connection,
            prefix: &str,
        ) -> Result<Vec<(StreamId, Head)>, Failure> {
            let heads: Vec<(String, i64, Vec<u8>)> = sqlx::query_as(last_entries!("hash"))
                .bind(prefix)
                .bind(after_prefix(prefix))
                .fetch_all(db)
                .await?;
            let heads = heads.into_iter().map(|(stream, version, hash)| {
                Ok((rows::name(&stream)?, rows::head((version, hash))?))
            });
            heads.collect()
        }

        async fn balances(
            db: &mut $connection,
            prefix: &str,
        ) -> Result<Vec<(AccountName, i64)>, Failure> {
            let balances: Vec<(String, i64)> = sqlx::query_as(
                "select account, amount from balance \
                 where account >= $1 and account < $2 order by account",
            )
            .bind(prefix)
            .bind(after_prefix(prefix))
            .fetch_all(db)
            .await?;
            let balances =
                balances.iter().map(|(account, amount)| Ok((rows::name(account)?, *amount)));
            balances.collect()
        }

        /// Writes the sums of some days anew from the rounds, of one table or of all. Nothing may
        /// be appended beside it.
        async fn sum_anew(
            db: &mut $connection,
            table: Option<TableId>,
            days: std::ops::RangeInclusive<u64>,
        ) -> Result<(), sqlx::Error> {
            let (first, last) = days.into_inner();
            let (from, until) = (first.saturating_mul(DAY), last.saturating_add(1).saturating_mul(DAY));
            for (delete, insert, group) in [
                (
                    "delete from round_sum where day >= ",
                    "insert into round_sum (day, table_id, rulebook, status, \
                     rounds, house_took, house_paid) \
                     select ended / 86400000, table_id, rulebook, status, count(*), \
                     cast(sum(house_took) as bigint), cast(sum(house_paid) as bigint) \
                     from round where ended >= ",
                    " group by 1, 2, 3, 4",
                ),
                (
                    "delete from bet_sum where day >= ",
                    "insert into bet_sum (day, table_id, rulebook, bet, bot, shares, \
                     wagered, taken, paid, back, commission, squares) \
                     select ended / 86400000, table_id, rulebook, bet, bot, count(*), \
                     cast(sum(wagered) as bigint), cast(sum(taken) as bigint), \
                     cast(sum(paid) as bigint), cast(sum(back) as bigint), \
                     cast(sum(commission) as bigint), \
                     sum(cast(wagered as double precision) * wagered) \
                     from round_share where status <> 'void' and ended >= ",
                    " group by 1, 2, 3, 4, 5",
                ),
            ] {
                for (start, from, column, until, end) in [
                    (delete, first, " and day <= ", last, ""),
                    (insert, from, " and ended < ", until, group),
                ] {
                    let mut query = QueryBuilder::<$database>::new(start);
                    query.push_bind(rows::int(from)).push(column).push_bind(rows::int(until));
                    if let Some(table) = table {
                        query.push(" and table_id = ").push_bind(rows::int(table.0));
                    }
                    query.push(end).build().execute(&mut *db).await?;
                }
            }
            Ok(())
        }

        /// The rows at some places, in this order.
        async fn rounds_at(
            db: &mut $connection,
            places: &[(i64, i64)],
        ) -> Result<Vec<RoundRow>, Failure> {
            let mut all = Vec::with_capacity(places.len());
            for some in places.chunks(MOST_AT_ONCE) {
                // Joined and not looked up in a list: SQLite would walk the whole table for that.
                let at_places = |select: &str| {
                    let mut wanted =
                        QueryBuilder::<$database>::new("with wanted (at_table, at_version) as (");
                    wanted.push_values(some, |mut row, (table, last)| {
                        row.push_bind(*table).push_bind(*last);
                    });
                    wanted.push(") ").push(select);
                    wanted
                };
                let found: Vec<rows::RoundRowRow> = at_places(
                    "select table_id, last_version, round, first_version, rulebook, began, \
                     ended, status, clause, house_took, house_paid from wanted join round \
                     on table_id = at_table and last_version = at_version",
                )
                .build_query_as()
                .fetch_all(&mut *db)
                .await?;
                let shares: Vec<rows::ShareRow> = at_places(
                    "select table_id, last_version, person, bet, bot, wagered, taken, paid, \
                     back, commission from wanted join round_share \
                     on table_id = at_table and last_version = at_version",
                )
                .build_query_as()
                .fetch_all(&mut *db)
                .await?;
                all.extend(rows::rounds(found, shares)?);
            }
            Ok(all)
        }

        #[async_trait]
        impl Store for $store {
            async fn append(&self, append: Append) -> Result<Appended, AppendError> {
                append.check()?;
                self.append_durably(append).await
            }

            $($own)+

            async fn recall(&self, by: Person, id: Uuid) -> Result<Option<Remembered>, Failure> {
                recall_in(&mut *self.reading().acquire().await?, by, id).await
            }

            async fn read(
                &self,
                stream: &StreamId,
                after: Version,
                most: u32,
            ) -> Result<Vec<Entry>, Failure> {
                let entries: Vec<rows::EntryRow> = sqlx::query_as(
                    "select version, at, kind, body, previous, hash from entry \
                     where stream = $1 and version > $2 order by version limit $3",
                )
                .bind(stream.as_str())
                .bind(rows::int(after.0))
                .bind(i64::from(most))
                .fetch_all(self.reading())
                .await?;
                let Some((last, ..)) = entries.last() else { return Ok(Vec::new()) };
                // The log does not change: these are the moves that were there a moment ago.
                let moves = sqlx::query_as(
                    "select version, from_account, to_account, amount, reason, clause from move \
                     where stream = $1 and version > $2 and version <= $3 \
                     order by version, number",
                )
                .bind(stream.as_str())
                .bind(rows::int(after.0))
                .bind(last)
                .fetch_all(self.reading())
                .await?;
                rows::entries(stream, entries, moves)
            }

            async fn mark(
                &self,
                stream: &StreamId,
                until: Version,
            ) -> Result<Option<(Version, String)>, Failure> {
                let row: Option<(i64, String)> = sqlx::query_as(
                    "select version, body from mark \
                     where stream = $1 and version <= $2 order by version desc limit 1",
                )
                .bind(stream.as_str())
                .bind(i64::try_from(until.0).unwrap_or(i64::MAX))
                .fetch_optional(self.reading())
                .await?;
                let mark = row.map(|(version, body)| Ok((Version(rows::count(version)?), body)));
                mark.transpose()
            }

            async fn head(&self, stream: &StreamId) -> Result<Head, Failure> {
                head_in(&mut *self.reading().acquire().await?, stream).await
            }

            async fn heads(&self, prefix: &str) -> Result<Vec<(StreamId, Head)>, Failure> {
                heads(&mut *self.reading().acquire().await?, prefix).await
            }

            async fn versions(
                &self,
                streams: &[StreamId],
            ) -> Result<Vec<(StreamId, Version)>, Failure> {
                let mut all = Vec::with_capacity(streams.len());
                for some in streams.chunks(MOST_AT_ONCE) {
                    let mut select =
                        QueryBuilder::<$database>::new("with wanted (name) as (");
                    select.push_values(some, |mut row, stream| {
                        row.push_bind(stream.as_str());
                    });
                    select.push(
                        ") select name, coalesce((select max(version) from entry \
                         where stream = wanted.name), 0) from wanted",
                    );
                    let found: Vec<(String, i64)> =
                        select.build_query_as().fetch_all(self.reading()).await?;
                    for (stream, version) in found {
                        all.push((rows::name(&stream)?, Version(rows::count(version)?)));
                    }
                }
                Ok(all)
            }

            async fn last_times(
                &self,
                prefix: &str,
            ) -> Result<Vec<(StreamId, Version, u64)>, Failure> {
                let last: Vec<(String, i64, i64)> = sqlx::query_as(
                    last_entries!("at"),
                )
                .bind(prefix)
                .bind(after_prefix(prefix))
                .fetch_all(self.reading())
                .await?;
                let last = last.into_iter().map(|(stream, version, at)| {
                    let version = Version(rows::count(version)?);
                    Ok((rows::name(&stream)?, version, rows::count(at)?))
                });
                last.collect()
            }

            async fn balance(&self, account: &AccountName) -> Result<i64, Failure> {
                let amount: Option<(i64,)> =
                    sqlx::query_as("select amount from balance where account = $1")
                        .bind(account.as_str())
                        .fetch_optional(self.reading())
                        .await?;
                Ok(amount.map_or(0, |(amount,)| amount))
            }

            async fn balances(&self, prefix: &str) -> Result<Vec<(AccountName, i64)>, Failure> {
                balances(&mut *self.reading().acquire().await?, prefix).await
            }

            async fn moment(&self) -> Result<Moment, Failure> {
                let mut now = self.begin_looking().await?;
                let heads = heads(&mut *now, "").await?;
                let balances = balances(&mut *now, "").await?;
                let (moves,): (i64,) =
                    sqlx::query_as("select count(*) from move").fetch_one(&mut *now).await?;
                let misdated = sqlx::query_as(
                    "select distinct move.stream, move.version from move join entry \
                     on entry.stream = move.stream and entry.version = move.version \
                     where entry.at <> move.at order by 1, 2",
                )
                .fetch_all(&mut *now)
                .await?;
                let misdated = rows::places(misdated)?;
                Ok(Moment { heads, balances, moves: rows::count(moves)?, misdated })
            }

            async fn wallet_moves(
                &self,
                person: Person,
                before: Option<&Place>,
                most: u32,
            ) -> Result<Vec<Moved>, Failure> {
                let (at, stream, version, number) = match before {
                    Some(it) => (it.at, it.stream.as_str(), it.version.0, it.number),
                    None => (u64::MAX, "\u{7f}", u64::MAX, u32::MAX),
                };
                // Two walks along two indexes, each no longer than the page. Both are of wallets alone,
                // which must be said for them to be used.
                let moves: Vec<rows::MovedRow> = sqlx::query_as(
                    "select * from ( \
                         select at, stream, version, number, \
                                from_account, to_account, amount, reason, clause \
                         from move where from_account = $1 \
                         and from_account >= 'wallet/' and from_account < 'wallet0' \
                         and (at, stream, version, number) < ($2, $3, $4, $5) \
                         order by at desc, stream desc, version desc, number desc limit $6 \
                     ) as gone \
                     union all \
                     select * from ( \
                         select at, stream, version, number, \
                                from_account, to_account, amount, reason, clause \
                         from move where to_account = $1 \
                         and to_account >= 'wallet/' and to_account < 'wallet0' \
                         and (at, stream, version, number) < ($2, $3, $4, $5) \
                         order by at desc, stream desc, version desc, number desc limit $6 \
                     ) as come \
                     order by 1 desc, 2 desc, 3 desc, 4 desc limit $6",
                )
                .bind(AccountName::wallet(person).as_str())
                .bind(rows::int(at))
                .bind(stream)
                .bind(rows::int(version))
                .bind(i64::from(number))
                .bind(i64::from(most))
                .fetch_all(self.reading())
                .await?;
                moves.into_iter().map(rows::placed).collect()
            }

            fn changes(&self) -> Changes {
                self.teller.listen()
            }

            async fn check_books(&self) -> Result<Vec<Difference>, Failure> {
                let differences: Vec<(String, i64, i64)> = sqlx::query_as(
                    "with half (account, amount) as ( \
                         select to_account, amount from move \
                         union all select from_account, -amount from move \
                     ), counted (account, amount) as ( \
                         select account, cast(sum(amount) as bigint) from half group by account \
                     ) \
                     select coalesce(balance.account, counted.account), \
                            coalesce(balance.amount, 0), coalesce(counted.amount, 0) \
                     from balance full join counted on counted.account = balance.account \
                     where coalesce(balance.amount, 0) <> coalesce(counted.amount, 0) \
                     order by 1",
                )
                .fetch_all(self.reading())
                .await?;
                let differences = differences.iter().map(|(account, kept, counted)| {
                    let account = rows::name(account)?;
                    Ok(Difference { account, kept: *kept, counted: *counted })
                });
                differences.collect()
            }

            async fn rebuild_books(&self) -> Result<(), Failure> {
                let mut alone = self.begin_alone().await?;
                sqlx::query("delete from balance").execute(&mut *alone).await?;
                let counted: Vec<(String, i64)> = sqlx::query_as(
                    "with half (account, amount) as ( \
                         select to_account, amount from move \
                         union all select from_account, -amount from move \
                     ) \
                     select account, cast(sum(amount) as bigint) from half group by account",
                )
                .fetch_all(&mut *alone)
                .await?;
                let counted = counted
                    .iter()
                    .map(|(account, amount)| Ok((rows::name(account)?, *amount)))
                    .collect::<Result<Vec<(AccountName, i64)>, Failure>>()?;
                let balances: Vec<_> = counted.iter().map(|(it, amount)| (it, *amount)).collect();
                insert(&mut *alone, &inserts::balances(&balances, "")).await?;
                Ok(alone.commit().await?)
            }

            async fn rounds(
                &self,
                filter: &RoundFilter,
                before: Option<RoundPlace>,
                most: u32,
            ) -> Result<Vec<RoundRow>, Failure> {
                // A walk along one index, newest first; the rest of the filter is looked at there.
                let mut select = QueryBuilder::<$database>::new(match filter.person {
                    Some(_) => "select table_id, last_version from round_share where ",
                    None => "select table_id, last_version from round where ",
                });
                let place = before.unwrap_or(RoundPlace {
                    ended: u64::MAX,
                    table: TableId(u64::MAX),
                    last: Version(u64::MAX),
                });
                select
                    .push("(ended, table_id, last_version) < (")
                    .push_bind(rows::int(place.ended))
                    .push(", ")
                    .push_bind(rows::int(place.table.0))
                    .push(", ")
                    .push_bind(rows::int(place.last.0))
                    .push(")");
                if let Some(person) = filter.person {
                    select.push(" and person = ").push_bind(i64::from(person.0));
                }
                if let Some(table) = filter.table {
                    select.push(" and table_id = ").push_bind(rows::int(table.0));
                }
                if let Some(rulebook) = &filter.rulebook {
                    select.push(" and rulebook = ").push_bind(rulebook);
                }
                if let Some(status) = filter.status {
                    select.push(" and status = ").push_bind(status.name());
                }
                if let Some(from) = filter.from {
                    select.push(" and ended >= ").push_bind(rows::int(from));
                }
                if let Some(until) = filter.until {
                    select.push(" and ended < ").push_bind(rows::int(until));
                }
                if filter.person.is_some() {
                    // Someone has as many shares in a round as they have bets.
                    select.push(" group by ended, table_id, last_version");
                }
                select
                    .push(" order by ended desc, table_id desc, last_version desc limit ")
                    .push_bind(i64::from(most));
                let mut db = self.reading().acquire().await?;
                let places: Vec<(i64, i64)> = select.build_query_as().fetch_all(&mut *db).await?;
                let mut found = rounds_at(&mut *db, &places).await?;
                found.sort_by_key(|row| std::cmp::Reverse(row.place()));
                Ok(found)
            }

            async fn round(&self, table: TableId, round: u64) -> Result<Vec<RoundRow>, Failure> {
                let mut db = self.reading().acquire().await?;
                let places: Vec<(i64, i64)> = sqlx::query_as(
                    "select table_id, last_version from round where table_id = $1 and round = $2",
                )
                .bind(rows::int(table.0))
                .bind(rows::int(round))
                .fetch_all(&mut *db)
                .await?;
                let mut found = rounds_at(&mut *db, &places).await?;
                found.sort_by_key(|row| row.last);
                Ok(found)
            }

            async fn round_sums(
                &self,
                by: SumBy,
                from: u64,
                until: u64,
            ) -> Result<Vec<RoundSum>, Failure> {
                let mut db = self.reading().acquire().await?;
                let (mut of_rows, mut of_bets) = (Vec::new(), Vec::new());
                // Whole days are summed already; what is left of them is added up round by round.
                for part in sum_parts(from, until) {
                    let (whole, from, until) = match part {
                        SumPart::Days(first, end) => (true, first, end),
                        SumPart::Rounds(from, until) => (false, from, until),
                    };
                    let (time, rows_of, bets_of, status, counted, squares) = match whole {
                        true => ("day", "round_sum", "bet_sum", "", "rounds", "squares"),
                        false => (
                            "ended",
                            "round",
                            "round_share",
                            "status <> 'void' and ",
                            "1",
                            "cast(wagered as double precision) * wagered",
                        ),
                    };
                    let shares = if whole { "shares" } else { "1" };
                    let key = match by {
                        SumBy::Table => "table_id",
                        SumBy::Rulebook => "cast(0 as bigint)",
                        SumBy::Day if whole => "day",
                        SumBy::Day => "ended / 86400000",
                    };
                    let (from, until) = (rows::int(from), rows::int(until));
                    let rows: Vec<rows::RowsSumRow> = QueryBuilder::<$database>::new(format!(
                        "select {key}, rulebook, status, cast(sum({counted}) as bigint), \
                         cast(sum(house_took) as bigint), cast(sum(house_paid) as bigint) \
                         from {rows_of} where {time} >= "
                    ))
                    .push_bind(from)
                    .push(format!(" and {time} < "))
                    .push_bind(until)
                    .push(" group by 1, rulebook, status")
                    .build_query_as()
                    .fetch_all(&mut *db)
                    .await?;
                    of_rows.extend(rows);
                    let bets: Vec<rows::BetSumRow> = QueryBuilder::<$database>::new(format!(
                        "select {key}, rulebook, bet, bot, cast(sum({shares}) as bigint), \
                         cast(sum(wagered) as bigint), cast(sum(taken) as bigint), \
                         cast(sum(paid) as bigint), cast(sum(back) as bigint), \
                         cast(sum(commission) as bigint), sum({squares}) \
                         from {bets_of} where {status}{time} >= "
                    ))
                    .push_bind(from)
                    .push(format!(" and {time} < "))
                    .push_bind(until)
                    .push(" group by 1, rulebook, bet, bot")
                    .build_query_as()
                    .fetch_all(&mut *db)
                    .await?;
                    of_bets.extend(bets);
                }
                rows::sums(by, of_rows, of_bets)
            }

            async fn rebuild_round_sums(&self) -> Result<(), Failure> {
                let mut alone = self.begin_alone().await?;
                sum_anew(&mut *alone, None, 0..=u64::MAX / DAY).await?;
                Ok(alone.commit().await?)
            }

            async fn replace_rounds(
                &self,
                table: TableId,
                after: Version,
                until: Version,
                rounds: &[RoundRow],
            ) -> Result<(), AppendError> {
                check_replacement(table, after, until, rounds)?;
                let mut own = self.begin_alone().await?;
                let (first, last): (Option<i64>, Option<i64>) = sqlx::query_as(
                    "select min(ended), max(ended) from round \
                     where table_id = $1 and last_version > $2 and last_version <= $3",
                )
                .bind(rows::int(table.0))
                .bind(rows::int(after.0))
                .bind(rows::int(until.0))
                .fetch_one(&mut *own)
                .await?;
                let gone = [first, last].into_iter().flatten().map(rows::count);
                let come = rounds.iter().map(|it| Ok(it.ended));
                let times = gone.chain(come).collect::<Result<Vec<u64>, Failure>>()?;
                for delete in [
                    "delete from round_share \
                     where table_id = $1 and last_version > $2 and last_version <= $3",
                    "delete from round \
                     where table_id = $1 and last_version > $2 and last_version <= $3",
                ] {
                    sqlx::query(delete)
                        .bind(rows::int(table.0))
                        .bind(rows::int(after.0))
                        .bind(rows::int(until.0))
                        .execute(&mut *own)
                        .await?;
                }
                let rounds: Vec<&RoundRow> = rounds.iter().collect();
                insert_rounds(&mut *own, &rounds).await?;
                if let (Some(first), Some(last)) = (times.iter().min(), times.iter().max()) {
                    sum_anew(&mut *own, Some(table), first / DAY..=last / DAY).await?;
                }
                Ok(own.commit().await?)
            }

            async fn strays(&self) -> Result<Strays, Failure> {
                let mut now = self.begin_looking().await?;
                let places: Vec<(i64, i64)> =
                    sqlx::query_as(concat!("select table_id, last_version from round ", no_entry!()))
                        .fetch_all(&mut *now)
                        .await?;
                let mut rounds = rounds_at(&mut *now, &places).await?;
                rounds.sort_by_key(|row| (row.table, row.last));
                let shares: Vec<(i64, i64)> = sqlx::query_as(
                    "select distinct table_id, last_version from round_share where not exists ( \
                         select 1 from round \
                         where round.table_id = round_share.table_id \
                         and round.last_version = round_share.last_version \
                         and round.ended = round_share.ended \
                         and round.rulebook = round_share.rulebook \
                         and round.status = round_share.status \
                     ) order by 1, 2",
                )
                .fetch_all(&mut *now)
                .await?;
                let shares = shares.into_iter().map(|(table, version)| {
                    Ok((TableId(rows::count(table)?), Version(rows::count(version)?)))
                });
                let shares = shares.collect::<Result<_, Failure>>()?;
                let marks = concat!("select stream, version from mark ", no_marked_entry!(), " order by 1, 2");
                let marks = sqlx::query_as(marks).fetch_all(&mut *now).await?;
                Ok(Strays { rounds, shares, marks: rows::places(marks)? })
            }

            async fn remove_strays(&self) -> Result<(), Failure> {
                let mut alone = self.begin_alone().await?;
                for delete in [
                    concat!("delete from round_share ", no_entry!()),
                    concat!("delete from round ", no_entry!()),
                    concat!("delete from mark ", no_marked_entry!()),
                ] {
                    sqlx::query(delete).execute(&mut *alone).await?;
                }
                sum_anew(&mut *alone, None, 0..=u64::MAX / DAY).await?;
                Ok(alone.commit().await?)
            }

            async fn add_user(&self, user: NewUser) -> Result<User, UserError> {
                // To its end: SQLite commits when there are no more rows, and only then is it known.
                let added: Result<Vec<rows::UserRow>, sqlx::Error> = sqlx::query_as(
                    "insert into person (name, name_key, password_hash, role, created) \
                     values ($1, $2, $3, $4, $5) \
                     returning id, name, password_hash, role, created, disabled",
                )
                .bind(&user.name)
                .bind(name_key(&user.name))
                .bind(&user.password_hash)
                .bind(&user.role)
                .bind(rows::int(user.created))
                .fetch_all(self.writing())
                .await;
                let row = added.map_err(user_error)?.pop().ok_or(sqlx::Error::RowNotFound);
                Ok(rows::user(row.map_err(user_error)?)?)
            }

            async fn user(&self, id: Person) -> Result<Option<User>, Failure> {
                let user: Option<rows::UserRow> = sqlx::query_as(
                    "select id, name, password_hash, role, created, disabled \
                     from person where id = $1",
                )
                .bind(i64::from(id.0))
                .fetch_optional(self.reading())
                .await?;
                user.map(rows::user).transpose()
            }

            async fn user_named(&self, name: &str) -> Result<Option<User>, Failure> {
                let user: Option<rows::UserRow> = sqlx::query_as(
                    "select id, name, password_hash, role, created, disabled \
                     from person where name_key = $1",
                )
                .bind(name_key(name))
                .fetch_optional(self.reading())
                .await?;
                user.map(rows::user).transpose()
            }

            async fn users(&self, after: Person, most: u32) -> Result<Vec<User>, Failure> {
                let users: Vec<rows::UserRow> = sqlx::query_as(
                    "select id, name, password_hash, role, created, disabled \
                     from person where id > $1 order by id limit $2",
                )
                .bind(i64::from(after.0))
                .bind(i64::from(most))
                .fetch_all(self.reading())
                .await?;
                users.into_iter().map(rows::user).collect()
            }

            async fn change_user(&self, id: Person, change: UserChange) -> Result<(), UserError> {
                let update = match change {
                    UserChange::Name(name) => {
                        let key = name_key(&name);
                        sqlx::query("update person set name = $2, name_key = $3 where id = $1")
                            .bind(i64::from(id.0))
                            .bind(name)
                            .bind(key)
                    }
                    UserChange::Password(hash) => {
                        sqlx::query("update person set password_hash = $2 where id = $1")
                            .bind(i64::from(id.0))
                            .bind(hash)
                    }
                    UserChange::Role { from, to } => {
                        sqlx::query("update person set role = $2 where id = $1 and role = $3")
                            .bind(i64::from(id.0))
                            .bind(to)
                            .bind(from)
                    }
                    UserChange::Disabled(since) => {
                        sqlx::query("update person set disabled = $2 where id = $1")
                            .bind(i64::from(id.0))
                            .bind(since.map(rows::int))
                    }
                };
                let changed = update.execute(self.writing()).await.map_err(user_error)?;
                if changed.rows_affected() == 0 {
                    let is_known = self.user(id).await?.is_some();
                    return Err(if is_known { UserError::Changed } else { UserError::Unknown });
                }
                self.tell_of(id);
                Ok(())
            }

            async fn open_session(&self, session: Session) -> Result<(), UserError> {
                let opened = sqlx::query(
                    "insert into session (token, person, created, last_seen, idle_until, until) \
                     values ($1, $2, $3, $4, $5, $6)",
                )
                .bind(&session.token[..])
                .bind(i64::from(session.person.0))
                .bind(rows::int(session.created))
                .bind(rows::int(session.last_seen))
                .bind(rows::int(session.idle_until))
                .bind(rows::int(session.until))
                .execute(self.writing())
                .await;
                opened.map(drop).map_err(user_error)
            }

            async fn session(&self, token: TokenHash) -> Result<Option<Session>, Failure> {
                let session: Option<rows::SessionRow> = sqlx::query_as(
                    "select token, person, created, last_seen, idle_until, until \
                     from session where token = $1",
                )
                .bind(&token[..])
                .fetch_optional(self.reading())
                .await?;
                session.map(rows::session).transpose()
            }

            async fn touch_session(
                &self,
                token: TokenHash,
                last_seen: u64,
                idle_until: u64,
            ) -> Result<bool, Failure> {
                let touched = sqlx::query(
                    "update session set last_seen = $2, idle_until = $3 where token = $1",
                )
                .bind(&token[..])
                .bind(rows::int(last_seen))
                .bind(rows::int(idle_until))
                .execute(self.writing())
                .await?;
                Ok(touched.rows_affected() == 1)
            }

            async fn end_sessions(&self, ending: Ending) -> Result<u64, Failure> {
                let delete = match ending {
                    Ending::Token(token) => {
                        sqlx::query_as("delete from session where token = $1 returning person")
                            .bind(token.to_vec())
                    }
                    Ending::Person(person) => {
                        sqlx::query_as("delete from session where person = $1 returning person")
                            .bind(i64::from(person.0))
                    }
                    // Whoever looks at a session sees for themselves that it has run out.
                    Ending::RunOut(at) => {
                        let delete =
                            sqlx::query("delete from session where until <= $1 or idle_until <= $1");
                        let ended = delete.bind(rows::int(at)).execute(self.writing()).await?;
                        return Ok(ended.rows_affected());
                    }
                };
                let mut whose: Vec<(i64,)> = delete.fetch_all(self.writing()).await?;
                let ended = whose.len() as u64;
                whose.dedup();
                for (person,) in whose {
                    self.tell_of(rows::person(person)?);
                }
                Ok(ended)
            }

            async fn note_failed_login(&self, subject: &str, at: u64) -> Result<(), Failure> {
                sqlx::query("insert into failed_login (subject, at) values ($1, $2)")
                    .bind(subject)
                    .bind(rows::int(at))
                    .execute(self.writing())
                    .await?;
                Ok(())
            }

            async fn failed_logins(&self, subject: &str, since: u64) -> Result<u64, Failure> {
                let (failures,): (i64,) = sqlx::query_as(
                    "select count(*) from failed_login where subject = $1 and at >= $2",
                )
                .bind(subject)
                .bind(rows::int(since))
                .fetch_one(self.reading())
                .await?;
                rows::count(failures)
            }

            async fn forget_failed_logins(
                &self,
                subject: Option<&str>,
                before: u64,
            ) -> Result<(), Failure> {
                let delete = match subject {
                    Some(subject) => {
                        sqlx::query("delete from failed_login where at < $1 and subject = $2")
                            .bind(rows::int(before))
                            .bind(subject.to_owned())
                    }
                    None => sqlx::query("delete from failed_login where at < $1")
                        .bind(rows::int(before)),
                };
                delete.execute(self.writing()).await?;
                Ok(())
            }

            async fn set_limit(&self, limit: OwnLimit) -> Result<(), UserError> {
                let set = sqlx::query(
                    "insert into own_limit (person, kind, most, made) values ($1, $2, $3, $4)",
                )
                .bind(i64::from(limit.person.0))
                .bind(&limit.kind)
                .bind(limit.most.map(rows::int))
                .bind(rows::int(limit.made))
                .execute(self.writing())
                .await;
                set.map_err(user_error)?;
                self.tell_of(limit.person);
                Ok(())
            }

            async fn limits(&self, person: Person) -> Result<Vec<OwnLimit>, Failure> {
                let limits: Vec<rows::LimitRow> = sqlx::query_as(
                    "select person, kind, most, made from own_limit where person = $1 order by number",
                )
                .bind(i64::from(person.0))
                .fetch_all(self.reading())
                .await?;
                limits.into_iter().map(rows::limit).collect()
            }

            async fn close(&self) {
                self.end().await;
            }
        }
    };
}

/// A constraint's violation in the words of people.
pub(crate) fn user_error(error: sqlx::Error) -> crate::UserError {
    match &error {
        sqlx::Error::Database(it) if it.is_unique_violation() => crate::UserError::NameTaken,
        sqlx::Error::Database(it) if it.is_foreign_key_violation() => crate::UserError::Unknown,
        _ => crate::UserError::Failed(error.into()),
    }
}

pub(crate) use {last_entries, no_entry, no_marked_entry, store_in_sql};
