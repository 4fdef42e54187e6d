/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * plugins/chain: what a GPU thread does to its group of items (cuda/thread, compiled as C) gives the
 * bytes of the reference backends, for all schemes, types and channels, and sizes that do not fill
 * the groups. The kernels around it are loops over frames and groups.
 */
#include "t/chain/cuda.h"
#include <math.h>

/* ---- Threads ---- */

static void test_grid(void)
{
    static const uint64_t frames[] = {1, 2, 7, 255, 65535, 70000, 600000};
    static const uint64_t groups[] = {1, 2, 3, 15, 16, 17, 31, 33, 100, 255, 256, 257, 2051};
    bool once = true;

    for (size_t i = 0; i < sizeof frames / sizeof *frames; i++)
        for (size_t k = 0; k < sizeof groups / sizeof *groups; k++) {
            struct fecrun_grid g = make_grid(frames[i], groups[k]);
            uint64_t step = (uint64_t)g.down * g.height;

            /* threads of x reach each group once, those of y each frame, without empty blocks */
            once = once && g.width * g.height <= THREADS && g.down <= 65535 &&
                   (uint64_t)g.width * g.across >= groups[k] &&
                   (uint64_t)g.width * (g.across - 1) < groups[k] && step >= 1 &&
                   (step >= frames[i] || g.down == 65535);
        }
    ok(once, "the grid covers all groups and frames");
}

static void test_philox(void)
{
    uint32_t want[400];
    bool same_words = true;

    fecrun_rng_words(&rng, 0x123456789aull, 4000000000u, want, 100);
    for (uint32_t b = 0; b < 100; b++) {
        philox4x32_ctr_t x = fecrun_rng_block(&rng, 0x123456789aull, 4000000000u + b);

        same_words = same_words && !memcmp(x.v, want + 4 * b, 16);
    }
    ok(same_words, "Philox without Random123");
}

/* ---- Bits ---- */

static void test_source(void)
{
    for (uint32_t type = FECRUN_U8; type <= FECRUN_PACKED; type++)
        for (int s = 0; s < BIT_SIZES; s++) {
            uint64_t bits = bit_sizes[s], group = type == FECRUN_U8 ? GROUP_U8 : GROUP_PACKED;
            struct rows want = make_rows(type, bits), got = make_rows(type, bits);
            struct ref ref;

            set(0, (double)bits);
            ref = make_ref(&chain_source_random, (struct fecrun_frame){0});
            run_ref(&ref, NULL, &want, NULL);
            for (unsigned f = 0; f < FRAMES; f++)
                for (uint64_t g = 0; g * group < bits; g++)
                    (type == FECRUN_U8 ? random_bytes : random_packed)(
                        &rng, FIRST + f, g, bits, row(&got, f), multiple(&got, 16));
            ok(same(&want, &got), "source.random: %d bits, %s", (int)bits, fecrun_type_name(type));
            drop(&ref);
            free(want.data);
            free(got.data);
        }
}

/* Lanes one after the other. */
static uint64_t all_lanes(uint32_t type, const uint8_t *a, const uint8_t *b, uint64_t n,
                          unsigned lanes, unsigned unit)
{
    uint64_t sum = 0;

    for (unsigned lane = 0; lane < lanes; lane++)
        sum += differ(type, a, b, n, lane, lanes, unit);
    return sum;
}

static void test_differ(void)
{
    for (int s = 0; s < BIT_SIZES; s++) {
        uint64_t n = bit_sizes[s];
        bool right = true;

        for (uint32_t type = FECRUN_U8; type <= FECRUN_PACKED; type++) {
            struct rows a = random_bits(type, n), b = random_bits(type, n);
            uint64_t want = (type == FECRUN_U8 ? fecrun_bits_differ_u8
                                               : fecrun_bits_differ_packed)(a.data, b.data, n);

            for (unsigned unit = 1; unit <= 16; unit *= 4)
                right = right && all_lanes(type, a.data, b.data, n, 32, unit) == want &&
                        all_lanes(type, a.data, b.data, n, 256, unit) == want;
            free(a.data);
            free(b.data);
        }
        ok(right, "sink.errors: %d bits", (int)n);
    }
}

