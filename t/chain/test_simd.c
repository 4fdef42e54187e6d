/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * llr.quantize and channel.awgn as simd do them, on each instruction set: the bytes that the
 * references of modem.map, channel.awgn, modem.demap and llr.quantize give one after the other, for
 * all schemes and types, and frames of all sizes round those of vectors.
 */
#include "plugins/chain/plugin.h"
#include "plugins/chain/simd/simd.h"
#include "t/lib/tap.h"
#include <fecrun/sdk/sample.h>

enum { FRAMES = 2, MAX_PARAMS = 4, N_STAGES = 4, MOST = 9000 };
enum { MAP, AWGN, DEMAP, QUANTIZE };

static const struct fecrun_stage *const stages[N_STAGES] = {
    &chain_modem_map, &chain_channel_awgn, &chain_modem_demap, &chain_llr_quantize};
static const uint32_t random_stage[N_STAGES] = {70001, 40000, 3, 4}, point[N_STAGES] = {9, 8, 7, 6};
static const uint64_t first_frame = 0xfffffffeffffffffu; /* all bits of the counter's part change */

struct planned {
    struct fecrun_frame out[N_STAGES];
    void *code[N_STAGES];
};

struct wish {
    unsigned scheme; /* choice of modem.map */
    double esn0_db, scale;
    unsigned type, bits; /* of llr.quantize; bits 0: the type's */
};

static void set(struct fecrun_value *value, double x)
{
    value->given = 2;
    value->i = (int64_t)x;
    value->f = x;
    value->s = "";
}

static void plan_stage(struct planned *p, unsigned s, const struct fecrun_frame *in,
                       struct fecrun_value value[MAX_PARAMS])
{
    const struct fecrun_value *list[MAX_PARAMS] = {&value[0], &value[1], &value[2], &value[3]};
    const struct fecrun_values values = {sizeof values, MAX_PARAMS, list};
    const struct fecrun_frame *ins[] = {in};
    struct fecrun_frame *outs[] = {&p->out[s]};
    struct fecrun_plan result = {.size = sizeof result};
    struct fecrun_error err = {.size = sizeof err};

    p->out[s] = (struct fecrun_frame){.size = sizeof p->out[s]};
    if (stages[s]->plan(NULL, &values, ins, outs, &result, &err))
        bail("%s: %s", stages[s]->name, err.text);
    p->code[s] = result.code;
}

static void plan_all(struct planned *p, const struct wish *wish, uint64_t bits)
{
    const struct fecrun_frame in = {.size = sizeof in,
                                    .kind = FECRUN_BITS,
                                    .type = FECRUN_U8,
                                    .items = bits,
                                    .info_bits = bits,
                                    .pieces = 1};
    struct fecrun_value value[N_STAGES][MAX_PARAMS] = {{{0}}};

    set(&value[MAP][0], wish->scheme);
    set(&value[AWGN][1], wish->esn0_db);
    set(&value[QUANTIZE][0], wish->type);
    if (wish->bits)
        set(&value[QUANTIZE][1], wish->bits);
    set(&value[QUANTIZE][3], wish->scale);
    for (unsigned s = 0; s < N_STAGES; s++)
        plan_stage(p, s, s ? &p->out[s - 1] : &in, value[s]);
}

static void free_all(struct planned *p)
{
    for (unsigned s = 0; s < N_STAGES; s++)
        stages[s]->plan_free(p->code[s]);
}

/* ---- Running one ---- */

struct rows {
    uint32_t type;
    uint64_t items, stride;
    uint8_t data[FRAMES * 8 * MOST + 64];
};

/* Rows with a gap behind each, aligned as their items. */
static void shape(struct rows *rows, uint32_t type, uint64_t items)
{
    rows->type = type;
    rows->items = items;
    rows->stride = fecrun_bytes(type, items) + (type == FECRUN_C8 || type == FECRUN_F32 ? 8
                                                : type == FECRUN_I16                    ? 4
                                                                                        : 3);
    memset(rows->data, 0x5a, sizeof rows->data);
}

static struct fecrun_view view_of(struct rows *rows)
{
    return (struct fecrun_view){.size = sizeof(struct fecrun_view),
                                .data = rows->data,
                                .type = rows->type,
                                .frames = FRAMES,
                                .items = rows->items,
                                .stride = rows->stride};
}

/* n_absorbed stages before s are done, too. */
static void run_stage(const struct planned *p, unsigned s, const struct fecrun_backend *backend,
                      uint32_t isa, unsigned n_absorbed, struct rows *in, struct rows *out)
{
    const struct fecrun_host host = {.size = sizeof host, .isa = isa};
    const struct fecrun_value automatic = {.size = sizeof automatic, .given = 1, .is_auto = 1};
    const struct fecrun_value *const tune[] = {&automatic};
    const struct fecrun_values tunes = {sizeof tunes, 1, tune};
    void *const *codes[N_STAGES];
    const struct fecrun_create create = {.size = sizeof create,
                                         .host = &host,
                                         .codes = &p->code[s],
                                         .n_codes = 1,
                                         .tune = &tunes,
                                         .max_frames = FRAMES,
                                         .n_absorbed = n_absorbed,
                                         .absorbed_codes = codes};
    const struct fecrun_call call = {.size = sizeof call,
                                     .first_frame = first_frame,
                                     .seed = 0x123456789abcdefu,
                                     .point = point[s],
                                     .random_stage = random_stage[s],
                                     .codes = &p->code[s],
                                     .absorbed_random_stage = random_stage + s - n_absorbed,
                                     .absorbed_point = point + s - n_absorbed};
    const struct fecrun_view from = view_of(in);
    struct fecrun_view to = view_of(out);
    const struct fecrun_view *ins[] = {&from};
    struct fecrun_view *outs[] = {&to};
    struct fecrun_error err = {.size = sizeof err};
    void *instance;

    for (unsigned k = 0; k < n_absorbed; k++)
        codes[k] = &p->code[s - n_absorbed + k];
    if (backend->create(&create, &instance, &err) || backend->run(instance, &call, ins, outs, &err))
        bail("%s %s: %s", stages[s]->name, backend->name, err.text);
    backend->destroy(instance);
}

/* ---- Comparing ---- */

static struct rows bits, symbols, noisy, llrs, want, got;

static void make_bits(uint32_t type, uint64_t n)
{
    static uint32_t at;
    const struct fecrun_rng rng = {1, 2, 3};
    uint32_t words[4];

    shape(&bits, type, n);
    for (size_t i = 0; i < FRAMES * bits.stride; i++) {
        if (i % 16 == 0)
            fecrun_rng_words(&rng, 0, at++, words, 1);
        bits.data[i] = (uint8_t)(words[i / 4 % 4] >> (i % 4 * 8));
        if (type == FECRUN_U8)
            bits.data[i] &= 1;
    }
    for (unsigned f = 0; type == FECRUN_PACKED && n % 8 && f < FRAMES; f++)
        bits.data[f * bits.stride + n / 8] &= (uint8_t)(0xff00 >> n % 8);
}

static void run_references(const struct planned *p)
{
    struct rows *const row[] = {&bits, &symbols, &noisy, &llrs, &want};

    for (unsigned s = 0; s < N_STAGES; s++)
        run_stage(p, s, stages[s]->backends[0], FECRUN_ISA_GENERIC, 0, row[s], row[s + 1]);
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
    same = same && !memcmp(noisy.data, llrs.data, sizeof noisy.data);
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
