/* SPDX-License-Identifier: BSD-2-Clause */
#include <stdio.h>

#include "tools/fecrun/cli.h"
#include "tools/fecrun/hanging.h"
#include "tools/fecrun/result_impl.h"
#include "core/plan/negotiate.h"

#include <stdlib.h>
#include <string.h>

const struct verb *cli_verb(const struct verb *const *verbs, const char *name)
{
    for (size_t i = 0; verbs[i]; i++)
        if (!strcmp(verbs[i]->name, name))
            return verbs[i];
    return NULL;
}

/* verbs: those that take it; NULL: all. */
static const struct cli_option options[] = {
    {"--stage", "bench", "  --stage ID          the stage to time (default: the decoder)\n"},
    {"--batches", "bench",
     "  --batches N,N,...   batch sizes (default: on the host 1 and up to the\n"
     "                      pipeline's, in steps of 4; on a device batch: of the file,\n"
     "                      else --sweep-batch)\n"},
    {"--sweep-batch", "bench",
     "  --sweep-batch       batch sizes 1, 2, 4, ... until that gains less than 3 %\n"},
    {"--all-points", "bench", "  --all-points        every point of a sweep, not only the first\n"},
    {"--stage-only", "bench",
     "  --stage-only        skip the end-to-end and latency measurements\n"},
    {"--latency", "bench",
     "  --latency           p50, p99 and p99.9 of single frames that arrive at a rate\n"},
    {"--rate", "bench",
     "  --rate R,R,...      with --latency: frames a second, or N%: percent of what\n"
     "                      single calls reach (default: 10%,50%,90%)\n"},
    {"--seconds", "bench",
     "  --seconds S         with --latency: time at each rate (default: 2)\n"},
    {"--a", "compare",
     "  --a NAME            backend of the first run, for every stage that has it\n"},
    {"--b", "compare", "  --b NAME            backend of the second run\n"},
    {"--accept", "compare",
     "  --accept RULE       exact: every frame alike; statistical: equally good at a\n"
     "                      level of 1 %; else exit status 4\n"},
    {"--fer", "compare",
     "  --fer X             frame error rate at which dB are compared (default: 0.1)\n"},
    {"--journal", "run",
     "  --journal DIR       save finished work in DIR; start again to resume\n"},
    {"--shard", "run", "  --shard I/N         do only part I (0 to N-1) of the journal's work\n"},
    {"--replay", "run",
     "  --replay POINT:FRAME  show one frame at each port (both numbers from 0)\n"},
    {"--dump", "run, compare",
     "  --dump DIR          with --replay: write DIR/STAGE.PORT.npy; compare: keep\n"
     "                      frames that differ, with a pipeline that repeats them\n"},
    {"--stats", "run", "  --stats             time of each stage, in a second table\n"},
    {"--doctor", "run",
     "  --doctor            do not run: measure the LLRs of each port, find mistakes\n"},
    {"--cxx", "new-plugin", "  --cxx               in C++ instead of C\n"},
    {"--cuda", "new-plugin", "  --cuda              with a backend for CUDA devices, too\n"},
    {"-o", "plot, report",
     "  -o FILE             plot: .svg, .png, .pdf, or .tex (pgfplots); else text\n"
     "                      report: .html\n"},
    {"--ber", "plot", "  --ber               bit error rates (default: frame error rates)\n"},
    {"--guides", "plot",
     "  --guides            add the Shannon limit, and that of the frame's length;\n"
     "                      with --ber uncoded BPSK\n"},
    {"--label", "plot, report",
     "  --label TEXT        name of a file in the legend (repeatable, in turn)\n"},
    {"--title", "plot, report", "  --title TEXT        a line above the picture\n"},
    {"--xrange", "plot",
     "  --xrange LOW:HIGH   what the x axis shows; --xrange=-1:3 if LOW is negative\n"},
    {"--yrange", "plot", "  --yrange LOW:HIGH   what the y axis shows, as 1e-6:1\n"},
    {"--size", "plot",
     "  --size WIDTHxHEIGHT of .svg and .png in pixels, of .pdf and .tex in cm, else\n"
     "                      in letters\n"},
    {"--group", "plot, report",
     "  --group PARAM       one colour for each value of this swept parameter\n"},
    {"--gp", "plot",
     "  --gp FILE           write gnuplot's commands; without -o nothing is drawn\n"},
    {"--preset", "run, check, explain, bench",
     "  --preset NAME       a standard's link instead of a file: dvb-s-3/4,\n"
     "                      nr-pusch-mcs-9, wifi-he-mcs-5, ...\n"},
    {"--set", "run, check, explain, sync, bench, compare",
     "  --set NAME=VALUE    seed, batch, stop.frames, STAGE.PARAM, ...; repeatable\n"},
    {"--sweep", "run, check, explain, bench, compare",
     "  --sweep NAME=VALUES a row for each value: start:step:stop or 1,2,3; repeatable\n"},
    {"--backend", "run, check, explain, bench",
     "  --backend NAME      backend of every stage that has it\n"},
    {"--restrict", "run, check, explain, sync, bench, compare",
     "  --restrict DIR      refuse files outside DIR, also those of these options\n"},
    {"--threads", "run, check, explain, bench, compare",
     "  --threads N         threads (default: all CPUs)\n"},
    {"--json", "run, explain, sync, list, describe, bench, compare, merge",
     "  --json FILE         results as JSON lines (- is standard output)\n"},
    {"--html", "run, bench, compare, merge",
     "  --html FILE         results as a page for a browser, as report makes it\n"},
    {"--csv", "run, bench, merge", "  --csv FILE          results as CSV\n"},
    {"--plugin-dir", NULL, "  --plugin-dir DIR    look for plugins here first (repeatable)\n"},
    {"--quiet", NULL, "  --quiet             no table, no progress\n"},
};

