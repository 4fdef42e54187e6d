/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * modem.map, channel.awgn, modem.demap and llr.quantize, and modem.hard behind channel.awgn, one after
 * the other, as their references do them: what the tests of backends that do all four at once compare with.
 */
#ifndef T_CHAIN_LINK_H
#define T_CHAIN_LINK_H

#include "plugins/chain/plugin.h"
#include "t/lib/tap.h"
#include <fecrun/sdk/sample.h>
#include <fecrun/sdk/simd.h>

enum { FRAMES = 2, MAX_PARAMS = 9, N_STAGES = 5, MOST = 9000 };
enum { MAP, AWGN, DEMAP, QUANTIZE, HARD }; /* HARD behind AWGN */

static const struct fecrun_stage *const stages[N_STAGES] = {&chain_modem_map, &chain_channel_awgn,
                                                            &chain_modem_demap, &chain_llr_quantize,
                                                            &chain_modem_hard};
#define SEED 0x123456789abcdefu
static const struct fecrun_rng rngs[N_STAGES] = {
    {SEED, 9, 70001}, {SEED, 8, 40000}, {SEED, 7, 3}, {SEED, 6, 4}, {SEED, 5, 5}};
static const uint64_t first_frame = 0xfffffffeffffffffu; /* all bits of the counter's part change */

struct planned {
    struct fecrun_frame out[N_STAGES];
    void *code[N_STAGES];
};

struct wish {
    unsigned scheme; /* choice of modem.map */
    double esn0_db, scale;
    unsigned type, bits; /* of llr.quantize; bits 0: the type's */
    bool half;           /* modem.demap gives halves */
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
    const struct fecrun_value *list[MAX_PARAMS];
    const struct fecrun_values values = {sizeof values, MAX_PARAMS, list};
    const struct fecrun_frame *ins[FECRUN_MAX_PORTS] = {in};
    struct fecrun_frame *outs[FECRUN_MAX_PORTS] = {&p->out[s]};
    struct fecrun_plan result = {.size = sizeof result};
    struct fecrun_error err = {.size = sizeof err};

    for (unsigned i = 0; i < MAX_PARAMS; i++)
        list[i] = &value[i];
    p->out[s] = (struct fecrun_frame){.size = sizeof p->out[s]};
    if (stages[s]->plan(NULL, &values, ins, outs, &result, &err))
        bail("%s: %s", stages[s]->name, err.text);
    p->code[s] = result.code;
}

static void plan_all(struct planned *p, const struct wish *wish, uint64_t bits)
{
    const struct fecrun_frame in = {.size = sizeof in,
                                    .kind = FECRUN_KIND_BITS,
                                    .type = FECRUN_U8,
                                    .items = bits,
                                    .info_bits = bits,
                                    .pieces = 1};
    struct fecrun_value value[N_STAGES][MAX_PARAMS] = {{{0}}};

    set(&value[MAP][0], wish->scheme);
    set(&value[AWGN][1], wish->esn0_db);
    set(&value[QUANTIZE][0], wish->type);
    set(&value[DEMAP][7], wish->half);
    if (wish->bits)
        set(&value[QUANTIZE][1], wish->bits);
    set(&value[QUANTIZE][3], wish->scale);
    for (unsigned s = 0; s < N_STAGES; s++)
        plan_stage(p, s, s == HARD ? &p->out[AWGN] : s ? &p->out[s - 1] : &in, value[s]);
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
    _Alignas(64) uint8_t data[FRAMES * 8 * MOST + 64];
};

/* Rows with a gap behind each, aligned as their items, or all at multiples of 16 bytes. */
static bool aligned_rows;

static void shape(struct rows *rows, uint32_t type, uint64_t items)
{
    rows->type = type;
    rows->items = items;
    rows->stride = fecrun_bytes(type, items) + (type == FECRUN_C8 || type == FECRUN_F32    ? 8
                                                : type == FECRUN_I16 || type == FECRUN_F16 ? 4
                                                                                           : 3);
    if (aligned_rows)
        rows->stride = (rows->stride + 15) / 16 * 16;
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
    const unsigned first = (s == HARD ? DEMAP : s) - n_absorbed;
    void *const *codes[N_STAGES];
    const struct fecrun_create create = {.size = sizeof create,
                                         .host = &host,
                                         .codes = &p->code[s],
                                         .n_codes = 1,
                                         .tune = &tunes,
                                         .max_frames = FRAMES,
                                         .n_absorbed = n_absorbed,
                                         .absorbed_codes = codes};
    const struct fecrun_sim sim = {sizeof sim, rngs[s], rngs + first};
    const struct fecrun_call call = {
        .size = sizeof call, .first_frame = first_frame, .codes = &p->code[s], .sim = &sim};
    const struct fecrun_view from = view_of(in);
    struct fecrun_view to = view_of(out);
    const struct fecrun_view *ins[FECRUN_MAX_PORTS] = {&from};
    struct fecrun_view *outs[] = {&to};
    struct fecrun_error err = {.size = sizeof err};
    void *instance;

    for (unsigned k = 0; k < n_absorbed; k++)
        codes[k] = &p->code[first + k];
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

    for (unsigned s = 0; s <= QUANTIZE; s++)
        run_stage(p, s, stages[s]->backends[0], FECRUN_ISA_GENERIC, 0, row[s], row[s + 1]);
}

/* The first three. */
static TAP_UNUSED void run_demapped(const struct planned *p)
{
    struct rows *const row[] = {&bits, &symbols, &noisy, &want};

    for (unsigned s = 0; s <= DEMAP; s++)
        run_stage(p, s, stages[s]->backends[0], FECRUN_ISA_GENERIC, 0, row[s], row[s + 1]);
}

#endif
