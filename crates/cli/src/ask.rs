//! Asking what takes long to count: shipped answers, kept ones, and a bar for the rest.

use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;
use std::{env, fs, process, thread};

use houseway_odds::Progress;
use houseway_odds::answers::Question;
use indicatif::{ProgressBar, ProgressStyle};

/// Whether answers may be taken from where they are kept.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Keep {
    /// A shipped or kept answer will do.
    Trust,
    /// Count anew, and keep that.
    Recompute,
}

impl Keep {
    pub(crate) fn unless(recompute: bool) -> Keep {
        if recompute { Keep::Recompute } else { Keep::Trust }
    }
}

/// The answer to a question: shipped, kept from before, or counted now and kept.
pub(crate) fn ask<Q: Question>(question: &Q, keep: Keep) -> anyhow::Result<Q::Answer> {
    let file = folder().map(|folder| folder.join(format!("{}.json", question.key())));
    if keep == Keep::Trust {
        if let Some(answer) = question.shipped() {
            return Ok(answer);
        }
        let kept = file.as_ref().and_then(|file| fs::read_to_string(file).ok());
        // A file that is not this question's answer is as good as none.
        if let Some(answer) = kept.and_then(|text| question.read(&text)) {
            return Ok(answer);
        }
    }
    let houses: Vec<&str> = question.rulebooks().iter().map(|it| &*it.id).collect();
    let work = format!("Counting {} for {}", question.name(), houses.join(" and "));
    writeln!(io::stderr(), "{work}: {}.", question.cost())?;
    let answer = with_bar(|progress| question.count(progress))?;
    if let Some(file) = file
        && let Err(error) = write_whole(&file, &question.write(&answer))
    {
        writeln!(io::stderr(), "houseway: not kept in {}: {error}.", file.display())?;
    }
    Ok(answer)
}

/// Where answers are kept between runs.
fn folder() -> Option<PathBuf> {
    let set = |name: &str| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    set("HOUSEWAY_CACHE")
        .or_else(|| set("XDG_CACHE_HOME").map(|cache| cache.join("houseway")))
        .or_else(|| set("HOME").map(|home| home.join(".cache/houseway")))
}

/// Writes a file that is there whole or not at all, whatever interrupts. A link is followed and a
/// file's mode kept; what is no plain file, such as a pipe or a device, is written to as it is.
pub(crate) fn write_whole(file: &Path, text: &str) -> io::Result<()> {
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty());
    if let Some(folder) = folder {
        fs::create_dir_all(folder)?;
    }
    let there = fs::metadata(file).ok();
    if there.as_ref().is_some_and(|there| !there.is_file()) {
        return fs::OpenOptions::new().write(true).open(file)?.write_all(text.as_bytes());
    }
    let file = match there {
        Some(_) => fs::canonicalize(file)?,
        None => file.to_path_buf(),
    };
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    let beside = file.with_file_name(format!(".{name}.{}", process::id()));
    let written = fs::File::create(&beside)
        .and_then(|mut out| {
            if let Some(there) = &there {
                out.set_permissions(there.permissions())?;
            }
            out.write_all(text.as_bytes())?;
            out.sync_all()
        })
        .and_then(|()| fs::rename(&beside, &file));
    if written.is_err() {
        let _ = fs::remove_file(&beside);
    }
    written
}

/// Does long work with a bar and an estimate, where someone is watching.
pub(crate) fn with_bar<T: Send>(work: impl FnOnce(&Progress) -> T + Send) -> io::Result<T> {
    let progress = Progress::new();
    if !io::stderr().is_terminal() {
        return Ok(work(&progress));
    }
    let bar = ProgressBar::new(1000);
    let style = "  {bar:40} {percent:>3} %  {elapsed} gone, {eta} to go";
    bar.set_style(ProgressStyle::with_template(style).map_err(io::Error::other)?);
    let done = thread::scope(|scope| {
        let worker = scope.spawn(|| work(&progress));
        while !worker.is_finished() {
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "a share between 0 and 1"
            )]
            bar.set_position((progress.share() * 1000.0) as u64);
            thread::sleep(Duration::from_millis(50));
        }
        worker.join()
    });
    bar.finish_and_clear();
    done.map_err(|panic| std::panic::resume_unwind(panic))
}
