/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The threads of the conv.* kernels, one after the other on the CPU, against the references.
 *
 * A round draws all it does from one seed, FECRUN_TEST_SEED for the first and one more for each of
 * the FECRUN_TEST_ROUNDS rounds. Inputs end where their memory ends, for a sanitizer to see.
 */
#include "t/viterbi/viterbi.h"

#include <fecrun/sdk/bits.h>
#include <fecrun/sdk/params.h>
#include <math.h>

#include "plugins/viterbi/code/conv.h"
#include "plugins/viterbi/code/params.h"
#include "plugins/viterbi/cuda/conv.h"
#include "plugins/viterbi/cuda/encode/words.h"
#include "plugins/viterbi/cuda/rate/thread.h"
#include "plugins/viterbi/plugin.h"

enum { MAX_VALUES = 8, GUARD = 32, UNTOUCHED = 0xa5 };

/* One call of a stage: its plan, and a batch for the reference. */
struct trial {
    const struct fecrun_stage *stage;
    struct fecrun_value value[MAX_VALUES];
    const struct fecrun_value *list[MAX_VALUES];
    struct fecrun_values values;
    struct fecrun_frame in, out;
    struct fecrun_plan plan;
    struct fecrun_view from, to; /* the reference's */
    void *memory;                /* that from.data lies in */
};

/* Rows for the threads, anywhere in memory as far as the type allows it. */
struct rows {
    struct fecrun_view view;
    uint8_t *memory;
    size_t bytes;
};

static unsigned failures;
static uint64_t seed;

static void differ(const char *what)
{
    if (failures++ < 10)
        diag("FECRUN_TEST_SEED=%llu FECRUN_TEST_ROUNDS=1: %s", (unsigned long long)seed, what);
}

/* ---- the reference's side ---- */

static void begin(struct trial *t, const struct fecrun_stage *stage, uint32_t kind, uint32_t type)
{
    memset(t, 0, sizeof *t);
    t->stage = stage;
    for (size_t i = 0; i < MAX_VALUES; i++) {
        t->value[i].size = sizeof t->value[i];
        t->list[i] = &t->value[i];
    }
    t->values = (struct fecrun_values){sizeof t->values, MAX_VALUES, t->list};
    t->in = (struct fecrun_frame){.size = sizeof t->in, .kind = kind, .type = type};
    t->out.size = sizeof t->out;
    t->plan.size = sizeof t->plan;
}

static void give(struct trial *t, size_t i, int64_t number)
{
    t->value[i].given = 2;
    t->value[i].i = number;
}

static bool planned(struct trial *t)
{
    const struct fecrun_frame *in[] = {&t->in};
    struct fecrun_frame *out[] = {&t->out};
    struct fecrun_error err = {.size = sizeof err};

    if (!t->stage->plan(NULL, &t->values, in, out, &t->plan, &err))
        return true;
    if (!err.text[0])
        differ("plan() refuses without a text");
    return false;
}

/* Makes views of a type; `before` items lie in front of the input. */
static void make_views(struct trial *t, uint32_t type, uint64_t frames, uint64_t before)
{
    const uint64_t width = fecrun_bytes(type, 1);

    t->memory = get(width * (before + frames * t->in.items));
    t->from = (struct fecrun_view){.size = sizeof t->from,
                                   .data = (uint8_t *)t->memory + width * before,
                                   .type = type,
                                   .frames = frames,
                                   .items = t->in.items,
                                   .stride = width * t->in.items,
                                   .before = before};
    t->to = t->from;
    t->to.before = 0;
    t->to.items = t->out.items;
    t->to.stride = width * t->out.items;
    t->to.data = get(t->to.stride * frames);
}

static void run_reference(struct trial *t)
{
    void *const codes[] = {t->plan.code};
    const struct fecrun_call call = {.size = sizeof call, .codes = codes};
    const struct fecrun_view *in[] = {&t->from};
    struct fecrun_view *out[] = {&t->to};
    struct fecrun_error err = {.size = sizeof err};

    if (t->stage->backends[0]->run(t->plan.code, &call, in, out, &err))
        bail("%s: %s", t->stage->name, err.text);
}

static void end(struct trial *t)
{
    free(t->memory);
    free(t->to.data);
    t->stage->plan_free(t->plan.code);
}

