/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The lanes of the CUDA kernels of seg.split, seg.join, seg.concatenate and seg.divide, compiled as C, against the
 * reference backends: transport blocks of NR, LTE and uplink control, packed and not, with wrong bits.
 */
#include "plugins/chain/plugin.h"
#include "t/lib/tap.h"

#include <fecrun/sdk/sample.h>

#include "plugins/chain/cuda/thread/seg.h"

enum { FRAMES = 3, MOST_BLOCKS = 64, GUARD = 16 };

static uint64_t rng = 88172645463325252u;

static uint32_t draw(uint32_t n)
{
    rng ^= rng << 13, rng ^= rng >> 7, rng ^= rng << 17;
    return (uint32_t)(rng >> 33) % n;
}

/* ---- rows ------------------------------------------------------------------------------------ */

/* With a guard behind the last one. */
static struct fecrun_view make_rows(uint32_t type, uint64_t items, uint64_t frames)
{
    struct fecrun_view v = {.size = sizeof v,
                            .type = type,
                            .frames = frames,
                            .items = items,
                            .stride = fecrun_bytes(type, items)};

    v.data = malloc(frames * v.stride + GUARD);
    if (!v.data)
        bail("out of memory");
    memset(v.data, 0xa5, frames * v.stride + GUARD);
    return v;
}

static void fill(const struct fecrun_view *v)
{
    for (uint64_t i = 0; i < v->frames * v->stride; i++)
        ((uint8_t *)v->data)[i] = (uint8_t)draw(v->type == FECRUN_U8 ? 2 : 256);
}

/* The same bits in another type. */
static struct fecrun_view convert(const struct fecrun_view *from, uint32_t type)
{
    struct fecrun_view to = make_rows(type, from->items, from->frames);

    for (uint64_t f = 0; f < from->frames; f++)
        fecrun_convert(from->type, type, fecrun_row(from, f), fecrun_row(&to, f), from->items);
    return to;
}

static bool same(const struct fecrun_view *a, const struct fecrun_view *b)
{
    return !memcmp(a->data, b->data, a->frames * a->stride + GUARD);
}

static void run_ref(const struct fecrun_stage *stage, void *code, const struct fecrun_view *in,
                    struct fecrun_view *out, struct fecrun_frame_info *info,
                    struct fecrun_frame_info *out_info)
{
    const struct fecrun_backend *ref = stage->backends[0];
    const struct fecrun_create create = {.size = sizeof create, .codes = &code, .n_codes = 1};
    const struct fecrun_call call = {
        .size = sizeof call, .codes = &code, .info = info, .out_info = out_info};
    const struct fecrun_view *const ins[] = {in};
    struct fecrun_view *const outs[] = {out};
    struct fecrun_error err = {.size = sizeof err};
    void *instance;

    if (ref->create(&create, &instance, &err) || ref->run(instance, &call, ins, outs, &err))
        bail("%s", err.text);
    ref->destroy(instance);
}

/* ---- seg.split, seg.join --------------------------------------------------------------------- */

static void make_table(uint32_t table[256], const struct crc_code *code)
{
    for (uint32_t i = 0; i < 256; i++)
        table[i] = crc_entry(i, code->polynomial);
}

/* As the kernels, lanes one after the other. */
static void split(const struct seg_job *job, const struct fecrun_view *in,
                  const struct fecrun_view *out)
{
    uint32_t table[256], own[256];

    make_table(table, &job->transport);
    make_table(own, &job->block);
    for (uint64_t block = 0; block < out->frames; block++) {
        const uint8_t *from = fecrun_row(in, block / job->blocks);
        const uint32_t r = (uint32_t)(block % job->blocks);
        uint8_t *to = fecrun_row(out, block);
        uint32_t parity = 0, state = 0;

        for (unsigned lane = 0; lane < CRC_LANES && job->transport.width; lane++)
            parity ^= crc_of_lane(&job->transport, &job->of_transport, table, lane, in->type, from);
        if (job->transport.width)
            parity = crc_parity(&job->transport, parity, in->type, from);
        for (unsigned lane = 0; lane < CRC_LANES; lane++)
            state ^= seg_split_lane(job, own, lane, in->type, from, parity, r, to, out->type);
        seg_split_end(job, state, in->type, from, parity, r, to, out->type);
    }
}

static void join(const struct seg_job *job, const struct fecrun_view *in,
                 const struct fecrun_view *out, struct fecrun_frame_info *blocks,
                 struct fecrun_frame_info *info)
{
    const struct seg_rows rows = {in->data, in->stride, in->type};
    uint32_t table[256], own[256];

