/* SPDX-License-Identifier: BSD-2-Clause */
#include "probe.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
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
    *devices = answer.devices;
    if (answer.status)
        snprintf(reason, size, "%s",
                 answer.reason[0] ? answer.reason : "its probe gives no reason");
    return !answer.status;
}

/*
 * Answers are kept for the life of the process: plugins stay loaded, so their addresses name them,
 * and once a driver runs in this process, a forked child cannot start it any more.
 */
struct kept {
    const void *asked;
    bool available;
    int devices;
    char reason[256];
    struct kept *next;
};

static struct kept *kept;
static pthread_mutex_t kept_lock = PTHREAD_MUTEX_INITIALIZER;

static bool keep_answer(const struct question *q, int *devices, char *reason, size_t size)
{
    const void *asked = q->backend ? (const void *)q->backend : (const void *)q->provider;
    struct kept *k;
    bool available;

    pthread_mutex_lock(&kept_lock);
    for (k = kept; k && k->asked != asked;)
        k = k->next;
    if (!k && (k = calloc(1, sizeof *k))) {
        k->asked = asked;
        k->available = run_probe(q, &k->devices, k->reason, sizeof k->reason);
        k->next = kept;
        kept = k;
    }
    available = k && k->available;
    *devices = k ? k->devices : 0;
    snprintf(reason, size, "%s", k ? k->reason : "out of memory");
    pthread_mutex_unlock(&kept_lock);
    return available;
}

bool probe_backend(const struct fecrun_host *host, const struct fecrun_backend *backend,
                   char *reason, size_t size)
{
    struct question q = {.host = host, .backend = backend};

    int devices;

    return !backend->probe || keep_answer(&q, &devices, reason, size);
}

bool probe_provider(const struct fecrun_host *host, const struct fecrun_provider *provider,
                    int *devices, char *reason, size_t size)
{
    struct question q = {.host = host, .provider = provider};

    if (!keep_answer(&q, devices, reason, size))
        return false;
    if (*devices <= 0)
        snprintf(reason, size, "no device");
    return *devices > 0;
}
