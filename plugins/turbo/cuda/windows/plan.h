/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The turbo decoder whose windows lie side by side in threads: what its host code and its kernels
 * agree on.
 *
 * A block of K bits is cut into P windows of W steps. One thread does a window of two blocks at
 * once, one in each 16-bit lane of its words; the P threads of such a pair lie side by side in a
 * block of threads, which has room for `slots` pairs. Borders of windows start each iteration with
 * what their neighbours had there in the one before (next-iteration initialisation): `overlap`
 * steps inside the neighbour, which are done again first, with the LLRs of this iteration. That
 * takes the place of much longer windows. All iterations of a pair run in one launch, all that
 * changes from one half iteration to the next lies in shared memory. A block of threads takes the
 * next block of bits as soon as one is finished, in either lane.
 *
 * Rows of shared memory are steps, columns are threads: step k of window w is word [k][w]. A QPP
 * takes step k of all windows to one row: pi(k + w W) = pi(k) + w W (f1 + 2 f2 k) + f2 (w W)^2, so
 *
 *     pi mod W  = pi(k) mod W
 *     pi div W  = pi(k) div W + w (f1 + 2 f2 k) + f2 W w^2   mod P
 *
 * (maximum contention-free, Takeshita 2006). Where P divides 8 f2 the factor of w repeats every
 * four steps, so that a thread finds its columns with four constants and a row's {pi mod W, pi div
 * W}. All 188 sizes have such P; see turbo_windows_fit().
 */
#ifndef TURBO_CUDA_WINDOWS_PLAN_H
#define TURBO_CUDA_WINDOWS_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef FECRUN_CUDA
#include <cuda_runtime_api.h>
#endif

#include "plugins/turbo/code/qpp.h"

/* Of a block: columns of a row. The kernels are compiled for all of these numbers. */
#define WIN_NARROW 128 /* two blocks of threads a multiprocessor: the fastest */
#define WIN_WIDE 192   /* one: more and shorter windows, for few blocks of bits */
/* Where those find no room: with 99 KiB of shared memory a block of threads 96 have windows for each size,
   with 64 KiB 64 have them up to K = 4096 and for some sizes above, which is as much as that holds. */
#define WIN_SLIM 96
#define WIN_SLIMMEST 64

enum {
    WIN_BLOCK = 16, /* steps whose forward metrics a thread has in registers at a time */
    WIN_MOST_STEPS = 96,
    WIN_LEAD = 8, /* the overlap is a multiple of it, */
    WIN_MOST_OVERLAP = 48,
    WIN_LONG_STEPS = 48,    /* at least, of the windows of code rates above 0.8, */
    WIN_LONGEST_STEPS = 80, /* and above 0.9, where the size has such windows */
};

/* Blocks of one size. */
struct turbo_windows_class {
    uint32_t k, f1, f2, fillers;
    uint32_t windows, steps; /* P, W */
    uint32_t overlap;        /* a multiple of WIN_LEAD up to WIN_MOST_OVERLAP and W */
    uint32_t threads, slots; /* of a block of threads, and how many pairs it has */
    uint32_t first, frames;  /* which of the batch: places first .. first + frames - 1 of order[] */
};

/* A kernel's rule; WIN_SOFT added: it gives LLRs, too. */
enum turbo_windows_stop { WIN_ALWAYS_ALL, WIN_STOP_CRC, WIN_STOP_LLR, WIN_SOFT = 4 };

