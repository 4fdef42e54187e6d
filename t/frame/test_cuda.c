/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The threads of the CUDA kernels of the plugin frame, one after the other, against the references: frames that begin
 * anywhere, streams with items in front of a batch and behind it, what is known of frames that are joined or cut.
 */
#include "plugins/frame/cuda/pieces_plan.h"
#include "plugins/frame/cuda/plan.h"
#include "plugins/frame/plugin.h"
#include "t/lib/tap.h"

#include <fecrun/sdk/bits.h>
#include <fecrun/sdk/sample.h>
#include <stdlib.h>

enum { FRAMES = 5, GUARD = 64, UNTOUCHED = 0xa5 };

typedef void work(const struct frame_gpu_args *, const struct frame_gpu_class *, uint64_t,
                  uint64_t);

static uint64_t rng = 88172645463325252u;

static uint32_t draw(uint32_t n)
{
    rng ^= rng << 13, rng ^= rng >> 7, rng ^= rng << 17;
    return (uint32_t)(rng >> 33) % n;
}

static void *get(size_t bytes)
{
    void *p = malloc(bytes + !bytes);

    if (!p)
        bail("out of memory");
    return p;
}

/* A batch. `memory` begins `before` items and a guard in front of its data. */
struct batch {
    uint8_t *memory;
    size_t bytes;
    struct fecrun_view view;
};

static unsigned unit_of(uint32_t type)
{
    return (unsigned)fecrun_bytes(type, 1);
}

static struct batch make_batch(uint32_t type, uint64_t frames, uint64_t items, bool stream,
                               uint64_t before, uint64_t after)
{
    const unsigned unit = unit_of(type), gap = stream ? 0 : unit * draw(3);
    const uint64_t row = fecrun_bytes(type, items);
    const unsigned align = unit > 4 ? 4 : unit; /* a symbol is two floats */
    struct batch b = {.view = {.size = sizeof b.view,
                               .type = type,
                               .frames = frames,
                               .items = items,
                               .stride = row + gap,
                               .before = before,
                               .after = after}};
    const size_t front = GUARD + before * unit + align * draw(9);

    b.bytes = front + frames * b.view.stride + after * unit + GUARD;
    b.memory = aligned_alloc(64, (b.bytes + 63) / 64 * 64);
    if (!b.memory)
        bail("out of memory");
    memset(b.memory, UNTOUCHED, b.bytes);
    b.view.data = b.memory + front;
    return b;
}

/* Any bytes, each third item one of those that are treated otherwise: -128, NaN, -0, infinity. */
static void fill(const struct batch *b)
{
    static const uint32_t odd[] = {0x80808080, 0x80000000, 0x7fc00000, 0xff800000, 0xffc00000,
                                   0,          0x80008000, 0xfc00fc00, 0x7e00fe00};
    const unsigned unit = unit_of(b->view.type);

    for (size_t i = GUARD; i < b->bytes - GUARD; i++)
        b->memory[i] = (uint8_t)draw(b->view.type == FECRUN_U8 ? 2 : 256);
    for (uint64_t f = 0; f < b->view.frames && b->view.type >= FECRUN_F32; f++)
        for (uint64_t i = 0; i < b->view.items; i += 3)
            memcpy((uint8_t *)fecrun_row(&b->view, f) + i * unit, &odd[draw(9)],
                   unit < 4 ? unit : 4);
    for (uint64_t f = 0; f < b->view.frames && b->view.type == FECRUN_PACKED; f++)
        if (b->view.items % 8)
            ((uint8_t *)fecrun_row(&b->view, f))[b->view.items / 8] &= (uint8_t)(0xff00 >>
                                                                                 b->view.items % 8);
}

static void run_ref(const struct fecrun_stage *stage, void *code, const struct fecrun_call *call,
                    const struct batch *in, struct batch *out)
{
    const struct fecrun_view *const ins[] = {&in->view};
    struct fecrun_view *const outs[] = {&out->view};
    struct fecrun_error err = {.size = sizeof err};
    struct fecrun_call own = *call;

    own.codes = &code;
    if (stage->backends[0]->run(NULL, &own, ins, outs, &err))
        bail("%s", err.text);
}

/* All threads, last ones first, and some that have nothing to do. */
static void launch(const struct frame_gpu_args *args, work *chunk, bool exact)
{
    for (uint64_t f = args->frames.n; f-- > 0;)
        for (uint64_t c = args->chunks + (exact ? 0 : 2); c-- > 0;)
            chunk(args, args->classes, f, c);
}

/* The same frames, and what was there between them. */
static bool same(const struct batch *want, const struct batch *got)
{
    return want->bytes == got->bytes && !memcmp(want->memory, got->memory, want->bytes);
}

