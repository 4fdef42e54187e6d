/* SPDX-License-Identifier: BSD-2-Clause */
#include <fecrun/sdk/thread.h>
#include <stdio.h>

#include "core/base/sanitized.h"
#include "core/base/cpu.h"
#include "tools/fecrun/cli.h"
#include "tools/fecrun/complete.h"
#include "tools/fecrun/crash.h"
#include "tools/fecrun/json/objects.h"
#include "tools/fecrun/shown.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#ifndef PACKAGE_VERSION
#define PACKAGE_VERSION "unknown"
#endif

static const struct verb *const verbs[] = {
    &(const struct verb){"run", "FILE.yaml", "run a pipeline and print its results", cmd_run},
    &(const struct verb){"check", "FILE.yaml", "check everything that run checks, run nothing",
                         cmd_check},
    &(const struct verb){"explain", "FILE.yaml", "show backends, sample types, sizes, conversions",
                         cmd_explain},
    &(const struct verb){"list", NULL, "list plugins, stages and what is available", cmd_list},
    &(const struct verb){"describe", "STAGE", "ports, parameters and backends of a stage",
                         cmd_describe},
    &(const struct verb){"sync", "FILE.yaml", "how to read a recording: inverted, shifted, ...",
                         cmd_sync},
    &(const struct verb){"bench", "FILE.yaml", "speed of one stage, with its output checked",
                         cmd_bench},
    &(const struct verb){"compare", "FILE...",
                         "the same frames through two backends, or two results", cmd_compare},
    &(const struct verb){"merge", "DIR...", "results of journals (run --journal) in one table",
                         cmd_merge},
    &(const struct verb){"example", "[NAME]", "list examples, or copy one into this directory",
                         cmd_example},
    &(const struct verb){"new-plugin", "NAME", "write a small plugin of your own to start from",
                         cmd_new_plugin},
    &(const struct verb){"plot", "RESULT.json...", "curves or bars of result files", cmd_plot},
    &(const struct verb){"report", "RESULT.json...", "a page of result files for a browser",
                         cmd_report},
    NULL,
};

/* `fecrun run FILE | head -1`: the reader closed the pipe, and knows. The status still says that something is missing. */
static bool is_read_enough(const char *text)
{
    static const char failed[] = "cannot write standard output: ";

    return shown_is_closed() && !strncmp(text, failed, sizeof failed - 1);
}

/* What was found wrong with an object of which a part is missing need not be wrong with the file. */
static int fail(const struct diag *diag)
{
    if (objects_lost()) {
        fputs("fecrun: out of memory\n", stderr);
        return DIAG_RUN;
    }
    if (!is_read_enough(diag->text))
        fprintf(stderr, "fecrun: %s\n", diag->text);
    return diag->status;
}

static int unknown_verb(const char *name, struct diag *diag)
{
    const char *names[19] = {"--help", "--version"};
    char hint[64];

    for (size_t i = 0; verbs[i] && i < 16; i++)
        names[i + 2] = verbs[i]->name;
    return diag_fail(diag, DIAG_USAGE, "unknown verb `%s`%s; fecrun --help lists them", name,
                     diag_hint(hint, sizeof hint, name, names));
}

static int run_verb(const struct verb *verb, int argc, char **argv)
{
    struct cli cli = {0};
    struct diag diag = {0};
    int status = 0;

    if (cli_parse(&cli, verb, argc, argv, &diag))
        status = fail(&diag);
    else if (cli.help)
        cli_usage(stdout, verbs, verb);
    else if (verb->run(&cli, &diag) || objects_lost())
        status = fail(&diag);
    cli_free(&cli);
    return status;
}

static int run(int argc, char **argv)
{
    struct diag diag = {0};
    const struct verb *verb;

    if (argc < 2) {
        cli_usage(stderr, verbs, NULL);
        return DIAG_USAGE;
    }
    if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h") || !strcmp(argv[1], "help")) {
        cli_usage(stdout, verbs, NULL);
        return 0;
    }
    if (!strcmp(argv[1], "--complete"))
        return complete(verbs, argc - 2, argv + 2);
    for (int i = 1; i < argc; i++)
        if (!strcmp(argv[i], "--version") || !strcmp(argv[i], "-V")) {
            printf("fecrun %s (plugin ABI %d)\n", PACKAGE_VERSION, FECRUN_ABI);
            return 0;
        }
    verb = cli_verb(verbs, argv[1]);
    if (!verb) {
        unknown_verb(argv[1], &diag);
        return fail(&diag);
    }
    return run_verb(verb, argc, argv);
}

/* Started with one of them closed, a result file would get its number, and the table inside. Opened
   the wrong way round, so that using it is still an error. */
static void hold_standard_files(void)
{
    for (int fd = 0; fd < 3; fd++)
        if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", fd ? O_RDONLY : O_WRONLY) < 0)
            return;
}

struct call {
    int argc;
    char **argv;
    int status;
};

static void *run_call(void *data)
{
    struct call *call = data;

    crash_watch();
    call->status = run(call->argc, call->argv);
    crash_over();
    return NULL;
}

/* The first thread's stack is what `ulimit -s` allows, which may be less than stages need. */
static int run_with_stack(int argc, char **argv)
{
    struct call call = {.argc = argc, .argv = argv};
    struct rlimit limit;
    pthread_t thread;

    if (getrlimit(RLIMIT_STACK, &limit) || limit.rlim_cur >= FECRUN_STACK ||
        fecrun_thread_start(&thread, run_call, &call))
        run_call(&call);
    else
        pthread_join(thread, NULL);
    return call.status;
}

/* Whoever looks on from inside (a sanitizer, a profiler, what is preloaded) has work at the end. */
static bool is_watched(void)
{
    extern void __gcov_dump(void) __attribute__((weak));

#ifdef SANITIZED
    return true;
#endif
    return __gcov_dump || getenv("LD_PRELOAD");
}

int main(int argc, char **argv)
{
    int status;

    signal(SIGPIPE, SIG_IGN); /* a closed pipe is a write error */
    signal(SIGXFSZ, SIG_IGN); /* so is a file that the limits do not allow to grow */
    hold_standard_files();
    shown_begin();
    objects_watch();
    status = run_with_stack(argc, argv);
    errno = 0;
    if ((fflush(stdout) || ferror(stdout)) && !status) {
        if (!shown_is_closed())
            fprintf(stderr, "fecrun: standard output: %s\n",
                    errno == ETIMEDOUT ? "nobody reads it" : strerror(errno ? errno : EIO));
        status = DIAG_RUN;
    }
    /* Destructors of plugins could hang, or end with another status. */
    if (!is_watched())
        _exit(status);
    return status;
}
