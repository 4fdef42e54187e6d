/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The CUDA decoder for tail-biting frames on the CPU, thread by thread, against the reference: bits,
 * verdicts and rounds of random frames from quiet to hopeless, LLRs up to the largest that metrics
 * hold, any length, more and fewer frames than threads. Pages without access lie around the input,
 * and what is no output must stay as it is.
 *
 * FECRUN_TEST_SEED and FECRUN_TEST_ROUNDS as in test_core.c.
 */
#define REGISTERS_ON_HOST
#define _Noreturn __attribute__((noreturn))

extern "C" {
#include "t/viterbi/viterbi.h"
}

#include "plugins/viterbi/cuda/registers/wrap/thread.cuh"

#include <sys/mman.h>

enum { UNTOUCHED = 0xa5, PAGE = 4096, READ_ON = 31 /* bytes behind the input */ };

/* ---- The kernel ------------------------------------------------------------------------------ */

/* The threads of a warp of the grid, in step, as wrap_kernel() has them. */
template <class Code, class L>
static void run_warp(const wrap_job &job, uint64_t warp, uint64_t warps, uint8_t *near,
                     uint8_t *far)
{
    static wrap_thread<Code, L> t[32];
    wrap_share share[32];

    for (unsigned i = 0; i < 32; i++) {
        share[i] = wrap_share_of(job.registers.in.frames, warp, warps);
        if (share[i].next == share[i].end)
            return;
        wrap_begin<Code, L>(&t[i], share[i]);
    }
    for (bool odd = false;; odd = !odd) {
        bool busy = false;
        for (int k = 0; k < L::TILES; k++) {
            uint32_t wanting = 0;
            for (unsigned i = 0; i < 32; i++)
                wanting |= (uint32_t)!t[i].busy[k] << i;
            for (unsigned i = 0; i < 32; i++) {
                wrap_take<Code, L>(&t[i], k, wanting, i, &share[i]);
                busy = busy || t[i].busy[k];
            }
        }
        if (!busy)
            return;
        for (unsigned i = 0; i < 32; i++)
            wrap_round<Code, L>(job, {near + 16 * i, far + 16 * i, job.near}, odd, &t[i]);
    }
}

template <class Code, class L>
static void run_grid(const wrap_job &job, uint32_t blocks, uint8_t *near, uint8_t *far)
{
    for (uint64_t warp = 0; warp < (uint64_t)blocks * job.warps; warp++)
        run_warp<Code, L>(job, warp, (uint64_t)blocks * job.warps, near, far);
}

typedef registers_code<7, 2, 0133, 0171> k7;
typedef registers_code<7, 2, 0171, 0133, 0, 0, 2> k7_inverted;
typedef registers_code<7, 3, 0133, 0171, 0165> k7_third;
typedef registers_code<7, 4, 0133, 0171, 0145, 0133> k7_quarter;

static const struct decoder {
    const char *name;
    struct viterbi_code code;
    bool wide;
    enum registers_lanes lanes;
    uint32_t tiles, block_bytes;
    void (*run)(const wrap_job &job, uint32_t blocks, uint8_t *near, uint8_t *far);
} decoders[] = {
#define RUNS(code, lanes) \
    lanes::TILES == 1, \
        lanes::TILES == 2 && lanes::PLAIN ? REGISTERS_LANES_15 : REGISTERS_LANES_16, lanes::TILES, \
        registers_ring<code, lanes>::BLOCK, run_grid<code, lanes>
    {"rate 1/2", {7, 2, {0133, 0171}}, RUNS(k7, lanes16)},
    {"rate 1/2, large LLRs", {7, 2, {0133, 0171}}, RUNS(k7, lanes32)},
    {"rate 1/2, inverted", {7, 2, {0171, 0133}, {0, 1}}, RUNS(k7_inverted, lanes16)},
    {"rate 1/3", {7, 3, {0133, 0171, 0165}}, RUNS(k7_third, lanes16)},
    {"rate 1/3, large LLRs", {7, 3, {0133, 0171, 0165}}, RUNS(k7_third, lanes32)},
    {"rate 1/4", {7, 4, {0133, 0171, 0145, 0133}}, RUNS(k7_quarter, lanes16)},
    {"rate 1/2, bf16", {7, 2, {0133, 0171}}, RUNS(k7, lanes15)},
    {"rate 1/3, bf16", {7, 3, {0133, 0171, 0165}}, RUNS(k7_third, lanes15)},
};

