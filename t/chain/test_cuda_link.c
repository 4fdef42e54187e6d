/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a GPU thread does to its bits from modem.map to llr.quantize (thread/link.h, compiled as C):
 * the bytes that the four references give one after the other, for all schemes and types, and frames
 * that end inside a block, a warp's part and not at all; the noise of thread/noise.h is
 * that of gauss.h for words of all magnitudes; and integers that thread/rough.h is certain of are those of it, although its
 * approximations err as far as they may.
 */
#include "plugins/chain/cuda/thread/link.h"
#include "t/chain/link.h"

static float table[256][2];

static struct link_job job_of(const struct planned *p)
{
    const struct fecrun_rng rng = rngs[AWGN];
    struct link_job job;

    fill_link(&job, p->code[MAP], p->code[AWGN], p->code[DEMAP],
              got.type == FECRUN_F32 || got.type == FECRUN_F16 ? NULL : p->code[QUANTIZE]);
    fill_keys(&job.keys, &rng);
    for (unsigned i = 0; i < 1u << 2 * job.demap.bits && job.demap.bits > 1; i++)
        link_symbol(&job.levels, job.demap.bits, i, table[i]);
    return job;
}

static bool multiple(const struct rows *rows, unsigned bytes)
{
    return rows->stride % bytes == 0;
}

/* All threads, one after the other. */
static void run_lanes(const struct planned *p)
{
    const struct fecrun_rng rng = rngs[AWGN];
    const struct link_job job = job_of(p);
    const unsigned m = job.demap.bits;

    for (unsigned f = 0; f < FRAMES; f++) {
        const struct link_frame frame = {
            .counter = fecrun_rng_counter(&rng, first_frame + f, 0),
            .bits = bits.data + f * bits.stride,
            .llrs = got.data + f * got.stride,
            .items = bits.items,
            .bits_type = bits.type,
            .wide_in = multiple(&bits, 4),
            .wide_out = multiple(&got, (unsigned)fecrun_bytes(got.type, 4))};

        const uint32_t blocks = (uint32_t)(bits.items + 4 * m - 1) / (4 * m);

        if (f % 2 && blocks <= LINK_SHORT) {
            for (struct link_part part = link_short(blocks); part.first < part.step; part.first++)
                link_lane(&job, (const float(*)[2])table, m, got.type, true, &frame, &part);
            continue;
        }
        for (uint32_t warp = 0; warp < blocks; warp += LINK_LANES * LINK_BLOCKS)
            for (uint32_t lane = 0; lane < LINK_LANES; lane++)
                link_lane(&job, (const float(*)[2])table, m, got.type, f % 2, &frame,
                          &(struct link_part){warp + lane, LINK_LANES, LINK_BLOCKS});
    }
}

static bool as_references(const struct wish *wish, uint64_t n, uint32_t bits_type)
{
    struct planned p;
    bool same;

    plan_all(&p, wish, n);
    make_bits(bits_type, n);
    shape(&symbols, FECRUN_C8, p.out[MAP].items);
    shape(&noisy, FECRUN_C8, p.out[AWGN].items);
    shape(&llrs, FECRUN_F32, n);
    shape(&want, p.out[QUANTIZE].type, n);
    run_references(&p);
    shape(&got, want.type, n);
    run_lanes(&p);
    same = !memcmp(want.data, got.data, sizeof want.data);
    free_all(&p);
    if (!same)
        diag("scheme %u, %u bits of type %u, Es/N0 %g dB", wish->scheme, (unsigned)n, bits_type,
             wish->esn0_db);
    return same;
}

