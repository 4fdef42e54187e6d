/* SPDX-License-Identifier: BSD-2-Clause */
/* Orders by formulas: blocks, delays, and those of standards. */
#include "plugins/frame/code/order.h"
#include "plugins/frame/code/sequence.h"

#include <fecrun/sdk/params.h>
#include <stdlib.h>

int order_block(struct order *order, uint64_t rows, uint64_t columns, struct fecrun_error *err)
{
    if (order_make(order, rows * columns, err))
        return -1;
    for (uint64_t c = 0; c < columns; c++)
        for (uint64_t r = 0; r < rows; r++)
            order->from[c * rows + r] = (int32_t)(r * columns + c);
    return 0;
}

int order_forney(struct order *order, uint64_t branches, uint64_t depth, uint64_t cell,
                 struct fecrun_error *err)
{
    if (order_make(order, branches * cell, err))
        return -1;
    for (uint64_t i = 0; i < order->period; i++)
        order->from[i] = (int32_t)((int64_t)i - (int64_t)(i / cell * depth * order->period));
    return 0;
}

/* The first permutation puts bit k to place i, the second one bit i to place j. */
int order_wifi(struct order *order, unsigned bits, struct fecrun_error *err)
{
    const unsigned n = 48 * bits, s = bits / 2 > 1 ? bits / 2 : 1;

    if (order_make(order, n, err))
        return -1;
    for (unsigned k = 0; k < n; k++) {
        const unsigned i = n / 16 * (k % 16) + k / 16;

        order->from[s * (i / s) + (i + n - 16 * i / n) % s] = (int32_t)k;
    }
    return 0;
}

/* ---- EN 300 744 ---------------------------------------------------------------------------- */

/* H(q) of 4.3.4.2: carriers by a shift register, whose bits are wired to others. */
static void dvbt_carriers(bool is_8k, uint16_t *carriers, unsigned n)
{
    static const uint8_t wires_2k[] = {4, 3, 9, 6, 2, 8, 1, 5, 7, 0};
    static const uint8_t wires_8k[] = {7, 1, 4, 2, 9, 6, 8, 10, 0, 3, 11, 5};
    const unsigned width = is_8k ? 12 : 10; /* N_r - 1 */
    const uint8_t *wires = is_8k ? wires_8k : wires_2k;
    unsigned state = 0;

    for (unsigned i = 0, q = 0; q < n; i++) {
        unsigned carrier = i % 2 << width;

        if (i == 2)
            state = 1;
        else if (i > 2)
            state = state >> 1 |
                    ((is_8k ? state ^ state >> 1 ^ state >> 4 ^ state >> 6 : state ^ state >> 3) &
                     1) << (width - 1);
        for (unsigned b = 0; b < width; b++)
            carrier |= (state >> b & 1) << wires[b];
        if (carrier < n)
            carriers[q++] = (uint16_t)carrier;
    }
}

/* The bit of the input that 4.3.4.1 puts to place e of the `bits` of symbol w: demultiplexed, then each
   of the streams turned round in blocks of 126. */
static unsigned dvbt_bit(unsigned bits, unsigned w, unsigned e)
{
    static const uint8_t shift[] = {0, 63, 105, 42, 21, 84};
    const unsigned block = w / 126, turned = (w + shift[e]) % 126;
    const unsigned input = e % 2 * (bits / 2) + e / 2;

    return (126 * block + turned) * bits + input;
}

int order_dvbt(struct order *order, unsigned bits, bool is_8k, struct fecrun_error *err)
{
    const unsigned carriers = is_8k ? 6048 : 1512;
    uint16_t *h = malloc(carriers * sizeof *h);

    if (!h || order_make(order, 2 * (uint64_t)carriers * bits, err)) {
        free(h);
        return fecrun_no_memory(err);
    }
    dvbt_carriers(is_8k, h, carriers);
    for (unsigned q = 0; q < carriers; q++)
        for (unsigned e = 0; e < bits; e++) {
            const unsigned odd = carriers * bits;

            order->from[h[q] * bits + e] = (int32_t)dvbt_bit(bits, q, e);
            order->from[odd + q * bits + e] = (int32_t)(odd + dvbt_bit(bits, h[q], e));
        }
    free(h);
    return 0;
}

/* ---- Others -------------------------------------------------------------------------------- */

/* Bit i of a logical frame is sent as many frames later as the four bits of i mod 16 say in reverse. */
int order_dab(struct order *order, uint64_t frame, struct fecrun_error *err)
{
    enum { PERIOD = 16 };

    if (order_make(order, PERIOD, err))
        return -1;
    for (unsigned i = 0; i < PERIOD; i++) {
        const unsigned later = (i & 1) << 3 | (i & 2) << 1 | (i & 4) >> 1 | (i & 8) >> 3;

        order->from[i] = (int32_t)((int64_t)i - (int64_t)(later * frame));
    }
    return 0;
}

int order_gsm(struct order *order, bool is_traffic, struct fecrun_error *err)
{
    enum { BLOCK = 456, BURST = 114 };

    if (order_make(order, BLOCK, err))
        return -1;
    for (int k = 0; k < BLOCK; k++) {
        const int place = k % 4 * BURST + 2 * (49 * k % 57) + k % 8 / 4;

        /* of traffic the second half of each eight bits is in the next four bursts */
        order->from[place] = is_traffic && k % 8 >= 4 ? k - BLOCK : k;
    }
    return 0;
}

int order_m17(struct order *order, struct fecrun_error *err)
{
    enum { BITS = 368 };

    if (order_make(order, BITS, err))
        return -1;
    for (unsigned i = 0; i < BITS; i++)
        order->from[i] = (int32_t)((45 * i + 92 * i * i) % BITS);
    return 0;
}

/* G(0) .. G(9) are the frame number's places, whose upper six bits are bits 1 .. 6 of the block; G(10) .. G(13) those of half
   frame and number; the others those of the rest of the block. */
int order_pbch(struct order *order, struct fecrun_error *err)
{
    enum { FRAME_NUMBER = 6, OWN = 14, BLOCK = 24 };

    if (order_make(order, SEQUENCE_PBCH, err))
        return -1;
    for (int j = 0; j < SEQUENCE_PBCH; j++)
        order->from[sequence_pbch_place[j]] = j < FRAME_NUMBER ? 1 + j
                                              : j < OWN        ? BLOCK + j - FRAME_NUMBER
                                              : j == OWN       ? 0
                                                               : j - OWN + FRAME_NUMBER;
    return 0;
}
