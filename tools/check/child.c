/* SPDX-License-Identifier: BSD-2-Clause */
/* Work on a plugin is done in child processes: a crash or hang costs one line of the report. */
#include "tools/check/check.h"

#include "tools/quarantine/same.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { PAUSE_MILLISECONDS = 2, MOST_LINES = 100 };

/* How a child ended, as far as it matters here. */
struct ending {
    int status; /* of waitpid */
    bool hung;
    FILE *output; /* what it printed */
};

static void sleep_a_little(void)
{
    struct timespec pause = {0, PAUSE_MILLISECONDS * 1000000L};

    nanosleep(&pause, NULL);
}

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void watch(pid_t pid, const struct check_report *report, unsigned timeout,
                  struct ending *ending)
{
    uint64_t seen = report->progress;
    double since = now();

    for (;;) {
        pid_t got = waitpid(pid, &ending->status, WNOHANG);

        if (got == pid || (got < 0 && errno != EINTR))
            return;
        if (report->progress != seen) {
            seen = report->progress;
            since = now();
        } else if (now() - since > timeout) {
            ending->hung = true;
            kill(pid, SIGKILL);
            waitpid(pid, &ending->status, 0);
            return;
        }
        sleep_a_little();
    }
}

/* A sanitizer's handlers stay: what they print is worth more than the signal's name. */
static _Noreturn void child_main(check_child_fn *fn, void *data, struct check_report *report,
                                 FILE *output)
{
    dup2(fileno(output), STDOUT_FILENO);
    dup2(fileno(output), STDERR_FILENO);
    fn(data, report);
    report->done = true;
    fflush(NULL);
    _exit(0);
}

static bool run_child(struct check_report *report, check_child_fn *fn, void *data, unsigned timeout,
                      struct ending *ending)
{
    pid_t pid;

    ending->output = tmpfile();
    if (!ending->output)
        return false;
    fflush(NULL); /* or the child would print it again */
    pid = fork();
    if (pid < 0)
        return false;
    if (pid == 0)
        child_main(fn, data, report, ending->output);
    watch(pid, report, timeout, ending);
    rewind(ending->output);
    return true;
}

static struct check_report *new_report(void)
{
    void *memory = mmap(NULL, sizeof(struct check_report), PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_ANONYMOUS, -1, 0);

    return memory == MAP_FAILED ? NULL : memory;
}

static void ending_text(const struct ending *ending, const struct check_report *report,
                        unsigned timeout, char *text, size_t size)
{
    if (ending->hung)
        snprintf(text, size, "hangs: no progress for %u s", timeout);
    else if (WIFSIGNALED(ending->status) && report->wrote_code)
        snprintf(text, size,
                 "crashes: %s: wrote to a code object, which plan() made: those are "
                 "shared and read-only",
                 strsignal(WTERMSIG(ending->status)));
    else if (WIFSIGNALED(ending->status))
        snprintf(text, size, "crashes: %s", strsignal(WTERMSIG(ending->status)));
    else if (!report->done)
        snprintf(text, size, "ended the process with exit status %d", WEXITSTATUS(ending->status));
    else if (WEXITSTATUS(ending->status)) /* a sanitizer that has seen something */
        snprintf(text, size, "went through, and then the exit status was %d",
                 WEXITSTATUS(ending->status));
    else
        text[0] = 0;
}

/* ---- Printing ---- */

static void print_group(const char *label, const struct check_group *group, const char *again)
{
    if (group->skip[0]) {
        tap_skip(group->skip, "%s: %s", label, group->what);
        return;
    }
    if (tap_ok(!group->failures, "%s: %s", label, group->what))
        return;
    for (unsigned i = 0; i < group->n_lines; i++)
        tap_diag("  %s", group->line[i]);
    if (group->failures > group->n_lines)
        tap_diag("  ... and %llu more, of %llu checks",
                 (unsigned long long)(group->failures - group->n_lines),
                 (unsigned long long)group->checks);
    tap_diag("  again: %s", again);
}

