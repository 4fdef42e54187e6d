/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The CUDA decoders on the CPU, thread by thread, against the reference, bit by bit: codes of all
 * lengths and rates, frozen sets of NR's order and without any order, few and many LLRs that are
 * equal, odd numbers of frames, unaligned ones, packed and plain bits, CRCs.
 */
#include "plugins/polar/code/nr.h"
#include "plugins/polar/ref/ref.h"
#include "t/lib/tap.h"
#include "t/polar/cuda.h"

enum { MOST_N = 1024, MOST_FRAMES = 16, POISON = 0xa5 };

static uint64_t state = 88172645463325252u;

static uint32_t draw(uint32_t n)
{
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    return (uint32_t)(state >> 33) % n;
}

static void *get(size_t bytes)
{
    void *p = malloc(bytes);

    if (!p)
        bail("out of memory");
    return p;
}

/* ---- Codes ----------------------------------------------------------------------------------- */

static void set_positions(struct polar_code *code)
{
    uint32_t k = 0;

    for (uint32_t i = 0; i < code->n; i++)
        if (code->kind[i] == POLAR_MESSAGE)
            code->position[k++] = (uint16_t)i;
    if (k != code->k)
        bail("%u positions of %u", k, code->k);
}

/* The K most reliable positions of NR's order; then `moves` of them are exchanged for others. */
static struct polar_code *make_code(uint32_t stages, uint32_t k, uint32_t moves)
{
    struct polar_code *code = polar_code_new(stages, k);

    if (!code)
        bail("out of memory");
    for (uint32_t i = POLAR_NR_MOST_N, left = k; i-- > 0 && left;)
        if (polar_nr_sequence[i] < code->n) {
            code->kind[polar_nr_sequence[i]] = POLAR_MESSAGE;
            left--;
        }
    while (moves) {
        const uint32_t from = draw(code->n), to = draw(code->n);

        if (code->kind[from] == POLAR_MESSAGE && code->kind[to] == POLAR_FROZEN) {
            code->kind[from] = POLAR_FROZEN;
            code->kind[to] = POLAR_MESSAGE;
            moves--;
        }
    }
    set_positions(code);
    return code;
}

/* ---- Frames ---------------------------------------------------------------------------------- */

struct trial {
    struct polar_decode d;
    uint32_t frames, size; /* of LLRs: that of an undisturbed bit */
    bool packed, aligned;
    int8_t *in, *base;
    uint8_t *out, *want, *good; /* bits one a byte */
    struct fecrun_frame_info info[MOST_FRAMES];
    size_t in_stride, out_stride;
};

static uint32_t crc_of(const struct polar_crc *crc, const uint8_t *bits, uint32_t n)
{
    uint32_t s = crc->start;

    for (uint32_t i = 0; i < n; i++)
        s = polar_crc_step(crc, s, bits[i]);
    return s;
}

static void make_message(const struct polar_decode *d, uint8_t *message)
{
    const uint32_t k = d->code->k, width = d->crc.width;
    uint32_t parity;

    for (uint32_t i = 0; i < k; i++)
        message[i] = (uint8_t)draw(2);
    if (!width)
        return;
    parity = crc_of(&d->crc, message, k - width);
    for (uint32_t i = 0; i < width; i++)
        message[k - width + i] = parity >> (width - 1 - i) & 1;
}

/* Noise of about the size of the signal, limited to what 8 bits hold, -128 among it. */
static void make_frame(const struct trial *t, int8_t *llr)
{
    static uint8_t message[MOST_N], x[MOST_N];

    make_message(&t->d, message);
    polar_place(t->d.code, message, x);
    polar_transform(x, t->d.code->n);
    for (uint32_t i = 0; i < t->d.code->n; i++) {
        const int spread = (int)(t->size * 3 / 2) + 1;
        int y = x[i] ? -(int)t->size : (int)t->size;

        for (unsigned j = 0; j < 2; j++)
            y += (int)draw((uint32_t)(2 * spread + 1)) - spread;
        llr[i] = (int8_t)(y > 127 ? 127 : y < -128 ? -128 : y);
    }
}

/* What the decoder is to write. */
static void spoil(struct trial *t)
{
    memset(t->out, POISON, t->frames * t->out_stride + 8);
    memset(t->info, 0, sizeof t->info);
}

