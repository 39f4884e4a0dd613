/* A disk that confirms no faster than it is told to: loaded before the C library, it makes every sync take at
 * least SYNC_TAKES microseconds. The sync itself is done, and its answer is passed on. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <time.h>

static int slowly(const char *name, int file)
{
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    const char *takes = getenv("SYNC_TAKES");
    until.tv_nsec += (takes ? atol(takes) : 0) * 1000;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    int (*sync)(int) = (int (*)(int)) dlsym(RTLD_NEXT, name);
    int answer = sync(file), why = errno;
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL) == EINTR)
        ;
    errno = why;
    return answer;
}

int fsync(int file) { return slowly("fsync", file); }
int fdatasync(int file) { return slowly("fdatasync", file); }
