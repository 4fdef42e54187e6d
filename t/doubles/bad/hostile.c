/* SPDX-License-Identifier: BSD-2-Clause */
/* Does what plugin.h forbids: HOSTILE names one of the acts at the end. Otherwise it copies bits. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#define BAD_NAME "hostile"
#define BAD_PLAN hostile_plan
#define BAD_CREATE hostile_create
#define BAD_RUN hostile_run
#include <fecrun/plugin.h>
#include <fecrun/sim.h>

#include <fcntl.h>
#include <locale.h>
#include <math.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

/* What an act gets; the rest is NULL. */
struct place {
    struct fecrun_frame *out_frame;
    struct fecrun_plan *plan;
    struct fecrun_error *err;
    const struct fecrun_frame *in_frame;
    const struct fecrun_create *create;
    const struct fecrun_call *call;
    const struct fecrun_view *in;
    struct fecrun_view *out;
};

static int act(const char *when, struct place *place);

/* ---- While it is loaded ---- */

static int forks(struct place *p)
{
    (void)p;
    if (!fork()) {
        sleep(600);
        _exit(0);
    }
    return 0;
}

static int executes(struct place *p)
{
    (void)p;
    return execlp("true", "true", (char *)NULL);
}

static int leaves(struct place *p)
{
    (void)p;
    _exit(0);
}

static int jumps(struct place *p)
{
    static jmp_buf nowhere;

    (void)p;
    longjmp(nowhere, 1);
}

static int closes_all(struct place *p)
{
    (void)p;
    for (int fd = 0; fd < 1024; fd++)
        close(fd);
    return 0;
}

static int closes_output(struct place *p)
{
    (void)p;
    return close(STDOUT_FILENO);
}

static int moves(struct place *p)
{
    (void)p;
    return chdir("/");
}

static int masks(struct place *p)
{
    (void)p;
    umask(0777);
    return 0;
}

static int limits_files(struct place *p)
{
    (void)p;
    return setrlimit(RLIMIT_NOFILE, &(struct rlimit){3, 3});
}

static int limits_sizes(struct place *p)
{
    (void)p;
    return setrlimit(RLIMIT_FSIZE, &(struct rlimit){0, 0});
}

static int unmaps(struct place *p)
{
    char *heap = sbrk(0);

    (void)p;
    return munmap((char *)((uintptr_t)heap / 4096 * 4096) - (1 << 16), 1 << 16);
}

static int writes(struct place *p)
{
    (void)p;
    return write(STDOUT_FILENO, "hello\n", 6) != 6;
}

static int writes_error(struct place *p)
{
    (void)p;
    return write(STDERR_FILENO, "hello\n", 6) != 6;
}

static void *spin(void *data)
{
    while (!data)
        sleep(1);
    return data;
}

static int threads(struct place *p)
{
    pthread_t thread;

    (void)p;
    return pthread_create(&thread, NULL, spin, NULL);
}

static void nothing(int number)
{
    (void)number;
}

static int handles(struct place *p)
{
    static const int numbers[] = {SIGINT, SIGTERM, SIGSEGV, SIGABRT, SIGPIPE, SIGCHLD};

    (void)p;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        signal(numbers[i], nothing);
    return 0;
}

static int ignores(struct place *p)
{
    (void)p;
    signal(SIGTERM, SIG_IGN);
    signal(SIGCHLD, SIG_IGN);
    return 0;
}

static int translates(struct place *p)
{
    (void)p;
    return !setlocale(LC_ALL, "C.UTF-8");
}

static int exports(struct place *p)
{
    (void)p;
    return setenv("FECRUN_PLUGIN_PATH", "/nowhere", 1) || clearenv();
}

static int hurries(struct place *p)
{
    (void)p;
    return setpriority(PRIO_PROCESS, 0, 19);
}

static int redirects(struct place *p)
{
    int fd = open("/dev/null", O_WRONLY);

    (void)p;
    return dup2(fd, STDOUT_FILENO) < 0 || dup2(fd, STDERR_FILENO) < 0;
}

static int eats(struct place *p)
{
    (void)p;
    setrlimit(RLIMIT_AS, &(struct rlimit){1 << 28, 1 << 28});
    for (char *part; (part = malloc(1 << 20));)
        memset(part, 1, 1 << 20);
    for (size_t n = 4096; n; n /= 2)
        while (malloc(n))
            ;
    return 0;
}

