/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Backend `simd` of ldpc.syndrome against the reference, bit by bit, on random matrices: rows that depend on others,
 * columns with no, one and many ones, priors on both sides of 1/2, equal LLRs, both rules of checks, syndromes that no error has, memory and
 * legs.
 */
#include "t/lib/tap.h"

#include "plugins/ldpc/syndrome/simd/simd.h"

enum { SHOTS = 83 };

struct matrix {
    struct ldpc_syndrome d;
    uint8_t *one; /* rows x cols */
};

struct answer {
    uint8_t *error;
    float *llr;
    struct fecrun_frame_info info[SHOTS];
};

static uint32_t state = 1;

static uint32_t draw(uint32_t n)
{
    state = state * 1664525 + 1013904223;
    return (uint32_t)((uint64_t)(state >> 4) * n >> 28);
}

static void *room(size_t bytes)
{
    void *p = aligned_alloc(64, (bytes + 127) & ~(size_t)63);

    if (!p)
        exit(99);
    return memset(p, 0, bytes);
}

/* Each row has a one, as an alist's. */
static void draw_ones(struct matrix *m, uint32_t density)
{
    const uint32_t rows = m->d.rows, cols = m->d.cols;

    for (uint32_t j = 0; j < cols; j++)
        for (uint32_t k = draw(5) ? 1 + draw(density) : draw(2); k; k--)
            m->one[(size_t)draw(rows) * cols + j] = 1;
    for (uint32_t r = 0; r < rows; r++) {
        const uint32_t other = draw(rows);

        m->one[(size_t)r * cols + draw(cols)] = 1;
        if (!draw(8)) /* a copy */
            memcpy(m->one + (size_t)r * cols, m->one + (size_t)other * cols, cols);
    }
}

static void list(struct matrix *m)
{
    struct ldpc_syndrome *d = &m->d;
    uint32_t *seen = room(d->cols * sizeof *seen);

    for (uint32_t r = 0; r < d->rows; r++) {
        d->row_first[r] = d->edges;
        for (uint32_t j = 0; j < d->cols; j++)
            if (m->one[(size_t)r * d->cols + j]) {
                d->col[d->edges++] = j;
                d->col_first[j + 1]++;
            }
    }
    d->row_first[d->rows] = d->edges;
    for (uint32_t j = 0; j < d->cols; j++)
        d->col_first[j + 1] += d->col_first[j];
    for (uint32_t r = 0; r < d->rows; r++)
        for (uint32_t e = d->row_first[r]; e < d->row_first[r + 1]; e++) {
            const uint32_t at = d->col_first[d->col[e]] + seen[d->col[e]]++;

            d->edge_of_col[at] = e;
            d->row_of_col[at] = r;
        }
    free(seen);
}

static struct matrix make(uint32_t rows, uint32_t cols, uint32_t density)
{
    struct matrix m = {
        .d = {.rows = rows, .cols = cols, .iterations = 1 + draw(12), .alpha = 0.625F}};
    const size_t most = (size_t)rows * cols;

    m.one = room(most);
    draw_ones(&m, density);
    m.d.row_first = room((rows + 1) * sizeof(uint32_t));
    m.d.col_first = room((cols + 1) * sizeof(uint32_t));
    m.d.col = room(most * sizeof(uint32_t));
    m.d.edge_of_col = room(most * sizeof(uint32_t));
    m.d.row_of_col = room(most * sizeof(uint32_t));
    m.d.prior = room(cols * sizeof(float));
    m.d.weight = room(cols * sizeof(int64_t));
    list(&m);
    for (uint32_t j = 0; j < cols; j++) {
        m.d.prior[j] = (float)draw(40) / 8 - (draw(6) ? 0 : 1);
        m.d.weight[j] = (int64_t)(m.d.prior[j] * (float)LDPC_SYNDROME_WEIGHT);
    }
    return m;
}

