/* SPDX-License-Identifier: BSD-2-Clause */
#include <stdio.h>

#include "cli.h"
#include "result_impl.h"

#include <stdlib.h>
#include <string.h>

const struct verb *const cli_verbs[] = {
    &(const struct verb){"run", "FILE.yaml", "run a pipeline and print its results", cmd_run},
    &(const struct verb){"check", "FILE.yaml", "check everything that run checks, run nothing",
                         cmd_check},
    &(const struct verb){"explain", "FILE.yaml", "show backends, sample types, sizes, conversions",
                         cmd_explain},
    &(const struct verb){"list", NULL, "list plugins, stages and what is available", cmd_list},
    &(const struct verb){"describe", "STAGE", "ports, parameters and backends of a stage",
                         cmd_describe},
    &(const struct verb){"bench", "FILE.yaml", "speed of one stage, with its output checked",
                         cmd_bench},
    NULL,
};

const struct verb *cli_verb(const char *name)
{
    for (size_t i = 0; cli_verbs[i]; i++)
        if (!strcmp(cli_verbs[i]->name, name))
            return cli_verbs[i];
    return NULL;
}

static const char common[] =
    "  --set NAME=VALUE    seed, batch, in_flight, stop.frames, STAGE.PARAM, ... (repeatable)\n"
    "  --backend NAME      backend of every stage that declares it\n"
    "  --threads N         threads (default: all CPUs)\n"
    "  --json FILE         results as JSON lines (- is standard output)\n"
    "  --csv FILE          results as CSV\n"
    "  --plugin-dir DIR    look for plugins here first (repeatable)\n"
    "  --quiet             no table, no progress\n"
    "  --help, --version\n";

static const char bench_options[] =
    "  --stage ID          the stage to time (default: the decoder)\n"
    "  --batches N,N,...   batch sizes (default: 1 and up to the pipeline's, in steps of 4)\n";

void cli_usage(FILE *out, const struct verb *verb)
{
    if (verb) {
        fprintf(out, "usage: fecrun %s %s%s[options]\n  %s\n\n", verb->name,
                verb->operand ? verb->operand : "", verb->operand ? " " : "", verb->summary);
        if (!strcmp(verb->name, "bench"))
            fputs(bench_options, out);
        fputs(common, out);
        return;
    }
    fputs("usage: fecrun VERB [arguments]\n\n", out);
    for (size_t i = 0; cli_verbs[i]; i++)
        fprintf(out, "  %-8s %-10s %s\n", cli_verbs[i]->name,
                cli_verbs[i]->operand ? cli_verbs[i]->operand : "", cli_verbs[i]->summary);
    fputs("\n", out);
    fputs(common, out);
}

/* ---- Options ---- */

struct args {
    int argc, at;
    char **argv;
};

/* "--name value" or "--name=value"; *value NULL: not this option. */
static int take(struct args *args, const char *name, const char **value, struct diag *diag)
{
    const char *arg = args->argv[args->at];
    size_t n = strlen(name);

    *value = NULL;
    if (strncmp(arg, name, n) || (arg[n] && arg[n] != '='))
        return 0;
    if (arg[n] == '=') {
        *value = arg + n + 1;
        return 0;
    }
    if (args->at + 1 >= args->argc)
        return diag_fail(diag, DIAG_USAGE, "%s: needs a value", name);
    *value = args->argv[++args->at];
    return 0;
}

static void append(const char **list, const char *value)
{
    while (*list)
        list++;
    *list = value;
}

static int set_threads(struct cli *cli, const char *text, struct diag *diag)
{
    int64_t n;

    if (!conf_int(text, &n) || n < 1 || n > 1024)
        return diag_fail(diag, DIAG_USAGE, "--threads %s: must be 1 to 1024", text);
    cli->session.threads = (unsigned)n;
    return 0;
}

