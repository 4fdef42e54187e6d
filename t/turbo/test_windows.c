/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The CUDA decoder of windows/plan.h on the CPU, thread by thread: max-log against a plain decoder in
 * the same integers, bit by bit, iterations too; log-map against the bits that were sent. Sizes of
 * whole and of other windows, odd numbers of frames, unaligned ones, fillers, all rules to stop,
 * classes.
 */
#include "t/turbo/windows_plain.h"

/* ---- trials
   --------------------------------------------------------------------------------------- */

static uint32_t bit_at(const struct trial *t, const uint8_t *row, uint32_t i)
{
    return t->job.packed ? row[i / 8] >> (7 - i % 8) & 1 : row[i];
}

/* LLRs of each bit: `want`, or, log-map, of its sign; less what arrived, the extrinsic ones. */
static bool soft_wrong(const struct trial *t, uint32_t k, const int8_t *llr, const uint8_t *bits,
                       const float *want, const char *soft, const char *extrinsic)
{
    bool wrong = false;

    for (uint32_t i = t->fillers; i < k; i++) {
        const float x = ((const float *)(const void *)soft)[i - t->fillers];
        const float y = ((const float *)(const void *)extrinsic)[i - t->fillers];
        const float arrived = fminf(fmaxf(llr[i], -127), 127);

        if (t->kind.exact) /* to the 14 natural units that the kernel takes at most */
            wrong |= (x < 0) != bits[i] || fabsf(x - y - arrived) > 0.01f + 127 - 14 * LLR_SCALE ||
                     (fabsf(arrived) < 14 * LLR_SCALE && fabsf(x - y - arrived) > 0.01f);
        else
            wrong |= x != want[i] || y != want[i] - arrived;
    }
    return wrong;
}

/* Some bits are known well beforehand, of others nothing. */
static float *draw_apriori(size_t n)
{
    float *const apriori = get(n * sizeof *apriori);

    for (size_t i = 0; i < n; i++)
        apriori[i] = draw(4) ? 0 : (float)draw(1200) / 8 - 75;
    return apriori;
}

/* A frame with what is known beforehand in place of what arrived: sums in eighths, halves to even. */
static int8_t *joined(const struct trial *t, uint32_t k, uint32_t frame, const int8_t *llr)
{
    const uint32_t bits = k - t->fillers;
    int8_t *const all = get(turbo_word(k));

    memcpy(all, llr, turbo_word(k));
    for (uint32_t i = 0; i < bits && t->apriori; i++) {
        const int eighths = 8 * llr_of(llr, t->fillers + i) +
                            (int)(16 * t->apriori[(size_t)bits * frame + i]);
        int sum = (eighths + 1024 * 8 + 4) / 8 - 1024;

        if ((eighths + 1024 * 8) % 8 == 4 && sum % 2)
            sum--;
        all[t->fillers + i] = (int8_t)(sum > 127 ? 127 : sum < -127 ? -127 : sum);
    }
    return all;
}

/* Frames whose bits, iterations or verdict differ; bytes behind their bits must stay. */
static uint32_t count_wrong(const struct trial *t, const struct turbo_windows_class *c,
                            uint32_t frame, const int8_t *llr, const uint8_t *sent,
                            const uint8_t *row, size_t bytes)
{
    const uint32_t bits = c->k - c->fillers, rest = (bits + 7) / 8 * 8;
    const struct fecrun_frame_info *info = &t->info[frame];
    float *want_soft = get(c->k * sizeof *want_soft);
    uint8_t *want = get(c->k);
    uint32_t wrong = 0, n;
    bool met = false;

    memcpy(want, sent, c->k);
    n = t->kind.exact ? info->iterations : decode(t, c, llr, want, want_soft, &met);
    for (uint32_t i = 0; i < bits; i++)
        wrong |= bit_at(t, row, i) != want[c->fillers + i];
    for (uint32_t i = bits; i < rest && t->job.packed; i++)
        wrong |= bit_at(t, row, i) != 0;
    wrong |= row[bytes] != POISON || info->iterations != n;
    if (t->kind.stop != WIN_ALWAYS_ALL && !t->kind.exact)
        wrong |= info->flags != (FECRUN_FRAME_CHECKED | (met ? 0u : FECRUN_FRAME_FAILED));
    if (t->kind.soft)
        wrong |= soft_wrong(t, c->k, llr, want, want_soft,
                            t->soft[0] + frame * t->job.soft_stride[0],
                            t->soft[1] + frame * t->job.soft_stride[1]);
    if (wrong)
        diag("K = %u frame %u: %u iterations, expected %u", c->k, frame, info->iterations, n);
    free(want);
    free(want_soft);
    return wrong != 0;
}

