/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The CUDA decoder in registers on the CPU, thread by thread, against the reference: codes,
 * sources, word widths and ways to trace back as the kernels have them; random geometries,
 * addresses and frames, LLRs up to the largest that 8-bit metrics hold. Pages without access lie
 * around the input, and what is no output must stay as it is.
 *
 * FECRUN_TEST_SEED and FECRUN_TEST_ROUNDS as in test_core.c.
 */
#include "t/viterbi/registers.cuh"

extern "C" {
#include "plugins/viterbi/cuda/compiled.h"
}

#include <sys/mman.h>

enum { UNTOUCHED = 0xa5, PAGE = 4096, READ_ON = 31 /* bytes behind the input */ };

/* ---- A trial ------------------------------------------------------------------------------- */

struct trial {
    uint64_t seed;
    const struct decoder *decoder;
    struct viterbi_spec spec;
    enum registers_kind kind;
    bool swapped;
    bool lean;                  /* what a lean loop is for (registers/lean.cuh) ... */
    unsigned shift;             /* ... but for LLRs so many bytes behind a multiple of 16 */
    struct viterbi_input input; /* what the reference reads: every item of the mother code */
    int8_t *mother;             /* or floats */
    size_t items, front;        /* of mother; before frame 0 */
    unsigned width;             /* bytes of an item */
    uint16_t *rank;             /* NULL: not punctured */
    uint32_t period, sent;
    struct registers_spread spread[REGISTERS_MAX_COLUMNS];
    struct registers_job job;
    uint8_t *pages; /* of the kernels' input */
    size_t n_pages;
    uint8_t *out, *survivors, *bits;
    size_t out_bytes;
};

static size_t steps_of(const struct trial *t)
{
    return viterbi_frame_steps(&t->spec);
}

/* traced: for kernels that look up REGISTERS_TRACED_STEPS. */
static void choose_tiles(struct viterbi_spec *s, enum registers_kind kind, bool traced)
{
    const size_t memory = s->code.K - 1;

    s->v1 = one_in(3) ? 0 : draw(70);
    if (s->is_float)
        s->v1 = s->v1 / 8 * 8;
    s->f = one_in(4) ? 0 : 8 * (1 + draw(one_in(2) ? 4 : 40));
    if (kind == REGISTERS_WHOLE) {
        s->v2 = one_in(3) ? 0 : draw(80);
        s->start = one_in(2) ? VITERBI_BEST : VITERBI_ANY;
        return;
    }
    s->start = kind == REGISTERS_ANY ? VITERBI_ANY : VITERBI_STORED;
    s->v2 = memory + 8 * draw(9);
    s->f0 = one_in(2) ? 8 : 8 * (1 + draw(REGISTERS_MAX_BYTES));
    if (kind == REGISTERS_ANY && traced) {
        s->v2 = memory + 8 * (REGISTERS_TRACED_STEPS - 1);
        s->f0 = 8;
    }
}

/* The columns of the patterns of rates 2/3, 3/4, 5/6 and 7/8. */
static const char *const patterns[][2] = {
    {"11", "10"}, {"110", "101"}, {"11010", "10101"}, {"1000101", "1111010"}};

static void take_pattern(struct trial *t, const char *const rows[2])
{
    t->period = 2 * (uint32_t)strlen(rows[0]);
    t->sent = 0;
    t->rank = (uint16_t *)get(t->period * sizeof *t->rank);
    for (uint32_t i = 0; i < t->period; i++) {
        const bool sent = rows[i % 2][i / 2] == '1';

        t->rank[i] = (uint16_t)(t->sent | (sent ? VITERBI_SENT : 0));
        t->sent += sent;
    }
}

