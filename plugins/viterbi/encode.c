/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * conv.encode: convolutional encoder. A recursive one first adds its feedback to the input, and is then as any other.
 *
 * It works on 64 steps at a time, held as the bits of a word with the first step in the top place:
 * an output is then the exclusive or of shifted copies of the input, one a generator digit.
 */
#include <fecrun/sdk/stage.h>
#include <stdbool.h>

#include "plugins/viterbi/code/levels.h"
#include "plugins/viterbi/code/params.h"
#include "plugins/viterbi/code/conv.h"
#include "plugins/viterbi/code/words.h"
#include "plugins/viterbi/plugin.h"

static int check_size(const struct encode_code *c, uint64_t bits, struct fecrun_error *err)
{
    unsigned memory = c->code.K - 1;

    if (!bits || bits > UINT64_MAX / 64)
        return fecrun_fail(err, NULL, "the input has %llu bits a frame", (unsigned long long)bits);
    if (c->termination == VITERBI_TAIL_BITING && bits < memory)
        return fecrun_fail(err, "termination",
                           "tail-biting takes the start state from the last %u bits of a frame, "
                           "and it has %llu",
                           memory, (unsigned long long)bits);
    return 0;
}

static int plan(const struct fecrun_host *host, const struct fecrun_values *values,
                const struct fecrun_frame *const in[], struct fecrun_frame *const out[],
                struct fecrun_plan *result, struct fecrun_error *err)
{
    struct encode_code *c = calloc(1, sizeof *c);

    (void)host;
    if (!c)
        return fecrun_no_memory(err);
    if (viterbi_read_code(values, &c->code, &c->feedback, &c->termination, err) ||
        viterbi_check_stream(in[0], c->termination, err) || check_size(c, in[0]->items, err)) {
        free(c);
        return -1;
    }
    c->taps = viterbi_taps(&c->code, c->feedback);
    fill_tables(&c->tables, c->code.n);
    if (c->termination == VITERBI_ZERO)
        c->tail = c->code.K - 1;
    if (c->termination == VITERBI_CONTINUOUS)
        result->before = c->code.K - 1;
    result->code = c;
    viterbi_identity(result, &c->code, c->feedback, c->termination);
    fecrun_frame_copy(out[0], in[0]);
    out[0]->kind = FECRUN_KIND_BITS;
    out[0]->type = FECRUN_U8;
    out[0]->items = (in[0]->items + c->tail) * c->code.n;
    snprintf(result->note, sizeof result->note, "K = %u, rate 1/%u, %s%s", c->code.K, c->code.n,
             c->feedback ? "recursive, " : "", viterbi_termination_name(c->termination));
    if (conv_levels_push(&conv_encoded, out[0],
                         (in[0]->items + c->tail) * (in[0]->pieces ? in[0]->pieces : 1), err)) {
        free(c);
        return -1;
    }
    return 0;
}

/* The lower 32 bits to the even places. */
static uint64_t spread_half(uint64_t x)
{
    x = (x | x << 16) & 0x0000ffff0000ffffu;
    x = (x | x << 8) & 0x00ff00ff00ff00ffu;
    x = (x | x << 4) & 0x0f0f0f0f0f0f0f0fu;
    x = (x | x << 2) & 0x3333333333333333u;
    return (x | x << 1) & 0x5555555555555555u;
}

static void put_two(const uint64_t word[2], uint8_t *out)
{
    for (int half = 0; half < 2; half++, out += 8) {
        const int down = half ? 0 : 32;
        const uint64_t first = spread_half(word[0] >> down & UINT32_MAX);
        const uint64_t bits = __builtin_bswap64(first << 1 |
                                                spread_half(word[1] >> down & UINT32_MAX));

        memcpy(out, &bits, 8);
    }
}

/* The same, packed, into n * WORD / 8 bytes. */
static void put_packed(const struct encode_code *c, const uint64_t word[VITERBI_MAX_N],
                       uint8_t *out)
{
    if (c->code.n == 2) {
        put_two(word, out);
        return;
    }
    for (unsigned step = 0; step < WORD; step += GROUP) {
        const uint64_t bits = interleave(&c->tables, c->code.n, word, step);

        for (unsigned b = c->code.n; b-- > 0;)
            *out++ = (uint8_t)(bits >> (8 * b));
    }
}

