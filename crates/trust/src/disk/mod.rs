//! Disks that lose power and disks that fail, under the real SQLite and real files.
//!
//! ```text
//!  this program, started again with disk.c before the C library
//!    │
//!    ├── evening: a house plays on a folder ──► disk.c ──► journal of every write and sync
//!    │                                            │
//!    │                     power: at every step of it, what a power failure would leave,
//!    │                            opened by the house's own code
//!    └── faults: the n-th call fails, for every n; then the disk is repaired
//! ```

pub mod faults;
pub mod power;

mod evening;
mod journal;

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};
use tempfile::TempDir;

use journal::Image;

/// Names the file by which `disk.c` is told what to do; set in programs that it stands before.
const CONTROL: &str = "HOUSEWAY_DISK_CONTROL";

/// A folder for disks: in memory where that can be, since every sync is noted and none has to wait.
fn folder() -> Result<TempDir> {
    let memory = Path::new("/dev/shm");
    let folder = match memory.is_dir() {
        true => tempfile::tempdir_in(memory),
        false => tempfile::tempdir(),
    };
    folder.context("no folder can be made")
}

/// Tells `disk.c` something.
fn control(line: &str) -> Result<()> {
    let path = std::env::var_os(CONTROL).context("disk.c is not loaded")?;
    std::fs::write(path, line).context("disk.c does not listen")
}

/// Whether `disk.c` stands before this program.
fn is_watched() -> bool {
    std::env::var_os(CONTROL).is_some()
}

/// This program, to be started again with `disk.c` before it.
fn watched(folder: &Path, arguments: &[&OsStr], number: usize) -> Result<Command> {
    let library = folder.join("disk.so");
    if !library.exists() {
        compile(&library)?;
    }
    let control = folder.join(format!("control{number}"));
    std::fs::write(&control, "").context("no file can be made")?;
    let mut again = Command::new(std::env::current_exe().context("this program is nowhere")?);
    again.args(arguments).env("LD_PRELOAD", library).env(CONTROL, control).stdout(Stdio::piped());
    Ok(again)
}

fn compile(library: &Path) -> Result<()> {
    let source = PathBuf::from(library).with_extension("c");
    std::fs::write(&source, include_str!("disk.c")).context("no file can be made")?;
    let compiler = std::env::var_os("CC").unwrap_or_else(|| "cc".into());
    let built = Command::new(compiler)
        .args(["-shared", "-fPIC", "-O1", "-o"])
        .args([library, &source])
        .status()
        .context("there is no C compiler")?;
    match built.success() {
        true => Ok(()),
        false => bail!("disk.c does not compile"),
    }
}

/// Puts an image into a folder in place of whatever is there.
fn write_image(folder: &Path, image: &Image) -> Result<()> {
    if folder.exists() {
        std::fs::remove_dir_all(folder).context("an image cannot be removed")?;
    }
    std::fs::create_dir(folder).context("no folder can be made")?;
    for (name, bytes) in image {
        std::fs::write(folder.join(name), bytes).context("an image cannot be written")?;
    }
    Ok(())
}
