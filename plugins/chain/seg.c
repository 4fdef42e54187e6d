/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * seg.split and seg.join: a transport block as code blocks, and back (TS 38.212 5.2.2, TS 36.212
 * 5.1.2). A transport block gets a parity of its own; where it is too long for one code block, it is
 * cut into C equal ones with a parity (CRC 24B) each. A frame that goes in are C frames that come
 * out.
 *
 * NR's code blocks come without their fillers, K' bits each, as ldpc.encode takes them. LTE's have
 * theirs in front, as zeros: rate matching leaves them out.
 */
#include "plugins/chain/seg.h"

#include "plugins/chain/crc_sum.h"
#include "plugins/chain/plugin.h"

#include <fecrun/sdk/facts.h>

/* What seg.split tells seg.join of frames. */
#define FACT_A "seg.a"
#define FACT_BG "seg.bg" /* 0: LTE */

struct seg_code {
    struct seg_sizes sizes;
    uint32_t items, front; /* of a code block: bits, and fillers in front of them */
};

struct seg {
    struct crc_table transport, block;
};

/* ---- Planning ------------------------------------------------------------------------------- */

enum { P_CODE, P_A, P_BG, P_RATE };
enum { CODE_NR, CODE_LTE };

static const char *const codes[] = {"nr", "lte", NULL};

#define CODE_HELP "nr: TS 38.212 5.2.2, lte: TS 36.212 5.1.2"
#define SIZE_PARAMS \
    FECRUN_PARAM(.name = "a", .type = FECRUN_P_INT, .flags = FECRUN_SIZE, .unit = "bits", \
                 .min = 1, .max = SEG_MOST, \
                 .help = "of a transport block without its parity; not given: those that come"), \
        FECRUN_PARAM(.name = "bg", .type = FECRUN_P_INT, .flags = FECRUN_SIZE, .min = 1, .max = 2, \
                     .help = "nr: the base graph; this or rate"), \
        FECRUN_PARAM(.name = "rate", .type = FECRUN_P_FLOAT, .flags = FECRUN_SIZE, .min = 0.01, \
                     .max = 1, \
                     .help = "nr: the code rate, which chooses the base graph (TS 38.212 7.2.2)")

static const struct fecrun_param *const split_params[] = {
    FECRUN_PARAM(.name = "code", .type = FECRUN_P_CHOICE, .flags = FECRUN_REQUIRED,
                 .choices = codes, .help = CODE_HELP),
    SIZE_PARAMS, NULL};

static const struct fecrun_param *const join_params[] = {
    FECRUN_PARAM(.name = "code", .type = FECRUN_P_CHOICE, .choices = codes,
                 .help = CODE_HELP "; not given, as the rest: what seg.split upstream has"),
    SIZE_PARAMS, NULL};

static struct seg_sizes sizes_of(uint32_t a, unsigned bg)
{
    return bg ? seg_nr(a, bg) : seg_lte(a);
}

/* The next size down (or up) whose blocks are equal; 0: there is none. */
static uint32_t even_size(uint32_t a, unsigned bg, int step)
{
    for (a += (uint32_t)step; a > 0 && a <= SEG_MOST; a += (uint32_t)step) {
        const struct seg_sizes sizes = sizes_of(a, bg);

        if (seg_even(&sizes, bg))
            return a;
    }
    return 0;
}

static int uneven(const struct seg_sizes *s, unsigned bg, struct fecrun_error *err)
{
    const uint32_t below = even_size(s->a, bg, -1), above = even_size(s->a, bg, 1);
    char why[120], next[48] = "";

    if (bg)
        snprintf(why, sizeof why, "do not divide into %u code blocks", s->blocks);
    else
        snprintf(why, sizeof why, "make %u blocks of %u bits, %u of %u and %u fillers",
                 s->blocks_minus, s->k_minus, s->blocks - s->blocks_minus, s->k_plus, s->fillers);
    if (above)
        snprintf(next, sizeof next, " and %u", above);
    return fecrun_fail(err, "a",
                       "%u bits with their parity %s; blocks have to be equal, which the transport "
                       "block sizes of the standard see to: %u%s are the nearest that do",
                       s->a, why, below, next);
}

/* bg, or 0 for LTE. */
static int read_code(const struct fecrun_values *values, uint32_t a, unsigned *bg,
                     struct fecrun_error *err)
{
    const struct fecrun_value *graph = fecrun_value(values, P_BG);
    const struct fecrun_value *rate = fecrun_value(values, P_RATE);

