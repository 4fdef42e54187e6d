/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The kernels in registers of codes that are not NR's, run on the host from the sources that the
 * plugin writes for NVRTC: against a plain decoder that rounds as they do, and against the reference
 * where noise is easy. And the form that the host chooses.
 */
#include "t/ldpc/codes.h"

#if !defined(__GLIBC__) || defined(__SANITIZE_THREAD__) || !defined(__FLT16_MANT_DIG__)

int main(void)
{
    skip_all("the emulation needs makecontext() of glibc, _Float16 and no thread sanitizer");
}

#else

#include "t/ldpc/registers_check.h"
#include "t/ldpc/registers_others.h"

extern const struct ldpc_registers_kernel emulated_others[];

static void take_other(struct trial *t, int i)
{
    struct ldpc_code *code = other_code(&others[i]);
    const uint32_t rows = others[i].family == LDPC_NR ? others[i].rows - 1 : code->rows;

    memset(t, 0, sizeof *t);
    t->kernel = &emulated_others[i];
    ldpc_registers_describe(t->kernel, code, rows, 0, &t->work);
    take_decoder(t, code, rows, others[i].reverse);
    t->d.algorithm = other_rule(&others[i]);
    t->d.rule = others[i].flooding ? LDPC_FLOODING : LDPC_LAYERED;
    t->d.beta = 0.5;
}

static const char *name_of(int i)
{
    static char name[96];

    snprintf(name, sizeof name, "%s %u %s%s%s%s",
             others[i].family == LDPC_WIFI    ? "Wi-Fi"
             : others[i].family == LDPC_WIMAX ? "WiMAX"
             : others[i].family == LDPC_NR    ? "NR, z ="
                                              : "random, z =",
             others[i].n, others[i].rate ? others[i].rate : "",
             others[i].flooding ? "flooding" : "", others[i].spa ? ", sum-product" : "",
             others[i].family == LDPC_NR && !others[i].reverse ? ", first row first" : "");
    return name;
}

/* Frames of all kinds: bits, verdicts and iterations of the plain decoder. */
static void test_trials(int i, unsigned rounds)
{
    unsigned wrong = 0, good = 0, frames = 0, quads = 0;

    for (unsigned n = 0; n < rounds && !wrong; n++) {
        struct trial t;

        rng_state = (100 * (unsigned)i + n + 1) * 0xbf58476d1ce4e5b9u;
        take_other(&t, i);
        t.d.iterations = 1 + draw(6);
        t.d.early_stop = other_stops(i) || !one_in(4);
        t.d.alpha = 0.05 + draw(950) / 1000.;
        t.d.rise = (1 - t.d.alpha) * draw(100) / 100.;
        t.d.beta = draw(40) / 16.;
        draw_frames(&t, draw_number(&t), 0);
        for (uint32_t f = 0; f < t.frames; f++)
            plain_decode(&t, f);
        run_kernel(&t, 0, t.frames);
        wrong += !same(&t);
        frames += t.frames;
        quads += t.work.quads;
        good += t.frames - failed_frames(&t);
        free_trial(&t);
    }
    ok(!wrong, "%s%s: as a plain decoder (%u frames, %u converge; lanes by fours in %u of %u)",
       name_of(i), others[i].soft ? ", with LLRs" : "", frames, good, quads, rounds);
}

static void test_words(int i, double sigma)
{
    uint32_t least, most;
    struct trial t;

    rng_state = (unsigned)i + 7;
    take_other(&t, i);
    t.d.iterations = 20;
    draw_frames(&t, 2 * t.work.pairs + 1, sigma);
    run_kernel(&t, 0, t.frames);
    run_reference(&t);
    count_iterations(&t, &least, &most);
    ok(!failed_frames(&t) && !wrong_words(&t) && !far_frames(&t),
       "%s: %u words as sent, and as the reference, in %u to %u iterations", name_of(i), t.frames,
       least, most);
    memcpy(t.want, t.out, t.frames * t.out_stride);
    memcpy(t.want_info, t.info, t.frames * sizeof *t.info);
    memset(t.out, UNTOUCHED, t.frames * t.out_stride);
    for (unsigned p = 0; p < LDPC_SOFT_PORTS; p++)
        if (t.soft[p]) {
            memcpy(t.want_soft[p], t.soft[p], soft_bytes(&t, p));
            memset(t.soft[p], UNTOUCHED, soft_bytes(&t, p));
        }
    for (uint32_t f = 0; f < t.frames; f++)
        run_kernel(&t, f, 1);
    ok(same(&t), "%s: each as if it were alone", name_of(i));
    free_trial(&t);
}

