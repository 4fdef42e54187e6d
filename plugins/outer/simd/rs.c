/* SPDX-License-Identifier: BSD-2-Clause */
/* The backends simd of rs.encode and rs.decode. */
#include "plugins/outer/simd/rs.h"

#include <fecrun/sdk/bits.h>
#include <fecrun/sdk/simd.h>

#include "plugins/outer/batch.h"
#include "plugins/outer/plugin.h"
#include "plugins/outer/simd/instance.h"

/* ---- Instances ------------------------------------------------------------------------------- */

static bool has(uint32_t isa)
{
    return isa == FECRUN_ISA_AVX512 ? rs_kernels_gfni() != NULL
                                    : isa == FECRUN_ISA_AVX2 && rs_kernels_avx2() != NULL;
}

static int probe(const struct fecrun_host *host, int32_t device, char *reason, size_t reason_size)
{
    (void)device;
    return outer_simd_probe(host, has, "AVX2", reason, reason_size);
}

static int takes(const struct fecrun_create *args, struct fecrun_error *err)
{
    const struct rs_code *code = args->codes[0];

    if (code->m > 8)
        return fecrun_fail(err, NULL, "symbols have %u bits, and simd takes up to 8", code->m);
    if (code->parity > RS_SIMD_PARITY)
        return fecrun_fail(err, NULL, "words have %u parity symbols, and simd takes up to %d",
                           code->parity, RS_SIMD_PARITY);
    return 0;
}

static int create(const struct fecrun_create *args, void **instance, struct fecrun_error *err)
{
    struct rs_simd *s;
    uint32_t isa;

    *instance = s = takes(args, err) ? NULL : outer_simd_make(args, sizeof *s, has, &isa, err);
    if (!s)
        return -1;
    s->code = args->codes[0];
    s->kernels = isa == FECRUN_ISA_AVX512 && s->code->m == 8 ? rs_kernels_gfni()
                                                             : rs_kernels_avx2();
    rs_simd_tables(s);
    return 0;
}

static void note(const struct fecrun_create *args, char *text, size_t text_size)
{
    struct fecrun_error err = {.size = sizeof err};
    void *s;

    if (create(args, &s, &err))
        return;
    outer_simd_note(((struct rs_simd *)s)->kernels->name, text, text_size);
    free(s);
}

/* ---- Words ----------------------------------------------------------------------------------- */

struct work {
    struct rs_errors errors;
    uint8_t syndrome[RS_SIMD_PARITY], parity[RS_SIMD_PARITY];
    uint8_t word[RS_MOST_DEPTH][RS_SIMD_N];
    uint8_t bytes[RS_MOST_DEPTH * RS_SIMD_N];
    struct rs_found found;
    uint16_t erased[OUTER_MOST_PARITY + 1];
};

static size_t scratch(const void *instance, uint64_t frames)
{
    (void)instance, (void)frames;
    return sizeof(struct work);
}

/* Bytes of `depth` words in turn; a constant where it is one of those below. */
static FECRUN_ALWAYS_INLINE void take_turns(const uint8_t *row, uint32_t symbols, uint32_t depth,
                                            uint8_t (*word)[RS_SIMD_N])
{
    for (uint32_t c = 0; c < depth; c++)
        for (uint32_t i = 0; i < symbols; i++)
            word[c][i] = row[i * depth + c];
}

static void split_bytes(const uint8_t *row, uint32_t symbols, uint32_t depth,
                        uint8_t (*word)[RS_SIMD_N])
{
    switch (depth) {
    case 2:
        take_turns(row, symbols, 2, word);
        return;
    case 4:
        take_turns(row, symbols, 4, word);
        return;
    case 5:
        take_turns(row, symbols, 5, word);
        return;
    case 8:
        take_turns(row, symbols, 8, word);
        return;
    default:
        take_turns(row, symbols, depth, word);
    }
}

