/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * conv.rate_match and conv.rate_recover: TS 36.212 5.1.4.2, for the tail-biting code of LTE.
 *
 * The encoder's three streams are each interleaved by columns, the results stand one after the
 * other in a circular buffer, and the first e bits from its start on are sent. At the encoder's
 * side of these stages the streams' bits of one step stand together, as conv.encode gives them.
 */
#include <fecrun/sdk/stage.h>

#include "plugins/common/checks/checks.h"
#include "plugins/common/recover/recover.h"
#include "plugins/viterbi/code/conv.h"
#include "plugins/viterbi/code/levels.h"
#include "plugins/viterbi/plugin.h"

enum { STREAMS = RATE_STREAMS, COLUMNS = RATE_COLUMNS };
enum { P_CODE, P_E, P_K };

/* Facts of a frame: steps of the encoder, which e does not tell. */
static const struct conv_levels steps_sent = {{"conv.steps", "conv.steps_2", "conv.steps_3"}};

#define MAX_STEPS (1u << 24)
#define MAX_E (1u << 28)

/* `steps`: D, the length of one stream. */
static struct rate_code *make_code(uint64_t steps, struct fecrun_error *err)
{
    uint64_t rows = (steps + COLUMNS - 1) / COLUMNS;
    uint64_t dummies = rows * COLUMNS - steps; /* in front of the first row */
    struct rate_code *c = calloc(1, sizeof *c + STREAMS * steps * sizeof c->place[0]);
    uint32_t *place;

    if (!c) {
        fecrun_no_memory(err);
        return NULL;
    }
    c->mother = STREAMS * steps;
    place = c->place;
    for (unsigned stream = 0; stream < STREAMS; stream++)
        for (unsigned column = 0; column < COLUMNS; column++)
            for (uint64_t row = 0; row < rows; row++) {
                uint64_t y = row * COLUMNS + rate_permutation[column];

                if (y >= dummies)
                    *place++ = (uint32_t)((y - dummies) * STREAMS + stream);
            }
    return c;
}

static void say_streams(const struct rate_code *c, struct fecrun_plan *result)
{
    fecrun_identity(result, "%d streams of %llu bits", STREAMS,
                    (unsigned long long)(c->mother / STREAMS));
}

/* ---- rate_match ---------------------------------------------------------------------------- */

static int match_plan(const struct fecrun_host *host, const struct fecrun_values *values,
                      const struct fecrun_frame *const in[], struct fecrun_frame *const out[],
                      struct fecrun_plan *result, struct fecrun_error *err)
{
    const struct fecrun_value *e = fecrun_value(values, P_E);
    uint64_t items = in[0]->items;

    (void)host;
    if (checks_frames(in[0], "rate matching works", err))
        return -1;
    if (!items || items % STREAMS || items / STREAMS > MAX_STEPS)
        return fecrun_fail(err, NULL,
                           "the input has %llu bits a frame; the code gives %d a step, and there "
                           "may be %u steps",
                           (unsigned long long)items, STREAMS, MAX_STEPS);
    if (!e->given || e->i < 1 || e->i > MAX_E)
        return fecrun_fail(err, "e", "give a number of bits from 1 to %u", MAX_E);
    result->code = make_code(items / STREAMS, err);
    if (!result->code)
        return -1;
    fecrun_frame_bits(out[0], in[0], (uint64_t)e->i);
    say_streams(result->code, result);
    if (conv_levels_push(&steps_sent, out[0], items / STREAMS, err)) {
        free(result->code);
        return -1;
    }
    return 0;
}

static int match_run(void *instance, const struct fecrun_call *call,
                     const struct fecrun_view *const in[], struct fecrun_view *const out[],
                     struct fecrun_error *err)
{
    const struct rate_code *c = call->codes[0];

