/* SPDX-License-Identifier: BSD-2-Clause */
/* speed: how fast a device's decoders are, over codes and links drawn at random. See usage(). */
#include "bench/map/speed/speed.h"

#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "bench/map/trial.h"

static void usage(FILE *out)
{
    fprintf(
        out,
        "speed [OPTIONS]: draws cells (code, link, decoder setting, type, batch, compute "
        "capability), times\n"
        "the decoder alone, and reports the slowest first, by work a second\n"
        "  --seed S         of the cells (1)\n"
        "  --cells N        how many (300)\n"
        "  --cell N         this one alone\n"
        "  --part I/N       of the cells those whose number is I modulo N\n"
        "  --backend NAME   of the decoder (cuda)\n"
        "  --prepare        decode once, time nothing: kernels are compiled and in the cache then\n"
        "  --json FILE      a line a cell, when it is done\n"
        "  --from FILE      take speeds from lines of --json instead of a device, and check the "
        "error rates\n"
        "                   by simd or ref on the same frames\n"
        "  --effort S       of the check of a cell, about seconds of a core (0.5)\n"
        "  --page FILE      a page in Markdown\n"
        "  --plugin-dir DIR where plugins are\n"
        "  --print          pipelines of the cells, and nothing else\n"
        "Exit status: 0; 1: a cell has more errors than simd or ref, or could not be measured; 2: "
        "usage\n");
}

struct command {
    struct speed_options options;
    const char *from;
    bool prepare, print;
};

enum {
    SEED = 256,
    CELLS,
    CELL,
    PART,
    BACKEND,
    PREPARE,
    JSON,
    FROM,
    EFFORT,
    PAGE,
    PLUGIN_DIR,
    PRINT,
    HELP
};

static const struct option long_options[] = {{"seed", 1, NULL, SEED},
                                             {"cells", 1, NULL, CELLS},
                                             {"cell", 1, NULL, CELL},
                                             {"part", 1, NULL, PART},
                                             {"backend", 1, NULL, BACKEND},
                                             {"prepare", 0, NULL, PREPARE},
                                             {"json", 1, NULL, JSON},
                                             {"from", 1, NULL, FROM},
                                             {"effort", 1, NULL, EFFORT},
                                             {"page", 1, NULL, PAGE},
                                             {"plugin-dir", 1, NULL, PLUGIN_DIR},
                                             {"print", 0, NULL, PRINT},
                                             {"help", 0, NULL, HELP},
                                             {NULL, 0, NULL, 0}};

static double number(const char *option, const char *text, double least, double most)
{
    char *end;
    const double value = strtod(text, &end);

    if (end == text || *end || !(value >= least && value <= most)) {
        fprintf(stderr, "speed: --%s %s: must be a number from %g to %g\n", option, text, least,
                most);
        exit(2);
    }
    return value;
}

static void read_part(struct speed_options *o, const char *text)
{
    int end = 0;

    if (sscanf(text, "%u/%u%n", &o->part, &o->parts, &end) != 2 || text[end] || !o->parts ||
        o->part >= o->parts) {
        fprintf(stderr, "speed: --part %s: must be I/N, I from 0 to N - 1\n", text);
        exit(2);
    }
}

static void set(struct command *c, int option, const char *name, const char *text)
{
    struct speed_options *o = &c->options;

    switch (option) {
    case SEED:
        o->seed = (uint64_t)number(name, text, 0, 4294967295.0);
        break;
    case CELLS:
        o->cells = (unsigned)number(name, text, 1, 100000);
        break;
    case CELL:
        o->cell = (long)number(name, text, 0, 1999);
        break;
    case PART:
        read_part(o, text);
        break;
    case BACKEND:
        o->backend = text;
        break;
    case PREPARE:
        c->prepare = true;
        break;
    case JSON:
        o->json = text;
        break;
    case FROM:
        c->from = text;
        break;
    case EFFORT:
        o->effort = 1e9 * number(name, text, 0.001, 1000);
        break;
    case PAGE:
        o->page = text;
        break;
    case PLUGIN_DIR:
        trial_plugin_dir = text;
        break;
    case PRINT:
        c->print = true;
        break;
    case HELP:
        usage(stdout);
        exit(0);
    default:
        usage(stderr);
        exit(2);
    }
}