/* Of a frame of zeros nothing is known: it fails, though all checks hold. */
static void test_zeros(int i)
{
    struct trial t;

    rng_state = (unsigned)i + 11;
    take_other(&t, i);
    draw_frames(&t, t.work.pairs + 1, 0.3);
    memset(t.llr, 0, (size_t)t.frames * t.d.code->n);
    run_kernel(&t, 0, t.frames);
    is_int(failed_frames(&t), t.frames, "%s: zeros fail", name_of(i));
    free_trial(&t);
}

/* What the host says of a kernel of NR for one code, whose layout it does not get from the kernel. */
static void test_shared(int i)
{
    const struct ldpc_registers_kernel kernel = other_nr_kernel(&others[i]);
    struct ldpc_code *code = other_code(&others[i]);

    is_int((long long)(others[i].flooding
                           ? ldpc_registers_flood_shared(&kernel, code, kernel.lanes)
                           : ldpc_registers_layered_shared(&kernel, code, kernel.lanes)),
           (long long)emulated_others[i].shared, "%s: bytes of shared memory", name_of(i));
    ldpc_code_free(code);
}

/* ---- Kernels of NR for one code ---- */

/* Does what is chosen for a device with so much shared memory fit, and has it the messages of the kernel? */
static bool sound_twin(const struct ldpc_code *c, uint32_t rows, const size_t most_shared[2])
{
    const uint8_t pack1 = (uint8_t)rows, shared1 = (uint8_t)(rows < 6 ? rows : 6);
    const struct ldpc_registers_kernel kernel = {
        .bg = c->bg, .rows = rows, .lanes = 384, .layout = {4, pack1, 0, shared1, 0, 2, 0}};
    const struct ldpc_decode d = {.code = (struct ldpc_code *)(uintptr_t)c, .rows = rows};
    const uint32_t lanes = 384 / c->z * c->z;
    struct ldpc_registers_kernel twin;
    uint32_t blocks;
    size_t bytes;

    if (ldpc_registers_best_twin(&d, &kernel, true, lanes, most_shared, &twin))
        return false;
    blocks = twin.blocks ? twin.blocks : 1;
    bytes = twin.shared;
    if (!twin.unstaged)
        bytes += 2 * twin.lanes / c->z *
                 ldpc_registers_slot(ldpc_registers_read(c, rows), twin.lanes / c->z);
    return twin.lanes && twin.lanes % c->z == 0 && twin.lanes <= LDPC_REGISTERS_LANES &&
           blocks * ((twin.lanes + 31) / 32) <= 16 && bytes <= most_shared[1] &&
           (blocks == 1 || blocks * (bytes + 1024) <= most_shared[0]) && twin.rows == rows &&
           twin.layout.pack0 == 4 && twin.layout.pack1 == pack1;
}

static void test_twins(void)
{
    static const size_t most_shared[][2] = {
        {228 << 10, 227 << 10}, {164 << 10, 163 << 10}, {100 << 10, 99 << 10}};
    static const uint32_t rows[] = {4, 5, 13, 24, 42};
    unsigned wrong = 0, all = 0;

    for (uint32_t bg = 1; bg <= 2; bg++)
        for (uint32_t z = 2; z <= 384; z++) {
            struct ldpc_code *code = ldpc_code_nr(bg, z, 0, &error);

            for (unsigned i = 0; code && i < 15; i++, all++)
                if (!sound_twin(code, rows[i / 3], most_shared[i % 3]) && wrong++ < 4)
                    diag("bg %u, z = %u, %u rows, %zu bytes", bg, z, rows[i / 3],
                         most_shared[i % 3][1]);
            ldpc_code_free(code);
        }
    ok(!wrong && all == 2 * 51 * 15, "%u kernels for one code fit", all);
}

/* With few rows each pair has a thread block of its own, and together they have 12 warps or more. */
static void test_pairs_apart(void)
{
    static const size_t most_shared[] = {228 << 10, 227 << 10};
    static const struct ldpc_registers_kernel kernel = {
        .bg = 1, .rows = 5, .lanes = 384, .layout = {.span = 2}};

    for (uint32_t z = 32; z <= 256; z *= 2) {
        struct ldpc_code *code = ldpc_code_nr(1, z, 0, &error);
        const struct ldpc_decode d = {.code = code, .rows = 5, .reverse = true};
        struct ldpc_registers_kernel twin;

        if (!code || ldpc_registers_best_twin(&d, &kernel, true, 384 / z * z, most_shared, &twin))
            bail("no kernel for z = %u", z);
        ok(twin.lanes == z && twin.blocks * z / 32 >= 12, "z = %u: %u thread blocks of %u lanes", z,
           twin.blocks, twin.lanes);
        ldpc_code_free(code);
    }
}

