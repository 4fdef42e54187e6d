/* SPDX-License-Identifier: BSD-2-Clause */
/* The command line of fecrun-check. */
#include "tools/check/check.h"

#include "tools/check/check_impl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char usage[] =
    "usage: fecrun-check [OPTION...] [PLUGIN.so...]\n"
    "\n"
    "Checks that plugins keep the contract of <fecrun/plugin.h>: every stage, with many\n"
    "parameters and inputs, every backend against the stage's first one. Without a PLUGIN.so:\n"
    "all plugins of the search path. Prints TAP; exits with 0 if nothing failed, 1 if something\n"
    "did, 2 if the command line is wrong.\n"
    "\n"
    "  --plugin-dir DIR   search DIR, too (may be repeated)\n"
    "  --stage NAME       this stage only\n"
    "  --backend NAME     these backends only\n"
    "  --case 'STAGE: {PARAM: VALUE, ...}'\n"
    "                     one more set of parameters for STAGE (may be repeated); a key\n"
    "                     `check` in the map says what comes in: check: {items: N, type: i8,\n"
    "                     llr_max: 10, scheme: qpsk, n0: 0.1, stream: true,\n"
    "                     pieces: 3, corrects: 16, symbol_items: 8}\n"
    "  --only-cases       nothing but the sets of --case\n"
    "  --threads          nothing but two instances at the same time: for a sanitizer that\n"
    "                     looks at threads\n"
    "  --seed N           another choice of inputs and sizes (default 1)\n"
    "  --seconds S        time for each backend (default 5, but 25 for all of a plugin); then no\n"
    "                     further check begins, and what there was no time for is said\n"
    "  --timeout S        seconds without progress after which a backend hangs (default 30)\n"
    "  --bench            afterwards, information bits a second of each decoder, on one thread\n"
    "  --verbose          also what was refused, and why\n"
    "  --list             what there is to check; checks nothing\n"
    "\n"
    "FECRUN_REQUIRE=NAME,...  backends or devices that must be there: a skip of one is a failure\n"
    "FECRUN_ISA=NAME          generic, avx2 or avx512: not more than that\n";

struct parser {
    struct check_options *options;
    int argc, at;
    char **argv;
};

/* "--name value" or "--name=value"; NULL: not this option. */
static const char *take(struct parser *p, const char *name, struct diag *diag)
{
    const char *arg = p->argv[p->at];
    size_t n = strlen(name);

    if (strncmp(arg, name, n) || (arg[n] && arg[n] != '='))
        return NULL;
    if (arg[n] == '=')
        return arg + n + 1;
    if (p->at + 1 < p->argc)
        return p->argv[++p->at];
    diag_fail(diag, DIAG_USAGE, "%s: needs a value", name);
    return "";
}

static void append(const char **list, const char *value)
{
    while (*list)
        list++;
    *list = value;
}

static int set_seconds(double *seconds, const char *text, const char *name, struct diag *diag)
{
    if (conf_float(text, seconds) && *seconds > 0 && *seconds <= 1e6)
        return 0;
    return diag_fail(diag, DIAG_USAGE, "%s %s: must be a number of seconds", name, text);
}

static int take_number(struct parser *p, bool *taken, struct diag *diag)
{
    struct check_options *o = p->options;
    const char *value;
    double seconds = 0;

    *taken = true;
    if ((value = take(p, "--seed", diag)))
        return conf_uint(value, &o->seed)
                   ? 0
                   : diag_fail(diag, DIAG_USAGE, "--seed %s: must be a whole number", value);
    if ((value = take(p, "--seconds", diag)))
        return set_seconds(&o->seconds, value, "--seconds", diag);
    if ((value = take(p, "--timeout", diag))) {
        if (set_seconds(&seconds, value, "--timeout", diag))
            return -1;
        o->timeout = seconds < 1 ? 1 : (unsigned)seconds;
        return 0;
    }
    *taken = false;
    return 0;
}

static bool take_flag(struct parser *p)
{
    struct check_options *o = p->options;
    const struct {
        const char *name;
        bool *flag;
    } flags[] = {{"--bench", &o->bench},
                 {"--verbose", &o->verbose},
                 {"--list", &o->list},
                 {"--only-cases", &o->only_cases},
                 {"--threads", &o->threads}};

    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        if (!strcmp(p->argv[p->at], flags[i].name))
            return *flags[i].flag = true;
    return false;
}

static int take_option(struct parser *p, struct diag *diag)
{
    static const char *const all[] = {"--plugin-dir", "--stage", "--backend", "--case",
                                      "--only-cases", "--seed",  "--seconds", "--threads",
                                      "--timeout",    "--bench", "--verbose", "--list",
                                      "--help",       NULL};
    struct check_options *o = p->options;
    const char *arg = p->argv[p->at], *value;
    char hint[64];
    bool taken;

    if (take_flag(p))
        return 0;
    if (take_number(p, &taken, diag) || taken)
        return diag->status ? -1 : 0;
    if ((value = take(p, "--plugin-dir", diag)))
        append(o->dirs, value);
    else if ((value = take(p, "--stage", diag)))
        o->stage = value;
    else if ((value = take(p, "--backend", diag)))
        o->backend = value;
    else if ((value = take(p, "--case", diag)))
        append(o->cases, value);
    else
        return diag_fail(diag, DIAG_USAGE, "unknown option %s%s", arg,
                         diag_hint(hint, sizeof hint, arg, all));
    return diag->status ? -1 : 0;
}

int check_options_read(struct check_options *options, int argc, char **argv, struct diag *diag)
{
    struct parser p = {.options = options, .argc = argc, .argv = argv, .at = 1};

    *options = (struct check_options){.seed = 1, .timeout = 30};
    options->dirs = calloc((size_t)argc + 1, sizeof *options->dirs);
    options->files = calloc((size_t)argc + 1, sizeof *options->files);
    options->cases = calloc((size_t)argc + 1, sizeof *options->cases);
    if (!options->dirs || !options->files || !options->cases)
        return diag_fail(diag, DIAG_RUN, "out of memory");
    for (; p.at < argc; p.at++) {
        if (argv[p.at][0] != '-')
            append(options->files, argv[p.at]);
        else if (take_option(&p, diag))
            return -1;
    }
    return 0;
}

void check_options_free(struct check_options *options)
{
    free(options->dirs);
    free(options->files);
    free(options->cases);
}

void check_usage(FILE *out)
{
    fputs(usage, out);
}
