/* SPDX-License-Identifier: BSD-2-Clause */
/* The backends simd of bch.encode and bch.decode. */
#include "plugins/outer/simd/bch.h"

#include <fecrun/sdk/bits.h>
#include <fecrun/sdk/simd.h>

#include "plugins/outer/code/bits.h"
#include "plugins/outer/plugin.h"

/* ---- Instances ------------------------------------------------------------------------------- */

static bool has(uint32_t isa)
{
    return isa == FECRUN_ISA_AVX512 ? bch_kernels_gfni() != NULL
                                    : isa == FECRUN_ISA_AVX2 && bch_kernels_avx2() != NULL;
}

static int probe(const struct fecrun_host *host, int32_t device, char *reason, size_t reason_size)
{
    (void)device;
    if (host->isa >= FECRUN_ISA_AVX2 && has(FECRUN_ISA_AVX2))
        return 0;
    snprintf(reason, reason_size, "needs AVX2 and PCLMUL, and this CPU or FECRUN_ISA has less");
    return -1;
}

static int takes(const struct fecrun_create *args, struct fecrun_error *err)
{
    const struct bch_code *code = args->codes[0];

    if (code->parity >= BCH_SIMD_LEAST && code->parity <= BCH_SIMD_PARITY)
        return 0;
    return fecrun_fail(err, NULL, "words have %u parity bits, and simd takes %d to %d",
                       code->parity, BCH_SIMD_LEAST, BCH_SIMD_PARITY);
}

static int create(const struct fecrun_create *args, void **instance, struct fecrun_error *err)
{
    struct bch_simd *s;
    uint32_t isa;

    *instance = NULL;
    if (takes(args, err) ||
        fecrun_isa_choose(fecrun_value(args->tune, 0), args->host, has, &isa, err))
        return -1;
    s = calloc(1, sizeof *s);
    if (!s)
        return fecrun_no_memory(err);
    s->code = args->codes[0];
    s->kernels = isa == FECRUN_ISA_AVX512 ? bch_kernels_gfni() : bch_kernels_avx2();
    bch_simd_tables(s);
    *instance = s;
    return 0;
}

static size_t blocks_of(uint32_t bits)
{
    return ((size_t)bits + 8 * BCH_BLOCK - 1) / (8 * BCH_BLOCK);
}

/* Blocks, and the bytes of a frame that are not packed yet. */
static size_t scratch(const void *instance, uint64_t frames)
{
    const struct bch_simd *s = instance;

    (void)frames;
    return 2 * (blocks_of(s->code->n) + 1) * BCH_BLOCK;
}

/* ---- Words ----------------------------------------------------------------------------------- */

/* Packed bits that end at the last place of the blocks, and zeros before them. */
static void align(const uint8_t *packed, uint32_t n, uint8_t *blocks)
{
    const size_t bytes = ((size_t)n + 7) / 8, before = blocks_of(n) * BCH_BLOCK - bytes;
    const unsigned shift = (8 - n % 8) % 8;

    memset(blocks, 0, before);
    memcpy(blocks + before, packed, bytes);
    if (!shift)
        return;
    for (size_t i = before + bytes; i-- > before;)
        blocks[i] = (uint8_t)(blocks[i] >> shift | (i > before ? blocks[i - 1] << (8 - shift) : 0));
}

/* The remainder of the first n bits of a frame. */
static void remainder_of(const struct bch_simd *s, const uint8_t *row, uint32_t type, uint32_t n,
                         uint8_t *scratch, uint64_t *rest)
{
    uint8_t *packed = scratch + blocks_of(n) * BCH_BLOCK;

    if (type == FECRUN_U8) {
        fecrun_bits_pack(packed, row, n);
        row = packed;
    }
    align(row, n, scratch);
    bch_simd_remainder(s, scratch, blocks_of(n), rest);
}

static int encode(void *instance, const struct fecrun_call *call,
                  const struct fecrun_view *const in[], struct fecrun_view *const out[],
                  struct fecrun_error *err)
{
    const struct bch_simd *s = instance;
    const struct bch_code *code = s->code;

    (void)err;
    for (uint64_t f = 0; f < in[0]->frames; f++) {
        const uint8_t *from = fecrun_row(in[0], f);
        uint8_t *to = fecrun_row(out[0], f);
        uint64_t rest[BCH_SIMD_WORDS];

        remainder_of(s, from, in[0]->type, code->k, call->scratch, rest);
        bch_simd_parity(s, rest);
        bits_copy(to, from, in[0]->type, code->k, code->n);
        for (uint32_t i = 0; i < code->parity; i++)
            bits_flip(to, in[0]->type, code->n - 1 - i, 1, rest[i / 64] >> i % 64 & 1);
    }
    return 0;
}

