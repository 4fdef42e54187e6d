/* SPDX-License-Identifier: BSD-2-Clause */
/* modem.map: bits to complex symbols of mean energy 1. */
#include "plugins/chain/plugin.h"
#include "plugins/chain/codes.h"
#include "plugins/chain/modem/modem.h"

static const struct fecrun_param *const params[] = {
    CHAIN_SCHEME_PARAMS(FECRUN_PARAM_REQUIRED, "how bits become symbols"),
    NULL,
};

static int map_plan(const struct fecrun_host *host, const struct fecrun_values *values,
                    const struct fecrun_frame *const in[], struct fecrun_frame *const out[],
                    struct fecrun_plan *plan, struct fecrun_error *err)
{
    struct chain_scheme scheme;
    struct map_code *code;

    (void)host;
    if (chain_scheme_read(&scheme, values, NULL, plan, err))
        return -1;
    if (in[0]->items % scheme.bits)
        return fecrun_fail(err, "scheme", "%s takes a multiple of %u bits, but a frame has %llu",
                           scheme.name, scheme.bits, (unsigned long long)in[0]->items);
    code = fecrun_code(plan, sizeof *code, err);
    if (!code)
        return -1;
    code->shape = scheme.shape;
    code->stream = in[0]->stream;
    code->bits = scheme.bits;
    for (unsigned s = 0; s < 1u << scheme.bits; s++) {
        code->symbol[s][0] = (float)scheme.point[s][0];
        code->symbol[s][1] = (float)scheme.point[s][1];
    }
    fecrun_frame_copy(out[0], in[0]);
    out[0]->kind = FECRUN_KIND_SYMBOLS;
    out[0]->type = FECRUN_C8;
    out[0]->items = in[0]->items / scheme.bits;
    out[0]->channel_bits = in[0]->items;
    fecrun_frame_scheme(out[0], scheme.name, scheme.bits, scheme.shape == CHAIN_REAL ? 1 : 2);
    return 0;
}

static inline void map_bits(const struct map_code *code, unsigned bits_per_symbol,
                            const uint8_t *bits, float (*out)[2], size_t symbols)
{
    for (size_t s = 0; s < symbols; s++) {
        unsigned index = 0;

        for (unsigned i = 0; i < bits_per_symbol; i++)
            index = index << 1 | (bits[bits_per_symbol * s + i] & 1);
        out[s][0] = code->symbol[index][0];
        out[s][1] = code->symbol[index][1];
    }
}

/* The compiler makes one loop for each number of bits. */
static void map_chunk(const struct map_code *code, const uint8_t *bits, float (*out)[2], size_t n)
{
    switch (code->bits) {
    case 1:
        map_bits(code, 1, bits, out, n);
        break;
    case 2:
        map_bits(code, 2, bits, out, n / 2);
        break;
    case 4:
        map_bits(code, 4, bits, out, n / 4);
        break;
    case 6:
        map_bits(code, 6, bits, out, n / 6);
        break;
    case 8:
        map_bits(code, 8, bits, out, n / 8);
        break;
    default:
        map_bits(code, code->bits, bits, out, n / code->bits);
    }
}

/* pi/2-BPSK: a quarter turn of each symbol with an odd number; the row's first one has number `first`. */
static void turn(float (*row)[2], uint64_t symbols, uint64_t first)
{
    for (uint64_t s = 1 - first % 2; s < symbols; s += 2) {
        const float real = row[s][0];

        row[s][0] = -row[s][1];
        row[s][1] = real;
    }
}

static int map_run(void *instance, const struct fecrun_call *call,
                   const struct fecrun_view *const in[], struct fecrun_view *const out[],
                   struct fecrun_error *err)
{
    const struct map_code *code = call->codes[0];
    const uint64_t chunk = chain_chunk(code->bits), items = in[0]->items;
    uint8_t buffer[CHAIN_CHUNK];

    (void)instance;
    (void)err;
    for (uint64_t f = 0; f < in[0]->frames; f++) {
        float(*row)[2] = fecrun_row(out[0], f);

        for (uint64_t i = 0; i < items; i += chunk) {
            const size_t n = items - i < chunk ? (size_t)(items - i) : (size_t)chunk;

            map_chunk(code, chain_bits(in[0], f, i, n, buffer), row + i / code->bits, n);
        }
        if (code->shape == CHAIN_TURNED)
            turn(row, items, chain_first_symbol(code->stream, call, items, f));
    }
    return 0;
}

static const struct fecrun_form *const forms[] = {
    FECRUN_ONE_FORM(FECRUN_U8, FECRUN_C8),
    FECRUN_ONE_FORM(FECRUN_PACKED, FECRUN_C8),
    NULL,
};

static const struct fecrun_backend *const backends[] = {
    FECRUN_BACKEND(FECRUN_REF(map_run), .forms = forms),
    &chain_modem_map_cuda,
    NULL,
};

static const struct fecrun_example *const examples[] = {CHAIN_SCHEME_EXAMPLES(""), NULL};

const struct fecrun_stage chain_modem_map = {
    FECRUN_TRANSFORM(map_plan, free),
    .name = "modem.map",
    .summary = "bits to symbols (TS 38.211 5.1, DVB-S2, or a table of points)",
    .params = params,
    .inputs = FECRUN_ONE_PORT("in", FECRUN_KIND_BITS, "coded bits"),
    .outputs = FECRUN_ONE_PORT("out", FECRUN_KIND_SYMBOLS, "symbols of mean energy 1"),
    .backends = backends,
    .examples = examples,
};
