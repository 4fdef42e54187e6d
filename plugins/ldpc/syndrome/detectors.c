/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * source.detectors: shots of a detector error model. Each column happens with its probability.
 *
 * Columns are in groups of probabilities within a factor of two, most likely first. A group goes from one candidate to
 * the next as if each column had the group's largest probability P: with a random word u in (0, 1) it leaves out
 * floor(ln(u) / ln(1 - P)) columns. A candidate of a smaller probability p is kept if its own word is below p / P.
 * The words of a frame are those of its number (<fecrun/sdk/rng.h>), in a row.
 */
#include <fecrun/sdk/rng.h>
#include <fecrun/sdk/stage.h>
#include <math.h>

#include "plugins/ldpc/plugin.h"
#include "plugins/ldpc/syndrome/dem.h"
#include "plugins/ldpc/syndrome/exact.h"

enum { GROUPS = 64, BLOCKS = 16, WORDS = BLOCKS * FECRUN_RNG_BLOCK };

enum { P_PATH };

enum port { DETECTORS, OBSERVABLES, ERROR, PORTS };

struct group {
    uint32_t first, n; /* in col[] */
    double most;       /* P */
    double per_log;    /* 1 / -ln(1 - P); 0 if P is 1 */
};

struct detectors {
    struct ldpc_dem *dem;
    uint32_t *col; /* by groups */
    struct group group[GROUPS];
};

struct words {
    struct fecrun_rng rng;
    uint64_t frame;
    uint32_t block, at;
    uint32_t word[WORDS];
};

static void free_code(void *code)
{
    struct detectors *d = code;

    if (!d)
        return;
    ldpc_dem_free(d->dem);
    free(d->col);
    free(d);
}

static unsigned group_of(double p)
{
    int exponent;

    frexp(p, &exponent); /* from 2^(exponent - 1) on */
    return exponent > 0 ? 0 : exponent <= -(GROUPS - 2) ? GROUPS - 1 : (unsigned)(1 - exponent);
}

/* -ln(1 - p), in operations that are the same everywhere; p below 1. */
static double rate_of(double p)
{
    return p < 0x1p-14 ? p * (1 + p * (0.5 + p / 3)) : exact_minus_log(1 - p);
}

static int make_groups(struct detectors *d, struct fecrun_error *err)
{
    uint32_t n = 0;

    d->col = malloc(d->dem->cols * sizeof *d->col);
    if (!d->col)
        return fecrun_no_memory(err);
    for (unsigned g = 0; g < GROUPS; g++) {
        struct group *group = &d->group[g];

        group->first = n;
        for (uint32_t j = 0; j < d->dem->cols; j++)
            if (group_of(d->dem->p[j]) == g) {
                d->col[n++] = j;
                group->most = d->dem->p[j] > group->most ? d->dem->p[j] : group->most;
            }
        group->n = n - group->first;
        if (group->n && group->most < 1)
            group->per_log = 1 / rate_of(group->most);
    }
    return 0;
}

static void set_output(struct fecrun_frame *out, uint64_t items, uint64_t info_bits)
{
    out->kind = FECRUN_KIND_BITS;
    out->type = FECRUN_PACKED;
    out->items = items;
    out->info_bits = info_bits;
}

static int plan(const struct fecrun_host *host, const struct fecrun_values *values,
                const struct fecrun_frame *const in[], struct fecrun_frame *const out[],
                struct fecrun_plan *result, struct fecrun_error *err)
{
    struct detectors *d = calloc(1, sizeof *d);

    (void)host;
    (void)in;
    if (!d)
        return fecrun_no_memory(err);
    d->dem = ldpc_dem_read(fecrun_value(values, P_PATH)->s, err);
    if (d->dem && !d->dem->observables)
        fecrun_fail(err, "path", "%s: has no observable (L0)", fecrun_value(values, P_PATH)->s);
    if (!d->dem || !d->dem->observables || make_groups(d, err)) {
        free_code(d);
        return -1;
    }
    result->code = d;
    set_output(out[DETECTORS], d->dem->detectors, d->dem->observables);
    set_output(out[OBSERVABLES], d->dem->observables, d->dem->observables);
    set_output(out[ERROR], d->dem->cols, d->dem->observables);
    snprintf(result->note, sizeof result->note, "%u detectors, %u observables, %u errors",
             d->dem->detectors, d->dem->observables, d->dem->cols);
    return 0;
}

static uint32_t next_word(struct words *w)
{
    if (w->at == WORDS) {
        fecrun_rng_words(&w->rng, w->frame, w->block, w->word, BLOCKS);
        w->block += BLOCKS;
        w->at = 0;
    }
    return w->word[w->at++];
}

