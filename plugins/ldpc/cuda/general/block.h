/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The kernels of the general decoder (plan.h), a function of a block's threads. `mode` and `home` are constants
 * wherever it is called. See arith.h.
 */
#ifndef LDPC_CUDA_GENERAL_BLOCK_H
#define LDPC_CUDA_GENERAL_BLOCK_H

#include "plugins/ldpc/cuda/general/row.h"

/* ---- LLRs in ---- */

FECRUN_ON_DEVICE uint32_t read_llr(unsigned mode, const struct group *g, uint32_t type,
                                   uint32_t item)
{
    if (type == FECRUN_I8 || mode & MODE_I16)
        return number_of_int(mode, ((const int8_t *)g->in)[item]);
    if (type == FECRUN_F16)
        return number_of_float(float_of_half(((const uint16_t *)g->in)[item]));
    return number_of_float(((const float *)g->in)[item]);
}

struct eight_bytes {
    uint32_t word[2];
} __attribute__((aligned(8))) MAY_ALIAS;

struct eight_numbers {
    uint32_t word[4];
} __attribute__((aligned(16))) MAY_ALIAS;

/* Eight at a time: 64 bits in, 128 bits out. Returns how many LLRs it took. */
FECRUN_ON_DEVICE uint32_t read_eights(unsigned mode, const struct group *g)
{
    const uint32_t items = g->c->items & ~7u;

    for (uint32_t i = 8 * g->me; i < items; i += 8 * g->threads) {
        const struct eight_bytes x = *(const struct eight_bytes *)(g->in + i);
        struct eight_numbers y;

        FECRUN_UNROLL
        for (unsigned k = 0; k < 4; k++) {
            const uint32_t two = x.word[k / 2] >> 16 * (k % 2);

            y.word[k] = number_of_int(mode, (int8_t)two) | number_of_int(mode, (int8_t)(two >> 8))
                                                               << 16;
        }
        *(struct eight_numbers *)(g->llr + g->c->punctured + i) = y;
    }
    return items;
}

FECRUN_ON_DEVICE void read_llrs(unsigned mode, const struct group *g, uint32_t type)
{
    const struct ldpc_general_class *c = g->c;
    const uint32_t end = c->punctured + c->items;
    uint32_t done = 0;

    if (c->place) {
        for (uint32_t v = g->me; v < c->lifted; v += g->threads)
            g->llr[v] = 0;
        group_sync(g);
    } else {
        for (uint32_t v = g->me; v < c->punctured; v += g->threads)
            g->llr[v] = 0;
        for (uint32_t v = end + g->me; v < c->lifted; v += g->threads)
            g->llr[v] = 0;
        if (type == FECRUN_I8 && c->punctured % 8 == 0 && (uintptr_t)g->in % 8 == 0)
            done = read_eights(mode, g);
    }
    for (uint32_t i = done + g->me; i < c->items; i += g->threads)
        g->llr[c->place ? c->place[i] : c->punctured + i] = (uint16_t)read_llr(mode, g, type, i);
    group_sync(g);
    if (c->bits == c->k)
        return;
    for (uint32_t b = c->bits + g->me; b < c->k; b += g->threads) /* known zeros */
        g->llr[c->info ? c->info[b] : b] = (uint16_t)most_of(mode);
    group_sync(g);
}

/* ---- LLRs out ---- */

enum { SOFT_BITS, SOFT_WORD }; /* of ldpc_general_work.soft[] */

FECRUN_ON_DEVICE float *soft_row(const struct ldpc_general_work *w, const struct group *g,
                                 unsigned port)
{
    const uint64_t at = w->frame ? w->frame[g->frame].soft[port] : g->frame * w->soft_stride[port];

    return (float *)((char *)w->soft[port] + at);
}

/* NR: a column of degree 1, whose a posteriori LLR is kept nowhere else, in each iteration. */
FECRUN_ON_DEVICE void write_own(unsigned mode, const struct ldpc_general_work *w,
                                const struct group *g, const struct row *row, uint32_t own)
{
    bool absent;
    const uint32_t v = find_llr(mode, g, row->edge + row->weight, row->lane, &absent);

    soft_row(w, g, SOFT_WORD)[v - g->c->punctured] = float_of_number(mode, own);
}

/* What no row in use reaches is as it arrived. */
FECRUN_ON_DEVICE void write_word(unsigned mode, const struct ldpc_general_work *w,
                                 const struct group *g)
{
    const struct ldpc_general_class *c = g->c;
    /* of write_own(): the last ones that rows in use reach */
    const uint32_t own = mode & MODE_NR ? c->lifted - (c->layers - c->core_rows) * c->z : c->lifted;
    float *to = soft_row(w, g, SOFT_WORD);

    for (uint32_t i = g->me; i < c->n; i += g->threads) {
        const uint32_t v = c->place ? c->place[i] : c->punctured + i;

        if (i >= c->items)
            to[i] = float_of_number(mode, read_llr(mode, g, w->in_type, i));
        else if (c->bits != c->k && v >= c->bits && v < c->k) /* only NR has fillers */
            to[i] = FECRUN_LLR_MAX_F32;
        else if (v < own)
            to[i] = float_of_number(mode, g->llr[v]);
    }
}

