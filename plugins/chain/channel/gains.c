/* SPDX-License-Identifier: BSD-2-Clause */
#include "plugins/chain/channel/fading.h"

/* ---- Jakes' spectrum ---- */

void chain_wave_ref(uint64_t p, uint64_t step, size_t n, float *out)
{
    float cosine[WAVE_LANES], sine[WAVE_LANES], turn[2];

    wave_begin(p, step, cosine, sine, turn);
    for (size_t k = 0; k < n; k += WAVE_LANES)
        for (unsigned i = 0; i < WAVE_LANES; i++) {
            const float c = cosine[i], s = sine[i];

            out[k + i] += c;
            cosine[i] = c * turn[0] - s * turn[1];
            sine[i] = s * turn[0] + c * turn[1];
        }
}

void jakes_begin(struct jakes *jakes, double doppler, const struct fecrun_rng *rng, uint64_t frame)
{
    enum { BLOCKS = 2 * JAKES_PATHS / FECRUN_RNG_BLOCK + 1 };
    const double turn = 18446744073709551616.0; /* 2^64 */
    uint32_t words[BLOCKS * FECRUN_RNG_BLOCK];
    uint32_t offset;

    fecrun_rng_words(rng, frame, 0, words, BLOCKS);
    offset = words[2 * JAKES_PATHS];
    for (uint64_t m = 0; m < JAKES_PATHS; m++) {
        /* Path m comes from within its own part of a quarter turn. */
        const uint32_t angle = (uint32_t)((m << 32 | offset) / (4 * JAKES_PATHS));
        float part[2];

        wave_angle(angle, &part[0], &part[1]);
        for (unsigned d = 0; d < 2; d++) {
            const double cycles = doppler * (part[d] > 0 ? (double)part[d] : 0);

            jakes->step[d][m] = (uint64_t)(cycles * turn);
            jakes->phase[d][m] = (uint64_t)words[d * JAKES_PATHS + m] << 32;
        }
    }
}

/* Of symbols of one block of WAVE_BLOCK. */
static void jakes_gains(const struct jakes *jakes, uint64_t first, size_t n, float (*gain)[2])
{
    const float scale = 0.25f; /* sqrt(1 / JAKES_PATHS): each part has power 1/2 */
    const size_t skipped = first % WAVE_BLOCK;
    const uint64_t begin = first - skipped;

    for (unsigned d = 0; d < 2; d++) {
        _Alignas(64) float sum[WAVE_BLOCK] = {0};

        for (unsigned m = 0; m < JAKES_PATHS; m++)
            jakes->add(jakes->phase[d][m] + begin * jakes->step[d][m], jakes->step[d][m],
                       skipped + n, sum);
        for (size_t i = 0; i < n; i++)
            gain[i][d] = scale * sum[skipped + i];
    }
}

/* ---- Blocks ---- */

/* Blocks of a stream have 2^32 to a frame of random numbers, which has room for twice as many. */
static void block_samples(const struct fading_code *code, const struct fecrun_rng *rng,
                          uint64_t frame, uint64_t begin, size_t n, float *sample)
{
    if (code->stream)
        frame = begin >> 32;
    fecrun_gauss(rng, frame, 2 * (code->stream ? (uint32_t)begin : begin), sample, 2 * n);
}

static void block_gains(const struct fading_code *code, const struct fecrun_rng *rng,
                        uint64_t frame, uint64_t first, size_t n, float (*gain)[2])
{
    const float half = 0.707106769f; /* each part has power 1/2 */
    float sample[2 * (WAVE_BLOCK + 2)];
    uint64_t have = 0, end = 0; /* blocks in sample[] */

    for (size_t i = 0, run; i < n; i += run) {
        const uint64_t block = (first + i) / code->block;
        const uint64_t left = (block + 1) * code->block - (first + i);

        run = left < n - i ? (size_t)left : n - i;
        if (block >= end) {
            const uint64_t last = (first + n - 1) / code->block;
            const uint64_t whole = (block | 0xffffffffu) +
                                   1; /* where a stream's numbers begin anew */

            have = block & ~(uint64_t)1; /* samples come in fours */
            end = last + 1 < whole ? last + 1 : whole;
            block_samples(code, rng, frame, have, (size_t)(end - have), sample);
        }
        for (size_t j = i; j < i + run; j++) {
            gain[j][0] = half * sample[2 * (block - have)];
            gain[j][1] = half * sample[2 * (block - have) + 1];
        }
    }
}

/* ---- Both ---- */

void fading_gains(const struct fading_code *code, const struct jakes *jakes,
                  const struct fecrun_rng *rng, uint64_t frame, uint64_t first, size_t n,
                  float (*gain)[2])
{
    if (code->block)
        block_gains(code, rng, frame, first, n, gain);
    else
        jakes_gains(jakes, first, n, gain);
    for (size_t i = 0; i < n; i++) {
        gain[i][0] = code->direct + code->diffuse * gain[i][0];
        gain[i][1] = code->diffuse * gain[i][1];
    }
    for (size_t i = 0; code->magnitude && i < n; i++) {
        gain[i][0] = fecrun_sqrt(gain[i][0] * gain[i][0] + gain[i][1] * gain[i][1]);
        gain[i][1] = 0;
    }
}

/* ---- Running ---- */

/* out = in * gain */
static void multiply(const float (*in)[2], const float (*gain)[2], size_t n, float (*out)[2])
{
    for (size_t i = 0; i < n; i++) {
        out[i][0] = in[i][0] * gain[i][0] - in[i][1] * gain[i][1];
        out[i][1] = in[i][0] * gain[i][1] + in[i][1] * gain[i][0];
    }
}

/* A row; its first symbol has number `first` in the frame or the stream. `state` may be NULL. */
static void fade(const struct fading_code *code, chain_wave *add, const struct fecrun_rng *rng,
                 uint64_t frame, uint64_t first, uint64_t symbols, const float (*in)[2],
                 float (*out)[2], float (*state)[2])
{
    float gain[WAVE_BLOCK][2];
    struct jakes jakes = {.add = add};

    if (!code->block)
        jakes_begin(&jakes, code->doppler, rng, frame);
    for (uint64_t s = 0, n; s < symbols; s += n) {
        const uint64_t room = WAVE_BLOCK - (first + s) % WAVE_BLOCK;

        n = symbols - s < room ? symbols - s : room;

        fading_gains(code, &jakes, rng, frame, first + s, n, gain);
        multiply(in + s, (const float(*)[2])gain, n, out + s);
        if (state)
            memcpy(state + s, gain, n * sizeof *gain);
    }
}

int fading_batch(chain_wave *add, const struct fecrun_call *call, const struct fecrun_view *in,
                 struct fecrun_view *const out[])
{
    const struct fading_code *code = call->codes[0];
    const struct fecrun_rng rng = call->sim->rng;
    const uint64_t symbols = in->items;

    for (uint64_t f = 0; f < in->frames; f++)
        fade(code, add, &rng, code->stream ? 0 : call->first_frame + f,
             code->stream ? call->first_item + f * symbols : 0, symbols, fecrun_row(in, f),
             fecrun_row(out[0], f), out[1] ? fecrun_row(out[1], f) : NULL);
    return 0;
}
