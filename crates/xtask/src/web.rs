//! The web table's own checks: its types and its lints. What is served needs none of this.

use std::env;
use std::path::Path;
use std::process::Command;

use crate::{install, run};

/// Checks `web/app`. The packages that check it, and axe-core for the tests, are fetched as
/// `web/package-lock.json` names them.
pub(crate) fn check() -> Result<(), String> {
    let path = env::var_os("PATH").unwrap_or_default();
    let there = |program: &str| env::split_paths(&path).any(|it| it.join(program).is_file());
    install(&[("nodejs", there("node")), ("npm", there("npm"))])?;
    let web = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web");
    // Whoever fetched them since they were last changed has them.
    let changed = |path: &str| web.join(path).metadata().and_then(|it| it.modified()).ok();
    if changed("node_modules/.package-lock.json") < changed("package-lock.json") {
        let quiet = ["ci", "--no-audit", "--no-fund", "--loglevel=error"];
        run(Command::new("npm").args(quiet).current_dir(&web))?;
    }
    for (program, arguments) in [("tsc", ["--project", "."]), ("eslint", ["--max-warnings=0", "."])]
    {
        let program = Path::new("node_modules/.bin").join(program);
        run(Command::new(program).args(arguments).current_dir(&web))?;
    }
    Ok(())
}
