/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The CUDA kernels of rs.* and bch.* on the CPU, block by block, against the reference: words with 0 to too many
 * errors and erasures, shortened, interleaved, in the dual basis, in frames that begin anywhere.
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
#include "t/outer/stage.h"

#include "plugins/outer/code/rs_frame.h"
#include "plugins/outer/cuda/block.h"
#include "plugins/outer/cuda/warp.h"

enum { FRAMES = 5, GUARD = 16, UNTOUCHED = 0xa5 };

/* Frames of bytes at any address and distance, with guards. */
struct rows {
    uint8_t *memory;
    size_t bytes;
    struct gpu_port port;
};

static struct rows make_rows(uint64_t frames, uint64_t bits)
{
    const uint64_t bytes = (bits + 7) / 8, stride = bytes + random_below(3);
    const size_t front = GUARD + random_below(8);
    struct rows r = {.bytes = front + frames * stride + GUARD};

    r.memory = malloc(r.bytes);
    if (!r.memory)
        bail("no memory");
    memset(r.memory, UNTOUCHED, r.bytes);
    r.port = (struct gpu_port){.data = r.memory + front, .stride = stride};
    return r;
}

/* What lies between frames and round them is as it was. */
static bool untouched(const struct rows *r, uint64_t frames, uint64_t bits)
{
    bool good = true;

    for (size_t i = 0; i < r->bytes; i++) {
        const int64_t at = (int64_t)i - (r->port.data - r->memory);
        const bool inside = at >= 0 && (uint64_t)at / r->port.stride < frames &&
                            (uint64_t)at % r->port.stride < (bits + 7) / 8;

        good = good && (inside || r->memory[i] == UNTOUCHED);
    }
    return good;
}

/* ---- launches ---------------------------------------------------------------------------------- */

static const struct outer_gpu_args *now;
static void *shared;

static void divide(void *arg)
{
    (void)arg;
    outer_divide_block(now, now->code.words, now->code.step == 8 && !now->code.pad, shared);
}

static void solve(void *arg)
{
    (void)arg;
    outer_solve_block(now, shared);
}

static void launch(const struct outer_gpu_args *args, void (*block)(void *), uint32_t per_block,
                   unsigned threads, size_t bytes)
{
    now = args;
    shared = aligned_alloc(64, (bytes + 63) / 64 * 64);
    if (!shared)
        bail("no memory");
    gridDim.x = (unsigned)((args->frames.n + per_block - 1) / per_block);
    if (block == solve && gridDim.x > 1)
        gridDim.x--; /* so that a block has more than one round */
    for (blockIdx.x = 0; blockIdx.x < gridDim.x; blockIdx.x++) {
        memset(shared, 0xee, bytes);
        emu_block(block, NULL, threads, random_below(100));
    }
    free(shared);
}

static struct outer_gpu_args args_of(const struct outer_gpu_plan *plan, uint64_t frames,
                                     const struct rows *in, const struct rows *out)
{
    const char *memory = plan->memory;
    const uint16_t *field = (const void *)(memory + plan->field);

    return (struct outer_gpu_args){.frames = {.n = frames},
                                   .in = in->port,
                                   .out = out->port,
                                   .table = plan->memory,
                                   .advance = (const void *)(memory + plan->advance),
                                   .exp = field,
                                   .log = field + ((size_t)2 << plan->code.m),
                                   .from_dual = (const void *)(memory + plan->dual),
                                   .to_dual = (const uint8_t *)(memory + plan->dual) + 256,
                                   .code = plan->code};
}

static void launch_divide(const struct outer_gpu_args *args)
{
    launch(args, divide, outer_gpu_frames(&args->code), OUTER_GPU_THREADS,
           outer_gpu_shared(&args->code) * sizeof(uint32_t));
}

/* ---- a code -------------------------------------------------------------------------------------- */

struct link {
    bool bch;
    struct coder encoder, decoder; /* the reference's */
    struct outer_gpu_plan encode, decode;
    uint64_t k, n; /* bits of a frame */
    uint32_t symbol, symbols, depth, parity;
};

