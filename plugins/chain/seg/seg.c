/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * seg.split and seg.join: a transport block as code blocks, and back (TS 38.212 5.2.2, TS 36.212
 * 5.1.2). A transport block gets a parity of its own; where it is too long for one code block, it is
 * cut into C equal ones with a parity (CRC 24B) each. A frame that goes in are C frames that come
 * out.
 *
 * NR's code blocks come without their fillers, K' bits each, as ldpc.encode takes them. LTE's have
 * theirs in front, as zeros: rate matching leaves them out.
 *
 * NR's uplink control (TS 38.212 5.2.1, polar codes) has no parity of the whole: each of its one or two
 * code blocks has 6 or 11 bits of it, and where the number of bits is odd a zero stands in front.
 */
#include "plugins/chain/seg/seg.h"

#include "plugins/common/crc/crc.h"
#include "plugins/chain/plugin.h"
#include "plugins/chain/seg/kind.h"

#include <fecrun/sdk/facts.h>

struct seg {
    struct crc_table transport, block;
};

/* ---- Planning ------------------------------------------------------------------------------- */

/* The next size down (or up) whose blocks are equal; 0: there is none. */
static uint32_t even_size(uint32_t a, struct seg_kind kind, int step)
{
    for (a += (uint32_t)step; a > 0 && a <= SEG_MOST; a += (uint32_t)step) {
        const struct seg_sizes sizes = seg_sizes_of(a, kind);

        if (seg_even(&sizes, kind.bg))
            return a;
    }
    return 0;
}

