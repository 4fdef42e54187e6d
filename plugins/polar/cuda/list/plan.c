/* SPDX-License-Identifier: BSD-2-Clause */
/* The steps of plan.h for a code, and its CRC. */
#include "plugins/polar/cuda/list/plan.h"

#include "plugins/polar/cuda/nodes.h"

_Static_assert(LIST_LEAF_WORDS * 32 == POLAR_MOST_LEAF, "leaves");

struct walk {
    struct polar_list_job *job;
    struct polar_list_step *step;
    struct polar_nodes nodes;
    uint16_t n_parities;
};

static uint32_t forks_of(enum polar_node node, uint32_t size, uint32_t paths)
{
    const uint32_t bits = node == NODE_RATE1 ? size : node == NODE_SPC ? size - 1 : 0;

    return node == NODE_REP ? 1 : bits < paths - 1 ? bits : paths - 1;
}

/* Is there nothing to do for a node that is no leaf? */
static bool is_silent(const struct polar_list_job *job, uint32_t stage)
{
    return stage == job->stages || (job->stages >= LIST_TOP_STAGES && stage == job->stages - 1);
}

/* Places of 2^stage positions from `at` on, stage at most 5. */
static uint32_t places_of(uint32_t stage, uint32_t at)
{
    const uint32_t words = (1u << stage) / 2;

    return (stage ? ((1u << words) - 1) * 0x10001u : 1) << polar_list_place(at);
}

static enum polar_list_source source_of(const struct polar_list_job *job, uint32_t stage,
                                        uint32_t at)
{
    if (stage >= job->stages)
        return LIST_GLOBAL;
    if (is_silent(job, stage))
        return at >> stage == 0 ? LIST_SHARED : LIST_TOP_RIGHT;
    return stage > 6 ? LIST_GLOBAL : LIST_SHARED;
}

static enum polar_list_stored stored_of(const struct polar_list_job *job, enum polar_node node,
                                        uint32_t stage, uint32_t at)
{
    if (is_silent(job, stage) || (stage < 5 && node != NODE_SPLIT))
        return LIST_NOT_STORED;
    if (stage >= 5 && !(at >> stage & 1) &&
        stored_of(job, NODE_SPLIT, stage + 1, at) == LIST_STORED_BOTH)
        return LIST_STORED_BEFORE;
    return stage > 5 && node == NODE_SPLIT ? LIST_STORED_BOTH : LIST_STORED;
}

static void add(struct walk *w, enum polar_node node, uint32_t stage, uint32_t at)
{
    const bool small = stage < 5;
    struct polar_list_step *const step = &w->step[w->job->n_steps++];

    *step = (struct polar_list_step){
        .right = (at >> stage & 1) != 0,
        .stage = (uint8_t)stage,
        .node = (uint8_t)node,
        .stored = (uint8_t)stored_of(w->job, node, stage, at),
        .at = (uint16_t)at,
        .forks = (uint16_t)forks_of(node, 1u << stage, w->job->paths),
        .places = small ? places_of(stage, at) : 0,
    };
    if (node == NODE_PARITY)
        step->forks = w->n_parities++;
    if (small) {
        step->left = (uint8_t)polar_list_place(at - (1u << stage));
        step->place = (uint8_t)polar_list_place(at);
    } else {
        step->source = (uint8_t)source_of(w->job, stage, at);
        step->parent = (uint8_t)source_of(w->job, stage + 1, at);
    }
}

static void walk(struct walk *w, uint32_t stage, uint32_t at)
{
    const enum polar_node node = polar_node_of(&w->nodes, stage, at);
    struct polar_list_step *last;

    if (node != NODE_SPLIT || !is_silent(w->job, stage))
        add(w, node, stage, at);
    if (node != NODE_SPLIT)
        return;
    walk(w, stage - 1, at);
    walk(w, stage - 1, at + (1u << (stage - 1)));
    last = &w->step[w->job->n_steps - 1];
    if (stage > 5)
        last->far++;
    else
        last->near++;
}