/* ---- A trial --------------------------------------------------------------------------------- */

struct trial {
    const struct decoder *decoder;
    struct viterbi_spec spec;
    bool swapped;
    size_t frames, items, stride, row; /* items of a frame; bytes between frames, in and out */
    uint8_t *pages, *llr, *out, *bits;
    size_t n_pages, out_bytes;
    struct fecrun_frame_info *info;
    struct viterbi_verdict *verdict;
};

static void choose_spec(struct trial *t)
{
    struct viterbi_spec *s = &t->spec;

    s->code = t->decoder->code;
    t->swapped = s->code.n == 2 && !s->code.inverted[1] && one_in(2);
    if (t->swapped) {
        s->code.gen[0] = t->decoder->code.gen[1];
        s->code.gen[1] = t->decoder->code.gen[0];
    }
    s->llr_max = t->decoder->wide ? 127 : viterbi_registers_limit(&s->code, t->decoder->lanes);
    s->termination = VITERBI_TAIL_BITING;
    s->info_bits = s->code.K - 1 + draw(one_in(2) ? 30 : 200);
    s->wrap_limit = 1 + draw(6);
    t->frames = 1 + draw(one_in(4) ? 400 : 40);
    t->items = s->info_bits * s->code.n;
    t->stride = t->items + (one_in(2) ? 0 : draw(20));
    t->row = (s->info_bits + 7) / 8 + (one_in(2) ? 0 : draw(6));
}

static int saturate(int x, int most)
{
    return x > most ? most : x < -most ? -most : x;
}

/* A tail-biting codeword in noise of -level .. level, or anything, or the largest of both signs. */
static void fill_frame(const struct trial *t, uint8_t *llr)
{
    const struct viterbi_code *code = &t->spec.code;
    const int most = t->spec.llr_max, level = 1 + (int)draw(3 * (unsigned)most);
    const unsigned way = draw(8);
    unsigned reg = 0, input[256];

    for (size_t s = 0; s < t->spec.info_bits; s++)
        input[s] = draw(2);
    for (size_t s = t->spec.info_bits - (code->K - 1); s < t->spec.info_bits; s++)
        reg = reg >> 1 | input[s] << (code->K - 1);
    for (size_t i = 0; i < t->items; i++) {
        int x = (int)draw(2 * (unsigned)level + 1) - level;

        if (i % code->n == 0)
            reg = reg >> 1 | input[i / code->n] << (code->K - 1);
        if (way > 1)
            x += (viterbi_code_label(code, reg) >> i % code->n & 1) ? -most / 2 : most / 2;
        if (way == 1)
            x = one_in(2) ? most : -most;
        llr[i] = (uint8_t)(most == 127 && one_in(100) ? -128 : saturate(x, most));
    }
}