static void make_frames(struct trial *t)
{
    const uint32_t n = t->d.code->n, k = t->d.code->k, bytes = t->packed ? (k + 7) / 8 : k;

    t->in_stride = n + (t->aligned ? 16 * draw(2) : draw(20));
    t->out_stride = bytes + draw(5) + 1;
    t->base = aligned_alloc(64, (t->frames * t->in_stride + 4 * 64) / 64 * 64);
    t->in = t->base + 64 + (t->aligned ? 0 : draw(16));
    t->out = get(t->frames * t->out_stride + 8);
    t->want = get(t->frames * k);
    t->good = get(t->frames);
    if (!t->base)
        bail("out of memory");
    spoil(t);
    for (uint32_t f = 0; f < t->frames; f++)
        make_frame(t, t->in + f * t->in_stride);
}

static void free_frames(struct trial *t)
{
    free(t->base), free(t->out), free(t->want), free(t->good);
}

/* What the reference says, in floats. */
static void want_sc(struct trial *t)
{
    static float alpha[2 * MOST_N];
    static uint8_t beta[MOST_N];
    const struct polar_ref_tree tree = {alpha, beta};
    const uint32_t n = t->d.code->n, k = t->d.code->k;

    for (uint32_t f = 0; f < t->frames; f++) {
        const int8_t *llr = t->in + f * t->in_stride;

        for (uint32_t i = 0; i < n; i++)
            alpha[n + i] = llr[i] < -127 ? -127 : llr[i];
        polar_ref_sc(&t->d, &tree);
        polar_message(t->d.code, beta, t->want + f * k);
        t->good[f] = polar_crc_holds(&t->d.crc, t->want + f * k, k);
    }
}

static void want_scl(struct trial *t)
{
    static float llr[MOST_N];
    static uint8_t x[MOST_N];
    const uint32_t n = t->d.code->n, k = t->d.code->k;
    void *memory = get(polar_ref_list_carve(&(struct polar_ref_list *){NULL}, &t->d, NULL) + 64);
    struct polar_ref_list *list;

    polar_ref_list_carve(&list, &t->d, memory);
    for (uint32_t f = 0; f < t->frames; f++) {
        const int8_t *in = t->in + f * t->in_stride;

        for (uint32_t i = 0; i < n; i++)
            llr[i] = in[i] < -127 ? -127 : in[i];
        polar_ref_scl(&t->d, list, llr, x, t->want + f * k);
        t->good[f] = polar_crc_holds(&t->d.crc, t->want + f * k, k);
    }
    free(memory);
}

/* ---- Comparing ------------------------------------------------------------------------------- */

static bool is_right(const struct trial *t, uint32_t f)
{
    const uint32_t k = t->d.code->k;
    const uint8_t *row = t->out + f * t->out_stride, *want = t->want + f * k;
    const uint32_t bytes = t->packed ? (k + 7) / 8 : k;
    const uint32_t flags = !t->d.crc.width
                               ? 0
                               : FECRUN_CHECKED | (t->good[f] ? 0u : (uint32_t)FECRUN_FAILED);

    for (uint32_t i = 0; i < 8 * bytes && t->packed; i++)
        if ((row[i / 8] >> (7 - i % 8) & 1) != (i < k ? want[i] : 0))
            return false;
    if (!t->packed && memcmp(row, want, k) != 0)
        return false;
    return row[bytes] == POISON && t->info[f].flags == flags;
}

static uint32_t count_wrong(const struct trial *t)
{
    uint32_t wrong = 0;

    for (uint32_t f = 0; f < t->frames; f++)
        wrong += !is_right(t, f);
    return wrong;
}

/* ---- Trials ---------------------------------------------------------------------------------- */

static void fill_frames(const struct trial *t, struct polar_frames *f)
{
    static uint16_t position[MOST_N + 32] __attribute__((aligned(16)));
    static uint32_t table[POLAR_CRC_TABLE];

    polar_frames_fill(f, &t->d, position, table);
    f->in = t->in;
    f->out = t->out;
    f->in_stride = t->in_stride;
    f->out_stride = t->out_stride;
    f->info = (struct fecrun_frame_info *)t->info;
    f->position = position;
    f->crc_table = table;
    f->count = t->frames;
    f->aligned = t->aligned;
    f->packed = t->packed;
}

