/* SPDX-License-Identifier: BSD-2-Clause */
/* map: what decoders lose, over codes and links drawn at random. See usage(). */
#include "bench/map/map.h"

#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

struct work {
    const struct options *options;
    struct result **results;
    atomic_uint next, done;
    double end; /* by the clock; 0: none */
};

static double now(void)
{
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void usage(FILE *out)
{
    fprintf(
        out,
        "map [OPTIONS]: draws cells (code, link, LLRs, decoder setting), runs ref and other "
        "backends on the\n"
        "same frames and noise, and reports the worst\n"
        "  --seed S         of the cells (1)\n"
        "  --cells N        how many (60)\n"
        "  --cell N         this one alone\n"
        "  --family NAME    ldpc, turbo, polar or viterbi alone\n"
        "  --backend NAMES  with commas (simd, and cuda where there is a device); ref/iterations=5 "
        "and\n"
        "                   cuda/tune.overlap=16 are decoders with that parameter\n"
        "  --threads N      cells at a time (all CPUs); results do not depend on it\n"
        "  --effort S       of a cell, about seconds of a core (6)\n"
        "  --minutes M      no cell begins after them\n"
        "  --limit DB       of the loss against ref on the same LLRs (0.05)\n"
        "  --coarse DB      the same, of scales that doc/ calls too coarse (0.1)\n"
        "  --failed SHARE   of frames that are failed beyond ref's (0.005)\n"
        "  --iterations X   of the mean iterations over ref's (1.1)\n"
        "  --rows N         of the table (40), and those that are beyond a limit without a reason\n"
        "  --json FILE      a line a cell\n"
        "  --page FILE      a page in Markdown\n"
        "  --reasons FILE   lines PATTERN | REASON, see reasons.txt\n"
        "  --plugin-dir DIR where plugins are\n"
        "  --print          with --cell: its pipeline, of the first backend, and nothing else\n"
        "  --quiet          no table\n"
        "Exit status: 0; 1: cells are beyond a limit and have no reason, or failed; 2: usage\n");
}

/* ---- Options ---- */

static void fail_usage(const char *option, const char *text, const char *allowed)
{
    fprintf(stderr, "map: --%s %s: must be %s\n", option, text, allowed);
    exit(2);
}

static double number(const char *option, const char *text, double least, double most)
{
    char *end, allowed[80];
    const double value = strtod(text, &end);

    if (end == text || *end || !(value >= least && value <= most)) {
        snprintf(allowed, sizeof allowed, "a number from %g to %g", least, most);
        fail_usage(option, text, allowed);
    }
    return value;
}

static enum family family_of(const char *text)
{
    for (enum family f = 0; f < FAMILIES; f++)
        if (!strcmp(text, family_names[f]))
            return f;
    fail_usage("family", text, "ldpc, turbo, polar or viterbi");
    return FAMILIES;
}

static void split_backends(struct options *options, char *names)
{
    char *rest = names;

    options->n_backends = 0;
    for (char *name; (name = strtok_r(rest, ",", &rest));) {
        if (options->n_backends == MAP_BACKENDS)
            fail_usage("backend", name, "one of four at most");
        options->backend[options->n_backends++] = name;
    }
}

enum {
    SEED = 256,
    CELLS,
    CELL,
    FAMILY,
    BACKEND,
    THREADS,
    EFFORT,
    MINUTES,
    LIMIT,
    COARSE,
    FAILED,
    ITERATIONS,
    ROWS,
    JSON,
    PAGE,
    REASONS,
    PLUGIN_DIR,
    PRINT,
    QUIET,
    HELP
};

static const struct option long_options[] = {{"seed", 1, NULL, SEED},
                                             {"cells", 1, NULL, CELLS},
                                             {"cell", 1, NULL, CELL},
                                             {"family", 1, NULL, FAMILY},
                                             {"backend", 1, NULL, BACKEND},
                                             {"threads", 1, NULL, THREADS},
                                             {"effort", 1, NULL, EFFORT},
                                             {"minutes", 1, NULL, MINUTES},
                                             {"limit", 1, NULL, LIMIT},
                                             {"coarse", 1, NULL, COARSE},
                                             {"failed", 1, NULL, FAILED},
                                             {"iterations", 1, NULL, ITERATIONS},
                                             {"rows", 1, NULL, ROWS},
                                             {"json", 1, NULL, JSON},
                                             {"page", 1, NULL, PAGE},
                                             {"reasons", 1, NULL, REASONS},
                                             {"plugin-dir", 1, NULL, PLUGIN_DIR},
                                             {"print", 0, NULL, PRINT},
                                             {"quiet", 0, NULL, QUIET},
                                             {"help", 0, NULL, HELP},
                                             {NULL, 0, NULL, 0}};

static void set_number(struct options *o, int option, const char *name, const char *text)
{
    switch (option) {
    case SEED:
        o->seed = (uint64_t)number(name, text, 0, 0x1p53);
        break;
    case CELLS:
        o->cells = (unsigned)number(name, text, 1, 1e6);
        break;
    case CELL:
        o->cell = (long)number(name, text, 0, 1e6);
        break;
    case THREADS:
        o->threads = (unsigned)number(name, text, 1, 1024);
        break;
    case EFFORT:
        o->effort = 1e9 * number(name, text, 0.01, 1e5);
        break;
    case MINUTES:
        o->minutes = number(name, text, 0, 1e5);
        break;
    case LIMIT:
        o->limits.loss = number(name, text, -100, 100);
        break;
    case COARSE:
        o->limits.coarse = number(name, text, -100, 100);
        break;
    case FAILED:
        o->limits.failed = number(name, text, 0, 1);
        break;
    case ITERATIONS:
        o->limits.iterations = number(name, text, 1, 100);
        break;
    case ROWS:
        o->rows = (unsigned)number(name, text, 0, 1e6);
        break;
    }
}

static void set_option(struct options *o, int option, const char *name, char *text)
{
    switch (option) {
    case FAMILY:
        o->family = family_of(text);
        break;
    case BACKEND:
        split_backends(o, text);
        break;
    case JSON:
        o->json = text;
        break;
    case PAGE:
        o->page = text;
        break;
    case REASONS:
        o->reasons = text;
        break;
    case PLUGIN_DIR:
        trial_plugin_dir = text;
        break;
    case PRINT:
        o->print = true;
        break;
    case QUIET:
        o->quiet = true;
        break;
    case HELP:
        usage(stdout);
        exit(0);
    case '?':
        exit(2);
    default:
        set_number(o, option, name, text);
    }
}

static void read_options(struct options *o, int argc, char **argv)
{
    int option, at = 0;

    while ((option = getopt_long(argc, argv, "", long_options, &at)) != -1)
        set_option(o, option, long_options[at].name, optarg);
    if (optind < argc) {
        fprintf(stderr, "map: %s: no such argument; map --help lists what there is\n",
                argv[optind]);
        exit(2);
    }
    if (o->print && o->cell < 0) {
        fprintf(stderr, "map: --print: needs --cell\n");
        exit(2);
    }
}

/* ---- Work ---- */

static bool has_device(void)
{
    const struct cell cell = {.family = FAMILY_VITERBI,
                              .stage = "conv",
                              .code = "code: ieee80211",
                              .bits = 40,
                              .n_sent = 1,
                              .sent = {{0, -1}},
                              .qm = 1,
                              .coded = 92,
                              .word = 92,
                              .llr = LLR_I8,
                              .scale = 1};
    const struct variant variant = {.backend = "cuda", .quantized = true};
    struct fecrun_message message = {.size = sizeof message};
    struct trial trial;

    if (trial_open(&trial, &cell, &variant, &message))
        return false;
    trial_close(&trial);
    return true;
}

/* What the user did not choose. Beside a device the trials of other backends stay off it. */
static void set_backends(struct options *options, char *command, size_t size)
{
    const bool device = has_device(), chosen = options->n_backends;

    for (unsigned b = 0; b < options->n_backends; b++)
        snprintf(command + strlen(command), size - strlen(command), "%s%s", b ? "," : " --backend ",
                 options->backend[b]);

    if (device)
        trial_others = "ref";
    if (!chosen)
        options->backend[options->n_backends++] = "simd";
    if (!chosen && device)
        options->backend[options->n_backends++] = "cuda";
}

static void *run(void *data)
{
    struct work *work = data;
    const struct options *o = work->options;
    unsigned i;

    while ((i = atomic_fetch_add(&work->next, 1)) < o->cells) {
        struct result *result;
        unsigned done;

        if (work->end > 0 && now() > work->end)
            break;
        if (!(result = malloc(sizeof *result)))
            break;
        measure_cell(result, o, o->cell < 0 ? i : (unsigned)o->cell);
        work->results[i] = result;
        done = atomic_fetch_add(&work->done, 1) + 1;
        if (!o->quiet && o->cell < 0 && (done % 20 == 0 || done == o->cells))
            fprintf(stderr, "map: %u of %u cells\n", done, o->cells);
    }
    return NULL;
}

static void run_all(struct work *work)
{
    const unsigned n = work->options->threads < work->options->cells ? work->options->threads
                                                                     : work->options->cells;
    pthread_t *threads = calloc(n, sizeof *threads);
    pthread_attr_t attributes;
    unsigned started = 0;

    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, 4 << 20); /* whatever `ulimit -s` says */
    while (threads && started + 1 < n && !pthread_create(&threads[started], &attributes, run, work))
        started++;
    run(work);
    for (unsigned i = 0; i < started; i++)
        pthread_join(threads[i], NULL);
    pthread_attr_destroy(&attributes);
    free(threads);
}

