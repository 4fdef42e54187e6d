/* SPDX-License-Identifier: BSD-2-Clause */
/* source.random: bit i of a frame is bit 31 - i % 32 of the frame's random word i / 32. */
#include "plugins/chain/plugin.h"

#include <string.h>

struct source_code {
    uint64_t bits;
};

enum { P_BITS, P_STREAM };

static const struct fecrun_param *const params[] = {
    FECRUN_INT("bits", 1, 1 << 24, .flags = FECRUN_PARAM_REQUIRED | FECRUN_PARAM_SIZE,
               .unit = "bits", .help = "bits in one frame"),
    FECRUN_BOOL("stream", .default_text = "false",
                .help = "frames are pieces of one endless sequence (continuous codes); bits is "
                        "then a multiple of 8"),
    NULL,
};

static int source_plan(const struct fecrun_host *host, const struct fecrun_values *values,
                       const struct fecrun_frame *const in[], struct fecrun_frame *const out[],
                       struct fecrun_plan *plan, struct fecrun_error *err)
{
    uint64_t bits = (uint64_t)fecrun_value(values, P_BITS)->i;
    bool stream = fecrun_value(values, P_STREAM)->i != 0;
    struct source_code *code;

    (void)host;
    (void)in;
    if (stream && bits % 8 != 0)
        return fecrun_fail(err, "bits", "must be a multiple of 8 with `stream: true`, not %llu",
                           (unsigned long long)bits);
    code = fecrun_code(plan, sizeof *code, err);
    if (!code)
        return -1;
    code->bits = bits;
    out[0]->kind = FECRUN_KIND_BITS;
    out[0]->type = FECRUN_PACKED;
    out[0]->items = bits;
    out[0]->info_bits = bits;
    out[0]->stream = stream;
    return 0;
}

/* Words into bytes, first bit in the most significant place. */
static void store_words(uint8_t *bytes, const uint32_t *words, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        uint32_t x = __builtin_bswap32(words[i]);

        memcpy(bytes + 4 * i, &x, 4);
    }
}

/* Bits first .. first+n-1 of a frame, packed; first is a multiple of 128. */
static void random_bits(const struct fecrun_rng *rng, uint64_t frame, uint64_t first, size_t n,
                        uint8_t packed[static CHAIN_CHUNK / 8])
{
    uint32_t words[CHAIN_CHUNK / 32];

    fecrun_rng_words(rng, frame, (uint32_t)(first / 128), words, (n + 127) / 128);
    store_words(packed, words, (n + 31) / 32);
    if (n % 8)
        packed[n / 8] &= (uint8_t)(0xff << (8 - n % 8));
}

static void random_frame(const struct fecrun_rng *rng, uint64_t frame, uint64_t bits, uint32_t type,
                         uint8_t *row)
{
    uint8_t packed[CHAIN_CHUNK / 8];

    for (uint64_t i = 0; i < bits; i += CHAIN_CHUNK) {
        size_t n = chain_part(bits - i);

        random_bits(rng, frame, i, n, packed);
        if (type == FECRUN_U8)
            fecrun_bits_unpack(row + i, packed, n);
        else
            memcpy(row + i / 8, packed, (n + 7) / 8);
    }
}

static int source_run(void *instance, const struct fecrun_call *call,
                      const struct fecrun_view *const in[], struct fecrun_view *const out[],
                      struct fecrun_error *err)
{
    const struct source_code *code = call->codes[0];
    struct fecrun_rng rng = call->sim->rng;

    (void)instance;
    (void)in;
    (void)err;
    for (uint64_t f = 0; f < out[0]->frames; f++)
        random_frame(&rng, call->first_frame + f, code->bits, out[0]->type, fecrun_row(out[0], f));
    return 0;
}

static const struct fecrun_form *const forms[] = {
    FECRUN_FORM(FECRUN_OUT({.type = FECRUN_PACKED})),
    FECRUN_FORM(FECRUN_OUT({.type = FECRUN_U8})),
    NULL,
};

static const struct fecrun_backend *const backends[] = {
    FECRUN_BACKEND(.name = "ref", .forms = forms, .create = fecrun_no_instance, .run = source_run,
                   .destroy = fecrun_no_destroy),
    &chain_source_random_cuda,
    NULL,
};

static const struct fecrun_example *const examples[] = {
    FECRUN_EXAMPLE(.params = "{bits: 1}"), FECRUN_EXAMPLE(.params = "{bits: 127}"),
    FECRUN_EXAMPLE(.params = "{bits: 1537}"),
    FECRUN_EXAMPLE(.params = "{bits: 4096, stream: true}"), NULL};

const struct fecrun_stage chain_source_random = {
    .size = sizeof chain_source_random,
    .name = "source.random",
    .role = FECRUN_ROLE_SOURCE,
    .flags = FECRUN_STAGE_RANDOM,
    .summary = "random bits",
    .params = params,
    .inputs = FECRUN_NO_PORTS,
    .outputs = FECRUN_ONE_PORT("out", FECRUN_KIND_BITS, "the bits"),
    .backends = backends,
    .plan = source_plan,
    .plan_free = free,
    .examples = examples,
};
