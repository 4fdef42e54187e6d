/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The CUDA kernels of ldpc.encode, ldpc.rate_match and ldpc.rate_recover on the CPU: whole blocks of
 * threads of the encoder, whose words must fulfil all checks of H; threads of rate matching, one
 * after the other, against the references. Batches of frames of one size, and of several.
 *
 * A round draws all it does from one seed, FECRUN_TEST_SEED for the first and one more for each of
 * the FECRUN_TEST_ROUNDS rounds.
 */

/* Its longjmp() takes a jump to another stack for an attack. */
#undef _FORTIFY_SOURCE

#include "t/lib/tap.h"

#if !defined(__GLIBC__) || defined(__SANITIZE_THREAD__)
int main(void)
{
    skip_all("no coroutines here");
}
#else

#include "t/lib/cuda_emulate.h"

#include <math.h>

#include "core/sdk/params.h"
#include "plugins/ldpc/code/code.h"
#include "plugins/ldpc/cuda/encode/launch.h"
#include "plugins/ldpc/cuda/encode/block.h"
#include "plugins/ldpc/plugin.h"
#include "plugins/ldpc/cuda/rate/match.h"
#include "plugins/ldpc/cuda/rate/launch.h"
#include "plugins/ldpc/cuda/rate/thread.h"
#include "plugins/ldpc/cuda/rate/recover.h"

enum { MAX_CLASSES = 4, MAX_FRAMES = 9, GUARD = 64, UNTOUCHED = 0xa5 };

static uint64_t rng_state, seed;
static unsigned failures;

static unsigned draw(unsigned n)
{
    uint64_t z = rng_state += 0x9e3779b97f4a7c15u;

    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return (unsigned)((z ^ z >> 31) >> 32) % n;
}

static bool one_in(unsigned n)
{
    return draw(n) == 0;
}

static void *get(size_t bytes)
{
    void *p = malloc(bytes + !bytes);

    if (!p)
        bail("out of memory");
    return p;
}

static void TAP_PRINTF(1, 2) differ(const char *format, ...)
{
    char text[300];
    va_list ap;

    va_start(ap, format);
    vsnprintf(text, sizeof text, format, ap);
    va_end(ap);
    if (failures++ < 10)
        diag("FECRUN_TEST_SEED=%llu FECRUN_TEST_ROUNDS=1: %s", (unsigned long long)seed, text);
}

/* ---- batches ------------------------------------------------------------------------------- */

/* Which frames a batch has. */
struct batch {
    unsigned n_classes, frames;
    uint32_t class_of[MAX_FRAMES];
};

/* A port: frames anywhere in memory, as far as the type allows it. */
struct rows {
    uint8_t *memory, *data;
    size_t bytes;
    uint32_t type;
    uint64_t items[MAX_CLASSES];
    uint64_t offset[MAX_FRAMES + 1];
    struct gpu_port port;
};

static void draw_batch(struct batch *b, unsigned n_classes)
{
    b->n_classes = n_classes;
    b->frames = 1 + draw(MAX_FRAMES);
    for (unsigned f = 0; f < b->frames; f++)
        b->class_of[f] = draw(n_classes);
}

/* The input ends where its memory ends, for a sanitizer to see; round the output is a guard. */
static void make_rows(struct rows *r, const struct batch *b, uint32_t type,
                      const uint64_t items[MAX_CLASSES], bool output)
{
    const unsigned align = type == FECRUN_PACKED ? 1 : (unsigned)fecrun_bytes(type, 1);
    const size_t front = align * draw(32 / align) + (output ? GUARD : 0);
    uint64_t at = 0;

    memset(r, 0, sizeof *r);
    r->type = type;
    for (unsigned c = 0; c < b->n_classes; c++)
        r->items[c] = items[c];
    for (unsigned f = 0; f < b->frames; f++) {
        r->offset[f] = at;
        at += fecrun_bytes(type, items[b->class_of[f]]);
    }
    r->offset[b->frames] = at;
    r->bytes = front + at + (output ? GUARD : 0);
    r->memory = get(r->bytes);
    memset(r->memory, UNTOUCHED, r->bytes);
    r->data = r->memory + front;
    r->port = (struct gpu_port){.data = r->data};
    if (b->n_classes > 1)
        r->port.offset = r->offset;
    else
        r->port.stride = fecrun_bytes(type, items[0]);
}