/* Sub-frames and traces of a lean loop. */
static void choose_lean(struct trial *t)
{
    const uint32_t may = t->decoder->lean[t->kind];
    unsigned bytes;

    do
        bytes = 1 + draw(REGISTERS_MAX_BYTES);
    while (!(may >> bytes & 1));
    t->lean = true;
    t->shift = one_in(4) ? 1 + draw(15) : 0;
    t->spec.f0 = 8 * bytes;
    t->spec.v2 = t->spec.code.K - 1 + 8 * (REGISTERS_TRACED_STEPS - bytes);
}

static void choose_spec(struct trial *t)
{
    struct viterbi_spec *s = &t->spec;
    const enum registers_lanes lanes = t->decoder->lanes;
    const int limit = viterbi_registers_limit(&t->decoder->code, lanes);
    const int fine = viterbi_registers_fine_limit(&t->decoder->code);

    s->code = t->decoder->code;
    t->swapped = s->code.n == 2 && !s->code.inverted[1] && one_in(2);
    if (t->swapped) {
        s->code.gen[0] = t->decoder->code.gen[1];
        s->code.gen[1] = t->decoder->code.gen[0];
    }
    s->is_float = t->decoder->source == REGISTERS_FLOATS;
    t->width = s->is_float ? 4 : 1;
    s->llr_max = t->decoder->fine ? fine < 127 ? fine : 127 : t->decoder->wide ? 127 : limit;
    if (t->decoder->source == REGISTERS_NIBBLES)
        s->llr_max = 7;
    s->wrap_limit = 1;
    s->termination = (enum viterbi_termination[]){VITERBI_ZERO, VITERBI_TRUNCATED,
                                                  VITERBI_CONTINUOUS}[draw(3)];
    s->info_bits = s->code.K + draw(one_in(2) ? 100 : 600);
    if (t->decoder->source == REGISTERS_PUNCTURED)
        take_pattern(t, patterns[draw(4)]);
    if (s->termination == VITERBI_CONTINUOUS) { /* whole bytes and whole periods */
        const size_t unit = t->rank ? 4 * t->period : 8;

        s->info_bits = (s->info_bits + unit - 1) / unit * unit;
    }
    t->kind = (enum registers_kind)draw(s->is_float ? 2 : 3);
    choose_tiles(s, t->kind, one_in(2));
    if (t->kind != REGISTERS_WHOLE && t->decoder->lean[t->kind] && one_in(2))
        choose_lean(t);
}

/* ---- LLRs ---------------------------------------------------------------------------------- */

static int saturate(int x, int most)
{
    return x > most ? most : x < -most ? -most : x;
}

/* Multiples of 1/2, whose sums tie; all else; and what is not a number or beyond the limit. */
static float some_float(unsigned way, int x)
{
    static const float odd[] = {NAN, INFINITY, -INFINITY, 3e30f, -0.0f, 1e-42f};

    if (one_in(200))
        return odd[draw(6)];
    return way == 3 ? (float)x / 2 : (float)x * (1 + (float)draw(1000) / 999);
}

/* Noisy codewords with some strong errors, anything, or the largest of both signs. */
static void fill_llrs(struct trial *t)
{
    const int most = t->spec.llr_max;
    const unsigned n = t->spec.code.n, K = t->spec.code.K, way = draw(4);
    unsigned path = 0;

    for (size_t i = 0; i < t->items; i++) {
        int x = (int)draw(2 * most + 1) - most;

        if (i % n == 0)
            path = path >> 1 | draw(2) << (K - 1);
        if (way > 1) {
            const int sign = viterbi_code_label(&t->spec.code, path) >> i % n & 1 ? -1 : 1;
            x = one_in(50) ? saturate(1000 * x, most) : saturate(x + sign * most / 2, most);
        } else if (way == 1) {
            x = one_in(2) ? most : -most;
        }
        if (t->spec.is_float)
            ((float *)t->mother)[i] = some_float(way, x);
        else
            t->mother[i] = most == 127 && one_in(100) ? -128 : (int8_t)x;
    }
}