/* ---- The end ---- */

static int print_pipeline(const struct options *o, const struct result *result)
{
    const struct variant variant = {.esn0_db = result->point[0].esn0_db,
                                    .quantized = true,
                                    .backend = o->n_backends ? o->backend[0] : "ref"};
    char text[4096];

    if (result->status) {
        fprintf(stderr, "map: cell %u: %s\n", result->cell.number, result->error);
        return 1;
    }
    cell_yaml(&result->cell, &variant, (unsigned)result->point[0].ref.frames, text, sizeof text);
    fputs(text, stdout);
    return 0;
}

static int write_failed(const char *path)
{
    fprintf(stderr, "map: %s: %s\n", path, strerror(errno));
    return 1;
}

/* Cells that were not begun leave no gap. */
static unsigned gather(struct result **results, unsigned n)
{
    unsigned kept = 0;

    for (unsigned i = 0; i < n; i++) {
        struct result *result = results[i];

        results[i] = NULL;
        if (result)
            results[kept++] = result;
    }
    return kept;
}

static int finish(struct work *work)
{
    const struct options *o = work->options;
    const unsigned n = gather(work->results, o->cells);
    int status;

    if (o->print)
        return n ? print_pipeline(o, work->results[0]) : 1;
    status = report_table(stdout, o, work->results, n) ? 1 : 0;
    if (o->json && report_json(o, work->results, n))
        status = write_failed(o->json);
    if (o->page && report_page(o, work->results, n))
        status = write_failed(o->page);
    return status;
}