/* ---- Forms ---- */

/* A held column has one shift, and that one, in all turned rows. */
static bool held_well(const struct ldpc_code *c, const struct ldpc_registers_form *form)
{
    for (uint32_t r = 0; r < c->rows; r++)
        for (uint32_t e = c->row_first[r]; e < c->row_first[r + 1]; e++) {
            const struct ldpc_edge *edge = &c->edge[e];

            if (form->held >> edge->col & 1 &&
                (edge->shift + form->turn[r]) % c->z != form->offset[edge->col])
                return false;
        }
    return !(form->held >> c->cols);
}

static bool sound_form(const struct ldpc_code *c)
{
    struct ldpc_registers_form form;
    size_t bytes;

    if (ldpc_registers_unfit(c) ||
        ldpc_registers_choose_form(c, false, OTHER_SHARED, OTHER_SHARED_BLOCK, &form))
        return false;
    bytes = ldpc_registers_form_shared(c, &form) +
            2 * (size_t)form.pairs * ldpc_registers_slot(c->n, form.pairs);
    return held_well(c, &form) && form.pairs && form.lanes == form.pairs * c->z &&
           form.threads >= form.lanes && form.threads < form.lanes + 32 && form.threads % 32 == 0 &&
           bytes <= OTHER_SHARED_BLOCK && form.blocks * (bytes + 1024) <= OTHER_SHARED && form.held;
}

static void test_forms(void)
{
    static const char *const wifi[] = {"1/2", "2/3", "3/4", "5/6"};
    static const char *const wimax[] = {"1/2", "2/3A", "2/3B", "3/4A", "3/4B", "5/6"};
    unsigned wrong = 0;

    for (unsigned r = 0; r < 4; r++)
        for (uint32_t n = 648; n <= 1944; n += 648) {
            struct ldpc_code *code = ldpc_code_wifi(n, wifi[r], &error);

            if (!sound_form(code) && wrong++ < 4)
                diag("Wi-Fi %u %s", n, wifi[r]);
            ldpc_code_free(code);
        }
    for (unsigned r = 0; r < 6; r++)
        for (uint32_t n = 576; n <= 2304; n += 96) {
            struct ldpc_code *code = ldpc_code_wimax(n, wimax[r], &error);

            if (!sound_form(code) && wrong++ < 4)
                diag("WiMAX %u %s", n, wimax[r]);
            ldpc_code_free(code);
        }
    is_int(wrong, 0, "forms for all codes of Wi-Fi and WiMAX");
}

static void is_unfit(struct ldpc_code *code, const char *what)
{
    const char *problem = code ? ldpc_registers_unfit(code) : NULL;

    ok(problem && strstr(problem, what), "unfit: %s", problem ? problem : error.text);
    ldpc_code_free(code);
}

static void test_unfit(void)
{
    static const char alist[] = "4 2\n1 2\n1 1 1 1\n2 2\n1\n1\n2\n2\n1 2\n3 4\n";
    static const char wide[] = "3 1 513\n0 1 2\n", holes[] = "3 1 8\n0 1 2\n1 1 0\n";

    is_unfit(ldpc_code_dvbs2(true, "1/2", &error), "two circulants");
    is_unfit(ldpc_parse_alist(alist, sizeof alist - 1, &error), "no lifting size");
    is_unfit(ldpc_parse_qc(wide, sizeof wide - 1, &error), "above 512");
    is_unfit(ldpc_parse_qc(holes, sizeof holes - 1, &error), "in another order");
}

int main(void)
{
    /* with this noise all words converge */
    static const double sigma[OTHERS] = {0.6, 0.35, 0.6,  0.45, 0.35, 0.2, 0.2,  0.35, 0.4,
                                         0.3, 0.4,  0.3,  0.2,  0.5,  0.2, 0.45, 0.4,  0.35,
                                         0.4, 0.4,  0.35, 0.3,  0.4,  0.4, 0.4,  0.4,  0.35};

    test_forms();
    test_unfit();
    test_twins();
    test_pairs_apart();
    for (int i = 0; i < OTHERS; i++) {
        test_trials(i, 8);
        test_words(i, sigma[i]);
        if (others[i].spa)
            test_zeros(i);
        if (others[i].family == LDPC_NR)
            test_shared(i);
    }
    return done_testing();
}

#endif
