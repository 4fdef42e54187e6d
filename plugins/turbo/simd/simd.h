/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Backend `simd` of turbo.decode: max-log in 64 lanes of bytes or 32 of 16 bits. A lane is one
 * sub-block of one block: P sub-blocks (a power of two) of each of 64 / P (32 / P) blocks lie side by
 * side, lane b P + w is sub-block w of block b, and a row is one step of all of them. The interleaver
 * keeps rows together: place x + w W of the second encoder's order lies in row pi(x) mod W, whatever w
 * is, so that interleaving is a row's number and an order of its bytes.
 *
 * All instruction sets compute the same numbers; doc/turbo.md says which.
 */
#ifndef TURBO_SIMD_SIMD_H
#define TURBO_SIMD_SIMD_H

#include "plugins/turbo/decode.h"

enum {
    TURBO_ROW = 64,           /* bytes of a row, whatever its lanes are */
    TURBO_LANES = 64,         /* of a row, at most */
    TURBO_LEAST_WINDOW = 256, /* steps of a sub-block, with sub_blocks: auto */
    TURBO_LOW_WINDOW = 32,    /* the same with latency: low, */
    TURBO_LOW_SINGLE = 512,   /* where blocks of up to so many bits have one sub-block */
    TURBO_LOW_WORDS = 2047,   /* and those of up to so many bits have 16 bits */
    TURBO_TRAINING = 32,      /* steps of a neighbour that are done again */
    TURBO_TABLE = 64,         /* |extrinsic| is clipped to less before it is scaled */
    TURBO_PARTS = 16,         /* of a bit */
    TURBO_GUESS = 2 * TURBO_STATES + 2,
    TURBO_FIFTHS =
        5, /* half a row takes TURBO_HALF of TURBO_FIFTHS of the time of a row, as measured */
    TURBO_HALF = 3,
    TURBO_SAMPLE = 2048, /* LLRs of a frame that its gain is made of, at most */
    TURBO_MEDIAN = 8,    /* floats: half of the LLRs become 2^TURBO_MEDIAN and more */
};

/* An integer of 8 or of 16 bits: what arrives, and what a lane is. Its bytes are 1 << width. */
enum turbo_width { TURBO_BYTE, TURBO_WORD, TURBO_WIDTHS };

/* What arrives may also be floats, as many bytes. They become integers of 16 bits first. */
#define TURBO_FLOAT ((enum turbo_width)2)

typedef int8_t turbo_row[TURBO_ROW];

/* In a row. */
static inline uint32_t turbo_lanes(enum turbo_width width)
{
    return (uint32_t)TURBO_LANES >> width;
}

/* The numbers of the arithmetic. */
struct turbo_fixed {
    int16_t channel; /* |LLR| that arrive, after their gain: at most */
    int16_t filler;  /* LLR of certain zeros */
    int16_t prior;   /* a priori |LLR|: at most */
    int16_t top;     /* best metric after normalisation */
    int16_t never;   /* of a state that cannot be */
    uint16_t unit;   /* |LLR| that tells one bit, after its gain */
    uint16_t point;  /* bits of gains behind the point */
    uint16_t factor; /* alpha; 1/256, of words 1/32768 */
    /* Bytes: |extrinsic| m, at most `clip` < TURBO_TABLE, scaled: low[m % 16] + high[m / 16], each
       rounded, halves down: to round them up costs 0.03 dB. */
    uint8_t clip, low[16], high[TURBO_TABLE / 16];
    uint32_t take, every; /* of a frame so many LLRs of each so many are looked at, */
    uint32_t tell;        /* which should tell so many bits, times TURBO_PARTS: gain.c */
};

struct turbo_half;
struct turbo_kernel;
struct turbo_single_half;
struct turbo_single_bytes_kernel;

typedef void turbo_half_function(const struct turbo_half *half);

enum { TURBO_MOST_ROWS = 1 + 2 * TURBO_MOST_OUTPUTS }; /* bits and parity bits of both encoders */

/* The tail of an encoder, step by step: the bits of the path from each state to state 0, the input in bit 0, then outputs;
   and their places in a staged word. */
struct turbo_tail {
    uint8_t bits[TURBO_MOST_MEMORY][TURBO_MOST_STATES];
    uint32_t item[TURBO_MOST_MEMORY][1 + TURBO_MOST_OUTPUTS];
};

/*
 * Staged words have streams of K + 4 items, as LTE's d0 d1 d2: the block's bits, then each parity bit of the first encoder and
 * of the second one, and last, of codes with 16 states, the second encoder's input, of which only the tail is there.
 */
