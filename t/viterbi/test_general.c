/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The kernel of the backend cuda-general, run on the host by cuda_emulate.h, against the
 * reference: random codes, geometries, punctured and packed input, both forms, survivors near and
 * far, groups of tiles left out. What a tile does not own must stay as it is.
 *
 * FECRUN_TEST_SEED and FECRUN_TEST_ROUNDS as in test_core.c.
 */

/* Its longjmp() takes a jump to another stack for an attack. */
#undef _FORTIFY_SOURCE

#include "t/viterbi/viterbi.h"

#if !defined(__GLIBC__) || defined(__SANITIZE_THREAD__)

int main(void)
{
    skip_all("the emulation needs makecontext() of glibc, and no thread sanitizer");
}

#else

#include "t/lib/cuda_emulate.h"

#include <math.h>

#include "plugins/viterbi/cuda/general/block.h"
#include "plugins/viterbi/cuda/device.h"

enum { UNTOUCHED = 0xa5, MOST_GROUPS = 4096 };

struct trial {
    uint64_t seed;
    struct viterbi_spec spec;
    struct viterbi_input input;
    struct viterbi_general general;
    uint32_t type;       /* of the punctured input */
    size_t items, front; /* of the mother code, as the reference reads them; before frame 0 */
    int8_t *mother;
    float *mother_float;
    uint16_t *rank;
    uint32_t period, sent;
    struct viterbi_gpu_input gpu;
    void *gpu_memory;
    uint8_t *bits; /* what must come out, one a byte */
    struct viterbi_verdict *verdict;
};

/* ---- what is decoded ---- */

static void choose_spec(struct viterbi_spec *s)
{
    memset(s, 0, sizeof *s);
    any_code(&s->code, one_in(12) ? VITERBI_MAX_K : one_in(6) ? 11 : 9, VITERBI_MAX_N);
    if (one_in(3))
        s->code = viterbi_named_codes[draw(12)].code;
    s->termination = draw(TERMINATIONS);
    s->is_float = one_in(4);
    s->llr_max = 127;
    s->info_bits = 1 + draw(one_in(2) ? 20 : one_in(2) ? 60 : 250);
    if (!one_in(3))
        s->f = 1 + draw(one_in(2) ? 12 : 100);
    if (s->f && one_in(3))
        s->f = (s->f + 7) & ~(size_t)7;
    s->v1 = one_in(3) ? 0 : draw(50);
    s->v2 = one_in(3) ? 0 : draw(50);
    s->f0 = one_in(2) ? 0 : 1 + draw(40);
    if (s->f0 && one_in(2))
        s->f0 = (s->f0 + 7) & ~(size_t)7;
    s->start = s->f0 ? VITERBI_STORED + draw(2) : VITERBI_BEST + draw(3);
    s->wrap_limit = one_in(2) ? 1 + draw(5) : 9;
}

/* Coroutine switches that a frame costs, about. */
static size_t frame_cost(const struct viterbi_spec *s)
{
    const size_t states = (size_t)1 << (s->code.K - 1);
    const size_t rounds_of_it = viterbi_wraps_around(s) ? s->wrap_limit : 1;

    return viterbi_frame_tiles(s) * viterbi_tile_max_steps(s) * rounds_of_it * (2 * states + 64);
}

/* A stream's frames are whole periods, and frames are whole steps. */
static void choose_pattern(struct trial *t)
{
    const size_t items = viterbi_frame_steps(&t->spec) * t->spec.code.n;

    t->rank = NULL;
    if (one_in(2))
        return;
    t->period = 1 + draw(30);
    if (t->spec.termination == VITERBI_CONTINUOUS)
        while (items % t->period)
            t->period--;
    t->rank = get(t->period * sizeof *t->rank);
    t->sent = 0;
    for (uint32_t i = 0; i < t->period; i++)
        t->rank[i] = one_in(3) ? 0 : (uint16_t)(VITERBI_SENT | t->sent++);
    if (t->sent == 0) {
        t->rank[t->period - 1] = VITERBI_SENT;
        t->sent = 1;
    }
}

