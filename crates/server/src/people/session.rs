//! Sessions: a token that is given once, and who shows it.

use std::fmt::{self, Write as _};
use std::sync::atomic::Ordering;

use houseway_rules::rulebook::Role;
use houseway_store::{Ending, Failure, NewEntry, Session, StreamId, TokenHash, User, Version};
use houseway_table::Person;
use serde::Serialize;
use sha2::{Digest, Sha256};

use super::standing::Standing;
use super::{DAY, HOUR, MINUTE, People, must_exist};

/// Someone is noted as seen at most this often, so that not every click is a write.
pub(crate) const TOUCH_EVERY: u64 = MINUTE;

/// How often it is logged that this could not be noted.
const COMPLAIN_EVERY: u64 = MINUTE;

/// A token's length as text: 256 bits, twice what ASVS 7.2.3 asks for, in hexadecimal digits.
const TOKEN_LENGTH: usize = 64;

/// How long a session holds, in milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lasting {
    /// Without a sign of life.
    pub idle: u64,
    /// In any case.
    pub whole: u64,
}

impl Lasting {
    /// A guest has nothing else to come back by, and only play money to lose.
    pub const GUEST: Lasting = Lasting { idle: 60 * DAY, whole: 60 * DAY };
    /// Half an hour (GLI-19 2.5.4); half a day in any case (NIST SP 800-63B, as ASVS 7.3.2 asks for
    /// some such end).
    pub const PLAYER: Lasting = Lasting { idle: 30 * MINUTE, whole: 12 * HOUR };
    /// Five minutes, as for a dealer's console (GLI-19 C.6.5(d)).
    pub const STAFF: Lasting = Lasting { idle: 5 * MINUTE, whole: 12 * HOUR };

    /// For someone as they stand now.
    pub fn of(standing: Standing, guest: bool) -> Lasting {
        match (standing.is_staff(), guest) {
            (true, _) => Lasting::STAFF,
            (false, true) => Lasting::GUEST,
            (false, false) => Lasting::PLAYER,
        }
    }
}

/// What a browser shows to be known again: 64 hexadecimal digits. Only its SHA-256 is kept.
#[derive(Clone, PartialEq, Eq)]
pub struct Token(String);

impl Token {
    /// The text to hand out, once.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token(…)")
    }
}

/// Looked up by its hash, a token needs no comparison in constant time: a hash that is nearly right
/// tells nothing about the token.
fn hash(token: &str) -> Option<TokenHash> {
    let fits = token.len() == TOKEN_LENGTH && token.bytes().all(|it| it.is_ascii_hexdigit());
    fits.then(|| Sha256::digest(token.as_bytes()).into())
}

/// Someone who has come in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entered {
    /// What they show from now on.
    pub token: Token,
    /// Who they are.
    pub who: Who,
}

/// Who is asking.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Who {
    /// Their number.
    pub person: Person,
    /// The name they are shown under.
    pub name: String,
    /// What they are to the house.
    pub standing: Standing,
    /// What they may act as at a table.
    pub role: Role,
    /// Whether they came without an account.
    pub guest: bool,
    /// When they last logged in apart from this session, so that they notice a stranger (GLI-19
    /// 2.5.2(d)). In milliseconds since 1970.
    pub last_login: Option<u64>,
}

impl Who {
    fn of(user: User, last_login: Option<u64>) -> Result<Who, Failure> {
        let standing = Standing::kept(&user.role)?;
        let guest = user.password_hash.is_none();
        let (person, name, role) = (user.id, user.name, standing.role());
        Ok(Who { person, name, standing, role, guest, last_login })
    }
}

impl People {
    /// Who shows this token; nobody if it is not known, has run out, or its owner is shut out. What
    /// they are is read at every call, so a change of role holds at once (ASVS 8.3.2). This is no
    /// sign of life: connections that look again by themselves keep no session open.
    pub async fn who(&self, token: &str) -> Result<Option<Who>, Failure> {
        let found = self.holder(token).await?;
        Ok(found.map(|(_, who)| who))
    }

    /// Who shows this token, and until when it is good if nothing more is heard of them.
    pub(crate) async fn who_until(&self, token: &str) -> Result<Option<(Who, u64)>, Failure> {
        let found = self.holder(token).await?;
        Ok(found.map(|(session, who)| (who, session.idle_until.min(session.until))))
    }