/* Three stages, which end in floats or halves. */
static bool as_demapped(const struct wish *wish, uint64_t n, uint32_t bits_type)
{
    struct planned p;
    bool same;

    plan_all(&p, wish, n);
    make_bits(bits_type, n);
    shape(&symbols, FECRUN_C8, p.out[MAP].items);
    shape(&noisy, FECRUN_C8, p.out[AWGN].items);
    shape(&want, p.out[DEMAP].type, n);
    run_demapped(&p);
    shape(&got, want.type, n);
    run_lanes(&p);
    same = !memcmp(want.data, got.data, sizeof want.data);
    free_all(&p);
    if (!same)
        diag("scheme %u, %u bits of type %u, Es/N0 %g dB, LLRs of type %u", wish->scheme,
             (unsigned)n, bits_type, wish->esn0_db, want.type);
    return same;
}

static bool all_sizes(const struct wish *wish, unsigned per_symbol)
{
    static const unsigned sizes[] = {1, 2, 3, 4, 5, 7, 9, 64, 129, 512, 1024, 1030, 1125};
    bool same = true;

    for (unsigned s = 0; s < sizeof sizes / sizeof *sizes; s++)
        for (uint32_t type = FECRUN_U8; type <= FECRUN_PACKED; type++)
            same = same && as_references(wish, (uint64_t)per_symbol * sizes[s], type);
    return same && as_references(wish, per_symbol == 6 ? 8994 : 9000, FECRUN_PACKED);
}

static void test_floats(void)
{
    static const char *const schemes[] = {"bpsk", "qpsk", "16qam", "64qam", "256qam"};
    static const unsigned per_symbol[] = {1, 2, 4, 6, 8}, sizes[] = {1, 2, 3, 64, 129, 1030, 1125};
    static const double decibels[] = {-50, 2, 12, 60, 100};

    for (unsigned scheme = 0; scheme < 5; scheme++) {
        bool same = true;

        for (unsigned k = 0; k < 2 * 2 * 5; k++) {
            const struct wish wish = {
                .scheme = scheme, .esn0_db = decibels[k / 4], .scale = 1, .half = k & 1};

            aligned_rows = k & 2;
            for (unsigned s = 0; s < sizeof sizes / sizeof *sizes; s++)
                for (uint32_t type = FECRUN_U8; type <= FECRUN_PACKED; type++)
                    same = same &&
                           as_demapped(&wish, (uint64_t)per_symbol[scheme] * sizes[s], type);
        }
        ok(same, "%s, floats and halves", schemes[scheme]);
    }
}

static void test_schemes(void)
{
    static const char *const schemes[] = {"bpsk", "qpsk", "16qam", "64qam", "256qam"};
    static const unsigned per_symbol[] = {1, 2, 4, 6, 8};
    static const struct wish wishes[] = {{.esn0_db = 2, .type = 0, .scale = 4},
                                         {.esn0_db = 9, .type = 0, .scale = 1.3, .bits = 5},
                                         {.esn0_db = -50, .type = 2, .scale = 30},
                                         {.esn0_db = 12, .type = 2, .scale = 0.4},
                                         {.esn0_db = 100, .type = 0, .scale = 1e6},
                                         {.esn0_db = 3, .type = 1, .scale = 100}};

    for (unsigned scheme = 0; scheme < 5; scheme++)
        for (int aligned = 0; aligned < 2; aligned++) {
            bool same = true;

            aligned_rows = aligned;
            for (unsigned w = 0; w < sizeof wishes / sizeof *wishes; w++) {
                struct wish wish = wishes[w];
                wish.scheme = scheme;
                same = same && all_sizes(&wish, per_symbol[scheme]);
            }
            ok(same, "%s, %s", schemes[scheme], aligned ? "aligned rows" : "rows anywhere");
        }
}

static bool same_pair(uint32_t word0, uint32_t word1)
{
    float want_pair[2], got_pair[2];

    fecrun_gauss_pair(word0, word1, want_pair);
    noise_pair(word0, word1, got_pair);
    return !memcmp(want_pair, got_pair, sizeof want_pair);
}

