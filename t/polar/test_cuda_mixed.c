/* SPDX-License-Identifier: BSD-2-Clause */
/* The CUDA decoders for frames of several codes in one launch, on the CPU, against the reference. */
#include "t/polar/cuda_trial.h"

enum { CLASSES = 4 };

/* One buffer for the frames of all classes, in any order, each at any place. */
struct mixed {
    uint32_t class_of[CLASSES * MOST_FRAMES], number[CLASSES * MOST_FRAMES], frames;
    uint64_t in[CLASSES * MOST_FRAMES], out[CLASSES * MOST_FRAMES];
    int8_t *from;
    uint8_t *to;
    struct fecrun_frame_info info[CLASSES * MOST_FRAMES];
};

static void mix(struct mixed *m, const struct trial *t)
{
    uint32_t left[CLASSES], n = 0;
    uint64_t from = 64, to = 0;

    for (uint32_t c = 0; c < CLASSES; c++)
        n += left[c] = t[c].frames;
    m->from = get_aligned(n * (MOST_N + 32) + 192);
    m->to = get(n * (MOST_N + 8));
    for (; m->frames < n; m->frames++) {
        uint32_t c = draw(CLASSES);
        const uint32_t f = m->frames;

        while (!left[c])
            c = (c + 1) % CLASSES;
        m->class_of[f] = c;
        m->number[f] = --left[c];
        from += draw(2) ? draw(20) : 0, to += draw(4);
        m->in[f] = from, m->out[f] = to;
        memcpy(m->from + from, t[c].in + m->number[f] * t[c].in_stride, t[c].d.code->n);
        from += t[c].d.code->n, to += t[c].out_stride;
    }
}

/* To where count_wrong() looks for it. */
static void unmix(const struct mixed *m, struct trial *t)
{
    for (uint32_t f = 0; f < m->frames; f++) {
        struct trial *const of = &t[m->class_of[f]];
        const uint32_t bytes = of->packed ? (of->d.code->k + 7) / 8 : of->d.code->k;

        memcpy(of->out + m->number[f] * of->out_stride, m->to + m->out[f], bytes);
        of->info[m->number[f]] = m->info[f];
    }
}

static uint32_t larger(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

/* again: frames that failed. */
static void run_ragged(struct mixed *m, struct trial *t, uint32_t paths, bool again)
{
    enum { BLOCKS = 2, WARPS = 2 };
    static uint32_t start[CLASSES + 1], next[CLASSES], order[CLASSES * MOST_FRAMES];
    struct tables s[CLASSES];
    struct polar_list_job job[CLASSES];
    struct polar_list_ragged r = {.job = job,
                                  .n_classes = CLASSES,
                                  .frames = m->frames,
                                  .in = m->from,
                                  .out = m->to,
                                  .info = m->info,
                                  .in_offset = m->in,
                                  .out_offset = m->out,
                                  .class_of = m->class_of,
                                  .again = again,
                                  .start = start,
                                  .next = next,
                                  .order = order};
    uint32_t lanes = 0;

    for (uint32_t c = 0; c < CLASSES; c++) {
        make_tables(&s[c], &t[c], paths);
        job[c] = s[c].job;
        lanes = larger(lanes, polar_list_lanes(paths, job[c].stages));
    }
    for (uint32_t c = 0; c < CLASSES; c++) {
        r.rows = larger(r.rows, polar_list_rows(lanes, job[c].stages, false));
        r.global_rows = larger(r.global_rows, polar_list_global_rows(lanes, job[c].stages));
    }
    r.global = get(sizeof(uint32_t) * BLOCKS * WARPS * LIST_ROW * r.global_rows);
    polar_emulate_ragged(&r, lanes, BLOCKS, WARPS, draw(100));
    for (uint32_t c = 0; c < CLASSES; c++)
        free_tables(&s[c]);
    free(r.global);
}

/* Frames of four codes in one launch; one has parity bits, one has no frames. paths: 0: sc; adaptive: of
   the frames that fail. */
static void try_ragged(uint32_t paths, uint32_t most_stages, bool adaptive)
{
    static struct mixed m;
    struct trial t[CLASSES];
    const bool packed = draw(2);
    uint32_t wrong = 0, failed = 0, fail[MOST_FRAMES], n_fail;

    memset(&m, 0, sizeof m);
    for (uint32_t c = 0; c < CLASSES; c++) {
        const uint32_t stages = c ? 5 + draw(most_stages - 4) : most_stages, n = 1u << stages;
        struct polar_code *code = make_code(
            stages, adaptive ? 6 + n / 8 + draw(n / 8) : n / 4 + draw(n / 2), c % 2 ? n / 8 : 0);

        t[c] = (struct trial){.frames = c == 2 ? 0 : 1 + draw(MOST_FRAMES), .packed = packed};
        t[c].size = 20;
        for (uint32_t at = n - 1; c == 1 && !code->parities; at--)
            if (code->kind[at] == POLAR_FROZEN)
                code->kind[at] = POLAR_PARITY, code->parities = 1;
        t[c].d.code = code;
        t[c].d.sc = polar_program_new(code, true, false);
        t[c].d.list = polar_program_new(code, true, true);
        t[c].d.most_paths = paths;
        t[c].d.limit = 127;
        t[c].d.crc = (struct polar_crc){6, 0x21, 0, c};
        make_frames(&t[c]);
        n_fail = 0;
        if (adaptive)
            want_adaptive(&t[c], fail, &n_fail);
        else if (paths)
            want_scl(&t[c]);
        else
            want_sc(&t[c]);
        failed += n_fail;
    }
    mix(&m, t);
    if (adaptive || !paths)
        run_ragged(&m, t, 1, false);
    if (paths)
        run_ragged(&m, t, paths, adaptive);
    unmix(&m, t);
    for (uint32_t c = 0; c < CLASSES; c++) {
        wrong += count_wrong(&t[c]);
        free(t[c].d.sc), free(t[c].d.list), free(t[c].d.code);
        free_frames(&t[c]);
    }
    free(m.from), free(m.to);
    if (adaptive)
        ok(failed && failed < m.frames, "%u of %u frames are for the list", failed, m.frames);
    is_int(wrong, 0, "%s, %u paths, %u frames of several codes to N = %u",
           adaptive ? "adaptive"
           : paths  ? "scl"
                    : "sc",
           paths, m.frames, 1u << most_stages);
}

int main(void)
{
    try_ragged(8, 10, false);
    try_ragged(2, 11, false);
    try_ragged(16, 8, false);
    try_ragged(32, 9, false);
    try_ragged(0, 10, false);
    try_ragged(0, 12, false);
    try_ragged(8, 9, true);
    try_ragged(32, 7, true);
    return done_testing();
}