static int uneven(const struct seg_sizes *s, struct seg_kind kind, struct fecrun_error *err)
{
    const uint32_t below = even_size(s->a, kind, -1), above = even_size(s->a, kind, 1);
    char why[120], next[48] = "";

    if (kind.bg)
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

static void write_note(const struct seg_sizes *sizes, struct seg_kind kind, char *note, size_t room)
{
    const char *s = sizes->blocks > 1 ? "s" : "";

    if (kind.bg == SEG_KIND_UCI)
        snprintf(note, room, "%u code block%s of K = %u bits, %u of them parity%s; E = %u",
                 sizes->blocks, s, sizes->k_used, sizes->cb_crc,
                 sizes->fillers ? ", a zero in front" : "", kind.g / sizes->blocks);
    else if (kind.bg == SEG_KIND_LTE)
        snprintf(note, room, "%u code block%s of K = %u bits, %u fillers", sizes->blocks, s,
                 sizes->k_plus, sizes->fillers);
    else
        snprintf(note, room, "%u code block%s of K' = %u bits: bg %u, z %u, %u fillers",
                 sizes->blocks, s, sizes->k_used, kind.bg, sizes->z, sizes->fillers);
}

static struct seg_code *make_code(uint32_t a, struct seg_kind kind, struct fecrun_plan *plan,
                                  struct fecrun_error *err)
{
    const struct seg_sizes sizes = seg_sizes_of(a, kind);
    struct seg_code *code;

    if (!seg_even(&sizes, kind.bg)) {
        uneven(&sizes, kind, err);
        return NULL;
    }
    code = fecrun_code(plan, sizeof *code, err);
    if (!code)
        return NULL;
    code->sizes = sizes;
    code->items = kind.bg == SEG_KIND_LTE ? sizes.k_plus : sizes.k_used;
    code->front = kind.bg == SEG_KIND_LTE || kind.bg == SEG_KIND_UCI ? sizes.fillers : 0;
    code->tb_polynomial = sizes.tb_crc == 16 ? CRC_16_POLYNOMIAL : CRC_24A_POLYNOMIAL;
    code->cb_polynomial = sizes.cb_crc == 6    ? CRC_6_POLYNOMIAL
                          : sizes.cb_crc == 11 ? CRC_11_POLYNOMIAL
                                               : CRC_24B_POLYNOMIAL;
    write_note(&sizes, kind, plan->note, sizeof plan->note);
    return code;
}

static int check_frames(const struct fecrun_frame *in, struct fecrun_error *err)
{
    if (in->stream)
        return fecrun_fail(err, NULL, "the input is one stream; transport blocks are frames");
    return 0;
}

static const char *const facts[] = {SEG_FACT_A, SEG_FACT_BG, SEG_FACT_G, SEG_FACT_Z,
                                    SEG_FACT_FILLERS};

static int set_facts(struct fecrun_frame *out, const struct seg_sizes *sizes, struct seg_kind kind,
                     struct fecrun_error *err)
{
    if (fecrun_fact_set(out, SEG_FACT_A, sizes->a, err) ||
        fecrun_fact_set(out, SEG_FACT_BG, kind.bg, err) ||
        fecrun_fact_set(out, SEG_FACT_G, kind.g, err))
        return -1;
    if (kind.bg == SEG_KIND_LTE || kind.bg == SEG_KIND_UCI)
        return 0;
    return fecrun_fact_set(out, SEG_FACT_Z, sizes->z, err) ||
                   fecrun_fact_set(out, SEG_FACT_FILLERS, sizes->fillers, err)
               ? -1
               : 0;
}

static int split_plan(const struct fecrun_host *host, const struct fecrun_values *values,
                      const struct fecrun_frame *const in[], struct fecrun_frame *const out[],
                      struct fecrun_plan *plan, struct fecrun_error *err)
{
    const struct fecrun_value *a = fecrun_value(values, SEG_P_A);
    struct seg_code *code;
    struct seg_kind kind;

    (void)host;
    if (check_frames(in[0], err))
        return -1;
    if (a->given && (uint64_t)a->i != in[0]->items)
        return fecrun_fail(err, "a", "is %lld, but %llu bits a frame arrive here", (long long)a->i,
                           (unsigned long long)in[0]->items);
    if (in[0]->items > SEG_MOST)
        return fecrun_fail(err, NULL, "%llu bits a frame arrive here: at most %d are allowed",
                           (unsigned long long)in[0]->items, SEG_MOST);
    if (seg_read_kind(values, (uint32_t)in[0]->items, &kind, err))
        return -1;
    code = make_code((uint32_t)in[0]->items, kind, plan, err);
    if (!code)
        return -1;
    fecrun_frame_copy(out[0], in[0]);
    out[0]->items = code->items;
    out[0]->pieces = fecrun_pieces(in[0]) * code->sizes.blocks;
    out[0]->channel_bits /= code->sizes.blocks;
    if (!set_facts(out[0], &code->sizes, kind, err))
        return 0;
    free(code);
    return -1;
}

static int join_plan(const struct fecrun_host *host, const struct fecrun_values *values,
                     const struct fecrun_frame *const in[], struct fecrun_frame *const out[],
                     struct fecrun_plan *plan, struct fecrun_error *err)
{
    const uint32_t pieces = fecrun_pieces(in[0]);
    struct seg_code *code;
    struct seg_kind kind;
    uint32_t a = 0;

    (void)host;
    if (check_frames(in[0], err) || seg_find_split(values, in[0], &a, &kind, err))
        return -1;
    code = make_code(a, kind, plan, err);
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
    if (kind.bg == SEG_KIND_UCI && in[0]->channel_bits == kind.g / code->sizes.blocks)
        out[0]->channel_bits = kind.g; /* an odd one belongs to no block */
    for (size_t i = 0; i < sizeof facts / sizeof *facts; i++)
        fecrun_fact_drop(out[0], facts[i]);
    return 0;
}

/* ---- Work ----------------------------------------------------------------------------------- */

static int seg_create(const struct fecrun_create *args, void **instance, struct fecrun_error *err)
{
    const struct seg_code *code = args->codes[0];
    struct seg *seg = malloc(sizeof *seg);

    *instance = seg;
    if (!seg)
        return fecrun_no_memory(err);
    crc_table_make(&seg->transport, code->tb_polynomial);
    crc_table_make(&seg->block, code->cb_polynomial);
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
    const uint32_t own = code->items - s->cb_crc;
    uint8_t parity[SEG_CRC];
    uint32_t at = 0;

    put_parity(parity, crc_bytes(&seg->transport, 0, from, s->a), s->tb_crc);
    for (uint32_t r = 0; r < s->blocks; r++) {
        uint8_t *to = fecrun_row(out, first + r);
        const uint32_t front = r ? 0 : code->front;

        memset(to, 0, front);
        move_bits(from, parity, s->a, at, to + front, own - front, false);
        if (s->cb_crc)
            put_parity(to + own, crc_bytes(&seg->block, 0, to, own), s->cb_crc);
        at += own - front;
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

/* A block alone has no parity of its own, but in uplink control: the transport block's is its
   verdict. It replaces the decoder's, which for LDPC is about parity bits, too. */
static void join_frame(const struct seg *seg, const struct seg_code *code,
                       const struct fecrun_view *in, uint64_t first,
                       struct fecrun_frame_info *blocks, uint8_t *to,
                       struct fecrun_frame_info *info)
{
    const struct seg_sizes *s = &code->sizes;
    const uint32_t own = code->items - s->cb_crc;
    uint8_t parity[SEG_CRC];
    uint32_t at = 0;
    bool good = true;

    for (uint32_t r = 0; r < s->blocks; r++) {
        uint8_t *from = fecrun_row(in, first + r);
        const uint32_t front = r ? 0 : code->front;

        move_bits(to, parity, s->a, at, from + front, own - front, true);
        if (s->cb_crc) {
            bool whole = same_parity(from + own, crc_bytes(&seg->block, 0, from, own), s->cb_crc);
            fecrun_frame_checked(&blocks[r], whole);
            good = good && whole;
        }
        at += own - front;
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

static const struct fecrun_form *const forms[] = {FECRUN_ONE_FORM(FECRUN_U8, FECRUN_U8), NULL};

static const struct fecrun_backend *const split_backends[] = {
    FECRUN_BACKEND(.name = "ref", .forms = forms, .create = seg_create, .run = split_run,
                   .destroy = free),
    &chain_seg_split_cuda, NULL};

static const struct fecrun_backend *const join_backends[] = {
    FECRUN_BACKEND(.name = "ref", .forms = forms, .create = seg_create, .run = join_run,
                   .destroy = free),
    &chain_seg_join_cuda, NULL};

static const struct fecrun_example *const split_examples[] = {
    FECRUN_EXAMPLE(.params = "{code: nr, bg: 1}", .items = 24),
    FECRUN_EXAMPLE(.params = "{code: nr, rate: 0.5}", .items = 20496),
    FECRUN_EXAMPLE(.params = "{code: lte}", .items = 1000),
    FECRUN_EXAMPLE(.params = "{code: lte, a: 12216}", .items = 12216),
    FECRUN_EXAMPLE(.params = "{code: nr-uci, g: 1200}", .items = 401),
    FECRUN_EXAMPLE(.params = "{code: nr-uci, g: 54}", .items = 19),
    NULL};

static const struct fecrun_example *const join_examples[] = {
    FECRUN_EXAMPLE(.params = "{code: nr, a: 24, bg: 1}", .items = 40),
    FECRUN_EXAMPLE(.params = "{code: nr, a: 20496, rate: 0.5}", .items = 6864, .pieces = 3),
    FECRUN_EXAMPLE(.params = "{code: lte, a: 1000}", .items = 1024),
    FECRUN_EXAMPLE(.params = "{code: lte, a: 12216}", .items = 6144, .pieces = 2),
    FECRUN_EXAMPLE(.params = "{code: nr-uci, a: 401, g: 1200}", .items = 212, .pieces = 2),
    FECRUN_EXAMPLE(.params = "{code: nr-uci, a: 19, g: 54}", .items = 25),
    NULL};

const struct fecrun_stage chain_seg_split = {
    FECRUN_TRANSFORM(split_plan, free),
    .name = "seg.split",
    .summary = "cuts transport blocks into code blocks, with the parities of both",
    .params = seg_split_params,
    .inputs = FECRUN_BITS_IN,
    .outputs = FECRUN_BITS_OUT,
    .backends = split_backends,
    .examples = split_examples,
};

const struct fecrun_stage chain_seg_join = {
    FECRUN_TRANSFORM(join_plan, free),
    .name = "seg.join",
    .summary = "joins code blocks to transport blocks and marks those whose CRC fails as "
               "failed; verdicts of decoders do not count",
    .params = seg_join_params,
    .inputs = FECRUN_BITS_IN,
    .outputs = FECRUN_BITS_OUT,
    .backends = join_backends,
    .examples = join_examples,
    .undoes = "seg.split",
};