    *bg = 0;
    if (fecrun_value(values, P_CODE)->i == CODE_LTE)
        return graph->given || rate->given
                   ? fecrun_fail(err, graph->given ? "bg" : "rate", "is of `code: nr` only")
                   : 0;
    if (!graph->given == !rate->given)
        return fecrun_fail(err, graph->given ? "rate" : "bg", "give either bg or rate%s",
                           graph->given ? ", not both" : "");
    *bg = graph->given ? (unsigned)graph->i : seg_base_graph(a, rate->f);
    return 0;
}

static struct seg_code *make_code(uint32_t a, unsigned bg, struct fecrun_plan *plan,
                                  struct fecrun_error *err)
{
    const struct seg_sizes sizes = sizes_of(a, bg);
    struct seg_code *code;

    if (!seg_even(&sizes, bg)) {
        uneven(&sizes, bg, err);
        return NULL;
    }
    code = fecrun_code(plan, sizeof *code, err);
    if (!code)
        return NULL;
    code->sizes = sizes;
    code->items = bg ? sizes.k_used : sizes.k_plus;
    code->front = bg ? 0 : sizes.fillers;
    if (bg)
        snprintf(plan->note, sizeof plan->note,
                 "%u code block%s of K' = %u bits: bg %u, z %u, %u fillers", sizes.blocks,
                 sizes.blocks > 1 ? "s" : "", sizes.k_used, bg, sizes.z, sizes.fillers);
    else
        snprintf(plan->note, sizeof plan->note, "%u code block%s of K = %u bits, %u fillers",
                 sizes.blocks, sizes.blocks > 1 ? "s" : "", sizes.k_plus, sizes.fillers);
    return code;
}

static int check_frames(const struct fecrun_frame *in, struct fecrun_error *err)
{
    if (in->stream)
        return fecrun_fail(err, NULL, "the input is one stream; transport blocks are frames");
    return 0;
}

static int split_plan(const struct fecrun_host *host, const struct fecrun_values *values,
                      const struct fecrun_frame *const in[], struct fecrun_frame *const out[],
                      struct fecrun_plan *plan, struct fecrun_error *err)
{
    const struct fecrun_value *a = fecrun_value(values, P_A);
    struct seg_code *code;
    unsigned bg;

    (void)host;
    if (check_frames(in[0], err))
        return -1;
    if (a->given && (uint64_t)a->i != in[0]->items)
        return fecrun_fail(err, "a", "is %lld, but %llu bits a frame arrive here", (long long)a->i,
                           (unsigned long long)in[0]->items);
    if (in[0]->items > SEG_MOST)
        return fecrun_fail(err, NULL, "%llu bits a frame arrive here: at most %d are allowed",
                           (unsigned long long)in[0]->items, SEG_MOST);
    if (read_code(values, (uint32_t)in[0]->items, &bg, err))
        return -1;
    code = make_code((uint32_t)in[0]->items, bg, plan, err);
    if (!code)
        return -1;
    fecrun_frame_copy(out[0], in[0]);
    out[0]->items = code->items;
    out[0]->pieces = fecrun_pieces(in[0]) * code->sizes.blocks;
    out[0]->channel_bits /= code->sizes.blocks;
    if (!fecrun_fact_set(out[0], FACT_A, code->sizes.a, err) &&
        !fecrun_fact_set(out[0], FACT_BG, bg, err))
        return 0;
    free(code);
    return -1;
}

/* What the parameters say has to be what seg.split said, where both do. */
static int find_split(const struct fecrun_values *values, const struct fecrun_frame *in,
                      uint32_t *a, unsigned *bg, struct fecrun_error *err)
{
    const double fact_a = fecrun_fact_get(in, FACT_A, 0), fact_bg = fecrun_fact_get(in, FACT_BG, 0);
    const struct fecrun_value *given = fecrun_value(values, P_A);

    if (!given->given && !fact_a)
        return fecrun_fail(err, "a", "is needed: no seg.split is upstream");
    *a = given->given ? (uint32_t)given->i : (uint32_t)fact_a;
    if (fact_a && *a != (uint32_t)fact_a)
        return fecrun_fail(err, "a", "is %u, but seg.split upstream has %u", *a, (uint32_t)fact_a);
    *bg = (unsigned)fact_bg;
    if (!fecrun_value(values, P_CODE)->given)
        return fact_a ? 0 : fecrun_fail(err, "code", "is needed: no seg.split is upstream");
    if (fact_a && !fecrun_value(values, P_BG)->given && !fecrun_value(values, P_RATE)->given)
        return !*bg == (fecrun_value(values, P_CODE)->i == CODE_LTE)
                   ? 0
                   : fecrun_fail(err, "code", "seg.split upstream has the other one");
    if (read_code(values, *a, bg, err))
        return -1;
    if (fact_a && *bg != (unsigned)fact_bg)
        return fecrun_fail(err, fecrun_value(values, P_BG)->given ? "bg" : "rate",
                           "means base graph %u, but seg.split upstream has %u", *bg,
                           (unsigned)fact_bg);
    return 0;
}

