//! What is kept between runs beside the house itself: small JSON files, written whole or not at all.
//! A file that cannot be read is kept aside, never overwritten.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde::de::DeserializeOwned;

/// A file as it was found.
#[derive(Debug)]
pub struct Found<T> {
    /// What it says; what is usual if there is none, or none that can be read.
    pub value: T,
    /// What is to be told about it, if it could not be read.
    pub remark: Option<String>,
}

/// Reads a file. One that is damaged is put aside, and a remark says where.
pub fn read<T: DeserializeOwned + Default>(path: &Path) -> io::Result<Found<T>> {
    let bytes = match fs::read(path) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            return Ok(Found { value: T::default(), remark: None });
        }
        Err(error) => return Err(named(path, &error)),
    };
    match serde_json::from_slice(&bytes) {
        Ok(value) => Ok(Found { value, remark: None }),
        Err(error) => {
            let aside = put_aside(path)?;
            let (path, aside) = (path.display(), aside.display());
            let remark = format!(
                "{path} could not be read ({error}). It is kept as {aside}; a new one is begun"
            );
            Ok(Found { value: T::default(), remark: Some(remark) })
        }
    }
}

/// Renames a file to a name that nothing has: `name.aside-1` and so on.
pub fn put_aside(path: &Path) -> io::Result<PathBuf> {
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let mut beside = (1..).map(|number| path.with_file_name(format!("{name}.aside-{number}")));
    let free = beside.find(|it| !it.exists()).expect("numbers do not end");
    fs::rename(path, &free).map_err(|error| named(path, &error))?;
    Ok(free)
}

/// Writes a file whole or not at all, for its owner alone: it may tell who someone is to a house.
pub fn write(path: &Path, value: &impl Serialize) -> io::Result<()> {
    let wrong = |error: io::Error| named(path, &error);
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(wrong)?;
    }
    let text = serde_json::to_string_pretty(value).map_err(io::Error::other)?;
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let beside = path.with_file_name(format!(".{name}.{}", std::process::id()));
    let mut options = fs::OpenOptions::new();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let written = options.open(&beside).and_then(|mut file| {
        file.write_all(text.as_bytes())?;
        file.sync_all()?;
        fs::rename(&beside, path)
    });
    if written.is_err() {
        let _ = fs::remove_file(&beside);
    }
    written.map_err(wrong)
}

fn named(path: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    type Notes = BTreeMap<String, u32>;

    #[test]
    fn what_is_written_is_read_and_what_is_not_there_is_empty() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("below").join("notes.json");
        assert_eq!(read::<Notes>(&path).expect("nothing").value, Notes::new());
        let notes = Notes::from([("seven".into(), 7)]);
        write(&path, &notes).expect("it can be written");
        let found = read::<Notes>(&path).expect("it can be read");
        assert_eq!((found.value, found.remark), (notes, None));
        let files = fs::read_dir(path.parent().expect("a folder")).expect("a folder").count();
        assert_eq!(files, 1, "nothing else is left there");
    }

    #[test]
    fn what_is_damaged_is_kept_aside_each_time() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("notes.json");
        for (number, text) in [(1, "{\"seven\": 7"), (2, "\u{0}\u{1}")] {
            fs::write(&path, text).expect("it can be written");
            let found = read::<Notes>(&path).expect("it is put aside");
            let aside = folder.path().join(format!("notes.json.aside-{number}"));
            assert_eq!(found.value, Notes::new());
            let remark = found.remark.expect("it is told");
            assert!(remark.contains(&aside.display().to_string()), "{remark}");
            assert_eq!(fs::read_to_string(aside).expect("it is there"), text);
            assert!(!path.exists());
        }
    }
}
