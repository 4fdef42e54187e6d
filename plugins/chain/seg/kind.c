/* SPDX-License-Identifier: BSD-2-Clause */
#include "plugins/chain/seg/kind.h"

#include <fecrun/sdk/facts.h>

enum { CODE_NR, CODE_LTE, CODE_UCI };

static const char *const codes[] = {"nr", "lte", "nr-uci", NULL};

#define CODE_HELP \
    "nr: TS 38.212 5.2.2, lte: TS 36.212 5.1.2, nr-uci: uplink control, TS 38.212 5.2.1"
#define SIZE_PARAMS \
    FECRUN_PARAM(.name = "a", .type = FECRUN_VALUE_INT, .flags = FECRUN_PARAM_SIZE, \
                 .unit = "bits", .imin = 1, .imax = SEG_MOST, \
                 .help = "bits of a transport block without its CRC; default: the input"), \
        FECRUN_PARAM(.name = "bg", .type = FECRUN_VALUE_INT, .flags = FECRUN_PARAM_SIZE, \
                     .imin = 1, .imax = 2, .help = "nr: the base graph; this or rate"), \
        FECRUN_PARAM(.name = "rate", .type = FECRUN_VALUE_FLOAT, .flags = FECRUN_PARAM_SIZE, \
                     .fmin = 0.01, .fmax = 1, \
                     .help = "nr: the code rate, which chooses the base graph (TS 38.212 7.2.2)"), \
        FECRUN_PARAM( \
                .name = "g", .type = FECRUN_VALUE_INT, .flags = FECRUN_PARAM_SIZE, .unit = "bits", \
                .imin = 1, .imax = SEG_MOST, \
                .help = \
                    "nr-uci: bits sent of all code blocks together; from 1088 on, 360 bits and " \
                    "more are cut in two; 1013 and more always are")

const struct fecrun_param *const seg_split_params[] = {
    FECRUN_CHOICE("code", codes, .flags = FECRUN_PARAM_REQUIRED, .help = CODE_HELP), SIZE_PARAMS,
    NULL};

const struct fecrun_param *const seg_join_params[] = {
    FECRUN_CHOICE("code", codes, .help = CODE_HELP "; default of all parameters: from seg.split"),
    SIZE_PARAMS, NULL};

struct seg_sizes seg_sizes_of(uint32_t a, struct seg_kind kind)
{
    return kind.bg == SEG_KIND_UCI   ? seg_uci(a, kind.g)
           : kind.bg == SEG_KIND_LTE ? seg_lte(a)
                                     : seg_nr(a, kind.bg);
}

static int read_uci(const struct fecrun_values *values, uint32_t a, struct seg_kind *kind,
                    struct fecrun_error *err)
{
    const struct fecrun_value *g = fecrun_value(values, SEG_P_G);

    if (!g->given)
        return fecrun_fail(err, "g",
                           "missing: code: nr-uci needs it (bits sent of all code blocks "
                           "together, which say whether there are two)");
    if (a < SEG_LEAST_UCI)
        return fecrun_fail(err, "a",
                           "%u bits have no parity: less than %d go to the code of small "
                           "blocks as they are",
                           a, SEG_LEAST_UCI);
    *kind = (struct seg_kind){SEG_KIND_UCI, (uint32_t)g->i};
    return 0;
}

int seg_read_kind(const struct fecrun_values *values, uint32_t a, struct seg_kind *kind,
                  struct fecrun_error *err)
{
    const struct fecrun_value *graph = fecrun_value(values, SEG_P_BG);
    const struct fecrun_value *rate = fecrun_value(values, SEG_P_RATE);
    const int64_t code = fecrun_value(values, SEG_P_CODE)->i;

    *kind = (struct seg_kind){SEG_KIND_LTE, 0};
    if (code != CODE_UCI && fecrun_value(values, SEG_P_G)->given)
        return fecrun_fail(err, "g", "is of `code: nr-uci` only");
    if (code != CODE_NR && (graph->given || rate->given))
        return fecrun_fail(err, graph->given ? "bg" : "rate", "is of `code: nr` only");
    if (code == CODE_UCI)
        return read_uci(values, a, kind, err);
    if (code == CODE_LTE)
        return 0;
    if (!graph->given == !rate->given)
        return fecrun_fail(err, graph->given ? "rate" : "bg", "give either bg or rate%s",
                           graph->given ? ", not both" : "");
    kind->bg = graph->given ? (unsigned)graph->i : seg_base_graph(a, rate->f);
    return 0;
}

/* What the parameters say has to be what seg.split said, where both do. */
static int compare(const struct fecrun_values *values, struct seg_kind own, struct seg_kind split,
                   struct fecrun_error *err)
{
    const bool other_code = (own.bg == SEG_KIND_LTE) != (split.bg == SEG_KIND_LTE) ||
                            (own.bg == SEG_KIND_UCI) != (split.bg == SEG_KIND_UCI);

    if (other_code)
        return fecrun_fail(err, "code", "seg.split upstream has another one");
    if (own.g != split.g)
        return fecrun_fail(err, "g", "is %u, but seg.split upstream has %u", own.g, split.g);
    if (own.bg != split.bg)
        return fecrun_fail(err, fecrun_value(values, SEG_P_BG)->given ? "bg" : "rate",
                           "means base graph %u, but seg.split upstream has %u", own.bg, split.bg);
    return 0;
}

/* Of the parameters behind `code` one that is given, or NULL. */
static const char *beside_code(const struct fecrun_values *values)
{
    return fecrun_value(values, SEG_P_BG)->given     ? "bg"
           : fecrun_value(values, SEG_P_RATE)->given ? "rate"
           : fecrun_value(values, SEG_P_G)->given    ? "g"
                                                     : NULL;
}

int seg_find_split(const struct fecrun_values *values, const struct fecrun_frame *in, uint32_t *a,
                   struct seg_kind *kind, struct fecrun_error *err)
{
    const double fact_a = fecrun_fact_get(in, SEG_FACT_A, 0);
    const struct seg_kind split = {(unsigned)fecrun_fact_get(in, SEG_FACT_BG, 0),
                                   (uint32_t)fecrun_fact_get(in, SEG_FACT_G, 0)};
    const struct fecrun_value *given = fecrun_value(values, SEG_P_A);
    const struct fecrun_value *code = fecrun_value(values, SEG_P_CODE);
    const char *beside = beside_code(values);

    if (!given->given && !fact_a)
        return fecrun_fail(err, "a", "is needed: no seg.split is upstream");
    *a = given->given ? (uint32_t)given->i : (uint32_t)fact_a;
    if (fact_a && *a != (uint32_t)fact_a)
        return fecrun_fail(err, "a", "is %u, but seg.split upstream has %u", *a, (uint32_t)fact_a);
    *kind = split;
    if (!code->given && !beside)
        return fact_a ? 0 : fecrun_fail(err, "code", "is needed: no seg.split is upstream");
    if (!code->given)
        return fecrun_fail(err, beside, "needs `code` beside it");
    if (fact_a && !beside) {
        *kind = (struct seg_kind){code->i == CODE_LTE   ? SEG_KIND_LTE
                                  : code->i == CODE_UCI ? SEG_KIND_UCI
                                  : split.bg == 2       ? 2
                                                        : 1,
                                  split.g};
        return compare(values, *kind, split, err);
    }
    if (seg_read_kind(values, *a, kind, err))
        return -1;
    return fact_a ? compare(values, *kind, split, err) : 0;
}