#define N_OPTIONS (sizeof options / sizeof *options)

/* Those without a value; --quiet is every verb's. */
bool cli_is_flag(const struct cli_option *option)
{
    static const char *const flags[] = {"--quiet",  "--sweep-batch", "--all-points", "--stage-only",
                                        "--cxx",    "--cuda",        "--ber",        "--guides",
                                        "--doctor", "--stats",       "--latency"};

    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        if (!strcmp(option->name, flags[i]))
            return true;
    return false;
}

/* No verb's name is part of another's. */
bool cli_takes(const char *verb, const struct cli_option *option)
{
    return !option->verbs || strstr(option->verbs, verb);
}

const struct cli_option *cli_option(size_t i)
{
    return i < N_OPTIONS ? &options[i] : NULL;
}

const struct cli_option *cli_option_named(const char *name)
{
    for (size_t i = 0; i < N_OPTIONS; i++)
        if (!strcmp(options[i].name, name))
            return &options[i];
    return NULL;
}

static void print_options(FILE *out, const char *verb)
{
    for (size_t i = 0; i < N_OPTIONS; i++)
        if (cli_takes(verb, &options[i]))
            fputs(options[i].help, out);
    fputs("  --help, -h          this text\n"
          "  --version, -V       of the program and of the plugin ABI\n",
          out);
}

void cli_usage(FILE *out, const struct verb *const *verbs, const struct verb *verb)
{
    if (verb) {
        fprintf(out, "usage: fecrun %s %s%s[options]\n  %s\n\n", verb->name,
                verb->operand ? verb->operand : "", verb->operand ? " " : "", verb->summary);
        print_options(out, verb->name);
        return;
    }
    fputs("usage: fecrun VERB [arguments]\n\n", out);
    for (size_t i = 0; verbs[i]; i++)
        fprintf(out, "  %-10s %-14s %s\n", verbs[i]->name,
                verbs[i]->operand ? verbs[i]->operand : "", verbs[i]->summary);
    fputs("\n", out);
    print_options(out, "run");
    fputs("\nfecrun VERB --help lists the options of a verb\n", out);
}

/* ---- Options ---- */

