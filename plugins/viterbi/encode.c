/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * conv.encode: feed-forward convolutional encoder.
 *
 * It works on 64 steps at a time, held as the bits of a word with the first step in the top place:
 * an output is then the exclusive or of shifted copies of the input, one a generator digit.
 */
#include <fecrun/sdk/stage.h>

#include "plugins/viterbi/code/params.h"
#include "plugins/viterbi/code/conv.h"
#include "plugins/viterbi/plugin.h"

enum { WORD = 64, GROUP = 8 }; /* steps; GROUP steps give whole bytes for any n */

static void fill_tables(struct encode_code *c)
{
    for (unsigned b = 0; b < 256; b++) {
        uint8_t bits[8];

        c->spread[b] = 0;
        for (unsigned i = 0; i < 8; i++) {
            bits[i] = b >> (7 - i) & 1;
            c->spread[b] |= (uint64_t)bits[i] << (c->code.n * (8 - i) - 1);
        }
        memcpy(&c->expand[b], bits, sizeof bits);
    }
}

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
        return fecrun_fail(err, NULL, "out of memory");
    if (viterbi_read_code(values, &c->code, &c->termination, err) ||
        viterbi_check_stream(in[0], c->termination, err) || check_size(c, in[0]->items, err)) {
        free(c);
        return -1;
    }
    fill_tables(c);
    if (c->termination == VITERBI_ZERO)
        c->tail = c->code.K - 1;
    if (c->termination == VITERBI_CONTINUOUS)
        result->before = c->code.K - 1;
    result->code = c;
    viterbi_identity(result, &c->code, c->termination);
    fecrun_frame_copy(out[0], in[0]);
    out[0]->kind = FECRUN_BITS;
    out[0]->type = FECRUN_U8;
    out[0]->items = (in[0]->items + c->tail) * c->code.n;
    snprintf(result->note, sizeof result->note, "K = %u, rate 1/%u, %s", c->code.K, c->code.n,
             viterbi_termination_name(c->termination));
    return 0;
}

/* Up to WORD bits as a word, the first in the top place, zeros behind the last. */
static uint64_t gather(const uint8_t *bits, size_t n)
{
    uint64_t word = 0;
    size_t i = 0;

    for (; i + 8 <= n; i += 8) {
        const uint8_t *b = bits + i;
        uint64_t byte = (uint64_t)(b[0] << 7 | b[1] << 6 | b[2] << 5 | b[3] << 4 | b[4] << 3 |
                                   b[5] << 2 | b[6] << 1 | b[7]);

        word |= byte << (WORD - 8 - i);
    }
    for (; i < n; i++)
        word |= (uint64_t)bits[i] << (WORD - 1 - i);
    return word;
}

/* The outputs of WORD steps; `past` holds the inputs before them, the newest in the lowest place */
static void encode_word(const struct viterbi_code *code, uint64_t now, uint64_t past,
                        uint64_t out[VITERBI_MAX_N])
{
    for (unsigned j = 0; j < code->n; j++)
        out[j] = code->inverted[j] ? UINT64_MAX : 0;
    for (unsigned d = 0; d < code->K; d++) {
        uint64_t delayed = d ? now >> d | past << (WORD - d) : now;

        for (unsigned j = 0; j < code->n; j++)
            out[j] ^= code->gen[j] >> (code->K - 1 - d) & 1 ? delayed : 0;
    }
}

/* Interleaves the outputs of WORD steps into n * WORD bytes. */
static void put_word(const struct encode_code *c, const uint64_t word[VITERBI_MAX_N], uint8_t *out)
{
    unsigned n = c->code.n;

    for (unsigned step = 0; step < WORD; step += GROUP) {
        uint64_t bits = 0; /* GROUP * n of them, in the order of sending */

        for (unsigned j = 0; j < n; j++)
            bits |= c->spread[word[j] >> (WORD - GROUP - step) & 255] >> j;
        for (unsigned b = n; b-- > 0; out += 8)
            memcpy(out, &c->expand[bits >> (8 * b) & 255], 8);
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

        encode_word(&c->code, now, past, words);
        if (steps - t >= WORD) {
            put_word(c, words, out + t * n);
        } else {
            put_word(c, words, last);
            memcpy(out + t * n, last, (steps - t) * n);
        }
        past = now;
    }
}

/* The register before frame f of a batch. */
static uint64_t register_before(const struct encode_code *c, const struct fecrun_view *in,
                                uint64_t f)
{
    const uint8_t *row = fecrun_row(in, f);
    uint64_t memory = c->code.K - 1, known;

    switch (c->termination) {
    case VITERBI_TAIL_BITING:
        return gather(row + in->items - memory, memory) >> (WORD - memory);
    case VITERBI_CONTINUOUS: /* fewer bits than K-1 lie in front only where the stream starts */
        known = in->before + f * in->items;
        known = known < memory ? known : memory;
        return known ? gather(row - known, known) >> (WORD - known) : 0;
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
        encode_frame(c, fecrun_row(in[0], f), in[0]->items, register_before(c, in[0], f),
                     fecrun_row(out[0], f));
    return 0;
}

static const struct fecrun_form *const forms[] = {
    FECRUN_FORM(.in = {{.type = FECRUN_U8}}, .out = {{.type = FECRUN_U8}}), NULL};

static const struct fecrun_backend *const backends[] = {
    FECRUN_BACKEND(.name = "ref", .summary = "64 steps at a time in a machine word", .forms = forms,
                   .agreement = FECRUN_EXACT, .create = fecrun_no_instance, .run = run,
                   .destroy = fecrun_no_destroy),
    &conv_encode_cuda,
    NULL,
};

static const struct fecrun_param *const params[] = {VITERBI_CODE_PARAMS, NULL};

static const struct fecrun_example *const examples[] = {VITERBI_CODE_EXAMPLES, NULL};

const struct fecrun_stage conv_encode_stage = {
    .size = sizeof(struct fecrun_stage),
    .name = "conv.encode",
    .role = FECRUN_TRANSFORM,
    .summary = "convolutional encoder; the outputs of one step together, in the generators' order",
    .params = params,
    .inputs = FECRUN_BITS_IN,
    .outputs = FECRUN_BITS_OUT,
    .backends = backends,
    .plan = plan,
    .plan_free = free,
    .examples = examples,
};