static void draw_bits(const struct trial *t)
{
    const uint64_t n = t->from.before + t->from.frames * t->from.items;
    uint8_t *bits = t->memory;

    for (uint64_t i = 0; i < n; i++)
        bits[i] = draw(2) == 1;
}

/* ---- the threads' side ---- */

static void make_rows(struct rows *rows, const struct fecrun_view *like, uint32_t type, bool output)
{
    const unsigned align = type == FECRUN_PACKED ? 1 : (unsigned)fecrun_bytes(type, 1);
    const uint64_t stride = fecrun_bytes(type, like->items);
    const size_t front = align * draw(16 / align) + fecrun_bytes(type, like->before) +
                         (output ? GUARD : 0);

    rows->view = *like;
    rows->view.type = type;
    rows->view.stride = stride;
    rows->bytes = front + stride * like->frames + (output ? GUARD : 0);
    rows->memory = get(rows->bytes + FECRUN_SLACK); /* threads may read behind the last frame */
    rows->view.data = rows->memory + front;
    memset(rows->memory, UNTOUCHED, rows->bytes + FECRUN_SLACK);
}

/* The reference's input in another form. */
static void fill_rows(struct rows *rows, const struct fecrun_view *like)
{
    uint8_t *to = rows->view.data;
    const uint8_t *from = like->data;

    if (rows->view.type != FECRUN_PACKED) {
        const size_t front = fecrun_bytes(like->type, like->before);

        memcpy(to - front, from - front, front + like->stride * like->frames);
        return;
    }
    fecrun_bits_pack(to - like->before / 8, from - like->before, like->before);
    for (uint64_t f = 0; f < like->frames; f++)
        fecrun_bits_pack(to + f * rows->view.stride, from + f * like->stride, like->items);
}

/* What the threads wrote must be what the reference wrote, and nothing else. */
static void judge(const struct rows *rows, const struct fecrun_view *want, const char *what)
{
    uint8_t *all = get(rows->bytes);
    const size_t front = (size_t)((uint8_t *)rows->view.data - rows->memory);

    memset(all, UNTOUCHED, rows->bytes);
    for (uint64_t f = 0; f < want->frames; f++) {
        uint8_t *row = all + front + f * rows->view.stride;

        if (rows->view.type == FECRUN_PACKED)
            fecrun_bits_pack(row, fecrun_row(want, f), want->items);
        else
            memcpy(row, fecrun_row(want, f), want->stride);
    }
    if (memcmp(all, rows->memory, rows->bytes))
        differ(what);
    free(all);
}

/* ---- conv.encode ---- */

static void run_encode(const struct conv_encode_args *a)
{
    const uint64_t wide = fecrun_chunks(conv_encode_row_bytes(a, a->bits, 1), CONV_WORDS_BYTES);
    const uint64_t chunks = fecrun_chunks(conv_encode_row_bytes(a, a->bits, a->out_packed),
                                          conv_encode_unit(a->out_packed));

    if (conv_by_frames(a, a->bits) && one_in(2)) {
        for (uint64_t f = 0; f < a->frames; f++)
            conv_encode_frame(a, a->n, f, a->out + f * a->out_stride);
        return;
    }
    for (uint64_t f = 0; f < a->frames && conv_by_words(a); f++)
        for (uint64_t c = 0; c < wide; c++)
            conv_encode_words(a, a->n, f, c);
    for (uint64_t f = 0; f < a->frames && !conv_by_words(a); f++)
        for (uint64_t c = 0; c < chunks; c++)
            conv_encode_chunk(a, a->n, a->in_packed, a->out_packed, f, c);
}

static void try_encode(const struct trial *t, uint32_t in_type, uint32_t out_type)
{
    const struct fecrun_error none = {.size = sizeof none};
    struct fecrun_error err = none;
    struct rows in, out;
    struct conv_encode_args args;
    const bool whole = t->from.before % 8 == 0 && (t->from.frames == 1 || t->from.items % 8 == 0);
    char what[120];

    if (in_type == FECRUN_PACKED && t->from.before % 8)
        return; /* there is no such memory */
    make_rows(&in, &t->from, in_type, false);
    make_rows(&out, &t->to, out_type, true);
    fill_rows(&in, &t->from);
    snprintf(what, sizeof what, "conv.encode, form %u>%u: %.60s, %llu bits", in_type, out_type,
             t->plan.note, (unsigned long long)t->from.items);
    if (!conv_encode_prepare(&args, t->plan.code, &in.view, &out.view, &err)) {
        run_encode(&args);
        judge(&out, &t->to, what);
    } else if (!t->in.stream || in_type != FECRUN_PACKED || whole) {
        differ(err.text);
    }
    free(in.memory);
    free(out.memory);
}

