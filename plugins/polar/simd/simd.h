/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Backend `simd` of polar.decode: sc, scl and nr-small of i8 LLRs, bp by min-sum of any. A row is one position of 64 lanes, a byte
 * each. For sc a lane is a frame. For scl lane f P + p is path p of frame f, P the list's size rounded
 * up to a power of two. The results are those of the reference, bit for bit, on all instruction sets.
 */
#ifndef POLAR_SIMD_SIMD_H
#define POLAR_SIMD_SIMD_H

#include "plugins/polar/decode.h"
#include "plugins/polar/simd/frame/frame.h"

enum { POLAR_LANES = 64 };

typedef int8_t polar_row[POLAR_LANES] __attribute__((aligned(64)));
typedef uint8_t polar_map[POLAR_LANES] __attribute__((aligned(64)));

/* A bit a lane. */
typedef uint64_t polar_bits;

/*
 * Forks do not move what paths have in memory. Lane l of alpha of stage s stands in lane alpha_of[s][l]
 * of its rows, and of the left child of stage s that waits for its right one in lane beta_of[s][l].
 * What was written since the last fork stands where it belongs; that is all but the alpha that G
 * reads and the left beta of COMBINE and CHECK.
 */
struct polar_paths {
    uint32_t frames; /* in the lanes */
    uint32_t paths;  /* P */
    uint32_t most;   /* L */
    polar_row *alpha, *beta;
    polar_map alpha_of[POLAR_MOST_STAGES + 1], beta_of[POLAR_MOST_STAGES + 1];
    polar_bits live; /* lanes of frames */
    /* POLAR_NO_PATH and more: there is none */
    uint32_t metric[POLAR_LANES] __attribute__((aligned(64)));
    /* of the first 16 lanes: the last path of the frame, and the next one; themselves, where there is
       none */
    uint32_t last[16] __attribute__((aligned(64))), next[16] __attribute__((aligned(64)));
    /* of the leaf at work: magnitudes; its least ones, as they stood when it began; where lanes stood
       then; which bits its paths have flipped, POLAR_NO_BIT: none */
    polar_row magnitude[POLAR_MOST_LEAF];
    polar_row least[POLAR_MOST_LIST + 1], least_at[POLAR_MOST_LIST + 1];
    polar_map from;
    polar_row flipped[POLAR_MOST_LIST];
    polar_row spare, spare_at, odd;
    /* of the last fork */
    uint16_t penalty[POLAR_LANES] __attribute__((aligned(64)));
    polar_map parent;
    polar_row other; /* -1: the other choice */
};

enum { POLAR_NO_PATH = 1 << 25, POLAR_NO_BIT = -1 };

/* Belief propagation has 16 lanes, a float and a frame each. */
enum { POLAR_BP_LANES = 16 };

struct polar_bp {
    float (*l)[POLAR_BP_LANES], (*r)[POLAR_BP_LANES]; /* log2 N + 1 columns of N */
    polar_bits *x;                                    /* N */
};

struct polar_kernel {
    const char *name;
    /* n bytes of each lane into n rows; -128 becomes -127. */
    void (*load)(const int8_t *const *from, uint32_t n, polar_row *rows);
    /* The same of one frame for all lanes. */
    void (*repeat)(const int8_t *from, uint32_t n, polar_row *rows);
    /* alpha: 2 N rows, of stage s from 2^s on; beta: N, x at the end. */
    void (*sc)(const struct polar_program *program, polar_row *alpha, polar_bits *beta);
    /* The same, of N LLRs of each lane. */
    void (*sc_frames)(const struct polar_program *program, const int8_t *const *from,
                      polar_row *alpha, polar_bits *beta);
    /* Of each lane the sum of (1 - 2 x) LLR. */
    void (*correlate)(const polar_row *rows, const polar_bits *x, uint32_t n, int32_t *sum);
    /* frames, paths, most, alpha and beta are set; x and metrics at the end. */
    void (*scl)(const struct polar_program *program, struct polar_paths *paths);
    /* Which bits of a row of bytes are -1. */
    void (*bits)(const polar_row *rows, uint32_t n, polar_bits *bits);
    /* u of x, in place. */
    void (*transform)(polar_bits *x, uint32_t n);
    /* The bits of all lanes: 64 of each in a word, the lowest one first, then the next 64 of each. */
    void (*lanes)(const polar_bits *message, uint32_t n, polar_bits *to);
    /* All stages to the left, then to the right. */
    void (*bp)(const struct polar_decode *d, float (*l)[POLAR_BP_LANES],
               float (*r)[POLAR_BP_LANES]);
    /* Of each lane the likeliest message of nr-small, bit k of which is bit k of the number. */
    void (*small)(const struct polar_code *code, const polar_row *rows, int16_t *message);
    /* Bits of a lane's words, of which every 64th is one, to one a byte. */
    void (*spread)(const polar_bits *words, uint32_t n, uint8_t *to);
    /* One frame at a time; NULL: there is none. */
    const struct polar_frame_kernel *(*frame)(void);
};

