/* SPDX-License-Identifier: BSD-2-Clause */
/* Packed rows of decoded bits: how well their word matches the LLRs, and what a recursive encoder got. */
#include "plugins/viterbi/simd/match.h"

#include <fecrun/sdk/params.h>

#include "plugins/viterbi/code/words.h"

/* The inputs before the frame's first step. */
static uint64_t register_before(const struct viterbi_spec *spec, const uint8_t *packed)
{
    const unsigned memory = spec->code.K - 1;

    if (spec->termination != VITERBI_TAIL_BITING)
        return 0;
    return gather_packed(packed, spec->info_bits - memory, memory) >> (WORD - memory);
}

enum { PART = 256 }; /* symbols whose sum int16 holds */

/* signs: 0 or 1, a byte a symbol */
static void add_i8(struct viterbi_match *match, const int8_t *llr, const uint8_t *signs, size_t n)
{
    for (size_t at = 0; at < n; at += PART) {
        const size_t part = n - at < PART ? n - at : PART;
        int16_t metric = 0, symbols = 0, wrong = 0;

        for (size_t i = at; i < at + part; i++) {
            const int8_t x = llr[i] < -INT8_MAX ? -INT8_MAX : llr[i], mask = (int8_t)-signs[i];
            const int8_t fit = (int8_t)((x ^ mask) - mask);

            metric = (int16_t)(metric + fit);
            symbols = (int16_t)(symbols + (x != 0));
            wrong = (int16_t)(wrong + (fit < 0));
        }
        match->metric += metric;
        match->symbols += (uint64_t)symbols;
        match->wrong += (uint64_t)wrong;
    }
}

static void add_f32(struct viterbi_match *match, const float *llr, const uint8_t *signs, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const double x = viterbi_match_f32(llr[i]), fit = signs[i] ? -x : x;

        match->metric += fit;
        match->symbols += x != 0;
        match->wrong += fit < 0;
    }
}

void viterbi_match_row(const struct viterbi_spec *spec, const struct viterbi_tables *tables,
                       const void *llr, const uint8_t *packed, struct viterbi_match *match)
{
    const size_t steps = viterbi_frame_steps(spec), first = viterbi_match_from(spec);
    const size_t bytes = (spec->info_bits + 7) / 8;
    const unsigned n = spec->code.n;
    uint64_t past = register_before(spec, packed);

    *match = (struct viterbi_match){0};
    for (size_t t = 0; t < steps; t += WORD) {
        const uint64_t now = t / 8 < bytes ? load_word(packed + t / 8, bytes - t / 8) : 0;
        const size_t from = first > t ? first - t : 0, to = steps - t < WORD ? steps - t : WORD;
        uint64_t words[VITERBI_MAX_N];
        uint8_t signs[VITERBI_MAX_N * WORD];

        encode_word(&spec->code, now, past, words);
        put_word(tables, n, words, signs);
        if (from < to && spec->is_float)
            add_f32(match, (const float *)llr + (t + from) * n, signs + from * n, (to - from) * n);
        else if (from < to)
            add_i8(match, (const int8_t *)llr + (t + from) * n, signs + from * n, (to - from) * n);
        past = now;
    }
}

void viterbi_unfeed_row(const struct viterbi_spec *spec, uint32_t feedback, uint8_t *packed)
{
    const size_t bytes = (spec->info_bits + 7) / 8, rest = spec->info_bits % 8;
    uint64_t past = 0;

    for (size_t at = 0; at < bytes; at += WORD / 8) {
        const size_t n = bytes - at < WORD / 8 ? bytes - at : WORD / 8;
        const uint64_t now = load_word(packed + at, n);
        const uint64_t bits = __builtin_bswap64(filter_word(spec->code.K, feedback, now, past));

        memcpy(packed + at, &bits, n);
        past = now;
    }
    if (rest)
        packed[bytes - 1] &= (uint8_t)(0xff00 >> rest);
}