/* A batch of the same layout, which nothing has been written to. */
static struct batch twin(const struct batch *b)
{
    struct batch t = *b;

    t.memory = aligned_alloc(64, (b->bytes + 63) / 64 * 64);
    if (!t.memory)
        bail("out of memory");
    memset(t.memory, UNTOUCHED, b->bytes);
    t.view.data = t.memory + ((uint8_t *)b->view.data - b->memory);
    return t;
}

/* ---- interleave ---------------------------------------------------------------------------------- */

static const struct {
    uint32_t type;
    work *interleave, *scramble, *hard_packed, *hard_u8;
} types[] = {
    {FECRUN_PACKED, NULL, frame_scramble_packed, NULL, NULL},
    {FECRUN_U8, frame_interleave_8, frame_scramble_u8, NULL, NULL},
    {FECRUN_I8, frame_interleave_8, frame_scramble_i8, frame_hard_i8_packed, frame_hard_i8_u8},
    {FECRUN_I16, frame_interleave_16, frame_scramble_i16, frame_hard_i16_packed, frame_hard_i16_u8},
    {FECRUN_F16, frame_interleave_16, frame_scramble_f16, frame_hard_f16_packed, frame_hard_f16_u8},
    {FECRUN_F32, frame_interleave_32, frame_scramble_f32, frame_hard_f32_packed, frame_hard_f32_u8},
    {FECRUN_C8, frame_interleave_64, NULL, NULL, NULL},
};

enum { TYPES = sizeof types / sizeof *types };

static const char *const orders[] = {"GSM",         "GSM traffic", "rows and columns",
                                     "DVB, Forney", "a table",     "delays of 1"};

static struct order_code draw_order(unsigned kind, bool undo)
{
    struct fecrun_error err = {.size = sizeof err};
    struct order_code code = {.stream = kind == 1 || kind == 3 || kind == 5};
    int status;

    if (kind < 2)
        status = order_gsm(&code.order, kind == 1, &err);
    else if (kind == 2)
        status = order_block(&code.order, 1 + draw(40), 1 + draw(70), &err);
    else if (kind == 4)
        status = order_m17(&code.order, &err);
    else
        status = kind == 3 ? order_forney(&code.order, 12, 17, 8, &err)
                           : order_forney(&code.order, 2 + draw(5), 1, 1 + draw(3), &err);
    if (status || (undo && order_invert(&code.order, &err)) || order_finish(&code.order, &err))
        bail("%s", err.text);
    code.first = code.stream ? draw((uint32_t)code.order.block) : 0;
    return code;
}

static void try_interleave(unsigned t, unsigned kind, bool undo)
{
    struct order_code code = draw_order(kind, undo);
    const uint64_t items = code.stream ? 1 + draw(3000) : code.order.block * (1 + draw(3));
    const uint64_t frames = 1 + draw(FRAMES);
    /* some of what is wanted is there, as at both ends of a stream */
    const uint64_t before = code.stream ? draw((uint32_t)code.order.before + 2) : 0;
    const uint64_t after = code.stream ? draw((uint32_t)code.order.after + 2) : 0;
    struct batch in = make_batch(types[t].type, frames, items, code.stream, before, after);
    struct batch want = make_batch(types[t].type, frames, items, code.stream, 0, 0);
    struct batch got = twin(&want);
    const struct fecrun_call call = {.size = sizeof call,
                                     .first_item = code.stream ? draw(99999) : 0};
    struct fecrun_error err = {.size = sizeof err};
    size_t bytes;
    void *table = frame_gpu_order_table(&code, &bytes, &err);
    struct frame_gpu_args args;

    if (!table)
        bail("%s", err.text);
    fill(&in);
    run_ref(&frame_interleave, &code, &call, &in, &want);
    args = frame_gpu_order_args(&code, table, &call, &in.view, &got.view);
    launch(&args, types[t].interleave, types[t].type == FECRUN_C8);
    ok(same(&want, &got), "interleave: %s%s, %u frames of %u items, %s", orders[kind],
       undo ? " back" : "", (unsigned)frames, (unsigned)items, fecrun_type_name(types[t].type));
    free(in.memory), free(want.memory), free(got.memory), free(table);
    order_free(&code.order);
}

/* ---- scramble ---------------------------------------------------------------------------------------- */