/* k: information bits of a frame. */
static void open_link(struct link *l, bool bch, const struct wish *wish, uint64_t k)
{
    const struct fecrun_stage *encode = bch ? &outer_bch_encode_stage : &outer_rs_encode_stage;
    const struct fecrun_stage *decode = bch ? &outer_bch_decode_stage : &outer_rs_decode_stage;
    struct fecrun_error err = {.size = sizeof err};
    int status;

    *l = (struct link){.bch = bch, .k = k};
    coder_open(&l->encoder, encode, REF, 0, wish, k, 0);
    l->n = l->encoder.out[0].items;
    if (bch) {
        const struct bch_code *code = l->encoder.code;

        l->symbol = l->depth = 1, l->symbols = code->n, l->parity = 2 * code->t;
        status = outer_gpu_takes_bch(code, &err) ||
                 outer_gpu_plan_bch(&l->encode, code, false, &err) ||
                 outer_gpu_plan_bch(&l->decode, code, true, &err);
    } else {
        const struct rs_code *code = l->encoder.code;

        l->symbol = code->m, l->depth = code->depth;
        l->symbols = code->n * code->depth, l->parity = code->parity;
        status = outer_gpu_takes_rs(code, &err) ||
                 outer_gpu_plan_rs(&l->encode, code, false, &err) ||
                 outer_gpu_plan_rs(&l->decode, code, true, &err);
    }
    if (status)
        bail("%s", err.text);
    coder_open(&l->decoder, decode, REF, 0, wish, l->n, bch ? 0 : l->symbols);
}

static void close_link(struct link *l)
{
    coder_close(&l->encoder);
    coder_close(&l->decoder);
    free(l->encode.memory);
    free(l->decode.memory);
}

/* ---- encoding -------------------------------------------------------------------------------------- */

static void fill(const struct rows *r, uint64_t f, uint64_t bits)
{
    uint8_t *row = r->port.data + f * r->port.stride;

    for (uint64_t i = 0; i < (bits + 7) / 8; i++)
        row[i] = (uint8_t)random_below(256);
    if (bits % 8)
        row[bits / 8] &= (uint8_t)(0xff00 >> bits % 8);
}

static void check_encoder(struct link *l, const char *name)
{
    const uint64_t frames = 1 + random_below(FRAMES);
    struct rows in = make_rows(frames, l->k), out = make_rows(frames, l->n);
    const struct outer_gpu_args args = args_of(&l->encode, frames, &in, &out);
    uint8_t *want = malloc((l->n + 7) / 8);
    unsigned wrong = 0;

    for (uint64_t f = 0; f < frames; f++)
        fill(&in, f, l->k);
    launch_divide(&args);
    for (uint64_t f = 0; f < frames; f++) {
        coder_run(&l->encoder, FECRUN_PACKED, 1, in.port.data + f * in.port.stride, 0, NULL, 0,
                  want, 0, NULL, NULL);
        wrong += memcmp(want, out.port.data + f * out.port.stride, (l->n + 7) / 8) != 0;
    }
    is_int(wrong, 0, "%s: %u words, %u segments: the reference's", name,
           (unsigned)(frames * l->depth), l->encode.code.segments);
    ok(untouched(&out, frames, l->n), "... and nothing else is written");
    free(want), free(in.memory), free(out.memory);
}

/* ---- decoding --------------------------------------------------------------------------------------- */

/* Changes e symbols of word c, and marks f others, of which each second one is changed. */
static void disturb(const struct link *l, uint8_t *row, float *marks, uint32_t c, uint32_t e,
                    uint32_t f)
{
    const uint32_t symbols = l->symbols / l->depth;

    for (uint32_t i = 0; i < e + f; i++) {
        const uint64_t at = (uint64_t)random_below(symbols) * l->depth + c;

        if (i >= e)
            marks[at] = i % 3 ? 1.0f : -0.25f;
        if (i < e || i % 2)
            bits_flip(row, FECRUN_PACKED, at * l->symbol, l->symbol,
                      1 + random_below((1u << l->symbol) - 1));
    }
}

/* Adds a word of a code with fewer roots, z of them, to symbols in a row: the first z syndromes stay as they are, and
   z + 1 symbols are wrong. */