static void read_options(struct command *c, int argc, char **argv)
{
    int index = 0, option;

    while ((option = getopt_long(argc, argv, "", long_options, &index)) >= 0)
        set(c, option, option == '?' ? "" : long_options[index].name, optarg);
    if (optind < argc) {
        usage(stderr);
        exit(2);
    }
}

/* ---- Cells --------------------------------------------------------------------------------------- */

/* The cells that are asked for; their number. */
static unsigned draw_all(struct speed *all, const struct speed_options *o)
{
    const unsigned first = o->cell >= 0 ? (unsigned)o->cell : 0;
    const unsigned end = o->cell >= 0 ? first + 1 : o->cells;
    unsigned n = 0;

    for (unsigned i = first; i < end; i++) {
        char message[512];

        if (i % o->parts != o->part)
            continue;
        if (speed_find(&all[n].cell, o, i, message, sizeof message)) {
            fprintf(stderr, "speed: cell %u: none could be used; the last message: %s\n", i,
                    message);
            continue;
        }
        n++;
    }
    return n;
}

static int print_cell(const struct speed *s, const struct speed_options *o)
{
    char text[4096];

    if (speed_yaml(&s->cell, o->backend, text, sizeof text))
        return -1;
    printf("# cell %u, like %s, batch %u, %g %s\n%sbatch: %u\n", s->cell.cell.number,
           *s->cell.like ? s->cell.like : "9.0", s->cell.batch, s->cell.work,
           group_units[s->cell.group], text, s->cell.batch);
    return 0;
}

static int each(struct command *c, struct speed *all, unsigned n)
{
    const struct speed_options *o = &c->options;
    FILE *json = o->json ? fopen(o->json, "w") : NULL;
    int status = o->json && !json ? -1 : 0;

    for (unsigned i = 0; i < n && !status; i++) {
        if (c->print)
            status = print_cell(&all[i], o);
        else if (c->from)
            speed_check(&all[i], o);
        else if (c->prepare)
            speed_prepare(&all[i], o);
        else
            speed_measure(&all[i], o);
        if (json && !status)
            status = speed_write(json, &all[i]);
    }
    if (json && fclose(json))
        status = -1;
    return status;
}

static int finish(const struct command *c, const struct speed *all, unsigned n)
{
    unsigned wrong = 0;

    if (c->print)
        return 0;
    if (!c->prepare)
        speed_table(stdout, all, n);
    for (unsigned i = 0; i < n; i++)
        wrong += speed_is_wrong(&all[i]);
    if (c->options.page && speed_page(&c->options, all, n)) {
        fprintf(stderr, "speed: %s: %s\n", c->options.page, strerror(errno));
        return 1;
    }
    return wrong != 0;
}

int main(int argc, char **argv)
{
    static char command[200];
    struct command c = {.options = {.seed = 1,
                                    .cells = 300,
                                    .cell = -1,
                                    .parts = 1,
                                    .backend = "cuda",
                                    .effort = 5e8,
                                    .command = command}};
    struct speed *all;
    unsigned n;
    int status = 0;

#ifdef MAP_PLUGINS
    trial_plugin_dir = MAP_PLUGINS;
#endif
    trial_others = "simd"; /* no device for what is but planned or checked */
    read_options(&c, argc, argv);
    snprintf(command, sizeof command, "bench/map/speed/speed --seed %llu --cells %u --backend %s",
             (unsigned long long)c.options.seed, c.options.cells, c.options.backend);
    all = calloc(c.options.cells + 1, sizeof *all);
    if (!all)
        return 1;
    n = draw_all(all, &c.options);
    if (c.from)
        status = speed_read(c.from, all, n);
    if (!status && each(&c, all, n)) {
        fprintf(stderr, "speed: %s: %s\n", c.options.json ? c.options.json : "stdout",
                strerror(errno));
        status = 1;
    }
    status = status ? 1 : finish(&c, all, n);
    free(all);
    return status;
}