static uint32_t bytes_of(const struct turbo_windows_class *c)
{
    return turbo_windows_lay_out(c->threads, c->windows, c->steps).bytes;
}

/* In the number of threads that a device with so much shared memory takes, wide ones aside. */
static void choose_windows(struct trial *t, const struct turbo_qpp *qpp)
{
    static const uint32_t threads[] = {WIN_NARROW, WIN_SLIM, WIN_SLIMMEST};
    unsigned n = 0;

    while (n < 3 && turbo_windows_fit(qpp, 0, threads[n], t->shared, &t->job.only))
        n++;
    if (n == 3)
        bail("K = %u has no windows", qpp->k);
    t->kind.threads = threads[n];
}

enum { MOST_PROCESSORS = 3 };

static void try_size(uint32_t k, struct trial t, double sigma, const char *what)
{
    const struct turbo_qpp *qpp = turbo_qpp_find(k);
    const size_t offset = draw(2) ? draw(4) : 0, word = turbo_word(k) + (draw(2) ? 3 : 0);
    uint32_t wrong = 0, queue[1 + MOST_PROCESSORS] = {0}, bytes;

    choose_windows(&t, qpp);
    t.job.only.overlap = turbo_windows_most_overlap(&t.job.only, t.overlap);
    if (t.single && !turbo_single_fits(&t.job.only, t.shared))
        bail("K = %u: not for single/plan.h", k);
    t.kind.whole = turbo_windows_whole(&t.job.only);
    t.job.only.fillers = t.fillers;
    t.job.only.frames = t.frames;
    bytes = t.job.packed ? (k - t.fillers + 7) / 8 : k - t.fillers;
    t.job.in_stride = word;
    t.job.out_stride = bytes + 2;
    t.in = get(offset + word * t.frames);
    t.sent = get((size_t)k * t.frames);
    t.out = get(t.job.out_stride * t.frames);
    memset(t.out, POISON, t.job.out_stride * t.frames);
    memset(t.info, 0, sizeof t.info);
    for (unsigned p = 0; p < 2; p++) {
        t.job.soft_stride[p] = (k - t.fillers + p) * sizeof(float);
        t.soft[p] = get(t.job.soft_stride[p] * t.frames);
        t.job.soft[p] = t.kind.soft ? (float *)(void *)t.soft[p] : NULL;
    }
    if (t.apriori) {
        t.apriori = draw_apriori((size_t)(k - t.fillers) * t.frames);
        t.job.apriori_stride = (k - t.fillers) * sizeof(float);
        t.job.apriori_unit = 2;
        t.job.apriori = t.apriori;
    }
    for (uint32_t f = 0; f < t.frames; f++)
        make_frame(&t, qpp, sigma, t.sent + (size_t)k * f, t.in + offset + word * f);
    t.job.in = t.in + offset;
    t.job.out = t.out;
    t.job.info = t.info;
    t.job.queue = queue;
    t.job.processors = draw(1 + MOST_PROCESSORS);
    t.job.polynomial = turbo_stop_polynomial(TURBO_CRC24B);
    if (t.single)
        single_emulate(&t.job, 2, draw(100));
    else
        windows_emulate(&t.job, &t.kind, bytes_of(&t.job.only), 2, draw(100));
    for (uint32_t f = 0; f < t.frames; f++) {
        int8_t *const all = joined(&t, k, f, t.job.in + word * f);

        wrong += count_wrong(&t, &t.job.only, f, all, t.sent + (size_t)k * f,
                             t.out + t.job.out_stride * f, bytes);
        free(all);
    }
    is_int(wrong, 0, "K = %u, %s: %u windows of %u steps and %u more, %u threads, %u frames", k,
           what, t.job.only.windows, t.job.only.steps, t.job.only.overlap, t.kind.threads,
           t.frames);
    free(t.in), free(t.sent), free(t.out), free(t.soft[0]), free(t.soft[1]), free(t.apriori);
}

