//! `houseway train`: drills for dealers and supervisors.

use std::borrow::Cow;
use std::io::Write;

use houseway_terminal::Look;
use houseway_terminal::play::Library;
use houseway_terminal::train::{self, Drill, Options, Plan};

use crate::args::{Train, TrainDrill};
use crate::{Outcome, rulebooks};

pub(crate) fn run(args: &Train, out: &mut dyn Write) -> anyhow::Result<Outcome> {
    let mut library = Library::default();
    let mut rules = vec![];
    if let Some(argument) = &args.rules {
        for rulebook in rulebooks::find_several(argument)? {
            rules.push(rulebook.id.to_string());
            if let Cow::Owned(rulebook) = rulebook {
                library.add(rulebook);
            }
        }
    }
    let drills = args.drill.iter().map(|it| match it {
        TrainDrill::HouseWay => Drill::HouseWay,
        TrainDrill::Best => Drill::Best,
        TrainDrill::Misset => Drill::Misset,
        TrainDrill::Payout => Drill::Payout,
    });
    let seed = args.seed.unwrap_or_else(train::any_seed);
    let mut plan = Plan { drills: drills.collect(), rules, most: args.questions, seed };
    if let Some(number) = args.batch {
        if plan.drills.is_empty() {
            plan.drills = Drill::ALL.to_vec();
        }
        if plan.rules.is_empty() {
            plan.rules.push("mbs-2020".to_string());
        }
        train::batch(&library, &plan, number, args.json, out)?;
        return Ok(Outcome::Done);
    }
    let (sitting, remark) = train::run(Options {
        data: args.data.clone(),
        library,
        look: Look::of_terminal(args.ascii),
        learner: args.name.clone(),
        plan,
        log: args.log.clone(),
    })?;
    if let Some(remark) = remark {
        writeln!(std::io::stderr(), "houseway: {remark}.")?;
    }
    if args.json {
        for logged in sitting.answers() {
            out.write_all(super::json(logged)?.as_bytes())?;
        }
    } else {
        for line in train::summary(&sitting) {
            writeln!(out, "{line}")?;
        }
    }
    Ok(Outcome::Done)
}
