/* SPDX-License-Identifier: BSD-2-Clause */
#include "plugins/turbo/code/family.h"

#include "plugins/turbo/code/interleaver.h"
#include "plugins/turbo/code/trellis.h"

#include <stddef.h>

enum { D0 = 1, D1 = 2, D2 = 4, D3 = 8, D4 = 16 };

enum { UMTS_LEAST_K = 40, UMTS_MOST_K = 5114 };

#define THREEGPP \
    .memory = 3, .feedback = D0 | D2 | D3, .outputs = {1, 1}, \
    .parity = {{D0 | D1 | D3}, {D0 | D1 | D3}}, .columns = 3

const struct turbo_family turbo_lte = {
    .name = "lte", .source = "TS 36.212", THREEGPP, .layout = TURBO_BY_STREAM};

const struct turbo_family turbo_umts = {
    .name = "umts", .source = "TS 25.212", THREEGPP, .layout = TURBO_BY_STEP};

#define CCSDS(n) \
    .name = "ccsds", .source = "CCSDS 131.0-B", .memory = 4, .feedback = D0 | D3 | D4, \
    .layout = TURBO_BY_COLUMN, .columns = n

enum { G1 = D0 | D1 | D3 | D4, G2 = D0 | D2 | D4, G3 = D0 | D1 | D2 | D3 | D4 };

const struct turbo_family turbo_ccsds[4] = {
    {CCSDS(2), .outputs = {1, 1}, .parity = {{G1}, {G1}}, .column = {{0, 0}, {0, 1}},
     .alternate = 1},
    {CCSDS(3), .outputs = {1, 1}, .parity = {{G1}, {G1}}, .column = {{0, 0}, {0, 1}, {1, 1}}},
    {CCSDS(4), .outputs = {2, 1}, .parity = {{G2, G3}, {G1}},
     .column = {{0, 0}, {0, 1}, {0, 2}, {1, 1}}},
    {CCSDS(6), .outputs = {3, 2}, .parity = {{G1, G2, G3}, {G1, G3}},
     .column = {{0, 0}, {0, 1}, {0, 2}, {0, 3}, {1, 1}, {1, 2}}},
};

static uint32_t odd(uint32_t x)
{
    return (uint32_t)__builtin_parity(x);
}

/* Of the state's bits those that a polynomial has. */
static uint32_t taps(const struct turbo_family *family, uint32_t polynomial)
{
    uint32_t mask = 0;

    for (uint32_t i = 1; i <= family->memory; i++)
        mask |= (polynomial >> i & 1) << (family->memory - i);
    return mask;
}

void turbo_trellis_make(const struct turbo_family *family, unsigned encoder,
                        struct turbo_trellis *trellis)
{
    for (uint32_t s = 0; s < turbo_states(family); s++) {
        trellis->tail[s] = (uint8_t)odd(s & taps(family, family->feedback));
        for (uint32_t u = 0; u < 2; u++) {
            const uint32_t fed = u ^ trellis->tail[s];

            trellis->next[s][u] = (uint8_t)(s >> 1 | fed << (family->memory - 1));
            trellis->label[s][u] = 0;
            for (uint32_t o = 0; o < family->outputs[encoder]; o++) {
                const uint32_t bit = fed ^ odd(s & taps(family, family->parity[encoder][o]));

                trellis->label[s][u] |= (uint8_t)(bit << o);
            }
        }
    }
}

/* ---- the word --------------------------------------------------------------------------------- */

static uint32_t item_by_stream(uint32_t k, unsigned encoder, unsigned output, uint32_t step)
{
    if (step < k)
        return turbo_item(k, output ? 1 + encoder : 0, step);
    return output ? turbo_tail_z(k, encoder, step - k) : turbo_tail_x(k, encoder, step - k);
}

static uint32_t item_by_step(uint32_t k, unsigned encoder, unsigned output, uint32_t step)
{
    if (step < k)
        return 3 * step + (output ? 1 + encoder : 0);
    return 3 * k + 6 * encoder + 2 * (step - k) + output;
}

static uint32_t item_by_column(const struct turbo_family *family, unsigned encoder, unsigned output,
                               uint32_t step)
{
    for (uint32_t c = 0; c < family->columns; c++) {
        const struct turbo_column *column = &family->column[c];
        const unsigned by = family->alternate && c + 1 == family->columns ? step % 2
                                                                          : column->encoder;

        if (by == encoder && column->output == output)
            return family->columns * step + c;
    }
    return TURBO_NOT_SENT;
}

uint32_t turbo_family_item(const struct turbo_family *family, uint32_t k, unsigned encoder,
                           unsigned output, uint32_t step)
{
    if (encoder && !output && step < k)
        return TURBO_NOT_SENT;
    if (family->layout == TURBO_BY_STREAM)
        return item_by_stream(k, encoder, output, step);
    if (family->layout == TURBO_BY_STEP)
        return item_by_step(k, encoder, output, step);
    return item_by_column(family, encoder, output, step);
}

/* ---- interleavers ----------------------------------------------------------------------------- */

int turbo_family_has(const struct turbo_family *family, uint32_t k)
{
    if (family->layout == TURBO_BY_STREAM)
        return turbo_qpp_find(k) != NULL;
    if (family->layout == TURBO_BY_STEP)
        return k >= UMTS_LEAST_K && k <= UMTS_MOST_K;
    return k == 1784 || k == 3568 || k == 7136 || k == 8920;
}

void turbo_family_interleaver(const struct turbo_family *family, uint32_t k, uint16_t *pi,
                              uint16_t *inverse)
{
    uint16_t own[TURBO_LONGEST], *const order = pi ? pi : own;

    if (family->layout == TURBO_BY_STREAM) {
        turbo_interleaver(turbo_qpp_find(k), pi, inverse);
        return;
    }
    if (family->layout == TURBO_BY_STEP)
        turbo_umts_interleaver(k, order);
    else
        turbo_ccsds_interleaver(k, order);
    for (uint32_t i = 0; i < k && inverse; i++)
        inverse[order[i]] = (uint16_t)i;
}

/* Numbers from 1 on in the document: bit s of the second encoder is bit pi(s) of the block. */
void turbo_ccsds_interleaver(uint32_t k, uint16_t *pi)
{
    static const uint16_t prime[8] = {31, 37, 43, 47, 53, 59, 61, 67};
    const uint32_t k1 = 8, k2 = k / k1;

    for (uint32_t s = 0; s < k; s++) {
        const uint32_t m = s % 2, i = s / (2 * k2), j = s / 2 - i * k2;
        const uint32_t t = (19 * i + 1) % (k1 / 2), q = t % 8;
        const uint32_t c = (prime[q] * j + 21 * m) % k2;

        pi[s] = (uint16_t)(2 * (t + c * (k1 / 2) + 1) - m - 1);
    }
}