static struct trial make(enum turbo_windows_stop stop, uint32_t frames, uint32_t iterations)
{
    struct trial t = {.kind = {.stop = stop}, .shared = MOST_SHARED, .frames = frames};

    t.overlap = draw(7) * WIN_LEAD;
    t.job.iterations = iterations;
    t.job.packed = draw(2);
    turbo_windows_scale(0.75, LLR_SCALE, &t.job);
    return t;
}

static void try_rules(void)
{
    struct trial t = make(WIN_STOP_CRC, 37, 6);

    try_size(208, t, 0.95, "CRC");
    t.fillers = 13;
    try_size(240, t, 0.9, "CRC and fillers");
    t = make(WIN_STOP_CRC, 5, 5);
    try_size(1504, t, 0.95, "CRC");
    t = make(WIN_STOP_LLR, 11, 6);
    t.job.mean = 1;
    t.job.threshold = 20 * LLR_SCALE;
    try_size(512, t, 0.9, "mean |LLR|");
    t.job.mean = 0;
    t.job.threshold = 4 * LLR_SCALE;
    try_size(592, t, 0.85, "least |LLR|");
}

static void try_fixed(void)
{
    static const uint32_t sizes[] = {40, 48, 56, 104, 256, 592, 1024, 2112, 3456};
    struct trial t;

    for (uint32_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        t = make(WIN_ALWAYS_ALL, sizes[i] < 1000 ? 1 + draw(24) : 3, 3);
        turbo_windows_scale(i % 3 ? 0.75 : 0.7 + 0.1 * draw(4), LLR_SCALE, &t.job);
        try_size(sizes[i], t, 0.9 + 0.1 * draw(3), "all iterations");
    }
    t = make(WIN_ALWAYS_ALL, 3, 2);
    t.fillers = 9;
    try_size(264, t, 1, "fillers");
    try_size(6144, make(WIN_ALWAYS_ALL, 3, 2), 1, "all iterations");
}

static void try_log_map(void)
{
    struct trial t = make(WIN_ALWAYS_ALL, 7, 5);

    turbo_windows_scale(1, LLR_SCALE, &t.job);
    t.kind.exact = true;
    try_size(512, t, 0.7, "log-map");
    try_size(624, t, 0.7, "log-map");
    t.fillers = 60;
    /* Fillers are as sure as can be. LLRs are LLR_SCALE times too large and cut off at 14 here: two
       strongly wrong ones, seven apart, are too many with the others' noise. */
    turbo_windows_scale(1, 1, &t.job);
    try_size(512, t, 0.45, "log-map, sure fillers");
    t.fillers = 0;
    turbo_windows_scale(1, LLR_SCALE, &t.job);
    t.kind.stop = WIN_STOP_CRC;
    t.job.iterations = 8;
    try_size(208, t, 0.7, "log-map, CRC");
}