struct args {
    int argc, at;
    char **argv;
    const struct cli_option *misused; /* an option that the verb does not take */
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

void cli_append(const char **list, const char *value)
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

static int unknown_option(const char *arg, struct diag *diag)
{
    const char *names[N_OPTIONS + 3] = {"--help", "--version"};
    char hint[64];

    for (size_t i = 0; i < N_OPTIONS; i++)
        names[i + 2] = options[i].name;
    return diag_fail(diag, DIAG_USAGE, "unknown option %s%s", arg,
                     diag_hint(hint, sizeof hint, arg, names));
}

static int apply(struct cli *cli, const char *name, const char *value, struct diag *diag)
{
    if (!strcmp(name, "--set"))
        cli_append(cli->sets, value);
    else if (!strcmp(name, "--sweep"))
        cli_append(cli->sweeps, value);
    else if (!strcmp(name, "--plugin-dir"))
        cli_append(cli->dirs, value);
    else if (!strcmp(name, "--label"))
        cli_append(cli->labels, value);
    else if (!strcmp(name, "--threads"))
        return set_threads(cli, value, diag);
    else if (!strcmp(name, "--quiet"))
        cli->result.quiet = true;
    else if (!strcmp(name, "--sweep-batch"))
        cli->sweep_batch = true;
    else if (!strcmp(name, "--all-points"))
        cli->all_points = true;
    else if (!strcmp(name, "--stage-only"))
        cli->stage_only = true;
    else if (!strcmp(name, "--latency"))
        cli->latency = true;
    else if (!strcmp(name, "--cxx"))
        cli->cxx = true;
    else if (!strcmp(name, "--cuda"))
        cli->cuda = true;
    else if (!strcmp(name, "--ber"))
        cli->ber = true;
    else if (!strcmp(name, "--stats"))
        cli->stats = true;
    else if (!strcmp(name, "--doctor"))
        cli->doctor = true;
    else if (!strcmp(name, "--guides"))
        cli->guides = true;
    else
        *(!strcmp(name, "--backend")    ? &cli->session.pipeline.backend
          : !strcmp(name, "--json")     ? &cli->result.json
          : !strcmp(name, "--preset")   ? &cli->preset_name
          : !strcmp(name, "--csv")      ? &cli->result.csv
          : !strcmp(name, "--html")     ? &cli->result.html
          : !strcmp(name, "--stage")    ? &cli->stage
          : !strcmp(name, "--rate")     ? &cli->rates
          : !strcmp(name, "--seconds")  ? &cli->seconds
          : !strcmp(name, "--a")        ? &cli->a
          : !strcmp(name, "--b")        ? &cli->b
          : !strcmp(name, "--accept")   ? &cli->accept
          : !strcmp(name, "--fer")      ? &cli->fer
          : !strcmp(name, "--journal")  ? &cli->journal
          : !strcmp(name, "--shard")    ? &cli->shard
          : !strcmp(name, "--replay")   ? &cli->replay
          : !strcmp(name, "--dump")     ? &cli->dump
          : !strcmp(name, "-o")         ? &cli->output
          : !strcmp(name, "--restrict") ? &cli->restrict_to
          : !strcmp(name, "--gp")       ? &cli->gp
          : !strcmp(name, "--title")    ? &cli->title
          : !strcmp(name, "--xrange")   ? &cli->xrange
          : !strcmp(name, "--yrange")   ? &cli->yrange
          : !strcmp(name, "--size")     ? &cli->size
          : !strcmp(name, "--group")    ? &cli->group
                                        : &cli->batches) = value;
    return 0;
}

static int parse_option(struct cli *cli, struct args *args, struct diag *diag)
{
    const char *arg = args->argv[args->at], *value = NULL;

    if (!strcmp(arg, "--help") || !strcmp(arg, "-h"))
        return cli->help = true, 0;
    for (size_t i = 0; i < N_OPTIONS; i++) {
        if (cli_is_flag(&options[i]) && strcmp(arg, options[i].name))
            continue;
        if (!cli_is_flag(&options[i]) && take(args, options[i].name, &value, diag))
            return -1;
        if (!value && !cli_is_flag(&options[i]))
            continue;
        if (!cli_takes(cli->verb, &options[i]) && !args->misused)
            args->misused = &options[i];
        return apply(cli, options[i].name, value, diag);
    }
    return unknown_option(arg, diag);
}

/* The preset's pipeline is the text of a file of that name. */
int cli_use_preset(struct cli *cli, const char *name, struct diag *diag)
{
    if (cli->operand)
        return diag_fail(diag, DIAG_USAGE, "%s: --preset %s or `%s`, not both", cli->verb, name,
                         cli->operand);
    cli->preset = calloc(1, sizeof *cli->preset);
    if (!cli->preset)
        return diag_no_memory(diag);
    if (preset_make(cli->preset, name, diag))
        return -1;
    cli->operand = name;
    cli->session.pipeline.text = cli->preset->text;
    cli->session.pipeline.text_size = strlen(cli->preset->text);
    return 0;
}

/* A page is read from the lines of a file. */
static int check_page(const struct cli *cli, struct diag *diag)
{
    const char *html = cli->result.html;

    if (!html)
        return 0;
    if (cli->doctor || cli->replay || cli->latency)
        return diag_fail(diag, DIAG_USAGE, "--html: cannot be combined with --%s",
                         cli->doctor   ? "doctor"
                         : cli->replay ? "replay"
                                       : "latency");
    if (cli->result.json && !strcmp(cli->result.json, "-"))
        return diag_fail(diag, DIAG_USAGE, "--html %s: needs --json to be a file, or left out",
                         html);
    if (!strcmp(html, "-"))
        return diag_fail(diag, DIAG_USAGE, "--html -: must be a file that ends in .html");
    return page_check_name("--html", html, diag);
}

static int check_use(struct cli *cli, const struct verb *verb, const struct cli_option *misused,
                     struct diag *diag)
{
    if (cli->help)
        return 0;
    if (misused)
        return diag_fail(diag, DIAG_USAGE, "%s: %s belongs to %s", cli->verb, misused->name,
                         misused->verbs);
    if (cli->preset_name && cli_use_preset(cli, cli->preset_name, diag))
        return -1;
    if (verb->operand && *verb->operand != '[' && !cli->operand)
        return diag_fail(diag, DIAG_USAGE, "%s: needs %s", cli->verb, verb->operand);
    if (!verb->operand && cli->operand)
        return diag_fail(diag, DIAG_USAGE, "%s: takes no argument `%s`", cli->verb, cli->operand);
    cli->result.label = cli->n_operands == 1 ? cli->operand : NULL;
    if (cli->preset_name)
        cli->result.label = cli->preset_name;
    if (check_page(cli, diag))
        return -1;
    return cli_check_within(cli, diag) || cli_check_files(cli, NULL, NULL, diag) ? -1 : 0;
}

/* "DIR..." */
static bool takes_many(const struct verb *verb)
{
    const size_t n = verb->operand ? strlen(verb->operand) : 0;

    return n > 3 && !strcmp(verb->operand + n - 3, "...");
}

int cli_begin(struct cli *cli, const struct verb *verb, int argc, struct diag *diag)
{
    cli->verb = verb->name;
    cli->operand_kind = verb->operand;
    cli->sets = calloc((size_t)argc + 1, sizeof *cli->sets);
    cli->sweeps = calloc((size_t)argc + 1, sizeof *cli->sweeps);
    cli->dirs = calloc((size_t)argc + 1, sizeof *cli->dirs);
    cli->operands = calloc((size_t)argc + 1, sizeof *cli->operands);
    cli->labels = calloc((size_t)argc + 1, sizeof *cli->labels);
    cli->session.pipeline.sets = cli->sets;
    cli->session.pipeline.sweeps = cli->sweeps;
    cli->session.registry.dirs = cli->dirs;
    cli->session.registry.quarantine = hanging_quarantine();
    cli->session.warn = warnings_add;
    cli->session.warn_data = &cli->warnings;
    if (!cli->sets || !cli->sweeps || !cli->dirs || !cli->operands || !cli->labels)
        return diag_fail(diag, DIAG_RUN, "out of memory");
    return 0;
}

int cli_parse(struct cli *cli, const struct verb *verb, int argc, char **argv, struct diag *diag)
{
    struct args args = {.argc = argc, .argv = argv, .at = 2};

    if (cli_begin(cli, verb, argc, diag))
        return -1;
    for (; args.at < argc; args.at++) {
        const char *arg = argv[args.at];
        if (arg[0] == '-' && arg[1]) {
            if (parse_option(cli, &args, diag))
                return -1;
        } else if (cli->operand && !takes_many(verb)) {
            return diag_fail(diag, DIAG_USAGE, "%s: one argument only, not also `%s`", cli->verb,
                             arg);
        } else {
            cli->operand = cli->operand ? cli->operand : arg;
            cli->operands[cli->n_operands++] = arg;
        }
    }
    return check_use(cli, verb, args.misused, diag);
}

void cli_free(struct cli *cli)
{
    warnings_free(&cli->warnings);
    free(cli->sets);
    free(cli->sweeps);
    free(cli->dirs);
    free(cli->labels);
    free(cli->operands);
    free(cli->preset);
    free(cli->restricted);
}

int cli_one_device(const struct session *session, const char *what, struct diag *diag)
{
    const char *common = session->pipeline->backend;

    if (!common || !backend_names_several(common))
        return 0;
    return diag_fail_at(diag, DIAG_USAGE, session->pipeline->backend_mark,
                        "backend: `%s` names several devices; %s runs on one", common, what);
}