static int opens(struct place *p)
{
    (void)p;
    while (open("/dev/null", O_RDONLY) >= 0)
        ;
    return 0;
}

static int times(struct place *p)
{
    (void)p;
    return setitimer(ITIMER_REAL, &(struct itimerval){{0, 50000}, {0, 50000}}, NULL);
}

static void end_now(void)
{
    _exit(7);
}

static int ends_late(struct place *p)
{
    (void)p;
    return atexit(end_now);
}

static int stops_group(struct place *p)
{
    (void)p;
    return kill(0, SIGKILL);
}

static int closes_stream(struct place *p)
{
    (void)p;
    return fclose(stdout);
}

/* ---- plan() ---- */

static int plans_much(struct place *p)
{
    p->out_frame->items = UINT64_MAX;
    return 0;
}

static int plans_large(struct place *p)
{
    p->out_frame->items = (uint64_t)1 << 40;
    return 0;
}

static int plans_none(struct place *p)
{
    p->out_frame->items = 0;
    return 0;
}

static int plans_kind(struct place *p)
{
    p->out_frame->kind = 77;
    return 0;
}

static int plans_type(struct place *p)
{
    p->out_frame->type = 99;
    return 0;
}

static int plans_pieces(struct place *p)
{
    p->out_frame->pieces = UINT32_MAX;
    return 0;
}

static int plans_facts(struct place *p)
{
    p->out_frame->facts_at = UINT32_MAX;
    p->out_frame->max_facts = UINT32_MAX;
    return 0;
}

static int plans_keys(struct place *p)
{
    memset(p->out_frame->facts, 'k', sizeof p->out_frame->facts);
    return 0;
}

static int plans_nan(struct place *p)
{
    p->out_frame->n0 = NAN;
    p->out_frame->llr_scale = -INFINITY;
    p->out_frame->llr_max = NAN;
    return 0;
}

static int plans_stream(struct place *p)
{
    p->out_frame->stream = 99;
    return 0;
}

static int plans_margins(struct place *p)
{
    p->plan->before = p->plan->after = UINT64_MAX;
    return 0;
}

static int plans_words(struct place *p)
{
    memset(p->plan->note, '\033', sizeof p->plan->note);
    memset(p->plan->warning, '\n', sizeof p->plan->warning);
    memset(p->plan->identity, 'i', sizeof p->plan->identity);
    return 0;
}

static int plans_flags(struct place *p)
{
    p->plan->flags = UINT32_MAX;
    return 0;
}

static int plans_code(struct place *p)
{
    p->plan->code = (void *)8;
    return 0;
}

static int changes_input(struct place *p)
{
    ((struct fecrun_frame *)p->in_frame)->items = 1;
    return 0;
}

static int answers(struct place *p)
{
    (void)p;
    return 5;
}

static int fails_silently(struct place *p)
{
    (void)p;
    return -1;
}

static int fails_loudly(struct place *p)
{
    memset(p->err->text, '\n', sizeof p->err->text);
    memset(p->err->param, '\033', sizeof p->err->param);
    return -1;
}

/* ---- run() ---- */

static int hangs(struct place *p)
{
    while (p)
        sleep(1);
    return 0;
}

/* Not a loop for any compiler. */
static int recurses(struct place *p)
{
    volatile char room[4096];

    room[0] = p != NULL;
    return room[0] ? recurses(p) + room[0] : 0;
}

static int writes_far(struct place *p)
{
    const size_t bytes = (p->out->frames - 1) * p->out->stride + p->out->items;

    memset(p->out->data, 1, bytes + 64);
    return 0;
}

static int writes_input(struct place *p)
{
    memset(p->in->data, 1, p->in->frames * p->in->stride);
    return 0;
}

static int writes_values(struct place *p)
{
    memset(p->out->data, 255, p->out->frames * p->out->stride);
    return 0;
}

static int changes_view(struct place *p)
{
    p->out->frames = UINT64_MAX / 2;
    p->out->items = UINT64_MAX;
    p->out->data = NULL;
    return 0;
}

static int adds_frames(struct place *p)
{
    p->out->frames *= 2;
    return 0;
}

static int claims(struct place *p)
{
    for (uint64_t i = 0; i < p->in->frames; i++)
        p->call->info[i] = (struct fecrun_frame_info){UINT32_MAX, UINT32_MAX, UINT64_MAX};
    return 0;
}

static int cancels(struct place *p)
{
    (void)p;
    return FECRUN_CANCELLED;
}

