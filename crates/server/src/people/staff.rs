//! What operators do to accounts. Everything is recorded before it is done: an act that the log
//! does not know cannot be, and one that broke off after its record is simply done again.

use houseway_store::{Ending, Failure, StreamId, UserChange, UserError};
use houseway_table::Person;

use super::approval::takes_two;
use super::entrance::RegisterError;
use super::names;
use super::passwords;
use super::record::{Alteration, By, HouseRecord, Look, Password, Sessions};
use super::standing::Standing;
use super::{People, TRIES, must_exist};

/// The longest reason, in characters.
const LONGEST_REASON: usize = 500;

/// Something was not done to an account.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StaffError {
    /// Whoever asks may not.
    #[error("only an operator may do that")]
    NotAllowed,
    /// Nobody decides about themselves (separation of duties, GLI-19 B.2.3).
    #[error("nobody changes their own standing: ask another operator")]
    Oneself,
    /// Staff have accounts of their own, with a password.
    #[error("a guest cannot have a role: they register first")]
    Guest,
    /// Whoever was shut out in a high standing comes back in a lower one.
    #[error("their role is given by two operators: give them a lower one first")]
    TakesTwo,
    /// What was agreed to, or refused, does not wait any more.
    #[error("that is not proposed any more: look again")]
    NotProposed,
    /// No reason, or one that is too long.
    #[error("say why, in 1 to 500 characters without control characters")]
    Why,
    /// There is nobody with that number.
    #[error("there is no such person")]
    Unknown,
    /// The store could not do it.
    #[error(transparent)]
    Failed(#[from] Failure),
}

impl From<UserError> for StaffError {
    fn from(error: UserError) -> StaffError {
        match error {
            UserError::Unknown => StaffError::Unknown,
            other => StaffError::Failed(must_exist(other)),
        }
    }
}

/// What a change of standing came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It holds.
    Done,
    /// It takes two: another operator has to ask for the same.
    Waits {
        /// Until then.
        until: u64,
    },
}

/// Nobody was made an operator.
pub type OperatorError = RegisterError;

pub(super) fn reason(why: &str) -> Result<String, StaffError> {
    let why = why.trim();
    let fits = (1..=LONGEST_REASON).contains(&why.chars().count());
    match fits && !why.chars().any(char::is_control) {
        true => Ok(why.to_owned()),
        false => Err(StaffError::Why),
    }
}

impl People {
    /// Makes someone a player, staff or operator. The highest standings take two operators; whoever
    /// agrees to a proposal says which.
    pub async fn set_standing(
        &self,
        by: By,
        person: Person,
        standing: Standing,
        why: &str,
        agrees_to: Option<u64>,
    ) -> Result<Outcome, StaffError> {
        let why = reason(why)?;
        let _turn = self.acts.lock().await;
        // At another node someone may have been faster: then it is decided again.
        for _ in 0..TRIES {
            self.may_administer(by).await?;
            not_oneself(by, person)?;
            let user = self.known(person).await?;
            if user.password_hash.is_none() && standing.is_staff() {
                return Err(StaffError::Guest);
            }
            let before = Standing::kept(&user.role)?;
            let change = Alteration { person, by, why: why.clone(), before, after: standing };
            if let Some(until) = self.approve(&change, agrees_to).await? {
                return Ok(Outcome::Waits { until });
            }
            if before == standing {
                return Ok(Outcome::Done);
            }
            if before == Standing::Operator {
                self.close_proposals_by(person, by, &why).await?;
            }
            self.record(HouseRecord::Standing(change)).await?;
            let role = UserChange::Role { from: user.role, to: standing.word().to_owned() };
            match self.store.change_user(person, role).await {
                Err(UserError::Changed) => {}
                changed => return Ok(changed.map(|()| Outcome::Done)?),
            }
        }
        Err(Failure::Busy.into())
    }

    /// Shuts someone out, at once and everywhere.
    pub async fn disable(&self, by: By, person: Person, why: &str) -> Result<(), StaffError> {
        let now = self.clock.now();
        self.set_disabled(by, person, why, Some(now)).await?;
        self.store.end_sessions(Ending::Person(person)).await?;
        Ok(())
    }

    /// Lets someone in again.
    pub async fn enable(&self, by: By, person: Person, why: &str) -> Result<(), StaffError> {
        self.set_disabled(by, person, why, None).await
    }