/* What a launch does. All pointers are the device's. */
struct turbo_windows_job {
    struct turbo_windows_class only; /* n_classes = 0: all frames */
    const struct turbo_windows_class *classes;
    uint32_t n_classes;
    const int8_t *in; /* LLRs: d0 d1 d2 of 36.212 5.1.3.2.2, K + 4 each */
    uint8_t *out;
    uint64_t in_stride, out_stride;         /* bytes from frame to frame, */
    const uint64_t *in_offset, *out_offset; /* or where each begins */
    const uint32_t *order;                  /* NULL: frame i is in place i */
    const float *apriori;                   /* LLRs of the bits beforehand; NULL: none */
    uint64_t apriori_stride;
    const uint64_t *apriori_offset;
    float apriori_unit; /* of the input, in one of these */
    float
        *soft[2]; /* WIN_SOFT: LLRs, and extrinsic ones, in units of the input; NULL: not wanted */
    uint64_t soft_stride[2]; /* bytes, or where each frame's begin; the same for both */
    const uint64_t *soft_offset;
    struct fecrun_frame_info *info;
    uint32_t packed; /* output: 8 bits a byte, else one */
    uint32_t iterations;
    uint32_t limit;      /* of extrinsic LLRs, in two lanes, */
    uint32_t factor;     /* their factor, two halves, */
    uint32_t bias;       /* and what is to be taken from the result in two lanes, see win_prior() */
    float unit;          /* log-map: of the input, in logarithms to base 2, */
    float scale;         /* and the factor of extrinsic ones */
    uint32_t mean;       /* WIN_STOP_LLR: the mean |LLR| counts, not the least */
    uint32_t threshold;  /* in units of the input */
    uint32_t polynomial; /* WIN_STOP_CRC: of degree 24, without its leading term */
    uint32_t
        processors; /* WIN_ALWAYS_ALL, one class: queues of so many multiprocessors; 0: one for all */
    uint32_t
        *queue; /* 0 before the launch: a word a class, what is taken so far; with `processors` one
                            more than these, see share.cuh */
};

/* ---- Shared memory: offsets in bytes --------------------------------------------------------- */

/*
 * Of a block of threads with so many windows a block of bits, of so many steps. At fixed places: borders of
 * windows, [encoder][begin, end][states 0..3, 4..7][thread] of four words; the group that comes next, of two;
 * the table of the CRC; each thread's column[4], of two bytes, for its neighbours. At others, of each block of bits,
 * [slot][lane], which one comes next and what its threads found, [iteration modulo 2].
 */
#define WIN_BORDER(threads) (2 * 16 * (threads))
#define WIN_NEXT(threads) (4 * WIN_BORDER(threads))
#define WIN_CRC(threads) (WIN_NEXT(threads) + 16)
#define WIN_COLUMNS(threads) (WIN_CRC(threads) + 4 * 256)
#define WIN_FIXED(threads) (WIN_COLUMNS(threads) + 8 * (threads))

struct turbo_windows_layout {
    uint32_t prior, sys, parity, places, bits, next, found, bytes;
};

TURBO_FN uint32_t turbo_windows_blocks(uint32_t steps)
{
    return (steps + WIN_BLOCK - 1) / WIN_BLOCK;
}

TURBO_FN struct turbo_windows_layout turbo_windows_lay_out(uint32_t threads, uint32_t windows,
                                                           uint32_t steps)
{
    const uint32_t row = threads, blocks = turbo_windows_blocks(steps), slots = threads / windows;
    struct turbo_windows_layout at;

    at.prior = WIN_FIXED(threads);           /* a priori LLRs plus what arrived: [k][thread] */
    at.sys = at.prior + 4 * steps * row;     /* what arrived, a byte a lane, plus 128 */
    at.parity = at.sys + 2 * steps * row;    /* of both encoders */
    at.places = at.parity + 4 * steps * row; /* row and column of pi(k) */
    at.bits = at.places + 8 * steps;         /* decisions, a word a block of steps */
    at.next = at.bits + 4 * blocks * row;
    at.found = at.next + 8 * slots; /* [iteration modulo 2][slot][lane] */
    at.bytes = at.found + 2 * 8 * slots;
    return at;
}

/* ---- Host
   ------------------------------------------------------------------------------------- */

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Windows for blocks of that size, in blocks of so many threads (WIN_NARROW, ...) that can have `shared`
 * bytes of shared memory: `windows` of them if that is not 0, else as many as are fastest. More than
 * WIN_NARROW of them, and only those, are for WIN_WIDE. NULL, or why that is not possible. Leaves overlap,
 * fillers, first and frames alone, and all of *c after a failure.
 */