struct turbo_simd {
    const struct turbo_decode *decode;
    const struct turbo_family *family;
    struct turbo_tail tail[2];    /* of each encoder */
    turbo_half_function *many[2]; /* of each encoder with 16 states; NULL: kernel->half */
    uint32_t rows;                /* of bits and parity bits a step */
    uint32_t staged;              /* items of a word as it is staged */
    uint32_t *from; /* the word's items in that order, or TURBO_NOT_SENT; NULL: as they are */
    const struct turbo_kernel *kernel;
    const struct turbo_kernel *narrow; /* the same for the first half of a row; NULL: not wanted */
    struct turbo_fixed fixed;
    uint32_t isa;            /* enum fecrun_isa */
    enum turbo_width in;     /* what arrives, */
    enum turbo_width width;  /* and a lane */
    bool floats;             /* floats arrive, and become what `in` says */
    uint32_t windows;        /* P */
    uint32_t blocks;         /* 64 / P or 32 / P */
    uint32_t steps;          /* W = K / P */
    uint32_t training;       /* steps of a neighbour that are done again */
    turbo_row firsts, lasts; /* all ones: bytes of the first and last lanes of blocks */
    uint16_t *row;           /* of step x of the second encoder: pi(x) mod W */
    turbo_row *read;         /* byte that byte i of step x takes from that row */
    turbo_row *write;        /* and the byte of step x that byte i of the row takes back */
    /* Of a half iteration of one block alone, see single.h; NULL: rows serve all blocks. */
    void (*single)(const struct turbo_single_half *half);
    uint16_t *pi, *inverse; /* the interleaver, for blocks alone */
    /* The same in bytes, see single_bytes.h. */
    const struct turbo_single_bytes_kernel *single_bytes;
    uint32_t
        few; /* blocks that take as long one by one as a row does, at most; 0: all go into rows */
};

/* Scratch memory for a block alone; K numbers each. */
struct turbo_single_work {
    int16_t *sys2; /* what arrived, in the second encoder's order */
    int16_t *prior, *in, *llr, *out;
    uint64_t *gain;
    int8_t *metric;              /* alphas and betas of K / 2 steps */
    int16_t *start[2], *late[2]; /* turbo_pair of single.h, for each sub-block */
};

/* The same in bytes: K bytes each, item x P + w: step x of sub-block w. */
struct turbo_single_bytes_work {
    int8_t *sys, *parity[2]; /* as in struct turbo_work */
    int8_t *in, *in2, *out2, *llr, *llr2;
    uint32_t *gain, *sum;
    int8_t *start[2], *late[2], *metric; /* turbo_ends of single_bytes.h */
};

/* Where things are in scratch memory. */
struct turbo_work {
    turbo_row *stream[TURBO_MOST_ROWS]; /* what arrived, in each encoder's order, */
    turbo_row *sys, *parity[2];         /* and of them the first one of each encoder */
    turbo_row *in;                      /* sys + a priori LLRs of the first encoder, in its order */
    turbo_row *in2, *out2; /* the second one's: sys + a priori, and scaled extrinsic LLRs */
    turbo_row *llr;        /* LLRs of the last iteration; in the second one's order: llr2 */
    turbo_row *llr2;
    int8_t *alpha;                         /* of all steps of some lanes */
    turbo_row (*begin)[TURBO_MOST_STATES]; /* of each encoder: alpha in front of the sub-blocks, */
    turbo_row (*end)[TURBO_MOST_STATES];   /* and beta behind them */
    turbo_row
        *guess; /* TURBO_GUESS rows: the same of a guess; the first and the last one are room */
    turbo_row (*late)[TURBO_MOST_STATES]; /* of each encoder, see struct turbo_half */
    turbo_row (*early)[TURBO_MOST_STATES];
    int8_t *stage;  /* frames with their gain, in numbers of a lane's width */
    uint32_t *gain; /* of each block; struct turbo_fixed.point */
    float *scale;   /* of each block: what LLRs were multiplied with beforehand; 1 but for floats */
    int16_t *words; /* of floats: one frame's LLRs as integers */
    int8_t *lane;   /* 64 W bytes: LLRs of one lane after the other */
    struct turbo_single_work single; /* in the place of rows, as blocks alone have none */
    struct turbo_single_bytes_work single_bytes;
};

