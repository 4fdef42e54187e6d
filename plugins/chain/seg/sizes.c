/* SPDX-License-Identifier: BSD-2-Clause */
#include "plugins/chain/seg/seg.h"

static uint32_t ceil_div(uint32_t a, uint32_t b)
{
    return a / b + (a % b != 0);
}

/* Block count and parities, which both standards find alike from the largest block. */
static struct seg_sizes cut(uint32_t a, uint32_t tb_crc, uint32_t largest)
{
    struct seg_sizes s = {.a = a, .tb_crc = tb_crc, .b = a + tb_crc, .blocks = 1};

    if (s.b > largest) {
        s.cb_crc = SEG_CRC;
        s.blocks = ceil_div(s.b, largest - SEG_CRC);
    }
    return s;
}

/* ---- NR ---- */

unsigned seg_base_graph(uint32_t a, double rate)
{
    return a <= 292 || (a <= 3824 && rate <= 0.67) || rate <= 0.25 ? 2 : 1;
}

/* Lifting sizes are 2, 3, 5, 7, 9, 11, 13 and 15 times a power of two, up to 384. */
static uint32_t lifting_size(uint32_t least)
{
    uint32_t best = 384;

    for (uint32_t odd = 2; odd <= 15; odd += odd == 2 ? 1 : 2)
        for (uint32_t z = odd; z <= 384; z *= 2)
            if (z >= least && z < best)
                best = z;
    return best;
}

struct seg_sizes seg_nr(uint32_t a, unsigned bg)
{
    struct seg_sizes s = cut(a, a > 3824 ? 24 : 16, bg == 1 ? 8448 : 3840);
    const uint32_t columns = bg == 1 ? 22 : s.b > 640 ? 10 : s.b > 560 ? 9 : s.b > 192 ? 8 : 6;
    const uint32_t all = s.b + s.blocks * s.cb_crc;

    if (all % s.blocks)
        return s;
    s.k_used = all / s.blocks;
    s.z = lifting_size(ceil_div(s.k_used, columns));
    s.k_plus = (bg == 1 ? 22 : 10) * s.z;
    s.fillers = s.k_plus - s.k_used;
    return s;
}

/* ---- LTE ---- */

/* Steps between the sizes of TS 36.212 table 5.1.3-3 that are up to k, and beyond it. */
static uint32_t step_from(uint32_t k)
{
    return k < 512 ? 8 : k < 1024 ? 16 : k < 2048 ? 32 : 64;
}

struct seg_sizes seg_lte(uint32_t a)
{
    struct seg_sizes s = cut(a, 24, 6144);
    const uint32_t all = s.b + s.blocks * s.cb_crc;
    uint32_t k = 40, before = 0;

    while ((uint64_t)s.blocks * k < all) {
        before = k;
        k += step_from(k);
    }
    s.k_plus = k;
    if (s.blocks > 1) {
        s.k_minus = before;
        s.blocks_minus = (s.blocks * k - all) / (k - before);
    }
    s.fillers = (s.blocks - s.blocks_minus) * s.k_plus + s.blocks_minus * s.k_minus - all;
    return s;
}

/* ---- Uplink control ---- */

struct seg_sizes seg_uci(uint32_t a, uint32_t g)
{
    const uint32_t blocks = (a >= 360 && g >= 1088) || a >= 1013 ? 2 : 1;
    const uint32_t crc = a < 20 ? 6 : 11, front = a % blocks;

    return (struct seg_sizes){.a = a,
                              .b = a,
                              .blocks = blocks,
                              .cb_crc = crc,
                              .k_used = (a + front) / blocks + crc,
                              .fillers = front};
}

bool seg_even(const struct seg_sizes *s, unsigned bg)
{
    if (bg)
        return s->k_used != 0;
    return s->blocks == 1 || (!s->blocks_minus && !s->fillers);
}
