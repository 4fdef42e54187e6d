/* SPDX-License-Identifier: BSD-2-Clause */
/* sdk/device.h and the layout of sdk/grid.cuh: what threads do to words, against plain loops. */
#include "t/lib/tap.h"

#include <fecrun/sdk/bits.h>
#include <fecrun/sdk/device.h>
#include <fecrun/sdk/grid.cuh>

static void test_bits(void)
{
    unsigned wrong = 0;

    for (unsigned four = 0; four < 16; four++) {
        const uint32_t high = fecrun_expand_4(four | 0xabcdef00u);
        const uint32_t low = fecrun_expand_4_low(four | 0xabcdef00u);

        for (unsigned i = 0; i < 4; i++)
            wrong += (high >> 8 * i & 0xff) != (four >> (3 - i) & 1) ||
                     (low >> 8 * i & 0xff) != (four >> i & 1);
        wrong += fecrun_collect_4(high | 0xfefefefeu) != four ||
                 fecrun_collect_4_low(low | 0xfefefefeu) != four;
    }
    is_int(wrong, 0, "four bits as bytes, in both orders, and back");
}

static void test_words(void)
{
    uint8_t bits[32], memory[16] __attribute__((aligned(16))),
        copy[16] __attribute__((aligned(16)));
    uint32_t word[4], high = 0, low = 0;

    for (unsigned i = 0; i < 32; i++) {
        bits[i] = (i * i * 5 >> 3) & 1;
        high |= (uint32_t)bits[i] << (31 - i);
        low |= (uint32_t)bits[i] << i;
    }
    fecrun_bits_pack(memory, bits, 32);
    ok(fecrun_swap(fecrun_load_32(memory)) == high, "swap: the first bit on top");
    ok(fecrun_flip(fecrun_load_32(memory)) == low, "flip: the first bit at the bottom");
    ok(fecrun_swap(high) == fecrun_flip(low), "and back");
    for (unsigned i = 0; i < 16; i++)
        memory[i] = (uint8_t)(17 * i + 3);
    fecrun_load_128(word, memory);
    fecrun_store_128(copy, word);
    ok(!memcmp(copy, memory, 16), "128 bits");
    fecrun_store_64(copy, word + 2);
    ok(!memcmp(copy, memory + 8, 8) && !memcmp(copy + 8, memory + 8, 8), "64 bits");
    fecrun_store_32(copy, word[1]);
    ok(!memcmp(copy, memory + 4, 4) && !memcmp(copy + 4, memory + 12, 4), "32 bits");
    ok(fecrun_bits_float(fecrun_float_bits(-1.5f)) == -1.5f && fecrun_float_bits(1) == 0x3f800000,
       "a float's bits");
}

/* All chunks of a frame together write it, and nothing else, wherever it begins. */
static void test_chunks(void)
{
    unsigned wrong = 0;

    for (unsigned at = 0; at < 4; at++)
        for (int64_t bytes = 0; bytes < 14; bytes++) {
            uint8_t memory[32] __attribute__((aligned(16)));
            uint8_t *frame = memory + 8 + at;

            memset(memory, 0x5a, sizeof memory);
            for (uint64_t c = 0; c < fecrun_chunks((uint64_t)bytes, 4); c++) {
                const int64_t begin = fecrun_chunk_begin(frame, 4, 4, c);
                uint32_t word = 0;

                wrong += ((uintptr_t)frame + (uintptr_t)begin) % 4 != 0;
                for (int i = 0; i < 4; i++)
                    word |= (uint32_t)((begin + i) & 0x3f) << 8 * i;
                fecrun_store_chunk(frame, bytes, begin, word);
            }
            for (int i = 0; i < 32; i++) {
                const int64_t place = i - 8 - (int)at;

                wrong += memory[i] != (place >= 0 && place < bytes ? place : 0x5a);
            }
        }
    is_int(wrong, 0, "chunks of four bytes");
}

#define ITEMS(name, type) \
    static unsigned name(unsigned at, int64_t items) \
    { \
        type memory[32] __attribute__((aligned(16))), item[4]; \
        type *frame = memory + 8 + at; \
        unsigned wrong = 0; \
        memset(memory, 0x5a, sizeof memory); \
        for (uint64_t c = 0; c < fecrun_chunks((uint64_t)items * sizeof(type), sizeof item); \
             c++) { \
            const int64_t begin = fecrun_chunk_begin(frame, sizeof item, sizeof item, c) / \
                                  (int64_t)sizeof(type); \
            for (int i = 0; i < 4; i++) \
                item[i] = (type)(begin + i + 1); \
            FECRUN_STORE_ITEMS(frame, items, begin, item); \
        } \
        for (int i = 0; i < 32; i++) { \
            const int64_t place = i - 8 - (int)at; \
            const type clear = (type)0x5a5a5a5a; \
            wrong += memory[i] != (place >= 0 && place < items ? (type)(place + 1) : clear); \
        } \
        return wrong; \
    }

ITEMS(items_8, uint8_t)
ITEMS(items_16, uint16_t)
ITEMS(items_32, uint32_t)

static void test_items(void)
{
    unsigned wrong = 0;

    for (unsigned at = 0; at < 4; at++)
        for (int64_t items = 0; items < 14; items++)
            wrong += items_8(at, items) + items_16(at, items) + items_32(at, items);
    is_int(wrong, 0, "chunks of four items of 1, 2 and 4 bytes");
}

static void test_grid(void)
{
    struct fecrun_grid g;
    unsigned wrong = 0;

    for (uint64_t units = 1; units < 400; units += 3)
        for (uint64_t frames = 1; frames < 400; frames += 7) {
            const unsigned width = fecrun_grid_width(units, 2, 64);

            g = fecrun_grid_of(units, frames, 128, width);
            wrong += g.width != width || g.width * g.height != 128 ||
                     (uint64_t)g.across * g.width < units ||
                     (uint64_t)(g.across - 1) * g.width >= units ||
                     (uint64_t)g.down * g.height < frames ||
                     (uint64_t)(g.down - 1) * g.height >= frames;
        }
    is_int(wrong, 0, "a grid covers all units of all frames, and no block is empty");
    ok(fecrun_grid_width(1, 1, 32) == 1 && fecrun_grid_width(5, 1, 32) == 8 &&
           fecrun_grid_width(1000, 1, 32) == 32 && fecrun_grid_width(1, 32, 32) == 32,
       "a block's width");
    g = fecrun_grid_of(UINT64_C(1) << 40, UINT64_C(1) << 40, 128, 32);
    ok(g.across == 0x7fffffff && g.down == 65535, "no grid is larger than a device takes");
}

int main(void)
{
    test_bits();
    test_words();
    test_chunks();
    test_items();
    test_grid();
    return done_testing();
}