/* What the reference says if lists are only for frames whose CRC fails: those in fail[]. */
static void want_adaptive(struct trial *t, uint32_t *fail, uint32_t *n_fail)
{
    const uint32_t k = t->d.code->k;
    uint8_t *sc;

    want_sc(t);
    sc = t->want;
    t->want = get(t->frames * k);
    *n_fail = 0;
    for (uint32_t f = 0; f < t->frames; f++)
        if (!t->good[f])
            fail[(*n_fail)++] = f;
    want_scl(t);
    for (uint32_t f = 0; f < t->frames; f++)
        if (polar_crc_holds(&t->d.crc, sc + f * k, k)) {
            memcpy(t->want + f * k, sc + f * k, k);
            t->good[f] = 1;
        }
    free(sc);
}

/* fail: room for the frames whose CRC fails, or NULL. */
static void run_sc(struct trial *t, uint32_t *fail, uint32_t *n_fail)
{
    enum { BLOCKS = 2, WARPS = 2 };
    struct polar_sc_job job = {.fail = fail, .n_fail = n_fail};
    const char *problem = polar_sc_plan(&t->d, &job);

    if (problem)
        bail("%s", problem);
    fill_frames(t, &job.frames);
    job.scratch = aligned_alloc(64, BLOCKS * WARPS * polar_sc_scratch(job.stages) * 4);
    if (!job.scratch)
        bail("out of memory");
    polar_emulate_sc(&job, BLOCKS, WARPS, draw(100));
    free(job.scratch);
}

/* frame: not NULL: only those. alone: a warp for each. */
static void run_scl(struct trial *t, const uint32_t *frame, const uint32_t *n_frames, bool alone)
{
    enum { BLOCKS = 2, WARPS = 2 };
    static uint32_t mask[LIST_MASK_WORDS] __attribute__((aligned(16)));
    static uint32_t parity[LIST_PARITY_WORDS];
    struct polar_list_step *step = get(polar_list_most_steps(&t->d) * sizeof *step);
    struct polar_list_job job = {.frame = frame, .n_frames = n_frames};
    const char *problem = polar_list_plan(&t->d, &job, step);

    if (problem)
        bail("%s", problem);
    fill_frames(t, &job.frames);
    job.frames.iterations = 2;
    job.step = step;
    polar_list_crc_fill(&t->d, &job, mask);
    polar_list_parity_fill(&t->d, &job, parity);
    job.global = get(sizeof(uint32_t) * BLOCKS * WARPS * LIST_ROW *
                     polar_list_global_rows(polar_list_lanes(t->d.most_paths)));
    polar_emulate_list(&job, BLOCKS, WARPS, draw(100), alone);
    free(job.global);
    free(step);
}

static uint32_t try_code(struct polar_code *code, uint32_t paths, uint32_t size, uint32_t frames)
{
    static const struct polar_crc crcs[] = {
        {0, 0, 0, 0}, {6, 0x21, 0, 0}, {11, 0x621, 0, 0}, {24, 0xb2b117, 0x123456, 0x654321}};
    struct trial t = {.frames = frames, .size = size, .packed = draw(2), .aligned = draw(2)};
    uint32_t wrong = 0;

    t.d.code = code;
    t.d.sc = polar_program_new(code, true, false);
    t.d.list = polar_program_new(code, true, true);
    t.d.most_paths = paths;
    t.d.limit = 127;
    t.d.crc = crcs[draw(4)];
    if (t.d.crc.width >= code->k)
        t.d.crc = crcs[0];
    make_frames(&t);
    if (paths) {
        want_scl(&t);
        run_scl(&t, NULL, NULL, true);
        wrong = count_wrong(&t);
        if (wrong)
            diag("alone:");
        spoil(&t);
        run_scl(&t, NULL, NULL, false);
    } else {
        want_sc(&t);
        run_sc(&t, NULL, NULL);
    }
    wrong += count_wrong(&t);
    if (wrong)
        diag("N = %u, K = %u, %u paths, size %u, CRC%u, %s: %u of %u frames", code->n, code->k,
             paths, size, t.d.crc.width, t.packed ? "packed" : "u8", wrong, t.frames);
    free(t.d.sc);
    free(t.d.list);
    free_frames(&t);
    return wrong;
}