static int parse_option(struct cli *cli, struct args *args, struct diag *diag)
{
    static const char *const names[] = {"--set",        "--backend", "--threads", "--json", "--csv",
                                        "--plugin-dir", "--stage",   "--batches", NULL};
    static const char *const all[] = {"--set",   "--backend", "--threads",    "--json", "--csv", "--quiet",
                                      "--stage", "--batches", "--plugin-dir", "--help", "--version", NULL};
    const char *arg = args->argv[args->at], *value = NULL;
    char hint[64];
    size_t i = 0;

    if (!strcmp(arg, "--help") || !strcmp(arg, "-h"))
        return cli->help = true, 0;
    if (!strcmp(arg, "--quiet"))
        return cli->result.quiet = true, 0;
    for (; names[i] && !value; i++)
        if (take(args, names[i], &value, diag))
            return -1;
    switch (value ? (int)i - 1 : -1) {
    case 0:
        return append(cli->sets, value), 0;
    case 1:
        return cli->session.pipeline.backend = value, 0;
    case 2:
        return set_threads(cli, value, diag);
    case 3:
        return cli->result.json = value, 0;
    case 4:
        return cli->result.csv = value, 0;
    case 5:
        return append(cli->dirs, value), 0;
    case 6:
        return cli->stage = value, 0;
    case 7:
        return cli->batches = value, 0;
    default:
        return diag_fail(diag, DIAG_USAGE, "unknown option %s%s", arg,
                         diag_hint(hint, sizeof hint, arg, all));
    }
}

static int check_use(const struct cli *cli, struct diag *diag)
{
    const struct verb *verb = cli_verb(cli->verb);

    if (cli->help)
        return 0;
    if (verb->operand && !cli->operand)
        return diag_fail(diag, DIAG_USAGE, "%s: needs %s", cli->verb, verb->operand);
    if (!verb->operand && cli->operand)
        return diag_fail(diag, DIAG_USAGE, "%s: takes no argument `%s`", cli->verb, cli->operand);
    if ((cli->stage || cli->batches) && strcmp(cli->verb, "bench"))
        return diag_fail(diag, DIAG_USAGE, "%s: --stage and --batches belong to bench", cli->verb);
    if (cli->result.csv && strcmp(cli->verb, "run"))
        return diag_fail(diag, DIAG_USAGE, "%s: --csv belongs to run", cli->verb);
    if (cli->result.json && cli->result.csv && !strcmp(cli->result.json, cli->result.csv))
        return diag_fail(diag, DIAG_USAGE, "--json and --csv both go to %s", cli->result.json);
    return 0;
}

int cli_parse(struct cli *cli, int argc, char **argv, struct diag *diag)
{
    struct args args = {.argc = argc, .argv = argv, .at = 2};

    cli->verb = argv[1];
    cli->sets = calloc((size_t)argc + 1, sizeof *cli->sets);
    cli->dirs = calloc((size_t)argc + 1, sizeof *cli->dirs);
    if (!cli->sets || !cli->dirs)
        return diag_fail(diag, DIAG_RUN, "out of memory");
    for (; args.at < argc; args.at++) {
        const char *arg = argv[args.at];
        if (arg[0] == '-' && arg[1]) {
            if (parse_option(cli, &args, diag))
                return -1;
        } else if (cli->operand) {
            return diag_fail(diag, DIAG_USAGE, "%s: one argument only, not also `%s`", cli->verb,
                             arg);
        } else {
            cli->operand = arg;
        }
    }
    cli->session.pipeline.sets = cli->sets;
    cli->session.registry.dirs = cli->dirs;
    return check_use(cli, diag);
}

void cli_free(struct cli *cli)
{
    free(cli->sets);
    free(cli->dirs);
}

int cli_write_json(const struct cli *cli, json_t *object, struct diag *diag)
{
    struct output output = {0};
    char *line = json_dumps(object, JSON_COMPACT | JSON_REAL_PRECISION(12));
    int status;

    if (!line)
        return diag_fail(diag, DIAG_RUN, "out of memory");
    status = output_open(&output, cli->result.json, diag);
    if (!status) {
        fprintf(output.stream, "%s\n", line);
        status = output_flush(&output, diag);
        if (output_close(&output, diag))
            status = -1;
    }
    free(line);
    return status;
}