static void clear(struct matrix *m)
{
    free(m->one);
    free(m->d.row_first);
    free(m->d.col_first);
    free(m->d.col);
    free(m->d.edge_of_col);
    free(m->d.row_of_col);
    free(m->d.prior);
    free(m->d.weight);
}

/* One of four is any, the others are of a few errors; some are 0. */
static uint8_t *draw_syndromes(const struct matrix *m)
{
    uint8_t *s = room((size_t)SHOTS * m->d.rows);

    for (uint32_t f = 0; f < SHOTS; f++) {
        if (!draw(4))
            for (uint32_t r = 0; r < m->d.rows; r++)
                s[f * m->d.rows + r] = (uint8_t)draw(2);
        else
            for (uint32_t k = draw(6); k; k--) {
                const uint32_t j = draw(m->d.cols);

                for (uint32_t r = 0; r < m->d.rows; r++)
                    s[f * m->d.rows + r] ^= m->one[(size_t)r * m->d.cols + j];
            }
    }
    return s;
}

static struct answer answer_room(const struct ldpc_syndrome *d)
{
    return (struct answer){.error = room((size_t)SHOTS * d->cols),
                           .llr = room((size_t)SHOTS * d->cols * sizeof(float))};
}

static void answer_free(struct answer *a)
{
    free(a->error);
    free(a->llr);
}

struct views {
    struct fecrun_view syndrome, error, llr;
};

static struct views views_of(const struct ldpc_syndrome *d, uint8_t *s, struct answer *a,
                             uint32_t first, uint32_t n)
{
    struct views v = {{.size = sizeof v.error, .type = FECRUN_U8, .frames = n}, {0}, {0}};

    v.error = v.llr = v.syndrome;
    v.syndrome.data = s + (size_t)first * d->rows;
    v.syndrome.items = v.syndrome.stride = d->rows;
    v.error.data = a->error + (size_t)first * d->cols;
    v.error.items = v.error.stride = v.llr.items = d->cols;
    v.llr.type = FECRUN_F32;
    v.llr.data = a->llr + (size_t)first * d->cols;
    v.llr.stride = d->cols * sizeof(float);
    return v;
}

static void by_ref(struct ldpc_syndrome *d, uint8_t *s, struct answer *a)
{
    struct views v = views_of(d, s, a, 0, SHOTS);
    const struct fecrun_view *in[] = {&v.syndrome};
    struct fecrun_view *out[] = {&v.error, &v.llr};
    struct fecrun_error err = {.size = sizeof err};
    const int cancel = 0;
    void *const codes[] = {d};
    void *scratch = room(ldpc_syndrome_ref.scratch(d, SHOTS));
    struct fecrun_call call = {.size = sizeof call,
                               .codes = codes,
                               .scratch = scratch,
                               .info = a->info,
                               .cancel = &cancel};

    if (ldpc_syndrome_ref.run(d, &call, in, out, &err))
        exit(99);
    free(scratch);
}

/* In calls of `batch` shots. */
static void by_simd(struct ldpc_syndrome *d, const struct ldpc_syndrome_kernel *kernel, uint8_t *s,
                    struct answer *a, uint32_t batch)
{
    struct fecrun_error err = {.size = sizeof err};
    struct ldpc_syndrome_simd *simd = ldpc_syndrome_simd_new(d, kernel, &err);
    void *scratch;

    if (!simd)
        exit(99);
    scratch = room(kernel->scratch(simd));
    for (uint32_t f = 0; f < SHOTS; f += batch) {
        const uint32_t n = SHOTS - f < batch ? SHOTS - f : batch;
        struct views v = views_of(d, s, a, f, n);
        const struct ldpc_syndrome_batch call = {.syndrome = &v.syndrome,
                                                 .error = &v.error,
                                                 .llr = &v.llr,
                                                 .info = a->info + f,
                                                 .frames = n};

        memset(scratch, 0x5a, kernel->scratch(simd));
        if (!kernel->decode(simd, &call, scratch))
            exit(99);
    }
    free(scratch);
    ldpc_syndrome_simd_free(simd);
}

