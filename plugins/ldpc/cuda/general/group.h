/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Kernel parts of the general decoder (plan.h): groups of threads, and where the ones of H are. See
 * arith.h.
 */
#ifndef LDPC_CUDA_GENERAL_GROUP_H
#define LDPC_CUDA_GENERAL_GROUP_H

#include "plugins/ldpc/cuda/general/arith.h"

#define WARP 32u
#define ALL_LANES 0xffffffffu
#define NO_LANE 0xffffu

/* The base graphs of NR; a test has its own. */
#ifdef __CUDACC__
static __constant__ struct ldpc_general_graphs graphs;
#else
static struct ldpc_general_graphs graphs;
#endif

/* A thread's view of its group. */
struct group {
    const struct ldpc_general_class *c;
    uint32_t z, reciprocal, threads, edges, graph, core_rows, threshold; /* copies of c's */
    struct check_rule rule;
    uint32_t me;      /* thread, 0..threads-1 */
    uint32_t barrier; /* of the group, if it is more than a warp */
    uint16_t *llr;    /* a posteriori; NR: of columns of degree 1 those of the channel */
    uint32_t *signs;  /* NR: of a posteriori LLRs of columns of degree 1, 32 a word */
    uint32_t *messages;
    uint64_t frame;
    const char *in;
    uint8_t *out;
    bool first; /* iteration: no messages yet */
};

/* ---- Waiting for each other ---- */

/* Barriers are in pairs of warps: no two groups of more than one warp have the same. 0 is that of
   __syncthreads(). */
FECRUN_ON_DEVICE uint32_t barrier_of(uint32_t first_thread)
{
    return first_thread / (2 * WARP) + 1;
}

FECRUN_ON_DEVICE void group_sync(const struct group *g)
{
    if (g->threads == WARP)
        __syncwarp();
    else
#ifdef __CUDACC__
        asm volatile("bar.sync %0, %1;" : : "r"(g->barrier), "r"(g->threads) : "memory");
#else
        emu_barrier(g->barrier, g->threads);
#endif
}

/* A barrier, too. */
FECRUN_ON_DEVICE bool group_any(const struct group *g, bool mine)
{
    uint32_t any;

    if (g->threads == WARP)
        return __ballot_sync(ALL_LANES, mine) != 0;
#ifdef __CUDACC__
    asm volatile("{ .reg .pred p, q;\n"
                 "setp.ne.u32 p, %3, 0;\n"
                 "bar.red.or.pred q, %1, %2, p;\n"
                 "selp.u32 %0, 1, 0, q; }"
                 : "=r"(any)
                 : "r"(g->barrier), "r"(g->threads), "r"((uint32_t)mine)
                 : "memory");
#else
    any = emu_barrier_or(g->barrier, g->threads, mine);
#endif
    return any != 0;
}

/* ---- Layers and rows ---- */

struct layer {
    uint32_t first; /* row, or place in the list */
    uint32_t count; /* lifted rows */
    uint32_t words; /* of messages of each */
    bool listed;
    bool extension; /* NR: the last edge of the row leads to a column of degree 1 */
};

/* A lifted row. */
struct row {
    uint32_t edge;   /* first one */
    uint32_t weight; /* messages */
    uint32_t lane;
};

FECRUN_ON_DEVICE uint32_t message_words(uint32_t weight, uint32_t threshold)
{
    if (weight <= threshold)
        return (weight + 1) / 2;
    if (weight <= LDPC_GENERAL_INDEXED)
        return 2;
    return weight <= LDPC_GENERAL_PAIRED ? 3 : 2 + (weight + 31) / 32;
}

FECRUN_ON_DEVICE uint32_t nr_weight(const struct group *g, uint32_t row)
{
    return (uint32_t)graphs.first[g->graph][row + 1] - graphs.first[g->graph][row] -
           (row >= g->core_rows);
}

FECRUN_ON_DEVICE struct layer find_layer(unsigned mode, const struct group *g, uint32_t number)
{
    struct layer layer;

    if (mode & MODE_NR) {
        layer.first = g->c->reverse ? g->c->layers - 1 - number : number;
        layer.count = g->z;
        layer.words = message_words(nr_weight(g, layer.first), g->threshold);
        layer.listed = false;
        layer.extension = layer.first >= g->core_rows;
    } else {
        const struct ldpc_general_layer l = g->c->layer[number];

        layer.first = l.first;
        layer.count = l.count;
        layer.words = l.words;
        layer.listed = l.listed;
        layer.extension = false;
    }
    return layer;
}

FECRUN_ON_DEVICE struct row find_row(unsigned mode, const struct group *g,
                                     const struct layer *layer, uint32_t number)
{
    struct row row = {.edge = 0, .weight = 0, .lane = number};
    uint32_t base = layer->first;

    if (mode & MODE_NR) {
        row.edge = g->edges + graphs.first[g->graph][base];
        row.weight = nr_weight(g, base);
        return row;
    }
    if (layer->listed) {
        const struct ldpc_general_pair at = g->c->list[base + number];

        base = at.x;
        row.lane = at.y;
    }
    row.edge = g->c->row[base].x;
    row.weight = g->c->row[base].y;
    return row;
}

/*
 * The LLR that an edge leads to. offset * z + (shift + lane) mod z, where the shift may be several
 * times z in NR's tables. Absent: this lane does not have the edge; the address is one of others.
 */
FECRUN_ON_DEVICE uint32_t find_llr(unsigned mode, const struct group *g, uint32_t edge,
                                   uint32_t lane, bool *absent)
{
    if (mode & MODE_NR) {
        const uint32_t node = graphs.edge[edge], x = (node >> 16) + lane;
        const uint32_t times = __umulhi(x, g->reciprocal);

        *absent = false;
        return ((node & LOW) - times) * g->z + x;
    } else {
        const struct ldpc_general_pair node = g->c->edge[edge];
        const uint32_t x = (node.y & LOW) + lane;

        *absent = node.y >> 16 == lane;
        return node.x + x - (x >= g->z ? g->z : 0);
    }
}

#endif