static int join_plan(const struct fecrun_host *host, const struct fecrun_values *values,
                     const struct fecrun_frame *const in[], struct fecrun_frame *const out[],
                     struct fecrun_plan *plan, struct fecrun_error *err)
{
    const uint32_t pieces = fecrun_pieces(in[0]);
    struct seg_code *code;
    uint32_t a = 0;
    unsigned bg = 0;

    (void)host;
    if (check_frames(in[0], err) || find_split(values, in[0], &a, &bg, err))
        return -1;
    code = make_code(a, bg, plan, err);
    if (!code)
        return -1;
    if (in[0]->items != code->items || pieces % code->sizes.blocks) {
        fecrun_fail(err, "a",
                    "a transport block of %u bits has %u code blocks of %u bits, but %u of %llu "
                    "arrive here",
                    a, code->sizes.blocks, code->items, pieces, (unsigned long long)in[0]->items);
        free(code);
        return -1;
    }
    fecrun_frame_copy(out[0], in[0]);
    out[0]->items = a;
    out[0]->pieces = pieces / code->sizes.blocks;
    out[0]->channel_bits *= code->sizes.blocks;
    fecrun_fact_drop(out[0], FACT_A);
    fecrun_fact_drop(out[0], FACT_BG);
    return 0;
}

/* ---- Work ----------------------------------------------------------------------------------- */

static int seg_create(const struct fecrun_create *args, void **instance, struct fecrun_error *err)
{
    const struct seg_code *code = args->codes[0];
    struct seg *seg = malloc(sizeof *seg);

    *instance = seg;
    if (!seg)
        return fecrun_fail(err, NULL, "out of memory");
    crc_table_make(&seg->transport, code->sizes.tb_crc == 16 ? CRC_16 : CRC_24A);
    crc_table_make(&seg->block, CRC_24B);
    return 0;
}

static void put_parity(uint8_t *to, uint32_t state, unsigned width)
{
    for (unsigned i = 0; i < width; i++)
        to[i] = state >> (31 - i) & 1u;
}

static bool same_parity(const uint8_t *from, uint32_t state, unsigned width)
{
    uint8_t want[SEG_CRC];

    put_parity(want, state, width);
    return !memcmp(from, want, width);
}

/* Bits at .. at + n - 1 of a transport block and its parity, which stands for itself: from there to
   a code block, or back. */
static void move_bits(uint8_t *transport, uint8_t *parity, uint32_t a, uint32_t at, uint8_t *block,
                      uint32_t n, bool back)
{
    const uint32_t own = at >= a ? 0 : a - at < n ? a - at : n;
    uint8_t *rest = n > own ? parity + (at + own - a) : parity;

    if (own)
        memcpy(back ? transport + at : block, back ? block : transport + at, own);
    if (n > own)
        memcpy(back ? rest : block + own, back ? block + own : rest, n - own);
}

static void split_frame(const struct seg *seg, const struct seg_code *code, uint8_t *from,
                        const struct fecrun_view *out, uint64_t first)
{
    const struct seg_sizes *s = &code->sizes;
    uint8_t parity[SEG_CRC];
    uint32_t at = 0;

    put_parity(parity, crc_bytes(&seg->transport, 0, from, s->a), s->tb_crc);
    for (uint32_t r = 0; r < s->blocks; r++) {
        uint8_t *to = fecrun_row(out, first + r);
        const uint32_t payload = code->items - code->front - s->cb_crc;

        memset(to, 0, code->front);
        move_bits(from, parity, s->a, at, to + code->front, payload, false);
        if (s->cb_crc)
            put_parity(to + payload, crc_bytes(&seg->block, 0, to, payload), s->cb_crc);
        at += payload;
    }
}

static int split_run(void *instance, const struct fecrun_call *call,
                     const struct fecrun_view *const in[], struct fecrun_view *const out[],
                     struct fecrun_error *err)
{
    const struct seg_code *code = call->codes[0];

