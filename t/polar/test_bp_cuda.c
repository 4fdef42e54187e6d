/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Belief propagation's CUDA kernels on the CPU, thread by thread, against the reference. In floats
 * min-sum has to be the same to the bit; exact rules and halves round elsewhere, so that a frame
 * near the limit of the code may end otherwise: here not more than one in eight. Blocks that repeat
 * one bit know of their frozen ones an iteration earlier in halves.
 */
#include "t/lib/tap.h"
#include "t/polar/bp_cuda.h"
#include "t/polar/trial.h"

enum { MOST_FRAMES = 24, POISON = 0xa5 };

struct bp_trial {
    const char *what;
    uint32_t stages, k, e; /* e: NR's code, else a plain one */
    enum polar_rule rule;
    enum polar_stop stop;
    enum crc_name crc;
    uint32_t type, frames;
    float sigma;
    bool packed;
};

struct run {
    struct polar_decode d;
    const struct bp_trial *t;
    float *llr;
    void *in; /* of the trial's type */
    uint8_t *want, *got;
    struct fecrun_frame_info info[MOST_FRAMES], said[MOST_FRAMES];
    uint32_t bytes; /* of a frame of the output */
    struct polar_bp_job job;
};

static uint32_t size_of(uint32_t type)
{
    return type == FECRUN_I8 ? 1 : type == FECRUN_I16 ? 2 : 4;
}

/* ---- Frames ---------------------------------------------------------------------------------- */

static void make_frame(struct run *r, uint32_t frame)
{
    const uint32_t n = r->d.code->n;
    float *llr = r->llr + frame * n;

    trial_frame(r->d.code, &r->d.crc, frame, r->t->sigma, r->t->type == FECRUN_F32 ? 1 : 8, llr);
    if (r->t->type == FECRUN_I8)
        trial_round(llr, (int8_t *)r->in + frame * n, n, frame);
    for (uint32_t i = 0; i < n && r->t->type == FECRUN_I16; i++)
        ((int16_t *)r->in)[frame * n + i] = (int16_t)(4 * llr[i]);
    if (r->t->type == FECRUN_F32)
        memcpy((float *)r->in + frame * n, llr, n * sizeof *llr);
}

static void make_run(struct run *r, const struct bp_trial *t)
{
    struct polar_code *code = trial_code(t->stages, t->k, t->e);

    memset(r, 0, sizeof *r);
    r->t = t;
    r->d = trial_decode(code, POLAR_BP, 1, true, t->crc);
    r->d.rule = t->rule;
    r->d.stop = t->stop;
    r->d.llr_scale = t->type == FECRUN_F32 ? 1 : t->type == FECRUN_I8 ? 8 : 32;
    r->d.limit = t->type == FECRUN_I8    ? 127
                 : t->type == FECRUN_I16 ? 32767
                                         : (double)FECRUN_LLR_MAX_F32;
    r->bytes = t->packed ? (code->k + 7) / 8 : code->k;
    r->llr = trial_get(t->frames * code->n * sizeof *r->llr);
    r->in = trial_get(t->frames * code->n * size_of(t->type));
    r->want = trial_get(t->frames * code->k);
    r->got = trial_get(t->frames * (r->bytes + 1));
    memset(r->got, POISON, t->frames * (r->bytes + 1));
    for (uint32_t f = 0; f < t->frames; f++)
        make_frame(r, f);
    trial_run(&polar_decode_ref, &r->d, NULL, t->type, r->in, t->frames, r->want, r->info);
}

static void free_run(struct run *r)
{
    trial_free(&r->d);
    free(r->d.code);
    free(r->llr), free(r->in), free(r->want), free(r->got);
}

/* ---- Kernels --------------------------------------------------------------------------------- */

static uint32_t *table(const struct polar_decode *d, uint32_t words,
                       void (*fill)(uint32_t *, const struct polar_decode *))
{
    uint32_t *at = trial_get(words * sizeof *at);

    fill(at, d);
    return at;
}