/* One half iteration of all lanes, or of those in the first bytes of a row. */
struct turbo_half {
    const struct turbo_fixed *fixed;
    uint32_t bytes; /* TURBO_ROW; of turbo_simd.narrow half of that */
    uint32_t steps;
    uint32_t training; /* even where `late` and `early` are given */
    bool train;        /* only guess borders */
    /* TURBO_STATES rows each: alpha `training` steps before the ends of sub-blocks, and beta as many
       behind their beginnings, which come out of an iteration and begin the next one's guess.
       NULL: sub-blocks are blocks. */
    turbo_row *late, *early;
    const turbo_row *in; /* sys + a priori LLRs */
    const turbo_row *parity;
    const turbo_row *more[2]; /* other parity bits of codes with 16 states */
    const turbo_row *sys;     /* to be added to the output; NULL: nothing */
    turbo_row *out;           /* scaled extrinsic LLRs, + sys; may be `in` */
    turbo_row *llr;           /* in + extrinsic LLRs; NULL: not wanted; only where sys is NULL */
    /* TURBO_STATES rows each: what the sub-blocks begin and end with. train: they become alpha behind
       and beta in front of the sub-blocks. */
    turbo_row *begin, *end;
    int8_t *alpha;
};

struct turbo_total {
    uint32_t sum, count;
};

/* Frames' LLRs are of the width that is the index, its own those of its lanes. */
struct turbo_kernel {
    turbo_half_function *half;
    /* The same of a code with 16 states; NULL: of none, or not of this one. */
    turbo_half_function *(*many)(const struct turbo_family *family, unsigned encoder);
    /* The first bytes of a row in the order of index[x]: to[x] = from[row[x]]. */
    void (*gather)(const struct turbo_simd *simd, uint32_t bytes, const turbo_row *from,
                   turbo_row *to);
    /* and back: to[row[x]] = from[x] + sys[row[x]]; sys may be NULL */
    void (*scatter)(const struct turbo_simd *simd, uint32_t bytes, const turbo_row *from,
                    const turbo_row *sys, turbo_row *to);
    /* LLRs in rows become magnitudes. */
    void (*size_up[TURBO_WIDTHS])(void *llr, uint32_t rows);
    /* Of the magnitudes in rows, TURBO_SAMPLE of them at most, those above `limit`. */
    struct turbo_total (*add_up[TURBO_WIDTHS])(const void *magnitude, uint32_t rows,
                                               uint32_t limit);
    /* LLRs times gain, of magnitudes of at most `most`. */
    void (*quantise[TURBO_WIDTHS])(const void *restrict llr, uint32_t n, uint32_t gain,
                                   int16_t most, void *restrict to);
    /* Floats times scale, rounded, halves away from 0. NaN becomes 0, what is too large the largest number. */
    void (*to_words)(const float *restrict llr, uint32_t n, float scale, int16_t *restrict to);
    /* Bits of n LLRs, packed or one a byte. */
    void (*decide)(const void *restrict llr, uint32_t n, bool packed, uint8_t *restrict to);
};

/* NULL: not in this build. */
const struct turbo_kernel *turbo_kernel_generic(void);
const struct turbo_kernel *turbo_kernel_generic_words(void);
const struct turbo_kernel *turbo_kernel_avx2(void);
const struct turbo_kernel *turbo_kernel_avx2_words(void);
const struct turbo_kernel *turbo_kernel_avx512(void); /* with VBMI */
const struct turbo_kernel *turbo_kernel_avx512_words(void);