static uint8_t *row_of(const struct rows *r, unsigned f)
{
    return r->data + r->offset[f];
}

static unsigned bit_of(const struct rows *r, unsigned f, uint64_t i)
{
    const uint8_t *row = row_of(r, f);

    return r->type == FECRUN_PACKED ? row[i / 8] >> (7 - i % 8) & 1u : row[i];
}

static void draw_bits(struct rows *r, const struct batch *b)
{
    for (unsigned f = 0; f < b->frames; f++) {
        const uint64_t n = r->items[b->class_of[f]];
        uint8_t *row = row_of(r, f);

        memset(row, 0, fecrun_bytes(r->type, n));
        for (uint64_t i = 0; i < n; i++)
            if (r->type == FECRUN_PACKED)
                row[i / 8] |= (uint8_t)(draw(2) << (7 - i % 8));
            else
                row[i] = (uint8_t)draw(2);
    }
}

/* All that is no item must be as it was, or zero in a frame's last byte. */
static bool is_intact(const struct rows *r, const struct batch *b)
{
    const size_t front = (size_t)(r->data - r->memory);

    for (size_t i = 0; i < r->bytes; i++)
        if ((i < front || i >= front + r->offset[b->frames]) && r->memory[i] != UNTOUCHED)
            return false;
    for (unsigned f = 0; f < b->frames && r->type == FECRUN_PACKED; f++) {
        const uint64_t n = r->items[b->class_of[f]];

        if (n % 8 && row_of(r, f)[n / 8] & (0xff >> n % 8))
            return false;
    }
    return true;
}

static struct gpu_frames frames_of(const struct batch *b)
{
    return (struct gpu_frames){.n = b->frames, .class_of = b->n_classes > 1 ? b->class_of : NULL};
}

/* ---- the encoder --------------------------------------------------------------------------- */

static const uint32_t lifting[] = {2,   3,   4,   5,   6,   7,   8,   9,   10,  11,  12,  13,  14,
                                   15,  16,  18,  20,  22,  24,  26,  28,  30,  32,  36,  40,  44,
                                   48,  52,  56,  60,  64,  72,  80,  88,  96,  104, 112, 120, 128,
                                   144, 160, 176, 192, 208, 224, 240, 256, 288, 320, 352, 384};

enum { LIFTINGS = sizeof lifting / sizeof lifting[0] };

struct encoders {
    struct ldpc_code *code[MAX_CLASSES];
    struct ldpc_encode_class classes[MAX_CLASSES];
    struct ldpc_encode_table table;
    struct ldpc_encode_args args;
    bool in_packed, out_packed;
};

static void block_body(void *arg)
{
    struct encoders *e = arg;
    static uint32_t shared[LDPC_ENCODE_MAX_WORDS];

    ldpc_encode_block(&e->args, e->in_packed, e->out_packed, shared);
}

/* Lifted column v of the word that went in and came out. */
static unsigned column_bit(const struct ldpc_code *c, const uint32_t *item, const struct rows *in,
                           const struct rows *out, unsigned f, uint32_t v)
{
    if (item[v] != UINT32_MAX)
        return bit_of(out, f, item[v]);
    return v < c->k - c->fillers ? bit_of(in, f, v) : 0;
}