static void try_rates(uint32_t stages, uint32_t moves, uint32_t paths, uint32_t codes,
                      const char *what)
{
    const uint32_t n = 1u << stages;
    uint32_t wrong = 0;

    for (uint32_t i = 0; i < codes; i++) {
        const uint32_t k = 1 + i * (n - 1) / (codes - 1);
        const uint32_t most = k < n - k ? k : n - k;
        struct polar_code *code = make_code(stages, k, moves < most ? moves : most);

        wrong += try_code(code, paths,
                          i % 3 == 0   ? 2
                          : i % 3 == 1 ? 20
                                       : 90,
                          1 + draw(paths ? 6 : 3));
        free(code);
    }
    if (paths)
        is_int(wrong, 0, "scl, %u paths, N = %u, %s", paths, n, what);
    else
        is_int(wrong, 0, "sc, N = %u, %s", n, what);
}

/* Lists of codes of which up to three bits are parities of those in front, and none. */
static void try_parities(uint32_t paths)
{
    uint32_t wrong = 0;

    for (uint32_t i = 0; i < 12; i++) {
        const uint32_t stages = 5 + i % 6, n = 1u << stages;
        struct polar_code *code = make_code(stages, 10 + draw(n / 2), i / 6 ? n / 16 : 0);

        for (uint32_t tries = 0; tries < 100 && code->parities < 1 + i % 3; tries++) {
            const uint32_t at = n / 4 + draw(n - n / 4);

            if (code->kind[at] == POLAR_FROZEN) {
                code->kind[at] = POLAR_PARITY;
                code->parities++;
            }
        }
        wrong += try_code(code, paths, i % 2 ? 20 : 90, 1 + draw(6));
        free(code);
    }
    is_int(wrong, 0, "scl, %u paths, parity bits", paths);
}

static bool same_set(const uint32_t *a, const uint32_t *b, uint32_t n)
{
    uint32_t found = 0;

    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = 0; j < n; j++)
            found += a[i] == b[j];
    return found == n;
}

/* The list behind sc: the frames that it is to have, and that it leaves the others alone. */
static void try_adaptive(void)
{
    struct polar_code *code = make_code(8, 56, 0);
    struct trial t = {.frames = MOST_FRAMES, .size = 20, .packed = true};
    uint32_t want[MOST_FRAMES], fail[MOST_FRAMES], n_want, n_fail = 0, twice = 0;

    state = 1; /* some of these frames fail, whatever was drawn before */
    t.d.code = code;
    t.d.sc = polar_program_new(code, true, false);
    t.d.list = polar_program_new(code, true, true);
    t.d.most_paths = 8;
    t.d.limit = 127;
    t.d.crc = (struct polar_crc){11, 0x621, 0, 0};
    make_frames(&t);
    want_adaptive(&t, want, &n_want);
    run_sc(&t, fail, &n_fail);
    ok(n_want > 0 && n_want < t.frames, "%u of %u frames are for the list", n_want, t.frames);
    ok(n_fail == n_want && same_set(fail, want, n_want), "sc says which");
    run_scl(&t, fail, &n_fail, false);
    for (uint32_t f = 0; f < t.frames; f++)
        twice += t.info[f].iterations == 2;
    is_int(twice, n_want, "the list decodes those");
    is_int(count_wrong(&t), 0, "and all are as the reference's");
    free(t.d.sc), free(t.d.list);
    free_frames(&t);
    free(code);
}

int main(void)
{
    static const uint32_t paths[] = {8, 1, 3, 16};

    for (uint32_t stages = 5; stages <= 10; stages++) {
        try_rates(stages, 0, 0, 24, "NR's order");
        try_rates(stages, 3u << (stages - 5), 0, 24, "any order");
    }
    for (uint32_t i = 0; i < sizeof paths / sizeof *paths; i++)
        for (uint32_t stages = 5; stages <= 10; stages++) {
            try_rates(stages, 0, paths[i], stages < 9 ? 5 : 3, "NR's order");
            try_rates(stages, 3u << (stages - 5), paths[i], stages < 9 ? 5 : 3, "any order");
        }
    try_parities(8);
    try_parities(2);
    try_adaptive();
    return done_testing();
}