static void try_soft(void)
{
    struct trial t = make(WIN_ALWAYS_ALL, 7, 4);

    t.kind.soft = true;
    try_size(512, t, 1, "LLRs");
    t.fillers = 11;
    try_size(40, t, 0.9, "LLRs, fillers");
    t = make(WIN_STOP_CRC, 9, 6);
    t.kind.soft = true;
    try_size(592, t, 0.9, "LLRs, CRC");
    t = make(WIN_STOP_LLR, 5, 6);
    t.kind.soft = true;
    t.job.threshold = 4 * LLR_SCALE;
    try_size(1024, t, 0.9, "LLRs, least |LLR|");
    t = make(WIN_ALWAYS_ALL, 5, 8);
    turbo_windows_scale(1, LLR_SCALE, &t.job);
    t.kind.exact = t.kind.soft = true;
    try_size(512, t, 0.7, "LLRs, log-map");
    try_size(624, t, 0.7, "LLRs, log-map");
}

enum { CLASSES = 3, CLASS_FRAMES = 7, PLACE = 3 * 1028, BYTES = 1032 };

/* Sizes with whole and other windows in one launch; frames of all of them in turn, unpacked. */
static void try_classes(enum turbo_windows_stop stop, uint32_t threads, size_t shared)
{
    static const uint32_t sizes[CLASSES] = {40, 768, 512};
    struct trial t = make(stop, CLASSES * CLASS_FRAMES, 3);
    struct turbo_windows_class classes[CLASSES];
    uint32_t order[CLASSES * CLASS_FRAMES], queue[CLASSES] = {0}, wrong = 0, bytes = 0;
    uint64_t in[CLASSES * CLASS_FRAMES], out[CLASSES * CLASS_FRAMES];
    int8_t *const llr = get(CLASSES * CLASS_FRAMES * PLACE);
    uint8_t *const bits = get(CLASSES * CLASS_FRAMES * BYTES);
    uint8_t *const sent = get(CLASSES * CLASS_FRAMES * BYTES);

    memset(classes, 0, sizeof classes);
    memset(bits, POISON, CLASSES * CLASS_FRAMES * BYTES);
    t.job.packed = 0;
    for (uint32_t i = 0; i < CLASSES * CLASS_FRAMES; i++) {
        struct turbo_windows_class *const c = &classes[i % CLASSES];
        const struct turbo_qpp *qpp = turbo_qpp_find(sizes[i % CLASSES]);

        if (turbo_windows_fit(qpp, 0, threads, shared, c))
            bail("K = %u has no windows", qpp->k);
        c->overlap = turbo_windows_overlap(c, 1 / 3., 6);
        c->first = i % CLASSES * CLASS_FRAMES;
        c->frames = CLASS_FRAMES;
        bytes = bytes_of(c) > bytes ? bytes_of(c) : bytes;
        order[c->first + i / CLASSES] = i;
        in[i] = (uint64_t)i * PLACE;
        out[i] = (uint64_t)i * BYTES;
        make_frame(&t, qpp, 0.95, sent + out[i], llr + in[i]);
    }
    t.kind.whole = false;
    t.kind.threads = threads;
    t.job.classes = classes, t.job.n_classes = CLASSES;
    t.job.in = llr, t.job.out = bits, t.job.info = t.info, t.job.queue = queue;
    t.job.in_offset = in, t.job.out_offset = out, t.job.order = order;
    t.job.polynomial = turbo_stop_polynomial(TURBO_CRC24B);
    windows_emulate(&t.job, &t.kind, bytes, 2, draw(100));
    for (uint32_t i = 0; i < CLASSES * CLASS_FRAMES; i++)
        wrong += count_wrong(&t, &classes[i % CLASSES], i, llr + in[i], sent + out[i],
                             bits + out[i], sizes[i % CLASSES]);
    is_int(wrong, 0, "K = 40, 768 and 512 in one launch of %u threads a block, rule %d", threads,
           stop);
    free(llr), free(bits), free(sent);
}

