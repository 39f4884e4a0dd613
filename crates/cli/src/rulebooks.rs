//! Finding the rulebook that an argument means.

use std::io::{self, Read, Write};
use std::path::Path;
use std::{borrow::Cow, fs};

use anyhow::{Context, bail};
use houseway_rules::rulebook::Rulebook;
use houseway_rules::{custom, houses};

/// A rulebook file is text of a few kilobytes; more than this is some other file.
const LARGEST_FILE: u64 = 1 << 20;

/// The rulebook of that id, or read from that file. Warnings go to standard error.
pub(crate) fn find(argument: &str) -> anyhow::Result<Cow<'static, Rulebook>> {
    if let Some(rulebook) = houses::find(argument) {
        return Ok(Cow::Borrowed(rulebook));
    }
    let path = Path::new(argument);
    let looks_like_file = path.extension().is_some_and(|extension| extension == "toml")
        || argument.contains(std::path::MAIN_SEPARATOR);
    if looks_like_file || path.is_file() {
        return read(path).map(Cow::Owned);
    }
    if argument == "all" {
        bail!("`all` is for `houseway set`; name one rulebook");
    }
    let known = houses::HOUSES.map(|rulebook| &*rulebook.id).join(", ");
    match houses::nearest(argument) {
        Some(near) => bail!("there is no rulebook `{argument}`; did you mean `{near}`?"),
        None => bail!("there is no rulebook `{argument}`; there are {known}, and files (*.toml)"),
    }
}

/// All houses for `all`, otherwise the one that is meant.
pub(crate) fn find_several(argument: &str) -> anyhow::Result<Vec<Cow<'static, Rulebook>>> {
    match argument {
        "all" => Ok(houses::HOUSES.map(Cow::Borrowed).to_vec()),
        one => Ok(vec![find(one)?]),
    }
}

fn read(path: &Path) -> anyhow::Result<Rulebook> {
    let name = path.display();
    let mut bytes = Vec::new();
    // Never more than can be a rulebook, whatever the path leads to.
    fs::File::open(path)
        .and_then(|file| file.take(LARGEST_FILE + 1).read_to_end(&mut bytes))
        .with_context(|| format!("cannot read {name}"))?;
    if bytes.len() as u64 > LARGEST_FILE {
        bail!("{name} is longer than {LARGEST_FILE} bytes: it is no rulebook file");
    }
    let Ok(text) = String::from_utf8(bytes) else {
        bail!("{name} is not a text file; a rulebook file is TOML in UTF-8");
    };
    let id = path.file_stem().map_or("custom".into(), |stem| stem.to_string_lossy());
    let custom = custom::read(&id, &text).map_err(|remark| anyhow::anyhow!("{name}: {remark}"))?;
    for warning in &custom.warnings {
        writeln!(io::stderr(), "houseway: {name}: warning: {warning}.")?;
    }
    Ok(custom.rulebook)
}
