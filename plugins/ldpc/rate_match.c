/* SPDX-License-Identifier: BSD-2-Clause */
/* ldpc.rate_match: TS 38.212 5.4.2. */
#include <fecrun/sdk/stage.h>

#include "plugins/common/checks/checks.h"
#include "plugins/ldpc/plugin.h"
#include "plugins/ldpc/rate/rate.h"
#include "plugins/ldpc/rate/params.h"
#include "plugins/ldpc/rate/runs.h"

enum { P_RATE = LDPC_RATE_N_PARAMS };

/* Digits of a number up to 10^9, which are added to *value; *count: how many there were. */
static const char *read_digits(const char *text, uint64_t *value, unsigned *count)
{
    for (*count = 0; *text >= '0' && *text <= '9' && *value < 100000000; text++, ++*count)
        *value = 10 * *value + (uint64_t)(*text - '0');
    return text;
}

/* "2/5" or "0.4" as a fraction; false: it is neither, or not from 1/1000 to 1. */
static bool read_rate(const char *text, uint64_t *part, uint64_t *whole)
{
    unsigned digits, decimals = 0;
    const char *at;

    *part = *whole = 0;
    at = read_digits(text, part, &digits);
    if (*at == '/') {
        at = read_digits(at + 1, whole, &decimals);
    } else if (*at == '.') {
        at = read_digits(at + 1, part, &decimals);
        for (*whole = 1; decimals; decimals--)
            *whole *= 10;
        decimals = 1;
    } else {
        *whole = decimals = 1;
    }
    return digits && decimals && !*at && *part && *part <= *whole && *whole <= 1000 * *part;
}

/* `rate` instead of `e`: the least multiple of qm that does not exceed the rate. */
static int choose_e(struct ldpc_rate_params *params, const char *rate, struct fecrun_error *err)
{
    const uint32_t k = params->bg ? (params->bg == 1 ? 22 : 10) * params->z : params->k;
    uint64_t part, whole, bits, step;

    if (params->e && rate)
        return fecrun_fail(err, "rate", "e is given, too; one of them says how many bits are sent");
    if (!params->e && !rate)
        return fecrun_fail(err, "e", "must be given, or rate: the bits sent a frame");
    if (!rate)
        return 0;
    if (!read_rate(rate, &part, &whole))
        return fecrun_fail(err, "rate",
                           "must be a fraction like 2/5 or 0.4, from 1/1000 to 1, is '%s'", rate);
    if (params->fillers >= k || !params->qm)
        return 0; /* ldpc_rate_make() says what is allowed */
    bits = (k - params->fillers) * whole;
    step = part * params->qm;
    params->e = (uint32_t)((bits + step - 1) / step) * params->qm;
    return 0;
}

static int match_plan(const struct fecrun_host *host, const struct fecrun_values *values,
                      const struct fecrun_frame *const in[], struct fecrun_frame *const out[],
                      struct fecrun_plan *plan, struct fecrun_error *err)
{
    struct ldpc_rate_params params;
    struct ldpc_match match;

    (void)host;
    if (ldpc_rate_read(&params, values, in[0], err) ||
        choose_e(&params, fecrun_value(values, P_RATE)->s, err) ||
        ldpc_rate_make(&match.rate, &params, err))
        return -1;
    if (checks_frames(in[0], "rate matching works", err))
        return -1;
    if (in[0]->items != match.rate.n)
        return fecrun_fail(
            err, NULL, "the input has %llu bits a frame; a code word %s%u with z = %u has %u",
            (unsigned long long)in[0]->items,
            params.bg ? "of base graph " : "of K = ", params.bg ? params.bg : params.k, params.z,
            match.rate.n);
    plan->code = malloc(sizeof match);
    if (!plan->code)
        return fecrun_no_memory(err);
    memcpy(plan->code, &match, sizeof match);
    ldpc_rate_identity(plan, &match.rate, &params);
    fecrun_frame_bits(out[0], in[0], match.rate.e);
    return 0;
}

/* Writes qm rows, reads columns; a constant qm makes vectors of the loop. */
static inline void interleave(uint8_t *restrict out, const uint8_t *restrict in, size_t columns,
                              unsigned qm)
{
    for (size_t i = 0; i < columns; i++)
        for (unsigned j = 0; j < qm; j++)
            out[i * qm + j] = in[j * columns + i];
}

