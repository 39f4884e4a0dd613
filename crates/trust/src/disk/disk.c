/* A disk that keeps a journal and fails when it is told to.
 *
 * Loaded before the C library (LD_PRELOAD), it stands between a program and the files of one folder:
 * every call that opens, reads, writes, truncates, syncs or removes one of them comes by here. What
 * is changed is written to a journal, in the order in which it happened; a call can be made to fail.
 *
 * The program talks to it by writing lines to the file that HOUSEWAY_DISK_CONTROL names:
 *
 *   watch FOLDER          look at the files of this folder from now on
 *   journal FILE          write the journal to this file; counting begins again
 *   fail KIND N LASTING   the N-th call that KIND can meet fails, and if LASTING is 1 all later ones
 *   heal                  nothing fails any more
 *   stop                  no journal, no faults
 *   count FILE            write to FILE how many calls each kind could have met, and how many failed
 *
 * KIND is 0 for an I/O error of any call, 1 for a full disk, 2 for short writes, 3 for failed syncs.
 *
 * A record of the journal, in the machine's own byte order: what happened (one byte), the file's
 * inode, an offset or size, the length of what follows, and that. See journal.rs for the letters. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { IO_ERROR, FULL, SHORT, SYNC, KINDS };
enum { READS, WRITES, RESIZES, CREATES, SYNCS };
/* What was acknowledged is noted in a file of the folder that never fails. */
enum { NOT_OURS, IN_FOLDER, CONTROL, NOTES };
static const char notes[] = "/acknowledged";