static bool is_word(const struct ldpc_code *c, const struct rows *in, const struct rows *out,
                    unsigned f)
{
    uint32_t *item = get(c->cols * c->z * sizeof *item);
    bool good = true;

    memset(item, 0xff, c->cols * c->z * sizeof *item);
    for (uint32_t i = 0; i < c->n; i++)
        item[ldpc_place(c, i)] = i;
    for (uint32_t i = 0; i < c->k && good; i++)
        good = column_bit(c, item, in, out, f, ldpc_info(c, i)) ==
               (i < c->k - c->fillers ? bit_of(in, f, i) : 0);
    for (uint32_t r = 0; r < c->rows && good; r++)
        for (uint32_t lane = 0; lane < c->z && good; lane++) {
            unsigned sum = 0;

            for (uint32_t e = c->row_first[r]; e < c->row_first[r + 1]; e++)
                if (lane != c->edge[e].skip)
                    sum ^= column_bit(c, item, in, out, f,
                                      c->edge[e].col * c->z + (lane + c->edge[e].shift) % c->z);
            good = !sum;
        }
    free(item);
    return good;
}

static void start_encoders(struct encoders *e, const struct batch *b, const struct rows *in,
                           const struct rows *out)
{
    e->args = (struct ldpc_encode_args){.frames = frames_of(b),
                                        .in = in->port,
                                        .out = out->port,
                                        .classes = e->classes,
                                        .table = e->table.entry};
    for (unsigned c = 0; c < b->n_classes; c++) {
        const uint32_t words = ldpc_encode_words(&e->classes[c]);
        const uint32_t group = ldpc_encode_group(&e->classes[c]);

        e->args.shared = words > e->args.shared ? words : e->args.shared;
        e->args.group = group > e->args.group ? group : e->args.group;
    }
    e->in_packed = in->type == FECRUN_PACKED;
    e->out_packed = out->type == FECRUN_PACKED;
    gridDim.x = (b->frames * e->args.group + LDPC_ENCODE_THREADS - 1) / LDPC_ENCODE_THREADS;
    for (blockIdx.x = 0; blockIdx.x < gridDim.x; blockIdx.x++)
        emu_block(block_body, e, LDPC_ENCODE_THREADS, draw(1000));
}

static void try_encoders(struct encoders *e, unsigned n_classes)
{
    uint64_t bits[MAX_CLASSES], items[MAX_CLASSES];
    struct fecrun_error err = {.size = sizeof err};
    struct rows in, out;
    struct batch b;

    memset(&e->table, 0, sizeof e->table);
    for (unsigned c = 0; c < n_classes; c++) {
        if (ldpc_encode_plan(&e->table, &e->classes[c], e->code[c], &err))
            bail("no plan: %s", err.text);
        bits[c] = e->code[c]->k - e->code[c]->fillers;
        items[c] = e->code[c]->n;
    }
    draw_batch(&b, n_classes);
    make_rows(&in, &b, one_in(2) ? FECRUN_PACKED : FECRUN_U8, bits, false);
    make_rows(&out, &b, one_in(2) ? FECRUN_PACKED : FECRUN_U8, items, true);
    draw_bits(&in, &b);
    start_encoders(e, &b, &in, &out);
    for (unsigned f = 0; f < b.frames; f++) {
        const struct ldpc_code *c = e->code[b.class_of[f]];

        if (!is_word(c, &in, &out, f))
            differ("family %d, z %u, k %u, n %u, %u fillers, form %u>%u: frame %u is no word",
                   (int)c->family, c->z, c->k, c->n, c->fillers, in.type, out.type, f);
    }
    if (!is_intact(&out, &b))
        differ("wrote where nothing is to be written");
    free(in.memory);
    free(out.memory);
    free(e->table.entry);
    for (unsigned c = 0; c < n_classes; c++)
        ldpc_code_free(e->code[c]);
}

static struct ldpc_code *made(struct ldpc_code *code, const struct fecrun_error *err)
{
    if (!code)
        bail("no code: %s", err->text);
    return code;
}

static struct ldpc_code *nr_code(uint32_t bg, uint32_t z, bool with_fillers)
{
    struct fecrun_error err = {.size = sizeof err};
    const uint32_t columns = bg == 1 ? 22 : 10;

    return made(ldpc_code_nr(bg, z, with_fillers ? draw((columns - 2) * z) : 0, &err), &err);
}