static void choose_input(struct trial *t, size_t budget)
{
    struct viterbi_input *in = &t->input;
    const size_t n = t->spec.code.n, fit = budget / frame_cost(&t->spec);

    memset(in, 0, sizeof *in);
    in->frames = 1 + draw(one_in(2) ? 3 : 12);
    in->frames = in->frames < fit ? in->frames : fit;
    in->stride = viterbi_frame_steps(&t->spec) * n;
    if (t->spec.termination == VITERBI_CONTINUOUS) {
        in->at_start = one_in(2);
        in->before = in->at_start && one_in(2) ? 0 : draw(90);
        in->after = draw(90);
    }
    t->front = in->before * n;
    t->items = t->front + in->frames * in->stride + in->after * n;
    t->type = t->spec.is_float ? FECRUN_F32 : FECRUN_I8;
    if (!t->spec.is_float && one_in(4) && !in->before && !in->after)
        t->type = FECRUN_I4;
    if (t->type == FECRUN_I4 && t->spec.termination == VITERBI_CONTINUOUS && in->frames > 1)
        t->type = FECRUN_I8; /* pieces would begin inside a byte */
}

static bool is_sent(const struct trial *t, size_t item)
{
    const size_t whole = t->period ? (t->front / t->period + 1) * t->period : 0;

    if (!t->rank)
        return true;
    if (t->spec.termination == VITERBI_CONTINUOUS)
        return t->rank[(item + whole - t->front) % t->period] & VITERBI_SENT;
    return t->rank[item % t->input.stride % t->period] & VITERBI_SENT;
}

static void draw_values(struct trial *t)
{
    const int M = t->type == FECRUN_I4 ? 7 : one_in(2) ? 127 : 1 + (int)draw(12);
    const unsigned kind = draw(5), n = t->spec.code.n;
    uint32_t reg = 0;

    t->mother = get(t->items);
    for (size_t i = 0; i < t->items; i++) {
        int value = 0;

        if (i % t->input.stride == 0 && t->spec.termination != VITERBI_CONTINUOUS)
            reg = one_in(3) ? draw(1u << t->spec.code.K) : 0; /* sometimes from a wrong state */
        if (i % n == 0)
            reg = reg >> 1 | draw(2) << (t->spec.code.K - 1);
        switch (kind) {
        case 0:
            value = (int)draw(2 * (unsigned)M + 1) - M;
            break;
        case 1:
            value = (int)draw(3) - 1;
            break;
        case 2:
            value = one_in(2) ? M : -M;
            break;
        default:
            value = viterbi_code_label(&t->spec.code, reg) >> i % n & 1 ? -M : M;
            break;
        }
        if (kind > 3 && one_in(6))
            value = -value / 2;
        if (t->type == FECRUN_I8 && value == -127 && one_in(2))
            value = -128;
        t->mother[i] = (int8_t)(is_sent(t, i) ? value : 0);
    }
}

/* Integers (sums are exact), multiples of what has no short binary form (sums are rounded, and many
   that should tie do so only if they are made alike), or values of a real channel; some LLRs are cut
   to 2^20. */
static void make_float(struct trial *t)
{
    const int exponent = (int)draw(24) - 10;
    const float unit = one_in(3) ? 1 : 1 + (float)draw(1 << 23) / (1 << 23);
    const float spread = one_in(3) ? 0.001f : 0;

    t->mother_float = get(t->items * sizeof *t->mother_float);
    for (size_t i = 0; i < t->items; i++) {
        const float x = (float)t->mother[i] * unit +
                        (t->mother[i] ? (float)draw(1000) * spread : 0);
        t->mother_float[i] = ldexpf(x, exponent);
        if (t->mother[i] && one_in(200))
            t->mother_float[i] = one_in(2) || exponent < 4 ? NAN : t->mother[i] * INFINITY;
    }
}

/* The kernel gets some -8 for the reference's -7. */
static void put_item(const struct trial *t, char *row, size_t place, size_t item)
{
    const int nibble = t->mother[item] == -7 && one_in(2) ? 8 : t->mother[item] & 15;

    if (t->type == FECRUN_F32)
        ((float *)(void *)row)[place] = t->mother_float[item];
    else if (t->type == FECRUN_I8)
        row[place] = t->mother[item];
    else
        row[place / 2] = (char)(place % 2 ? (row[place / 2] & 0xf0) | nibble : nibble << 4);
}

