/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The CUDA kernels of ldpc.encode, ldpc.rate_match and ldpc.rate_recover on the CPU: whole blocks of
 * threads of the encoder, whose words must fulfil all checks of H; threads of rate matching, one
 * after the other, against the references. Batches of frames of one size, and of several.
 *
 * A round draws all it does from one seed, FECRUN_TEST_SEED for the first and one more for each of
 * the FECRUN_TEST_ROUNDS rounds.
 */
#include "tap.h"

#if !defined(__GLIBC__) || defined(__SANITIZE_THREAD__)
int main(void)
{
    skip_all("no coroutines here");
}
#else

#include "cuda_emulate.h"

#include <math.h>

#include "core/sdk/params.h"
#include "plugins/ldpc/code.h"
#include "plugins/ldpc/encode_cuda.h"
#include "plugins/ldpc/encode_device.h"
#include "plugins/ldpc/ldpc.h"
#include "plugins/ldpc/rate_cuda.h"
#include "plugins/ldpc/rate_device.h"

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
    struct ldpc_port port;
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
    r->port = (struct ldpc_port){.data = r->data};
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

static struct ldpc_frames frames_of(const struct batch *b)
{
    return (struct ldpc_frames){.n = b->frames,
                                .class_of = b->n_classes > 1 ? b->class_of : NULL};
}

/* ---- the encoder --------------------------------------------------------------------------- */

static const uint32_t lifting[] = {
    2,  3,  4,  5,  6,  7,  8,  9,  10,  11,  12,  13,  14,  15,  16,  18,  20,
    22, 24, 26, 28, 30, 32, 36, 40, 44,  48,  52,  56,  60,  64,  72,  80,  88,
    96, 104, 112, 120, 128, 144, 160, 176, 192, 208, 224, 240, 256, 288, 320, 352, 384};

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
    e->args = (struct ldpc_encode_args){.frames = frames_of(b), .in = in->port, .out = out->port,
                                        .classes = e->classes, .table = e->table.entry};
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

    e.code[0] = made(ldpc_code_wimax(576 + 96 * (uint32_t)(round / 6 % 19), rates[round % 6],
                                     &err), &err);
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
#endif