/* All of them in turn, then batches of several. */
static void round_of_nr(uint64_t round)
{
    struct encoders e;
    unsigned n_classes = 1;

    if (round < 2 * LIFTINGS) {
        e.code[0] = nr_code(1 + round % 2, lifting[round / 2], one_in(2));
    } else {
        n_classes = 2 + draw(MAX_CLASSES - 1);
        for (unsigned c = 0; c < n_classes; c++)
            e.code[c] = nr_code(1 + draw(2), lifting[draw(LIFTINGS)], one_in(2));
    }
    try_encoders(&e, n_classes);
}

static void round_of_80211(uint64_t round)
{
    static const char *const rates[] = {"1/2", "2/3", "3/4", "5/6"};
    struct fecrun_error err = {.size = sizeof err};
    struct encoders e;

    e.code[0] = made(ldpc_code_wifi(648 * (1 + round / 4 % 3), rates[round % 4], &err), &err);
    try_encoders(&e, 1);
}

static void round_of_80216(uint64_t round)
{
    static const char *const rates[] = {"1/2", "2/3A", "2/3B", "3/4A", "3/4B", "5/6"};
    struct fecrun_error err = {.size = sizeof err};
    struct encoders e;

    e.code[0] = made(ldpc_code_wimax(576 + 96 * (uint32_t)(round / 6 % 19), rates[round % 6], &err),
                     &err);
    try_encoders(&e, 1);
}

static void round_of_dvbs2(uint64_t round)
{
    static const char *const rates[] = {"1/4", "1/3", "2/5", "1/2", "3/5", "2/3",
                                        "3/4", "4/5", "5/6", "8/9", "9/10"};
    struct fecrun_error err = {.size = sizeof err};
    const bool short_frame = round % 2 && round % 22 != 21; /* which has no 9/10 */
    struct encoders e;

    e.code[0] = made(ldpc_code_dvbs2(short_frame, rates[round / 2 % 11], &err), &err);
    try_encoders(&e, 1);
}

/* ---- rate matching ------------------------------------------------------------------------- */

struct rates {
    struct ldpc_rate rate[MAX_CLASSES];
    struct ldpc_rate_class classes[MAX_CLASSES];
    struct ldpc_rate_args args;
};

/* rows: of the interleaver; 0: any. */
static void draw_rate(struct ldpc_rate *rate, uint32_t rows)
{
    static const uint32_t qm[] = {1, 2, 4, 6, 8};
    struct fecrun_error err = {.size = sizeof err};
    struct ldpc_rate_params p = {.bg = 1 + draw(2), .rv = draw(4), .qm = rows ? rows : qm[draw(5)]};
    uint32_t n;

    p.z = lifting[draw(one_in(5) ? LIFTINGS : 20)];
    n = (p.bg == 1 ? 66 : 50) * p.z;
    p.fillers = one_in(2) ? draw((p.bg == 1 ? 20 : 8) * p.z) : 0;
    p.ncb = one_in(2) ? 0 : 1 + draw(n);
    p.e = p.qm * (1 + draw((one_in(3) ? 3 * n : n) / p.qm));
    if (one_in(20))
        p.e = p.qm * (1 + draw(20 * n) / p.qm);
    if (!ldpc_rate_make(rate, &p, &err))
        return;
    p.ncb = 0; /* where all of the buffer was fillers */
    if (ldpc_rate_make(rate, &p, &err))
        bail("no rate matching: %s", err.text);
}

static void start_match(struct rates *r, uint32_t type)
{
    for (uint64_t f = 0; f < r->args.frames.n; f++) {
        const struct ldpc_rate_class *own = &r->classes[gpu_class(&r->args.frames, f)];
        const struct ldpc_rate_frame at = ldpc_rate_frame(&r->args, f);

        for (uint32_t c = 0; c < ldpc_rate_chunks_of(&own->rate, type); c++)
            if (type == FECRUN_PACKED)
                ldpc_match_packed(own, &at, c);
            else
                ldpc_match_u8(own, &at, c);
    }
}