static void disturb_silently(const struct link *l, uint8_t *row, uint32_t c, uint32_t z)
{
    const struct rs_code *code = l->decoder.code;
    const uint32_t first = random_below(code->n - z);
    uint16_t g[OUTER_GPU_CHECKS + 1] = {1};

    for (uint32_t j = 0; j < z; j++) {
        const uint16_t root = gf_power(&code->field, (int64_t)code->fcr + j);

        for (uint32_t i = j + 1; i > 0; i--)
            g[i] = g[i - 1] ^ gf_mul(&code->field, g[i], root);
        g[0] = gf_mul(&code->field, g[0], root);
    }
    for (uint32_t i = 0; i <= z; i++)
        bits_flip(row, FECRUN_PACKED, rs_bit(code, first + z - i, c), code->m, rs_sent(code, g[i]));
}

struct batch {
    uint64_t frames;
    struct rows in, out, corrected;
    float *marks;
    struct fecrun_frame_info *info;
};

static void receive(struct link *l, struct batch *b, bool erasures)
{
    struct outer_gpu_args args = args_of(&l->decode, b->frames, &b->in, &b->out);
    const size_t rest = b->frames * l->depth * l->decode.code.words;

    args.rest = malloc(rest * sizeof *args.rest);
    memset(args.rest, 0xee, rest * sizeof *args.rest);
    if (erasures)
        args.flags = (struct gpu_port){.data = (void *)b->marks,
                                       .stride = l->symbols * sizeof(float)};
    args.corrected = (struct gpu_port){.data = (void *)b->corrected.memory,
                                       .stride = l->depth * sizeof(float)};
    args.info = b->info;
    launch_divide(&args);
    launch(&args, solve, OUTER_GPU_WARPS, OUTER_GPU_WARPS * OUTER_LANES,
           sizeof(struct outer_solve_shared));
    free(args.rest);
}

/* Counts frames that the reference decodes otherwise. */
static unsigned compare(struct link *l, const struct batch *b, bool erasures, unsigned *failed)
{
    const size_t bytes = (l->k + 7) / 8;
    uint8_t *want = malloc(bytes);
    unsigned wrong = 0;

    for (uint64_t f = 0; f < b->frames; f++) {
        struct fecrun_frame_info info = {.flags = 0};
        float corrected[RS_MOST_DEPTH];

        coder_run(&l->decoder, FECRUN_PACKED, 1, b->in.port.data + f * b->in.port.stride, 0,
                  erasures ? b->marks + f * l->symbols : NULL, l->symbols, want, 0, corrected,
                  &info);
        wrong += memcmp(want, b->out.port.data + f * b->out.port.stride, bytes) != 0 ||
                 info.flags != b->info[f].flags ||
                 memcmp(corrected, b->corrected.memory + f * l->depth * sizeof(float),
                        l->depth * sizeof(float)) != 0;
        *failed += (info.flags & FECRUN_FRAME_FAILED) != 0;
    }
    free(want);
    return wrong;
}

static void check_decoder(struct link *l, const char *name, uint32_t rounds)
{
    unsigned wrong = 0, failed = 0, words = 0;
    bool good = true;

    for (uint32_t round = 0; round < rounds; round++) {
        const bool erasures = !l->bch && round % 2;
        struct batch b = {.frames = 1 + random_below(FRAMES)};
        uint8_t *sent = calloc(1, (l->k + 7) / 8);

        b.in = make_rows(b.frames, l->n);
        b.out = make_rows(b.frames, l->k);
        b.corrected = make_rows(b.frames, 32 * l->depth + 32);
        b.marks = calloc(b.frames * l->symbols, sizeof *b.marks);
        b.info = calloc(b.frames, sizeof *b.info);
        for (uint64_t f = 0; f < b.frames; f++) {
            uint8_t *row = b.in.port.data + f * b.in.port.stride;

            for (uint64_t i = 0; i < l->k; i++)
                bits_flip(sent, FECRUN_PACKED, i, 1, random_below(2));
            b.info[f].flags = random_below(2) ? FECRUN_FRAME_FAILED : 0;
            coder_run(&l->encoder, FECRUN_PACKED, 1, sent, 0, NULL, 0, row, 0, NULL, NULL);
            for (uint32_t c = 0; c < l->depth; c++, words++)
                if (!l->bch && l->parity > 5 && !random_below(3))
                    disturb_silently(l, row, c, 1 + random_below(l->parity / 2 - 1));
                else
                    disturb(l, row, b.marks + f * l->symbols, c,
                            random_below(4) ? random_below(l->parity / 2 + 2) : 0,
                            erasures ? random_below(random_below(4) ? l->parity : 2 * l->parity + 2)
                                     : 0);
        }
        receive(l, &b, erasures);
        wrong += compare(l, &b, erasures, &failed);
        good = good && untouched(&b.out, b.frames, l->k);
        free(sent), free(b.in.memory), free(b.out.memory), free(b.corrected.memory);
        free(b.marks), free(b.info);
    }
    is_int(wrong, 0, "%s: %u words with errors: as the reference (%u frames have failed)", name,
           words, failed);
    ok(good, "... and nothing else is written");
}

