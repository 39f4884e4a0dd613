//! A disk as slow as somebody asks for, where this machine's is too fast to show what waits for it.

use std::os::unix::fs::PermissionsExt;
use std::process::{Command, exit};
use std::{env, fs, io};

/// How long a sync takes at least, in microseconds.
const SYNC_TAKES: &str = "SYNC_TAKES";

/// Set where the slow disk stands before the program already.
const LOADED: &str = "LD_PRELOAD";

/// How slow a disk was asked for. Where one was, this program is run once more with `slow_sync.c` before the C
/// library, and ends with it: databases that it starts have the same disk.
pub fn asked() -> io::Result<Option<String>> {
    let Ok(takes) = env::var(SYNC_TAKES) else { return Ok(None) };
    if takes.parse::<u32>().is_err() {
        let why = format!("{SYNC_TAKES} is a number of microseconds, as in 2000, and not {takes}");
        return Err(io::Error::new(io::ErrorKind::InvalidInput, why));
    }
    if env::var_os(LOADED).is_some() {
        return Ok(Some(takes));
    }
    let folder = tempfile::tempdir()?;
    let [source, library] = ["slow_sync.c", "slow_sync.so"].map(|name| folder.path().join(name));
    fs::write(&source, include_str!("slow_sync.c"))?;
    let compiler = env::var_os("CC").unwrap_or_else(|| "cc".into());
    let built = Command::new(compiler)
        .args(["-shared", "-fPIC", "-O1", "-o"])
        .args([&library, &source])
        .arg("-ldl")
        .status()?;
    if !built.success() {
        return Err(io::Error::other("slow_sync.c does not compile"));
    }
    // A database runs as somebody else, who has to read it too.
    for path in [folder.path(), &library] {
        fs::set_permissions(path, fs::Permissions::from_mode(0o755))?;
    }
    let mut again = Command::new(env::current_exe()?);
    let ended = again.args(env::args_os().skip(1)).env(LOADED, &library).status()?;
    folder.close()?;
    exit(ended.code().unwrap_or(1))
}
