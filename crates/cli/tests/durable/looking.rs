//! Whoever only looks at a house can do so where nothing can be written.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use tokio::process::Command;

use crate::node::Plan;
use crate::players::in_the_middle;

/// Stands before the system's own, and makes one folder a full disk or one that can only be read. Rights
/// would not stop root, and not everyone may mount a disk.
const DISK: &str = r#"
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
static int is_full(void) { return !strcmp(getenv("HOUSEWAY_TEST_DISK"), "full"); }
static int is_inside(const char *path) {
    const char *folder = getenv("HOUSEWAY_TEST_FOLDER");
    return !strncmp(path, folder, strlen(folder));
}
static int is_file_inside(int file) {
    char link[64], path[PATH_MAX] = "";
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    return readlink(link, path, sizeof path - 1) > 0 && is_inside(path);
}
static int refuse(void) { errno = is_full() ? ENOSPC : EROFS; return -1; }
static int opened(const char *path, int flags, mode_t mode) {
    if (is_inside(path)) {
        int makes = (flags & O_CREAT) && access(path, F_OK), writes = (flags & O_ACCMODE) != O_RDONLY;
        if (makes || (writes && !is_full())) return refuse();
    }
    return syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}
int open(const char *path, int flags, ...) {
    va_list more; va_start(more, flags); mode_t mode = va_arg(more, int); va_end(more);
    return opened(path, flags, mode);
}
int open64(const char *path, int flags, ...) {
    va_list more; va_start(more, flags); mode_t mode = va_arg(more, int); va_end(more);
    return opened(path, flags | O_LARGEFILE, mode);
}
ssize_t write(int file, const void *from, size_t size) {
    return is_file_inside(file) ? refuse() : syscall(SYS_write, file, from, size);
}
ssize_t pwrite(int file, const void *from, size_t size, off_t at) {
    return is_file_inside(file) ? refuse() : syscall(SYS_pwrite64, file, from, size, at);
}
ssize_t pwrite64(int file, const void *from, size_t size, off64_t at) {
    return is_file_inside(file) ? refuse() : syscall(SYS_pwrite64, file, from, size, at);
}
/* A full disk has room for what becomes shorter. */
static int resized(int file, off_t size) {
    struct stat found;
    int grows = fstat(file, &found) || size > found.st_size;
    return is_file_inside(file) && (grows || !is_full()) ? refuse() : syscall(SYS_ftruncate, file, size);
}
int ftruncate(int file, off_t size) { return resized(file, size); }
int ftruncate64(int file, off64_t size) { return resized(file, size); }
int unlink(const char *path) {
    if (is_inside(path) && !is_full()) return refuse();
    return syscall(SYS_unlinkat, AT_FDCWD, path, 0);
}
"#;

/// A house on such a disk, and somewhere else to put things.
struct Looking<'a> {
    plan: &'a Plan,
    library: PathBuf,
    elsewhere: PathBuf,
}

impl Looking<'_> {
    /// Asks something of the house on a disk of this kind: the exit code and what was said.
    async fn ask(&self, disk: &str, what: &[&str]) -> (Option<i32>, String) {
        let asked = Command::new(&self.plan.program)
            .args(what)
            .arg("--data")
            .arg(self.plan.data())
            .env("LD_PRELOAD", &self.library)
            .env("HOUSEWAY_TEST_DISK", disk)
            .env("HOUSEWAY_TEST_FOLDER", self.plan.data())
            .env_remove("HOUSEWAY_DATABASE")
            .output()
            .await
            .expect("it runs");
        let said = [&asked.stdout[..], &asked.stderr].concat();
        (asked.status.code(), String::from_utf8_lossy(&said).into_owned())
    }

    /// Everything that can be asked by whoever only looks, on both kinds of disk.
    async fn everything(&self, when: &str) {
        let before = files(&self.plan.data());
        for disk in ["full", "read-only"] {
            let backup = self.elsewhere.join(format!("{when}, {disk}.sqlite"));
            let backup = backup.to_str().expect("UTF-8");
            for (what, says) in [
                (&["verify", "house"][..], "History and reports are as the logs say"),
                (&["admin", "heads"], "\"stream\":\"house\""),
                (&["admin", "people"], "player, a guest"),
                (&["admin", "tables"], "mbs-2020"),
                (&["admin", "keys"], "has the keys that the house is run with"),
                (&["admin", "backup", backup], "holds everything up to now"),
            ] {
                let (code, said) = self.ask(disk, what).await;
                assert_eq!(code, Some(0), "{when}, {disk}, {what:?}: {said}");
                let said = said.split_whitespace().collect::<Vec<_>>().join(" ");
                assert!(said.contains(says), "{when}, {disk}, {what:?}: {said}");
            }
        }
        assert!(files(&self.plan.data()) == before, "{when}: something was written");
    }
}

/// What is kept. The file that says who reads has no part in it.
fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let paths = fs::read_dir(folder).expect("a folder").map(|it| it.expect("a name").path());
    let kept = paths.filter(|it| !it.to_string_lossy().ends_with("-shm"));
    kept.map(|it| (it.clone(), fs::read(it).expect("it can be read"))).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_house_is_looked_at_where_nothing_can_be_written() {
    let folder = tempfile::tempdir().expect("a folder");
    let root = folder.path().canonicalize().expect("it is there");
    let (source, library) = (root.join("disk.c"), root.join("disk.so"));
    fs::write(&source, DISK).expect("it can be written");
    let mut compiler = Command::new("cc");
    let built = compiler.args(["-shared", "-fPIC", "-o"]).args([&library, &source]).status().await;
    assert!(built.expect("there is a C compiler, or SQLite could not have been built").success());
    let plan = Plan::new(&root, None);
    let looking = Looking { plan: &plan, library, elsewhere: root.clone() };
    let beside = |ending: &str| plan.data().join(format!("houseway.sqlite{ending}"));

    let node = plan.start().await;
    // In the middle of a round a table waits for a minute, and writes nothing.
    in_the_middle(node.address).await;
    looking.everything("open").await;
    node.kill().await;
    assert!(fs::metadata(beside("-wal")).expect("a log").len() > 0);
    looking.everything("killed").await;

    // Without the third file the log would have to be gone through by somebody who can write.
    let copy = root.join("copy");
    fs::create_dir(&copy).expect("it can be made");
    fs::remove_file(beside("-shm")).expect("it was left");
    for disk in ["full", "read-only"] {
        let (code, said) = looking.ask(disk, &["verify", "house"]).await;
        assert_eq!(code, Some(2), "{disk}: {said}");
        assert!(said.contains("copy the whole folder to a disk that has room"), "{disk}: {said}");
        assert!(said.contains("houseway.sqlite-wal"), "{disk}: {said}");
    }
    for path in files(&plan.data()).into_keys() {
        fs::copy(&path, copy.join(path.file_name().expect("a name"))).expect("it can be copied");
    }
    let mut verify = Command::new(&plan.program);
    let copied = verify.args(["verify", "house", "--data"]).arg(&copy).status().await;
    assert!(copied.expect("it runs").success(), "a copy can be read");

    let node = plan.start().await;
    node.signal("TERM").await;
    assert!(node.wait().await.success());
    assert!(!beside("-wal").exists(), "a house that was closed is one file");
    looking.everything("closed").await;
    assert!(!beside("-wal").exists() && !beside("-shm").exists(), "and stays one");
}
