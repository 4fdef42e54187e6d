/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Blocks of threads that make a short frame each (plugins/viterbi/cuda/rows.h, compiled as C, all threads of a
 * block): what one thread writes for one frame, at addresses of all kinds, and nothing else.
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

#include "plugins/viterbi/cuda/rows.h"

enum { FRAMES = 300, GUARD = 32, UNTOUCHED = 0xa5, SHARED = 64 * 1024 };

static uint64_t state = 7;

static unsigned draw(unsigned n)
{
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (unsigned)(state >> 33) % n;
}

static _Alignas(16) uint8_t shared[SHARED];
static unsigned all;
static uint8_t *in, *want, *got;
static size_t front; /* bytes before the first row */

static void begin(size_t in_bytes, size_t out_bytes)
{
    front = GUARD + draw(16);
    in = calloc(1, in_bytes + 64);
    want = malloc(out_bytes + 2 * GUARD + 16);
    got = malloc(out_bytes + 2 * GUARD + 16);
    if (!in || !want || !got)
        bail("out of memory");
    for (size_t i = 0; i < in_bytes + 64; i++)
        in[i] = (uint8_t)draw(256);
    memset(want, UNTOUCHED, out_bytes + 2 * GUARD + 16);
    memset(got, UNTOUCHED, out_bytes + 2 * GUARD + 16);
}

static bool end(size_t out_bytes)
{
    const bool same = !memcmp(want, got, out_bytes + 2 * GUARD + 16);

    free(in), free(want), free(got);
    return same;
}

static void run(void (*block)(void *), void *args, uint64_t frames)
{
    gridDim.x = (unsigned)((frames + CONV_ROWS - 1) / CONV_ROWS);
    for (blockIdx.x = 0; blockIdx.x < gridDim.x; blockIdx.x++) {
        memset(shared, 0xee, sizeof shared);
        emu_block(block, args, CONV_ROWS, draw(100));
    }
}

/* ---- conv.encode ---- */

static void encode_block(void *args)
{
    const struct conv_encode_args *a = args;

    conv_encode_block(a, a->n, shared, &all);
}

/* One size, or classes of several. */
static bool encode(bool ragged)
{
    static uint64_t in_offset[FRAMES + 1], out_offset[FRAMES + 1];
    static uint32_t of[FRAMES];
    uint64_t in_items[3], out_items[3];
    struct conv_encode_args a = {.n = 2 + draw(2),
                                 .K = 3 + draw(8),
                                 .in_packed = 1,
                                 .out_packed = 1,
                                 .frames = 1 + draw(FRAMES),
                                 .tail_biting = draw(2) == 1};
    uint64_t bytes = 0;

    a.tail = a.tail_biting ? 0 : a.K - 1;
    for (unsigned d = 0; d < a.K; d++)
        for (unsigned phase = 0; phase < 3; phase++)
            a.digit_word[d][phase] = draw(2) ? UINT32_MAX : 0x55555555u;
    for (unsigned c = 0; c < 3; c++) {
        in_items[c] = a.K - 1 + draw(64 - 2 * (a.K - 1));
        out_items[c] = (in_items[c] + a.tail) * a.n;
        a.bits = in_items[c] > a.bits ? in_items[c] : a.bits;
    }
    if (!ragged)
        in_items[0] = a.bits;
    for (uint64_t f = 0; f < a.frames; f++) {
        of[f] = ragged ? draw(3) : 0;
        in_offset[f + 1] = in_offset[f] + (in_items[of[f]] + 7) / 8;
        out_offset[f] = bytes;
        bytes += ((in_items[of[f]] + a.tail) * a.n + 7) / 8;
    }
    if (ragged)
        a.classes = (struct conv_classes){of, in_offset, out_offset, in_items, out_items};
    a.in_stride = (a.bits + 7) / 8, a.out_stride = conv_encode_row_bytes(&a, a.bits, 1);
    if (!conv_by_frames(&a, a.bits))
        bail("frames are not short");
    begin(in_offset[a.frames], bytes);
    a.in = in, a.out = got + front;
    run(encode_block, &a, a.frames);
    for (uint64_t f = 0; f < a.frames; f++)
        conv_encode_frame(&a, a.n, f, want + front + out_offset[f]);
    return end(bytes);
}

/* ---- conv.rate_match ---- */

static void match_block(void *args)
{
    conv_match_block(args, shared);
}