FECRUN_ON_DEVICE void write_soft(unsigned mode, const struct ldpc_general_work *w,
                                 const struct group *g)
{
    if (w->soft[SOFT_BITS]) {
        float *to = soft_row(w, g, SOFT_BITS);

        for (uint32_t b = g->me; b < g->c->bits; b += g->threads)
            to[b] = float_of_number(mode, g->llr[g->c->info ? g->c->info[b] : b]);
    }
    if (w->soft[SOFT_WORD])
        write_word(mode, w, g);
}

/* ---- Iterations ---- */

FECRUN_ON_DEVICE void take_layers(unsigned mode, const struct ldpc_general_work *w,
                                  const struct group *g)
{
    const uint32_t warps = (g->z + WARP - 1) / WARP;
    uint32_t *message = g->messages, *signs = g->signs;

    for (uint32_t l = 0; l < g->c->layers; l++) {
        const struct layer layer = find_layer(mode, g, l);

        /* whole warps, for the ballot; only the first `count` threads work */
        for (uint32_t i = g->me; i < ((layer.count + WARP - 1) & ~(WARP - 1)); i += g->threads) {
            uint32_t own = 0;

            if (i < layer.count) {
                const struct row row = find_row(mode, g, &layer, i);
                const struct messages messages = {message + i, layer.count};

                own = take_any_row(mode, g, &row, &messages, layer.extension);
                if (mode & MODE_SOFT && layer.extension && w->soft[SOFT_WORD])
                    write_own(mode, w, g, &row, own);
            }
            if (layer.extension) {
                const uint32_t bits = __ballot_sync(ALL_LANES, (own & SIGN) != 0);

                if (i % WARP == 0)
                    signs[i / WARP] = bits;
            }
        }
        message += layer.words * layer.count;
        signs += layer.extension ? warps : 0;
        group_sync(g);
    }
}

/*
 * Do all checks hold? Bad words show it soon, mostly in the first layer, so there is a vote after
 * that, after the fourth and at the end.
 */
FECRUN_ON_DEVICE bool checks_hold(unsigned mode, const struct group *g)
{
    const uint32_t warps = (g->z + WARP - 1) / WARP;
    const uint32_t *signs = g->signs;
    uint32_t bad = 0;

    for (uint32_t l = 0; l < g->c->layers; l++) {
        const struct layer layer = find_layer(mode, g, l);

        for (uint32_t i = g->me; i < layer.count; i += g->threads) {
            const struct row row = find_row(mode, g, &layer, i);

            uint32_t parity = row_parity(mode, g, &row);

            if (layer.extension)
                parity ^= signs[i / WARP] >> i % WARP & 1;
            bad |= parity;
        }
        signs += layer.extension ? warps : 0;
        if ((l == 0 || l == 3 || l + 1 == g->c->layers) && group_any(g, bad))
            return false;
    }
    return true;
}

/* ---- Bits out ---- */

FECRUN_ON_DEVICE void write_bits(const struct group *g, uint32_t type)
{
    const uint32_t words = (g->c->bits + WARP - 1) / WARP, lane = g->me % WARP;
    const uint32_t bytes = (g->c->bits + 7) / 8;

    for (uint32_t word = g->me / WARP; word < words; word += g->threads / WARP) {
        const uint32_t bit = word * WARP + lane;
        bool one = false;
        uint32_t all;

        if (bit < g->c->bits)
            one = g->llr[g->c->info ? g->c->info[bit] : bit] & SIGN;
        if (type == FECRUN_U8 && bit < g->c->bits)
            g->out[bit] = one;
        if (type == FECRUN_U8)
            continue;
        all = __brev(__ballot_sync(ALL_LANES, one)); /* the first bit is the uppermost */
        if (lane < 4 && word * 4 + lane < bytes)
            g->out[word * 4 + lane] = (uint8_t)(all >> (24 - 8 * lane));
    }
}

/* Is anything known of the information bits? As a rule the first LLR says so. */
FECRUN_ON_DEVICE bool any_known(const struct group *g)
{
    for (uint32_t bit = 0; bit < g->c->bits; bit++)
        if (g->llr[g->c->info ? g->c->info[bit] : bit] & (uint16_t)~SIGN)
            return true;
    return false;
}

