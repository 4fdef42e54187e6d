/* SPDX-License-Identifier: BSD-2-Clause */
/* Iterations of one block alone, in bytes. */
#include "plugins/turbo/simd/single_bytes.h"

#include <fecrun/sdk/carve.h>
#include <string.h>

#include "plugins/turbo/simd/single.h"

bool turbo_single_bytes_fits(const struct turbo_simd *s)
{
    return s->windows <= TURBO_SINGLE_WINDOWS && s->steps % 4 == 0 &&
           (s->windows == 1 || s->steps >= 2 * s->training);
}

void turbo_single_bytes_carve(struct turbo_single_bytes_work *work, uint32_t k, void *base,
                              size_t *used)
{
    const size_t bytes = k + TURBO_SINGLE_ROOM;
    const size_t ends = TURBO_SINGLE_WINDOWS * sizeof(turbo_ends);

    work->sys = fecrun_carve(base, used, bytes);
    work->parity[0] = fecrun_carve(base, used, bytes);
    work->parity[1] = fecrun_carve(base, used, bytes);
    work->in = fecrun_carve(base, used, bytes);
    work->in2 = fecrun_carve(base, used, bytes);
    work->out2 = fecrun_carve(base, used, bytes);
    work->llr = fecrun_carve(base, used, bytes);
    work->llr2 = fecrun_carve(base, used, bytes);
    work->gain = fecrun_carve(base, used, bytes * sizeof *work->gain);
    work->sum = fecrun_carve(base, used, bytes * sizeof *work->sum);
    work->metric = fecrun_carve(base, used, k * sizeof(turbo_ends));
    for (unsigned e = 0; e < 2; e++) {
        work->start[e] = fecrun_carve(base, used, ends);
        work->late[e] = fecrun_carve(base, used, ends);
    }
}

/* Metrics of the first and of the last sub-block, where set_ends() has put them. */
static void load_ends(const struct turbo_simd *s, const struct turbo_work *work, unsigned e)
{
    const struct turbo_single_bytes_work *single = &work->single_bytes;
    const size_t last = (size_t)(s->windows - 1) * sizeof(turbo_ends);

    for (uint32_t i = 0; i < TURBO_STATES; i++) {
        const uint8_t *state = turbo_pair_state;

        single->start[e][i] = work->begin[e][state[i]][0];
        single->start[e][last + TURBO_STATES + i] =
            work->end[e][state[TURBO_STATES + i]][s->windows - 1];
    }
    memset(single->late[e], s->fixed.top, s->windows * sizeof(turbo_ends));
}

static struct turbo_single_bytes_half
half_of(const struct turbo_simd *s, const struct turbo_single_bytes_work *single, unsigned e)
{
    return (struct turbo_single_bytes_half){
        .fixed = &s->fixed,
        .windows = s->windows,
        .steps = s->steps,
        .training = s->training,
        .in = e ? single->in2 : single->in,
        .parity = single->parity[e],
        .sys = e ? NULL : single->sys,
        .out = e ? single->out2 : single->in,
        .start = (turbo_ends *)single->start[e],
        .late = (turbo_ends *)single->late[e],
        .gain = single->gain,
        .sum = single->sum,
        .metric = (turbo_ends *)single->metric,
    };
}

void turbo_single_bytes_decode(const struct turbo_simd *s, struct turbo_work *work,
                               const struct turbo_batch *batch, uint64_t frame)
{
    const struct turbo_single_bytes_kernel *kernel = s->single_bytes;
    const struct turbo_single_bytes_work *single = &work->single_bytes;
    struct turbo_slot slot = {.frame = frame, .live = true};
    struct turbo_single_bytes_half half[2];

    turbo_stage_frame(s, work, 0, batch, frame);
    turbo_load_single(s, work);
    for (unsigned e = 0; e < 2; e++) {
        load_ends(s, work, e);
        half[e] = half_of(s, single, e);
    }
    while (slot.live) {
        const bool decide = s->decode->stop != TURBO_NEVER ||
                            slot.iterations + 1 == turbo_passes(s->decode);

        if (slot.iterations || !s->decode->extra_half)
            kernel->half(&half[0]);
        kernel->gather(s, single->in, single->in2);
        half[1].llr = decide ? single->llr2 : NULL;
        kernel->half(&half[1]);
        kernel->scatter(s, single->out2, single->sys, single->in);
        slot.iterations++;
        if (!decide)
            continue;
        kernel->scatter(s, single->llr2, NULL, single->llr);
        turbo_unload_single(s, work);
        turbo_settle(s, work, batch, 0, &slot);
    }
}
