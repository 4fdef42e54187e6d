/* SPDX-License-Identifier: BSD-2-Clause */
/* What GPU threads do for modem.hard, compiled as C: the bits of the references, from symbols and from bits. */
#include "t/chain/cuda.h"
#include "plugins/chain/cuda/thread/hard.h"

static struct hard_job hard_job_of(const struct ref *map, const struct ref *awgn,
                                   const struct ref *hard)
{
    const struct awgn_code *noise = awgn->plan.code;
    const struct hard_code *code = hard->plan.code;
    struct hard_job job = {.own = {noise->sigma, code->inverse_unit}};

    fill_levels(&job.levels, map->plan.code);
    fill_keys(&job.keys, &rng);
    return job;
}

static void decide(const struct hard_job *job, int scheme, bool linked, const struct rows *in,
                   const struct rows *out)
{
    const unsigned m = scheme ? schemes[scheme].bits / 2 : 1;

    for (unsigned f = 0; f < FRAMES; f++) {
        const struct hard_frame frame = {.in = row(in, f),
                                         .out = row(out, f),
                                         .bits = out->items,
                                         .type_in = in->type,
                                         .type_out = out->type,
                                         .wide = multiple(in, 16),
                                         .counter = fecrun_rng_counter(&rng, FIRST + f, 0)};

        for (uint64_t g = 0; g * HARD_DIMENSIONS * m < out->items; g++)
            hard_group(!scheme, m, linked, job, &job->own, &frame, (uint32_t)g);
    }
}

/* From bits, and from symbols with some that are no numbers. */
static bool hard_agrees(int scheme, uint32_t type, uint64_t symbols)
{
    struct rows bits = random_bits(type, symbols * schemes[scheme].bits);
    struct rows odd = random_floats(FECRUN_C8, symbols), sent = make_rows(FECRUN_C8, symbols);
    struct rows noisy = make_rows(FECRUN_C8, symbols);
    struct rows want = make_rows(type, bits.items), got = make_rows(type, bits.items);
    struct ref map, awgn, hard;
    struct hard_job job;
    bool right;

    set(0, scheme);
    map = make_ref(&chain_modem_map,
                   (struct fecrun_frame){.kind = FECRUN_KIND_BITS, .items = bits.items});
    set(1, 6);
    awgn = make_ref(&chain_channel_awgn, map.out);
    hard = make_ref(&chain_modem_hard, awgn.out);
    job = hard_job_of(&map, &awgn, &hard);
    run_ref(&map, &bits, &sent, NULL);
    run_ref(&awgn, &sent, &noisy, NULL);
    run_ref(&hard, &noisy, &want, NULL);
    decide(&job, scheme, true, &bits, &got);
    right = same(&want, &got);
    decide(&job, scheme, false, &noisy, &got);
    right = right && same(&want, &got);
    run_ref(&hard, &odd, &want, NULL);
    decide(&job, scheme, false, &odd, &got);
    right = right && same(&want, &got);
    drop(&map);
    drop(&awgn);
    drop(&hard);
    free(bits.data);
    free(odd.data);
    free(sent.data);
    free(noisy.data);
    free(want.data);
    free(got.data);
    return right;
}

static void test_hard(void)
{
    for (int scheme = 0; scheme < 5; scheme++) {
        bool right = true;

        for (int s = 0; s < SYMBOL_SIZES; s++)
            right = right && hard_agrees(scheme, FECRUN_U8, symbol_sizes[s]) &&
                    hard_agrees(scheme, FECRUN_PACKED, symbol_sizes[s]);
        ok(right, "modem.hard: %s", schemes[scheme].name);
    }
}

int main(void)
{
    test_hard();
    return done_testing();
}
