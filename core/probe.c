/* SPDX-License-Identifier: BSD-2-Clause */
#include "probe.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* A driver that starts cold on a loaded machine takes seconds, not minutes. */
#define PROBE_SECONDS 30

struct answer {
    int status; /* 0: available */
    int devices;
    char reason[248]; /* small enough for one write to a pipe */
};

struct question {
    const struct fecrun_host *host;
    const struct fecrun_backend *backend;
    const struct fecrun_provider *provider; /* or this */
};

static void ask(const struct question *q, struct answer *answer)
{
    if (q->backend) {
        answer->status = q->backend->probe(q->host, answer->reason, sizeof answer->reason);
        return;
    }
    answer->status = q->provider->probe(q->host, answer->reason, sizeof answer->reason);
    if (!answer->status)
        answer->devices = q->provider->devices(q->host);
}

static void child(const struct question *q, int fd)
{
    static const int fatal[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
    struct answer answer = {0};
    ssize_t n;

    /* Our own handlers (and a sanitizer's) must not report what is only a reason. */
    for (size_t i = 0; i < sizeof fatal / sizeof *fatal; i++)
        signal(fatal[i], SIG_DFL);
    signal(SIGALRM, SIG_DFL);
    alarm(PROBE_SECONDS);
    ask(q, &answer);
    answer.reason[sizeof answer.reason - 1] = 0;
    n = write(fd, &answer, sizeof answer);
    _exit(n == sizeof answer ? 0 : 1);
}

static void read_answer(int fd, struct answer *answer, bool *complete)
{
    size_t got = 0;
    ssize_t n;

    do {
        n = read(fd, (char *)answer + got, sizeof *answer - got);
        if (n > 0)
            got += (size_t)n;
    } while (got < sizeof *answer && (n > 0 || (n < 0 && errno == EINTR)));
    *complete = got == sizeof *answer;
}

static bool run_probe(const struct question *q, int *devices, char *reason, size_t size)
{
    struct answer answer = {0};
    bool complete = false;
    int fds[2], status = 0;
    pid_t pid;

    if (pipe(fds)) {
        snprintf(reason, size, "probe: pipe: %s", strerror(errno));
        return false;
    }
    pid = fork();
    if (pid == 0) {
        close(fds[0]);
        child(q, fds[1]);
    }
    close(fds[1]);
    if (pid > 0) {
        read_answer(fds[0], &answer, &complete);
        while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
            ;
    }
    close(fds[0]);
    if (!complete) {
        if (pid < 0)
            snprintf(reason, size, "probe: fork failed");
        else if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM)
            snprintf(reason, size, "its probe did not answer within %d s", PROBE_SECONDS);
        else if (WIFSIGNALED(status))
            snprintf(reason, size, "its probe crashed (%s)", strsignal(WTERMSIG(status)));
        else
            snprintf(reason, size, "its probe ended the process");
        return false;
    }
    if (devices)
        *devices = answer.devices;
    if (answer.status)
        snprintf(reason, size, "%s",
                 answer.reason[0] ? answer.reason : "its probe gives no reason");
    return !answer.status;
}

bool probe_backend(const struct fecrun_host *host, const struct fecrun_backend *backend,
                   char *reason, size_t size)
{
    struct question q = {.host = host, .backend = backend};

    return !backend->probe || run_probe(&q, NULL, reason, size);
}

bool probe_provider(const struct fecrun_host *host, const struct fecrun_provider *provider,
                    int *devices, char *reason, size_t size)
{
    struct question q = {.host = host, .provider = provider};

    if (!run_probe(&q, devices, reason, size))
        return false;
    if (*devices <= 0)
        snprintf(reason, size, "no device");
    return *devices > 0;
}