/* LLRs of other sources: in both lanes, in unaligned frames, with fillers. */
static void try_apriori(void)
{
    static float some;
    struct trial t = make(WIN_ALWAYS_ALL, 5, 3);

    t.apriori = &some;
    t.kind.soft = true;
    try_size(512, t, 1, "LLRs beforehand");
    t.kind.soft = false;
    try_size(1504, t, 1, "LLRs beforehand");
    t.fillers = 11;
    try_size(40, t, 1, "LLRs beforehand, fillers");
    t = make(WIN_STOP_CRC, 7, 4);
    t.apriori = &some;
    t.fillers = 5;
    try_size(208, t, 0.9, "LLRs beforehand, CRC");
    t = make(WIN_ALWAYS_ALL, 3, 3);
    t.single = true;
    t.apriori = &some;
    try_size(512, t, 1, "LLRs beforehand, one block of bits a block of threads");
}

/* The largest LLRs, often of the same sign for long: metrics go as far as they can. */
static void try_wild(void)
{
    struct trial t = make(WIN_ALWAYS_ALL, 9, 5);

    t.wild = t.kind.soft = true;
    t.overlap = WIN_MOST_OVERLAP;
    try_size(512, t, 1, "the largest LLRs");
    t.overlap = 0;
    try_size(40, t, 1, "the largest LLRs");
    turbo_windows_scale(0.5, LLR_SCALE, &t.job);
    try_size(1008, t, 1, "the largest LLRs, halved");
    turbo_windows_scale(1, LLR_SCALE, &t.job);
    try_size(1024, t, 1, "the largest LLRs, not scaled");
    t.kind.soft = false;
    t.single = true;
    try_size(1024, t, 1, "the largest LLRs, one block of bits a block of threads");
}

/* The same as the others' results. */
static void try_single(void)
{
    static const uint32_t sizes[] = {256, 512, 1024, 2048, 2560, 6144};
    struct trial t;

    for (uint32_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        t = make(WIN_ALWAYS_ALL, 1 + draw(4), 1 + draw(4));
        t.single = true;
        t.overlap = (i + 1) % 7 * WIN_LEAD;
        t.fillers = draw(2) ? draw(4) * 5 : 0;
        try_size(sizes[i], t, 0.9 + 0.1 * draw(3), "one block of bits a block of threads");
    }
}

/* The forms that devices with less shared memory choose: slim kernels, with all rules, with LLRs and
   without, with whole windows and others. */
static void try_limited(uint32_t kib)
{
    static const uint32_t sizes[2][5] = {{56, 496, 3136, 4288, 6080}, {56, 848, 376, 3136, 4352}};
    const uint32_t *k = sizes[kib == 64];
    struct trial t;

    for (uint32_t i = 0; i < 5; i++) {
        t = make(WIN_ALWAYS_ALL, k[i] < 1000 ? 1 + draw(16) : 3, 2 + draw(2));
        t.shared = kib << 10;
        try_size(k[i], t, 1, "all iterations");
    }
    t = make(WIN_ALWAYS_ALL, 5, 3);
    t.shared = kib << 10;
    t.kind.soft = true;
    try_size(k[1], t, 1, "LLRs");
    t = make(WIN_STOP_CRC, 11, 6);
    t.shared = kib << 10;
    t.fillers = 13;
    try_size(k[1], t, 0.9, "CRC and fillers");
    t = make(WIN_STOP_LLR, 7, 6);
    t.shared = kib << 10;
    t.job.threshold = 4 * LLR_SCALE;
    try_size(k[1], t, 0.85, "least |LLR|");
    t = make(WIN_STOP_CRC, 7, 8);
    t.shared = kib << 10;
    turbo_windows_scale(1, LLR_SCALE, &t.job);
    t.kind.exact = true;
    try_size(k[1], t, 0.7, "log-map, CRC");
}

/*
 * Blocks of threads by turns, on multiprocessors of which some have none: each group goes to one of them, and
 * who is quick does not take what others have begun with.
 */
