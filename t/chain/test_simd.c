/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * llr.quantize, channel.awgn and modem.hard as simd do them, on each instruction set: the bytes that the
 * references of modem.map, channel.awgn, modem.demap and llr.quantize, or modem.hard, give one after the other, for
 * all schemes and types, and frames of all sizes round those of vectors.
 */
#include "t/chain/link.h"
#include "plugins/chain/simd/simd.h"

/* Decisions of noisy[], which bits[] became: the reference's, with the same type of bits. */
static bool hard_as_reference(const struct planned *p, uint32_t isa)
{
    bool same;

    shape(&want, bits.type, bits.items);
    run_stage(p, HARD, stages[HARD]->backends[0], FECRUN_ISA_GENERIC, 0, &noisy, &want);
    shape(&got, bits.type, bits.items);
    run_stage(p, HARD, &chain_modem_hard_simd, isa, 0, &noisy, &got);
    same = !memcmp(want.data, got.data, sizeof want.data);
    shape(&got, bits.type, bits.items);
    run_stage(p, HARD, &chain_modem_hard_simd, isa, 2, &bits, &got);
    return same && !memcmp(want.data, got.data, sizeof want.data);
}

static bool as_references(uint32_t isa, const struct wish *wish, uint64_t n, uint32_t bits_type)
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
    run_stage(&p, QUANTIZE, &chain_llr_quantize_simd, isa, 0, &llrs, &got);
    same = !memcmp(want.data, got.data, sizeof want.data);
    if (want.type != FECRUN_I16) {
        shape(&got, want.type, n);
        run_stage(&p, QUANTIZE, &chain_llr_quantize_simd, isa, QUANTIZE, &bits, &got);
        same = same && !memcmp(want.data, got.data, sizeof want.data);
    }
    shape(&llrs, FECRUN_C8, p.out[AWGN].items);
    run_stage(&p, AWGN, &chain_channel_awgn_simd, isa, 0, &symbols, &llrs);
    same = same && !memcmp(noisy.data, llrs.data, sizeof noisy.data) && hard_as_reference(&p, isa);
    free_all(&p);
    if (!same)
        diag("scheme %u, %u bits of type %u, Es/N0 %g dB", wish->scheme, (unsigned)n, bits_type,
             wish->esn0_db);
    return same;
}

static bool all_sizes(uint32_t isa, const struct wish *wish, unsigned per_symbol)
{
    bool same = true;

    for (uint32_t type = FECRUN_U8; type <= FECRUN_PACKED; type++) {
        for (uint64_t symbols_of = 1; symbols_of <= 70; symbols_of++)
            same = same && as_references(isa, wish, per_symbol * symbols_of, type);
        same = same && as_references(isa, wish, per_symbol * 1027, type);
    }
    return same;
}

int main(void)
{
    static const char *const schemes[] = {"bpsk", "qpsk", "16qam", "64qam", "256qam"};
    static const unsigned per_symbol[] = {1, 2, 4, 6, 8};
    static const struct wish wishes[] = {{.esn0_db = 2, .type = 0, .scale = 4},
                                         {.esn0_db = 9, .type = 0, .scale = 1.3, .bits = 5},
                                         {.esn0_db = -50, .type = 2, .scale = 30},
                                         {.esn0_db = 12, .type = 2, .scale = 0.4},
                                         {.esn0_db = 100, .type = 0, .scale = 1e6},
                                         {.esn0_db = 3, .type = 1, .scale = 100}};

    for (uint32_t isa = 0; isa <= FECRUN_ISA_AVX512; isa++)
        for (unsigned scheme = 0; scheme < 5; scheme++) {
            bool same = true;

            if (!fecrun_isa_runs(isa)) {
                skip(1, "no %s here", fecrun_isa_names[isa]);
                continue;
            }
            for (unsigned w = 0; w < sizeof wishes / sizeof *wishes; w++) {
                struct wish wish = wishes[w];
                wish.scheme = scheme;
                same = same && all_sizes(isa, &wish, per_symbol[scheme]);
            }
            ok(same, "%s, %s", fecrun_isa_names[isa], schemes[scheme]);
        }
    return done_testing();
}