/* Syndromes 1 to 2 t of a remainder: the odd ones by its bits, the even ones as squares. */
static void syndromes(const struct bch_code *code, const uint64_t *rest, uint16_t *syndrome)
{
    const struct gf *field = &code->field;
    const uint32_t order = field->order;

    memset(syndrome, 0, 2 * code->t * sizeof *syndrome);
    for (unsigned w = 0; w < BCH_SIMD_WORDS; w++)
        for (uint64_t left = rest[w]; left; left &= left - 1) {
            const uint32_t log = (64 * w + (uint32_t)__builtin_ctzll(left)) % order;
            const uint32_t step = 2 * log % order;
            uint32_t at = log;

            for (uint32_t j = 0; j < 2 * code->t; j += 2) {
                syndrome[j] ^= field->exp[at];
                at += step;
                at -= at >= order ? order : 0;
            }
        }
    for (uint32_t j = 2; j <= 2 * code->t; j += 2)
        syndrome[j - 1] = gf_mul(field, syndrome[j / 2 - 1], syndrome[j / 2 - 1]);
}

/* The wrong bits of a word with that remainder. Returns how many, or -1. */
static int locate(const struct bch_simd *s, const uint64_t *rest, uint32_t *at)
{
    const struct bch_code *code = s->code;
    uint16_t syndrome[2 * BCH_MOST_T];
    struct outer_locator locator;

    syndromes(code, rest, syndrome);
    if (!outer_locate(&code->field, syndrome, 2 * code->t, NULL, 0, &locator))
        return -1;
    if (locator.degree == 1) {
        const uint32_t log = code->field.log[locator.lambda[1]];

        at[0] = code->n - 1 - log;
        return log < code->n ? 1 : -1;
    }
    return s->kernels->roots(s, locator.lambda, locator.degree, at) == locator.degree
               ? (int)locator.degree
               : -1;
}

static int decode(void *instance, const struct fecrun_call *call,
                  const struct fecrun_view *const in[], struct fecrun_view *const out[],
                  struct fecrun_error *err)
{
    const struct bch_simd *s = instance;
    const uint32_t type = in[0]->type;

    (void)err;
    for (uint64_t f = 0; f < in[0]->frames; f++) {
        const uint8_t *from = fecrun_row(in[0], f);
        uint8_t *to = fecrun_row(out[0], f);
        uint64_t rest[BCH_SIMD_WORDS];
        uint32_t at[BCH_MOST_T];
        float corrected;
        int n = 0;

        remainder_of(s, from, type, s->code->n, call->scratch, rest);
        if (rest[0] | rest[1] | rest[2])
            n = locate(s, rest, at);
        bits_copy(to, from, type, s->code->k, s->code->k);
        for (int e = 0; e < n; e++)
            if (at[e] < s->code->k)
                bits_flip(to, type, at[e], 1, 1);
        fecrun_frame_checked(&call->info[f], n >= 0);
        corrected = (float)n;
        if (out[1])
            memcpy(fecrun_row(out[1], f), &corrected, sizeof corrected);
    }
    return 0;
}

/* ---- Tables ---------------------------------------------------------------------------------- */

static const struct fecrun_param *const tune[] = {&fecrun_isa_param, NULL};

#define SIMD(run_of, ...) \
    .size = sizeof(struct fecrun_backend), .name = "simd", .tune = tune, .probe = probe, \
    .takes = takes, .create = create, .scratch = scratch, .run = run_of, .destroy = free, \
    .agreement = FECRUN_AGREEMENT_EXACT, __VA_ARGS__

const struct fecrun_backend outer_bch_encode_simd = {
    SIMD(encode, .summary = "division of 256 bits at a time; 8 to 192 parity bits",
         .forms = FECRUN_FORMS(FECRUN_ONE_FORM(FECRUN_PACKED, FECRUN_PACKED),
                               FECRUN_ONE_FORM(FECRUN_U8, FECRUN_U8)))};

#define FORM(bits) \
    FECRUN_FORM(FECRUN_IN({.type = bits}), FECRUN_OUT({.type = bits}, {.type = FECRUN_F32}))

const struct fecrun_backend outer_bch_decode_simd = {SIMD(
    decode, .summary = "division of 256 bits at a time, roots in vectors; 8 to 192 parity bits",
    .forms = FECRUN_FORMS(FORM(FECRUN_PACKED), FORM(FECRUN_U8)))};