/* Sent items one after the other; those of a stream without gap, else each frame in a row. */
static void make_gpu_input(struct trial *t)
{
    const bool stream = t->spec.termination == VITERBI_CONTINUOUS;
    const size_t row_items = stream ? t->items : t->input.stride;
    const size_t rows = stream ? 1 : t->input.frames;
    const size_t unit = t->type == FECRUN_F32 ? 4 : 1;
    size_t sent = 0, front = 0, frame = 0, stride;
    char *memory;

    for (size_t i = 0; i < row_items; i++) {
        front += is_sent(t, i) && i < t->front;
        frame += is_sent(t, i) && i >= t->front && i < t->front + t->input.stride;
        sent += is_sent(t, i);
    }
    stride = unit * (t->type == FECRUN_I4 ? (sent + 1) / 2 : sent) + (stream ? 0 : unit * draw(4));
    memory = get(rows * stride + 1);
    memset(memory, 0x5b, rows * stride + 1);
    for (size_t r = 0; r < rows; r++)
        for (size_t i = 0, place = 0; i < row_items; i++)
            if (is_sent(t, r * row_items + i))
                put_item(t, memory + r * stride, place++, r * row_items + i);
    t->gpu_memory = memory;
    t->gpu = (struct viterbi_gpu_input){
        .llr = memory + unit * front,
        .stride = stream ? (t->type == FECRUN_I4 ? stride : unit * frame) : stride,
        .frames = t->input.frames,
        .before = t->input.before,
        .after = t->input.after,
        .rank = t->rank,
        .period = t->period,
        .sent = t->sent,
        .type = t->type,
        .at_start = t->input.at_start,
    };
}

static void decode_ref(struct trial *t)
{
    void *scratch = get_scratch(viterbi_ref_scratch(&t->spec));

    t->input.llr = t->spec.is_float ? (void *)(t->mother_float + t->front)
                                    : (void *)(t->mother + t->front);
    t->bits = get(t->input.frames * t->spec.info_bits);
    t->verdict = get(t->input.frames * sizeof *t->verdict);
    viterbi_ref_decode(&t->spec, &t->input, t->bits, t->verdict, scratch);
    free(scratch);
}

/* ---- the kernel ---- */

static struct viterbi_general_config choose_config(const struct viterbi_spec *s)
{
    struct viterbi_general_config config = {
        .form = draw(2),
        .survivors = draw(3),
        .tiles = one_in(2) ? 0 : 1 + draw(100),
        .limits = {.processors = 1 + draw(3), .shared = 228 << 10, .shared_block = 227 << 10},
    };

    if (s->code.K >= 7 && s->code.K <= 9)
        config.form = draw(3);
    if (one_in(3))
        config.frames = s->code.K < 6 ? 1u << (6 - s->code.K) << draw(3) : 1 + draw(3);
    return config;
}

static void plan_document(struct trial *t)
{
    struct viterbi_general_problem problem;
    struct viterbi_general_config config = choose_config(&t->spec);

    if (!viterbi_general_plan(&t->general, &t->spec, &config, &problem))
        return;
    config.frames = 0;
    config.survivors = VITERBI_SURVIVORS_AUTO;
    if (viterbi_general_plan(&t->general, &t->spec, &config, &problem))
        bail("no plan: %s", problem.text);
}

struct block {
    const struct viterbi_general *general;
    const struct viterbi_general_work *work;
    uint32_t *shared;
};

/* With constants, as the .cu file has it. */
static void block_body(void *arg)
{
    const struct block *b = arg;

    decode_block(b->work, b->general->registers, b->general->spec.is_float, b->general->in_shared,
                 b->shared);
}

static void run_grid(const struct trial *t, const struct viterbi_general_work *work)
{
    const struct viterbi_general *d = &t->general;
    const uint64_t most = one_in(2) ? 2 : 1000;
    struct block b = {.general = d, .work = work};

    gridDim.x = (unsigned)(work->blocks < d->limit ? work->blocks : d->limit);
    if (gridDim.x > most)
        gridDim.x = (unsigned)most;
    for (blockIdx.x = 0; blockIdx.x < gridDim.x; blockIdx.x++) {
        b.shared = get_scratch(d->shared_bytes);
        emu_block(block_body, &b, work->tiles * work->threads, draw(1000));
        free(b.shared);
    }
}

static void set_bit(uint8_t *row, size_t at, unsigned bit)
{
    row[at / 8] = (uint8_t)((row[at / 8] & ~(0x80 >> at % 8)) | bit << (7 - at % 8));
}

