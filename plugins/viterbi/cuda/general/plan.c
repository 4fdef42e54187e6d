/* SPDX-License-Identifier: BSD-2-Clause */
/* The host's part of the general decoder (plan.h): tiles of a thread block, and their memory. */
#include "plugins/viterbi/cuda/general/plan.h"

#include <stdio.h>
#include <string.h>

#include "plugins/viterbi/code/tiles_device.h"

enum {
    WARP = 32,
    WARP_CHUNK = 16,       /* as in steps.h */
    CHUNK_WORDS = 256,     /* branch metrics that a tile has at a time in the form `state` */
    BLOCK_RESERVED = 1024, /* shared memory that the system takes of each block, bytes */
    MOST_BLOCKS = 32,      /* of a multiprocessor */
    MOST_RESIDENT = 1024,  /* threads of a multiprocessor, for 64 registers each */
    MOST_WARP_TILES = 16,
    AUTO_WARP_TILES = 8, /* more wait for each other's trace-back */
    FEW_THREADS = 256    /* on a multiprocessor: better survivors far away than so few */
};

#define SCRATCH_LIMIT ((uint64_t)1 << 30) /* bytes, unless a single block wants more */

static uint32_t round_up(uint32_t words, uint32_t to)
{
    return (words + to - 1) / to * to;
}

static unsigned states_of_code(const struct viterbi_code *code)
{
    return 1u << (code->K - 1);
}

/* What does not depend on the tiles of a block. */
static void fill_work(struct viterbi_general *d)
{
    struct viterbi_general_work *w = &d->work;
    const struct viterbi_spec *spec = &d->spec;
    const size_t T = viterbi_frame_steps(spec);

    w->code = spec->code;
    w->steps = T;
    w->f = spec->f == 0 ? T : viterbi_min(spec->f, T);
    w->v2 = spec->v2;
    w->f0 = spec->f0;
    w->states = states_of_code(&spec->code);
    w->start = spec->start;
    w->wrap_limit = spec->wrap_limit;
    w->circular = spec->termination == VITERBI_TAIL_BITING;
    w->wraps = viterbi_wraps_around(spec);
    w->share_bytes = viterbi_general_shares_bytes(spec);
    w->alternates = d->registers == 2 && !spec->is_float;
    w->threads = d->registers ? WARP : (uint32_t)viterbi_min(w->states, 1024);
    w->chunk = WARP_CHUNK;
    if (!d->registers && CHUNK_WORDS >> w->code.n < WARP_CHUNK)
        w->chunk = CHUNK_WORDS >> w->code.n;
    w->max_traces = spec->start == VITERBI_ANY ? 0 : (uint32_t)viterbi_tile_max_traces(spec);
    if (w->wraps)
        w->max_traces = 1;
}

/* Shared memory in words, apart from a region of survivors, which then begins at at_region. */
static uint32_t lay_out(struct viterbi_general *d, uint32_t tiles)
{
    struct viterbi_general_work *w = &d->work;

    w->tiles = tiles;
    w->at_bm = round_up(tiles * w->chunk * w->code.n, 4);
    w->at_metric = w->at_bm + round_up(tiles * (w->chunk << w->code.n), 4);
    w->at_flags = w->at_metric + (d->registers ? 0 : round_up(2 * tiles * w->states, 4));
    w->at_rows = w->at_flags + round_up(tiles, 4);
    w->at_region = w->at_rows + round_up(w->states / w->threads, 4);
    return w->at_region;
}

/* Form `warp`: the same step of 32 / registers tiles lies in different banks. */
static void lay_out_region(struct viterbi_general *d)
{
    struct viterbi_general_work *w = &d->work;
    const uint64_t steps = viterbi_tile_max_steps(&d->spec);

    if (d->registers) {
        w->step_words = d->registers;
        w->tile_words = (steps * d->registers + WARP - 1) / WARP * WARP + d->registers;
        w->states_at = w->tiles * w->tile_words;
    } else {
        w->step_words = (w->tiles * w->states + WARP - 1) / WARP;
        w->tile_words = 0;
        w->states_at = steps * w->step_words;
    }
    w->region_words = (w->states_at + (uint64_t)w->tiles * w->max_traces + 15) / 16 * 16;
}

