/* SPDX-License-Identifier: BSD-2-Clause */
/* Iterations of one block alone. */
#include "plugins/turbo/simd/single.h"

#include <fecrun/sdk/carve.h>
#include <string.h>

bool turbo_single_fits(const struct turbo_simd *s)
{
    return s->windows == 1 || (s->windows <= TURBO_SINGLE_WORDS && s->steps % 8 == 0 &&
                               s->training % 8 == 0 && s->steps >= 2 * s->training);
}

void turbo_single_carve(struct turbo_single_work *work, uint32_t k, void *base, size_t *used)
{
    work->sys2 = fecrun_carve(base, used, k * sizeof *work->sys2);
    work->prior = fecrun_carve(base, used, k * sizeof *work->prior);
    work->in = fecrun_carve(base, used, k * sizeof *work->in);
    work->llr = fecrun_carve(base, used, k * sizeof *work->llr);
    work->out = fecrun_carve(base, used, k * sizeof *work->out);
    work->gain = fecrun_carve(base, used, k * sizeof *work->gain);
    work->metric = fecrun_carve(base, used, k / 2 * sizeof(turbo_pair));
    for (unsigned e = 0; e < 2; e++) {
        work->start[e] = fecrun_carve(base, used, TURBO_SINGLE_WORDS * sizeof(turbo_pair));
        work->late[e] = fecrun_carve(base, used, TURBO_SINGLE_WORDS * sizeof(turbo_pair));
    }
}

/* Metrics of the first and of the last sub-block, where set_ends() has put them. */
static void load_ends(const struct turbo_simd *s, const struct turbo_work *work, unsigned e)
{
    turbo_pair *start = (turbo_pair *)(void *)work->single.start[e];
    int16_t *last = start[s->windows - 1];

    for (uint32_t i = 0; i < TURBO_STATES; i++) {
        const uint8_t *state = turbo_pair_state;

        start[0][i] = (int16_t)turbo_get(work->begin[e][state[i]], 0, TURBO_WORD);
        last[TURBO_STATES + i] = (int16_t)turbo_get(work->end[e][state[TURBO_STATES + i]],
                                                    s->windows - 1, TURBO_WORD);
    }
    memset(work->single.late[e], 0, s->windows * sizeof(turbo_pair));
}

/* to[i] = from[index[i]] */
static void reorder(const int16_t *restrict from, const uint16_t *restrict index, uint32_t n,
                    int16_t *restrict to)
{
    for (uint32_t i = 0; i < n; i++)
        to[i] = from[index[i]];
}

void turbo_single_decode(const struct turbo_simd *s, struct turbo_work *work,
                         const struct turbo_batch *batch, uint64_t frame)
{
    const uint32_t k = s->decode->k;
    const struct turbo_single_work *single = &work->single;
    const int16_t *word = (const int16_t *)(const void *)turbo_staged(s, work, 0, 0);
    struct turbo_slot slot = {.frame = frame, .live = true};
    struct turbo_single_half half[2];

    turbo_stage_frame(s, work, 0, batch, frame);
    for (unsigned e = 0; e < 2; e++) {
        load_ends(s, work, e);
        half[e] = (struct turbo_single_half){
            .fixed = &s->fixed,
            .windows = s->windows,
            .steps = s->steps,
            .training = s->training,
            .sys = e ? single->sys2 : word,
            .prior = single->prior,
            .parity = word + turbo_item(k, 1 + e, 0),
            .start = (turbo_pair *)(void *)single->start[e],
            .late = (turbo_pair *)(void *)single->late[e],
            .out = single->out,
            .in = single->in,
            .gain = single->gain,
            .metric = (turbo_pair *)(void *)single->metric,
        };
    }
    reorder(word, s->pi, k, single->sys2);
    memset(single->prior, 0, k * sizeof *single->prior);
    while (slot.live) {
        const bool decide = s->decode->stop != TURBO_NEVER ||
                            slot.iterations + 1 == turbo_passes(s->decode);

        if (slot.iterations || !s->decode->extra_half) {
            s->single(&half[0]);
            reorder(single->out, s->pi, k, single->prior);
        }
        half[1].llr = decide ? single->llr : NULL;
        s->single(&half[1]);
        reorder(single->out, s->inverse, k, single->prior);
        slot.iterations++;
        if (!decide)
            continue;
        reorder(single->llr, s->inverse, k, (int16_t *)(void *)work->lane);
        turbo_settle(s, work, batch, 0, &slot);
    }
}