static void start_recover(struct rates *r, uint32_t type)
{
    static void (*const recover[])(const struct ldpc_rate_args *, const struct ldpc_rate_class *,
                                   uint64_t, uint64_t) = {[FECRUN_I8] = ldpc_recover_i8,
                                                          [FECRUN_I16] = ldpc_recover_i16,
                                                          [FECRUN_F32] = ldpc_recover_f32};

    for (uint64_t f = 0; f < r->args.frames.n; f++) {
        const struct ldpc_rate_class *own = &r->classes[gpu_class(&r->args.frames, f)];

        for (uint64_t c = 0; c < ldpc_rate_chunks_of(&own->rate, type); c++)
            recover[type](&r->args, own, f, c);
    }
}

struct window {
    const struct ldpc_rate_args *args;
    const struct ldpc_rate_class *own;
    uint64_t f;
    uint32_t type, windows;
};

static void window_body(void *arg)
{
    static void (*const recover[])(const struct ldpc_rate_args *, const struct ldpc_rate_class *,
                                   const struct ldpc_rate_class *, uint64_t, uint32_t, uint32_t,
                                   uint32_t *) = {[FECRUN_I8] = ldpc_recover_window_i8,
                                                  [FECRUN_I16] = ldpc_recover_window_i16,
                                                  [FECRUN_F32] = ldpc_recover_window_f32};
    static uint32_t shared[LDPC_WINDOW_WORDS];
    const struct window *w = arg;

    recover[w->type](w->args, w->own, w->own, w->f, blockIdx.x, w->windows, shared);
}

/* 0: a frame has none. Whether it is quicker with them is not asked. */
static uint32_t windows_of(const struct rates *r, unsigned n_classes)
{
    uint32_t most = 0;

    for (unsigned c = 0; c < n_classes; c++) {
        const uint32_t windows = ldpc_recover_windows(&r->classes[c]);

        if (!windows)
            return 0;
        most = windows > most ? windows : most;
    }
    return most;
}

/* rate_recover where blocks have windows. */
static void start_windows(struct rates *r, uint32_t type, uint32_t windows)
{
    for (uint64_t f = 0; f < r->args.frames.n; f++) {
        struct window w = {&r->args, &r->classes[gpu_class(&r->args.frames, f)], f, type, windows};

        for (blockIdx.x = 0; blockIdx.x < windows; blockIdx.x++)
            emu_block(window_body, &w, LDPC_WINDOW_THREADS, draw(1000));
    }
}

/* The reference's output of frame f, in memory of its own; the caller frees it. */
static uint8_t *reference(const struct fecrun_stage *stage, void *code, uint32_t type,
                          const uint8_t *in, uint64_t in_items, const uint8_t *prior,
                          uint64_t out_items)
{
    const struct fecrun_backend *ref = stage->backends[0];
    uint8_t *out = get(fecrun_bytes(type, out_items));
    void *const codes[] = {code};
    const struct fecrun_create create = {.size = sizeof create, .codes = codes, .n_codes = 1};
    struct fecrun_call call = {.size = sizeof call, .codes = codes};
    const struct fecrun_view from = {.size = sizeof from,
                                     .data = (void *)in,
                                     .type = type,
                                     .frames = 1,
                                     .items = in_items,
                                     .stride = fecrun_bytes(type, in_items)};
    struct fecrun_view to = from, old = from;
    const struct fecrun_view *ins[] = {&from, prior ? &old : NULL};
    struct fecrun_view *outs[] = {&to};
    struct fecrun_error err = {.size = sizeof err};
    void *instance;

    to.data = out;
    to.items = old.items = out_items;
    to.stride = old.stride = fecrun_bytes(type, out_items);
    old.data = (void *)prior;
    if (ref->create(&create, &instance, &err))
        bail("%s: %s", stage->name, err.text);
    call.scratch = get(ref->scratch ? ref->scratch(instance, 1) : 0);
    if (ref->run(instance, &call, ins, outs, &err))
        bail("%s: %s", stage->name, err.text);
    ref->destroy(instance);
    free(call.scratch);
    return out;
}