/* What the output must be after this group. */
static void expect(const struct trial *t, const struct viterbi_group *g, uint8_t *packed,
                   size_t stride)
{
    const size_t L = t->spec.info_bits;

    for (size_t i = 0; i < g->items; i++) {
        const size_t frame = (g->skip + i) / g->row;
        const size_t at = (g->first + (g->skip + i) % g->row) * t->general.work.f;

        for (size_t p = at; p < at + g->tile.bits; p++)
            set_bit(packed + frame * stride, p, t->bits[frame * L + p]);
        for (size_t p = L; at + g->tile.bits == L && p % 8; p++)
            set_bit(packed + frame * stride, p, 0);
    }
}

/* All groups but, sometimes, one. */
static size_t choose_groups(const struct trial *t, struct viterbi_group *groups)
{
    struct viterbi_groups walk;
    size_t n = 0;

    viterbi_groups_begin(&walk, &t->spec, &t->input);
    while (n < MOST_GROUPS && viterbi_groups_next(&walk, &groups[n]))
        n++;
    if (n > 1 && one_in(3)) {
        n--;
        groups[draw((unsigned)n + 1)] = groups[n];
    }
    return n;
}

static bool same_infos(const struct trial *t, const struct fecrun_frame_info *info)
{
    for (size_t f = 0; f < t->input.frames; f++) {
        const uint32_t flags = FECRUN_FRAME_CHECKED |
                               (t->verdict[f].converged ? 0 : FECRUN_FRAME_FAILED);

        if (viterbi_wraps_around(&t->spec)
                ? info[f].iterations != t->verdict[f].iterations || info[f].flags != flags
                : info[f].iterations || info[f].flags)
            return false;
    }
    return true;
}

/* NULL or what differs. */
static const char *run_kernel(const struct trial *t, uint8_t *packed, uint8_t *want, size_t bytes,
                              size_t stride)
{
    static struct viterbi_group groups[MOST_GROUPS];
    struct viterbi_general_work work = t->general.work;
    const uint64_t tiles = t->input.frames * viterbi_frame_tiles(&t->spec);
    struct fecrun_frame_info *info = calloc(t->input.frames, sizeof *info);
    void *scratch = get_scratch(viterbi_general_scratch(&t->general, tiles));
    const size_t n = choose_groups(t, groups);
    const char *problem = NULL;

    work.input = t->gpu;
    work.output = (struct viterbi_gpu_output){.packed = packed, .stride = stride, .info = info};
    work.scratch = scratch;
    for (size_t at = 0; at < n; at += VITERBI_GENERAL_GROUPS) {
        viterbi_general_set_groups(&work, groups + at, viterbi_min(VITERBI_GENERAL_GROUPS, n - at));
        run_grid(t, &work);
    }
    for (size_t i = 0; i < n; i++)
        expect(t, &groups[i], want, stride);
    if (memcmp(packed, want, bytes))
        problem = "bits";
    else if (!same_infos(t, info))
        problem = "frame infos";
    free(info);
    free(scratch);
    return problem;
}

static const char *check_kernel(const struct trial *t)
{
    const size_t row = (t->spec.info_bits + 7) / 8, stride = row + draw(3), shift = draw(4);
    const size_t bytes = (shift + t->input.frames * stride + 3) / 4 * 4;
    uint8_t *packed = get(bytes), *want = get(bytes);
    const char *problem;

    memset(packed, UNTOUCHED, bytes);
    for (size_t f = 0; f < t->input.frames && t->general.work.share_bytes; f++)
        memset(packed + shift + f * stride, 0, row);
    memcpy(want, packed, bytes);
    problem = run_kernel(t, packed + shift, want + shift, bytes - shift, stride);
    free(packed);
    free(want);
    return problem;
}

/* ---- rounds ---- */

static void report(const struct trial *t, const char *problem)
{
    const struct viterbi_spec *s = &t->spec;

    diag("%s differ; repeat with FECRUN_TEST_SEED=%" PRIu64 " FECRUN_TEST_ROUNDS=1", problem,
         t->seed);
    diag("K %u n %u, %s, L %zu, f %zu v1 %zu v2 %zu f0 %zu start %d wrap_limit %u, type %u, "
         "period %u sent %u",
         s->code.K, s->code.n, termination_names[s->termination], s->info_bits, s->f, s->v1, s->v2,
         s->f0, (int)s->start, s->wrap_limit, t->type, t->rank ? t->period : 0, t->sent);
    diag("frames %zu before %zu after %zu at_start %d; %s", t->input.frames, t->input.before,
         t->input.after, t->input.at_start, t->general.text);
}