/* Which kinds each call can meet. */
static const int meets[][KINDS] = {
    [READS] = {1, 0, 0, 0},
    [WRITES] = {1, 1, 1, 0},
    [RESIZES] = {1, 1, 0, 0},
    [CREATES] = {1, 1, 0, 0},
    [SYNCS] = {1, 0, 0, 1},
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char folder[PATH_MAX];
static int journal = -1;
static char whose[65536]; /* by descriptor */
static long counted[KINDS], failed;
static int kind = -1, lasting;
static long nth;

/* The system calls themselves, past the C library and past us. */
static ssize_t raw_write(int file, const void *from, size_t size) {
    return syscall(SYS_write, file, from, size);
}

/* Whether this call has to fail. Called with the lock held. */
static int fails(int call) {
    int now = 0;
    for (int each = 0; each < KINDS; each++) {
        if (!meets[call][each]) continue;
        counted[each]++;
        if (each == kind && (counted[each] == nth || (lasting && counted[each] > nth))) now = 1;
    }
    failed += now;
    return now;
}

static void note(char what, uint64_t inode, uint64_t number, const void *bytes, uint32_t size) {
    if (journal < 0) return;
    char head[21];
    head[0] = what;
    memcpy(head + 1, &inode, 8);
    memcpy(head + 9, &number, 8);
    memcpy(head + 17, &size, 4);
    if (raw_write(journal, head, sizeof head) != sizeof head) abort();
    if (size && raw_write(journal, bytes, size) != (ssize_t)size) abort();
}

static uint64_t inode_of(int file) {
    struct stat about;
    return fstat(file, &about) == 0 ? about.st_ino : 0;
}

static int ours(int file) {
    return file >= 0 && file < (int)sizeof whose ? whose[file] : NOT_OURS;
}

static void obey(const char *text, size_t size) {
    char line[PATH_MAX + 64], name[PATH_MAX];
    snprintf(line, sizeof line, "%.*s", (int)size, text);
    if (sscanf(line, "watch %4095s", name) == 1) {
        strcpy(folder, name);
    } else if (sscanf(line, "journal %4095s", name) == 1) {
        if (journal >= 0) syscall(SYS_close, journal);
        journal = syscall(SYS_openat, AT_FDCWD, name, O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0600);
        memset(counted, 0, sizeof counted);
        failed = 0;
    } else if (sscanf(line, "fail %d %ld %d", &kind, &nth, &lasting) == 3) {
        memset(counted, 0, sizeof counted);
        failed = 0;
    } else if (!strncmp(line, "heal", 4)) {
        kind = -1;
    } else if (!strncmp(line, "stop", 4)) {
        kind = -1;
        if (journal >= 0) syscall(SYS_close, journal);
        journal = -1;
    } else if (sscanf(line, "count %4095s", name) == 1) {
        int to = syscall(SYS_openat, AT_FDCWD, name, O_CREAT | O_TRUNC | O_WRONLY, 0600);
        dprintf(to, "%ld %ld %ld %ld %ld", counted[0], counted[1], counted[2], counted[3], failed);
        syscall(SYS_close, to);
    }
}

static int open_at(int at, const char *path, int flags, mode_t mode) {
    char whole[PATH_MAX];
    const char *control = getenv("HOUSEWAY_DISK_CONTROL");
    int owner = NOT_OURS, new = 0;
    pthread_mutex_lock(&lock);
    size_t length = strlen(folder);
    /* SQLite and Rust open by whole paths; a folder is opened to be synced. */
    if (path[0] == '/' && length && !strncmp(path, folder, length)
        && (path[length] == '/' || !path[length]))
        owner = strcmp(path + length, notes) ? IN_FOLDER : NOTES;
    else if (control && !strcmp(path, control))
        owner = CONTROL;
    if ((owner == IN_FOLDER || owner == NOTES) && (flags & O_CREAT)) new = access(path, F_OK) != 0;
    if (new && owner == IN_FOLDER && fails(CREATES)) {
        errno = kind == FULL ? ENOSPC : EIO;
        pthread_mutex_unlock(&lock);
        return -1;
    }
    int file = syscall(SYS_openat, at, path, flags, mode);
    if (file >= 0 && file < (int)sizeof whose) whose[file] = owner;
    if (file >= 0 && (owner == IN_FOLDER || owner == NOTES)) {
        snprintf(whole, sizeof whole, "%s", path[length] ? path + length + 1 : "");
        if (new) note('C', inode_of(file), 0, whole, strlen(whole));
        else if (flags & O_TRUNC) note('T', inode_of(file), 0, NULL, 0);
    }
    pthread_mutex_unlock(&lock);
    return file;
}

#define MODE(last)                                     \
    mode_t mode = 0;                                   \
    if (flags & (O_CREAT | __O_TMPFILE)) {             \
        va_list more;                                  \
        va_start(more, last);                          \
        mode = va_arg(more, mode_t);                   \
        va_end(more);                                  \
    }
int open(const char *path, int flags, ...) { MODE(flags) return open_at(AT_FDCWD, path, flags, mode); }
int open64(const char *path, int flags, ...) { MODE(flags) return open_at(AT_FDCWD, path, flags, mode); }
int openat(int at, const char *path, int flags, ...) { MODE(flags) return open_at(at, path, flags, mode); }
int openat64(int at, const char *path, int flags, ...) { MODE(flags) return open_at(at, path, flags, mode); }

int close(int file) {
    if (ours(file)) whose[file] = NOT_OURS;
    return syscall(SYS_close, file);
}

static ssize_t read_at(int file, void *to, size_t size, off_t at, int placed) {
    if (ours(file) == IN_FOLDER) {
        pthread_mutex_lock(&lock);
        int bad = fails(READS);
        pthread_mutex_unlock(&lock);
        if (bad) {
            errno = EIO;
            return -1;
        }
    }
    return placed ? syscall(SYS_pread64, file, to, size, at) : syscall(SYS_read, file, to, size);
}
ssize_t read(int file, void *to, size_t size) { return read_at(file, to, size, 0, 0); }
ssize_t pread(int file, void *to, size_t size, off_t at) { return read_at(file, to, size, at, 1); }
ssize_t pread64(int file, void *to, size_t size, off_t at) { return read_at(file, to, size, at, 1); }

static ssize_t write_at(int file, const void *from, size_t size, off_t at, int placed) {
    int owner = ours(file);
    if (owner == NOT_OURS)
        return placed ? syscall(SYS_pwrite64, file, from, size, at) : raw_write(file, from, size);
    pthread_mutex_lock(&lock);
    ssize_t written;
    if (owner == CONTROL) {
        obey(from, size);
        written = size;
    } else {
        int bad = owner == IN_FOLDER && fails(WRITES);
        if (bad && kind != SHORT) {
            errno = kind == FULL ? ENOSPC : EIO;
            written = -1;
        } else {
            if (bad) size /= 2;
            if (!placed) at = lseek(file, 0, SEEK_CUR);
            written = placed ? syscall(SYS_pwrite64, file, from, size, at) : raw_write(file, from, size);
            if (written > 0) note('W', inode_of(file), at, from, written);
        }
    }
    int error = errno;
    pthread_mutex_unlock(&lock);
    errno = error;
    return written;
}
ssize_t write(int file, const void *from, size_t size) { return write_at(file, from, size, 0, 0); }
ssize_t pwrite(int file, const void *from, size_t size, off_t at) { return write_at(file, from, size, at, 1); }
ssize_t pwrite64(int file, const void *from, size_t size, off_t at) { return write_at(file, from, size, at, 1); }

static int resize(int file, off_t size) {
    if (ours(file) != IN_FOLDER) return syscall(SYS_ftruncate, file, size);
    pthread_mutex_lock(&lock);
    int result = -1, error = kind == FULL ? ENOSPC : EIO;
    if (!fails(RESIZES)) {
        result = syscall(SYS_ftruncate, file, size);
        error = errno;
        if (result == 0) note('T', inode_of(file), size, NULL, 0);
    }
    pthread_mutex_unlock(&lock);
    errno = error;
    return result;
}
int ftruncate(int file, off_t size) { return resize(file, size); }
int ftruncate64(int file, off_t size) { return resize(file, size); }

/* A sync that fails has lost what it should have kept: the next one says that all is well, and the
 * pages never come to the disk. The journal tells the two apart. */
static int sync_one(int file, long call) {
    if (ours(file) != IN_FOLDER) return syscall(call, file);
    pthread_mutex_lock(&lock);
    struct stat about;
    int is_folder = fstat(file, &about) == 0 && S_ISDIR(about.st_mode);
    int result = -1, error = EIO;
    if (fails(SYNCS)) {
        note('E', about.st_ino, is_folder, NULL, 0);
    } else {
        result = syscall(call, file);
        error = errno;
        if (result == 0) note(is_folder ? 'D' : 'S', about.st_ino, 0, NULL, 0);
    }
    pthread_mutex_unlock(&lock);
    errno = error;
    return result;
}
int fsync(int file) { return sync_one(file, SYS_fsync); }
int fdatasync(int file) { return sync_one(file, SYS_fdatasync); }

int unlink(const char *path) {
    pthread_mutex_lock(&lock);
    size_t length = strlen(folder);
    int here = length && !strncmp(path, folder, length) && path[length] == '/';
    int result = syscall(SYS_unlinkat, AT_FDCWD, path, 0), error = errno;
    if (here && result == 0) note('U', 0, 0, path + length + 1, strlen(path + length + 1));
    pthread_mutex_unlock(&lock);
    errno = error;
    return result;
}