static void choose_encode(struct trial *t, int64_t gen[VITERBI_MAX_N],
                          int64_t inverted[VITERBI_MAX_N])
{
    const enum viterbi_termination termination = draw(TERMINATIONS);
    struct viterbi_code code;

    any_code(&code, VITERBI_MAX_K, VITERBI_MAX_N);
    for (unsigned j = 0; j < code.n; j++) {
        gen[j] = code.gen[j];
        inverted[j] = code.inverted[j];
    }
    give(t, VITERBI_P_CONSTRAINT_LENGTH, code.K);
    give(t, VITERBI_P_GENERATORS, 0);
    give(t, VITERBI_P_INVERTED, 0);
    give(t, VITERBI_P_TERMINATION, termination);
    t->value[VITERBI_P_GENERATORS].count = t->value[VITERBI_P_INVERTED].count = code.n;
    t->value[VITERBI_P_GENERATORS].ints = gen;
    t->value[VITERBI_P_INVERTED].ints = inverted;
    t->in.stream = termination == VITERBI_CONTINUOUS;
    t->in.items = 1 + draw(one_in(3) ? 30 : one_in(8) ? 3000 : 200);
    if (termination == VITERBI_TAIL_BITING && t->in.items < code.K - 1)
        t->in.items = code.K - 1;
    if (one_in(2))
        t->in.items = (t->in.items + 7) / 8 * 8;
}

static void round_of_encode(void)
{
    int64_t gen[VITERBI_MAX_N], inverted[VITERBI_MAX_N];
    struct trial t;

    begin(&t, &conv_encode_stage, FECRUN_KIND_BITS, FECRUN_U8);
    choose_encode(&t, gen, inverted);
    if (!planned(&t))
        bail("conv.encode refuses its parameters");
    make_views(&t, FECRUN_U8, 1 + draw(6),
               t.in.stream ? one_in(2) ? 8 * draw(4) : draw((unsigned)t.plan.before + 3) : 0);
    draw_bits(&t);
    run_reference(&t);
    try_encode(&t, FECRUN_PACKED, FECRUN_PACKED);
    try_encode(&t, FECRUN_U8, FECRUN_PACKED);
    try_encode(&t, FECRUN_U8, FECRUN_U8);
    end(&t);
}

/* ---- conv.puncture, conv.depuncture, conv.rate_match ---- */

/* A warp: its lanes in step, each making a bit of each word. */
static void run_warp(const struct conv_gather_args *call, uint64_t f, uint64_t first)
{
    const struct conv_gather_args frame = conv_gather_frame(call, f), *a = &frame;
    const uint64_t all = (a->items + CONV_WARP - 1) / CONV_WARP, left = all - first;
    const unsigned n = left < CONV_WARP ? (unsigned)left : CONV_WARP;
    uint32_t word[CONV_WARP] = {0};

    for (unsigned lane = 0; lane < CONV_WARP; lane++) {
        uint64_t i = CONV_WARP * first + lane;
        struct conv_walk walk = conv_walk_to(a, i);

        for (unsigned k = 0; k < n; k++, i += CONV_WARP) {
            if (i < a->items)
                word[k] |= conv_gather_bit(a, a->in, &walk) << (31 - lane);
            conv_walk_on(a, &walk, CONV_WARP / a->period, CONV_WARP % a->period);
        }
    }
    for (unsigned k = 0; k < n; k++)
        conv_gather_store(a, first + k, word[k]);
}

/* A thread makes a frame. */
static void run_short(const struct conv_gather_args *a)
{
    static _Alignas(8) uint16_t entry[CONV_SHORT_OUT];
    static uint32_t word[CONV_SHORT * CONV_PITCH];

    for (unsigned i = 0; i < a->items; i++)
        entry[i] = conv_match_entry(a->place[i % a->period]);
    for (uint64_t f = 0; f < a->frames; f++) {
        const struct conv_gather_args own = conv_gather_frame(a, f);

        conv_match_load(own.in, a->period, word);
        for (unsigned w = 0; 32 * w < a->items; w++) {
            const unsigned n = (unsigned)a->items - 32 * w;
            const uint32_t made = conv_match_word(word, entry + 32 * w);

            conv_gather_store(&own, w, n < 32 ? made & UINT32_MAX << (32 - n) : made);
        }
    }
}