struct cell {
    unsigned long decodes, failures;
};

/* By termination, registers 0, 2, 4, 8 and memory of the survivors. */
static struct cell cells[TERMINATIONS][4][2];

static void random_round(uint64_t seed)
{
    const size_t budget = 300000;
    struct trial t = {.seed = seed};
    struct cell *cell;
    const char *problem;

    seed_rng(seed);
    do
        choose_spec(&t.spec);
    while (frame_cost(&t.spec) > (t.spec.code.K > 11 ? 8 : 1) * budget);
    choose_input(&t, 8 * budget);
    choose_pattern(&t);
    draw_values(&t);
    if (t.spec.is_float)
        make_float(&t);
    make_gpu_input(&t);
    decode_ref(&t);
    plan_document(&t);
    problem = check_kernel(&t);
    cell = &cells[t.spec.termination][t.general.registers == 8 ? 3 : t.general.registers / 2]
                 [t.general.in_shared];
    cell->decodes++;
    if (problem && cell->failures++ == 0)
        report(&t, problem);
    free(t.rank);
    free(t.mother);
    free(t.mother_float);
    free(t.gpu_memory);
    free(t.bits);
    free(t.verdict);
}

/* Which cell a round falls into is drawn: a few more rounds fill the last ones. */
static bool some_cell_empty(void)
{
    for (unsigned e = 0; e < TERMINATIONS; e++)
        for (unsigned f = 0; f < 4; f++)
            for (unsigned m = 0; m < 2; m++)
                if (!cells[e][f][m].decodes)
                    return true;
    return false;
}

static void test_random(uint64_t seed)
{
    static const char *const forms[] = {"a thread a state", "a warp a tile, K = 7",
                                        "a warp a tile, K = 8", "a warp a tile, K = 9"};
    const bool few = getenv("FECRUN_TEST_ROUNDS");
    const uint64_t n = rounds(600);

    for (uint64_t i = 0; i < n || (!few && i < 8 * n && some_cell_empty()); i++)
        random_round(seed + i);
    for (unsigned e = 0; e < TERMINATIONS; e++)
        for (unsigned f = 0; f < 4; f++)
            for (unsigned m = 0; m < 2; m++)
                ok(cells[e][f][m].failures == 0 && (cells[e][f][m].decodes || few),
                   "%s, %s, survivors in %s memory: %lu decodes, %lu failures",
                   termination_names[e], forms[f], m ? "shared" : "global", cells[e][f][m].decodes,
                   cells[e][f][m].failures);
}

/* ---- what a plan refuses ---- */

static void ok_refused(unsigned K, struct viterbi_general_config config, const char *option,
                       const char *what)
{
    const struct viterbi_spec spec = {
        .code = {.K = K, .n = 2, .gen = {1, 3}}, .info_bits = 100000, .llr_max = 127};
    struct viterbi_general_problem problem = {.option = "none"};
    struct viterbi_general general;

    config.limits.processors = 132;
    config.limits.shared = 228 << 10;
    config.limits.shared_block = 227 << 10;
    ok(viterbi_general_plan(&general, &spec, &config, &problem) == -1 &&
           tap_equal_str(problem.option, option),
       "refused: %s: %s", what, problem.text);
}

static void test_refusals(void)
{
    ok_refused(5, (struct viterbi_general_config){.form = VITERBI_GENERAL_WARP}, "form",
               "a warp a tile for K = 5");
    ok_refused(5, (struct viterbi_general_config){.frames = 3}, "frames",
               "half a warp of small tiles");
    ok_refused(7, (struct viterbi_general_config){.frames = 17}, "frames", "too many tiles");
    ok_refused(7, (struct viterbi_general_config){.survivors = VITERBI_SURVIVORS_SHARED},
               "survivors", "more survivors than shared memory");
}

/* ---- margins of punctured streams ---- */

static bool sent_at(const struct puncture_code *pattern, uint64_t place)
{
    for (uint64_t i = 0; i < pattern->sent; i++)
        if (pattern->place[i] == place % pattern->period)
            return true;
    return false;
}