/* ---- The acts ---- */

static const struct act {
    const char *when, *name;
    int (*act)(struct place *place);
} acts[] = {
    {"load", "forks", forks},
    {"load", "executes", executes},
    {"load", "leaves", leaves},
    {"load", "jumps", jumps},
    {"load", "closes_all", closes_all},
    {"load", "closes_output", closes_output},
    {"load", "closes_stream", closes_stream},
    {"load", "moves", moves},
    {"load", "masks", masks},
    {"load", "limits_files", limits_files},
    {"load", "limits_sizes", limits_sizes},
    {"load", "unmaps", unmaps},
    {"load", "writes", writes},
    {"load", "writes_error", writes_error},
    {"load", "threads", threads},
    {"load", "handles", handles},
    {"load", "ignores", ignores},
    {"load", "translates", translates},
    {"load", "exports", exports},
    {"load", "hurries", hurries},
    {"load", "redirects", redirects},
    {"load", "eats", eats},
    {"load", "opens", opens},
    {"load", "times", times},
    {"load", "ends_late", ends_late},
    {"load", "stops_group", stops_group},
    {"plan", "much", plans_much},
    {"plan", "large", plans_large},
    {"plan", "none", plans_none},
    {"plan", "kind", plans_kind},
    {"plan", "type", plans_type},
    {"plan", "pieces", plans_pieces},
    {"plan", "facts", plans_facts},
    {"plan", "keys", plans_keys},
    {"plan", "nan", plans_nan},
    {"plan", "stream", plans_stream},
    {"plan", "margins", plans_margins},
    {"plan", "words", plans_words},
    {"plan", "flags", plans_flags},
    {"plan", "code", plans_code},
    {"plan", "changes_input", changes_input},
    {"plan", "answers", answers},
    {"plan", "fails_silently", fails_silently},
    {"plan", "fails_loudly", fails_loudly},
    {"plan", "jumps", jumps},
    {"plan", "closes_all", closes_all},
    {"create", "answers", answers},
    {"create", "fails_silently", fails_silently},
    {"create", "fails_loudly", fails_loudly},
    {"run", "answers", answers},
    {"run", "fails_silently", fails_silently},
    {"run", "fails_loudly", fails_loudly},
    {"run", "cancels", cancels},
    {"run", "hangs", hangs},
    {"run", "writes_far", writes_far},
    {"run", "writes_input", writes_input},
    {"run", "writes_values", writes_values},
    {"run", "changes_view", changes_view},
    {"run", "adds_frames", adds_frames},
    {"run", "claims", claims},
    {"run", "leaves", leaves},
    {"run", "ends_late", ends_late},
    {"run", "closes_output", closes_output},
    {"run", "eats", eats},
    {"run", "jumps", jumps},
    {"run", "recurses", recurses},
};

/* HOSTILE is "WHEN NAME". */
static int act(const char *when, struct place *place)
{
    const char *wish = getenv("HOSTILE");
    const size_t n = strlen(when);

    for (size_t i = 0; wish && i < sizeof acts / sizeof *acts; i++)
        if (!strcmp(acts[i].when, when) && !strncmp(wish, when, n) && wish[n] == ' ' &&
            !strcmp(wish + n + 1, acts[i].name))
            return acts[i].act(place);
    return 0;
}

__attribute__((constructor)) static void begin(void)
{
    act("load", &(struct place){0});
}

static int hostile_plan(const struct fecrun_host *host, const struct fecrun_values *values,
                        const struct fecrun_frame *const in[], struct fecrun_frame *const out[],
                        struct fecrun_plan *plan, struct fecrun_error *err)
{
    (void)host, (void)values;
    *out[0] = *in[0];
    return act("plan",
               &(struct place){.out_frame = out[0], .in_frame = in[0], .plan = plan, .err = err});
}

static int hostile_create(const struct fecrun_create *args, void **instance,
                          struct fecrun_error *err)
{
    *instance = NULL;
    return act("create", &(struct place){.create = args, .err = err});
}

static int hostile_run(void *instance, const struct fecrun_call *call,
                       const struct fecrun_view *const in[], struct fecrun_view *const out[],
                       struct fecrun_error *err)
{
    (void)instance;
    memcpy(out[0]->data, in[0]->data, in[0]->frames * in[0]->stride);
    return act("run", &(struct place){.call = call, .in = in[0], .out = out[0], .err = err});
}

#include "t/doubles/bad/stage.h"