    make_table(table, &job->transport);
    make_table(own, &job->block);
    for (uint64_t b = 0; b < in->frames && job->block.width; b++) {
        const uint8_t *from = fecrun_row(in, b);
        uint32_t state = 0;

        for (unsigned lane = 0; lane < CRC_LANES; lane++)
            state ^= crc_of_lane(&job->block, &job->of_block, own, lane, in->type, from);
        state = crc_parity(&job->block, state, in->type, from);
        blocks[b].flags = seg_flags(
            blocks[b].flags,
            state == crc_get(job->block.message, job->block.width, in->type, from));
    }
    for (uint64_t f = 0; f < out->frames; f++) {
        const uint64_t first = f * job->blocks;
        uint32_t state = 0, bad = 0;

        for (unsigned lane = 0; lane < CRC_LANES; lane++)
            state ^= seg_join_lane(job, table, lane, &rows, first, fecrun_row(out, f), out->type);
        for (uint32_t r = 0; r < job->blocks && job->block.width; r++)
            bad |= blocks[first + r].flags & FECRUN_FRAME_FAILED;
        bad |= !seg_join_end(job, state, &rows, first);
        info[f].flags = seg_flags(info[f].flags, !bad);
        if (!job->block.width)
            blocks[first].flags = seg_flags(blocks[first].flags, !bad);
    }
}

static void draw_flags(struct fecrun_frame_info *a, struct fecrun_frame_info *b, uint64_t n)
{
    for (uint64_t i = 0; i < n; i++)
        a[i].flags = b[i].flags = draw(2) ? FECRUN_FRAME_CHECKED | FECRUN_FRAME_FAILED : 0;
}

static bool same_flags(const struct fecrun_frame_info *a, const struct fecrun_frame_info *b,
                       uint64_t n)
{
    for (uint64_t i = 0; i < n; i++)
        if (a[i].flags != b[i].flags)
            return false;
    return true;
}

static uint32_t failed(const struct fecrun_frame_info *a, uint64_t n)
{
    uint32_t count = 0;

    for (uint64_t i = 0; i < n; i++)
        count += !!(a[i].flags & FECRUN_FRAME_FAILED);
    return count;
}

static void try_sizes(struct seg_sizes sizes, unsigned kind, const char *name)
{
    static struct fecrun_frame_info blocks[2][FRAMES * MOST_BLOCKS], info[2][FRAMES];
    struct seg_code code = {.sizes = sizes,
                            .items = kind ? sizes.k_used : sizes.k_plus,
                            .front = kind == 0 || kind == 3 ? sizes.fillers : 0,
                            .tb_polynomial = sizes.tb_crc == 16 ? CRC_16_POLYNOMIAL
                                                                : CRC_24A_POLYNOMIAL,
                            .cb_polynomial = sizes.cb_crc == 6    ? CRC_6_POLYNOMIAL
                                             : sizes.cb_crc == 11 ? CRC_11_POLYNOMIAL
                                                                  : CRC_24B_POLYNOMIAL};
    const uint64_t n = FRAMES * sizes.blocks;
    struct fecrun_view in = make_rows(FECRUN_U8, sizes.a, FRAMES),
                       out = make_rows(FECRUN_U8, code.items, n);
    struct fecrun_view back = make_rows(FECRUN_U8, sizes.a, FRAMES);
    struct seg_job job;
    bool right = true;

    seg_make_job(&job, &code);
    fill(&in);
    run_ref(&chain_seg_split, &code, &in, &out, NULL, NULL);
    for (unsigned types = 0; types < 4; types++) {
        const uint32_t from = types & 1 ? FECRUN_PACKED : FECRUN_U8,
                       to = types & 2 ? FECRUN_PACKED : FECRUN_U8;
        struct fecrun_view own = convert(&in, from), got = make_rows(to, code.items, n),
                           want = convert(&out, to);

        split(&job, &own, &got);
        right = right && same(&got, &want);
        free(own.data), free(got.data), free(want.data);
    }
    ok(right, "split: %s, a = %u, %u blocks of %u bits", name, sizes.a, sizes.blocks, code.items);
    ((uint8_t *)fecrun_row(
        &out, sizes.blocks + draw(sizes.blocks)))[draw(code.items)] ^= 1; /* of the second frame */
    draw_flags(blocks[0], blocks[1], n), draw_flags(info[0], info[1], FRAMES);
    run_ref(&chain_seg_join, &code, &out, &back, blocks[0], info[0]);
    right = failed(info[0], FRAMES) == 1;
    for (unsigned types = 0; types < 4; types++) {
        const uint32_t from = types & 1 ? FECRUN_PACKED : FECRUN_U8,
                       to = types & 2 ? FECRUN_PACKED : FECRUN_U8;
        struct fecrun_view own = convert(&out, from), got = make_rows(to, sizes.a, FRAMES),
                           want = convert(&back, to);

        draw_flags(blocks[1], blocks[1], n), draw_flags(info[1], info[1], FRAMES);
        join(&job, &own, &got, blocks[1], info[1]);
        right = right && same(&got, &want) && same_flags(blocks[0], blocks[1], n) &&
                same_flags(info[0], info[1], FRAMES);
        free(own.data), free(got.data), free(want.data);
    }
    ok(right, "join: the same, one bit wrong");
    free(in.data), free(out.data), free(back.data);
}

