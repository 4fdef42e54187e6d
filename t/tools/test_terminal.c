/* SPDX-License-Identifier: BSD-2-Clause */
/* What a user at a terminal sees of signals: an answer at once, and a second one ends at once. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* posix_openpt */
#endif
#include "t/lib/tap.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { PATIENCE = 20 }; /* seconds, of a loaded machine */

struct seen {
    int fd;
    char text[8192];
    size_t n;
};

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* The terminal's side of the user; *other: the program's. */
static int open_terminal(int *other)
{
    const int fd = posix_openpt(O_RDWR | O_NOCTTY);
    const char *name = fd >= 0 && !grantpt(fd) && !unlockpt(fd) ? ptsname(fd) : NULL;

    *other = name ? open(name, O_RDWR | O_NOCTTY) : -1;
    return *other < 0 ? -1 : fd;
}

/* fecrun run FILE, with the terminal as its standard error only, or as its standard output too. */
static pid_t start(const char *file, int terminal)
{
    const pid_t pid = fork();

    if (pid)
        return pid;
    signal(SIGINT, SIG_DFL); /* a shell may have it ignored in what runs in the background */
    if (setsid() < 0 || dup2(open("/dev/null", O_RDONLY), STDIN_FILENO) < 0 ||
        dup2(terminal, STDOUT_FILENO) < 0 || dup2(terminal, STDERR_FILENO) < 0)
        _exit(99);
    close(terminal);
    execl(getenv("FECRUN"), "fecrun", "run", file, "--threads", "1", (char *)NULL);
    _exit(99);
}

/* Does the text come? What came before it goes with it. */
static bool comes(struct seen *seen, const char *text)
{
    const double end = now() + PATIENCE;

    while (now() < end) {
        struct pollfd fd = {.fd = seen->fd, .events = POLLIN};
        const char *at = strstr(seen->text, text);
        ssize_t got;

        if (at) {
            seen->n -= (size_t)(at - seen->text) + strlen(text);
            memmove(seen->text, at + strlen(text), seen->n + 1);
            return true;
        }
        if (seen->n == sizeof seen->text - 1)
            seen->n = 0; /* nothing of what is looked for is that old */
        if (poll(&fd, 1, 100) <= 0)
            continue;
        got = read(seen->fd, seen->text + seen->n, sizeof seen->text - 1 - seen->n);
        if (got <= 0)
            return false;
        seen->n += (size_t)got;
        seen->text[seen->n] = 0;
    }
    return false;
}

static int ends(pid_t pid)
{
    const double end = now() + PATIENCE;
    int status;

    while (now() < end) {
        if (waitpid(pid, &status, WNOHANG) == pid)
            return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
        poll(NULL, 0, 20);
    }
    kill(pid, SIGKILL);
    waitpid(pid, &status, 0);
    return -1;
}

static void put(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");

    if (!file || fputs(text, file) < 0 || fclose(file))
        bail("cannot write %s", path);
}

static void one_signal(const char *file)
{
    int other, status;
    struct seen seen = {.fd = open_terminal(&other)};
    pid_t pid;

    if (seen.fd < 0) {
        skip(5, "no pseudo-terminals here");
        return;
    }
    pid = start(file, other);
    ok(comes(&seen, "point 1/1"), "the progress is shown");
    kill(pid, SIGINT);
    ok(comes(&seen, "fecrun: stopping; a second signal ends at once, without results"),
       "a signal is answered");
    ok(comes(&seen, "signal"), "the table has the point that was stopped");
    ok(comes(&seen, "fecrun: stopped by a signal; results so far are in the table above"),
       "and says so");
    status = ends(pid);
    ok(status == 1, "status 1: %d", status);
    close(other);
    close(seen.fd);
}

/* One call of a stage takes longer than anybody waits. */
static void two_signals(const char *file)
{
    int other, status;
    struct seen seen = {.fd = open_terminal(&other)};
    pid_t pid;

    if (seen.fd < 0) {
        skip(3, "no pseudo-terminals here");
        return;
    }
    pid = start(file, other);
    comes(&seen, "point 1/1");
    kill(pid, SIGINT);
    ok(comes(&seen, "fecrun: stopping;"), "a signal in the middle of a long call is answered");
    poll(NULL, 0, 1100);
    kill(pid, SIGINT);
    ok(comes(&seen, "fecrun: ended at once by a second signal; results are lost"),
       "a second one after a second ends the program");
    status = ends(pid);
    ok(status == 1, "status 1: %d", status);
    close(other);
    close(seen.fd);
}

int main(void)
{
    char dir[] = "/tmp/fecrun-t.XXXXXX", file[64];

    setenv("CUDA_VISIBLE_DEVICES", "", 1);
    if (!mkdtemp(dir))
        bail("cannot make %s", dir);
    snprintf(file, sizeof file, "%s/p.yaml", dir);
    put(file, "fecrun: 1\npipeline:\n  - source.random: {bits: 1000}\n  - channel.bsc: {p: 0.01}\n"
              "  - sink.null: {}\nstop: {seconds: 60}\n");
    one_signal(file);
    put(file, "fecrun: 1\npipeline:\n  - source.random: {bits: 128}\n  - dies.pass: {}\n"
              "  - sink.null: {}\nstop: {frames: 100}\n");
    if (getenv("BADDIR")) {
        setenv("FECRUN_PLUGIN_PATH", getenv("BADDIR"), 1);
        setenv("DIE", "run sleep", 1);
        two_signals(file);
    } else {
        skip(3, "BADDIR is not set: run me with make check");
    }
    unlink(file);
    rmdir(dir);
    return done_testing();
}
