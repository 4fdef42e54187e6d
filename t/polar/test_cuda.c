/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The CUDA decoders on the CPU, thread by thread, against the reference, bit by bit: codes of all
 * lengths and rates, frozen sets of NR's order and without any order, few and many LLRs that are
 * equal, odd numbers of frames, unaligned ones, packed and plain bits, CRCs.
 */
#include "t/polar/cuda_trial.h"

/* fail: room for the frames whose CRC fails, or NULL. */
static void run_sc(struct trial *t, uint32_t *fail, uint32_t *n_fail)
{
    enum { BLOCKS = 2 };
    const uint32_t warps = t->warps ? t->warps : 2;
    struct polar_sc_job job = {.fail = fail, .n_fail = n_fail};
    const char *problem = polar_sc_plan(&t->d, &job);

    if (problem)
        bail("%s", problem);
    fill_frames(t, &job.frames);
    job.scratch = aligned_alloc(64, BLOCKS * warps * polar_sc_scratch(job.stages) * 4);
    if (!job.scratch)
        bail("out of memory");
    polar_emulate_sc(&job, BLOCKS, warps, draw(100));
    free(job.scratch);
}

static void run_scl(struct trial *t, const uint32_t *frame, const uint32_t *n_frames, bool alone)
{
    run_list(t, t->d.most_paths, frame, n_frames, alone, NULL, NULL);
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
        if (code->stages > SC_MOST_STAGES || code->parities)
            run_list(&t, 1, NULL, NULL, draw(2), NULL, NULL);
        else
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
    is_int(wrong, 0, "%s, %u paths, parity bits", paths ? "scl" : "sc", paths);
}

/* Free and frozen positions in turn: pruned or not, all leaves are bits. */
static void try_bits(uint32_t stages, uint32_t paths)
{
    const uint32_t n = 1u << stages;
    struct polar_code *code = polar_code_new(stages, n / 2);

    if (!code)
        bail("out of memory");
    for (uint32_t i = 0; i < n / 2; i++) {
        code->kind[2 * i] = POLAR_MESSAGE;
        code->position[i] = (uint16_t)(2 * i);
    }
    is_int(try_code(code, paths, 20, 3), 0, "N = %u, %u paths, no leaf but bits", n, paths);
    free(code);
}

static void try_unpruned(void)
{
    struct polar_code *code = make_code(7, 64, 0);
    struct polar_decode d = {.code = code, .most_paths = 4, .limit = 127};
    struct polar_list_step *step = get(polar_list_most_steps(&d) * sizeof *step);
    struct polar_list_job list = {0};
    struct polar_sc_job sc = {0};

    d.sc = polar_program_new(code, false, false);
    d.list = polar_program_new(code, false, true);
    ok(polar_sc_plan(&d, &sc) && polar_list_plan(&d, 4, &list, step),
       "pruning: none has no kernel");
    free(d.sc), free(d.list);
    free(step);
    free(code);
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
static void try_adaptive(bool by_list)
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
    if (by_list)
        run_list(&t, 1, NULL, NULL, false, fail, &n_fail);
    else
        run_sc(&t, fail, &n_fail);
    for (uint32_t f = 0; f < t.frames; f++)
        t.info[f].iterations = 1;
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

/* As many warps of a thread block as devices with less shared memory choose, and work for all of them;
   without the kernel for single frames where that finds no room. */
static void try_limited(uint32_t stages, uint32_t paths, size_t shared)
{
    struct polar_code *code = make_code(stages, (1u << stages) / 2, 0);
    const uint32_t lanes = polar_list_lanes(paths, stages);
    const uint32_t rows = polar_list_rows(lanes, stages, false);
    const bool alone = polar_list_fit(polar_list_rows(lanes, stages, true), shared) != 0;
    struct trial t = {.size = 20, .packed = true, .aligned = true};

    t.d.code = code;
    t.d.sc = polar_program_new(code, true, false);
    t.d.list = polar_program_new(code, true, true);
    t.d.most_paths = paths;
    t.d.limit = 127;
    t.d.crc = (struct polar_crc){11, 0x621, 0, 0};
    t.warps = paths ? polar_list_fit(rows, shared) : polar_sc_fit(stages, shared);
    t.frames = (paths ? 32 / lanes : 2 * SC_LANES) * t.warps + 3;
    make_frames(&t);
    if (paths) {
        want_scl(&t);
        run_list(&t, paths, NULL, NULL, false, NULL, NULL);
    } else {
        want_sc(&t);
        run_sc(&t, NULL, NULL);
    }
    is_int(count_wrong(&t), 0, "%zu KiB, N = %u, %u paths: %u warps, %u frames%s", shared >> 10,
           code->n, paths, t.warps, t.frames, paths && !alone ? ", none for single frames" : "");
    free(t.d.sc), free(t.d.list);
    free_frames(&t);
    free(code);
}

int main(void)
{
    static const size_t limits[] = {64 << 10, 99 << 10, 163 << 10};
    static const uint32_t paths[] = {8, 1, 3, 16, 32, 19};

    for (uint32_t stages = 5; stages <= 10; stages++) {
        try_rates(stages, 0, 0, 24, "NR's order");
        try_rates(stages, 3u << (stages - 5), 0, 24, "any order");
    }
    for (uint32_t i = 0; i < sizeof paths / sizeof *paths; i++)
        for (uint32_t stages = 5; stages <= 10; stages++) {
            try_rates(stages, 0, paths[i], stages < 9 ? 5 : 3, "NR's order");
            try_rates(stages, 3u << (stages - 5), paths[i], stages < 9 ? 5 : 3, "any order");
        }
    for (uint32_t stages = 11; stages <= 12; stages++)
        for (uint32_t i = 0; i < 4; i++)
            try_rates(stages, i % 2 * 64, i == 3 ? 0 : i == 2 ? 2 : 8 - 5 * i, 3, "long");
    try_rates(11, 64, 16, 2, "long");
    try_rates(12, 64, 32, 2, "long");
    try_parities(8);
    try_parities(2);
    try_parities(0);
    try_adaptive(false);
    try_adaptive(true);
    for (uint32_t stages = 5; stages <= 8; stages += 3) {
        try_bits(stages, 0);
        try_bits(stages, 4);
    }
    try_unpruned();
    for (unsigned i = 0; i < sizeof limits / sizeof *limits; i++) {
        try_limited(8, 0, limits[i]);
        try_limited(10, 0, limits[i]);
        try_limited(9, 8, limits[i]);
        try_limited(12, 4, limits[i]);
    }
    return done_testing();
}
