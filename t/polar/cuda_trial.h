/* SPDX-License-Identifier: BSD-2-Clause */
/* Codes, frames and the reference's result for trials of the CUDA decoders on the CPU. */
#ifndef T_POLAR_CUDA_TRIAL_H
#define T_POLAR_CUDA_TRIAL_H

#include "plugins/polar/code/nr.h"
#include "plugins/polar/ref/ref.h"
#include "t/lib/tap.h"
#include "t/polar/cuda.h"

enum { MOST_N = 4096, MOST_FRAMES = 16, MOST_ROOM = 400, POISON = 0xa5 };

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

/* The K most reliable positions of NR's order, of longer codes those with most ones in their number;
   then `moves` of them are exchanged for others. */
static struct polar_code *make_code(uint32_t stages, uint32_t k, uint32_t moves)
{
    struct polar_code *code = polar_code_new(stages, k);

    if (!code)
        bail("out of memory");
    for (uint32_t i = POLAR_NR_MOST_N, left = k; code->n <= POLAR_NR_MOST_N && i-- > 0 && left;)
        if (polar_nr_sequence[i] < code->n) {
            code->kind[polar_nr_sequence[i]] = POLAR_MESSAGE;
            left--;
        }
    for (uint32_t ones = stages + 1, left = k; code->n > POLAR_NR_MOST_N && ones-- > 0;)
        for (uint32_t i = code->n; i-- > 0 && left;)
            if ((uint32_t)__builtin_popcount(i) == ones) {
                code->kind[i] = POLAR_MESSAGE;
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
    uint32_t warps;        /* of a thread block; 0: 2 */
    bool packed, aligned;
    int8_t *in, *base;
    uint8_t *out, *want, *good; /* bits one a byte */
    struct fecrun_frame_info info[MOST_ROOM];
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
static TAP_UNUSED void want_sc(struct trial *t)
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

/* What the reference says if lists are only for frames whose CRC fails: those in fail[]. */
static TAP_UNUSED void want_adaptive(struct trial *t, uint32_t *fail, uint32_t *n_fail)
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

/* ---- Comparing ------------------------------------------------------------------------------- */

static bool is_right(const struct trial *t, uint32_t f)
{
    const uint32_t k = t->d.code->k;
    const uint8_t *row = t->out + f * t->out_stride, *want = t->want + f * k;
    const uint32_t bytes = t->packed ? (k + 7) / 8 : k;
    const uint32_t flags = !t->d.crc.width ? 0
                                           : FECRUN_FRAME_CHECKED |
                                                 (t->good[f] ? 0u : (uint32_t)FECRUN_FRAME_FAILED);

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

/* What the kernels know of a code, and where its arrays are. */
struct tables {
    struct polar_list_job job;
    struct polar_list_step *step;
    uint16_t *position;
    uint32_t *crc, *mask, *parity;
};

static void *get_aligned(size_t bytes)
{
    void *p = aligned_alloc(64, (bytes + 63) / 64 * 64);

    if (!p)
        bail("out of memory");
    return p;
}

static void make_tables(struct tables *s, const struct trial *t, uint32_t paths)
{
    const char *problem;

    *s = (struct tables){.step = get(polar_list_most_steps(&t->d) * sizeof *s->step),
                         .position = get_aligned((MOST_N + 32) * sizeof *s->position),
                         .crc = get(POLAR_CRC_TABLE * sizeof *s->crc),
                         .mask = get_aligned(LIST_MASK_WORDS * sizeof *s->mask),
                         .parity = get(LIST_PARITY_WORDS * sizeof *s->parity)};
    problem = polar_list_plan(&t->d, paths, &s->job, s->step);
    if (problem)
        bail("%s", problem);
    s->job.step = s->step;
    polar_list_crc_fill(&t->d, &s->job, s->mask);
    polar_list_parity_fill(&t->d, &s->job, s->parity);
    polar_frames_fill(&s->job.frames, &t->d, s->position, s->crc);
    s->job.frames.position = s->position;
    s->job.frames.packed = t->packed;
}

static void free_tables(struct tables *s)
{
    free(s->step), free(s->position), free(s->crc), free(s->mask), free(s->parity);
}

/* frame: not NULL: only those. alone: a warp for each. fail: as of run_sc(). */
static TAP_UNUSED void run_list(struct trial *t, uint32_t paths, const uint32_t *frame,
                                const uint32_t *n_frames, bool alone, uint32_t *fail,
                                uint32_t *n_fail)
{
    enum { BLOCKS = 2 };
    const uint32_t warps = t->warps ? t->warps : 2;
    struct tables s;

    make_tables(&s, t, paths);
    fill_frames(t, &s.job.frames);
    s.job.frames.iterations = 2;
    s.job.frame = frame, s.job.n_frames = n_frames;
    s.job.fail = fail, s.job.n_fail = n_fail;
    s.job.global = get(sizeof(uint32_t) * BLOCKS * warps * LIST_ROW *
                       polar_list_global_rows(polar_list_lanes(paths, s.job.stages), s.job.stages));
    polar_emulate_list(&s.job, BLOCKS, warps, draw(100), alone);
    free(s.job.global);
    free_tables(&s);
}

#endif