static void set_job(const struct run *r, struct polar_bp_job *job, uint16_t *position,
                    const uint32_t *syndrome)
{
    polar_bp_fill_positions(position, &r->d);
    job->syndrome = syndrome;
    job->frames.in = r->in;
    job->frames.in_stride = (uint64_t)r->d.code->n * size_of(r->t->type);
    job->frames.out = r->got;
    job->frames.out_stride = r->bytes + 1;
    job->frames.info = (struct fecrun_frame_info *)r->said;
    job->frames.position = position;
    job->frames.count = r->t->frames;
    job->frames.packed = r->t->packed;
}

static void run_half(struct run *r, const uint32_t *syndrome, uint16_t *position, unsigned order)
{
    const uint32_t stages = r->d.code->stages, each = 2 * polar_bp_half_pairs(stages);
    uint32_t *pairs = table(&r->d, r->d.code->n, polar_bp_fill_pairs);
    uint32_t *thread = table(&r->d, BP_THREAD_WORDS * polar_bp_half_threads(stages),
                             polar_bp_fill_threads);
    struct polar_bp_half_job job = {.pairs = pairs,
                                    .thread = (const struct polar_bp_thread *)thread};

    polar_bp_half_fill(&job, &r->d);
    set_job(r, &job.bp, position, syndrome);
    (order % 2 ? polar_emulate_bp_half
               : polar_emulate_bp_half_apart)(&job, (r->t->frames + each - 1) / each, order);
    free(pairs), free(thread);
}

/* together: frames of a block; 2 blocks. */
static void run_any(struct run *r, const uint32_t *syndrome, uint16_t *position, uint32_t together,
                    bool global)
{
    const uint32_t floats = polar_bp_any_floats(r->d.code->stages);
    uint32_t *frozen = table(&r->d, r->d.code->n / 32, polar_bp_fill_frozen);
    struct polar_bp_any_job job = {.frozen = frozen, .together = together};

    polar_bp_any_fill(&job, &r->d, r->t->type);
    set_job(r, &job.bp, position, syndrome);
    job.memory = global ? trial_get(2 * together * floats * sizeof(float)) : NULL;
    polar_emulate_bp_any(&job, 2, together);
    free(job.memory), free(frozen);
}

/* ---- Comparing ------------------------------------------------------------------------------- */

/* slack: iterations that may be more or less. */
static bool is_alike(const struct run *r, uint32_t f, uint32_t slack)
{
    const uint32_t k = r->d.code->k;
    const uint8_t *got = r->got + f * (r->bytes + 1), *want = r->want + f * k;

    for (uint32_t i = 0; i < (r->t->packed ? 8 * r->bytes : k); i++)
        if ((r->t->packed ? got[i / 8] >> (7 - i % 8) & 1 : got[i]) != (i < k ? want[i] : 0))
            return false;
    return got[r->bytes] == POISON && r->said[f].flags == r->info[f].flags &&
           r->said[f].iterations + slack >= r->info[f].iterations &&
           r->said[f].iterations <= r->info[f].iterations + slack;
}

/* together: 0 for bp_half. */
static void try(const struct bp_trial *t, uint32_t together, bool global, uint32_t most)
{
    struct run r;
    uint32_t *syndrome, differ = 0;
    uint16_t *position;

    make_run(&r, t);
    syndrome = table(&r.d, r.d.code->n, polar_bp_fill_syndrome);
    position = trial_get(polar_bp_positions(&r.d) * sizeof *position);
    if (together)
        run_any(&r, syndrome, position, together, global);
    else
        run_half(&r, syndrome, position, t->stages + t->k);
    for (uint32_t f = 0; f < t->frames; f++)
        differ += !is_alike(&r, f, together ? 0 : 2);
    ok(differ <= most, "%s, %s: %u of %u frames differ", together ? "floats" : "halves", t->what,
       differ, t->frames);
    free(syndrome), free(position);
    free_run(&r);
}

/* ---- Classes of frames ------------------------------------------------------------------------- */

enum { CLASSES = 3 };

struct classes {
    struct run run[CLASSES];
    struct polar_bp_any_job job[CLASSES];
    uint32_t *frozen[CLASSES], *syndrome[CLASSES], frames, class_of[CLASSES * MOST_FRAMES];
    uint16_t *position[CLASSES];
    uint64_t in[CLASSES * MOST_FRAMES], out[CLASSES * MOST_FRAMES];
    struct fecrun_frame_info said[CLASSES * MOST_FRAMES];
};

