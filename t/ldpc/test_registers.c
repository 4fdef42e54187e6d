/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The kernels in registers of ldpc.decode's backend `cuda`, run on the host: against a plain
 * decoder that rounds as they do, whose bits, verdicts and iterations must be the same, and against
 * the reference where noise is easy. Frames of all kinds, at any address, with pages on either side
 * that nobody may touch; each frame as if it were alone. And the host's side: what it chooses for
 * all z and all numbers of rows.
 *
 * FECRUN_TEST_SEED and FECRUN_TEST_ROUNDS as in test_core.c.
 */
#include "t/ldpc/codes.h"

#if !defined(__GLIBC__) || defined(__SANITIZE_THREAD__) || !defined(__FLT16_MANT_DIG__)

int main(void)
{
    skip_all("the emulation needs makecontext() of glibc, _Float16 and no thread sanitizer");
}

#else

#include "t/ldpc/registers_check.h"
#include "plugins/ldpc/cuda/registers/plan.c"
#include "plugins/ldpc/cuda/shared/plan.h"
#include "plugins/ldpc/code/standard/tables.h"

/* ---- Trials ---- */

static uint64_t number_of_env(const char *name, uint64_t otherwise)
{
    const char *text = getenv(name);

    return text && *text ? strtoull(text, NULL, 0) : otherwise;
}

/* The kernel for a code block alone instead of its like for pairs, if the CPU has it. */
static void take_halved(struct trial *t)
{
    const struct ldpc_registers_kernel *k = ldpc_registers_halved(t->kernel);

    if (!k || !ldpc_registers_compiled(k))
        return;
    t->kernel = k;
    ldpc_registers_describe(k, t->d.code, t->d.rows, 0, &t->work);
}

/* The decoder of NR for so many rows: false where the CPU has no kernel for it. */
static bool take_kernel(struct trial *t, uint32_t bg, uint32_t z, uint32_t rows, uint32_t fillers,
                        bool halved)
{
    struct ldpc_code *code = ldpc_code_nr(bg, z, fillers, &error);

    memset(t, 0, sizeof *t);
    if (!code)
        bail("no code: %s", error.text);
    t->d.code = code;
    t->d.rows = rows;
    t->kernel = ldpc_registers_choose(code, rows, SHARED_MOST, &t->work);
    if (t->kernel && halved)
        take_halved(t);
    if (!t->kernel || !ldpc_registers_compiled(t->kernel)) {
        ldpc_code_free(code);
        return false;
    }
    take_decoder(t, code, rows, true);
    return true;
}

static bool take_code(struct trial *t, uint32_t bg, uint32_t z, uint32_t rows, uint32_t fillers)
{
    return take_kernel(t, bg, z, rows, fillers, false);
}

/* What happened in all trials. */
static struct {
    unsigned frames, good, early, quads, several, unused, lone, halved, narrow;
} seen;

/* Large ones, which a pair of frames fills a block with, are the last eight. */
static uint32_t draw_z(void)
{
    const uint32_t large = LDPC_NR_LIFTINGS - 8;

    switch (draw(4)) {
    case 0:
        return ldpc_nr_lifting[draw(LDPC_NR_LIFTINGS)].z;
    case 1:
        return ldpc_nr_lifting[large + draw(8)].z;
    case 2:
        return 384;
    default:
        return ldpc_nr_lifting[draw(24)].z;
    }
}

static void draw_code(struct trial *t)
{
    uint32_t bg, z, rows, fillers;

    do {
        bg = 1 + draw(2);
        z = draw_z();
        rows = 4 + draw(one_in(2) ? 8 : bg == 1 ? 43 : 39);
        fillers = one_in(3) ? 0 : draw(bg == 1 ? 19 * z : 7 * z);
    } while (!take_kernel(t, bg, z, rows, fillers, one_in(2)));
    if (!t->kernel->z && one_in(3)) /* one pair: what small batches have most */
        ldpc_registers_describe(t->kernel, t->d.code, rows, one_in(2) ? 1 : 1 + draw(t->work.pairs),
                                &t->work);
    t->d.iterations = 1 + draw(6);
    t->d.early_stop = !one_in(4);
    t->d.alpha = one_in(3) ? 0.05 + draw(950) / 1000. : 0.625 + draw(4) / 16.;
    t->d.rise = one_in(3) ? 0 : (1 - t->d.alpha) * draw(100) / 100.;
}

