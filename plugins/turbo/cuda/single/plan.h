/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The turbo decoder of few blocks of bits, which takes the shortest time for one: what its host code
 * and its kernel agree on. Windows and results are those of windows/plan.h, of which it does max-log with
 * all iterations.
 *
 * A block of threads has one block of bits of P windows. Windows n and n + P / 2 lie in the two
 * lanes of column n; of P threads the first half go forward through a column, and the others go
 * backward through it at the same time. Up to the middle they save their metrics, behind it each
 * meets those of the other one and finds the LLRs: a half iteration takes as long as the W steps of
 * one recursion.
 *
 * All that a step reads lies in a row of its own encoder's order; what it finds out it writes into the
 * other encoder's rows. So nothing is looked up in front of a recursion, and nobody waits for what is
 * written. A QPP takes windows n and n + P / 2 to columns that are P / 2 apart, too (f1 is odd, and 4
 * divides P), so that a word goes to one place, with its lanes swapped or not.
 */
#ifndef TURBO_CUDA_SINGLE_PLAN_H
#define TURBO_CUDA_SINGLE_PLAN_H

#include "plugins/turbo/cuda/windows/plan.h"

enum {
    SINGLE_NARROW = 32, /* columns of a row: the kernel is compiled for both numbers */
    SINGLE_WIDE = 64,
    SINGLE_GROUP = 2, /* steps of which is read at a time, */
    SINGLE_TURN = 4,  /* and of a loop */
};

/* Words of a row: what is known of the bit beforehand plus what arrived; that alone, plus 128; parity; where
   the other encoder has the bit, and how far its lanes are turned, in bits. */
enum { SINGLE_PRIOR, SINGLE_SYS, SINGLE_PARITY, SINGLE_TO, SINGLE_BY, SINGLE_WORDS };

/*
 * Shared memory, in bytes: rows of either encoder; borders, [encoder][begin, end], eight metrics a column;
 * `saved`: metrics of each step, forward ones of the first half of the steps, backward ones of the second,
 * and in the end decisions, [half of the steps][lane], a word a column.
 */
struct turbo_single_layout {
    uint32_t rows[2], borders, saved, bytes;
};

TURBO_FN struct turbo_single_layout turbo_single_lay_out(uint32_t columns, uint32_t steps)
{
    const uint32_t word = 4 * columns, metrics = 8 * word;
    struct turbo_single_layout at;

    at.rows[0] = 0;
    at.rows[1] = SINGLE_WORDS * word * steps;
    at.borders = 2 * SINGLE_WORDS * word * steps;
    at.saved = at.borders + 4 * metrics;
    at.bytes = at.saved + metrics * steps;
    return at;
}

static inline uint32_t turbo_single_columns(const struct turbo_windows_class *c)
{
    return c->windows > 2 * SINGLE_NARROW ? +SINGLE_WIDE : +SINGLE_NARROW;
}

/* Can it do blocks with these windows, where a block of threads can have `shared` bytes of shared memory? */
static inline bool turbo_single_fits(const struct turbo_windows_class *c, size_t shared)
{
    return c->windows % 4 == 0 && c->windows <= 2 * SINGLE_WIDE &&
           c->steps % (2 * SINGLE_TURN) == 0 && c->steps <= 64 && c->overlap % SINGLE_TURN == 0 &&
           c->overlap <= c->steps &&
           turbo_single_lay_out(turbo_single_columns(c), c->steps).bytes <= shared;
}

#ifdef FECRUN_CUDA
#ifdef __cplusplus
extern "C" {
#endif

/* The kernel with rows of SINGLE_NARROW columns. */
const void *turbo_single_narrow(void);

/* Before the first launch: how many `blocks` of threads the current device has at a time. */
cudaError_t turbo_single_prepare(const struct turbo_windows_class *c, unsigned *blocks);

/* Frames of job->only, one a block of threads. */
cudaError_t turbo_single_launch(const struct turbo_windows_job *job, unsigned blocks,
                                cudaStream_t stream);

#ifdef __cplusplus
}
#endif
#endif
#endif