static void try_share(uint32_t processors, uint32_t used, uint32_t blocks, uint32_t groups)
{
    uint32_t *const queue = get((1 + processors) * sizeof *queue);
    uint8_t *const given = get(groups);
    struct turbo_windows_job job = {.processors = processors, .queue = queue};
    uint32_t begun = 0, busy, wrong = 0;
    bool done[64] = {false};

    memset(queue, 0, (1 + processors) * sizeof *queue);
    memset(given, 0, groups);
    do {
        const uint32_t next = draw(blocks);

        busy = 0;
        for (uint32_t turn = 0; turn < 1 + draw(3) && !done[next]; turn++) {
            const uint32_t group = windows_share(&job, groups, next % used, !(begun >> next & 1));

            begun |= 1u << next;
            done[next] = group >= groups;
            if (!done[next])
                wrong += given[group]++ != 0;
        }
        for (uint32_t i = 0; i < blocks; i++)
            busy += !done[i];
    } while (busy);
    for (uint32_t i = 0; i < groups; i++)
        wrong += given[i] != 1;
    is_int(wrong, 0, "%u groups, %u blocks of threads on %u of %u multiprocessors: each once",
           groups, blocks, used, processors);
    free(queue), free(given);
}

/* Two blocks on each of twelve multiprocessors, one a third faster: all end with as much as the others. */
static void try_fair(void)
{
    enum { S = 12, EACH = 12 };
    uint32_t queue[1 + S] = {0}, did[S] = {0}, wrong = 0;
    struct turbo_windows_job job = {.processors = S, .queue = queue};

    for (uint32_t time = 0; time < 100; time++)
        for (uint32_t b = 0; b < 2 * S; b++) {
            const uint32_t m = b % S, period = b < S ? 3 : 4 + m % 2;

            if (time % period == 0)
                did[m] += windows_share(&job, S * EACH, m, time == 0) < S * EACH;
        }
    for (uint32_t m = 0; m < S; m++)
        wrong += did[m] != EACH;
    is_int(wrong, 0, "no multiprocessor takes another's last group");
}

/* All sizes of the table have windows. */
static void try_table(void)
{
    uint32_t none = 0, few = 0;

    for (uint32_t i = 0; i < TURBO_SIZES; i++) {
        struct turbo_windows_class c = {0}, l;

        if (turbo_windows_fit(&turbo_qpp_table[i], 0, WIN_NARROW, MOST_SHARED, &c)) {
            none++;
            continue;
        }
        l = c;
        few += c.windows * c.slots * 2 < WIN_NARROW;
        turbo_windows_lengthen(&turbo_qpp_table[i], 0.9 + i % 2 * 0.05, MOST_SHARED, &l);
        if (l.windows != 1 && (l.steps < WIN_LONG_STEPS || l.steps > WIN_MOST_STEPS))
            diag("K = %u: no longer windows than %u", c.k, l.steps);
        none += l.windows * l.steps != l.k || l.slots * l.windows > l.threads ||
                bytes_of(&l) > 233472 - 1024 || 8u * turbo_qpp_table[i].f2 % l.windows;
        none += c.windows * c.steps != c.k ||
                bytes_of(&c) > (c.k > 1024 ? 233472 / 2 : 233472) - 1024;
    }
    is_int(none, 0, "all sizes have windows, and so many blocks of threads fit a multiprocessor");
    is_int(few, 0, "with work for at least half of the threads");
}

/* Of either encoder one of `of` parity bits was sent. */
static void puncture(uint32_t k, uint32_t of, int8_t *llr)
{
    for (uint32_t i = 0; i < k; i++)
        for (uint32_t e = 0; e < 2; e++)
            if ((i + e * of / 2) % of)
                llr[turbo_item(k, 1 + e, i)] = 0;
}

/* A size of blocks, and one of how many parity bits is sent. */
struct point {
    uint32_t k, frames, of;
    double esn0_db;
};

