/* SPDX-License-Identifier: BSD-2-Clause */
/* The steps of plan.h for a code: those of code/program.h, blocks of 64 positions made one. */
#include "plugins/polar/cuda/sc/plan.h"

#include "plugins/polar/cuda/nodes.h"

struct walk {
    struct polar_sc_job *job;
    struct polar_nodes nodes;
};

static struct polar_sc_step *add(struct walk *w, enum polar_sc_op op, uint32_t stage, uint32_t at)
{
    struct polar_sc_step *step = &w->job->step[w->job->n_steps++];

    *step = (struct polar_sc_step){.op = (uint8_t)op, .stage = (uint8_t)stage, .at = (uint16_t)at};
    return step;
}

static void fill_quarter(const struct walk *w, struct polar_sc_step *step, uint32_t quarter)
{
#define SC_PATTERN(mask) mask,
    static const uint16_t patterns[] = {SC_PATTERNS(SC_PATTERN)};
#undef SC_PATTERN
    uint32_t mask = 0;

    for (uint32_t i = 0; i < 16; i++)
        mask |= (uint32_t)w->nodes.free_bit[step->at + 16 * quarter + i] << i;
    step->mask[quarter] = (uint16_t)mask;
    step->quarter[quarter] = SC_NO_PATTERN;
    for (uint32_t i = 0; i < sizeof patterns / sizeof *patterns; i++)
        if (patterns[i] == mask)
            step->quarter[quarter] = (uint8_t)i;
}

static void add_block(struct walk *w, uint32_t at, enum polar_sc_op head)
{
    struct polar_sc_step *step = add(w, SC_BLOCK, SC_BLOCK_STAGE, at);

    step->head = (uint8_t)head;
    step->whole = (uint8_t)polar_node_of(&w->nodes, SC_BLOCK_STAGE, at);
    for (uint32_t i = 0; i < 2; i++)
        step->half[i] = (uint8_t)polar_node_of(&w->nodes, SC_BLOCK_STAGE - 1, at + 32 * i);
    for (uint32_t i = 0; i < 4; i++)
        fill_quarter(w, step, i);
}

/* LLRs of a node; those of a left child of 128 positions come with its parent's. */
static void add_head(struct walk *w, enum polar_sc_op head, uint32_t stage, uint32_t at)
{
    struct polar_sc_step *last = w->job->n_steps ? &w->job->step[w->job->n_steps - 1] : NULL;

    if (head == SC_F && stage == 7 && last && last->stage == 8 && last->op != SC_LOAD)
        last->with_left = 1;
    else
        add(w, head, stage, at);
}

/* wanted: x of the node, for its parent or brother. */
static void walk(struct walk *w, uint32_t stage, uint32_t at, enum polar_sc_op head, bool wanted)
{
    const uint32_t half = 1u << (stage - 1);
    const enum polar_node node = polar_node_of(&w->nodes, stage, at);
    bool frozen_left, frozen_right;

    if (stage == SC_BLOCK_STAGE) {
        add_block(w, at, head);
        return;
    }
    if (head != SC_LOAD)
        add_head(w, head, stage, at);
    if (node != NODE_SPLIT) {
        add(w, SC_LEAF, stage, at)->whole = (uint8_t)node;
        return;
    }
    frozen_left = polar_node_of(&w->nodes, stage - 1, at) == NODE_RATE0;
    frozen_right = polar_node_of(&w->nodes, stage - 1, at + half) == NODE_RATE0;
    if (!frozen_left)
        walk(w, stage - 1, at, SC_F, true);
    if (frozen_right)
        add(w, SC_LEAF, stage - 1, at + half)->whole = NODE_RATE0;
    else
        walk(w, stage - 1, at + half, frozen_left ? SC_G0 : SC_G, wanted);
    if (!wanted)
        return;
    if (frozen_left)
        add(w, SC_COPY, stage - 1, at);
    else if (!frozen_right)
        add(w, SC_COMBINE, stage - 1, at);
}

/* Compression as in Hacker's Delight 7-4: each bit is moved by the number of zeros below it. */
static struct polar_sc_pick make_pick(uint32_t mask)
{
    const uint32_t both = 0x10001u;
    struct polar_sc_pick pick = {.mask = mask * both, .count = (uint32_t)__builtin_popcount(mask)};
    uint32_t zeros = ~mask << 1 & 0xffff;

    for (uint32_t i = 0; i < 4; i++) {
        uint32_t odd = zeros, move;

        for (uint32_t shift = 1; shift < 16; shift *= 2)
            odd ^= odd << shift & 0xffff;
        move = odd & mask;
        mask = (mask ^ move) | move >> (1u << i);
        zeros &= ~odd;
        pick.move[i] = move * both;
    }
    return pick;
}

static void fill_picks(const struct polar_code *code, uint32_t first, struct polar_sc_job *job)
{
    uint32_t mask[SC_MOST_WORDS] = {0};

    job->ordered = 1;
    for (uint32_t i = 0; i < code->k; i++) {
        const uint32_t at = first + code->position[i];

        mask[at / 16] |= 1u << at % 16;
        if (i && code->position[i] < code->position[i - 1])
            job->ordered = 0;
    }
    for (uint32_t i = 0; i < SC_MOST_WORDS; i++)
        job->pick[i] = make_pick(mask[i]);
}

uint32_t polar_sc_fit(uint32_t stages, size_t shared)
{
    uint32_t warps = SC_MOST_WARPS;

    while (warps && polar_sc_shared(stages, warps) > shared)
        warps--;
    return warps;
}

const char *polar_sc_plan(const struct polar_decode *d, struct polar_sc_job *job)
{
    struct walk w = {.job = job};
    const char *problem = polar_nodes_fill(&w.nodes, d->code);

    if (problem)
        return problem;
    if (w.nodes.stages > SC_MOST_STAGES)
        return "N is at most 1024";
    if (d->code->parities)
        return "no code with parity bits";
    if (!(d->sc ? d->sc : d->list)->pruned)
        return "no decoding bit by bit (pruning: none)";
    job->stages = w.nodes.stages;
    job->n_steps = 0;
    if (job->stages < SC_MOST_STAGES)
        add(&w, SC_LOAD, job->stages, w.nodes.first);
    walk(&w, job->stages, 0, SC_LOAD, false);
    fill_picks(d->code, w.nodes.first, job);
    return NULL;
}
