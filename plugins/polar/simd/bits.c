/* SPDX-License-Identifier: BSD-2-Clause */
/* What all 64 lanes have in words of a bit a lane. */
#include "plugins/polar/simd/simd.h"

void polar_bits_transform(polar_bits *x, uint32_t n)
{
    for (uint32_t half = 1; half < n; half *= 2)
        for (uint32_t first = 0; first < n; first += 2 * half)
            for (uint32_t i = first; i < first + half; i++)
                x[i] ^= x[i + half];
}

void polar_bits_message(const struct polar_code *code, const polar_bits *u, polar_bits *message)
{
    for (uint32_t i = 0; i < code->k; i++)
        message[i] = u[code->position[i]];
}

/* Registers of all lanes: bit b of each in state[(at + b) % width], so that a shift moves `at`. */
polar_bits polar_bits_crc(const struct polar_crc *crc, const polar_bits *message, uint32_t n)
{
    polar_bits state[32] = {0}, wrong = 0;
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
        wrong |= state[(at + b) % crc->width] ^ (crc->rest >> b & 1 ? ~(polar_bits)0 : 0);
    return ~wrong;
}

/* Bit c of word r becomes bit r of word c. */
static void transpose(polar_bits *m)
{
    polar_bits mask = 0x00000000ffffffff;

    for (uint32_t half = 32; half; half /= 2, mask ^= mask << half)
        for (uint32_t r = 0; r < 64; r = ((r | half) + 1) & ~half) {
            const polar_bits t = (m[r] >> half ^ m[r | half]) & mask;

            m[r] ^= t << half;
            m[r | half] ^= t;
        }
}

void polar_bits_lanes(const polar_bits *message, uint32_t n, uint8_t *to)
{
    const size_t stride = (n + 63) / 64 * 8;

    for (uint32_t first = 0; first < n; first += 64) {
        polar_bits m[64];

        for (uint32_t i = 0; i < 64; i++) /* the first bit stands highest */
            m[63 - i] = first + i < n ? message[first + i] : 0;
        transpose(m);
        for (uint32_t l = 0; l < POLAR_LANES; l++) {
            const polar_bits word = __builtin_bswap64(m[l]);

            memcpy(to + l * stride + first / 8, &word, 8);
        }
    }
}
