//! Coming in: as a guest, as somebody new, as somebody known.

use std::net::IpAddr;

use houseway_rules::Cents;
use houseway_store::{Ending, Failure, NewUser, User, UserChange, UserError};
use houseway_table::Person;
use sha2::{Digest, Sha256};

use super::cashier::GrantError;
use super::names::{self, NameProblem};
use super::passwords::{self, Crowded, PasswordProblem};
use super::record::{Alteration, By, HouseRecord, Password};
use super::session::{Entered, Who};
use super::standing::Standing;
use super::{MINUTE, People, must_exist};

/// So many failures under a name lock it. GLI-19 2.5.3(d) gives three as an example; five spare those
/// who mistype.
pub const LOCK_AFTER: u64 = 5;

/// So many failures from an address lock it for every name. Households and card clubs share one: a
/// member who mistypes must not lock out the others, and whoever goes through names must not go on.
pub const ADDRESS_LOCK_AFTER: u64 = 25;

/// Failures count for this long, in milliseconds (GLI-19 2.5.3(d)).
pub const LOCK_FOR: u64 = 30 * MINUTE;

/// Somebody did not become known.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RegisterError {
    /// The name cannot be had.
    #[error(transparent)]
    Name(#[from] NameProblem),
    /// The password cannot be had.
    #[error(transparent)]
    Password(#[from] PasswordProblem),
    /// Somebody has that name. Names are shown at tables: that one is taken is no secret.
    #[error("the name is taken: choose another")]
    NameTaken,
    /// The token is of somebody who is registered.
    #[error("you are registered already: log out to register somebody else")]
    Registered,
    /// Too many at once.
    #[error("too many are coming in at once: try again in a moment")]
    Busy,
    /// The store could not do it.
    #[error(transparent)]
    Failed(#[from] Failure),
}

/// Somebody was not let in.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LoginError {
    /// One answer, whatever was wrong (GLI-19 2.5.3(a), ASVS 6.3.8): nobody of that name, another
    /// password, a guest, somebody who is shut out.
    #[error("name or password is wrong")]
    Refused,
    /// Too many failures, be there somebody of that name or not.
    #[error("too many failures under this name or from this address: try again in 30 minutes")]
    Locked,
    /// Too many at once.
    #[error("too many are coming in at once: try again in a moment")]
    Busy,
    /// The store could not do it.
    #[error(transparent)]
    Failed(#[from] Failure),
}

/// A password was not changed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PasswordError {
    /// Guests have none.
    #[error("a guest has no password: register first")]
    Guest,
    /// The old one is another.
    #[error("that is not the password you have")]
    Wrong,
    /// Too many wrong ones.
    #[error("too many failures under this name: try again in 30 minutes")]
    Locked,
    /// Too many at once.
    #[error("too many are coming in at once: try again in a moment")]
    Busy,
    /// The new one is not accepted.
    #[error(transparent)]
    Password(#[from] PasswordProblem),
    /// The store could not do it.
    #[error(transparent)]
    Failed(#[from] Failure),
}

impl From<Crowded> for PasswordError {
    fn from(Crowded: Crowded) -> PasswordError {
        PasswordError::Busy
    }
}

impl From<LoginError> for PasswordError {
    fn from(error: LoginError) -> PasswordError {
        match error {
            LoginError::Refused => PasswordError::Wrong,
            LoginError::Locked => PasswordError::Locked,
            LoginError::Busy => PasswordError::Busy,
            LoginError::Failed(failure) => PasswordError::Failed(failure),
        }
    }
}

impl From<Crowded> for RegisterError {
    fn from(Crowded: Crowded) -> RegisterError {
        RegisterError::Busy
    }
}

impl From<Crowded> for LoginError {
    fn from(Crowded: Crowded) -> LoginError {
        LoginError::Busy
    }
}

impl From<UserError> for RegisterError {
    fn from(error: UserError) -> RegisterError {
        match error {
            UserError::NameTaken => RegisterError::NameTaken,
            other => RegisterError::Failed(must_exist(other)),
        }
    }
}

/// Who plays in a house inside their own program did not come in.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ComeInError {
    /// Nobody can be called so.
    #[error(transparent)]
    Name(#[from] NameProblem),
    /// That name has a password, or is shut out.
    #[error("{0} has an account in this house: play under another name")]
    Account(String),
    /// The store could not do it.
    #[error(transparent)]
    Failed(#[from] Failure),
}

/// Someone tries to come in.
#[derive(Clone)]
pub struct Attempt {
    /// The name as typed.
    pub name: String,
    /// The password as typed.
    pub password: String,
    /// From where.
    pub address: IpAddr,
    /// The token the browser showed, whose session ends if this succeeds.
    pub replaces: Option<String>,
}

impl People {
    /// Somebody sits down without an account.
    pub async fn sit_down(&self) -> Result<Entered, Failure> {
        for name in names::for_guest(&*self.chance) {
            let role = Standing::PLAYER.word().to_owned();
            let user = NewUser { name, password_hash: None, role, created: self.clock.now() };
            match self.store.add_user(user).await {
                Ok(user) => return self.open(user).await,
                Err(UserError::NameTaken) => {}
                Err(other) => return Err(must_exist(other)),
            }
        }
        Err(Failure::Busy)
    }

    /// Lets in who plays in a house inside their own program: there is no door, so the name alone
    /// will do, and holds from one run to the next. Whoever is new gets play money.
    pub async fn come_in_as(&self, name: &str) -> Result<Entered, ComeInError> {
        let name = names::checked(name)?;
        if let Some(user) = self.store.user_named(name).await? {
            return match user.password_hash.is_none() && user.disabled.is_none() {
                true => Ok(self.open(user).await?),
                false => Err(ComeInError::Account(user.name)),
            };
        }
        let role = Standing::PLAYER.word().to_owned();
        let created = self.clock.now();
        let user = NewUser { name: name.to_owned(), password_hash: None, role, created };
        let user = self.store.add_user(user).await.map_err(must_exist)?;
        match self.grant(user.id, Cents::ZERO).await {
            Err(GrantError::Failed(failure)) => Err(failure.into()),
            // They can ask the cashier later.
            _ => Ok(self.open(user).await?),
        }
    }

    /// The guest of a token becomes known under a name, with number, money and history; without a
    /// guest, somebody new does. Either way the token is a new one.
    pub async fn register(
        &self,
        token: Option<&str>,
        name: &str,
        password: &str,
    ) -> Result<Entered, RegisterError> {
        let name = names::checked(name)?;
        passwords::check(password, name)?;
        let guest = match token {
            Some(token) => self.who(token).await?,
            None => None,
        };
        if guest.as_ref().is_some_and(|it| !it.guest) {
            return Err(RegisterError::Registered);
        }
        // Before the work of hashing. A guest whose registration broke off may have the name already.
        let holder = self.store.user_named(name).await?.map(|it| it.id);
        if holder.is_some() && holder != guest.as_ref().map(|it| it.person) {
            return Err(RegisterError::NameTaken);
        }
        let hash = self.hash(password).await?;
        let user = match guest {
            Some(Who { person, .. }) => {
                self.store.change_user(person, UserChange::Name(name.to_owned())).await?;
                self.store.change_user(person, UserChange::Password(Some(hash))).await?;
                self.store.end_sessions(Ending::Person(person)).await?;
                self.known(person).await?
            }
            None => self.add(name, hash, Standing::PLAYER).await?,
        };
        Ok(self.open(user).await?)
    }

    /// Somebody known comes in, under a fresh token.
    ///
    /// Unknown names take the same work and lock alike. The attempt goes on to its end if the
    /// caller is dropped: whoever hangs up early is counted too.
    pub async fn login(&self, attempt: Attempt) -> Result<Entered, LoginError> {
        let people = self.clone();
        let tried = tokio::spawn(async move { people.attempt(attempt).await }).await;
        tried.map_err(|error| Failure::Unavailable(format!("a login broke off: {error}")))?
    }

    async fn attempt(&self, attempt: Attempt) -> Result<Entered, LoginError> {
        let Attempt { name, password, address, replaces } = attempt;
        let (by_name, by_address) = (name_subject(&name), address_subject(address));
        let locks = [(&*by_name, LOCK_AFTER), (&*by_address, ADDRESS_LOCK_AFTER)];
        // Before waiting, so that a flood against a locked name does not queue. And after, since
        // only who has a turn may fail: at most as many get past the lock as have turns at once.
        {
            let _asking = self.passwords.ask()?;
            self.unlocked(&locks).await?;
        }
        let turn = self.passwords.turn().await?;
        self.unlocked(&locks).await?;

        // What cannot be a name is nobody's, and no database is asked for it.
        let user = match names::checked(&name) {
            Ok(name) => self.store.user_named(name).await?,
            Err(_) => None,
        };
        let hash = user.as_ref().and_then(|it| it.password_hash.clone());
        let (verified, turn) = turn.verify(password.clone(), hash).await?;
        let Some(user) = user.filter(|it| verified.right && it.disabled.is_none()) else {
            for subject in [&by_name, &by_address] {
                self.store.note_failed_login(subject, self.clock.now()).await?;
            }
            // The name stays out of the log: people type their password there.
            tracing::warn!(%address, "a login was refused");
            return Err(LoginError::Refused);
        };
        if verified.outdated {
            let hash = turn.hash(password, self.salt()).await?;
            let changed = self.store.change_user(user.id, UserChange::Password(Some(hash))).await;
            changed.map_err(must_exist)?;
        }
        // The address keeps its failures: else one good account would pay for tries at others.
        self.store.forget_failed_logins(Some(&by_name), self.clock.now() + 1).await?;
        if let Some(token) = replaces {
            self.logout(&token).await?;
        }
        tracing::info!(person = user.id.0, %address, "logged in");
        Ok(self.open(user).await?)
    }

    async fn unlocked(&self, locks: &[(&str, u64)]) -> Result<(), LoginError> {
        let since = (self.clock.now() + 1).saturating_sub(LOCK_FOR);
        for (subject, after) in locks {
            if self.store.failed_logins(subject, since).await? >= *after {
                return Err(LoginError::Locked);
            }
        }
        Ok(())
    }

    /// Somebody known changes their password. All their sessions end, and a new one begins.
    ///
    /// Wrong old ones count as failures to come in under that name, and lock it: a session that was
    /// left open is no way to guess. The change goes on to its end if the caller is dropped.
    pub async fn change_password(
        &self,
        person: Person,
        old: String,
        new: String,
    ) -> Result<Entered, PasswordError> {
        let people = self.clone();
        let tried = tokio::spawn(async move { people.replace_password(person, old, new).await });
        let tried = tried.await;
        tried.map_err(|error| Failure::Unavailable(format!("a change broke off: {error}")))?
    }

    async fn replace_password(
        &self,
        person: Person,
        old: String,
        new: String,
    ) -> Result<Entered, PasswordError> {
        let user = self.known(person).await.map_err(must_exist)?;
        let Some(kept) = user.password_hash else { return Err(PasswordError::Guest) };
        passwords::check(&new, &user.name)?;
        let by_name = name_subject(&user.name);
        let lock = [(&*by_name, LOCK_AFTER)];
        self.unlocked(&lock).await?;
        let turn = self.passwords.turn().await?;
        self.unlocked(&lock).await?;
        let (verified, turn) = turn.verify(old, Some(kept)).await?;
        if !verified.right {
            self.store.note_failed_login(&by_name, self.clock.now()).await?;
            return Err(PasswordError::Wrong);
        }
        let hash = turn.hash(new, self.salt()).await?;
        let _turn = self.acts.lock().await;
        self.record(HouseRecord::Password(Alteration {
            person,
            by: By::Person(person),
            why: "changed by its owner".to_owned(),
            before: Password::Old,
            after: Password::New,
        }))
        .await?;
        let changed = self.store.change_user(person, UserChange::Password(Some(hash))).await;
        changed.map_err(must_exist)?;
        self.store.end_sessions(Ending::Person(person)).await?;
        self.store.forget_failed_logins(Some(&by_name), self.clock.now() + 1).await?;
        Ok(self.open(self.known(person).await.map_err(must_exist)?).await?)
    }

    pub(super) async fn add(
        &self,
        name: &str,
        hash: String,
        standing: Standing,
    ) -> Result<User, UserError> {
        let (name, role) = (name.to_owned(), standing.word().to_owned());
        let created = self.clock.now();
        self.store.add_user(NewUser { name, password_hash: Some(hash), role, created }).await
    }

    pub(super) async fn hash(&self, password: &str) -> Result<String, RegisterError> {
        let turn = self.passwords.turn().await?;
        Ok(turn.hash(password.to_owned(), self.salt()).await?)
    }

    fn salt(&self) -> [u8; 16] {
        let mut salt = [0; 16];
        self.chance.fill(&mut salt);
        salt
    }
}

/// A name under which failures are counted: a hash, since what is typed there may be of any length,
/// or a password.
fn name_subject(name: &str) -> String {
    let digest = Sha256::digest(name.trim().to_lowercase().as_bytes());
    digest[..16].iter().fold("name/".to_owned(), |text, byte| format!("{text}{byte:02x}"))
}

/// An address under which failures are counted. Whoever has one IPv6 address has the 64 bits after
/// the network's to choose from, so the network counts.
fn address_subject(address: IpAddr) -> String {
    match address.to_canonical() {
        IpAddr::V4(address) => format!("address/{address}"),
        IpAddr::V6(address) => {
            let [a, b, c, d, ..] = address.segments();
            format!("address/{a:x}:{b:x}:{c:x}:{d:x}")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failures_count_under_the_name_as_the_store_knows_it_and_the_network() {
        assert_eq!(name_subject(" Mary "), name_subject("mARY"));
        assert_ne!(name_subject("mary"), name_subject("mary2"));
        assert_eq!(name_subject(&"x".repeat(100_000)).len(), "name/".len() + 32);
        let subject = |text: &str| address_subject(text.parse().expect("an address"));
        assert_eq!(subject("10.0.0.1"), "address/10.0.0.1");
        assert_eq!(subject("::ffff:10.0.0.1"), "address/10.0.0.1");
        assert_eq!(subject("2001:db8:1:2:3:4:5:6"), subject("2001:db8:1:2::9"));
        assert_ne!(subject("2001:db8:1:2::9"), subject("2001:db8:1:3::9"));
    }
}