/* Shared bytes of a block with that many tiles; both layouts are made. */
static uint64_t block_bytes(struct viterbi_general *d, uint32_t tiles, bool in_shared)
{
    const uint64_t words = lay_out(d, tiles);

    lay_out_region(d);
    return 4 * (words + (in_shared ? d->work.region_words : 0));
}

/* Blocks that run on a multiprocessor at the same time, about. */
static uint64_t resident(const struct viterbi_general *d,
                         const struct viterbi_general_config *config, uint64_t bytes)
{
    const uint32_t threads = d->work.tiles * d->work.threads;
    uint64_t blocks = viterbi_min(MOST_BLOCKS, config->limits.shared / (bytes + BLOCK_RESERVED));

    if (threads <= MOST_RESIDENT)
        blocks = viterbi_min(blocks, MOST_RESIDENT / threads);
    return bytes <= config->limits.shared_block ? blocks : 0;
}

/* Small tiles fill whole warps. */
static uint32_t least_tiles(const struct viterbi_general *d)
{
    return d->work.threads < WARP ? WARP / d->work.threads : 1;
}

static uint32_t most_tiles(const struct viterbi_general *d)
{
    if (d->registers)
        return MOST_WARP_TILES;
    return d->work.threads <= 1024 ? 1024 / d->work.threads : 1;
}

/*
 * Most resident tiles; a larger block, which traces back in fuller warps, may cost an eighth of
 * them. As long as there are tiles for all multiprocessors. Returns resident tiles; 0: not even the
 * least number fits.
 */
static uint64_t choose_tiles(struct viterbi_general *d, const struct viterbi_general_config *config,
                             bool in_shared, uint32_t *tiles)
{
    const uint32_t least = least_tiles(d);
    uint32_t most = d->registers ? AUTO_WARP_TILES : 256 / d->work.threads;
    uint64_t best = 0;

    most = most < least ? least : most;
    *tiles = least;
    for (uint32_t n = least; n <= most; n *= 2) {
        const uint64_t got = n * resident(d, config, block_bytes(d, n, in_shared));

        if (n > least && config->tiles &&
            config->tiles / n < 2 * (uint64_t)config->limits.processors)
            break;
        if (got && 8 * got >= 7 * best) {
            best = got;
            *tiles = n;
        }
    }
    return best;
}

static int fail(struct viterbi_general_problem *problem, const char *option)
{
    problem->option = option;
    return -1;
}

static int choose_form(struct viterbi_general *d, enum viterbi_general_form form,
                       struct viterbi_general_problem *problem)
{
    const unsigned K = d->spec.code.K;
    const bool fits = K >= 7 && K <= 9;

    if (form == VITERBI_GENERAL_WARP && !fits) {
        snprintf(problem->text, sizeof problem->text,
                 "warp is for constraint lengths 7 to 9, and this code has %u: use state or auto",
                 K);
        return fail(problem, "form");
    }
    d->registers = fits && form != VITERBI_GENERAL_STATE ? states_of_code(&d->spec.code) / WARP : 0;
    return 0;
}

/* Chooses *tiles and in_shared, as far as config does not say. */
static void choose_memory(struct viterbi_general *d, const struct viterbi_general_config *config,
                          uint32_t *tiles)
{
    uint32_t there = 0, here = 0;
    const uint64_t shared = choose_tiles(d, config, true, &here);
    const uint64_t global = choose_tiles(d, config, false, &there);

    d->in_shared = config->survivors == VITERBI_SURVIVORS_SHARED;
    if (config->survivors == VITERBI_SURVIVORS_AUTO)
        d->in_shared = shared > 0 &&
                       (shared * d->work.threads >= FEW_THREADS || shared >= global ||
                        (config->tiles && config->tiles <= shared * config->limits.processors));
    *tiles = d->in_shared ? here : there;
    if (config->frames) {
        *tiles = config->frames;
        if (config->survivors == VITERBI_SURVIVORS_AUTO &&
            block_bytes(d, *tiles, true) > config->limits.shared_block)
            d->in_shared = false;
    }
}

