/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* MAP_ANONYMOUS, strsignal */
#endif
#include "tools/quarantine/forked.h"

#include "core/base/cpu.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { CHILDREN = 16 }; /* at a time */

/* Shared with the children. */
struct desk {
    atomic_size_t next;         /* item that nobody has taken */
    atomic_int number;          /* errno of what kept a child from its work; nobody goes on */
    atomic_size_t at[CHILDREN]; /* each one's item, n where it is at none */
};

struct team {
    const struct forked_work *work;
    struct desk *desk;
    struct child {
        pid_t pid; /* 0: none */
        bool late; /* it was killed for that */
        size_t at; /* when the parent looked last */
        double since;
    } child[CHILDREN];
    double since; /* when the last child began or went on */
};

/* ---- In a child ---- */

/* What the parent has to do at its end, and text that waits in its buffers, is not the child's: this
   comes first where somebody calls exit(). */
static void leave(void)
{
    _exit(0);
}

/* Our own handlers (and a sanitizer's) must not report what is only a reason. A terminal's input is not
   for a plugin. */
static int be_alone(void)
{
    static const int numbers[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGALRM};
    const int nothing = open("/dev/null", O_RDONLY);
    sigset_t all;

    sigemptyset(&all);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (signal(numbers[i], SIG_DFL) != SIG_ERR)
            sigaddset(&all, numbers[i]);
    sigprocmask(SIG_UNBLOCK, &all, NULL);
    if (nothing >= 0)
        dup2(nothing, STDIN_FILENO);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    return atexit(leave) ? ENOMEM : 0;
}

static void work_on(const struct forked_work *work, struct desk *desk, unsigned place)
{
    int number = be_alone();
    size_t i;

    if (!number && work->begin)
        number = work->begin(work->data);
    if (number)
        atomic_store(&desk->number, number);
    while (!atomic_load(&desk->number) && (i = atomic_fetch_add(&desk->next, 1)) < work->n) {
        atomic_store(&desk->at[place], i);
        work->one(work->data, i);
        atomic_store(&desk->at[place], work->n);
    }
    _exit(0);
}

/* ---- In the parent ---- */

static bool any_left(const struct team *team)
{
    return !atomic_load(&team->desk->number) && atomic_load(&team->desk->next) < team->work->n;
}

static unsigned count(const struct team *team)
{
    unsigned n = 0;

    for (unsigned c = 0; c < CHILDREN; c++)
        n += team->child[c].pid != 0;
    return n;
}

static bool wants_child(const struct team *team)
{
    const unsigned n = count(team);

    return any_left(team) && (!n || (n < CHILDREN && team->work->patience > 0 &&
                                     cpu_seconds() - team->since > team->work->patience));
}

static int start(struct team *team)
{
    const size_t n = team->work->n;
    unsigned place = 0;
    pid_t pid;

    while (team->child[place].pid)
        place++;
    atomic_store(&team->desk->at[place], n);
    pid = fork();
    if (pid == 0) {
        setpgid(0, 0);
        work_on(team->work, team->desk, place);
    }
    if (pid < 0)
        return -1;
    setpgid(pid, pid); /* whoever of both comes first */
    team->since = cpu_seconds();
    team->child[place] = (struct child){.pid = pid, .at = n, .since = team->since};
    return 0;
}

static void end(const struct team *team, const struct child *child, size_t at, int status)
{
    char how[64];

    if (at >= team->work->n)
        return;
    if (child->late)
        snprintf(how, sizeof how, "did not answer within %u s", team->work->seconds);
    else if (WIFSIGNALED(status))
        snprintf(how, sizeof how, "crashed (%s)", strsignal(WTERMSIG(status)));
    else
        snprintf(how, sizeof how, "ended the process");
    team->work->died(team->work->data, at, how, child->late);
}

/* A host may ignore SIGCHLD or wait for all children: then waitpid() says that there is none. */
static void look_at(struct team *team, struct child *child, atomic_size_t *place)
{
    int status = 0;
    const pid_t ended = waitpid(child->pid, &status, WNOHANG);
    const size_t at = atomic_load(place);

    if (ended == child->pid || (ended < 0 && errno != EINTR)) {
        if (ended == child->pid)
            kill(-ended, SIGKILL); /* what it has started */
        end(team, child, at, status);
        child->pid = 0;
    } else if (at != child->at) {
        child->at = at;
        child->since = team->since = cpu_seconds();
    } else if (cpu_seconds() - child->since > team->work->seconds) {
        child->late = true;
        kill(-child->pid, SIGKILL);
        kill(child->pid, SIGKILL);
    }
}

int forked_do(const struct forked_work *work)
{
    struct team team = {.work = work};
    int number;
    void *desk = mmap(NULL, sizeof *team.desk, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
                      -1, 0);

    if (desk == MAP_FAILED)
        return -1;
    team.desk = desk;
    while (count(&team) || any_left(&team)) {
        if (wants_child(&team) && start(&team))
            atomic_store(&team.desk->number, errno); /* the others' last ones */
        for (unsigned c = 0; c < CHILDREN; c++)
            if (team.child[c].pid)
                look_at(&team, &team.child[c], &team.desk->at[c]);
        if (count(&team))
            nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
    number = atomic_load(&team.desk->number);
    munmap(desk, sizeof *team.desk);
    errno = number;
    return number ? -1 : 0;
}
