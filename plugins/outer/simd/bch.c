/* SPDX-License-Identifier: BSD-2-Clause */
/* The backends simd of bch.encode and bch.decode. */
#include "plugins/outer/simd/bch.h"

#include <fecrun/sdk/bits.h>

#include "plugins/outer/batch.h"
#include "plugins/outer/code/bits.h"
#include "plugins/outer/plugin.h"
#include "plugins/outer/simd/instance.h"

/* ---- Instances ------------------------------------------------------------------------------- */

static bool has(uint32_t isa)
{
    return isa == FECRUN_ISA_AVX512 ? bch_kernels_gfni() != NULL
                                    : isa == FECRUN_ISA_AVX2 && bch_kernels_avx2() != NULL;
}

static int probe(const struct fecrun_host *host, int32_t device, char *reason, size_t reason_size)
{
    (void)device;
    return outer_simd_probe(host, has, "AVX2 and PCLMUL", reason, reason_size);
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

    *instance = s = takes(args, err) ? NULL : outer_simd_make(args, sizeof *s, has, &isa, err);
    if (!s)
        return -1;
    s->code = args->codes[0];
    s->kernels = isa == FECRUN_ISA_AVX512 ? bch_kernels_gfni() : bch_kernels_avx2();
    bch_simd_tables(s);
    return 0;
}

static void note(const struct fecrun_create *args, char *text, size_t text_size)
{
    struct fecrun_error err = {.size = sizeof err};
    void *s;

    if (create(args, &s, &err))
        return;
    outer_simd_note(((struct bch_simd *)s)->kernels->name, text, text_size);
    free(s);
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

static void encode_row(const void *self, const uint8_t *in, uint32_t type, uint8_t *out,
                       void *scratch)
{
    const struct bch_simd *s = self;
    const struct bch_code *code = s->code;
    uint64_t rest[BCH_SIMD_WORDS];

    remainder_of(s, in, type, code->k, scratch, rest);
    bch_simd_parity(s, rest);
    bits_copy(out, in, type, code->k, code->n);
    for (uint32_t i = 0; i < code->parity; i++)
        bits_flip(out, type, code->n - 1 - i, 1, rest[i / 64] >> i % 64 & 1);
}

static int encode(void *instance, const struct fecrun_call *call,
                  const struct fecrun_view *const in[], struct fecrun_view *const out[],
                  struct fecrun_error *err)
{
    (void)err;
    outer_encode_frames(encode_row, instance, call, in[0], out[0]);
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

static uint32_t decode_row(const void *self, const uint8_t *in, const void *flags, uint32_t type,
                           uint8_t *out, float *corrected, void *scratch)
{
    const struct bch_simd *s = self;
    uint64_t rest[BCH_SIMD_WORDS];
    uint32_t at[BCH_MOST_T];
    int n = 0;

    (void)flags;
    remainder_of(s, in, type, s->code->n, scratch, rest);
    if (rest[0] | rest[1] | rest[2])
        n = locate(s, rest, at);
    bits_copy(out, in, type, s->code->k, s->code->k);
    for (int e = 0; e < n; e++)
        if (at[e] < s->code->k)
            bits_flip(out, type, at[e], 1, 1);
    corrected[0] = (float)n;
    return n < 0;
}

static int decode(void *instance, const struct fecrun_call *call,
                  const struct fecrun_view *const in[], struct fecrun_view *const out[],
                  struct fecrun_error *err)
{
    (void)err;
    outer_decode_frames(decode_row, instance, call, in[0], NULL, out, 1);
    return 0;
}

/* ---- Tables ---------------------------------------------------------------------------------- */

const struct fecrun_backend outer_bch_encode_simd = {
    OUTER_SIMD(encode, .summary = "division of 256 bits at a time; 8 to 192 parity bits",
               .forms = OUTER_ENCODE_FORMS)};

#define FORM(bits) \
    FECRUN_FORM(FECRUN_IN({.type = bits}), FECRUN_OUT({.type = bits}, {.type = FECRUN_F32}))

const struct fecrun_backend outer_bch_decode_simd = {OUTER_SIMD(
    decode, .summary = "division of 256 bits at a time, roots in vectors; 8 to 192 parity bits",
    .forms = FECRUN_FORMS(FORM(FECRUN_PACKED), FORM(FECRUN_U8)))};