    /// Who shows this token, who thereby gives a sign of life. One that cannot be kept now, on a disk that
    /// is full, keeps nobody from looking at something.
    pub async fn touch(&self, token: &str) -> Result<Option<Who>, Failure> {
        let Some((session, who)) = self.holder(token).await? else { return Ok(None) };
        let now = self.clock.now();
        if now >= session.last_seen + TOUCH_EVERY {
            let idle_until = now + Lasting::of(who.standing, who.guest).idle;
            match self.store.touch_session(session.token, now, idle_until).await {
                Ok(true) => {}
                Ok(false) => return Ok(None),
                Err(error) => self.complain(now, &error),
            }
        }
        Ok(Some(who))
    }

    /// Logs that signs of life cannot be kept, once in a while: everyone who looks at something gives one.
    fn complain(&self, now: u64, error: &Failure) {
        let due = |last: u64| (last == 0 || now >= last + COMPLAIN_EVERY).then_some(now);
        if self.complained.fetch_update(Ordering::Relaxed, Ordering::Relaxed, due).is_ok() {
            tracing::warn!(%error, "sessions cannot be told that someone is there");
        }
    }

    /// Ends the session of a token, if there is one.
    pub async fn logout(&self, token: &str) -> Result<(), Failure> {
        if let Some(token) = hash(token) {
            self.store.end_sessions(Ending::Token(token)).await?;
        }
        Ok(())
    }

    async fn holder(&self, token: &str) -> Result<Option<(Session, Who)>, Failure> {
        let Some(hash) = hash(token) else { return Ok(None) };
        let Some(session) = self.store.session(hash).await? else { return Ok(None) };
        let Some(user) = self.store.user(session.person).await? else { return Ok(None) };
        if user.disabled.is_some() {
            return Ok(None);
        }
        let last_login = self.last_login(&user, session.created).await?;
        let who = Who::of(user, last_login)?;
        // Whoever became staff since is under staff's limits, whatever was set down before.
        let lasting = Lasting::of(who.standing, who.guest);
        let idle_until = session.idle_until.min(session.last_seen + lasting.idle);
        let until = session.until.min(session.created + lasting.whole);
        let now = self.clock.now();
        Ok((now < idle_until && now < until).then_some((session, who)))
    }

    /// Opens a session under a token that nobody had before (ASVS 7.2.4).
    pub(super) async fn open(&self, user: User) -> Result<Entered, Failure> {
        let mut bytes = [0; TOKEN_LENGTH / 2];
        self.chance.fill(&mut bytes);
        let token = bytes.iter().fold(String::new(), |mut text, byte| {
            write!(text, "{byte:02x}").expect("a string takes all");
            text
        });
        let now = self.clock.now();
        let last_login = self.last_login(&user, now).await?;
        let who = Who::of(user, last_login)?;
        let lasting = Lasting::of(who.standing, who.guest);
        let session = Session {
            token: hash(&token).expect("it has just been made"),
            person: who.person,
            created: now,
            last_seen: now,
            idle_until: now + lasting.idle,
            until: now + lasting.whole,
        };
        self.store.open_session(session).await.map_err(must_exist)?;
        if !who.guest {
            self.enter(&logins(who.person), now, login_entry()).await?;
        }
        Ok(Entered { token: Token(token), who })
    }

    /// The newest login that is not the one of a session opened at this time.
    async fn last_login(&self, user: &User, opened: u64) -> Result<Option<u64>, Failure> {
        if user.password_hash.is_none() {
            return Ok(None);
        }
        let stream = logins(user.id);
        let Version(count) = self.store.head(&stream).await?.version;
        let newest = self.store.read(&stream, Version(count.saturating_sub(2)), 2).await?;
        Ok(newest.iter().rev().map(|it| it.at).find(|&at| at != opened))
    }
}

/// A person's logins, in a log of their own: every access is kept (GLI-19 B.2.3(h)), and the newest
/// is found without a search.
fn logins(person: Person) -> StreamId {
    format!("person/{}", person.0).parse().expect("a number makes a name")
}

fn login_entry() -> NewEntry {
    NewEntry { kind: "login".to_owned(), body: "{}".to_owned(), moves: vec![] }
}
