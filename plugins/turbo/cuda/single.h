/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The turbo decoder of few blocks of bits, which takes the shortest time for one: what its host code
 * and its kernel agree on. Windows and results are those of windows.h, of which it does max-log with
 * all iterations.
 *
 * A block of threads has one block of bits of P windows. Windows n and n + P / 2 lie in the two
 * lanes of column n; of P threads the first half go forward through a column, and the others go
 * backward through it at the same time. Up to the middle they save their metrics, behind it each
 * meets those of the other one and finds the LLRs: a half iteration takes as long as the W steps of
 * one recursion.
 *
 * A QPP takes windows n and n + P / 2 to columns that are P / 2 apart, too (f1 is odd, and 4 divides
 * P), so that the second encoder reads one word and swaps its lanes or not.
 */
#ifndef TURBO_CUDA_SINGLE_H
#define TURBO_CUDA_SINGLE_H

#include "plugins/turbo/cuda/windows.h"

enum { SINGLE_GROUP = 4, SINGLE_MOST_STEPS = 64, SINGLE_MOST_WINDOWS = 192 };

/* Can it do blocks with these windows? */
static inline bool turbo_single_fits(const struct turbo_windows_class *c)
{
    return c->windows % 4 == 0 && c->windows <= SINGLE_MOST_WINDOWS &&
           c->steps % 16 == 0 && /* halves of whole groups, and of whole bytes of bits */
           c->steps <= SINGLE_MOST_STEPS && c->overlap <= c->steps / 2;
}

/* Shared memory, in bytes; `saved`: metrics of each step, forward ones of the first half of the
   steps, backward ones of the second; behind it the borders, [encoder][begin, end][states 0..3,
   4..7][column]; `bits`: [half of the steps][lane][column], and behind them each thread's column[4],
   for its neighbours. */
TURBO_FN struct turbo_windows_layout turbo_single_lay_out(uint32_t windows, uint32_t steps)
{
    const uint32_t columns = windows / 2;
    struct turbo_windows_layout at;

    at.saved = 0;
    at.prior = at.saved + 32 * steps * columns + 4 * 32 * columns;
    at.sys = at.prior + 4 * steps * columns;
    at.parity = at.sys + 2 * steps * columns;
    at.places = at.parity + 4 * steps * columns;
    at.bits = at.places + 8 * steps;
    at.bytes = at.bits + 16 * columns + 16 * columns;
    return at;
}

#ifdef FECRUN_CUDA
#ifdef __cplusplus
extern "C" {
#endif

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