static void run_gather(const struct conv_gather_args *a)
{
    const uint64_t words = (a->items + CONV_WARP - 1) / CONV_WARP;
    const uint64_t chunks = a->item_bytes ? fecrun_chunks(a->items * a->item_bytes,
                                                          CONV_ITEMS * a->item_bytes)
                                          : 0;

    if (conv_match_is_short(a) && one_in(2)) {
        run_short(a);
        return;
    }
    for (uint64_t f = 0; f < a->frames; f++) {
        for (uint64_t w = 0; !a->item_bytes && w < words; w += CONV_WARP)
            run_warp(a, f, w);
        for (uint64_t c = 0; c < chunks; c++)
            if (a->item_bytes == 1)
                conv_gather_8(a, f, c);
            else if (a->item_bytes == 2)
                conv_gather_16(a, f, c);
            else
                conv_gather_32(a, f, c);
    }
}

typedef int prepare_gather(struct conv_gather_args *args, const struct trial *t,
                           const struct rows *in, const struct rows *out, struct fecrun_error *err);

static void try_gather(const struct trial *t, uint32_t type, prepare_gather *prepare,
                       const uint32_t *table)
{
    struct fecrun_error err = {.size = sizeof err};
    struct conv_gather_args args;
    struct rows in, out;
    char what[120];

    make_rows(&in, &t->from, type, false);
    make_rows(&out, &t->to, type, true);
    fill_rows(&in, &t->from);
    snprintf(what, sizeof what, "%s, type %u, %llu > %llu items: %.50s", t->stage->name, type,
             (unsigned long long)t->from.items, (unsigned long long)t->to.items, t->plan.note);
    if (prepare(&args, t, &in, &out, &err)) {
        differ(err.text);
    } else {
        args.place = table;
        run_gather(&args);
        judge(&out, &t->to, what);
    }
    free(in.memory);
    free(out.memory);
}

static int prepare_puncture(struct conv_gather_args *args, const struct trial *t,
                            const struct rows *in, const struct rows *out, struct fecrun_error *err)
{
    return conv_puncture_prepare(args, t->plan.code, &in->view, &out->view, err);
}

static int prepare_depuncture(struct conv_gather_args *args, const struct trial *t,
                              const struct rows *in, const struct rows *out,
                              struct fecrun_error *err)
{
    return conv_depuncture_prepare(args, t->plan.code, &in->view, &out->view, err);
}

static int prepare_match(struct conv_gather_args *args, const struct trial *t,
                         const struct rows *in, const struct rows *out, struct fecrun_error *err)
{
    (void)err;
    conv_match_prepare(args, t->plan.code, &in->view, &out->view);
    return 0;
}

/* A pattern, as rows of text in one piece of memory; its size in steps. */
static char *draw_pattern(const char *rows[VITERBI_MAX_N], unsigned *n, unsigned *columns)
{
    const unsigned density = 1 + draw(6);
    char *text;

    *n = 1 + draw(VITERBI_MAX_N);
    *columns = 1 + draw(one_in(30) ? 4096 : one_in(3) ? 100 : 9);
    text = get(*n * (*columns + 1));
    for (unsigned j = 0; j < *n; j++) {
        char *row = text + j * (*columns + 1);

        for (unsigned t = 0; t < *columns; t++)
            row[t] = one_in(density) ? '0' : '1';
        row[*columns] = 0;
        rows[j] = row;
    }
    return text;
}

/* What conv.puncture sent comes back. */
static void try_depuncture(const struct trial *forth, uint32_t type, size_t period)
{
    uint32_t *rank = get(period * sizeof *rank);
    struct trial t;

    begin(&t, &conv_depuncture_stage, FECRUN_KIND_LLR, type);
    memcpy(t.value, forth->value, sizeof t.value);
    give(&t, 3, (int64_t)forth->in.items);
    t.in.items = forth->out.items;
    if (!planned(&t))
        bail("conv.depuncture does not take what conv.puncture gives");
    make_views(&t, type, 1 + draw(4), 0);
    for (uint64_t b = 0; b < t.from.frames * t.from.stride; b++)
        ((uint8_t *)t.memory)[b] = (uint8_t)draw(256);
    run_reference(&t);
    conv_depuncture_table(t.plan.code, rank);
    try_gather(&t, type, prepare_depuncture, rank);
    free(rank);
    end(&t);
}