/* A tree of 2 N - 1 nodes. */
uint32_t polar_list_most_steps(const struct polar_decode *d)
{
    return 2 * (d->code->n < POLAR_LEAST_N ? POLAR_LEAST_N : d->code->n);
}

uint32_t polar_list_fit(uint32_t rows, size_t shared)
{
    const size_t warps = shared / (rows * LIST_ROW * sizeof(uint32_t));

    return warps < LIST_MOST_WARPS ? (uint32_t)warps : LIST_MOST_WARPS;
}

const char *polar_list_plan(const struct polar_decode *d, uint32_t paths,
                            struct polar_list_job *job, struct polar_list_step *step)
{
    struct walk w = {.job = job, .step = step};
    const char *problem = polar_nodes_fill(&w.nodes, d->code);

    if (problem)
        return problem;
    if (d->code->parities > LIST_MOST_PARITIES)
        return "at most 3 parity bits";
    if (!(d->list ? d->list : d->sc)->pruned)
        return "no decoding bit by bit (pruning: none)";
    job->stages = w.nodes.stages;
    job->first = w.nodes.first;
    job->paths = paths;
    job->n_steps = 0;
    walk(&w, job->stages, 0);
    return NULL;
}

/* The lists of the program's checks: both number them by position. */
void polar_list_parity_fill(const struct polar_decode *d, struct polar_list_job *job,
                            uint32_t *mask)
{
    const struct polar_program *p = d->list ? d->list : d->sc;
    uint32_t *word = mask;

    memset(mask, 0, LIST_PARITY_WORDS * sizeof *mask);
    job->parity = mask;
    for (uint32_t i = 0; i < p->n_steps; i++) {
        if (p->step[i].op != POLAR_CHECK)
            continue;
        for (uint32_t j = 0; j < p->step[i].length; j++) {
            const uint32_t at = job->first + p->check[p->step[i].list + j];

            word[at / 32] |= 1u << polar_list_place(at);
        }
        word += (1u << job->stages) / 32;
    }
}

/* ---- The CRC of a message as sums of bits of x --------------------------------------------------- */

/*
 * part[i]: what bit i of u adds to the register behind the last bit. Then the same of bits of x: u is
 * x G, so bit j of x is in all those of u whose number has no ones that j lacks.
 */
static void find_parts(const struct polar_decode *d, uint32_t stages, uint32_t first,
                       uint32_t *part)
{
    uint32_t state = polar_crc_step(&d->crc, 0, 1);

    for (uint32_t i = d->code->k; i-- > 0;) {
        part[first + d->code->position[i]] = state;
        state = polar_crc_step(&d->crc, state, 0);
    }
    for (uint32_t h = 1; h < 1u << stages; h *= 2)
        for (uint32_t j = 0; j < 1u << stages; j++)
            if (j & h)
                part[j] ^= part[j ^ h];
}

void polar_list_crc_fill(const struct polar_decode *d, struct polar_list_job *job, uint32_t *mask)
{
    uint32_t part[1 << NODES_MOST_STAGES] = {0}, start = d->crc.start;
    const uint32_t bits = (d->crc.width + LIST_CRC_BITS - 1) / LIST_CRC_BITS * LIST_CRC_BITS;

    memset(mask, 0, LIST_MASK_WORDS * sizeof *mask);
    job->crc = (struct polar_list_crc){.bits = bits, .mask = mask};
    if (!d->crc.width)
        return;
    for (uint32_t i = 0; i < d->code->k; i++)
        start = polar_crc_step(&d->crc, start, 0);
    job->crc.target = start ^ d->crc.rest;
    find_parts(d, job->stages, job->first, part);
    for (uint32_t j = 0; j < 1u << job->stages; j++)
        for (uint32_t bit = 0; bit < d->crc.width; bit++)
            mask[(j / 128 * bits + bit) * 4 + j / 32 % 4] |= (part[j] >> bit & 1)
                                                             << polar_list_place(j);
}