static void try_scramble(unsigned t, bool stream)
{
    const bool packed = types[t].type == FECRUN_PACKED;
    const uint64_t round = 1 + draw(700), frames = 1 + draw(FRAMES);
    const uint64_t items = stream && packed ? 8 + 8 * draw(300) : 1 + draw(2000);
    struct scramble_code code = {
        .length = !stream && items <= round ? round : 8 * round, .round = round, .stream = stream};
    struct fecrun_call call = {.size = sizeof call,
                               .first_item = stream ? 8ull * draw(1 << 30) : 0};
    struct batch in = make_batch(types[t].type, frames, items, stream, 0, 0);
    struct batch want = make_batch(types[t].type, frames, items, stream, 0, 0);
    struct batch got = twin(&want);
    struct fecrun_error err = {.size = sizeof err};
    struct frame_gpu_args args;
    size_t bytes;
    void *table;

    code.first = stream ? (packed ? round / 8 * 8 : draw((uint32_t)round)) : 0;
    code.bits = get(code.length);
    code.packed = get((code.length + 7) / 8);
    for (uint64_t i = 0; i < code.length; i++)
        code.bits[i] = i < round ? (uint8_t)draw(2) : code.bits[i - round];
    fecrun_bits_pack(code.packed, code.bits, code.length);
    table = frame_gpu_scramble_table(&code, packed, &bytes, &err);
    if (!table)
        bail("%s", err.text);
    fill(&in);
    run_ref(&frame_scramble, &code, &call, &in, &want);
    args = frame_gpu_scramble_args(&code, table, &call, &in.view, &got.view);
    launch(&args, types[t].scramble, false);
    ok(same(&want, &got), "scramble: %u frames of %u items, %s, a round of %u, %s",
       (unsigned)frames, (unsigned)items, fecrun_type_name(types[t].type), (unsigned)round,
       stream ? "stream" : "frames");
    free(in.memory), free(want.memory), free(got.memory), free(table);
    free(code.bits), free(code.packed);
}

/* ---- bits.hard ------------------------------------------------------------------------------------------ */

static void try_hard(unsigned t, bool packed)
{
    const struct fecrun_call call = {.size = sizeof call};
    const struct frame_gpu_class none = {0};
    const uint64_t frames = 1 + draw(FRAMES), items = 1 + draw(900);
    struct batch in = make_batch(types[t].type, frames, items, false, 0, 0);
    struct batch want = make_batch(packed ? FECRUN_PACKED : FECRUN_U8, frames, items, false, 0, 0);
    struct batch got = twin(&want);
    struct frame_gpu_args args;

    fill(&in);
    run_ref(&bits_hard, NULL, &call, &in, &want);
    args = frame_gpu_hard_args(&none, &in.view, &got.view);
    launch(&args, packed ? types[t].hard_packed : types[t].hard_u8, false);
    ok(same(&want, &got), "hard: %u frames of %u LLRs, %s to %s", (unsigned)frames, (unsigned)items,
       fecrun_type_name(types[t].type), packed ? "packed bits" : "bytes");
    free(in.memory), free(want.memory), free(got.memory);
}

/* ---- insert, remove, split, join ---------------------------------------------------------------------- */

enum { INSERT, REMOVE, SPLIT, JOIN, KINDS };

static const struct {
    const struct fecrun_stage *stage;
    const char *name;
} kinds[KINDS] = {{&frame_insert, "insert"},
                  {&frame_remove, "remove"},
                  {&frame_split, "split"},
                  {&frame_join, "join"}};

/* A code, the layout of a call, and the table of the device. */
struct pieces {
    union {
        struct known known;
        struct split_code split;
        struct join_code join;
    } code;
    uint64_t in_items, out_items, in_frames, out_frames;
    void *table;
};

static void draw_known(struct pieces *p, bool insert, uint32_t type)
{
    static const double largest[] = {[FECRUN_I8] = 127, [FECRUN_I16] = 32767, [FECRUN_F32] = 1e9};
    struct known *k = &p->code.known;

    k->at = draw(9), k->count = 1 + draw(40), k->rest = draw(300) + !insert;
    k->value = (enum known_value)(type == FECRUN_U8 ? draw(2) : draw(3));
    k->llr = type == FECRUN_U8 ? 0 : largest[type];
    p->out_items = k->at + k->rest + (insert ? k->count : 0);
    p->in_items = k->at + k->rest + (insert ? 0 : k->count);
    p->out_frames = p->in_frames;
}

static void draw_split(struct pieces *p)
{
    struct split_code *s = &p->code.split;

    s->frame = 1 + draw(100), s->pieces = 1 + draw(5);
    s->last = draw(2) ? s->frame : 1 + draw((uint32_t)s->frame);
    p->in_items = (s->pieces - 1) * s->frame + s->last;
    p->out_items = s->frame;
    p->out_frames = p->in_frames * s->pieces;
}