static void test_channels(void)
{
    static const double p[] = {0, 1e-9, 0.11, 0.5, 0.9};

    for (int k = 0; k < 5; k++) {
        bool right = true;

        for (int s = 0; s < 2 * 2 * BIT_SIZES; s++) {
            bool erases = s & 2;
            struct rows in = random_bits(s & 1 ? FECRUN_U8 : FECRUN_PACKED, bit_sizes[s / 4]);
            struct rows want = make_rows(FECRUN_F32, in.items), got = want;
            struct ref ref;

            got = make_rows(FECRUN_F32, in.items);
            set(0, erases ? p[k] : p[k] > 0.5 ? 0.3 : p[k]);
            ref = make_ref(erases ? &chain_channel_bec : &chain_channel_bsc,
                           (struct fecrun_frame){.kind = FECRUN_KIND_BITS, .items = in.items});
            run_ref(&ref, &in, &want, NULL);
            for (unsigned f = 0; f < FRAMES; f++)
                for (uint64_t i = 0; i < in.items; i += GROUP_LLRS) {
                    unsigned n = group_part(in.items, i, GROUP_LLRS);
                    float llr[4];

                    channel_block(ref.plan.code, &rng, FIRST + f, i / 4, in.type, row(&in, f), n,
                                  llr);
                    put_f32(row(&got, f), i, n, multiple(&got, 16), llr);
                }
            right = right && same(&want, &got);
            drop(&ref);
            free(in.data);
            free(want.data);
            free(got.data);
        }
        ok(right, "channel.bsc, channel.bec: p = %g", p[k]);
    }
}

/* ---- Symbols ---- */

static struct fecrun_frame symbols_of(int scheme, uint64_t symbols)
{
    struct fecrun_frame frame = {.kind = FECRUN_KIND_SYMBOLS, .items = symbols};

    fecrun_frame_scheme(&frame, schemes[scheme].name, schemes[scheme].bits, scheme ? 2 : 1);
    return frame;
}

/* Mapped; then, where noise is wanted, as channel.awgn does it that absorbs the mapper. */
static void map_frames(const struct levels *levels, unsigned bits, const struct rows *in,
                       const struct awgn_code *noise, const struct rows *out)
{
    for (unsigned f = 0; f < FRAMES; f++)
        for (uint64_t i = 0; i < out->items; i += 2) {
            float x[4], z[4];

            map_two(levels, bits, in->type, row(in, f), i, out->items, x);
            if (noise && noise->real) {
                noise_block(&rng, FIRST + f, i / 4, z);
                noise_real(noise->sigma, z + i % 4, x);
            } else if (noise) {
                noise_block(&rng, FIRST + f, i / 2, z);
                noise_complex(noise->sigma, z, x);
            }
            store_two(row(out, f), i, out->items, multiple(out, 16), x);
        }
}

static bool map_agrees(int scheme, uint32_t type, uint64_t symbols)
{
    unsigned bits = schemes[scheme].bits;
    struct rows in = random_bits(type, symbols * bits);
    struct rows want = make_rows(FECRUN_C8, symbols), got = make_rows(FECRUN_C8, symbols);
    struct rows noisy = make_rows(FECRUN_C8, symbols);
    struct levels levels;
    struct ref map, awgn;
    bool right;

    set(0, scheme);
    map = make_ref(&chain_modem_map,
                   (struct fecrun_frame){.kind = FECRUN_KIND_BITS, .items = in.items});
    set(1, 4);
    awgn = make_ref(&chain_channel_awgn, map.out);
    run_ref(&map, &in, &want, NULL);
    fill_levels(&levels, map.plan.code);
    map_frames(&levels, bits, &in, NULL, &got);
    right = same(&want, &got);
    run_ref(&awgn, &want, &noisy, NULL);
    map_frames(&levels, bits, &in, awgn.plan.code, &got);
    right = right && same(&noisy, &got);
    drop(&map);
    drop(&awgn);
    free(in.data);
    free(want.data);
    free(got.data);
    free(noisy.data);
    return right;
}

static void test_map(void)
{
    for (int scheme = 0; scheme < 5; scheme++) {
        bool right = true;

        for (int s = 0; s < SYMBOL_SIZES; s++)
            right = right && map_agrees(scheme, FECRUN_U8, symbol_sizes[s]) &&
                    map_agrees(scheme, FECRUN_PACKED, symbol_sizes[s]);
        ok(right, "modem.map and channel.awgn: %s", schemes[scheme].name);
    }
}

static void test_awgn(void)
{
    for (int real = 0; real < 2; real++)
        for (int s = 0; s < SYMBOL_SIZES; s++) {
            uint64_t symbols = symbol_sizes[s];
            struct rows in = random_floats(FECRUN_C8, symbols);
            struct rows want = make_rows(FECRUN_C8, symbols), got = make_rows(FECRUN_C8, symbols);
            struct ref ref;

            set(1, 1.5);
            ref = make_ref(&chain_channel_awgn, symbols_of(real ? 0 : 1, symbols));
            run_ref(&ref, &in, &want, NULL);
            for (unsigned f = 0; f < FRAMES; f++)
                for (uint64_t i = 0; i < symbols; i += 2) {
                    const struct awgn_code *code = ref.plan.code;
                    float x[4], z[4];

                    load_two(row(&in, f), i, symbols, multiple(&in, 16), x);
                    noise_block(&rng, FIRST + f, real ? i / 4 : i / 2, z);
                    if (real)
                        noise_real(code->sigma, z + i % 4, x);
                    else
                        noise_complex(code->sigma, z, x);
                    store_two(row(&got, f), i, symbols, multiple(&got, 16), x);
                }
            ok(same(&want, &got), "channel.awgn: %d %s symbols", (int)symbols,
               real ? "real" : "complex");
            drop(&ref);
            free(in.data);
            free(want.data);
            free(got.data);
        }
}

