/* SPDX-License-Identifier: BSD-2-Clause */
/* Gains of a fading channel: what channel.fading multiplies symbols by. */
#ifndef CHAIN_CHANNEL_FADING_H
#define CHAIN_CHANNEL_FADING_H

#include "plugins/chain/channel/wave.h"

enum { JAKES_PATHS = 16 }; /* of a dimension */

struct fading_code {
    float direct, diffuse; /* amplitudes; the sum of their squares is 1 */
    bool magnitude;        /* gains are real and not negative */
    bool stream;           /* symbols are counted from the begin of the stream, not of the frame */
    uint64_t block;        /* symbols of one gain; 0: doppler says how fast gains change */
    double doppler;        /* largest Doppler frequency, cycles a symbol, at most 0.5 */
};

/*
 * Waves of one frame, or of a stream. The real part of the gain of symbol n is the sum of the cosines of the phases
 * phase[0][] + n step[0][], which are 2^64 to a turn, and the imaginary part that of [1]. Angles of arrival and phases are
 * random: Y. R. Zheng and C. Xiao, IEEE Communications Letters 6 (2002) 256. The mean over frames of the
 * autocorrelation is J0(2 pi doppler n) / 2 in each part, for any number of paths.
 */
struct jakes {
    chain_wave *add;
    uint64_t phase[2][JAKES_PATHS], step[2][JAKES_PATHS];
};

/* Sets all but `add`. */
void jakes_begin(struct jakes *jakes, double doppler, const struct fecrun_rng *rng, uint64_t frame);

chain_wave chain_wave_ref;

/*
 * Gains of the symbols first .. first + n - 1 of a frame (of the stream: any frame number), none on the other side of a
 * multiple of WAVE_BLOCK. `jakes` has begun if code->block is 0. The same bits on each machine.
 */
void fading_gains(const struct fading_code *code, const struct jakes *jakes,
                  const struct fecrun_rng *rng, uint64_t frame, uint64_t first, size_t n,
                  float (*gain)[2]);

/* run() of channel.fading with that way to add waves. */
int fading_batch(chain_wave *add, const struct fecrun_call *call, const struct fecrun_view *in,
                 struct fecrun_view *const out[]);

#endif