/* Frame f as u8 bits or as it is, well aligned; the caller frees it. */
static uint8_t *plain(const struct rows *r, const struct batch *b, unsigned f)
{
    const uint64_t n = r->items[b->class_of[f]];
    const bool packed = r->type == FECRUN_PACKED;
    uint8_t *to = get(packed ? n : fecrun_bytes(r->type, n));

    for (uint64_t i = 0; packed && i < n; i++)
        to[i] = (uint8_t)bit_of(r, f, i);
    if (!packed)
        memcpy(to, row_of(r, f), fecrun_bytes(r->type, n));
    return to;
}

static void judge_rate(const struct ldpc_rate *r, const uint8_t *want, const struct rows *out,
                       const struct batch *b, unsigned f, const char *what)
{
    uint8_t *got = plain(out, b, f);
    const uint64_t n = out->items[b->class_of[f]];

    if (memcmp(want, got, out->type == FECRUN_PACKED ? n : fecrun_bytes(out->type, n)))
        differ("%s, type %u: n %u, ncb %u, fillers %u to %u, first %u, e %u, qm %u: frame %u of "
               "%u",
               what, out->type, r->n, r->ncb, r->fill_begin, r->fill_end, r->first, r->e, r->qm, f,
               b->frames);
    free(got);
}

static void round_of_match(uint64_t round)
{
    const uint32_t type = round % 2 ? FECRUN_PACKED : FECRUN_U8;
    uint64_t items[MAX_CLASSES], sent[MAX_CLASSES];
    struct rates r;
    struct rows in, out;
    struct batch b;

    draw_batch(&b, one_in(2) ? 1 : 2 + draw(MAX_CLASSES - 1));
    for (unsigned c = 0; c < b.n_classes; c++) {
        draw_rate(&r.rate[c], 0);
        r.classes[c] = ldpc_match_class(&r.rate[c]);
        items[c] = r.rate[c].n;
        sent[c] = r.rate[c].e;
    }
    make_rows(&in, &b, type, items, false);
    make_rows(&out, &b, type, sent, true);
    draw_bits(&in, &b);
    r.args = (struct ldpc_rate_args){.frames = frames_of(&b), .in = in.port, .out = out.port};
    start_match(&r, type);
    for (unsigned f = 0; f < b.frames; f++) {
        struct ldpc_match code = {.rate = r.rate[b.class_of[f]]};
        uint8_t *from = plain(&in, &b, f);
        uint8_t *want = reference(&ldpc_rate_match_stage, &code, FECRUN_U8, from, code.rate.n, NULL,
                                  code.rate.e);

        judge_rate(&code.rate, want, &out, &b, f, "ldpc.rate_match");
        free(from);
        free(want);
    }
    if (!is_intact(&out, &b))
        differ("wrote where nothing is to be written");
    free(in.memory);
    free(out.memory);
}

/* Whole numbers, but where they are real: then also no numbers and those beyond all limits. */
static void draw_llrs(struct rows *r, const struct batch *b, bool real)
{
    const size_t width = fecrun_bytes(r->type, 1), n = r->offset[b->frames] / width;
    const unsigned range = one_in(2) ? 20 : 40000;

    for (size_t i = 0; i < n; i++)
        if (r->type == FECRUN_I8)
            ((int8_t *)r->data)[i] = (int8_t)draw(256);
        else if (r->type == FECRUN_I16)
            ((int16_t *)r->data)[i] = (int16_t)(draw(2 * range) - range);
        else if (!real || !one_in(50))
            ((float *)r->data)[i] = ((float)draw(2 * range + 1) - (float)range) *
                                    (real ? 0.37f : 1);
        else
            ((float *)r->data)[i] = one_in(2) ? NAN : one_in(2) ? -0.0f : one_in(2) ? -3e6f : 1e30f;
}

