//! Lists the files of the web table, so that the program carries them.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

/// What is served. The rest of the folder is for those who work on it.
const SERVED: [&str; 5] = ["index.html", "icon.svg", "app", "style", "vendor"];

/// The kinds of files among them; types and licences are not asked for.
const KINDS: [&str; 5] = ["html", "js", "mjs", "css", "svg"];

fn main() {
    // Asked for when it runs: a folder that was copied or moved has a built script already.
    let here = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo says where"));
    let web = here.join("../../web").canonicalize().expect("the web table's folder");
    let mut files = vec![];
    for name in SERVED {
        println!("cargo::rerun-if-changed={}", web.join(name).display());
        gather(&web.join(name), &mut files);
    }
    files.sort();
    let mut text = String::from("&[\n");
    for file in files {
        let path = file.strip_prefix(&web).expect("it is in the folder");
        let _ = writeln!(
            text,
            "    ({:?}, include_bytes!({:?})),",
            path.to_string_lossy(),
            file.to_string_lossy()
        );
    }
    text.push_str("]\n");
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo says where"));
    fs::write(out.join("web.rs"), text).expect("the list is written");
}

fn gather(path: &Path, files: &mut Vec<PathBuf>) {
    if path.is_dir() {
        for entry in fs::read_dir(path).expect("a folder").flatten() {
            gather(&entry.path(), files);
        }
    } else if path.extension().is_some_and(|it| KINDS.iter().any(|kind| it == *kind)) {
        files.push(path.to_path_buf());
    }
}