/* The symbols of each word of a frame, as they are sent, of which `symbols` are there. A pointer to
   word 0; word c is RS_SIMD_N further on. */
static const uint8_t *split(const struct rs_code *code, const uint8_t *row, uint32_t type,
                            uint32_t symbols, struct work *work)
{
    const uint32_t depth = code->depth;

    if (code->m == 8 && type == FECRUN_U8) {
        fecrun_bits_pack(work->bytes, row, (size_t)8 * symbols * depth);
        row = work->bytes;
        type = FECRUN_PACKED;
    }
    if (code->m == 8 && depth == 1)
        return row;
    if (code->m == 8)
        split_bytes(row, symbols, depth, work->word);
    for (uint32_t i = 0; code->m != 8 && i < symbols; i++)
        for (uint32_t c = 0; c < depth; c++)
            work->word[c][i] = (uint8_t)bits_get(row, type, rs_bit(code, i, c), code->m);
    return work->word[0];
}

/* ---- Encoder --------------------------------------------------------------------------------- */

/* Parity makes the syndromes of the information, which is followed by zeros, 0. */
static void encode_row(const void *self, const uint8_t *in, uint32_t type, uint8_t *out,
                       void *scratch)
{
    const struct rs_simd *s = self;
    const struct rs_code *code = s->code;
    struct work *work = scratch;
    const uint8_t *word = split(code, in, type, code->k, work);

    bits_copy(out, in, type, rs_bit(code, code->k, 0), rs_bit(code, code->n, 0));
    for (uint32_t c = 0; c < code->depth; c++) {
        uint8_t *all = work->word[c];

        memmove(all, word + (size_t)c * RS_SIMD_N, code->k);
        memset(all + code->k, 0, code->parity);
        s->kernels->syndromes(s, all, work->syndrome);
        s->kernels->parity(s, work->syndrome, work->parity);
        for (uint32_t i = 0; i < code->parity; i++) {
            const uint64_t at = rs_bit(code, code->k + i, c);

            if (code->m == 8 && type == FECRUN_PACKED)
                out[at / 8] = work->parity[i];
            else
                bits_flip(out, type, at, code->m, work->parity[i]);
        }
    }
}

static int encode(void *instance, const struct fecrun_call *call,
                  const struct fecrun_view *const in[], struct fecrun_view *const out[],
                  struct fecrun_error *err)
{
    (void)err;
    outer_encode_frames(encode_row, instance, call, in[0], out[0]);
    return 0;
}

/* ---- Decoder --------------------------------------------------------------------------------- */

/* The steps of the reference, with the kernels' search for roots. */
static void solve(const struct rs_simd *s, const uint8_t *syndrome, const uint16_t *erased,
                  uint32_t f, struct rs_found *found)
{
    const struct rs_code *code = s->code;
    uint16_t value[RS_SIMD_PARITY], plain[RS_SIMD_PARITY], x[RS_SIMD_PARITY], at[RS_SIMD_PARITY];
    uint8_t lambda[RS_SIMD_PARITY + 1];
    uint64_t mask[RS_SIMD_N / 64];
    struct outer_locator locator;
    uint32_t n = 0;

    found->failed = true;
    for (uint32_t j = 0; j < code->parity; j++)
        plain[j] = s->back[syndrome[j]];
    for (uint32_t e = 0; e < f; e++)
        x[e] = gf_power(&code->field, code->n - 1 - erased[e]);
    if (!outer_locate(&code->field, plain, code->parity, x, f, &locator))
        return;
    for (uint32_t j = 0; j <= locator.degree; j++)
        lambda[j] = s->image[locator.lambda[j]];
    s->kernels->roots(s, lambda, locator.degree, mask);
    for (unsigned v = 0; v < RS_SIMD_N / 64; v++)
        for (; mask[v] && n < locator.degree; mask[v] &= mask[v] - 1)
            at[n++] = (uint16_t)(64 * v + (unsigned)__builtin_ctzll(mask[v]));
    if (n != locator.degree)
        return;
    found->failed = false;
    for (uint32_t e = 0; e < n; e++)
        x[e] = gf_power(&code->field, code->n - 1 - at[e]);
    outer_values(&code->field, plain, code->parity, code->fcr, &locator, x, value);
    for (uint32_t e = 0; e < n; e++)
        if (value[e]) {
            found->at[found->count] = at[e];
            found->value[found->count++] = rs_sent(code, value[e]);
        }
}