static void judge_recover(const struct rates *r, struct ldpc_recover *code, const struct rows *in,
                          const struct rows *prior, const struct rows *out, const struct batch *b)
{
    for (unsigned f = 0; f < b->frames; f++) {
        const struct ldpc_rate *rate = &r->rate[b->class_of[f]];
        uint8_t *from = plain(in, b, f), *old = prior ? plain(prior, b, f) : NULL, *want;

        code->rate = *rate;
        want = reference(&ldpc_rate_recover_stage, code, out->type, from, rate->e, old, rate->n);
        judge_rate(rate, want, out, b, f,
                   old ? "ldpc.rate_recover with a soft buffer" : "ldpc.rate_recover");
        free(from);
        free(old);
        free(want);
    }
    if (!is_intact(out, b))
        differ("wrote where nothing is to be written");
}

static void round_of_recover(uint64_t round)
{
    static const uint32_t types[] = {FECRUN_I8, FECRUN_I16, FECRUN_F32};
    static const double limits[] = {127, 32767, FECRUN_LLR_MAX_F32};
    const unsigned t = round % 3, natural = draw(t + 1);
    struct ldpc_recover code = {.common = {.limit = limits[natural]}};
    const bool soft = one_in(2);
    const uint32_t rows = one_in(4) ? 2 + 2 * draw(4) : 0; /* of all: then all have windows */
    uint64_t items[MAX_CLASSES], sent[MAX_CLASSES];
    struct rows in, prior, out;
    uint32_t windows;
    struct rates r;
    struct batch b;

    draw_batch(&b, one_in(2) ? 1 : 2 + draw(MAX_CLASSES - 1));
    for (unsigned c = 0; c < b.n_classes; c++) {
        draw_rate(&r.rate[c], rows);
        code.rate = r.rate[c];
        r.classes[c] = ldpc_recover_class(&code, types[t]);
        items[c] = r.rate[c].n;
        sent[c] = r.rate[c].e;
    }
    make_rows(&in, &b, types[t], sent, false);
    make_rows(&prior, &b, types[t], items, false);
    make_rows(&out, &b, types[t], items, true);
    draw_llrs(&in, &b, natural == 2);
    draw_llrs(&prior, &b, natural == 2);
    r.args = (struct ldpc_rate_args){.frames = frames_of(&b), .in = in.port, .out = out.port};
    if (soft)
        r.args.prior = prior.port;
    windows = windows_of(&r, b.n_classes);
    if (!soft && windows && one_in(2))
        start_windows(&r, types[t], windows);
    else
        start_recover(&r, types[t]);
    judge_recover(&r, &code, &in, soft ? &prior : NULL, &out, &b);
    free(in.memory);
    free(prior.memory);
    free(out.memory);
}

int main(void)
{
    static const struct {
        const char *what;
        void (*round)(uint64_t);
        unsigned rounds;
    } parts[] = {{"ldpc.encode, NR", round_of_nr, 2 * LIFTINGS + 60},
                 {"ldpc.encode, Wi-Fi", round_of_80211, 12},
                 {"ldpc.encode, WiMAX", round_of_80216, 6 * 19},
                 {"ldpc.encode, DVB-S2", round_of_dvbs2, 22},
                 {"ldpc.rate_match", round_of_match, 1000},
                 {"ldpc.rate_recover", round_of_recover, 1000}};
    const char *from = getenv("FECRUN_TEST_SEED"), *count = getenv("FECRUN_TEST_ROUNDS");
    const uint64_t first = from ? strtoull(from, NULL, 0) : 0;

    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        const uint64_t n = count ? strtoull(count, NULL, 0) : parts[i].rounds;

        failures = 0;
        for (seed = first; seed < first + n; seed++) {
            rng_state = (seed + 1) * 0xbf58476d1ce4e5b9u;
            parts[i].round(seed);
        }
        ok(!failures, "%s: %llu rounds", parts[i].what, (unsigned long long)n);
    }
    return done_testing();
}
#endif