/* In (0, 1). */
static double next_uniform(struct words *w)
{
    return (next_word(w) + 0.5) * 0x1p-32;
}

/* Columns that are left out; at most `most`. */
static uint32_t next_skip(struct words *w, double per_log, uint32_t most)
{
    const double skip = exact_minus_log(next_uniform(w)) * per_log;

    return skip < most ? (uint32_t)skip : most;
}

struct rows {
    uint8_t *row[PORTS]; /* NULL: not wanted */
    uint32_t type;
};

static void happen(const struct ldpc_dem *dem, uint32_t col, const struct rows *rows)
{
    for (uint32_t k = dem->first[col]; rows->row[DETECTORS] && k < dem->flips[col]; k++)
        ldpc_dem_flip(rows->row[DETECTORS], rows->type, dem->target[k]);
    for (uint32_t k = dem->flips[col]; rows->row[OBSERVABLES] && k < dem->first[col + 1]; k++)
        ldpc_dem_flip(rows->row[OBSERVABLES], rows->type, dem->target[k]);
    if (rows->row[ERROR])
        ldpc_dem_flip(rows->row[ERROR], rows->type, col);
}

static void draw_group(const struct detectors *d, const struct group *group, struct words *w,
                       const struct rows *rows)
{
    uint32_t i = group->n ? next_skip(w, group->per_log, group->n) : 0;

    while (i < group->n) {
        const uint32_t col = d->col[group->first + i];
        const double p = d->dem->p[col];

        if (p == group->most || next_uniform(w) * group->most < p)
            happen(d->dem, col, rows);
        i++;
        i += next_skip(w, group->per_log, group->n - i);
    }
}

static int run(void *instance, const struct fecrun_call *call, const struct fecrun_view *const in[],
               struct fecrun_view *const out[], struct fecrun_error *err)
{
    const struct detectors *d = call->codes[0];
    struct words w = {.rng = call->sim->rng};

    (void)instance;
    (void)in;
    (void)err;
    for (uint64_t f = 0; f < out[DETECTORS]->frames; f++) {
        struct rows rows = {.type = out[DETECTORS]->type};

        for (unsigned port = 0; port < PORTS; port++)
            if (out[port]) {
                rows.row[port] = fecrun_row(out[port], f);
                memset(rows.row[port], 0, fecrun_bytes(rows.type, out[port]->items));
            }
        w.frame = call->first_frame + f;
        w.block = 0;
        w.at = WORDS;
        for (unsigned g = 0; g < GROUPS; g++)
            draw_group(d, &d->group[g], &w, &rows);
    }
    return 0;
}

static const struct fecrun_param *const params[] = {
    FECRUN_PARAM(.name = "path", .type = FECRUN_VALUE_PATH, .flags = FECRUN_PARAM_REQUIRED,
                 .help = "detector error model of stim, a text file (.dem)"),
    NULL,
};

static const struct fecrun_backend *const backends[] = {
    FECRUN_BACKEND(FECRUN_REF(run),
                   .forms = FECRUN_FORMS(
                       FECRUN_FORM(FECRUN_OUT({.type = FECRUN_PACKED}, {.type = FECRUN_PACKED},
                                              {.type = FECRUN_PACKED})),
                       FECRUN_FORM(FECRUN_OUT({.type = FECRUN_U8}, {.type = FECRUN_U8},
                                              {.type = FECRUN_U8})))),
    NULL};

static const struct fecrun_port *const outputs[] = {
    FECRUN_PORT(.name = "syndrome", .kinds = FECRUN_KIND_BITS, .help = "bits of the detectors"),
    FECRUN_PORT(.name = "observables", .kinds = FECRUN_KIND_BITS, .flags = FECRUN_PORT_OPTIONAL,
                .help = "bits of the logical observables: what is flipped"),
    FECRUN_PORT(.name = "error", .kinds = FECRUN_KIND_BITS, .flags = FECRUN_PORT_OPTIONAL,
                .help = "bits of the columns: which happened"),
    NULL};

const struct fecrun_stage source_detectors_stage = {
    .size = sizeof source_detectors_stage,
    .name = "source.detectors",
    .role = FECRUN_ROLE_SOURCE,
    .flags = FECRUN_STAGE_RANDOM,
    .summary = "syndromes and observables of a detector error model",
    .params = params,
    .inputs = FECRUN_NO_PORTS,
    .outputs = outputs,
    .backends = backends,
    .plan = plan,
    .plan_free = free_code,
};