static void note_trial(const struct trial *t)
{
    seen.quads += t->work.quads;
    seen.several += t->frames > ldpc_registers_at_once(t->kernel, &t->work) * t->grid.blocks;
    seen.halved += t->kernel->halved;
    seen.narrow += t->work.pairs < t->kernel->lanes / t->work.z;
    seen.unused += t->kernel->rows > t->d.rows;
    seen.lone += t->frames % 2;
    for (uint32_t f = 0; f < t->frames; f++) {
        seen.frames++;
        seen.good += !(t->want_info[f].flags & FECRUN_FRAME_FAILED);
        seen.early += t->want_info[f].iterations < t->d.iterations;
    }
}

static bool one_trial(void)
{
    struct trial t;
    bool good;

    draw_code(&t);
    draw_frames(&t, draw_number(&t), 0);
    for (uint32_t f = 0; f < t.frames; f++)
        plain_decode(&t, f);
    run_kernel(&t, 0, t.frames);
    good = same(&t);
    note_trial(&t);
    free_trial(&t);
    return good;
}

static void test_trials(void)
{
    const uint64_t seed = number_of_env("FECRUN_TEST_SEED", 1);
    const uint64_t rounds = number_of_env("FECRUN_TEST_ROUNDS", tap_rounds(90));
    unsigned wrong = 0;

    for (uint64_t i = 0; i < rounds && wrong < 4; i++) {
        rng_state = (seed + i) * 0xbf58476d1ce4e5b9u;
        if (!one_trial()) {
            wrong++;
            diag("seed %llu", (unsigned long long)(seed + i));
        }
    }
    ok(!wrong,
       "bits, verdicts and iterations of a plain decoder (%u frames, %u converge, %u "
       "early)",
       seen.frames, seen.good, seen.early);
    ok(seen.quads && seen.several && seen.unused && seen.lone && seen.halved && seen.narrow &&
           seen.good && seen.early && seen.good < seen.frames,
       "lanes by fours (%u trials), blocks with several turns (%u), rows beyond those in use (%u), "
       "odd numbers of frames (%u), code blocks one by one (%u), fewer pairs than there is room "
       "for (%u)",
       seen.quads, seen.several, seen.unused, seen.lone, seen.halved, seen.narrow);
}

/* ---- Words with easy noise ---- */

static void test_words(uint32_t bg, uint32_t z, uint32_t rows, uint32_t fillers, uint32_t frames,
                       bool early_stop, double sigma)
{
    uint32_t least, most;
    struct trial t;

    if (!take_code(&t, bg, z, rows, fillers)) {
        skip(2, "no kernel for %u rows in a build with a sanitizer", rows);
        return;
    }
    t.d.early_stop = early_stop;
    draw_frames(&t, frames, sigma);
    run_kernel(&t, 0, frames);
    run_reference(&t);
    count_iterations(&t, &least, &most);
    ok(!failed_frames(&t) && !wrong_words(&t) && !far_frames(&t),
       "bg %u, z %u, %u rows, %u fillers: %u words as sent, and as the reference", bg, z, rows,
       fillers, frames);
    ok(early_stop ? least >= 1 && most < t.d.iterations : least == t.d.iterations && least == most,
       "%u to %u iterations", least, most);
    free_trial(&t);
}

/* ---- Fillers, neighbours ---- */

static void test_fillers(uint32_t bg, uint32_t z, uint32_t rows, uint32_t fillers)
{
    const uint32_t frames = 5;
    struct trial t;
    size_t bytes;

    if (!take_code(&t, bg, z, rows, fillers))
        bail("no kernel");
    draw_frames(&t, frames, 0.5);
    bytes = frames * t.out_stride;
    run_kernel(&t, 0, frames);
    memcpy(t.want, t.out, bytes);
    memcpy(t.want_info, t.info, frames * sizeof *t.info);
    for (uint32_t f = 0; f < frames; f++)
        for (uint32_t b = 0; b < fillers; b++)
            t.llr[f * t.d.code->n + t.d.bits - 2 * z + b] = (int8_t)(draw(256) - 128);
    run_kernel(&t, 0, frames);
    ok(!failed_frames(&t) && !memcmp(t.out, t.want, bytes) &&
           !memcmp(t.info, t.want_info, frames * sizeof *t.info),
       "bg %u, z %u: whatever arrives in the places of fillers", bg, z);
    free_trial(&t);
}