const char *turbo_windows_fit(const struct turbo_qpp *qpp, uint32_t windows, uint32_t threads,
                              size_t shared, struct turbo_windows_class *c);

/* The n-th number of threads to try, best first; 0: there are no more. */
static inline uint32_t turbo_windows_threads(unsigned n)
{
    return n == 0 ? WIN_NARROW : n == 1 ? WIN_WIDE : n == 2 ? WIN_SLIM : n == 3 ? WIN_SLIMMEST : 0;
}

/*
 * Longer windows, where a code rate K / bits received needs them, the size has any and they find room in `shared`
 * bytes of a block of threads.
 */
void turbo_windows_lengthen(const struct turbo_qpp *qpp, double rate, size_t shared,
                            struct turbo_windows_class *c);

/* So many steps of overlap, or what such windows can have. */
uint32_t turbo_windows_most_overlap(const struct turbo_windows_class *c, uint32_t overlap);

/* How far such windows should overlap, for a code rate K / bits received and so many iterations at most. */
uint32_t turbo_windows_overlap(const struct turbo_windows_class *c, double rate,
                               uint32_t iterations);

/*
 * The arithmetic's constants in a job, for a factor of extrinsic LLRs 0 < scale <= 1 and LLRs that
 * have `units` per natural LLR (log-map).
 */
void turbo_windows_scale(double scale, double units, struct turbo_windows_job *job);

/* Are all windows of that length whole blocks of steps? */
static inline bool turbo_windows_whole(const struct turbo_windows_class *c)
{
    return c->steps % WIN_BLOCK == 0;
}

/*
 * Which kernel. whole: all windows are whole blocks of steps (of others those that are run the same
 * code); exact: log-map; soft: LLRs, too;
 * threads: of a block, as the classes have. Wide kernels decode max-log and do all iterations; slim ones do
 * whatever there is, and are the same for all windows, with LLRs and without.
 */
struct turbo_windows_kind {
    enum turbo_windows_stop stop;
    bool whole, exact, soft;
    uint32_t threads;
};

#ifdef FECRUN_CUDA
const void *turbo_windows_wide(bool soft);
const void *turbo_windows_slim(enum turbo_windows_stop stop, bool exact);
const void *turbo_windows_slimmest(enum turbo_windows_stop stop, bool exact);
const void *turbo_windows_all(bool whole);
const void *turbo_windows_crc(bool whole);
const void *turbo_windows_llr(bool whole);
const void *turbo_windows_soft(enum turbo_windows_stop stop, bool whole);
const void *turbo_windows_log_soft(enum turbo_windows_stop stop, bool whole);
const void *turbo_windows_log_all(bool whole);
const void *turbo_windows_log_crc(bool whole);
const void *turbo_windows_log_llr(bool whole);

const void *turbo_windows_kernel_of(const struct turbo_windows_kind *kind);

/*
 * Lets a kernel have `bytes` of shared memory a block of threads on the current device, and all that there is: the
 * kernel has one such number, which instances of the same process share. cudaErrorInvalidValue: there is less.
 */
cudaError_t turbo_allow_shared(const void *kernel, uint32_t bytes);

/*
 * Before the first launch with *bytes of shared memory a block of threads: how many `blocks` of them the current
 * device has at a time. `shared`: of a multiprocessor, which may be less than the device's has: then *bytes becomes
 * so large that no more blocks are there at a time than find room in `shared`.
 */
cudaError_t turbo_windows_prepare(const struct turbo_windows_kind *kind, size_t shared,
                                  uint32_t *bytes, unsigned *blocks);

/* Fills first and frames of classes, order[] and an empty queue; all on the device. */
cudaError_t turbo_windows_deal(struct turbo_windows_class *classes, uint32_t n_classes,
                               const uint32_t *class_of, uint32_t frames, uint32_t *order,
                               uint32_t *queue, cudaStream_t stream);

cudaError_t turbo_windows_launch(const struct turbo_windows_job *job,
                                 const struct turbo_windows_kind *kind, uint32_t bytes,
                                 unsigned blocks, cudaStream_t stream);
#endif

#ifdef __cplusplus
}
#endif

#endif