/* One call's frames. */
struct turbo_batch {
    const void *llr; /* of the width that the decoder was made for */
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

/* The numbers for LLRs of the width `in` and lanes of `width`. What the arithmetic cannot do: -1 and a
   reason. */
int turbo_fixed_init(struct turbo_fixed *fixed, const struct turbo_decode *decode,
                     enum turbo_width in, enum turbo_width width, struct fecrun_error *err);

/* NULL and a reason. `decode` has to live as long. */
struct turbo_simd *turbo_simd_new(const struct turbo_decode *decode, uint32_t isa,
                                  enum turbo_width in, enum turbo_width width,
                                  struct fecrun_error *err);
void turbo_simd_free(struct turbo_simd *simd);

/* Lays the arrays out behind `base` (64-byte aligned; NULL: only counts) and returns their bytes. */
size_t turbo_simd_carve(struct turbo_work *work, const struct turbo_simd *simd, void *base);

/* Blocks that go one by one where a call has no more, or no more of them beside full rows. */
static inline uint32_t turbo_simd_few(const struct turbo_simd *simd)
{
    return simd->narrow ? TURBO_HALF * simd->few / TURBO_FIFTHS : simd->few;
}

/* All frames of a batch. */
void turbo_simd_decode(const struct turbo_simd *simd, const struct turbo_batch *batch,
                       uint64_t frames, void *scratch);

/* Number i of an array of that width, outside of inner loops. */
static inline int turbo_get(const void *array, size_t i, enum turbo_width width)
{
    return width == TURBO_BYTE ? ((const int8_t *)array)[i] : ((const int16_t *)array)[i];
}

static inline void turbo_put(void *array, size_t i, enum turbo_width width, int x)
{
    if (width == TURBO_BYTE)
        ((int8_t *)array)[i] = (int8_t)x;
    else
        ((int16_t *)array)[i] = (int16_t)x;
}

/* LLRs of block b's frame where rows are made of, and where turbo_unload() puts them: item i. */
static inline int8_t *turbo_staged(const struct turbo_simd *simd, const struct turbo_work *work,
                                   uint32_t b, size_t i)
{
    return work->stage + (((size_t)b * simd->staged + i) << simd->width);
}

static inline const int8_t *turbo_found(const struct turbo_simd *simd,
                                        const struct turbo_work *work, uint32_t b, size_t i)
{
    return work->lane + (((size_t)b * simd->decode->k + i) << simd->width);
}

/* What is in the lanes of a block. */
struct turbo_slot {
    uint64_t frame;
    uint32_t iterations; /* half iterations of the second encoder that are done */
    bool live, fresh;
};

/* soft.c: what is wanted of the LLRs of block b's frame, which lie in work->lane. */
void turbo_put_soft(const struct turbo_simd *simd, const struct turbo_work *work,
                    const struct turbo_batch *batch, uint32_t b, uint64_t frame);

/* floats.c: a frame of floats into work->words, with a power of two that it returns. */
float turbo_to_words(const struct turbo_simd *simd, const struct turbo_work *work,
                     const float *llr);

/* gain.c: bytes of a frame's LLRs that are looked at, or every `times`th run of them, of 1 << `in` bytes each, which are
   copied to `to` if that is not NULL. */
uint32_t turbo_sample(const struct turbo_decode *decode, const struct turbo_fixed *fixed,
                      uint32_t times, const void *llr, enum turbo_width in, char *to);

/* gain.c: which LLRs of a frame are looked at for its gain. */
void turbo_choose_sample(struct turbo_fixed *fixed, const struct turbo_decode *decode);

/* gain.c: the LLRs of a frame, with their gain and what was known of the bits before, into stage;
   llr NULL: zeros; apriori may be NULL. What is in work->lane gets lost. */
void turbo_stage(const struct turbo_simd *simd, struct turbo_work *work, uint32_t b,
                 const void *llr, const float *apriori);

/* Place in a staged word of an encoder's bit, as turbo_family_item() has it in a word. */
static inline uint32_t turbo_staged_item(const struct turbo_simd *simd, unsigned encoder,
                                         unsigned output, uint32_t step)
{
    const uint32_t k = simd->decode->k;

    if (!simd->many[0])
        return turbo_family_item(&turbo_lte, k, encoder, output, step);
    if (!output)
        return turbo_item(k, encoder ? simd->rows : 0, step);
    return turbo_item(k, (encoder ? simd->family->outputs[0] : 0) + output, step);
}

/* rows.c: the same of a batch's frame. */
void turbo_stage_frame(const struct turbo_simd *simd, struct turbo_work *work, uint32_t block,
                       const struct turbo_batch *batch, uint64_t frame);

/* soft.c: after an iteration, with its LLRs in work->lane: if block b is done it goes out, and its slot
   is no longer live. */
void turbo_settle(const struct turbo_simd *simd, const struct turbo_work *work,
                  const struct turbo_batch *batch, uint32_t b, struct turbo_slot *slot);

/* rows.c: the LLRs of fresh slots' frames into rows; all: lanes of no fresh slot become 0. What is in
   work->lane gets lost. */
void turbo_load(const struct turbo_simd *simd, struct turbo_work *work,
                const struct turbo_batch *batch, const struct turbo_slot *slot, bool all);
/* The same of the LLRs staged for block 0, into steps of work->single_bytes. */
void turbo_load_single(const struct turbo_simd *simd, const struct turbo_work *work);
/* LLRs of work->llr, lane after lane, into work->lane, see turbo_found(). */
void turbo_unload(const struct turbo_simd *simd, struct turbo_work *work);
/* The same of work->single_bytes.llr, whose bits are those of block 0. */
void turbo_unload_single(const struct turbo_simd *simd, const struct turbo_work *work);

#endif