static void round_of_puncture(void)
{
    const char *rows[VITERBI_MAX_N];
    struct trial t;
    unsigned n, columns;
    char *text = draw_pattern(rows, &n, &columns);

    begin(&t, &conv_puncture_stage, FECRUN_KIND_BITS, FECRUN_U8);
    give(&t, 2, 0);
    t.value[2].count = n;
    t.value[2].strings = rows;
    t.in.items = n * (1 + draw(one_in(8) ? 1500 : 100));
    if (planned(&t)) { /* not where it would send nothing */
        make_views(&t, FECRUN_U8, 1 + draw(6), 0);
        draw_bits(&t);
        run_reference(&t);
        try_gather(&t, FECRUN_PACKED, prepare_puncture,
                   ((struct puncture_code *)t.plan.code)->place);
        try_gather(&t, FECRUN_U8, prepare_puncture, ((struct puncture_code *)t.plan.code)->place);
        try_depuncture(&t, FECRUN_I8, n * columns);
        try_depuncture(&t, FECRUN_I16, n * columns);
        try_depuncture(&t, FECRUN_F32, n * columns);
        end(&t);
    }
    free(text);
}

static void round_of_match(void)
{
    struct trial t;
    const unsigned steps = 1 + draw(one_in(4) ? 40 : one_in(8) ? 2100 : 300);

    begin(&t, &conv_rate_match_stage, FECRUN_KIND_BITS, FECRUN_U8);
    give(&t, 1, 1 + draw(one_in(2) ? 3 * steps : 10 * steps));
    t.in.items = 3 * steps;
    if (!planned(&t))
        bail("conv.rate_match refuses its parameters");
    make_views(&t, FECRUN_U8, 1 + draw(6), 0);
    draw_bits(&t);
    run_reference(&t);
    try_gather(&t, FECRUN_PACKED, prepare_match, ((struct rate_code *)t.plan.code)->place);
    try_gather(&t, FECRUN_U8, prepare_match, ((struct rate_code *)t.plan.code)->place);
    end(&t);
}

/* ---- conv.rate_recover ---- */

static void draw_llrs(const struct trial *t)
{
    const uint64_t n = t->from.frames * t->from.items;
    const bool whole = t->in.type != FECRUN_F32;

    for (uint64_t i = 0; i < n; i++) {
        if (t->from.type == FECRUN_I8)
            ((int8_t *)t->memory)[i] = (int8_t)draw(256);
        else if (t->from.type == FECRUN_I16)
            ((int16_t *)t->memory)[i] = (int16_t)draw(one_in(2) ? 65536 : 400);
        else if (!whole && one_in(20))
            ((float *)t->memory)[i] = one_in(3) ? NAN : one_in(2) ? INFINITY : -INFINITY;
        else
            ((float *)t->memory)[i] = ((float)draw(20001) - 10000) *
                                      (whole       ? 1
                                       : one_in(9) ? 1e30f
                                                   : 1e-3f * (float)draw(99));
    }
}

/* Items at..at + 3 of a frame. */
static void recover_short(const struct conv_recover_args *a, uint64_t f, uint64_t at)
{
    const struct conv_recover_args own = conv_recover_frame(a, f);
    uint16_t rank[CONV_ITEMS];
    int32_t item[CONV_ITEMS];

    for (unsigned i = 0; i < CONV_ITEMS; i++)
        rank[i] = at + i < own.mother ? (uint16_t)own.rank[at + i] : UINT16_MAX;
    conv_recover_short((const int8_t *)own.in, rank, own.mother, (uint32_t)own.e,
                       (int32_t)own.limit, item);
    for (unsigned i = 0; i < CONV_ITEMS && at + i < own.mother; i++)
        own.out[at + i] = (uint8_t)item[i];
}

static void run_recover(const struct conv_recover_args *a)
{
    const unsigned size = a->type == FECRUN_I8 ? 1 : a->type == FECRUN_I16 ? 2 : 4;
    const uint64_t chunks = fecrun_chunks((uint64_t)a->mother * size, CONV_ITEMS * size);

    for (uint64_t f = 0; f < a->frames; f++)
        for (uint64_t c = 0; c < chunks; c++)
            if (size == 1 && f % 3 == 2 && a->e < UINT16_MAX)
                recover_short(a, f, 4 * c);
            else if (size == 1 && f % 3)
                conv_recover_i8_long(a, f, c);
            else if (size == 1)
                conv_recover_i8(a, f, c);
            else if (size == 2)
                conv_recover_i16(a, f, c);
            else
                conv_recover_f32(a, f, c);
}