/* ---- codes --------------------------------------------------------------------------------------------- */

static void try_link(bool bch, const struct wish *wish, uint64_t k, const char *name,
                     uint32_t rounds)
{
    static struct link l;

    open_link(&l, bch, wish, k);
    for (unsigned i = 0; i < 2; i++)
        check_encoder(&l, name);
    check_decoder(&l, name, rounds);
    close_link(&l);
}

/* m, n, k, polynomial (0: the default), fcr, prim, dual, depth */
static void try_rs(const char *name, const int64_t p[8])
{
    const struct wish wish[] = {{"symbol_bits", p[0], NULL},
                                {"n", p[1], NULL},
                                {"k", p[2], NULL},
                                {p[3] ? "polynomial" : "", p[3], NULL},
                                {"fcr", p[4], NULL},
                                {"prim", p[5], NULL},
                                {"basis", p[6], NULL},
                                {"depth", p[7], NULL},
                                {NULL, 0, NULL}};

    try_link(false, wish, (uint64_t)(p[0] * p[2] * p[7]), name, tap_rounds(8));
}

static void try_bch(const char *name, int64_t m, int64_t t, int64_t shortened, uint64_t k,
                    uint32_t rounds)
{
    const struct wish wish[] = {
        {"m", m, NULL}, {"t", t, NULL}, {"shortened", shortened, NULL}, {NULL, 0, NULL}};

    try_link(true, wish, k, name, rounds);
}

static void try_dvbs2(bool is_short, const char *rate, uint64_t k, uint32_t rounds)
{
    const struct wish wish[] = {
        {"code", 1, NULL}, {"frame", is_short, NULL}, {"rate", 0, rate}, {NULL, 0, NULL}};
    char name[64];

    snprintf(name, sizeof name, "DVB-S2, %s, %s", is_short ? "short" : "normal", rate);
    try_link(true, wish, k, name, rounds);
}

int main(void)
{
    try_rs("RS(255, 223), dual basis", (int64_t[]){8, 255, 223, 0x187, 112, 11, 1, 1});
    try_rs("RS(252, 236), dual basis, depth 5", (int64_t[]){8, 252, 236, 0x187, 120, 11, 1, 5});
    try_rs("RS(204, 188)", (int64_t[]){8, 204, 188, 0x11d, 0, 1, 0, 1});
    try_rs("RS(255, 191)", (int64_t[]){8, 255, 191, 0x11d, 0, 1, 0, 2});
    try_rs("RS(24, 12) of 6 bits", (int64_t[]){6, 24, 12, 0x43, 1, 1, 0, 1});
    try_rs("RS(31, 20) of 5 bits, depth 3", (int64_t[]){5, 31, 20, 0x2f, 30, 3, 0, 3});
    try_rs("RS(7, 4) of 3 bits", (int64_t[]){3, 7, 4, 0, 1, 1, 0, 1});
    try_rs("RS(528, 514) of 10 bits", (int64_t[]){10, 528, 514, 0, 0, 1, 0, 1});
    try_rs("RS(20, 1)", (int64_t[]){8, 20, 1, 0, 0, 7, 0, 8});
    try_bch("BCH(15, 5)", 4, 3, 0, 5, tap_rounds(8));
    try_bch("BCH(4, 1)", 3, 1, 3, 1, tap_rounds(8));
    try_bch("BCH(245, 205)", 8, 5, 10, 205, tap_rounds(8));
    try_bch("BCH(1023, 648)", 10, 40, 0, 648, tap_rounds(8));
    try_bch("BCH(65000, 64856), odd segments", 16, 9, 535, 64856, 1);
    try_dvbs2(true, "1/4", 3072, tap_rounds(6));
    try_dvbs2(true, "8/9", 14232, tap_rounds(4));
    try_dvbs2(false, "3/4", 48408, 1);
    try_dvbs2(false, "9/10", 58192, 1);
    return done_testing();
}

#endif