/* Walks over the items; `far` is more whole periods than any walk. */
static bool margins_right(const struct puncture_code *pattern, unsigned n, unsigned items)
{
    const uint64_t far = (uint64_t)(items + 2) * pattern->period;
    uint64_t after = 0, before = 0, steps;
    uint16_t *rank = get(pattern->period * sizeof *rank);
    bool right;

    for (unsigned left = items; left; after++)
        left -= sent_at(pattern, after);
    for (unsigned left = items; left; before++)
        left -= sent_at(pattern, far - 1 - before);
    right = puncture_sent_of(pattern, after) == items;
    /* the restored end of a stream: whole steps of the pattern */
    while (after % pattern->rows)
        after++;
    right = right && viterbi_steps_after(pattern, n, items) == after / n;
    /* a stream that begins so much before has whole periods there */
    if (items % pattern->sent == 0)
        before = items / pattern->sent * pattern->period;
    steps = viterbi_steps_before(pattern, n, items);
    right = right && steps == before / n;
    viterbi_fill_rank(pattern, rank);
    for (uint64_t i = 0, sent = 0; i < pattern->period; i++) {
        const unsigned want = sent_at(pattern, i) ? VITERBI_SENT | (unsigned)sent++
                                                  : (unsigned)sent;
        right = right && rank[i] == want;
    }
    free(rank);
    return right;
}

/* Of a stream, with the pattern absorbed. What `cuda` asks besides, of a whole code, is in test_compiled. */
static bool is_taken(struct puncture_code *pattern, struct viterbi_spec spec)
{
    struct fecrun_error err = {.size = sizeof err};
    struct viterbi_decode_code code = {.spec = spec};
    void *const codes[] = {&code}, *const patterns[] = {pattern};
    void *const *const absorbed[] = {patterns};
    const struct fecrun_create args = {.size = sizeof args,
                                       .codes = codes,
                                       .n_codes = 1,
                                       .n_absorbed = 1,
                                       .absorbed = viterbi_cuda_absorbs,
                                       .absorbed_codes = absorbed};

    code.spec.termination = VITERBI_CONTINUOUS;
    return !viterbi_decode_cuda_general.takes(&args, &err);
}

static void test_margins(uint64_t seed)
{
    unsigned wrong = 0, enough = 0, short_of = 0, other = 0;

    seed_rng(seed);
    for (unsigned i = 0; i < 300; i++) {
        const unsigned n = 2 + draw(4), period = n * (1 + draw(one_in(4) ? 200 : 8));
        struct puncture_code *pattern = get(sizeof *pattern + period * sizeof pattern->place[0]);
        struct viterbi_spec spec = {.code.n = n, .v1 = 1 + draw(99), .v2 = 1 + draw(99)};
        bool fits;

        *pattern = (struct puncture_code){.rows = n, .period = period};
        for (unsigned p = 0; p < period; p++)
            if (!one_in(3) || (p + 1 == period && !pattern->sent))
                pattern->place[pattern->sent++] = p;
        wrong += !margins_right(pattern, n, 1 + draw(300));
        fits = viterbi_spare_suffices(pattern, &spec);
        enough += fits;
        other += is_taken(pattern, spec) != fits;
        short_of += !fits && period <= VITERBI_SPARE_ITEMS;
        for (unsigned k = 0; k < 2 && fits; k++) {
            const uint64_t v = k ? spec.v2 : spec.v1;
            const double part = (double)pattern->sent / period;
            const uint64_t have = (uint64_t)ceil((double)(v * n + VITERBI_SPARE_ITEMS) * part);

            wrong += (k ? viterbi_steps_after(pattern, n, have)
                        : viterbi_steps_before(pattern, n, have)) < v;
        }
        free(pattern);
    }
    is_int(wrong, 0, "steps that punctured items cover");
    is_int(other, 0, "takes() refuses to absorb the patterns where they do not suffice");
    ok(enough > 200 && short_of == 0, "spare items suffice for all short periods (%u of 300)",
       enough);
}

int main(void)
{
    test_refusals();
    test_margins(number_of_env("FECRUN_TEST_SEED", 1));
    test_random(number_of_env("FECRUN_TEST_SEED", 1));
    return done_testing();
}

#endif