static void round_of_recover(void)
{
    static const uint32_t naturals[] = {FECRUN_I4, FECRUN_I8, FECRUN_I16, FECRUN_F32};
    static const uint32_t types[] = {FECRUN_I8, FECRUN_I16, FECRUN_F32};
    const unsigned natural = draw(4), least = natural > 1 ? natural - 1 : 0;
    const unsigned steps = 1 + draw(one_in(4) ? 40 : one_in(8) ? 2100 : 300);
    uint32_t *rank;
    struct conv_recover_args args;
    struct rows in, out;
    struct trial t;
    char what[100];

    begin(&t, &conv_rate_recover_stage, FECRUN_KIND_LLR, naturals[natural]);
    give(&t, 2, steps);
    t.in.items = 1 + draw(one_in(2) ? 3 * steps : 20 * steps);
    if (!planned(&t))
        bail("conv.rate_recover refuses its parameters");
    make_views(&t, types[least + draw(3 - least)], 1 + draw(4), 0);
    draw_llrs(&t);
    run_reference(&t);
    make_rows(&in, &t.from, t.from.type, false);
    make_rows(&out, &t.to, t.to.type, true);
    fill_rows(&in, &t.from);
    rank = get((CONV_STREAMS * steps + 2 * CONV_PAD) * sizeof *rank);
    conv_recover_table(t.plan.code, rank);
    conv_recover_prepare(&args, t.plan.code, &in.view, &out.view);
    args.rank = rank + CONV_PAD;
    run_recover(&args);
    snprintf(what, sizeof what, "conv.rate_recover, type %u for %u, e %llu, k %u", t.from.type,
             t.in.type, (unsigned long long)t.from.items, steps);
    judge(&out, &t.to, what);
    free(rank);
    free(in.memory);
    free(out.memory);
    end(&t);
}

/* The LLRs of 8 steps, each twice: one value first, then another. */
static void test_no_numbers(void)
{
    static const float llr[][3] = {/* both and the sum */
                                   {3.5f, NAN, 3.5f},
                                   {3.5f, INFINITY, 1048576},
                                   {-INFINITY, INFINITY, 0},
                                   {NAN, NAN, 0},
                                   {3.5f, -3e30f, -1048572.5f}};
    enum { WAYS = sizeof llr / sizeof *llr, STEPS = 8, N = CONV_STREAMS * STEPS };
    unsigned wrong = 0;
    struct trial t;

    begin(&t, &conv_rate_recover_stage, FECRUN_KIND_LLR, FECRUN_F32);
    give(&t, 2, STEPS);
    t.in.items = (uint64_t)2 * N;
    if (!planned(&t))
        bail("conv.rate_recover refuses its parameters");
    make_views(&t, FECRUN_F32, WAYS, 0);
    for (size_t f = 0; f < WAYS; f++)
        for (size_t i = 0; i < 2 * N; i++)
            ((float *)t.memory)[f * 2 * N + i] = llr[f][i >= N];
    run_reference(&t);
    for (size_t i = 0; i < (size_t)WAYS * N; i++)
        wrong += !(((float *)t.to.data)[i] == llr[i / N][2]);
    is_int(wrong, 0, "conv.rate_recover: a NaN is 0, and no LLR is beyond 2^20");
    end(&t);
}

int main(void)
{
    static const struct {
        const char *what;
        void (*round)(void);
    } parts[] = {{"conv.encode", round_of_encode},
                 {"conv.puncture, conv.depuncture", round_of_puncture},
                 {"conv.rate_match", round_of_match},
                 {"conv.rate_recover", round_of_recover}};
    const uint64_t n = rounds(10000), first = number_of_env("FECRUN_TEST_SEED", 1);

    test_no_numbers();
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        failures = 0;
        for (seed = first; seed < first + n; seed++) {
            seed_rng(seed);
            parts[i].round();
        }
        ok(!failures, "%s: %llu rounds, the threads give the reference's bytes", parts[i].what,
           (unsigned long long)n);
    }
    return done_testing();
}