/* Frames that converge at other times, together and one by one. */
static void test_neighbours(uint32_t bg, uint32_t z, uint32_t rows, uint32_t frames, double sigma)
{
    uint32_t least, most;
    struct trial t;
    size_t bytes;

    if (!take_code(&t, bg, z, rows, 0))
        bail("no kernel");
    t.d.iterations = 20;
    draw_frames(&t, frames, sigma);
    bytes = frames * t.out_stride;
    run_kernel(&t, 0, frames);
    count_iterations(&t, &least, &most);
    memcpy(t.want, t.out, bytes);
    memcpy(t.want_info, t.info, frames * sizeof *t.info);
    memset(t.out, UNTOUCHED, bytes);
    for (uint32_t f = 0; f < frames; f++)
        run_kernel(&t, f, 1);
    ok(same(&t), "bg %u, z %u: frames that take %u to %u iterations, each as if it were alone", bg,
       z, least, most);
    free_trial(&t);
}

/*
 * A kernel with more rows than are in use has the bits of one that has these only. Messages of 8 bits of those others
 * are never 0, so that an LLR of 0, as those of columns that are never sent are at first, would not stay one.
 */
static void test_more_rows(uint32_t bg, uint32_t z, uint32_t rows, uint32_t frames, double sigma)
{
    struct ldpc_registers_kernel exact;
    struct trial t;

    if (!take_code(&t, bg, z, rows, 0)) {
        skip(1, "no kernel for %u rows in a build with a sanitizer", rows);
        return;
    }
    if (t.kernel->rows == rows || !ldpc_registers_packed(t.kernel, t.kernel->rows - 1))
        bail("no kernel with more rows, of 8 bits");
    draw_frames(&t, frames, sigma);
    run_kernel(&t, 0, t.frames);
    exact = *t.kernel;
    exact.rows = rows;
    t.kernel = &exact;
    for (uint32_t f = 0; f < t.frames; f++)
        plain_decode(&t, f);
    ok(same(&t) && failed_frames(&t),
       "bg %u, z %u: a kernel with more than %u rows, %u of %u words wrong", bg, z, rows,
       failed_frames(&t), frames);
    free_trial(&t);
}

/* One by one on half as many threads; fillers, and the bits of two lanes a thread. */
static void test_halved(uint32_t bg, uint32_t rows, uint32_t fillers, uint32_t iterations,
                        double sigma)
{
    uint32_t least, most;
    struct trial t;

    if (!take_kernel(&t, bg, 384, rows, fillers, true) || !t.kernel->halved) {
        skip(1, "no kernel for %u rows in a build with a sanitizer", rows);
        return;
    }
    t.d.iterations = iterations;
    draw_frames(&t, 2, sigma);
    for (uint32_t f = 0; f < t.frames; f++)
        plain_decode(&t, f);
    run_kernel(&t, 0, t.frames);
    count_iterations(&t, &least, &most);
    ok(same(&t), "bg %u, %u rows, %u fillers: code blocks one by one, %u to %u iterations", bg,
       rows, fillers, least, most);
    free_trial(&t);
}

/* ---- The host's side ---- */

static bool sound_shifts(const struct trial *t)
{
    const struct ldpc_registers_work *w = &t->work;

    for (uint32_t i = 0; i < LDPC_REGISTERS_PLACES; i++)
        if (w->shift[i] % (4 * w->pairs) || w->shift[i] >= 4 * w->lanes)
            return false;
    for (uint32_t i = 0; i < 48; i++)
        if (w->turn[i] >= w->z)
            return false;
    return true;
}

/* Would it do, with room to spare in shared memory? */
static bool would_do(const struct ldpc_registers_kernel *k, const struct ldpc_code *code,
                     uint32_t rows)
{
    const uint32_t read = (code->k / code->z + rows - 2) * code->z;
    const struct ldpc_registers_work work = {.pairs = k->lanes / code->z, .slot = read + READ_ON};

    return work.pairs && k->rows >= rows && (!k->z || k->z == code->z) &&
           ldpc_registers_shared(k, &work) <= SHARED_MOST;
}

/* No kernel of these has fewer rows, or as many and room for more pairs. */
static bool best_of(const struct ldpc_registers_kernel *k,
                    const struct ldpc_registers_kernel *const *table, const struct ldpc_code *code,
                    uint32_t rows)
{
    for (; *table; table++)
        for (const struct ldpc_registers_kernel *other = *table; other->function; other++)
            if (would_do(other, code, rows) &&
                (other->rows < k->rows ||
                 (other->rows == k->rows && other->lanes / code->z > k->lanes / code->z)))
                return false;
    return true;
}