    (void)instance;
    (void)err;
    for (uint64_t f = 0; f < in[0]->frames; f++) {
        const uint8_t *from = fecrun_row(in[0], f);
        uint8_t *to = fecrun_row(out[0], f);

        for (uint64_t k = 0, m = 0; k < out[0]->items; k++) {
            to[k] = from[c->place[m]];
            m = m + 1 < c->mother ? m + 1 : 0;
        }
    }
    return 0;
}

/* ---- rate_recover -------------------------------------------------------------------------- */

/* The information bits K: a receiver cannot see them in e LLRs. */
static int read_k(const struct fecrun_value *k, const struct fecrun_frame *in, uint64_t *bits,
                  struct fecrun_error *err)
{
    uint64_t sent = conv_levels_top(&steps_sent, in);

    sent = sent ? sent : in->info_bits;
    if (!k->given && !sent)
        return fecrun_fail(err, "k", "missing: the LLRs do not tell how many bits were encoded");
    *bits = k->given ? (uint64_t)k->i : sent;
    if (*bits < 1 || *bits > MAX_STEPS)
        return fecrun_fail(err, "k", "is %llu; 1 to %u is possible", (unsigned long long)*bits,
                           MAX_STEPS);
    return 0;
}

static int recover_plan(const struct fecrun_host *host, const struct fecrun_values *values,
                        const struct fecrun_frame *const in[], struct fecrun_frame *const out[],
                        struct fecrun_plan *result, struct fecrun_error *err)
{
    const struct fecrun_value *k = fecrun_value(values, P_K);
    uint64_t items = in[0]->items, bits = 0;
    struct recover sums = {0};
    struct rate_code *c;

    (void)host;
    if (recover_check_input(in[0], MAX_E, fecrun_value(values, P_E), err) ||
        read_k(k, in[0], &bits, err))
        return -1;
    c = make_code(bits, err);
    if (!c)
        return -1;
    fecrun_frame_copy(out[0], in[0]);
    conv_levels_pop(&steps_sent, out[0]);
    out[0]->items = c->mother;
    say_streams(c, result);
    if (items < bits)
        fecrun_warn(result,
                    "%llu LLRs are received of %llu bits: above rate 1 nothing can be decoded",
                    (unsigned long long)items, (unsigned long long)bits);
    recover_describe(&sums, (uint32_t)((items + c->mother - 1) / c->mother), false, NULL, out[0]);
    c->limit = sums.limit;
    result->code = c;
    if (!k->given)
        snprintf(result->note, sizeof result->note, "k = %llu, as %s", (unsigned long long)bits,
                 conv_levels_top(&steps_sent, in[0]) ? "conv.rate_match says"
                                                     : "the source's frame");
    return 0;
}

/* Of integers 64 bits hold every sum, MAX_E * 32767. Bits never sent become 0. */
#define RECOVER(name, type, wide, CLEAN) \
    static void name(const struct rate_code *c, const void *from, uint64_t e, void *to) \
    { \
        const wide limit = (wide)c->limit; \
        const uint64_t mother = c->mother; \
        const uint32_t *place = c->place; \
        const type *in = from; \
        type *out = to; \
        for (uint64_t m = 0; m < mother; m++) { \
            wide sum = 0; \
            for (uint64_t k = m; k < e; k += mother) \
                sum += CLEAN(in[k], limit); \
            out[place[m]] = (type)CLEAN(sum, limit); \
        } \
    }

RECOVER(recover_i8, int8_t, int64_t, recover_clean_int)
RECOVER(recover_i16, int16_t, int64_t, recover_clean_int)
RECOVER(recover_f32, float, double, recover_clean)

static int sum_run(void *instance, const struct fecrun_call *call,
                   const struct fecrun_view *const in[], struct fecrun_view *const out[],
                   struct fecrun_error *err)
{
    (void)instance;
    (void)err;
    for (uint64_t f = 0; f < in[0]->frames; f++)
        RECOVER_BY_TYPE(in[0]->type, recover, call->codes[0], fecrun_row(in[0], f), in[0]->items,
                        fecrun_row(out[0], f));
    return 0;
}