/* Their tables; frames in turn, each where make_run() put it: offsets may be any. */
static void make_classes(struct classes *m, const struct bp_trial *t)
{
    const uint8_t *const in = m->run[0].in, *const out = m->run[0].got;

    for (uint32_t c = 0; c < CLASSES; c++) {
        struct run *const r = &m->run[c];

        m->frozen[c] = table(&r->d, r->d.code->n / 32, polar_bp_fill_frozen);
        m->syndrome[c] = table(&r->d, r->d.code->n, polar_bp_fill_syndrome);
        m->position[c] = trial_get(polar_bp_positions(&r->d) * sizeof *m->position[c]);
        m->job[c] = (struct polar_bp_any_job){.frozen = m->frozen[c]};
        polar_bp_any_fill(&m->job[c], &r->d, t[c].type);
        set_job(r, &m->job[c].bp, m->position[c], m->syndrome[c]);
    }
    for (uint32_t f = 0; f < MOST_FRAMES; f++)
        for (uint32_t c = 0; c < CLASSES; c++) {
            const struct polar_frames *const of = &m->job[c].bp.frames;

            if (f >= t[c].frames)
                continue;
            m->class_of[m->frames] = c;
            m->in[m->frames] = (uint64_t)((const uint8_t *)of->in - in) + f * of->in_stride;
            m->out[m->frames++] = (uint64_t)(of->out - out) + f * of->out_stride;
        }
}

static void try_classes(const struct bp_trial *t, uint32_t stages, bool global, uint32_t most)
{
    enum { BLOCKS = 2 };
    static struct classes m;
    const uint32_t floats = polar_bp_any_floats(stages);
    struct polar_bp_ragged_job job = {.packed = t->packed, .floats = floats};
    uint32_t differ = 0;

    memset(&m, 0, sizeof m);
    for (uint32_t c = 0; c < CLASSES; c++)
        make_run(&m.run[c], &t[c]);
    make_classes(&m, t);
    job.job = m.job;
    job.frames = m.frames;
    job.llr_scale = (float)m.run[0].d.llr_scale;
    job.memory = global ? trial_get(BLOCKS * floats * sizeof(float)) : NULL;
    job.in = m.run[0].in, job.out = m.run[0].got;
    job.in_offset = m.in, job.out_offset = m.out, job.class_of = m.class_of;
    job.info = m.said;
    polar_emulate_bp_ragged(&job, stages, BLOCKS, stages);
    for (uint32_t f = 0, next[CLASSES] = {0}; f < m.frames; f++) {
        struct run *const r = &m.run[m.class_of[f]];
        const uint32_t number = next[m.class_of[f]]++;

        r->said[number] = m.said[f];
        differ += !is_alike(r, number, 0);
    }
    ok(differ <= most, "%u frames of three codes, %s and others: %u differ", m.frames, t->what,
       differ);
    for (uint32_t c = 0; c < CLASSES; c++) {
        free(m.frozen[c]), free(m.syndrome[c]), free(m.position[c]);
        free_run(&m.run[c]);
    }
    free(job.memory);
}