static void choose_input(struct trial *t)
{
    struct viterbi_input *in = &t->input;
    const size_t n = t->spec.code.n;

    in->frames = 1 + draw(one_in(3) ? 20 : 4);
    in->stride = steps_of(t) * n;
    if (t->spec.termination == VITERBI_CONTINUOUS) {
        in->before = one_in(3) ? 0 : draw(200);
        in->after = one_in(3) ? 0 : draw(200);
        in->at_start = one_in(2);
        if (t->lean)
            in->before = in->before / 8 * 8;
    }
    t->front = in->before * n;
    t->items = t->front + in->frames * in->stride + in->after * n;
    t->mother = (int8_t *)get(t->items * t->width);
    fill_llrs(t);
    in->llr = t->mother + t->front * t->width;
}

/* Where item p is, counted from the place of item 0. */
static int64_t place_of(const struct trial *t, int64_t p, bool *sent)
{
    const int64_t period = t->period;
    const int64_t q = p >= 0 ? p / period : -((period - 1 - p) / period);

    *sent = t->rank[p - q * period] & VITERBI_SENT;
    return q * t->sent + (t->rank[p - q * period] & VITERBI_RANK);
}

/*
 * Items [from, to) of a frame or a stream, which begin at mother, as bytes of the kernel's input;
 * returns how many. The reference then sees those that were not sent as 0. Of i4 some of its -7 are -8 here.
 */
static size_t pack(const struct trial *t, int64_t from, int64_t to, int8_t *mother, uint8_t *bytes)
{
    size_t n = 0;

    for (int64_t p = from; p < to; p++, mother++) {
        const int nibble = *mother == -7 && one_in(2) ? 8 : *mother & 15;
        bool sent = true;

        if (t->spec.is_float) {
            memcpy(bytes + n, t->mother + (mother - t->mother) * 4, 4);
            n += 4;
            continue;
        }
        if (t->rank)
            place_of(t, p, &sent);
        if (!sent)
            *mother = 0;
        else if (t->decoder->source != REGISTERS_NIBBLES)
            bytes[n++] = (uint8_t)*mother;
        else if ((p - from) % 2 == 0)
            bytes[n++] = (uint8_t)(nibble << 4);
        else
            bytes[n - 1] |= nibble;
    }
    return n;
}