/* Without erasures, where the kernels do all of it. */
static void correct(const struct rs_simd *s, const uint8_t *syndrome, struct rs_errors *errors,
                    struct rs_found *found)
{
    const int wrong = s->kernels->correct(s, syndrome, errors);

    found->failed = wrong < 0;
    if (found->failed)
        return;
    for (unsigned v = 0; v < RS_SIMD_N / 64; v++)
        for (; errors->mask[v]; errors->mask[v] &= errors->mask[v] - 1) {
            const unsigned i = 64 * v + (unsigned)__builtin_ctzll(errors->mask[v]);

            found->at[found->count] = (uint16_t)i;
            found->value[found->count++] = errors->value[i];
        }
}

static void decode_word(const struct rs_simd *s, const uint8_t *word, uint32_t f, struct work *work)
{
    const struct rs_kernels *kernels = s->kernels;
    const uint32_t parity = s->code->parity;

    work->found.count = 0;
    work->found.failed = f > parity;
    if (work->found.failed || !kernels->syndromes(s, word, work->syndrome))
        return;
    if (f == 0 && parity % 2 == 0 && parity <= kernels->correct_parity)
        correct(s, work->syndrome, &work->errors, &work->found);
    else
        solve(s, work->syndrome, work->erased, f, &work->found);
}

static uint32_t decode_row(const void *self, const uint8_t *in, const void *flags, uint32_t type,
                           uint8_t *out, float *corrected, void *scratch)
{
    const struct rs_simd *s = self;
    const struct rs_code *code = s->code;
    struct work *work = scratch;
    const uint8_t *word = split(code, in, type, code->n, work);
    uint32_t failed = 0;

    bits_copy(out, in, type, rs_bit(code, code->k, 0), rs_bit(code, code->k, 0));
    for (uint32_t c = 0; c < code->depth; c++) {
        const uint32_t f = rs_erasures(code, flags, c, work->erased);

        decode_word(s, word + (size_t)c * RS_SIMD_N, f, work);
        rs_correct(code, &work->found, out, type, c);
        failed += work->found.failed;
        corrected[c] = work->found.failed ? -1.0f : (float)work->found.count;
    }
    return failed;
}

static int decode(void *instance, const struct fecrun_call *call,
                  const struct fecrun_view *const in[], struct fecrun_view *const out[],
                  struct fecrun_error *err)
{
    const struct rs_simd *s = instance;

    (void)err;
    outer_decode_frames(decode_row, s, call, in[0], in[1], out, s->code->depth);
    return 0;
}

/* ---- Tables ---------------------------------------------------------------------------------- */

const struct fecrun_backend outer_rs_encode_simd = {
    OUTER_SIMD(encode, .summary = "syndromes in vectors, and parity of them; up to 8 bits a symbol",
               .forms = OUTER_ENCODE_FORMS)};

#define FORM(bits) \
    FECRUN_FORM(FECRUN_IN({.type = bits}, {.type = FECRUN_F32}), \
                FECRUN_OUT({.type = bits}, {.type = FECRUN_F32}))

const struct fecrun_backend outer_rs_decode_simd = {
    OUTER_SIMD(decode, .summary = "products by byte shuffles or GFNI; up to 8 bits a symbol",
               .forms = FECRUN_FORMS(FORM(FECRUN_PACKED), FORM(FECRUN_U8)))};