/* Wrong blocks of the plain decoder with so many windows, 0: those of the kernels. */
static uint32_t count_errors(const struct point *p, uint32_t windows, double esn0_db)
{
    const struct turbo_qpp *qpp = turbo_qpp_find(p->k);
    const double rate = 1 / (1 + 2. / p->of);
    struct trial t = make(WIN_ALWAYS_ALL, p->frames, 6);
    struct turbo_windows_class *c = &t.job.only;
    const double sigma = sqrt(1 / (2 * pow(10, esn0_db / 10)));
    int8_t *llr = get(turbo_word(p->k));
    float *soft = get(p->k * sizeof *soft);
    uint8_t *sent = get(p->k), *bits = get(p->k);
    uint32_t wrong = 0;
    bool met;

    choose_windows(&t, qpp);
    turbo_windows_lengthen(qpp, rate, t.shared, c);
    c->windows = windows ? windows : c->windows;
    c->steps = p->k / c->windows;
    c->overlap = turbo_windows_overlap(c, rate, 6);
    state = SEED;
    for (uint32_t f = 0; f < p->frames; f++) {
        make_frame(&t, qpp, sigma, sent, llr);
        puncture(p->k, p->of, llr);
        decode(&t, c, llr, bits, soft, &met);
        wrong += memcmp(bits, sent, p->k) != 0;
    }
    free(llr), free(soft), free(sent), free(bits);
    return wrong;
}

/* Windows and their overlap are long enough, on the same frames; parity bits at equal distances are a little
   worse than those that rate matching sends. */
static void try_loss(void)
{
    static const struct point points[] = {
        {152, 1500, 1, -4},   {528, 500, 1, -4.1},  {768, 400, 1, -4.15}, {1504, 250, 1, -4.3},
        {768, 400, 2, -1.9},  {2048, 150, 2, -2.1}, {512, 600, 6, 1.1},   {1536, 500, 6, 1.1},
        {1504, 500, 10, 2.2}, {504, 800, 18, 3.5},  {1504, 500, 18, 3.3}, {1536, 500, 18, 3.3},
        {2688, 600, 40, 5.2}};

    if (tap_sanitized()) {
        skip(sizeof points / sizeof *points, "statistics need speed");
        return;
    }
    for (size_t i = 0; i < sizeof points / sizeof *points; i++) {
        const struct point *p = &points[i];
        const double db = p->esn0_db, lost = p->of > 2 ? 0.07 : 0.05;
        const uint32_t less = count_errors(p, 1, db - lost), cut = count_errors(p, 0, db);

        ok(cut <= less,
           "K = %u, rate %.2f, Es/N0 %.2f dB: %u wrong of %u; without windows and with %.2f dB less"
           " %u",
           p->k, 1 / (1 + 2. / p->of), db, cut, p->frames, lost, less);
    }
}

int main(void)
{
    try_table();
    try_share(4, 4, 8, 50);
    try_share(4, 3, 6, 50);
    try_share(4, 1, 2, 17);
    try_share(12, 7, 14, 13);
    try_share(1, 1, 2, 9);
    try_fair();
    try_loss();
    state = SEED; /* the same trials follow under a sanitizer */
    for (unsigned i = 0; i < 2; i++) {
        windows_bf16 = i;
        diag("as devices %s run them", i ? "older than 9.0" : "from 9.0 on");
        try_fixed();
        try_rules();
        try_log_map();
        try_soft();
        try_classes(WIN_ALWAYS_ALL, WIN_NARROW, MOST_SHARED);
        try_classes(WIN_STOP_CRC, WIN_NARROW, MOST_SHARED);
        try_apriori();
        try_single();
        try_wild();
    }
    try_classes(WIN_ALWAYS_ALL, WIN_SLIM, 99 << 10);
    try_classes(WIN_STOP_CRC, WIN_SLIMMEST, 64 << 10);
    try_limited(99);
    try_limited(64);
    return done_testing();
}