static bool match(void)
{
    static uint32_t place[32 * CONV_SHORT];
    struct conv_gather_args a = {.frames = 1 + draw(FRAMES),
                                 .period = 1 + draw(32 * CONV_SHORT),
                                 .items = 1 + draw(draw(2) ? 200 : 1000),
                                 .place = place};
    size_t bytes;

    a.in_stride = (a.period + 7) / 8, a.out_stride = (a.items + 7) / 8;
    bytes = (size_t)(a.frames * a.out_stride);
    for (unsigned i = 0; i < a.period; i++)
        place[i] = draw(a.period);
    begin((size_t)(a.frames * a.in_stride), bytes);
    a.in = in, a.out = got + front;
    if (!conv_match_is_short(&a) || conv_match_shared(&a) > SHARED)
        bail("frames are not short");
    run(match_block, &a, a.frames);
    memset(want + front, 0, bytes);
    for (uint64_t f = 0; f < a.frames; f++)
        for (uint64_t i = 0; i < a.items; i++) {
            const uint32_t from = place[i % a.period];
            const unsigned bit = in[f * a.in_stride + from / 8] >> (7 - from % 8) & 1;
            want[front + f * a.out_stride + i / 8] |= (uint8_t)(bit << (7 - i % 8));
        }
    return end(bytes);
}

/* ---- conv.rate_recover ---- */

struct recover {
    struct conv_recover_args args;
    struct gpu_divider words;
};

static void recover_block(void *args)
{
    const struct recover *r = args;

    conv_recover_block(&r->args, &r->words, shared);
}

static bool recover(void)
{
    uint32_t rank[300];
    struct recover r = {.args = {.frames = 1 + draw(FRAMES),
                                 .mother = 1 + draw(200),
                                 .rank = rank,
                                 .e = 4 * (1 + draw(50)),
                                 .limit = 1 + draw(127)}};
    const struct conv_recover_args *a = &r.args;
    const size_t bytes = (size_t)(a->frames * a->mother);

    r.words = gpu_divider_of((uint32_t)a->e / 4);
    for (uint32_t i = 0; i < a->mother; i++)
        rank[i] = draw(a->mother);
    begin((size_t)(a->frames * a->e), bytes);
    r.args.in = in, r.args.out = got + front;
    if (conv_recover_shared(a->mother, (uint32_t)a->e) > SHARED)
        bail("frames are not short");
    run(recover_block, &r, a->frames);
    for (uint64_t f = 0; f < a->frames; f++)
        for (uint32_t i = 0; i < a->mother; i++) {
            const int limit = (int)a->limit;
            int sum = 0;
            for (uint64_t k = rank[i]; k < a->e; k += a->mother) {
                const int llr = (int8_t)in[f * a->e + k];
                sum += llr > limit ? limit : llr < -limit ? -limit : llr;
            }
            sum = sum > limit ? limit : sum < -limit ? -limit : sum;
            want[front + f * a->mother + i] = (uint8_t)sum;
        }
    return end(bytes);
}

/* ---- Division ---- */

static bool divides(void)
{
    for (unsigned round = 0; round < 200000; round++) {
        const uint32_t by = 1 + (draw(2) ? draw(100) : draw(0x7fffffff) >> draw(31));
        const struct gpu_divider d = gpu_divider_of(by);
        const uint32_t n = draw(GPU_FLAT_MOST - 1) >> draw(31), edge = n / by * by;

        if (gpu_divide(&d, n) != n / by || gpu_divide(&d, edge) != edge / by ||
            (edge && gpu_divide(&d, edge - 1) != (edge - 1) / by) ||
            gpu_divide(&d, GPU_FLAT_MOST - 1) != (GPU_FLAT_MOST - 1) / by)
            return false;
    }
    return true;
}

int main(void)
{
    bool same[4] = {true, true, true, true};

    for (unsigned round = 0; round < 60; round++) {
        same[0] = encode(false) && same[0];
        same[1] = encode(true) && same[1];
        same[2] = match() && same[2];
        same[3] = recover() && same[3];
    }
    ok(same[0], "conv.encode: 60 batches of one size");
    ok(same[1], "conv.encode: 60 batches of three sizes");
    ok(same[2], "conv.rate_match: 60 batches");
    ok(same[3], "conv.rate_recover: 60 batches");
    ok(divides(), "numbers are divided as by a division");
    return done_testing();
}
#endif