static void draw_join(struct pieces *p, uint32_t type)
{
    struct join_code *j = &p->code.join;

    j->frame = 1 + draw(100), j->pieces = 1 + draw(5);
    j->word.width = type == FECRUN_U8 ? draw(40) : 0;
    for (unsigned b = 0; b < j->word.width; b++)
        j->word.sign[b] = draw(2) ? 1 : -1;
    p->in_items = j->frame;
    p->out_items = j->pieces * (j->word.width + j->frame);
    p->out_frames = p->in_frames;
    p->in_frames *= j->pieces;
}

static struct frame_pieces_args pieces_args(struct pieces *p, unsigned kind, uint32_t type,
                                            const struct fecrun_call *call, const struct batch *in,
                                            const struct batch *got)
{
    static const struct frame_pieces_class none = {0};
    struct fecrun_error err = {.size = sizeof err};
    size_t bytes;

    if (kind == INSERT)
        p->table = frame_pieces_insert_table(&p->code.known, type, &bytes, &err);
    if (kind == JOIN)
        p->table = frame_pieces_join_table(&p->code.join, &bytes, &err);
    return kind == INSERT   ? frame_pieces_insert(&p->code.known, p->table, &in->view, &got->view)
           : kind == REMOVE ? frame_pieces_remove(&p->code.known, &none, &in->view, &got->view)
           : kind == SPLIT
               ? frame_pieces_split(&p->code.split, &none, call, &in->view, &got->view)
               : frame_pieces_join(&p->code.join, p->table, call, &in->view, &got->view);
}

static void run_pieces(const struct frame_pieces_args *args, uint32_t type)
{
    for (uint64_t f = args->frames.n; f-- > 0;)
        for (uint64_t c = args->chunks + 2; c-- > 0;)
            if (type == FECRUN_F32)
                frame_pieces_32(args, args->classes, f, c);
            else if (type == FECRUN_I16 || type == FECRUN_F16)
                frame_pieces_16(args, args->classes, f, c);
            else
                frame_pieces_8(args, args->classes, f, c);
}

static void try_pieces(unsigned t, unsigned kind)
{
    enum { MOST = 5 * FRAMES };
    const uint32_t type = types[t].type;
    struct fecrun_frame_info info[MOST] = {{0}}, want_info[MOST] = {{0}}, got_info[MOST] = {{0}};
    struct pieces p = {.in_frames = 1 + draw(FRAMES)};
    struct fecrun_call call = {.size = sizeof call, .info = info, .out_info = want_info};
    struct frame_pieces_args args;
    struct batch in, want, got;

    if (kind == INSERT || kind == REMOVE)
        draw_known(&p, kind == INSERT, type);
    else if (kind == SPLIT)
        draw_split(&p);
    else
        draw_join(&p, type);
    for (unsigned i = 0; i < MOST; i++)
        info[i].flags = draw(3) ? FECRUN_FRAME_CHECKED | (draw(2) ? FECRUN_FRAME_FAILED : 0) : 0;
    in = make_batch(type, p.in_frames, p.in_items, false, 0, 0);
    want = make_batch(type, p.out_frames, p.out_items, false, 0, 0);
    got = twin(&want);
    fill(&in);
    run_ref(kinds[kind].stage, &p.code, &call, &in, &want);
    call.out_info = got_info;
    args = pieces_args(&p, kind, type, &call, &in, &got);
    run_pieces(&args, type);
    ok(same(&want, &got) && !memcmp(want_info, got_info, sizeof want_info),
       "%s: %u frames of %u items of %u frames of %u, %s", kinds[kind].name, (unsigned)p.out_frames,
       (unsigned)p.out_items, (unsigned)p.in_frames, (unsigned)p.in_items, fecrun_type_name(type));
    free(in.memory), free(want.memory), free(got.memory), free(p.table);
}

int main(void)
{
    for (unsigned round = 0; round < tap_rounds(4); round++)
        for (unsigned t = 0; t < TYPES; t++) {
            for (unsigned kind = 0; kind < 6 && types[t].interleave; kind++)
                for (unsigned undo = 0; undo < 2; undo++)
                    try_interleave(t, kind, undo);
            for (unsigned stream = 0; stream < 2 && types[t].scramble; stream++)
                try_scramble(t, stream);
            for (unsigned packed = 0; packed < 2 && types[t].hard_u8; packed++)
                try_hard(t, packed);
            for (unsigned kind = 0; kind < 4 * KINDS; kind++)
                if (types[t].interleave && types[t].type != FECRUN_C8 &&
                    (types[t].type != FECRUN_F16 || kind % KINDS >= SPLIT))
                    try_pieces(t, kind % KINDS);
        }
    return done_testing();
}
