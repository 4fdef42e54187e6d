/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the CUDA kernels of outer codes know of a code, and the tables that they read.
 *
 * A word is divided by the generator from its first bit on, a step of 8 bits (BCH) or of a symbol at a time: what
 * leaves the register at the top is an index into a table of what it changes below. The register is left-aligned in
 * words of 32 bits, the first bit of the remainder in the most significant place. Of a remainder that is not 0 a
 * warp finds the wrong symbols.
 */
#ifndef OUTER_CUDA_PLAN_H
#define OUTER_CUDA_PLAN_H

#include "plugins/outer/code/bch.h"
#include "plugins/outer/code/rs.h"

enum {
    OUTER_GPU_WORDS = 16,        /* of a register, at most */
    OUTER_GPU_CHECKS = 128,      /* syndromes, at most */
    OUTER_GPU_SEGMENTS = 8,      /* of a word that are divided side by side, at most */
    OUTER_GPU_SEGMENT = 1024,    /* steps of one, from which on there are more */
    OUTER_GPU_TABLE = 40 << 10,  /* bytes of the division's table, at most */
    OUTER_GPU_SHARED_FIELD = 10, /* fields of so many bits are copied to shared memory */
};

struct outer_gpu_code {
    uint32_t bch;   /* 1: binary; its symbols are bits, and their error is 1 */
    uint32_t m;     /* bits of an element of the field ... */
    uint32_t order; /* ... and how many there are without 0 */
    uint32_t depth; /* words of a frame */
    uint32_t n, k;  /* symbols of a word */
    uint32_t width; /* bits of a symbol: m or 1 */
    uint32_t fcr;
    uint32_t checks; /* syndromes: n - k or 2 t */
    uint32_t dual;

    uint32_t words;    /* of the register: 2, 4, 6, 8 or 16 */
    uint32_t parity;   /* bits of the remainder */
    uint32_t step;     /* bits of a step */
    uint32_t steps;    /* of a word; of an encoder those of its information */
    uint32_t pad;      /* zeros in front of the first bit that fill its step */
    uint32_t segments; /* a power of two */
    uint32_t per_segment;
};

/* The code, and its tables in one piece of memory, as it is copied to the device. Offsets in bytes. */
struct outer_gpu_plan {
    struct outer_gpu_code code;
    void *
        memory; /* the caller frees it; begins with the division's table: `words` words for each step */
    size_t
        advance; /* for each segment but the last one, and each nibble of a register from the top: 16
                        registers, which the steps behind that segment make of it */
    size_t field; /* struct gf: exp[], then log[], as gf_make() has them */
    size_t dual;  /* from_dual[256], to_dual[256] */
    size_t bytes;
};

/* takes(): 0, or -1 and the reason. */
int outer_gpu_takes_rs(const struct rs_code *code, struct fecrun_error *err);
int outer_gpu_takes_bch(const struct bch_code *code, struct fecrun_error *err);

/* For the decoder (`decodes`), or the encoder. 0, or -1 without memory. */
int outer_gpu_plan_rs(struct outer_gpu_plan *plan, const struct rs_code *code, bool decodes,
                      struct fecrun_error *err);
int outer_gpu_plan_bch(struct outer_gpu_plan *plan, const struct bch_code *code, bool decodes,
                       struct fecrun_error *err);

#endif
