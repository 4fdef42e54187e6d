/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/plugin/forked.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* What the parent has to do at its end, and text that waits in its buffers, is not the child's: this
   comes first where somebody calls exit(). */
static void leave(void)
{
    _exit(0);
}

/* Our own handlers (and a sanitizer's) must not report what is only a reason. */
static void reset_signals(void)
{
    static const int numbers[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGALRM};
    sigset_t all;

    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        signal(numbers[i], SIG_DFL);
    sigemptyset(&all);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        sigaddset(&all, numbers[i]);
    sigprocmask(SIG_UNBLOCK, &all, NULL);
}

static void work_on(const struct forked_work *work, size_t first)
{
    reset_signals();
    if (atexit(leave))
        _exit(0);
    if (work->begin)
        work->begin(work->data);
    for (size_t i = first; i < work->n; i++) {
        alarm(work->seconds);
        work->one(work->data, i);
    }
    _exit(0);
}

static const char *how_it_died(const struct forked_work *work, int status, char *text, size_t size)
{
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM)
        snprintf(text, size, "did not answer within %u s", work->seconds);
    else if (WIFSIGNALED(status))
        snprintf(text, size, "crashed (%s)", strsignal(WTERMSIG(status)));
    else
        snprintf(text, size, "ended the process");
    return text;
}

int forked_do(const struct forked_work *work)
{
    for (size_t first = 0; first < work->n;) {
        char text[64];
        int status = 0;
        pid_t pid = fork();

        if (pid == 0)
            work_on(work, first);
        if (pid < 0)
            return -1;
        while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
            ;
        while (first < work->n && work->done(work->data, first))
            first++;
        if (first < work->n)
            work->died(work->data, first++, how_it_died(work, status, text, sizeof text));
    }
    return 0;
}