/* At the first byte of what may be read, or so near its end as the provider's memory allows. */
static void make_input(struct trial *t)
{
    const size_t bytes = (t->frames - 1) * t->stride + t->items;

    t->n_pages = (bytes + READ_ON) / PAGE + 3;
    t->pages = (uint8_t *)mmap(NULL, t->n_pages * PAGE, PROT_READ | PROT_WRITE,
                               MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (t->pages == MAP_FAILED)
        bail("out of memory");
    memset(t->pages, (int)draw(256), t->n_pages * PAGE);
    t->llr = t->pages + (one_in(2) ? PAGE : (t->n_pages - 1) * PAGE - READ_ON - bytes);
    for (size_t f = 0; f < t->frames; f++)
        fill_frame(t, t->llr + f * t->stride);
    if (mprotect(t->pages, PAGE, PROT_NONE) ||
        mprotect(t->pages + (t->n_pages - 1) * PAGE, PAGE, PROT_NONE))
        bail("cannot protect pages");
}

static void make_output(struct trial *t)
{
    t->out_bytes = t->frames * t->row;
    t->out = (uint8_t *)get(t->out_bytes);
    memset(t->out, UNTOUCHED, t->out_bytes);
    t->info = (struct fecrun_frame_info *)get(t->frames * sizeof *t->info);
    memset(t->info, 0, t->frames * sizeof *t->info);
    for (size_t f = 0; f < t->frames; f++)
        t->info[f].flags = draw(2) ? FECRUN_FRAME_FAILED : 0; /* an earlier stage's verdict */
}

/* A small device, with room for some of the places or for none in its shared memory. */
static void decode(struct trial *t)
{
    const struct decoder *d = t->decoder;
    struct registers_kernel kernel = {};
    struct wrap_job job = {};
    struct wrap_plan plan;
    struct wrap_grid grid;
    uint8_t *near, *far;

    kernel.threads = REGISTERS_THREADS;
    kernel.tiles = d->tiles;
    kernel.block_bytes = d->block_bytes;
    if (viterbi_wrap_plan(&plan, &t->spec, &kernel, draw(8) * d->block_bytes))
        bail("no plan");
    grid = viterbi_wrap_grid(t->frames, &kernel, 1 + draw(3));
    job.registers.in.llr = t->llr;
    job.registers.in.stride = t->stride;
    job.registers.in.frames = t->frames;
    job.registers.out.packed = t->out;
    job.registers.out.stride = t->row;
    job.registers.out.info = t->info;
    viterbi_wrap_fill(&job, &t->spec, &plan, grid, t->swapped);
    near = (uint8_t *)get_scratch(plan.shared + 64);
    far = (uint8_t *)get_scratch(plan.scratch + 64);
    d->run(job, grid.blocks, near, far);
    free(near);
    free(far);
}

static void decode_ref(struct trial *t)
{
    struct viterbi_input input = {};
    void *scratch = get_scratch(viterbi_ref_scratch(&t->spec));

    input.llr = t->llr;
    input.stride = t->stride;
    input.frames = t->frames;
    t->bits = (uint8_t *)get(t->frames * t->spec.info_bits);
    t->verdict = (struct viterbi_verdict *)get(t->frames * sizeof *t->verdict);
    viterbi_ref_decode(&t->spec, &input, t->bits, t->verdict, scratch);
    free(scratch);
}

/* ---- Comparing ------------------------------------------------------------------------------- */

/* Frames of which a bit, a byte between them or the verdict is not as it should be. */
static size_t count_wrong(const struct trial *t)
{
    uint8_t *want = (uint8_t *)get(t->row);
    size_t wrong = 0;

    for (size_t f = 0; f < t->frames; f++) {
        const struct viterbi_verdict *v = &t->verdict[f];
        const struct fecrun_frame_info *info = &t->info[f];

        memset(want, UNTOUCHED, t->row);
        memset(want, 0, (t->spec.info_bits + 7) / 8);
        for (size_t i = 0; i < t->spec.info_bits; i++)
            want[i / 8] |= (uint8_t)(t->bits[f * t->spec.info_bits + i] << (7 - i % 8));
        wrong += memcmp(want, t->out + f * t->row, t->row) || info->iterations != v->iterations ||
                 info->flags != (FECRUN_FRAME_CHECKED | (v->converged ? 0u : FECRUN_FRAME_FAILED));
    }
    free(want);
    return wrong;
}

/* What was seen of all that can happen. */
struct seen {
    size_t frames, wrong, more_rounds, open;
};

static void try_once(const struct decoder *decoder, uint64_t seed, struct seen *seen)
{
    struct trial t = {};
    size_t wrong;

    seed_rng(seed);
    t.decoder = decoder;
    choose_spec(&t);
    make_input(&t);
    make_output(&t);
    decode(&t);
    decode_ref(&t);
    wrong = count_wrong(&t);
    if (wrong)
        diag("FECRUN_TEST_SEED=%" PRIu64 ": %zu of %zu frames of %zu bits, wrap_limit %u%s", seed,
             wrong, t.frames, t.spec.info_bits, t.spec.wrap_limit, t.swapped ? ", swapped" : "");
    seen->frames += t.frames;
    seen->wrong += wrong;
    for (size_t f = 0; f < t.frames; f++) {
        seen->more_rounds += t.verdict[f].iterations > 2;
        seen->open += !t.verdict[f].converged;
    }
    munmap(t.pages, t.n_pages * PAGE);
    free(t.out);
    free(t.bits);
    free(t.info);
    free(t.verdict);
}

static void test_decoder(const struct decoder *decoder, uint64_t seed)
{
    const uint64_t n = rounds(40);
    struct seen seen = {};

    for (uint64_t i = 0; i < n; i++)
        try_once(decoder, seed + i, &seen);
    ok(seen.wrong == 0, "%s: %zu frames, %zu wrong", decoder->name, seen.frames, seen.wrong);
    ok((seen.more_rounds && seen.open) || getenv("FECRUN_TEST_ROUNDS"),
       "%s: of these %zu took more than two rounds, %zu stayed open", decoder->name,
       seen.more_rounds, seen.open);
}

/* ---- What the host side says ----------------------------------------------------------------- */

static void test_choice(const struct decoder *decoder)
{
    struct viterbi_code other = decoder->code;
    struct registers_wish wish = {};
    struct registers_kernel kernel = {};
    bool swapped;

    wish.kind = REGISTERS_WRAP;
    wish.source = REGISTERS_I8;
    wish.wide = decoder->wide;
    ok(viterbi_registers_choose(&decoder->code, &wish, &kernel, &swapped) &&
           kernel.tiles == decoder->tiles && kernel.block_bytes == decoder->block_bytes,
       "%s: there is a kernel", decoder->name);
    other.gen[0] ^= 2;
    ok(!viterbi_registers_choose(&other, &wish, &kernel, &swapped), "and none for another code");
    wish.source = REGISTERS_NIBBLES;
    ok(!viterbi_registers_choose(&decoder->code, &wish, &kernel, &swapped), "and none for i4");
}

static void test_plan(void)
{
    struct registers_kernel kernel = {};
    struct viterbi_spec spec = {};
    struct wrap_plan plan = {};
    enum registers_kind kind;

    kernel.threads = REGISTERS_THREADS;
    kernel.block_bytes = 32768;
    kernel.tiles = 2;
    spec.code = decoders[3].code;
    spec.termination = VITERBI_TAIL_BITING;
    spec.info_bits = 43;
    ok(!viterbi_registers_problem(&spec, &kind) && kind == REGISTERS_WRAP &&
           !viterbi_wrap_plan(&plan, &spec, &kernel, 232448),
       "43 bits");
    is_int(plan.places, 12, "two rounds of six places");
    is_int(plan.near, 7, "of which seven are in shared memory");
    is_int((long long)plan.scratch, 5 * 32768, "and five in scratch memory");
    is_int(viterbi_wrap_grid(262144, &kernel, 132).threads, 256, "many frames: all warps");
    is_int(viterbi_wrap_grid(33792, &kernel, 132).threads, 128, "few: a warp a scheduler");
    is_int(viterbi_wrap_grid(33, &kernel, 132).blocks, 33, "very few: a block a frame");
    spec.info_bits = 100000;
    ok(viterbi_wrap_plan(&plan, &spec, &kernel, 232448) != NULL, "100000 bits are too many");
    spec.f = 24;
    ok(viterbi_registers_problem(&spec, &kind) != NULL, "as are tiles");
    spec.f = 0;
    spec.is_float = true;
    ok(viterbi_registers_problem(&spec, &kind) != NULL, "and float LLRs");
}

int main(void)
{
    const uint64_t seed = number_of_env("FECRUN_TEST_SEED", 1);

    test_plan();
    for (size_t i = 0; i < sizeof decoders / sizeof *decoders; i++) {
        if (decoders[i].lanes == REGISTERS_LANES_16) /* others are compiled when they are used */
            test_choice(&decoders[i]);
        test_decoder(&decoders[i], seed);
    }
    return done_testing();
}
