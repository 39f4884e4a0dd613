//! `houseway completions` and `houseway man`: from the same source as `--help`.

use std::io::Write;
use std::path::Path;

use anyhow::Context;
use clap::CommandFactory;
use clap_complete::Shell;

use crate::Outcome;
use crate::args::Args;

pub(crate) fn completions(shell: Shell, out: &mut dyn Write) -> anyhow::Result<Outcome> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Args::command(), "houseway", &mut script);
    out.write_all(&script)?;
    Ok(Outcome::Done)
}

pub(crate) fn man(folder: Option<&Path>, out: &mut dyn Write) -> anyhow::Result<Outcome> {
    match folder {
        None => {
            let mut page = Vec::new();
            clap_mangen::Man::new(Args::command()).render(&mut page)?;
            out.write_all(&page)?;
        }
        Some(folder) => {
            let name = folder.display();
            std::fs::create_dir_all(folder).with_context(|| format!("cannot make {name}"))?;
            clap_mangen::generate_to(Args::command(), folder)
                .with_context(|| format!("cannot write to {name}"))?;
        }
    }
    Ok(Outcome::Done)
}