/* selected: room for e bits. */
static void match_row(const struct ldpc_match *match, const uint8_t *in, uint8_t *out,
                      void *selected)
{
    const struct ldpc_rate *r = &match->rate;
    uint8_t *to = r->qm == 1 ? out : selected;

    for (struct rate_run run = rate_run_first(r); rate_run_next(r, &run); to += run.length)
        memcpy(to, in + run.item, run.length);
    if (r->qm == 2)
        interleave(out, selected, r->columns, 2);
    else if (r->qm == 4)
        interleave(out, selected, r->columns, 4);
    else if (r->qm == 6)
        interleave(out, selected, r->columns, 6);
    else if (r->qm == 8)
        interleave(out, selected, r->columns, 8);
    else if (r->qm == 10)
        interleave(out, selected, r->columns, 10);
    else if (r->qm == 12)
        interleave(out, selected, r->columns, 12);
}

static size_t match_scratch(const void *instance, uint64_t frames)
{
    const struct ldpc_match *match = instance;

    (void)frames;
    return match->rate.e;
}

FECRUN_RUN_ROWS(match_run, match_row)

static const struct fecrun_backend *const backends[] = {
    FECRUN_BACKEND(FECRUN_REF(match_run),
                   .forms = FECRUN_FORMS(FECRUN_ONE_FORM(FECRUN_U8, FECRUN_U8)),
                   .agreement = FECRUN_AGREEMENT_EXACT, .scratch = match_scratch),
    &ldpc_rate_match_cuda, NULL};

static const struct fecrun_param *const params[] = {
    LDPC_RATE_PARAMS(0, "bits sent a frame, a multiple of qm; this or rate is needed"),
    FECRUN_PARAM(.name = "rate", .type = FECRUN_VALUE_STRING, .flags = FECRUN_PARAM_SIZE,
                 .help = "instead of e: code rate, as 2/5 or 0.4; e is then (K - fillers) / rate, "
                         "rounded up to a multiple of qm"),
    NULL};

static const struct fecrun_example *const examples[] = {
    FECRUN_EXAMPLE(.params = "{bg: 1, z: 2, e: 100}", .items = 132),
    FECRUN_EXAMPLE(.params = "{bg: 1, z: 7, e: 462, rv: 1, qm: 2}", .items = 462),
    FECRUN_EXAMPLE(.params = "{bg: 1, z: 52, fillers: 101, e: 1500, rv: 1, qm: 6}", .items = 3432),
    FECRUN_EXAMPLE(.params = "{bg: 1, z: 52, fillers: 101, e: 4000, rv: 3, qm: 2, ncb: 2500}",
                   .items = 3432),
    FECRUN_EXAMPLE(.params = "{bg: 2, z: 2, fillers: 3, e: 5}", .items = 100),
    FECRUN_EXAMPLE(.params = "{bg: 2, z: 7, fillers: 30, e: 600, rv: 2, qm: 4, ncb: 301}",
                   .items = 350),
    FECRUN_EXAMPLE(.params = "{bg: 2, z: 10, fillers: 44, e: 66, qm: 6, ncb: 50}", .items = 500),
    FECRUN_EXAMPLE(.params = "{bg: 2, z: 2, e: 1000, rv: 3, qm: 8, ncb: 1}", .items = 100),
    FECRUN_EXAMPLE(.params = "{bg: 2, z: 104, fillers: 100, e: 1001, rv: 2}", .items = 5200),
    FECRUN_EXAMPLE(.params = "{bg: 1, z: 384, e: 25344, rv: 3, qm: 8}", .items = 25344),
    FECRUN_EXAMPLE(.params = "{bg: 1, z: 22, fillers: 7, e: 1230, rv: 2, qm: 10}", .items = 1452),
    FECRUN_EXAMPLE(.params = "{bg: 2, z: 10, fillers: 3, rate: 2/5, qm: 4}", .items = 500),
    NULL};

const struct fecrun_stage ldpc_rate_match_stage = {
    FECRUN_TRANSFORM(match_plan, free),
    .name = "ldpc.rate_match",
    .summary = "NR: sends e bits of the code word from a redundancy version's start on",
    .params = params,
    .inputs = FECRUN_BITS_IN,
    .outputs = FECRUN_BITS_OUT,
    .backends = backends,
    .examples = examples,
    .follows = "ldpc.encode",
};