/* Words about each power of two, where the logarithm's exponent and the rounding change. */
static void test_noise(void)
{
    const struct fecrun_rng rng = {4, 5, 6};
    bool same = true;

    for (unsigned shift = 0; shift < 32; shift++)
        for (uint32_t i = 0; i < 4096; i++) {
            const uint32_t word = (1u << shift) - 2048 + i;
            same = same && same_pair(word, ~word << 3);
            same = same && same_pair((uint32_t)(1.41421356 * (1u << shift)) - 2048 + i, word);
        }
    ok(same, "noise: words about powers of two, and their roots");
    for (uint32_t block = 0; block < 100000; block++) {
        const philox4x32_ctr_t x = fecrun_rng_block(&rng, 7, block);
        same = same && same_pair(x.v[0], x.v[1]) && same_pair(x.v[2] >> block % 32, x.v[3]);
    }
    ok(same, "noise: random words");
    ok(same_pair(0, 0) && same_pair(0xffffffffu, 0x40000000u) && same_pair(0, 0xc0000000u),
       "noise: its ends");
}

/* A job of BPSK at that Es/N0. */
static struct link_job rough_job(double esn0_db, double scale, double max)
{
    const double n0 = pow(10, -esn0_db / 10);
    const struct map_code map = {.bits = 1, .symbol = {{1}, {-1}}};
    const struct awgn_code awgn = {.sigma = (float)sqrt(n0 / 2)};
    const struct demap_code demap = {.bits = 1, .linear = (float)(4 / n0)};
    const struct quantize_code quantize = {(float)scale, (float)max};
    struct link_job job;

    fill_link(&job, &map, &awgn, &demap, &quantize);
    return job;
}

/* Of a block: 1: certain and right, 0: in doubt, -1: wrong. */
static int rough_block(const struct link_job *job, const uint32_t word[4], uint32_t sent)
{
    struct rough_doubt doubt = {0xffffffffu, 0};
    const uint32_t integers = rough_integers(&job->rough, sent, word, &doubt);
    float noise[NOISE_BLOCK];
    uint32_t exact = 0;
    int32_t llr[4];

    if (rough_doubts(&job->rough, &doubt))
        return 0;
    noise_pair(word[0], word[1], noise);
    noise_pair(word[2], word[3], noise + 2);
    link_linear(job, FECRUN_I8, sent, noise, llr);
    for (unsigned j = 0; j < 4; j++)
        exact |= ((uint32_t)llr[j] & 255) << 8 * j;
    return exact == integers ? 1 : -1;
}

static void test_rough(void)
{
    /* of the second one small noise decides between 20 and 21 */
    static const double settings[][3] = {
        {0.5, 1.4, 10}, {-6.0206, 20.5, 127}, {3, 4, 7}, {-3, 1, 1}};
    const struct fecrun_rng rng = {7, 8, 9};

    for (unsigned s = 0; s < sizeof settings / sizeof *settings; s++) {
        const struct link_job job = rough_job(settings[s][0], settings[s][1], settings[s][2]);
        unsigned certain = 0, wrong = 0;
        enum { BLOCKS = 400000 };

        for (uint32_t block = 0; block < BLOCKS; block++) {
            philox4x32_ctr_t x = fecrun_rng_block(&rng, s, block);

            if (block % 8 < 2) /* small radii: up to 0.06, and 0.001 */
                x.v[0] |= block % 8 ? 0xfffff000u : 0xff800000u;
            switch (rough_block(&job, x.v, x.v[0] << 28)) {
            case 1:
                certain++;
                break;
            case -1:
                wrong++;
                break;
            }
        }
        ok(!wrong, "rough integers up to %g, scale %g: %u of %u wrong", settings[s][2],
           settings[s][1], wrong, certain);
        ok(certain > 0.95 * BLOCKS * 7 / 8, "%u of %u blocks are certain", certain, BLOCKS);
    }
}

int main(void)
{
    test_noise();
    test_rough();
    test_schemes();
    test_floats();
    return done_testing();
}
