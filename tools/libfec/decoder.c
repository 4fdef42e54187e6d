/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A frame's symbols are kept until it is asked for, and then decoded as a whole.
 *
 * fecrun's frames begin and end in state 0. In front of a frame that begins in some state lie steps
 * that lead there, in one symbol of little weight a step: a preference, as libfec has one, not a certainty.
 * They also fill up frames to a few sizes, so that few pipelines are made. An end state is moved to 0
 * exactly: codes are linear, so complementing those symbols that the tail's bits alone would make
 * 1 leaves the other bits where they are and makes the tail's 0.
 */
#include "tools/libfec/decoder.h"
#include "tools/libfec/code.h"
#include "tools/libfec/pool.h"
#include "tools/libfec/soft.h"

#include <stdlib.h>
#include <string.h>

enum {
    LEADING = 16, /* distance from 128 of a step's first symbol in front: an eighth of a sure one */
    TOGETHER = 64, /* frames of fec_many() in one call: as many as are decoded side by side */
    MOST_BITS = 1 << 24
};

struct fec_decoder {
    unsigned code;
    unsigned len;
    unsigned start;
    unsigned steps; /* since init */
    unsigned char symbols[];
};

static unsigned tail_of(const struct fec_decoder *decoder)
{
    return fec_codes[decoder->code].K - 1;
}

/* Data bits with what is put in front. Sizes other than the decoder's own are rounded up to eight
   an octave. */
static unsigned whole_bits(const struct fec_decoder *decoder, unsigned bits)
{
    unsigned front = (tail_of(decoder) + 7) / 8 * 8, step = 8;

    if (bits == decoder->len)
        return bits + front;
    while (16 * step <= bits)
        step *= 2;
    return front + bits % 8 + (bits / 8 * 8 + step - 1) / step * step;
}

static struct fec_key key_of(const struct fec_decoder *decoder, unsigned bits, unsigned frames)
{
    struct fec_key key = {.code = decoder->code, .bits = whole_bits(decoder, bits)};

    key.frames = frames > 1 ? TOGETHER : 1;
    fec_get_generators(decoder->code, key.generators);
    return key;
}

/* What would go wrong at the first chainback goes wrong here, and the pipeline is there for it. */
static int warm_up(const struct fec_decoder *decoder)
{
    struct fec_key key = key_of(decoder, decoder->len, 1);
    struct fec_pipe *pipe = fec_borrow(&key);

    fec_give_back(pipe);
    return pipe ? 0 : -1;
}

struct fec_decoder *fec_create(unsigned code, int len)
{
    const struct fec_code *of = &fec_codes[code];
    struct fec_decoder *decoder;
    size_t symbols;

    if (len < 0 || len > MOST_BITS) {
        fec_fail("create_%s: len is %d, allowed is 0 to %d", of->name, len, MOST_BITS);
        return NULL;
    }
    symbols = ((size_t)len + of->K - 1) * of->n;
    decoder = calloc(1, sizeof *decoder + symbols);
    if (!decoder) {
        fec_fail("create_%s: no memory for frames of %d bits", of->name, len);
        return NULL;
    }
    decoder->code = code;
    decoder->len = (unsigned)len;
    if (warm_up(decoder) == 0)
        return decoder;
    free(decoder);
    return NULL;
}

void fec_delete(struct fec_decoder *decoder)
{
    free(decoder);
}

int fec_init(struct fec_decoder *decoder, int state)
{
    if (!decoder)
        return fec_fail("init_viterbi: the decoder is NULL");
    decoder->start = (unsigned)state & ((1u << tail_of(decoder)) - 1);
    decoder->steps = 0;
    return 0;
}

int fec_update(struct fec_decoder *decoder, const unsigned char *symbols, int steps)
{
    const struct fec_code *code;
    unsigned most;

    if (!decoder)
        return fec_fail("update_viterbi_blk: the decoder is NULL");
    code = &fec_codes[decoder->code];
    most = decoder->len + code->K - 1;
    if (steps < 0 || (unsigned)steps > most - decoder->steps)
        return fec_fail("update_%s_blk: %d steps more than %u; a frame of at most %u bits has %u",
                        code->name, steps, decoder->steps, decoder->len, most);
    if (steps > 0 && !symbols)
        return fec_fail("update_%s_blk: there are no symbols", code->name);
    if (steps > 0)
        memcpy(decoder->symbols + (size_t)decoder->steps * code->n, symbols,
               (size_t)steps * code->n);
    decoder->steps += (unsigned)steps;
    return 0;
}

/* ---- One call ---- */

struct call {
    const struct fec_code *code;
    int generators[FEC_MAX_N];
    unsigned start, end;
    unsigned bits;  /* that the caller wants of a frame */
    unsigned front; /* and those in front of them, whole bytes */
    /* 1: a symbol in front is one, or one of the tail is complemented. */
    unsigned char *leading, *tail;
};