    (void)err;
    for (uint64_t f = 0; f < in[0]->frames; f++)
        split_frame(instance, code, fecrun_row(in[0], f), out[0], f * code->sizes.blocks);
    return 0;
}

/* A block alone has no parity of its own: the transport block's is its verdict. */
static void join_frame(const struct seg *seg, const struct seg_code *code,
                       const struct fecrun_view *in, uint64_t first,
                       struct fecrun_frame_info *blocks, uint8_t *to,
                       struct fecrun_frame_info *info)
{
    const struct seg_sizes *s = &code->sizes;
    const uint32_t payload = code->items - code->front - s->cb_crc;
    uint8_t parity[SEG_CRC];
    uint32_t at = 0;
    bool good = true;

    for (uint32_t r = 0; r < s->blocks; r++) {
        uint8_t *from = fecrun_row(in, first + r);

        move_bits(to, parity, s->a, at, from + code->front, payload, true);
        if (s->cb_crc) {
            bool whole = same_parity(from + payload, crc_bytes(&seg->block, 0, from, payload),
                                     s->cb_crc);
            fecrun_frame_checked(&blocks[r], whole);
            good = good && whole;
        }
        at += payload;
    }
    good = good && same_parity(parity, crc_bytes(&seg->transport, 0, to, s->a), s->tb_crc);
    fecrun_frame_checked(info, good);
    if (!s->cb_crc)
        fecrun_frame_checked(blocks, good);
}

static int join_run(void *instance, const struct fecrun_call *call,
                    const struct fecrun_view *const in[], struct fecrun_view *const out[],
                    struct fecrun_error *err)
{
    const struct seg_code *code = call->codes[0];

    (void)err;
    for (uint64_t f = 0; f < out[0]->frames; f++) {
        const uint64_t first = f * code->sizes.blocks;

        join_frame(instance, code, in[0], first, call->info + first, fecrun_row(out[0], f),
                   call->out_info + f);
    }
    return 0;
}

/* ---- Tables --------------------------------------------------------------------------------- */

static const struct fecrun_form *const forms[] = {
    FECRUN_FORM(.in = {{.type = FECRUN_U8}}, .out = {{.type = FECRUN_U8}}), NULL};

static const struct fecrun_backend *const split_backends[] = {
    FECRUN_BACKEND(.name = "ref", .forms = forms, .create = seg_create, .run = split_run,
                   .destroy = free),
    NULL};

static const struct fecrun_backend *const join_backends[] = {
    FECRUN_BACKEND(.name = "ref", .forms = forms, .create = seg_create, .run = join_run,
                   .destroy = free),
    NULL};

static const struct fecrun_example *const split_examples[] = {
    FECRUN_EXAMPLE(.params = "{code: nr, bg: 1}", .items = 24),
    FECRUN_EXAMPLE(.params = "{code: nr, rate: 0.5}", .items = 20496),
    FECRUN_EXAMPLE(.params = "{code: lte}", .items = 1000),
    FECRUN_EXAMPLE(.params = "{code: lte, a: 12216}", .items = 12216), NULL};

static const struct fecrun_example *const join_examples[] = {
    FECRUN_EXAMPLE(.params = "{code: nr, a: 24, bg: 1}", .items = 40),
    FECRUN_EXAMPLE(.params = "{code: nr, a: 20496, rate: 0.5}", .items = 6864, .pieces = 3),
    FECRUN_EXAMPLE(.params = "{code: lte, a: 1000}", .items = 1024),
    FECRUN_EXAMPLE(.params = "{code: lte, a: 12216}", .items = 6144, .pieces = 2), NULL};

const struct fecrun_stage chain_seg_split = {
    .size = sizeof chain_seg_split,
    .name = "seg.split",
    .role = FECRUN_TRANSFORM,
    .summary = "cuts transport blocks into code blocks, with the parities of both",
    .params = split_params,
    .inputs = FECRUN_BITS_IN,
    .outputs = FECRUN_BITS_OUT,
    .backends = split_backends,
    .plan = split_plan,
    .plan_free = free,
    .examples = split_examples,
};

const struct fecrun_stage chain_seg_join = {
    .size = sizeof chain_seg_join,
    .name = "seg.join",
    .role = FECRUN_TRANSFORM,
    .summary = "joins code blocks to transport blocks and marks those whose parity is wrong",
    .params = join_params,
    .inputs = FECRUN_BITS_IN,
    .outputs = FECRUN_BITS_OUT,
    .backends = join_backends,
    .plan = join_plan,
    .plan_free = free,
    .examples = join_examples,
    .undoes = "seg.split",
};