/* The smallest kernel that will do, which fits into a multiprocessor of compute capability 9.0. */
static bool sound_choice(uint32_t bg, const struct ldpc_code *code, uint32_t rows)
{
    struct trial t = {.d = {.code = (struct ldpc_code *)code}};
    const struct ldpc_registers_work *w = &t.work;
    const struct ldpc_registers_kernel *k = ldpc_registers_choose(code, rows, SHARED_MOST, &t.work);

    t.kernel = k;
    return k && k->bg == bg && k->rows >= rows && (!k->z || k->z == code->z) &&
           best_of(k, tables[bg - 1][1], code, rows) &&
           (k->z || best_of(k, tables[bg - 1][0], code, rows)) && w->pairs == k->lanes / code->z &&
           w->pairs >= 1 && w->lanes == w->pairs * code->z && w->read <= code->n &&
           w->slot % 16 == 0 && w->slot >= w->read + 15 && w->slot <= w->read + READ_ON &&
           ldpc_registers_shared(k, w) <= SHARED_MOST && sound_shifts(&t);
}

/* The one for a code block alone, which all of z = 384 have, fits and has the same messages. */
static bool sound_halved(const struct ldpc_code *code, uint32_t rows)
{
    struct ldpc_registers_work work;
    const struct ldpc_registers_kernel *k = ldpc_registers_choose(code, rows, SHARED_MOST, &work);
    const struct ldpc_registers_kernel *half = ldpc_registers_halved(k);

    if (!half)
        return k->z != 384;
    ldpc_registers_describe(half, code, rows, 0, &work);
    return half->halved && half->z == code->z && half->rows == k->rows &&
           half->layout.pack0 == k->layout.pack0 && half->layout.pack1 == k->layout.pack1 &&
           work.pairs == 1 && ldpc_registers_threads(half, &work) == 192 &&
           ldpc_registers_shared(half, &work) <= SHARED_MOST;
}

/* The twin for flooding fits, and its messages are in one place each. */
static bool sound_twin(const struct ldpc_code *code, uint32_t rows)
{
    struct ldpc_registers_work work;
    const struct ldpc_registers_kernel *k = ldpc_registers_choose(code, rows, SHARED_MOST, &work);
    struct ldpc_registers_kernel twin;

    if (ldpc_registers_flood(k, code, rows, work.lanes, SHARED_MOST, &twin))
        return false;
    return twin.z == code->z && twin.lanes == work.lanes && twin.rows == k->rows &&
           twin.layout.shared0 == 4 && twin.layout.shared1 >= 4 &&
           twin.layout.shared1 <= twin.rows && ldpc_registers_shared(&twin, &work) <= SHARED_MOST;
}

static void test_choice(uint32_t bg)
{
    const uint32_t all = bg == 1 ? 46 : 42;
    struct ldpc_registers_work work;
    uint32_t wrong = 0;

    for (uint32_t i = 0; i < LDPC_NR_LIFTINGS; i++) {
        struct ldpc_code *code = ldpc_code_nr(bg, ldpc_nr_lifting[i].z, 0, &error);

        if (!code)
            bail("no code: %s", error.text);
        for (uint32_t rows = 4; rows <= all; rows++)
            if (!(sound_choice(bg, code, rows) && sound_twin(code, rows) &&
                  sound_halved(code, rows)) &&
                wrong++ < 4)
                diag("bg %u, z %u, %u rows", bg, code->z, rows);
        wrong += ldpc_registers_choose(code, all + 1, SHARED_MOST, &work) != NULL;
        ldpc_code_free(code);
    }
    is_int(wrong, 0, "bg %u: kernels for all z and all numbers of rows", bg);
}

static bool planned_in_shared(const struct ldpc_decode *d, size_t shared_block)
{
    const struct fecrun_cuda_limits limits = {
        .processors = 100, .shared = shared_block + 1024, .shared_block = shared_block};
    struct ldpc_decode whole = *d;
    struct ldpc_shared_form form;
    bool found;

    whole.schedule = ldpc_schedule_new(d->code, d->rows, true, &error);
    if (!whole.schedule)
        bail("no schedule: %s", error.text);
    found = !ldpc_shared_choose_form(&form, &whole, FECRUN_I8, FECRUN_PACKED, &limits, 4096);
    ldpc_schedule_free(whole.schedule);
    return found && ldpc_shared_bytes(&form) <= shared_block;
}