/* Pages for so many bytes and what may be read behind them, and one on either side. */
static void map_input(struct trial *t, size_t bytes)
{
    t->n_pages = (bytes + READ_ON + 16) / PAGE + 3;
    t->pages = (uint8_t *)mmap(NULL, t->n_pages * PAGE, PROT_READ | PROT_WRITE,
                               MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (t->pages == MAP_FAILED)
        bail("out of memory");
    memset(t->pages, (int)draw(256), t->n_pages * PAGE);
}

/* The pages on either side are those that nobody may touch. */
static void launch(const struct trial *t)
{
    if (mprotect(t->pages, PAGE, PROT_NONE) ||
        mprotect(t->pages + (t->n_pages - 1) * PAGE, PAGE, PROT_NONE))
        bail("cannot protect pages");
    t->decoder->run(&t->job, t->kind, t->survivors);
}

/* At the first byte, so near the end as the provider's memory lets kernels read on, or between; lean:
 * frame 0, `front` bytes behind, where its shift wants it. */
static uint8_t *choose_address(const struct trial *t, size_t bytes, size_t front)
{
    uint8_t *const first = t->pages + PAGE;
    uint8_t *const last = t->pages + (t->n_pages - 1) * PAGE - READ_ON - bytes;

    uint8_t *const any = one_in(3)   ? first
                         : one_in(2) ? last
                                     : first + draw((unsigned)(last - first) + 1);

    if (!t->lean)
        return any - (any - first) % t->width;
    uint8_t *const place = any - (((uintptr_t)any + front - t->shift) & 15);

    return place < first ? place + 16 : place;
}

static void place_input(struct trial *t)
{
    const bool stream = t->spec.termination == VITERBI_CONTINUOUS;
    const size_t frame = t->input.stride, pieces = stream ? 1 : t->input.frames;
    uint8_t *bytes = (uint8_t *)get(t->items * t->width), *at;
    size_t front = t->front, size = 0;
    bool sent;

    t->job.in.stride = frame * t->width;
    if (t->spec.is_float) {
        front *= 4;
    } else if (t->decoder->source == REGISTERS_NIBBLES) {
        front /= 2;
        t->job.in.stride /= 2;
    } else if (t->rank) {
        front = (size_t)-place_of(t, -(int64_t)front, &sent);
        t->job.in.stride = (uint64_t)place_of(t, (int64_t)frame, &sent);
    }
    if (!stream) /* room between frames */
        t->job.in.stride += draw(3) * draw(20) * t->width;
    if (t->lean)
        t->job.in.stride = (t->job.in.stride + 15) / 16 * 16;
    map_input(t, stream ? t->items * t->width : t->job.in.stride * pieces);
    if (stream)
        size = pack(t, -(int64_t)t->front, (int64_t)(t->items - t->front), t->mother, bytes);
    else
        size = pack(t, 0, (int64_t)frame, t->mother, bytes);
    at = choose_address(t, (pieces - 1) * t->job.in.stride + size, front);
    memcpy(at, bytes, size);
    for (size_t f = 1; f < pieces; f++) {
        pack(t, 0, (int64_t)frame, t->mother + f * frame, bytes);
        memcpy(at + f * t->job.in.stride, bytes, size);
    }
    t->job.in.llr = at + front;
    free(bytes);
}

/* ---- The kernels' side ---------------------------------------------------------------------- */

static void make_output(struct trial *t)
{
    const size_t bytes = (t->spec.info_bits + 7) / 8;
    const size_t stride = one_in(2) ? (bytes + 3) / 4 * 4 : bytes + draw(6);

    t->out_bytes = t->input.frames * stride + 8;
    t->out = (uint8_t *)get_scratch(t->out_bytes);
    memset(t->out, UNTOUCHED, t->out_bytes);
    t->job.out.stride = stride;
    t->job.out.packed = t->out + (one_in(2) ? 0 : draw(8));
}

static void make_job(struct trial *t)
{
    struct registers_job *job = &t->job;

    make_output(t);
    job->in.frames = t->input.frames;
    job->in.before = t->input.before;
    job->in.after = t->input.after;
    job->in.at_start = t->input.at_start;
    job->in.type = t->decoder->source == REGISTERS_NIBBLES ? FECRUN_I4
                   : t->spec.is_float                      ? FECRUN_F32
                                                           : FECRUN_I8;
    job->in.rank = t->rank;
    job->in.period = t->period;
    job->in.sent = t->sent;
    viterbi_registers_fill(job, &t->spec, t->swapped);
    job->threads = t->lean && t->decoder->members > 1 ? REGISTERS_THREADS
                   : one_in(2)                        ? 32
                                                      : 32 * (1 + draw(REGISTERS_THREADS / 32));
    job->lanes = one_in(2) ? 1 + draw(3) : 1 + draw(32 / t->decoder->members);
    job->tiles = 1 + draw(t->decoder->tiles);
    if (t->rank) {
        const char *problem = viterbi_registers_spread(t->rank, t->period, t->sent, t->spread);

        if (problem)
            bail("a pattern that %s", problem);
        job->spread = t->spread;
        job->columns = t->period / 2;
    }
    place_input(t);
}

/*
 * The smallest ring that holds what a trace looks up, or a larger one. From state 0 of the newest
 * block on, that block need not be in it; but a trace that is made beside the next block comes when
 * the newest one is.
 */
static void run_sub_frames(struct trial *t)
{
    struct registers_job *job = &t->job;
    const bool traced = !(REGISTERS_HELD && t->decoder->members == 1) && t->decoder->tiles == 2 &&
                        job->out_blocks == 1 && job->skip + 1 == REGISTERS_TRACED_STEPS;

    const bool held = REGISTERS_HELD && t->decoder->members == 1 && !t->decoder->newest;
    const bool slot = REGISTERS_GLOBAL_SLOT && t->decoder->members == 1 && !t->decoder->newest;

    job->ring = job->skip + job->out_blocks -
                ((t->kind == REGISTERS_ANY && !traced && !t->decoder->newest) || held);
    job->ring = (job->ring < 2 ? 2 : job->ring) + (one_in(3) ? draw(3) : 0);
    t->survivors = (uint8_t *)get_scratch((size_t)(job->ring - slot) * t->decoder->block_bytes);
    if (slot)
        job->scratch = (uint8_t *)get_scratch(t->decoder->block_bytes);
    launch(t);
    if (slot)
        free(job->scratch);
}

static void run_whole(struct trial *t)
{
    const size_t blocks = (viterbi_tile_max_steps(&t->spec) + 16) / 8 + 1;
    struct viterbi_groups walk;
    struct viterbi_group group;

    t->survivors = (uint8_t *)get_scratch(blocks * t->decoder->block_bytes);
    viterbi_groups_begin(&walk, &t->spec, &t->input);
    while (viterbi_groups_next(&walk, &group)) {
        viterbi_registers_group(&t->job, &group);
        launch(t);
    }
}

static void run_frames(struct trial *t)
{
    struct registers_job *job = &t->job;
    const size_t steps = steps_of(t);
    uint32_t pieces = 1 << draw(4), meet = one_in(2) ? 1 : 1 + draw(200);

    while (pieces > 1 && steps < 90 + meet + 32 * pieces)
        pieces /= 2;
    viterbi_registers_frames(job, &t->spec, pieces, meet);
    job->lanes = (job->lanes + pieces - 1) / pieces * pieces;
    job->ring = REGISTERS_TRACED_STEPS;
    t->survivors = (uint8_t *)get_scratch(
        viterbi_registers_frames_bytes(job, t->decoder->block_bytes) +
        job->ring * t->decoder->block_bytes);
    launch(t);
}

static void decode_ref(struct trial *t)
{
    struct viterbi_verdict *verdict = (struct viterbi_verdict *)get(t->input.frames *
                                                                    sizeof *verdict);
    void *scratch = get_scratch(viterbi_ref_scratch(&t->spec));

    t->bits = (uint8_t *)get(t->input.frames * t->spec.info_bits);
    viterbi_ref_decode(&t->spec, &t->input, t->bits, verdict, scratch);
    free(scratch);
    free(verdict);
}

/* ---- Comparing ------------------------------------------------------------------------------ */

/* Bytes of the output that differ from what the reference says and from what was there before. */
static size_t count_wrong(const struct trial *t)
{
    uint8_t *want = (uint8_t *)get(t->out_bytes);
    const size_t offset = (size_t)(t->job.out.packed - t->out);
    size_t wrong = 0;

    memset(want, UNTOUCHED, t->out_bytes);
    for (size_t frame = 0; frame < t->input.frames; frame++)
        for (size_t index = 0; index < viterbi_frame_tiles(&t->spec); index++) {
            const size_t at = frame * t->job.out.stride;
            uint8_t *out = want + offset + at;
            const uint8_t *bits = t->bits + frame * t->spec.info_bits;
            struct viterbi_tile tile;

            viterbi_tile_at(&t->spec, &t->input, frame, index, &tile);
            for (size_t i = tile.at; i < tile.at + tile.bits; i++) {
                if (i % 8 == 0)
                    out[i / 8] = 0;
                out[i / 8] |= bits[i] << (7 - i % 8);
            }
        }
    for (size_t i = 0; i < t->out_bytes; i++)
        wrong += t->out[i] != want[i];
    free(want);
    return wrong;
}

static void report(const struct trial *t, size_t wrong)
{
    const struct viterbi_spec *s = &t->spec;

    diag("FECRUN_TEST_SEED=%" PRIu64 ": %zu bytes differ: %zu frames of %zu bits, %s%s, f %zu, v1 "
         "%zu, v2 %zu, f0 %zu, start %d, |LLR| <= %d, before %zu%s, after %zu, period %u",
         t->seed, wrong, t->input.frames, s->info_bits, termination_names[s->termination],
         t->swapped ? ", swapped" : "", s->f, s->v1, s->v2, s->f0, (int)s->start, s->llr_max,
         t->input.before, t->input.at_start ? " from the start" : "", t->input.after, t->period);
}

/* Decodes of which the lean loop has done some blocks, by kind, and those where it should not have. */
struct lean_count {
    unsigned decodes[2], strays;
};

static void count_lean(const struct trial *t, struct lean_count *count)
{
    for (unsigned k = 0; k < 2; k++) {
        const bool some = registers_lean_blocks[k] > 0;

        count->decodes[k] += some;
        count->strays += some && (!t->decoder->lean[k] || t->shift || k != (unsigned)t->kind);
        registers_lean_blocks[k] = 0;
    }
}

/* Kernels for whole frames in pieces, with a proof. */
static bool has_frames(const struct decoder *decoder)
{
    return !decoder->wide && decoder->members == 1;
}

/* They have no slot in device memory. */
static bool runs_frames(const struct decoder *decoder)
{
    return has_frames(decoder) && !REGISTERS_GLOBAL_SLOT;
}

/* Whether it could be tried. */
static bool try_once(const struct decoder *decoder, uint64_t seed, enum registers_kind *kind,
                     size_t *wrong, struct lean_count *lean)
{
    struct trial t = {};

    seed_rng(seed);
    t.seed = seed;
    t.decoder = decoder;
    choose_spec(&t);
    *kind = t.kind;
    if (viterbi_spec_problem(&t.spec) || viterbi_registers_problem(&t.spec, kind)) {
        free(t.rank);
        return false;
    }
    choose_input(&t);
    make_job(&t);
    if (*kind == t.kind && *kind == REGISTERS_WHOLE && viterbi_registers_proves(&t.spec) &&
        runs_frames(decoder) && one_in(2))
        *kind = t.kind = REGISTERS_FRAMES;
    if (*kind == REGISTERS_FRAMES)
        run_frames(&t);
    else if (*kind == REGISTERS_WHOLE)
        run_whole(&t);
    else
        run_sub_frames(&t);
    count_lean(&t, lean);
    decode_ref(&t);
    *wrong = *kind == t.kind ? count_wrong(&t) : SIZE_MAX;
    if (*wrong)
        report(&t, *wrong);
    munmap(t.pages, t.n_pages * PAGE);
    free(t.rank);
    free(t.mother);
    free(t.out);
    free(t.survivors);
    free(t.bits);
    return true;
}

static void test_decoder(const struct decoder *decoder, uint64_t seed)
{
    static const char *const kinds[] = {"sub-frames from any state", "from stored states",
                                        "whole tiles", "whole frames, proven"};
    const uint64_t n = rounds(120);
    unsigned decodes[4] = {0}, failures[4] = {0};
    struct lean_count lean = {};

    for (uint64_t i = 0; i < n; i++) {
        enum registers_kind kind;
        size_t wrong;

        if (!try_once(decoder, seed + i, &kind, &wrong, &lean))
            continue;
        decodes[kind]++;
        failures[kind] += wrong != 0;
    }
    for (unsigned k = 0; k < (decoder->source == REGISTERS_FLOATS ? 2u : 3u + runs_frames(decoder));
         k++)
        ok(failures[k] == 0 && (decodes[k] || getenv("FECRUN_TEST_ROUNDS")),
           "%s, %s: %u decodes, %u failures", decoder->name, kinds[k], decodes[k], failures[k]);
    ok(lean.strays == 0 &&
           (((lean.decodes[0] || !decoder->lean[0]) && (lean.decodes[1] || !decoder->lean[1])) ||
            getenv("FECRUN_TEST_ROUNDS")),
       "%s: the lean loop in %u and %u of them, %u too many", decoder->name, lean.decodes[0],
       lean.decodes[1], lean.strays);
}

/* ---- What the host side says ----------------------------------------------------------------- */

/* The kernels that are chosen are of the shape that was tried above. */
/* What is compiled when it is used has the same places for survivors. */
static void test_compiled(const struct decoder *decoder)
{
    unsigned wrong = 0;

    for (unsigned k = 0; k < (decoder->source == REGISTERS_FLOATS ? 2 : 4); k++) {
        struct registers_wish wish = {};
        struct registers_kernel kernel = {};

        wish.kind = (enum registers_kind)k;
        wish.source = decoder->source;
        wish.lanes = decoder->lanes;
        wish.wide = decoder->wide;
        wish.fine = decoder->fine;
        wrong += viterbi_compiled_plan(&decoder->code, &wish, REGISTERS_THREADS, &kernel) != NULL ||
                 kernel.tiles != decoder->tiles || kernel.newest != decoder->newest ||
                 kernel.members != decoder->members || kernel.block_bytes != decoder->block_bytes ||
                 kernel.frames != (k == REGISTERS_FRAMES && has_frames(decoder));
    }
    is_int(wrong, 0, "%s: the same places in what is compiled", decoder->name);
}

/* Is it one of those for machines without libnvrtc? */
static bool is_in_build(const struct decoder *decoder)
{
    const struct viterbi_code *code = &decoder->code;

    return code->K == 7 && code->n == 2 &&
           (!code->inverted[1] || decoder->source == REGISTERS_FLOATS);
}

static void test_choice(const struct decoder *decoder)
{
    struct viterbi_code other = decoder->code;
    unsigned wrong = 0;
    bool swapped;

    for (unsigned k = 0; k < (decoder->source == REGISTERS_FLOATS ? 2 : 4); k++) {
        struct registers_wish wish = {};
        struct registers_kernel kernel = {};

        wish.kind = (enum registers_kind)k;
        wish.source = decoder->source;
        wish.wide = decoder->wide;
        wish.fine = decoder->fine;
        if (!is_in_build(decoder)) {
            wrong += viterbi_registers_choose(&decoder->code, &wish, &kernel, &swapped);
            continue;
        }
        wrong += !viterbi_registers_choose(&decoder->code, &wish, &kernel, &swapped) || swapped ||
                 kernel.tiles != decoder->tiles || kernel.newest != decoder->newest ||
                 kernel.block_bytes != decoder->block_bytes ||
                 kernel.frames != (k == REGISTERS_FRAMES && has_frames(decoder));
        other.gen[0] = decoder->code.gen[1];
        other.gen[1] = decoder->code.gen[0];
        if (other.n == 2 && !other.inverted[1])
            wrong += !viterbi_registers_choose(&other, &wish, &kernel, &swapped) || !swapped;
        other.gen[0] ^= 2;
        wrong += viterbi_registers_choose(&other, &wish, &kernel, &swapped);
    }
    is_int(wrong, 0, "%s: kernels are found, and none for another code", decoder->name);
}

static const struct viterbi_code k7_code = {7, 2, {0133, 0171}};

static void refuses(const char *what, void (*change)(struct viterbi_spec *))
{
    struct viterbi_spec spec = {};
    const char *before, *after;
    enum registers_kind kind;

    spec.code = k7_code;
    spec.info_bits = 1000;
    spec.f = 256;
    spec.v1 = 20;
    spec.v2 = 46;
    spec.f0 = 16;
    spec.start = VITERBI_STORED;
    before = viterbi_registers_problem(&spec, &kind);
    change(&spec);
    after = viterbi_registers_problem(&spec, &kind);
    ok(!before && after, "refused: %s: %s", what, after ? after : "no");
}

#define REFUSES(what, change) refuses(what, [](struct viterbi_spec *s) { change; })

static void test_problems(void)
{
    REFUSES("float LLRs of whole tiles", (s->is_float = true, s->f0 = 0));
    REFUSES("float LLRs after 20 steps", (s->is_float = true, s->v1 = 20));
    REFUSES("tail-biting", s->termination = VITERBI_TAIL_BITING);
    REFUSES("frames of less than K steps",
            (s->info_bits = 6, s->termination = VITERBI_TRUNCATED, s->f = 0));
    REFUSES("tiles of 255 steps", s->f = 255);
    REFUSES("tiles of 2^30 steps", s->f = (size_t)1 << 30);
    REFUSES("sub-frames of 12 steps", s->f0 = 12);
    REFUSES("sub-frames of 40 steps", s->f0 = 40);
    REFUSES("v2 below K - 1", s->v2 = 0);
    REFUSES("v2 of 47 steps", s->v2 = 47);
}

/* Blocks put together out of the items that were sent, from each column on. */
static void test_spread(const char *const rows[2])
{
    struct trial t = {};
    unsigned wrong = 0;

    take_pattern(&t, rows);
    if (viterbi_registers_spread(t.rank, t.period, t.sent, t.spread))
        wrong++;
    for (uint32_t column = 0; column < t.period / 2; column++) {
        uint8_t raw[16] = {0}, item[16], want[16] = {0};
        uint32_t words[4], items[4], n = 0;

        for (unsigned i = 0; i < 16; i++)
            if (t.rank[(2 * column + i) % t.period] & VITERBI_SENT)
                raw[n] = want[i] = (uint8_t)(n + 1), n++;
        for (unsigned i = n; i < 16; i++)
            raw[i] = 0xee; /* of the next block */
        memcpy(words, raw, sizeof raw);
        registers_spread_out(words, t.spread[column], items);
        memcpy(item, items, sizeof item);
        wrong += memcmp(item, want, sizeof item) != 0;
        wrong += t.spread[column].select[0] >> 24 != n;
        wrong += t.spread[column].select[1] >> 24 != (column + 8) % (t.period / 2);
    }
    free(t.rank);
    is_int(wrong, 0, "blocks of the pattern %s %s", rows[0], rows[1]);
}

int main(void)
{
    const uint64_t seed = number_of_env("FECRUN_TEST_SEED", 1);

    test_problems();
    for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++)
        test_spread(patterns[i]);
    for (size_t i = 0; i < sizeof decoders / sizeof *decoders; i++) {
        const enum registers_lanes lanes = decoders[i].lanes;
        const int limit = viterbi_registers_limit(&decoders[i].code, lanes);

        test_compiled(&decoders[i]);
        if (BUILT_IN && lanes == REGISTERS_LANES_16)
            test_choice(&decoders[i]);
        if (decoders[i].fine)
            ok(viterbi_registers_fine_limit(&decoders[i].code) >=
                   (decoders[i].code.n == 2 ? 127 : 85),
               "%s: i8 in metrics of 12 bits", decoders[i].name);
        if (!decoders[i].wide)
            ok(limit >= (decoders[i].code.K == 9 && decoders[i].code.n == 4 ? 4 : 5) /
                            (lanes == REGISTERS_LANES_16 ? 1 : 2),
               "%s: LLRs up to %d in metrics of %d bits", decoders[i].name, limit,
               lanes == REGISTERS_LANES_16 ? 8 : 7);
        test_decoder(&decoders[i], seed);
    }
    return done_testing();
}
