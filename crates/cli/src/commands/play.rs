//! `houseway play`: the table in the terminal.

use std::borrow::Cow;
use std::env;
use std::path::PathBuf;

use houseway_rules::Cents;
use houseway_table::Range;
use houseway_terminal::Look;
use houseway_terminal::play::{self, Library, Options, Wishes};

use crate::args::{BotsSet, Play, Stakes};
use crate::{Outcome, rulebooks};

pub(crate) fn run(args: &Play) -> anyhow::Result<Outcome> {
    let mut files = vec![];
    let mut library = Library::default();
    let mut rules = None;
    if let Some(argument) = &args.rules {
        let rulebook = rulebooks::find(argument)?;
        rules = Some(rulebook.id.to_string());
        if let Cow::Owned(rulebook) = rulebook {
            files.push(PathBuf::from(argument));
            library.add(rulebook);
        }
    }
    let stakes = args.stakes.map(|Stakes { least, most }| Range {
        minimum: Cents::dollars(least),
        maximum: Cents::dollars(most),
    });
    play::run(Options {
        data: args.data.clone(),
        server: args.server.clone(),
        name: args.name.clone(),
        password: env::var("HOUSEWAY_PASSWORD").ok().filter(|it| !it.is_empty()),
        rulebooks: files,
        library,
        look: Look::of_terminal(args.ascii),
        wishes: Wishes {
            rules,
            bots: args.bots,
            optimal: args.bots_set == BotsSet::Best,
            stakes,
            buy_in: Cents::dollars(args.buy_in),
            new: args.new,
        },
    })?;
    Ok(Outcome::Done)
}