/* Bits depend on which messages have 8 bits: those that a device of compute capability 9.0 has so. */
static bool has_same_messages(const struct ldpc_registers_kernel *twin,
                              const struct ldpc_code *code, uint32_t rows)
{
    struct ldpc_registers_work work;
    const struct ldpc_registers_kernel *k = ldpc_registers_choose(code, rows, SHARED_MOST, &work);

    for (uint32_t r = 0; r < twin->rows; r++)
        if ((r >= k->layout.pack0 && r < k->layout.pack1) !=
            (r >= twin->layout.pack0 && r < twin->layout.pack1))
            return false;
    return true;
}

/* Compiled for this code alone it fits, or there is a kernel in shared memory that does. */
static bool planned(const struct ldpc_code *code, uint32_t rows, size_t shared_block, bool *fits)
{
    const struct ldpc_decode d = {.code = (struct ldpc_code *)code, .rows = rows, .iterations = 10};
    struct ldpc_registers_work work;
    const struct ldpc_registers_kernel *k = ldpc_registers_choose_for_twin(code, rows, &work);
    const size_t most_shared[2] = {shared_block + 1024, shared_block};
    struct ldpc_registers_kernel twin;

    *fits = k && !ldpc_registers_best_twin(&d, k, true, work.lanes, most_shared, &twin);
    if (!*fits)
        return planned_in_shared(&d, shared_block);
    ldpc_registers_describe(&twin, code, rows, 0, &work);
    return twin.rows >= rows && twin.z == code->z && has_same_messages(&twin, code, rows) &&
           ldpc_registers_shared(&twin, &work) <= shared_block;
}

/* Of a thread block: compute capability 9.0, 8.0, and 8.6, 8.9 and 12.0. */
static void test_devices(uint32_t bg)
{
    static const size_t shared_block[] = {227 << 10, 163 << 10, 99 << 10};
    const uint32_t all = bg == 1 ? 46 : 42;

    for (int s = 0; s < 3; s++) {
        unsigned wrong = 0, n = 0;
        bool fits;

        for (uint32_t i = 0; i < LDPC_NR_LIFTINGS; i++) {
            struct ldpc_code *code = ldpc_code_nr(bg, ldpc_nr_lifting[i].z, 0, &error);

            if (!code)
                bail("no code: %s", error.text);
            for (uint32_t rows = 4; rows <= all; rows++) {
                wrong += !planned(code, rows, shared_block[s], &fits);
                n += fits;
            }
            ldpc_code_free(code);
        }
        ok(!wrong && n > LDPC_NR_LIFTINGS * (all - 3) / 2,
           "bg %u, %zu KB a thread block: planned for all z and numbers of rows, %u of %u in "
           "registers",
           bg, shared_block[s] >> 10, n, LDPC_NR_LIFTINGS * (all - 3));
    }
}

int main(void)
{
    test_choice(1);
    test_choice(2);
    test_devices(1);
    test_devices(2);
    test_words(1, 2, 5, 0, 385, true, 0.25);
    test_words(1, 7, 4, 0, 21, true, 0.25);
    test_words(1, 16, 13, 37, 9, true, 0.3);
    test_words(1, 52, 46, 0, 3, true, 0.5);
    test_words(1, 384, 9, 700, 1, true, 0.3);
    test_words(2, 24, 4, 0, 33, true, 0.25);
    test_words(2, 16, 7, 50, 5, true, 0.3);
    test_words(2, 52, 42, 100, 15, true, 0.5);
    test_words(2, 240, 30, 0, 3, false, 0.5);
    test_words(2, 7, 42, 3, 2, false, 0.5);
    test_fillers(1, 16, 13, 100);
    test_fillers(2, 384, 12, 2000);
    test_neighbours(1, 52, 13, 12, 0.55);
    test_neighbours(2, 208, 12, 4, 0.6);
    test_more_rows(1, 52, 10, 40, 0.62);
    test_more_rows(1, 26, 35, 40, 0.95);
    test_halved(1, 9, 0, 8, 0.5);
    test_halved(1, 7, 1000, 8, 0.45);
    test_halved(1, 9, 383, 8, 1.5);
    test_halved(1, 46, 5, 3, 0.8);
    test_halved(2, 42, 100, 3, 0.9);
    test_trials();
    return done_testing();
}

#endif