    async fn set_disabled(
        &self,
        by: By,
        person: Person,
        why: &str,
        after: Option<u64>,
    ) -> Result<(), StaffError> {
        let why = reason(why)?;
        let _turn = self.acts.lock().await;
        self.may_administer(by).await?;
        not_oneself(by, person)?;
        let user = self.known(person).await?;
        let (before, standing) = (user.disabled, Standing::kept(&user.role)?);
        // Whoever is let in is what they were: that would be one operator making another.
        if after.is_none() && takes_two(by, standing) {
            return Err(StaffError::TakesTwo);
        }
        if standing == Standing::Operator {
            self.close_proposals_by(person, by, &why).await?;
        }
        let change = Alteration { person, by, why, before, after };
        self.record(HouseRecord::Disabled(change)).await?;
        Ok(self.store.change_user(person, UserChange::Disabled(after)).await?)
    }

    /// Ends all sessions of someone and says how many there were. People may do so themselves, and
    /// operators for anyone (ASVS 7.4.5).
    pub async fn end_all(&self, by: By, person: Person, why: &str) -> Result<u64, StaffError> {
        let why = reason(why)?;
        if by != By::Person(person) {
            self.may_administer(by).await?;
        }
        self.known(person).await?;
        let (before, after) = (Sessions::Open, Sessions::Ended);
        let change = Alteration { person, by, why, before, after };
        self.record(HouseRecord::Sessions(change)).await?;
        Ok(self.store.end_sessions(Ending::Person(person)).await?)
    }

    /// Makes the first operator, or gives one a new password: by name, from the command line alone.
    /// Whoever has that name gets the password and is an operator; their sessions end.
    pub async fn make_operator(&self, name: &str, password: &str) -> Result<Person, OperatorError> {
        let name = names::checked(name)?;
        passwords::check(password, name)?;
        let hash = self.hash(password).await?;
        let _turn = self.acts.lock().await;
        let user = match self.store.user_named(name).await? {
            Some(user) => user,
            None => self.add(name, hash.clone(), Standing::PLAYER).await?,
        };
        let (person, by) = (user.id, By::CommandLine);
        let why = "made an operator on the command line";
        // Somebody who was only just added has this very hash; no other can, by its salt.
        let before = match user.password_hash {
            Some(kept) if kept != hash => Password::Old,
            _ => Password::None,
        };
        let change = Alteration { person, by, why: why.into(), before, after: Password::New };
        self.record(HouseRecord::Password(change)).await?;
        let (before, after) = (Standing::kept(&user.role)?, Standing::Operator);
        let change = Alteration { person, by, why: why.into(), before, after };
        self.record(HouseRecord::Standing(change)).await?;
        self.close_proposals_by(person, by, why).await?;
        self.store.change_user(person, UserChange::Password(Some(hash))).await?;
        let role = UserChange::Role { from: user.role, to: after.word().to_owned() };
        self.store.change_user(person, role).await?;
        self.store.end_sessions(Ending::Person(person)).await?;
        Ok(person)
    }

    /// Someone looks at every card of a round. Whoever cannot be recorded does not look.
    pub async fn note_look(
        &self,
        by: By,
        table: u64,
        round: u64,
        why: &str,
    ) -> Result<(), StaffError> {
        let why = reason(why)?;
        self.may_administer(by).await?;
        Ok(self.record(HouseRecord::EveryCard(Look { by, why, table, round })).await?)
    }

    /// A Pit Supervisor, or someone above, looks at the conceded hands of a round. Whoever cannot be
    /// recorded does not look.
    pub async fn note_look_at_conceded(
        &self,
        by: By,
        table: u64,
        round: u64,
        why: &str,
    ) -> Result<(), StaffError> {
        let why = reason(why)?;
        Ok(self.record(HouseRecord::ConcededHands(Look { by, why, table, round })).await?)
    }

    /// What someone is now decides, not what they were when they came in.
    pub(super) async fn may_administer(&self, by: By) -> Result<(), StaffError> {
        match self.is_operator(by).await? {
            true => Ok(()),
            false => Err(StaffError::NotAllowed),
        }
    }

    pub(super) async fn is_operator(&self, by: By) -> Result<bool, Failure> {
        let By::Person(person) = by else { return Ok(true) };
        let user = self.store.user(person).await?.filter(|it| it.disabled.is_none());
        let standing = user.map(|it| Standing::kept(&it.role)).transpose()?;
        Ok(standing == Some(Standing::Operator))
    }

    /// Writes something into the log of the house.
    pub(crate) async fn record(&self, record: HouseRecord) -> Result<(), Failure> {
        self.enter(&StreamId::house(), self.clock.now(), record.entry(vec![])).await
    }
}

fn not_oneself(by: By, person: Person) -> Result<(), StaffError> {
    match by == By::Person(person) {
        true => Err(StaffError::Oneself),
        false => Ok(()),
    }
}
