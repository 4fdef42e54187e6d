/* SPDX-License-Identifier: BSD-2-Clause */
/* What the nodes of a code's tree are, by the rules of code/program.c. */
#ifndef POLAR_CUDA_NODES_H
#define POLAR_CUDA_NODES_H

#include "plugins/polar/cuda/frames.h"
#include "plugins/polar/decode.h"

enum { NODES_MOST_STAGES = 12 };

struct polar_nodes {
    uint32_t stages; /* at least 6: a shorter code stands at the end of 64 positions */
    uint32_t first;  /* where it begins */
    uint8_t free_bit[1 << NODES_MOST_STAGES], parity[1 << NODES_MOST_STAGES]; /* is it one? */
};

/* NULL, or why this code has no kernel. */
static inline const char *polar_nodes_fill(struct polar_nodes *nodes, const struct polar_code *code)
{
    if (code->stages > NODES_MOST_STAGES)
        return "N is at most 4096 (shared memory)";
    *nodes = (struct polar_nodes){.stages = code->n < POLAR_LEAST_N ? 6 : code->stages};
    nodes->first = (1u << nodes->stages) - code->n;
    for (uint32_t i = 0; i < code->n; i++)
        nodes->free_bit[nodes->first + i] = code->kind[i] == POLAR_MESSAGE;
    for (uint32_t i = 0; i < code->n; i++)
        nodes->parity[nodes->first + i] = code->kind[i] == POLAR_PARITY;
    return NULL;
}

static inline enum polar_node polar_node_of(const struct polar_nodes *nodes, uint32_t stage,
                                            uint32_t at)
{
    const uint32_t size = 1u << stage;
    uint32_t n = 0, parities = 0;

    for (uint32_t i = at; i < at + size; i++) {
        n += nodes->free_bit[i];
        parities += nodes->parity[i];
    }
    if (parities)
        return stage ? NODE_SPLIT : NODE_PARITY;
    if (n == 0 || size > POLAR_MOST_LEAF)
        return n ? NODE_SPLIT : NODE_RATE0;
    if (n == size)
        return NODE_RATE1;
    if (n == 1 && nodes->free_bit[at + size - 1])
        return NODE_REP;
    return n == size - 1 && !nodes->free_bit[at] ? NODE_SPC : NODE_SPLIT;
}

#endif