/* ---- tables -------------------------------------------------------------------------------- */

static const struct fecrun_backend *const match_backends[] = {
    FECRUN_BACKEND(FECRUN_REF(match_run),
                   .forms = FECRUN_FORMS(FECRUN_ONE_FORM(FECRUN_U8, FECRUN_U8)),
                   .agreement = FECRUN_AGREEMENT_EXACT),
    &conv_rate_match_cuda, NULL};

static const struct fecrun_backend *const recover_backends[] = {
    FECRUN_BACKEND(FECRUN_REF(sum_run), .forms = recover_plain_forms,
                   .agreement = FECRUN_AGREEMENT_EXACT),
    &conv_rate_recover_cuda, NULL};

static const char *const codes[] = {"lte_tbcc", NULL};

#define CODE_PARAM \
    FECRUN_PARAM(.name = "code", .type = FECRUN_VALUE_CHOICE, .flags = FECRUN_PARAM_SHARED, \
                 .choices = codes, .default_text = "lte_tbcc", \
                 .help = "the standard: TS 36.212 5.1.4.2")

static const struct fecrun_param *const match_params[] = {
    CODE_PARAM,
    FECRUN_PARAM(.name = "e", .type = FECRUN_VALUE_INT,
                 .flags = FECRUN_PARAM_REQUIRED | FECRUN_PARAM_SIZE, .unit = "bits", .imin = 1,
                 .imax = MAX_E, .help = "bits sent a frame"),
    NULL};

static const struct fecrun_param *const recover_params[] = {
    CODE_PARAM,
    FECRUN_PARAM(.name = "e", .type = FECRUN_VALUE_INT, .flags = FECRUN_PARAM_SIZE, .unit = "LLRs",
                 .imin = 1, .imax = MAX_E,
                 .help = "LLRs received in a frame; optional, has to equal the input size"),
    FECRUN_PARAM(.name = "k", .type = FECRUN_VALUE_INT, .flags = FECRUN_PARAM_SIZE, .unit = "bits",
                 .imin = 1, .imax = MAX_STEPS,
                 .help = "input bits of the encoder, CRC included; default: from conv.rate_match, "
                         "else the bits of the source's frame"),
    NULL};

static const struct fecrun_example *const match_examples[] = {
    FECRUN_EXAMPLE(.params = "{e: 1}"), FECRUN_EXAMPLE(.params = "{e: 100}"),
    FECRUN_EXAMPLE(.params = "{e: 1001}"), FECRUN_EXAMPLE(.params = "{e: 7200}"), NULL};

static const struct fecrun_example *const recover_examples[] = {
    FECRUN_EXAMPLE(.params = "{k: 8}"),    FECRUN_EXAMPLE(.params = "{k: 40}"),
    FECRUN_EXAMPLE(.params = "{k: 77}"),   FECRUN_EXAMPLE(.params = "{k: 256}"),
    FECRUN_EXAMPLE(.params = "{k: 5000}"), NULL};

const struct fecrun_stage conv_rate_match_stage = {
    FECRUN_TRANSFORM(match_plan, free),
    .name = "conv.rate_match",
    .summary = "interleaves the encoder's three streams and sends e bits of them",
    .params = match_params,
    .inputs = FECRUN_BITS_IN,
    .outputs = FECRUN_BITS_OUT,
    .backends = match_backends,
    .examples = match_examples,
};

const struct fecrun_stage conv_rate_recover_stage = {
    FECRUN_TRANSFORM(recover_plan, free),
    .name = "conv.rate_recover",
    .summary = "inverts conv.rate_match: LLRs of repeated bits are added (within the type's "
               "symmetric range), unsent ones become 0",
    .params = recover_params,
    .inputs = FECRUN_LLRS_IN,
    .outputs = FECRUN_LLRS_OUT,
    .backends = recover_backends,
    .examples = recover_examples,
    .undoes = "conv.rate_match",
};