/* `past` is the register before the first bit, the newest bit in the lowest place. */
static void encode_frame(const struct encode_code *c, const uint8_t *bits, uint64_t n_bits,
                         uint64_t past, uint8_t *out)
{
    uint64_t steps = n_bits + c->tail;
    unsigned n = c->code.n;

    for (uint64_t t = 0; t < steps; t += WORD) {
        uint64_t left = n_bits > t ? n_bits - t : 0;
        uint64_t now = left ? gather(bits + t, left < WORD ? left : WORD) : 0;
        uint64_t words[VITERBI_MAX_N];
        uint8_t last[VITERBI_MAX_N * WORD];

        if (c->taps)
            now = recurse_word(c->taps, now, past, left < WORD ? (unsigned)left : WORD);
        encode_word(&c->code, now, past, words);
        if (steps - t >= WORD) {
            put_word(&c->tables, n, words, out + t * n);
        } else {
            put_word(&c->tables, n, words, last);
            memcpy(out + t * n, last, (steps - t) * n);
        }
        past = now;
    }
}

/* Packed bits to packed bits; the fill behind the last is 0 on both sides. */
static void encode_packed(const struct encode_code *c, const uint8_t *bits, uint64_t n_bits,
                          uint64_t past, uint8_t *out)
{
    const uint64_t steps = n_bits + c->tail, in_bytes = (n_bits + 7) / 8;
    const unsigned n = c->code.n;

    for (uint64_t t = 0; t < steps; t += WORD) {
        const uint64_t at = t / 8, left_bits = n_bits > t ? n_bits - t : 0;
        uint64_t now = at < in_bytes ? load_word(bits + at, in_bytes - at) : 0;
        uint64_t words[VITERBI_MAX_N];
        uint8_t last[VITERBI_MAX_N * WORD / 8];

        if (c->taps)
            now = recurse_word(c->taps, now, past, left_bits < WORD ? (unsigned)left_bits : WORD);
        encode_word(&c->code, now, past, words);
        if (steps - t >= WORD) {
            put_packed(c, words, out + at * n);
        } else {
            const uint64_t left = (steps - t) * n;

            put_packed(c, words, last);
            memcpy(out + at * n, last, (left + 7) / 8);
            if (left % 8)
                out[at * n + left / 8] &= (uint8_t)(0xff00 >> left % 8);
        }
        past = now;
    }
}

/* The register before frame f of a batch. */
static uint64_t register_before(const struct encode_code *c, const struct fecrun_view *in,
                                uint64_t f)
{
    const bool packed = in->type == FECRUN_PACKED;
    const uint8_t *row = fecrun_row(in, f);
    uint64_t memory = c->code.K - 1, known, bytes;

    switch (c->termination) {
    case VITERBI_TAIL_BITING:
        return (packed ? gather_packed(row, in->items - memory, memory)
                       : gather(row + in->items - memory, memory)) >>
               (WORD - memory);
    case VITERBI_CONTINUOUS: /* fewer bits than K-1 lie in front only where the stream starts */
        known = in->before + f * in->items;
        known = known < memory ? known : memory;
        bytes = (known + 7) / 8; /* frames of a packed stream are whole bytes */
        if (!known)
            return 0;
        return (packed ? gather_packed(row - bytes, 8 * bytes - known, known)
                       : gather(row - known, known)) >>
               (WORD - known);
    default:
        return 0;
    }
}

static int run(void *instance, const struct fecrun_call *call, const struct fecrun_view *const in[],
               struct fecrun_view *const out[], struct fecrun_error *err)
{
    const struct encode_code *c = call->codes[0];

    (void)instance;
    (void)err;
    for (uint64_t f = 0; f < in[0]->frames; f++)
        (in[0]->type == FECRUN_PACKED ? encode_packed : encode_frame)(
            c, fecrun_row(in[0], f), in[0]->items, register_before(c, in[0], f),
            fecrun_row(out[0], f));
    return 0;
}

static const struct fecrun_form *const forms[] = {FECRUN_ONE_FORM(FECRUN_PACKED, FECRUN_PACKED),
                                                  FECRUN_ONE_FORM(FECRUN_U8, FECRUN_U8), NULL};

static const struct fecrun_backend *const backends[] = {
    FECRUN_BACKEND(FECRUN_REF(run), .summary = "64 steps at a time in a machine word",
                   .forms = forms, .agreement = FECRUN_AGREEMENT_EXACT),
    &conv_encode_cuda,
    NULL,
};

static const struct fecrun_param *const params[] = {VITERBI_CODE_PARAMS, NULL};

static const struct fecrun_example *const examples[] = {VITERBI_CODE_EXAMPLES,
                                                        VITERBI_RECURSIVE_EXAMPLES, NULL};

const struct fecrun_stage conv_encode_stage = {
    FECRUN_TRANSFORM(plan, free),
    .name = "conv.encode",
    .summary = "convolutional encoder; the outputs of one step together, in the generators' order",
    .params = params,
    .inputs = FECRUN_BITS_IN,
    .outputs = FECRUN_BITS_OUT,
    .backends = backends,
    .examples = examples,
};