static int call_begin(struct call *call, const struct fec_decoder *decoder, unsigned whole)
{
    const struct fec_code *code = call->code;
    unsigned m = code->K - 1, state = 0;

    call->leading = calloc(call->front + m, code->n);
    if (!call->leading)
        return fec_fail("%s: no memory for frames of %u bits", code->name, whole);
    call->tail = call->leading + (size_t)call->front * code->n;
    for (unsigned i = 0; i < call->front; i++) {
        unsigned left = call->front - i;
        unsigned bit = left <= m ? call->start >> (left - 1) & 1 : 0;
        fec_step(decoder->code, call->generators, &state, bit, call->leading + i * code->n);
        for (unsigned j = 0; j < code->n; j++)
            call->leading[i * code->n + j] ^= call->generators[j] < 0;
    }
    state = 0;
    for (unsigned i = 0; i < m; i++)
        fec_step(decoder->code, call->generators, &state, call->end >> (m - 1 - i) & 1,
                 call->tail + i * code->n);
    return 0;
}

static void put_frame(const struct call *call, const unsigned char *symbols, int8_t *llrs)
{
    const struct fec_code *code = call->code;
    size_t front = (size_t)call->front * code->n, tail = (size_t)(code->K - 1) * code->n;
    size_t count = (size_t)call->bits * code->n + tail;
    int factor = fec_soft_factor(symbols, count, code->llr_max);
    int8_t toward = fec_soft(128 - LEADING, factor, code->llr_max);

    memset(llrs, 0, front);
    for (size_t i = 0; i < front; i += code->n)
        llrs[i] = call->leading[i] ? (int8_t)-toward : toward;
    llrs += front;
    fec_soft_all(symbols, count, factor, code->llr_max, llrs);
    llrs += count - tail;
    for (size_t i = 0; call->end && i < tail; i++)
        llrs[i] = call->tail[i] ? (int8_t)-llrs[i] : llrs[i];
}

/* As libfec leaves it, the last byte goes on with the tail's bits. */
static void get_frame(const struct call *call, const uint8_t *bits, unsigned char *data)
{
    unsigned used = call->bits % 8, m = call->code->K - 1;
    size_t bytes = (call->bits + 7) / 8;

    memcpy(data, bits + call->front / 8, bytes);
    for (unsigned i = 0; used && i < m && used + i < 8; i++)
        data[bytes - 1] |= (unsigned char)((call->end >> (m - 1 - i) & 1) << (7 - used - i));
}

static int decode(const struct fec_decoder *decoder, const struct call *call, struct fec_pipe *pipe,
                  const unsigned char *symbols, unsigned char *data, unsigned frames)
{
    size_t row = ((size_t)call->bits + tail_of(decoder)) * call->code->n;

    for (unsigned f = 0; f < frames; f++)
        put_frame(call, symbols + f * row, fec_pipe_llrs(pipe, f));
    if (fec_pipe_decode(pipe, frames))
        return -1;
    for (unsigned f = 0; f < frames; f++)
        get_frame(call, fec_pipe_bits(pipe, f), data + f * ((call->bits + 7) / 8));
    return 0;
}

static int decode_frames(const struct fec_decoder *decoder, const unsigned char *symbols,
                         unsigned char *data, unsigned bits, unsigned end, unsigned frames)
{
    struct call call = {.code = &fec_codes[decoder->code], .start = decoder->start, .bits = bits};
    struct fec_key key = key_of(decoder, bits, frames);
    size_t row = ((size_t)bits + tail_of(decoder)) * call.code->n;
    struct fec_pipe *pipe = NULL;
    int status = 0;

    call.end = end & ((1u << tail_of(decoder)) - 1);
    call.front = key.bits - bits;
    memcpy(call.generators, key.generators, sizeof call.generators);
    if (call_begin(&call, decoder, key.bits))
        return -1;
    pipe = fec_borrow(&key);
    status = pipe ? 0 : -1;
    for (unsigned f = 0; status == 0 && f < frames; f += TOGETHER)
        status = decode(decoder, &call, pipe, symbols + f * row, data + f * ((bits + 7) / 8),
                        frames - f < TOGETHER ? frames - f : TOGETHER);
    free(call.leading);
    fec_give_back(pipe);
    return status;
}

int fec_chainback(struct fec_decoder *decoder, unsigned char *data, unsigned bits, unsigned state)
{
    const char *name;

    if (!decoder)
        return fec_fail("chainback_viterbi: the decoder is NULL");
    name = fec_codes[decoder->code].name;
    if (bits > decoder->len || bits + tail_of(decoder) > decoder->steps)
        return fec_fail("chainback_%s: %u bits need %u steps of %u at most; there were %u", name,
                        bits, bits + tail_of(decoder), decoder->len + tail_of(decoder),
                        decoder->steps);
    if (bits == 0)
        return 0;
    if (!data)
        return fec_fail("chainback_%s: there is no room for the bits", name);
    return decode_frames(decoder, decoder->symbols, data, bits, state, 1);
}

int fec_many(struct fec_decoder *decoder, const unsigned char *symbols, unsigned char *data,
             unsigned bits, unsigned state, unsigned frames)
{
    if (!decoder)
        return fec_fail("decode_viterbi_many: the decoder is NULL");
    if (bits > decoder->len)
        return fec_fail("decode_%s_many: %u bits, the decoder was made for %u",
                        fec_codes[decoder->code].name, bits, decoder->len);
    if (bits == 0 || frames == 0)
        return 0;
    if (!symbols || !data)
        return fec_fail("decode_%s_many: there are no symbols, or no room for the bits",
                        fec_codes[decoder->code].name);
    return decode_frames(decoder, symbols, data, bits, state, frames);
}