static int check_tiles(struct viterbi_general *d, const struct viterbi_general_config *config,
                       uint32_t tiles, struct viterbi_general_problem *problem)
{
    const uint32_t least = least_tiles(d), most = most_tiles(d);
    uint64_t bytes;

    if (tiles % least || tiles < least || tiles > most) {
        snprintf(problem->text, sizeof problem->text,
                 "is %u; a thread block takes multiples of %u up to %u tiles of this code", tiles,
                 least, most);
        return fail(problem, "frames");
    }
    bytes = block_bytes(d, tiles, d->in_shared);
    if (bytes > config->limits.shared_block) {
        snprintf(problem->text, sizeof problem->text,
                 "%u tiles of %zu steps in a thread block need %llu bytes of shared memory%s, and "
                 "the device has %zu",
                 tiles, viterbi_tile_max_steps(&d->spec), (unsigned long long)bytes,
                 d->in_shared ? " with their survivors" : "", config->limits.shared_block);
        return fail(problem, config->frames ? "frames" : d->in_shared ? "survivors" : NULL);
    }
    d->shared_bytes = (uint32_t)bytes;
    return 0;
}

static void set_limit(struct viterbi_general *d, const struct viterbi_general_config *config)
{
    const uint64_t bytes = 4 * d->work.region_words;
    uint64_t fit = SCRATCH_LIMIT / bytes;

    d->limit = 0x7fffffff;
    if (d->in_shared)
        return;
    d->limit = resident(d, config, d->shared_bytes) * config->limits.processors;
    fit = fit ? fit : 1;
    d->limit = d->limit > fit ? fit : d->limit ? d->limit : 1;
}

int viterbi_general_plan(struct viterbi_general *general, const struct viterbi_spec *spec,
                         const struct viterbi_general_config *config,
                         struct viterbi_general_problem *problem)
{
    uint32_t tiles = 0;

    memset(general, 0, sizeof *general);
    general->spec = *spec;
    if (choose_form(general, config->form, problem))
        return -1;
    fill_work(general);
    choose_memory(general, config, &tiles);
    if (check_tiles(general, config, tiles, problem))
        return -1;
    set_limit(general, config);
    snprintf(general->text, sizeof general->text, "%s, %u tiles a block, survivors in %s memory",
             general->registers ? "a warp a tile" : "a thread a state", tiles,
             general->in_shared ? "shared" : "global");
    return 0;
}

/* Each block of the grid has a tile at least. */
size_t viterbi_general_scratch(const struct viterbi_general *general, uint64_t tiles)
{
    if (general->in_shared)
        return 0;
    return 4 * general->work.region_words * viterbi_min(general->limit, tiles);
}

bool viterbi_general_shares_bytes(const struct viterbi_spec *spec)
{
    const size_t T = viterbi_frame_steps(spec), f = spec->f ? viterbi_min(spec->f, T) : T;

    if (viterbi_wraps_around(spec))
        return false;
    return (viterbi_frame_tiles(spec) > 1 && f % 8) || (spec->f0 && spec->f0 < f && spec->f0 % 8);
}

static uint32_t count_traces(const struct viterbi_general_work *w, const struct viterbi_tile *tile)
{
    if (w->wraps || w->f0 == 0)
        return 1;
    return (uint32_t)((tile->bits - 1) / w->f0 + 1);
}

void viterbi_general_set_groups(struct viterbi_general_work *work,
                                const struct viterbi_group *groups, size_t n)
{
    work->n_groups = (uint32_t)n;
    work->blocks = 0;
    for (size_t i = 0; i < n; i++) {
        work->group[i] = (struct viterbi_general_group){
            .tile = groups[i].tile,
            .first = groups[i].first,
            .row = groups[i].row,
            .skip = groups[i].skip,
            .items = groups[i].items,
            .first_block = work->blocks,
            .traces = count_traces(work, &groups[i].tile),
        };
        work->blocks += (groups[i].items + work->tiles - 1) / work->tiles;
    }
}