/* All LLRs of a row, quantized unless `type` is F32. */
static void demap_row(const struct demap_code *code, const struct quantize_code *quantize,
                      const struct rows *in, const struct rows *out, unsigned f)
{
    unsigned step = code->shape == CHAIN_REAL ? 4 : 2, n = 4 * code->bits;
    bool wide = multiple(out, (unsigned)fecrun_bytes(out->type, 4));

    for (uint64_t i = 0, first = 0; i < in->items; i += step, first += n) {
        float y[4], llr[16];

        load_two(row(in, f), i, in->items, multiple(in, 16), y);
        if (code->shape != CHAIN_REAL) {
            demap_two(code, code->bits, y, llr);
        } else {
            demap_dimension(code, 1, y[0], llr);
            demap_dimension(code, 1, y[2], llr + 1);
            if (i + 2 < in->items)
                load_two(row(in, f), i + 2, in->items, multiple(in, 16), y);
            demap_dimension(code, 1, y[0], llr + 2);
            demap_dimension(code, 1, y[2], llr + 3);
        }
        for (unsigned k = 0; k < n && first + k < out->items; k += 4)
            put_llrs(out->type, quantize, row(out, f), first + k,
                     group_part(out->items, first + k, 4), wide, llr + k);
    }
}

/* As floats and as halves; `want` has the reference's floats. */
static bool halves_agree(int scheme, const struct rows *in, const struct rows *want)
{
    struct rows half = make_rows(FECRUN_F16, want->items), got = make_rows(FECRUN_F16, want->items);
    struct ref demap;
    bool right;

    set(5, 6);
    set(7, 1);
    demap = make_ref(&chain_modem_demap, symbols_of(scheme, in->items));
    run_ref(&demap, in, &half, NULL);
    for (unsigned f = 0; f < FRAMES; f++)
        demap_row(demap.plan.code, NULL, in, &got, f);
    right = same(&half, &got);
    for (unsigned f = 0; f < FRAMES && right; f++)
        for (uint64_t i = 0; i < want->items && right; i++) {
            const float x = ((const float *)row(want, f))[i];
            const float y = fecrun_bits_float(
                fecrun_half_widen(((const uint16_t *)row(&half, f))[i]));

            right = x != x             ? y != y
                    : fabsf(x) > 65504 ? y == copysignf(65504, x)
                                       : fabsf(x - y) <= fabsf(x) * 0x1p-11f + 0x1p-25f;
        }
    drop(&demap);
    free(half.data);
    free(got.data);
    return right;
}

static bool demap_agrees(int scheme, uint64_t symbols, int choice)
{
    static const uint32_t types[] = {FECRUN_I8, FECRUN_I16, FECRUN_I4};
    uint64_t llrs = symbols * schemes[scheme].bits;
    struct rows in = random_floats(FECRUN_C8, symbols);
    struct rows want = make_rows(FECRUN_F32, llrs), got = make_rows(FECRUN_F32, llrs);
    struct rows want_int = make_rows(types[choice], llrs), got_int = make_rows(types[choice], llrs);
    struct ref demap, quantize;
    bool right;

    set(5, 6);
    demap = make_ref(&chain_modem_demap, symbols_of(scheme, symbols));
    set(0, choice);
    set(3, 1.3);
    quantize = make_ref(&chain_llr_quantize, demap.out);
    run_ref(&demap, &in, &want, NULL);
    run_ref(&quantize, &want, &want_int, NULL);
    for (unsigned f = 0; f < FRAMES; f++) {
        demap_row(demap.plan.code, NULL, &in, &got, f);
        demap_row(demap.plan.code, quantize.plan.code, &in, &got_int, f);
    }
    right = same(&want, &got) && same(&want_int, &got_int) && halves_agree(scheme, &in, &want);
    drop(&demap);
    drop(&quantize);
    free(in.data);
    free(want.data);
    free(got.data);
    free(want_int.data);
    free(got_int.data);
    return right;
}

static void test_demap(void)
{
    for (int scheme = 0; scheme < 5; scheme++)
        for (int choice = 0; choice < 3; choice++) {
            bool right = true;

            for (int s = 0; s < SYMBOL_SIZES; s++)
                right = right && demap_agrees(scheme, symbol_sizes[s], choice);
            ok(right, "modem.demap and llr.quantize: %s to %s", schemes[scheme].name,
               choice == 0   ? "i8"
               : choice == 1 ? "i16"
                             : "i4");
        }
}

int main(void)
{
    test_grid();
    test_philox();
    test_source();
    test_differ();
    test_channels();
    test_map();
    test_awgn();
    test_demap();
    return done_testing();
}