/* NULL: not in this build. */
const struct polar_kernel *polar_kernel_generic(void);
const struct polar_kernel *polar_kernel_avx2(void);
const struct polar_kernel *polar_kernel_avx512(void); /* with VBMI */

/* ---- What lanes have in bits: bits.c --------------------------------------------------------- */

/* The K bits of u. */
void polar_bits_message(const struct polar_code *code, const polar_bits *u, polar_bits *message);
/* What right words leave in the register (polar_crc.rest), of each lane its own; and where none is right. */
struct polar_rests {
    polar_bits bit[24], none;
};

void polar_bits_rest(const struct polar_crc *crc, uint32_t rest, polar_bits lanes,
                     struct polar_rests *rests);
/* Lanes whose CRC holds. */
polar_bits polar_bits_crc(const struct polar_crc *crc, const struct polar_rests *rests,
                          const polar_bits *message, uint32_t n);

/* Turns every eight of n rows round, n rounded up by rows of 0: bytes of a lane's words then have their first bit
   highest. */
void polar_bits_turn(polar_bits *message, uint32_t n);
/* The words of a lane after that, every 64th of these, to n packed bits. */
void polar_bits_put(const polar_bits *words, uint32_t n, uint8_t *to);

/* ---- Belief propagation: bp.c ------------------------------------------------------------------ */

/* Lays it out behind `base` (NULL: only counts); returns bytes. */
size_t polar_simd_bp_carve(struct polar_bp *bp, const struct polar_decode *d, void *base);
/* from: N LLRs of each lane, i8 or f32. */
void polar_simd_bp_start(const struct polar_decode *d, struct polar_bp *bp, const void *const *from,
                         uint32_t type);
/* u as it is decided now. */
void polar_simd_bp_decide(const struct polar_decode *d, const struct polar_bp *bp, polar_bits *u);
/* Lanes whose decided x is this. */
polar_bits polar_simd_bp_agree(const struct polar_decode *d, const struct polar_bp *bp,
                               const polar_bits *encoded);

/* ---- One frame at a time: alone.c ---------------------------------------------------------------- */

/* The arrays of a call. */
struct polar_batch {
    const struct fecrun_view *in, *masks; /* masks: NULL: all frames have that of the parameter */
    struct fecrun_view *out;
    struct fecrun_frame_info *info;
};

/* Memory for sc and scl of one frame. */
struct polar_alone {
    int8_t *llr;                      /* 2 N + 64 */
    uint64_t *x, *gathered, *message; /* u at the end; K / 64 + 1 words each */
    struct polar_frame_paths *paths;  /* scl */
};

/* Lays it out behind `base` (NULL: only counts); returns bytes. */
size_t polar_alone_carve(struct polar_alone *alone, const struct polar_decode *d, void *base);
/* Successive cancellation of one frame. Returns whether the list has to decode it, too (adaptive); nothing
   is written then. */
bool polar_alone_sc(const struct polar_frame_kernel *kernel, const struct polar_decode *d,
                    const struct polar_alone *alone, const struct polar_batch *batch,
                    uint64_t frame);
/* The same with a list; kernel->list is not NULL. */
void polar_alone_list(const struct polar_frame_kernel *kernel, const struct polar_decode *d,
                      const struct polar_alone *alone, const struct polar_batch *batch,
                      uint64_t frame);

/* ---- explain: explain.c ------------------------------------------------------------------------- */

struct polar_choice {
    const char *kernel;
    uint64_t few, few_lists; /* frames of sc and of lists that are decoded one at a time, at most */
    uint32_t lanes;          /* of a list's frame */
};

/* Kernels, the width of metrics, and why, in a line. */
void polar_simd_explain(const struct polar_decode *d, const struct polar_choice *choice, char *text,
                        size_t text_size);

/* ---- Small blocks: small.c ---------------------------------------------------------------------- */

struct polar_simd_small;

size_t polar_simd_small_bytes(void);
/* i8 LLRs, packed or u8 bits. */
void polar_simd_small(const struct polar_kernel *kernel, const struct polar_code *code,
                      const struct fecrun_view *in, const struct fecrun_view *out,
                      struct fecrun_frame_info *info, struct polar_simd_small *work);

#endif