int main(void)
{
    const uint32_t i8 = FECRUN_I8, i16 = FECRUN_I16, f32 = FECRUN_F32;
    const enum polar_rule ms = POLAR_MIN_SUM, sp = POLAR_SUM_PRODUCT, lr = POLAR_SUM_PRODUCT_LR;
    const enum polar_stop never = POLAR_NEVER, gm = POLAR_GMATRIX, crc = POLAR_CRC;
    const enum crc_name no = CRC_NONE, c6 = CRC_6, c16 = CRC_16;
    const struct bp_trial halves[] = {
        {"(256, 128)", 8, 128, 0, ms, never, no, i8, 11, 0.7f, true},
        {"(256, 192), G-matrix", 8, 192, 0, ms, gm, no, i8, 10, 0.55f, false},
        {"(256, 64), CRC", 8, 64, 0, ms, crc, c6, i8, 9, 0.9f, true},
        {"(512, 256), G-matrix and CRC", 9, 256, 0, ms, gm, c16, i8, 7, 0.7f, true},
        {"(512, 130), CRC", 9, 130, 0, ms, crc, c16, i8, 6, 0.9f, false},
        {"(1024, 512)", 10, 512, 0, ms, never, c16, i8, 5, 0.7f, true},
        {"(1024, 512), G-matrix", 10, 512, 0, ms, gm, no, i8, 5, 0.7f, true},
        {"(1024, 300), CRC", 10, 300, 0, ms, crc, c16, i8, 4, 0.9f, false},
        {"(1024, 1000)", 10, 1000, 0, ms, gm, no, i8, 2, 0.3f, true},
        {"NR, K = 150, E = 900", 10, 150, 900, ms, gm, c6, i8, 4, 1, true},
        {"NR, K = 200, E = 400, shortened", 9, 200, 400, ms, gm, c6, i8, 4, 0.6f, true},
        {"(2048, 1024)", 11, 1024, 0, ms, never, no, i8, 2, 0.7f, true},
        {"(2048, 1024), G-matrix", 11, 1024, 0, ms, gm, c16, i8, 3, 0.7f, true},
        {"(4096, 2048), G-matrix", 12, 2048, 0, ms, gm, no, i8, 2, 0.7f, true},
    };
    const struct bp_trial floats[] = {
        {"(32, 16), min-sum", 5, 16, 0, ms, never, no, f32, 19, 0.8f, true},
        {"(32, 16), min-sum, G-matrix", 5, 16, 0, ms, gm, c6, i8, 24, 0.8f, false},
        {"(64, 30), min-sum, CRC", 6, 30, 0, ms, crc, c6, i16, 20, 0.8f, true},
        {"NR, K = 20, E = 80, min-sum", 7, 20, 80, ms, gm, c6, f32, 20, 1, true},
        {"(256, 128), min-sum", 8, 128, 0, ms, gm, no, i8, 9, 0.7f, true},
        {"(2048, 1024), min-sum", 11, 1024, 0, ms, gm, no, f32, 2, 0.7f, true},
        {"(4096, 2048), min-sum, more than a block", 12, 2048, 0, ms, gm, no, i8, 2, 0.7f, true},
    };
    const struct bp_trial exact[] = {
        {"(128, 64), sum-product", 7, 64, 0, sp, gm, c6, f32, 20, 0.75f, true},
        {"(128, 64), sum-product", 7, 64, 0, sp, never, no, i8, 20, 0.75f, true},
        {"(128, 64), likelihood ratios", 7, 64, 0, lr, gm, no, f32, 20, 0.75f, true},
        {"(128, 64), likelihood ratios, CRC", 7, 64, 0, lr, crc, c6, i8, 20, 0.75f, false},
    };
    const struct bp_trial classes[][CLASSES] = {
        {{"(32, 16), min-sum, G-matrix", 5, 16, 0, ms, gm, c6, i8, 9, 0.8f, true},
         {"", 8, 128, 0, ms, gm, c6, i8, 5, 0.7f, true},
         {"", 6, 30, 0, ms, gm, c6, i8, 7, 0.8f, true}},
        {{"(64, 30), min-sum, CRC", 6, 30, 0, ms, crc, c6, f32, 5, 0.8f, false},
         {"", 5, 16, 0, ms, crc, c6, f32, 9, 0.8f, false},
         {"", 12, 2048, 0, ms, crc, c6, f32, 1, 0.7f, false}},
        {{"(128, 64), likelihood ratios", 7, 64, 0, lr, never, no, i8, 9, 0.75f, true},
         {"", 5, 16, 0, lr, never, no, i8, 9, 0.75f, true},
         {"", 6, 40, 0, lr, never, no, i8, 9, 0.75f, true}},
    };

    for (size_t i = 0; i < sizeof halves / sizeof *halves; i++)
        try(&halves[i], 0, false, halves[i].frames / 8);
    for (size_t i = 0; i < sizeof floats / sizeof *floats; i++)
        try(&floats[i], floats[i].stages < 6 ? 4 : floats[i].stages < 9 ? 2 : 1, i % 2, 0);
    for (size_t i = 0; i < sizeof exact / sizeof *exact; i++)
        try(&exact[i], 3, false, 1);
    try_classes(classes[0], 8, false, 0);
    try_classes(classes[1], 12, true, 0);
    try_classes(classes[2], 7, false, 2);
    return done_testing();
}