static bool same(const struct ldpc_syndrome *d, const struct answer *a, const struct answer *b)
{
    for (uint32_t f = 0; f < SHOTS; f++)
        if (a->info[f].flags != b->info[f].flags || a->info[f].iterations != b->info[f].iterations)
            return false;
    return !memcmp(a->error, b->error, (size_t)SHOTS * d->cols) &&
           !memcmp(a->llr, b->llr, (size_t)SHOTS * d->cols * sizeof(float));
}

struct count {
    unsigned matrices, wrong, failed, late, relayed;
};

static void compare(struct matrix *m, const struct ldpc_syndrome_kernel *kernel, uint8_t *s,
                    struct count *count)
{
    static const uint32_t batches[] = {1, 5, 16, 40, SHOTS};
    struct answer want = answer_room(&m->d), got = answer_room(&m->d);

    by_ref(&m->d, s, &want);
    by_simd(&m->d, kernel, s, &got, batches[draw(5)]);
    count->matrices++;
    count->wrong += !same(&m->d, &want, &got);
    for (uint32_t f = 0; f < SHOTS; f++) {
        count->failed += (want.info[f].flags & FECRUN_FRAME_FAILED) != 0;
        count->late += want.info[f].iterations == m->d.iterations;
        count->relayed += want.info[f].iterations > m->d.iterations;
    }
    answer_free(&want);
    answer_free(&got);
}

/* Belief propagation as it is, with memory, or with memory and legs. */
static void draw_legs(struct ldpc_syndrome *d, unsigned round)
{
    d->solutions = 1;
    d->memory = round % 3 != 0;
    if (!d->memory)
        return;
    d->gamma0 = (float)draw(5) / 8;
    d->legs = round % 3 == 2 ? 1 + draw(6) : 0;
    d->leg_iterations = 1 + draw(5);
    d->solutions = 1 + draw(d->legs + 1);
    d->gamma_min = -0.25F;
    d->gamma_width = 0.875F;
    d->gamma_seed = round;
}

static void try_sizes(const struct ldpc_syndrome_kernel *kernel, uint32_t most_rows,
                      unsigned rounds, const char *what)
{
    struct count count = {0};

    for (unsigned round = 0; round < tap_rounds(rounds); round++) {
        const uint32_t rows = 1 + draw(most_rows);
        struct matrix m = make(rows, 1 + draw(3 * rows), 1 + draw(5));
        uint8_t *s = draw_syndromes(&m);

        m.d.osd = (enum ldpc_osd)(round % 4);
        m.d.order = m.d.osd > LDPC_OSD_0 ? 1 + draw(6) : 0;
        draw_legs(&m.d, round + 2); /* legs first: a sanitizer has few rounds */
        m.d.rule = round % 5 < 2 ? LDPC_SYNDROME_SUM_PRODUCT : LDPC_SYNDROME_MIN_SUM;
        compare(&m, kernel, s, &count);
        free(s);
        clear(&m);
    }
    is_int(count.wrong, 0, "%s, %s: of %u matrices, each with %d syndromes, all as ref",
           kernel->name, what, count.matrices, SHOTS);
    ok(count.failed > count.matrices && count.late > 2 * count.matrices,
       "... %u of no error, %u left by belief propagation", count.failed, count.late);
    ok(count.relayed > count.matrices, "... %u had another leg", count.relayed);
}

int main(void)
{
    for (uint32_t isa = FECRUN_ISA_GENERIC; isa <= FECRUN_ISA_AVX512; isa++) {
        const struct ldpc_syndrome_kernel *kernel = ldpc_syndrome_kernel(isa);

        if (!kernel) {
            skip(6, "%s: not in this build or on this machine", fecrun_isa_names[isa]);
            continue;
        }
        try_sizes(kernel, 40, 160, "small matrices");
        try_sizes(kernel, 2200, 12, "one to five blocks of rows");
    }
    return done_testing();
}
