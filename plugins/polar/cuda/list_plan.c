/* SPDX-License-Identifier: BSD-2-Clause */
/* The steps of list.h for a code. */
#include "plugins/polar/cuda/list.h"

#include "plugins/polar/cuda/nodes.h"

struct walk {
    struct polar_list_job *job;
    struct polar_list_step *step;
    struct polar_nodes nodes;
};

static struct polar_list_step *add(struct walk *w, enum polar_list_op op, uint32_t stage,
                                   uint32_t at)
{
    struct polar_list_step *step = &w->step[w->job->n_steps++];

    *step = (struct polar_list_step){
        .op = (uint8_t)op, .stage = (uint8_t)stage, .at = (uint16_t)at};
    return step;
}

static uint32_t forks_of(enum polar_node node, uint32_t size, uint32_t paths)
{
    const uint32_t bits = node == NODE_RATE1 ? size : node == NODE_SPC ? size - 1 : 0;

    return node == NODE_REP ? 1 : bits < paths - 1 ? bits : paths - 1;
}

static void walk(struct walk *w, uint32_t stage, uint32_t at)
{
    const enum polar_node node = polar_node_of(&w->nodes, stage, at);
    const uint32_t half = stage ? 1u << (stage - 1) : 0;

    if (node != NODE_SPLIT) {
        struct polar_list_step *leaf = add(w, LIST_LEAF, stage, at);

        leaf->node = (uint8_t)node;
        leaf->forks = (uint16_t)forks_of(node, 1u << stage, w->job->paths);
        return;
    }
    if (stage - 1 != LIST_TOP_STAGE)
        add(w, LIST_F, stage - 1, at);
    walk(w, stage - 1, at);
    if (stage - 1 != LIST_TOP_STAGE)
        add(w, LIST_G, stage - 1, at + half);
    walk(w, stage - 1, at + half);
    add(w, LIST_COMBINE, stage - 1, at);
}

/* A tree of 2 N - 1 nodes: a leaf, or two steps to its children and one behind them. */
uint32_t polar_list_most_steps(const struct polar_decode *d)
{
    return 4 * (d->code->n < POLAR_LEAST_N ? POLAR_LEAST_N : d->code->n);
}

const char *polar_list_plan(const struct polar_decode *d, struct polar_list_job *job,
                            struct polar_list_step *step)
{
    struct walk w = {.job = job, .step = step};
    const char *problem = polar_nodes_fill(&w.nodes, d->code);

    if (problem)
        return problem;
    if (d->most_paths > LIST_MOST_PATHS)
        return "a list has at most 16 paths";
    if (polar_is_unpruned(d->list))
        return "no decoding bit by bit (pruning: none)";
    job->stages = w.nodes.stages;
    job->first = w.nodes.first;
    job->paths = d->most_paths;
    job->n_steps = 0;
    walk(&w, job->stages, 0);
    return NULL;
}
