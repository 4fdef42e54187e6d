/* SPDX-License-Identifier: BSD-2-Clause */
/* forked_do(): work in children that crash, hang whatever signals come, or leave. The parent keeps the time. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "tools/quarantine/forked.h"
#include "t/lib/tap.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum item { GOOD, CRASHES, LEAVES, BLOCKS, STOPS, UNARMED, FORKS, STARTS, ITEMS };

struct page {
    atomic_uint done[16], beats;
    pid_t by[16];
};

struct job {
    struct page *page; /* shared */
    enum item items[16];
    char how[16][64];
    bool late[16];
};

static void hang(void)
{
    for (;;)
        pause();
}

static void do_one(void *data, size_t i)
{
    struct job *job = data;
    sigset_t all;

    job->page->by[i] = getpid();
    switch (job->items[i]) {
    case CRASHES:
        raise(SIGSEGV);
        break;
    case LEAVES:
        exit(3);
    case BLOCKS:
        sigfillset(&all);
        sigprocmask(SIG_BLOCK, &all, NULL);
        hang();
        break;
    case STOPS:
        raise(SIGSTOP);
        hang();
        break;
    case UNARMED:
        alarm(0);
        hang();
        break;
    case FORKS: /* a child of its own, which goes on */
        while (!fork())
            for (;; usleep(1000))
                job->page->beats++;
        hang();
        break;
    case STARTS: /* one that goes on when this one is done */
        if (!fork())
            for (;; usleep(1000))
                job->page->beats++;
        break;
    default:
        break;
    }
    job->page->done[i] = 1;
}

static void died(void *data, size_t i, const char *how, bool late)
{
    struct job *job = data;

    snprintf(job->how[i], sizeof job->how[i], "%s", how);
    job->late[i] = late;
}

static int do_all(struct job *job, size_t n, double patience)
{
    memset(job->page, 0, sizeof *job->page);
    memset(job->how, 0, sizeof job->how);
    memset(job->late, 0, sizeof job->late);
    return forked_do(&(struct forked_work){
        .n = n, .seconds = 1, .patience = patience, .data = job, .one = do_one, .died = died});
}

static void check(const struct job *job, size_t n, const char *what)
{
    static const char *const expected[ITEMS] = {"",
                                                "crashed (",
                                                "ended the process",
                                                "did not answer within 1 s",
                                                "did not answer within 1 s",
                                                "did not answer within 1 s",
                                                "did not answer within 1 s"};

    for (size_t i = 0; i < n; i++)
        ok(!strncmp(job->how[i], expected[job->items[i]], strlen(expected[job->items[i]])) &&
               job->page->done[i] == (job->items[i] == GOOD) &&
               job->late[i] == (job->items[i] >= BLOCKS),
           "%s, item %zu: `%s`", what, i, job->how[i]);
}

static int cannot_begin(void *data)
{
    (void)data;
    return EMFILE;
}

/* Otherwise the next child would fail the same way, and the one after that. */
static void test_begin(void)
{
    struct job job = {.page = NULL};
    const struct forked_work work = {
        .n = 3, .seconds = 2, .data = &job, .begin = cannot_begin, .one = do_one};

    errno = 0;
    ok(forked_do(&work) && errno == EMFILE, "a child that cannot begin is the last one");
}

/* A process that an item has started does not outlive the child that did the item. */
static void test_started(struct job *job)
{
    unsigned beats;

    job->items[0] = STARTS;
    is_int(do_all(job, 1, 0), 0, "an item that starts a process");
    ok(!job->how[0][0] && job->page->done[0], "is done");
    usleep(50000); /* SIGKILL is on its way */
    beats = job->page->beats;
    usleep(50000);
    ok(job->page->beats == beats, "and the process ends");
}

int main(void)
{
    struct job job = {
        .items = {GOOD, BLOCKS, GOOD, CRASHES, STOPS, LEAVES, UNARMED, FORKS, GOOD, GOOD}};
    const size_t n = 10;
    unsigned beats;

    job.page = mmap(NULL, sizeof *job.page, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
                    0);
    if (job.page == MAP_FAILED)
        bail("no shared memory");
    is_int(do_all(&job, 0, 0), 0, "nothing to do");
    is_int(do_all(&job, n, 0), 0, "one after the other");
    check(&job, n, "one after the other");
    is_int(do_all(&job, n, 0.05), 0, "what hangs is waited for at the same time");
    check(&job, n, "at the same time");
    beats = job.page->beats;
    usleep(50000);
    ok(beats && job.page->beats == beats, "a child's child is ended with it");
    ok(job.page->by[8] == job.page->by[9], "one child does what it can");
    test_started(&job);
    job.items[0] = GOOD;
    signal(SIGCHLD, SIG_IGN); /* of a host */
    job.items[1] = GOOD;
    is_int(do_all(&job, 3, 0), 0, "a host that ignores the end of children");
    check(&job, 3, "with such a host");
    test_begin();
    return done_testing();
}