/* ---- seg.concatenate, seg.divide ------------------------------------------------------------- */

static void try_concatenate(uint32_t blocks, uint32_t items, uint32_t rest)
{
    struct seg_blocks code = {blocks, items, rest};
    const struct seg_job job = {.own = items, .blocks = blocks};
    struct fecrun_view in = make_rows(FECRUN_U8, items, FRAMES * blocks);
    struct fecrun_view out = make_rows(FECRUN_U8, blocks * items + rest, FRAMES);
    bool right = true;

    fill(&in);
    run_ref(&chain_seg_concatenate, &code, &in, &out, NULL, NULL);
    for (unsigned types = 0; types < 4; types++) {
        const uint32_t from = types & 1 ? FECRUN_PACKED : FECRUN_U8,
                       to = types & 2 ? FECRUN_PACKED : FECRUN_U8;
        struct fecrun_view own = convert(&in, from), got = make_rows(to, out.items, FRAMES),
                           want = convert(&out, to);
        const struct seg_rows rows = {own.data, own.stride, own.type};

        for (uint64_t f = 0; f < FRAMES; f++)
            for (uint64_t i = 0; 8 * i < out.items; i++)
                seg_put(
                    to, fecrun_row(&got, f), i,
                    seg_gather(&job, &rows, f * blocks, 8 * (uint32_t)i, seg_part(out.items, i)),
                    seg_part(out.items, i));
        right = right && same(&got, &want);
        free(own.data), free(got.data), free(want.data);
    }
    ok(right, "concatenate: %u blocks of %u bits and %u", blocks, items, rest);
    free(in.data), free(out.data);
}

static void try_divide(uint32_t blocks, uint32_t items, uint32_t rest, uint32_t type)
{
    struct seg_blocks code = {blocks, items, rest};
    struct fecrun_view in = make_rows(type, blocks * items + rest, FRAMES);
    struct fecrun_view want = make_rows(type, items, FRAMES * blocks),
                       got = make_rows(type, items, FRAMES * blocks);
    const uint64_t bytes = fecrun_bytes(type, items);

    fill(&in);
    run_ref(&chain_seg_divide, &code, &in, &want, NULL, NULL);
    for (uint64_t b = 0; b < got.frames; b++)
        for (uint64_t c = 0; c < fecrun_chunks(bytes, 4) + 1; c++)
            seg_divide_chunk((const uint8_t *)fecrun_row(&in, b / blocks) + b % blocks * bytes,
                             fecrun_row(&got, b), (int64_t)bytes, c);
    ok(same(&want, &got), "divide: %u blocks of %u LLRs, %s", blocks, items,
       fecrun_type_name(type));
    free(in.data), free(want.data), free(got.data);
}

int main(void)
{
    static const uint32_t types[] = {FECRUN_I8, FECRUN_I16, FECRUN_F32};

    for (unsigned round = 0; round < 60; round++) {
        const unsigned kind = round % 4; /* as in seg.h */
        const uint32_t a = kind == 3 ? 12 + draw(1500) : 1 + draw(round % 8 < 4 ? 9000 : 60000);
        const struct seg_sizes sizes = kind == 3 ? seg_uci(a, a + 24 + draw(2000))
                                       : kind    ? seg_nr(a, kind)
                                                 : seg_lte(a);

        if (!seg_even(&sizes, kind) || sizes.blocks > MOST_BLOCKS)
            round--;
        else
            try_sizes(sizes, kind, kind == 3 ? "uplink control" : kind ? "NR" : "LTE");
    }
    for (unsigned round = 0; round < 12; round++) {
        const uint32_t blocks = 1 + draw(5), items = 1 + draw(300), rest = draw(blocks);

        try_concatenate(blocks, items, rest);
        try_divide(blocks, items, rest, types[round % 3]);
    }
    return done_testing();
}