static int measure_all(struct work *work)
{
    const struct options *o = work->options;
    int status;

    work->end = o->minutes > 0 ? now() + 60 * o->minutes : 0;
    run_all(work);
    status = finish(work);
    for (unsigned i = 0; i < o->cells; i++)
        free(work->results[i]);
    return status;
}

int main(int argc, char **argv)
{
    static char command[300] = "bench/map/map";
    struct options o = {.seed = 1,
                        .cells = 60,
                        .cell = -1,
                        .family = FAMILIES,
                        .effort = 6e9,
                        .rows = 40,
                        .limits = {0.05, 0.1, 0.005, 1.1},
                        .command = command};
    struct work work = {.options = &o};
    int status;

#ifdef MAP_PLUGINS
    trial_plugin_dir = MAP_PLUGINS;
#endif
    read_options(&o, argc, argv);
    if (o.cell >= 0)
        o.cells = 1;
    if (!o.threads)
        o.threads = (unsigned)sysconf(_SC_NPROCESSORS_ONLN);
    set_backends(&o, command, sizeof command);
    if (o.family != FAMILIES)
        snprintf(command + strlen(command), sizeof command - strlen(command), " --family %s",
                 family_names[o.family]);
    snprintf(command + strlen(command), sizeof command - strlen(command), " --effort %g",
             o.effort * 1e-9);
    work.results = calloc(o.cells, sizeof(struct result *));
    status = work.results && !reasons_read(o.reasons) ? measure_all(&work) : 2;
    free(work.results);
    reasons_free();
    return status;
}