static void print_notes(const struct check_options *options, const char *label,
                        const struct check_report *report)
{
    if (report->summary[0])
        tap_diag("%s: %s", label, report->summary);
    for (unsigned i = 0; i < report->n_untested; i++)
        tap_diag("NOT TESTED: %s: %s", label, report->untested[i]);
    if (report->left_out[0])
        tap_diag("NOT TESTED: %s: time ran out (--seconds) before: %s", label, report->left_out);
    if (report->verdicts[0])
        tap_diag("%s: %s", label, report->verdicts);
    for (unsigned i = 0; options->verbose && i < report->n_notes; i++)
        tap_diag("  %s", report->note[i]);
    if (report->bench[0])
        tap_diag("%s: %s", label, report->bench);
}

/* A plugin never prints. What was printed before a crash, by a sanitizer too, tells why. */
static bool print_output(const char *label, const struct ending *ending, bool crashed)
{
    const unsigned most = crashed ? MOST_LINES : CHECK_LINES;
    char line[CHECK_TEXT];
    unsigned n = 0;

    for (; n < most && fgets(line, sizeof line, ending->output); n++) {
        if (!n && !crashed)
            tap_ok(false, "%s: prints nothing", label);
        line[strcspn(line, "\n")] = 0;
        tap_diag("  it printed: %s", line);
    }
    return !n || crashed;
}

static bool print_report(const struct check_options *options, const char *label, const char *again,
                         const struct check_report *report, const char *ending)
{
    bool good = !ending[0];

    for (unsigned i = 0; i < CHECK_MAX_GROUPS; i++) {
        const struct check_group *group = &report->group[i];

        if (!group->what || (!group->checks && !group->skip[0]))
            continue;
        if (!report->done && !group->failures)
            continue; /* it did not get to the end of any */
        good = good && !group->failures;
        print_group(label, group, again);
    }
    if (ending[0]) {
        tap_ok(false, "%s: %s", label, ending);
        tap_diag("  it was at: %s", report->now[0] ? report->now : "the start");
        tap_diag("  again: %s", again);
    }
    print_notes(options, label, report);
    return good;
}

bool check_child(const struct check_options *options, const char *label, const char *again,
                 check_child_fn *fn, void *data, uint64_t *hint)
{
    struct check_report *report = new_report();
    struct ending ending = {0};
    char text[256];
    bool good;

    if (!report || !run_child(report, fn, data, options->timeout, &ending)) {
        tap_ok(false, "%s: cannot start a process: %s", label, strerror(errno));
        if (ending.output)
            fclose(ending.output);
        if (report)
            munmap(report, sizeof *report);
        return false;
    }
    ending_text(&ending, report, options->timeout, text, sizeof text);
    good = print_report(options, label, again, report, text);
    good = print_output(label, &ending, text[0]) && good;
    if (hint)
        *hint = report->hint;
    fclose(ending.output);
    munmap(report, sizeof *report);
    return good;
}

/* ---- Loading ---- */

static void load_child(void *data, struct check_report *report)
{
    struct loaded file = {.path = data};
    const int fd = open(file.path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

    (void)report;
    if (fd >= 0)
        same_load(&file, fd, NULL);
}

bool check_trial_load(const char *path, unsigned timeout, char *reason, size_t size)
{
    struct check_report *report = new_report();
    struct ending ending = {0};

    reason[0] = 0;
    if (!report || !run_child(report, load_child, (void *)path, timeout, &ending))
        snprintf(reason, size, "cannot start a process: %s", strerror(errno));
    else
        ending_text(&ending, report, timeout, reason, size);
    if (ending.output && !reason[0] && fgetc(ending.output) != EOF)
        snprintf(reason, size, "prints something while it is loaded");
    if (ending.output)
        fclose(ending.output);
    if (report)
        munmap(report, sizeof *report);
    return !reason[0];
}
