/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Backend `simd` of turbo.decode: max-log in bytes, 64 lanes. A lane is one sub-block of one block:
 * P sub-blocks (a power of two) of each of 64 / P blocks lie side by side, lane b P + w is sub-block
 * w of block b, and a row is one step of all of them. The interleaver keeps rows together: place
 * x + w W of the second encoder's order lies in row pi(x) mod W, whatever w is, so that interleaving
 * is a row's number and an order of its bytes.
 *
 * All instruction sets compute the same bytes; doc/turbo.md says which.
 */
#ifndef TURBO_SIMD_SIMD_H
#define TURBO_SIMD_SIMD_H

#include "plugins/turbo/decode.h"

enum {
    TURBO_LANES = 64,
    TURBO_LEAST_WINDOW = 256, /* steps of a sub-block, with sub_blocks: auto */
    TURBO_MOST_WINDOW = 6144,
    TURBO_TRAINING = 32, /* steps that guess the borders of the first iteration */
    TURBO_TABLE = 64,    /* |extrinsic| is clipped to less before it is scaled */
};

typedef int8_t turbo_row[TURBO_LANES];

/* The numbers of the arithmetic. */
struct turbo_fixed {
    int8_t channel; /* |LLR| that arrive, after their gain: at most */
    int8_t prior;   /* a priori |LLR|: at most */
    int8_t clip;    /* |extrinsic LLR| before it is scaled: at most, < TURBO_TABLE */
    int8_t top;     /* best metric after normalisation */
    uint16_t mean;  /* of |LLR| that arrive and are not 0, after their gain; 1/256 */
    /* |extrinsic| m scaled: low[m % 16] + high[m / 16], each rounded, halves
       down: to round them up costs 0.03 dB */
    uint16_t factor; /* extrinsic_scale; 1/256 */
    uint8_t low[16], high[TURBO_TABLE / 16];
};

struct turbo_kernel;

struct turbo_simd {
    const struct turbo_decode *decode;
    const struct turbo_kernel *kernel;
    struct turbo_fixed fixed;
    uint32_t windows; /* P */
    uint32_t blocks;  /* 64 / P */
    uint32_t steps;   /* W = K / P */
    uint16_t *row;    /* of step x of the second encoder: pi(x) mod W */
    turbo_row *read;  /* lane that lane l of step x takes from that row */
    turbo_row *write; /* and the lane of step x that lane l of the row takes back */
};

/* Where things are in scratch memory. */
struct turbo_work {
    turbo_row *sys, *parity[2]; /* what arrived, in each encoder's order */
    turbo_row *in;              /* sys + a priori LLRs of the first encoder, in its order */
    turbo_row *in2, *out2;      /* the second one's: sys + a priori, and scaled extrinsic LLRs */
    turbo_row *llr;             /* LLRs of the last iteration; in the second one's order: llr2 */
    turbo_row *llr2;
    int8_t *alpha;                    /* of all steps of some lanes */
    turbo_row (*begin)[TURBO_STATES]; /* of each encoder: alpha in front of the sub-blocks, */
    turbo_row (*end)[TURBO_STATES];   /* and beta behind them */
    turbo_row (*guess)[TURBO_STATES]; /* the same of a first iteration */
    int8_t *stage;                    /* frames with their gain; blocks * word bytes */
    uint32_t *gain;                   /* of each block; 1/256 */
    int8_t *lane;                     /* 64 W bytes: LLRs of one lane after the other */
};

/* One half iteration of all lanes. */
struct turbo_half {
    const struct turbo_fixed *fixed;
    uint32_t steps;
    bool train; /* guess the borders first */
    uint32_t windows;
    const turbo_row *in; /* sys + a priori LLRs */
    const turbo_row *parity;
    const turbo_row *sys;   /* to be added to the output; NULL: nothing */
    turbo_row *out;         /* scaled extrinsic LLRs, + sys; may be `in` */
    turbo_row *llr;         /* in + extrinsic LLRs; NULL: not wanted; only where sys is NULL */
    turbo_row *begin, *end; /* TURBO_STATES rows each; replaced by what the sub-blocks end with */
    int8_t *alpha;
};

struct turbo_kernel {
    const char *name;
    /* begin and end become alpha behind and beta in front of each lane's own sub-block. */
    void (*half)(const struct turbo_half *half);
    /* Bytes of a row in the order of index[x]: to[x] = from[row[x]]. */
    void (*gather)(const struct turbo_simd *simd, const turbo_row *from, turbo_row *to);
    /* and back: to[row[x]] = from[x] + sys[row[x]]; sys may be NULL */
    void (*scatter)(const struct turbo_simd *simd, const turbo_row *from, const turbo_row *sys,
                    turbo_row *to);
    /* Adds up magnitudes that are not 0, and how many. */
    void (*add_up)(const int8_t *llr, uint32_t n, uint32_t *sum, uint32_t *count);
    /* LLRs times gain / 256, of magnitudes of at most `most`. */
    void (*quantise)(const int8_t *restrict llr, uint32_t n, uint32_t gain, int8_t most,
                     int8_t *restrict to);
    /* Bits of n LLRs, packed or one a byte. */
    void (*decide)(const int8_t *restrict llr, uint32_t n, bool packed, uint8_t *restrict to);
};

/* NULL: not in this build. */
const struct turbo_kernel *turbo_kernel_generic(void);
const struct turbo_kernel *turbo_kernel_avx2(void);
const struct turbo_kernel *turbo_kernel_avx512(void); /* with VBMI */

/* One call's frames. */
struct turbo_batch {
    const int8_t *llr;
    size_t llr_stride;
    uint8_t *bits;
    size_t bits_stride;
    bool packed;
    struct fecrun_frame_info *info;
    char *soft[2]; /* floats: LLRs, and extrinsic ones; NULL: not wanted */
    size_t soft_stride[2];
    const char *apriori; /* floats: LLRs of the bits beforehand; NULL: none */
    size_t apriori_stride;
};

/* What the arithmetic cannot do: -1 and a reason. */
int turbo_fixed_init(struct turbo_fixed *fixed, const struct turbo_decode *decode,
                     struct fecrun_error *err);

/* NULL and a reason. `decode` has to live as long. */
struct turbo_simd *turbo_simd_new(const struct turbo_decode *decode, uint32_t isa,
                                  struct fecrun_error *err);
void turbo_simd_free(struct turbo_simd *simd);

/* Lays the arrays out behind `base` (64-byte aligned; NULL: only counts) and returns their bytes. */
size_t turbo_simd_carve(struct turbo_work *work, const struct turbo_simd *simd, void *base);

/* All frames of a batch. */
void turbo_simd_decode(const struct turbo_simd *simd, const struct turbo_batch *batch,
                       uint64_t frames, void *scratch);

/* What is in the lanes of a block. */
struct turbo_slot {
    uint64_t frame;
    uint32_t iterations; /* done */
    bool live, fresh;
};

/* soft.c: what is wanted of the LLRs of block b's frame, which lie in work->lane. */
void turbo_put_soft(const struct turbo_simd *simd, const struct turbo_work *work,
                    const struct turbo_batch *batch, uint32_t b, uint64_t frame);

/* rows.c: the LLRs of fresh slots' frames into rows; all: lanes of no fresh slot become 0. What is in
   work->lane gets lost. */
void turbo_load(const struct turbo_simd *simd, struct turbo_work *work,
                const struct turbo_batch *batch, const struct turbo_slot *slot, bool all);
/* LLRs of work->llr, lane after lane, into work->lane: those of block b from b K on. */
void turbo_unload(const struct turbo_simd *simd, struct turbo_work *work);

#endif
