//! Tables as they stood between two rounds, kept beside their logs: whoever needs a table begins there
//! instead of at its first entry.
//!
//! The log alone decides. A mark that does not open, or was made by a program that keeps tables in
//! another form, is passed over, and the log is read from further back.

use houseway_store::{StreamId, TableId, Version};
use houseway_table::Setup;
use serde::{Deserialize, Serialize};

use crate::desk::{Desk, StillDesk};
use crate::record::{Opening, Record};
use crate::room::{Tools, Unanswered};
use crate::rounds::Walk;
use crate::vault::{NoChance, Vault};

/// The form of the text. It changes whenever anything does that is kept in it.
const FORM: u32 = 2;

/// How many entries lie between two marks, at least: from there it is as long as until the round ends.
pub const EVERY: u64 = 256;

/// What is kept.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct Kept {
    form: u32,
    desk: StillDesk,
    corrected_last: u64,
}

/// A table at a place of its log.
#[derive(Clone, Debug)]
pub struct Place {
    /// The version after which.
    pub version: Version,
    /// The table.
    pub desk: Desk,
    /// Its rounds so far.
    pub walk: Walk,
}

impl Vault {
    /// A table as it is kept, sealed; nothing while a round is played.
    pub(crate) fn mark(
        &self,
        version: Version,
        desk: &Desk,
        walk: &Walk,
    ) -> Result<Option<String>, NoChance> {
        let (Some(desk), Some(corrected_last)) = (desk.still(), walk.corrected_last()) else {
            return Ok(None);
        };
        let id = desk.id();
        let kept = Kept { form: FORM, desk, corrected_last };
        let text = serde_json::to_vec(&kept).expect("a table is JSON");
        self.seal_mark(id, version, &text).map(Some)
    }

    /// Reads a mark of a table that was opened like this; or says why it is passed over.
    pub fn read_mark(
        &self,
        table: TableId,
        version: Version,
        text: &str,
        opening: Opening,
        setup: Setup,
    ) -> Result<Place, String> {
        #[derive(Deserialize)]
        struct Form {
            form: u32,
        }
        let plain = self.open_mark(table, version, text).map_err(|error| error.to_string())?;
        let wrong = |error: serde_json::Error| error.to_string();
        let Form { form } = serde_json::from_slice(&plain).map_err(wrong)?;
        if form != FORM {
            return Err(format!("its form is {form}, and {FORM} is understood"));
        }
        let kept: Kept = serde_json::from_slice(&plain).map_err(wrong)?;
        let walk = Walk::between_rounds(table, &opening, kept.corrected_last);
        Ok(Place { version, desk: Desk::from_still(opening, setup, kept.desk), walk })
    }
}

impl Tools {
    /// A table at its last mark up to a version, or as it was opened.
    pub(crate) async fn last_mark(
        &self,
        table: TableId,
        until: Version,
    ) -> Result<Place, Unanswered> {
        let stream = StreamId::table(table);
        let first = self.store.read(&stream, Version(0), 1).await?;
        let Some(first) = first.first() else { return Err(Unanswered::NoTable) };
        let Record::Opened(opening) = self.vault.read(first)?.record else {
            return Err(Unanswered::Failed(format!("{stream} does not begin with its opening")));
        };
        let setup = self.setup(&opening)?;
        let mut until = until;
        while let Some((version, text)) = self.store.mark(&stream, until).await? {
            match self.vault.read_mark(table, version, &text, opening.clone(), setup.clone()) {
                Ok(place) => return Ok(place),
                Err(why) => tracing::warn!(%table, %version, %why, "a mark is passed over"),
            }
            until = Version(version.0.saturating_sub(1));
        }
        let walk = Walk::new(table, &opening);
        Ok(Place { version: Version(0), desk: Desk::new(table, opening, setup), walk })
    }
}