FECRUN_ON_DEVICE void write_info(struct fecrun_frame_info *info, uint32_t iterations, bool good)
{
    info->iterations = iterations;
    info->flags &= ~(uint32_t)FECRUN_FRAME_FAILED;
    info->flags |= FECRUN_FRAME_CHECKED | (good ? 0 : FECRUN_FRAME_FAILED);
}

/* ---- A code block, a block ---- */

FECRUN_ON_DEVICE void decode_group(unsigned mode, const struct ldpc_general_work *w,
                                   struct group *g)
{
    uint32_t iterations = 0;
    bool good = false;

    read_llrs(mode, g, w->in_type);
    do {
        g->first = iterations == 0;
        g->rule.factor = g->c->factor[LDPC_ALPHA_PLACE(iterations, g->c->shift)];
        take_layers(mode, w, g);
        iterations++;
        if (g->c->early_stop || iterations == g->c->iterations)
            good = checks_hold(mode, g);
    } while (!good && iterations < g->c->iterations);
    write_bits(g, w->out_type);
    if (mode & MODE_SOFT)
        write_soft(mode, w, g);
    if (g->me == 0)
        write_info(&w->info[g->frame], iterations, good && any_known(g));
}

FECRUN_ON_DEVICE void take_class(struct group *g, const struct ldpc_general_class *c)
{
    g->c = c;
    g->z = c->z;
    g->reciprocal = c->reciprocal;
    g->threads = c->threads;
    g->edges = c->edges;
    g->graph = c->graph;
    g->core_rows = c->core_rows;
    g->threshold = c->threshold;
    g->rule.offset = c->offset;
}

/* Where the group's memory begins, in words. */
FECRUN_ON_DEVICE void give_memory(enum ldpc_general_home home, const struct ldpc_general_work *w,
                                  struct group *g, uint32_t *near, uint64_t far_at)
{
    uint32_t *far = home == LDPC_GENERAL_SHARED
                        ? NULL
                        : w->scratch + blockIdx.x * w->scratch_words + far_at;

    if (home == LDPC_GENERAL_FAR) {
        g->llr = (uint16_t *)far;
        g->signs = near; /* none: only NR has extension rows */
        g->messages = far + g->c->llr_words;
    } else {
        g->llr = (uint16_t *)near;
        g->signs = near + g->c->llr_words;
        g->messages = home == LDPC_GENERAL_SHARED ? g->signs + g->c->sign_words : far;
    }
}

/* The group that this thread belongs to in one of the bins; false: none. */
FECRUN_ON_DEVICE bool find_equal(enum ldpc_general_home home, const struct ldpc_general_work *w,
                                 uint32_t bin, uint32_t *shared, struct group *g)
{
    uint32_t number;

    take_class(g, &w->classes[w->class_number]);
    number = threadIdx.x / g->threads;
    g->me = threadIdx.x % g->threads;
    g->barrier = barrier_of(threadIdx.x - g->me);
    g->frame = (uint64_t)bin * w->blocks + number;
    if (number >= w->blocks || g->frame >= w->frames)
        return false;
    g->in = (const char *)w->in + g->frame * w->in_stride;
    g->out = (uint8_t *)w->out + g->frame * w->out_stride;
    give_memory(home, w, g, shared + number * w->near, (uint64_t)number * w->far);
    return true;
}

FECRUN_ON_DEVICE bool find_ragged(enum ldpc_general_home home, const struct ldpc_general_work *w,
                                  uint32_t bin, uint32_t *shared, struct group *g)
{
    const uint64_t end = w->bin[bin + 1] < w->frames ? w->bin[bin + 1] : w->frames;

    for (uint64_t f = w->bin[bin]; f < end; f++) {
        const struct ldpc_general_frame frame = w->frame[f];

        if (threadIdx.x - frame.thread >= w->classes[frame.class_number].threads)
            continue;
        take_class(g, &w->classes[frame.class_number]);
        g->me = threadIdx.x - frame.thread;
        g->barrier = barrier_of(frame.thread);
        g->frame = f;
        g->in = (const char *)w->in + frame.in;
        g->out = (uint8_t *)w->out + frame.out;
        give_memory(home, w, g, shared + frame.near, frame.far);
        return true;
    }
    return false;
}

FECRUN_ON_DEVICE void decode_bins(unsigned mode, enum ldpc_general_home home,
                                  const struct ldpc_general_work *w, uint32_t *shared)
{
    for (uint32_t bin = blockIdx.x; bin < w->bins; bin += gridDim.x) {
        struct group g;

        if (w->frame ? find_ragged(home, w, bin, shared, &g) : find_equal(home, w, bin, shared, &g))
            decode_group(mode, w, &g);
        if (bin + gridDim.x < w->bins)
            __syncthreads(); /* the next groups are others */
    }
}

#endif
