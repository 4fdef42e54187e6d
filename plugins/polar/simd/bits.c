/* SPDX-License-Identifier: BSD-2-Clause */
/* What all 64 lanes have in words of a bit a lane. */
#include "plugins/polar/simd/simd.h"

void polar_bits_message(const struct polar_code *code, const polar_bits *u, polar_bits *message)
{
    for (uint32_t i = 0; i < code->k; i++)
        message[i] = u[code->position[i]];
}

/* Registers of all lanes: bit b of each in state[(at + b) % width], so that a shift moves `at`. */
void polar_bits_rest(const struct polar_crc *crc, uint32_t rest, polar_bits lanes,
                     struct polar_rests *rests)
{
    for (uint32_t b = 0; b < crc->width; b++)
        rests->bit[b] = (rests->bit[b] & ~lanes) | (rest >> b & 1 ? lanes : 0);
    rests->none = (rests->none & ~lanes) | (rest == POLAR_NO_REST ? lanes : 0);
}

polar_bits polar_bits_crc(const struct polar_crc *crc, const struct polar_rests *rests,
                          const polar_bits *message, uint32_t n)
{
    polar_bits state[32] = {0}, wrong = rests->none;
    uint32_t tap[32], taps = 0, at = 0;

    for (uint32_t b = 0; b < crc->width; b++) {
        state[b] = crc->start >> b & 1 ? ~(polar_bits)0 : 0;
        if (b && crc->polynomial >> b & 1)
            tap[taps++] = b;
    }
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t top = at ? at - 1 : crc->width - 1;
        const polar_bits out = state[top] ^ message[i];

        at = top;
        state[at] = out; /* all of these polynomials have D^0 */
        for (uint32_t t = 0; t < taps; t++) {
            const uint32_t b = at + tap[t];

            state[b < crc->width ? b : b - crc->width] ^= out;
        }
    }
    for (uint32_t b = 0; b < crc->width; b++)
        wrong |= state[(at + b) % crc->width] ^ rests->bit[b];
    return ~wrong;
}

void polar_bits_turn(polar_bits *message, uint32_t n)
{
    for (uint32_t i = n; i % 8; i++)
        message[i] = 0;
    for (uint32_t first = 0; first < n; first += 8) {
        polar_bits *m = message + first;

        for (uint32_t i = 0; i < 4; i++) {
            const polar_bits one = m[i];

            m[i] = m[7 - i];
            m[7 - i] = one;
        }
    }
}

void polar_bits_put(const polar_bits *words, uint32_t n, uint8_t *to)
{
    uint32_t first = 0;

    for (; n - first >= 64; first += 64)
        memcpy(to + first / 8, &words[first], 8); /* a move, no call */
    if (first < n)
        memcpy(to + first / 8, &words[first], (n - first + 7) / 8);
}
