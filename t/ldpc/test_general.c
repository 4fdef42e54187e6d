/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The kernels of ldpc.decode's backend cuda-general, run on the host by cuda_emulate.h, against a
 * plain decoder that rounds each operation: random codes, with edges that lanes lack, lanes that
 * share bits, rows of any weight, permuted words; NR of all kinds; batches of equal frames and of
 * several classes; all homes of memory, both arithmetics, all types. Bits, LLRs, verdicts and iterations
 * must be the same, and what is no output must stay as it is.
 *
 * FECRUN_TEST_SEED and FECRUN_TEST_ROUNDS as in test_core.c.
 */

/* Its longjmp() takes a jump to another stack for an attack. */
#undef _FORTIFY_SOURCE

#include "t/viterbi/viterbi.h"

#if !defined(__GLIBC__) || defined(__SANITIZE_THREAD__) || !defined(__FLT16_MANT_DIG__)

int main(void)
{
    skip_all("the emulation needs makecontext() of glibc, _Float16 and no thread sanitizer");
}

#else

#include "t/lib/cuda_emulate.h"

#include <math.h>

#include "core/sdk/params.h"
#include "plugins/ldpc/code/build.h"
#include "plugins/ldpc/cuda/general/block.h"
#include "t/ldpc/matrices.h"

enum { UNTOUCHED = 0xa5, MOST_CLASSES = 4, MOST_FRAMES = 24 };

static struct fecrun_error error = {.size = sizeof error};

static struct ldpc_code *need(struct ldpc_code *code)
{
    if (!code)
        bail("no code: %s", error.text);
    return code;
}

/* ---- What is decoded ---- */

struct trial {
    struct ldpc_general_config config;
    bool nr, ragged;
    uint32_t n_classes, in_type, out_type;
    struct ldpc_decode code[MOST_CLASSES];
    struct ldpc_general_tables tables[MOST_CLASSES];
    struct ldpc_general_class class[MOST_CLASSES];
    struct ldpc_general_shape shape;
    uint32_t frames, frame_class[MOST_FRAMES];
    uint64_t in_at[MOST_FRAMES + 1], out_at[MOST_FRAMES + 1]; /* bytes */
    bool reads[2];                                            /* LLRs of the bits, of the word */
    uint64_t soft_at[2][MOST_FRAMES + 1];
    uint8_t *in, *out, *want, *soft[2], *want_soft[2];
    struct fecrun_frame_info info[MOST_FRAMES], want_info[MOST_FRAMES];
};

static struct ldpc_code *any_other_code(void)
{
    const bool alist = one_in(3), twins = !alist && one_in(3);
    const uint32_t z = alist ? 1 : 1 + draw(one_in(4) ? 700 : 80);
    const uint32_t rows = alist ? 1 + draw(90) : 1 + draw(z > 200 ? 3 : 8);
    const uint32_t cols = rows + 2 + draw(alist || one_in(3) ? 40 : 12);
    const struct ldpc_code fixed = {.family = LDPC_QC,
                                    .z = z,
                                    .rows = rows,
                                    .cols = cols,
                                    .core_rows = rows,
                                    .n = cols * z,
                                    .k = 1 + draw(cols * z)};
    struct ldpc_entry *entry = get(rows * cols * sizeof *entry);
    struct ldpc_code *code;
    size_t n = 0;

    for (uint32_t r = 0; r < rows; r++) {
        const uint32_t weight = 1 + draw(one_in(3) ? cols : cols < 12 ? cols : 12);

        for (uint32_t e = 0; e < weight; e++) {
            const uint32_t col = draw(cols), shift = draw(z);

            if (has_entry(entry, n, r, col, shift, twins))
                continue;
            entry[n++] = (struct ldpc_entry){
                r, {col, shift, z > 1 && one_in(9) ? draw(z) : LDPC_NO_LANE}};
        }
    }
    code = need(ldpc_code_build(&fixed, entry, n, &error));
    free(entry);
    if (one_in(2))
        permute(code, draw(code->cols * code->z / 4 + 1));
    return code;
}

static struct ldpc_code *any_nr_code(struct ldpc_decode *d)
{
    const uint32_t bg = 1 + draw(2), most_z = one_in(3) ? 384 : 120;
    uint32_t z = 2 + draw(14);
    struct ldpc_code *code;

    while (2 * z <= most_z && !one_in(4))
        z *= 2;
    code = ldpc_code_nr(bg, z, draw(bg == 1 ? 5 * z : 3 * z), &error);
    need(code);
    d->rows = 4 + draw(one_in(2) ? 8 : code->rows - 3);
    return code;
}

static void choose_code(struct ldpc_decode *d, bool nr)
{
    memset(d, 0, sizeof *d);
    d->code = nr ? any_nr_code(d) : any_other_code();
    d->rows = nr ? d->rows : d->code->rows;
    d->reverse = one_in(2);
    d->iterations = 1 + draw(6);
    d->early_stop = !one_in(3);
    d->algorithm = one_in(3) ? LDPC_OMS : LDPC_NMS;
    d->alpha = 0.5 + draw(513) / 1024.;
    d->rise = one_in(2) ? 0 : (1 - d->alpha) * draw(9) / 8.;
    d->beta = draw(64) / 16.;
    d->llr_scale = 1 + draw(3);
    d->bits = d->code->k - d->code->fillers;
    d->schedule = ldpc_schedule_new(d->code, d->rows, d->reverse, &error);
    if (!d->schedule)
        bail("no schedule: %s", error.text);
}

static void choose_config(struct ldpc_general_config *c, const struct trial *t)
{
    memset(c, 0, sizeof *c);
    c->threads = one_in(2) ? 0 : 32 * (1 + draw(12));
    c->threshold = draw(LDPC_GENERAL_MOST_PLAIN + 1);
    c->blocks = one_in(2) ? 0 : 1 + draw(8);
    c->arithmetic = t->in_type == FECRUN_I8 && one_in(2) ? LDPC_GENERAL_I16 : LDPC_GENERAL_HALF;
    c->home = one_in(3) ? LDPC_GENERAL_GLOBAL : LDPC_GENERAL_AUTO;
    c->limits.processors = 1 + draw(8);
    c->limits.shared = 228 << 10;
    c->limits.shared_block = !t->nr && one_in(4) ? 64 + draw(2000) : 227 << 10; /* some are far */
    c->limits.shared = c->limits.shared_block + 1024;
}

/* ---- A plain decoder ---- */

struct plain {
    const struct ldpc_decode *d;
    bool i16;
    double alpha;                    /* of the iteration */
    double most, *channel, *llr, *r; /* r: of each edge and lane */
};

static double rounded(const struct plain *p, double x)
{
    return p->i16 ? x : (double)(_Float16)x;
}

static double limited(const struct plain *p, double x)
{
    return x > p->most ? p->most : x < -p->most ? -p->most : x;
}

/* Of fixed point: eighths. */
static double check_message(const struct plain *p, double minimum)
{
    const struct ldpc_decode *d = p->d;
    const double beta = d->beta * d->llr_scale;
    double x;

    if (d->algorithm == LDPC_OMS) {
        x = rounded(p, minimum - (p->i16 ? floor(8 * beta + 0.5) : (double)(_Float16)beta));
        return x > 0 ? x : 0;
    }
    if (p->i16)
        return limited(p, floor((minimum * floor(p->alpha * 32768 + 0.5) + 16384) / 32768));
    return limited(p, rounded(p, minimum * (double)(_Float16)p->alpha));
}

static uint32_t column(const struct ldpc_code *c, uint32_t e, uint32_t lane)
{
    return c->edge[e].col * c->z + (c->edge[e].shift + lane) % c->z;
}

/* NR's column of degree 1: what it brings does not change. */
static bool fixed_column(const struct plain *p, uint32_t row, uint32_t e)
{
    const struct ldpc_code *c = p->d->code;

    return c->family == LDPC_NR && row >= c->core_rows && e + 1 == c->row_first[row + 1];
}

static void plain_row(const struct plain *p, uint32_t row, uint32_t lane)
{
    const struct ldpc_code *c = p->d->code;
    const uint32_t first = c->row_first[row], end = c->row_first[row + 1];
    double q[200];

    for (uint32_t e = first; e < end; e++)
        q[e - first] = fixed_column(p, row, e)
                           ? p->channel[column(c, e, lane)]
                           : rounded(p, p->llr[column(c, e, lane)] - p->r[e * c->z + lane]);
    for (uint32_t e = first; e < end; e++) {
        double minimum = p->most, sign = 1;

        for (uint32_t k = first; k < end; k++) {
            if (k == e || c->edge[k].skip == lane)
                continue;
            minimum = fmin(minimum, fabs(q[k - first]));
            sign *= q[k - first] < 0 ? -1 : 1;
        }
        if (c->edge[e].skip == lane)
            continue;
        p->r[e * c->z + lane] = sign * check_message(p, minimum);
        p->llr[column(c, e, lane)] = limited(p, rounded(p, q[e - first] + p->r[e * c->z + lane]));
    }
}

static bool plain_converged(const struct plain *p)
{
    const struct ldpc_code *c = p->d->code;

    for (uint32_t i = 0; i < p->d->rows * c->z; i++) {
        bool odd = false;

        for (uint32_t e = c->row_first[i / c->z]; e < c->row_first[i / c->z + 1]; e++)
            if (c->edge[e].skip != i % c->z)
                odd ^= p->llr[column(c, e, i % c->z)] < 0;
        if (odd)
            return false;
    }
    return true;
}

static bool plain_known(const struct plain *p)
{
    bool known = false;

    for (uint32_t b = 0; b < p->d->bits; b++)
        known |= p->llr[ldpc_info(p->d->code, b)] != 0;
    return known;
}

static double plain_input(const struct trial *t, const uint8_t *in, uint32_t i)
{
    double x;

    if (t->in_type == FECRUN_I8) {
        x = ((const int8_t *)in)[i] == -128 ? -127 : ((const int8_t *)in)[i];
        return t->config.arithmetic == LDPC_GENERAL_I16 ? 8 * x : x;
    }
    if (t->in_type == FECRUN_F16) {
        _Float16 half;

        memcpy(&half, in + 2 * i, 2);
        x = half;
    } else {
        float whole;

        memcpy(&whole, in + 4 * i, 4);
        x = whole;
    }
    return isnan(x) ? 0 : x > 32752 ? 32752 : x < -32752 ? -32752 : (double)(_Float16)x;
}

static void plain_bits(const struct trial *t, const struct plain *p, uint8_t *out)
{
    for (uint32_t b = 0; b < p->d->bits; b++) {
        const bool one = p->llr[ldpc_info(p->d->code, b)] < 0;

        if (t->out_type == FECRUN_U8)
            out[b] = one;
        else
            out[b / 8] = (uint8_t)((b % 8 ? out[b / 8] : 0) | one << (7 - b % 8));
    }
}

/* The kernels have no -0. */
static float plain_llr(const struct plain *p, uint32_t column)
{
    return (float)(p->i16 ? p->llr[column] / 8 : p->llr[column]) + 0.0f;
}

static void plain_soft(const struct trial *t, const struct plain *p, uint32_t f)
{
    const struct ldpc_code *c = p->d->code;
    float *llr = (float *)(void *)(t->want_soft[0] + t->soft_at[0][f]);
    float *word = (float *)(void *)(t->want_soft[1] + t->soft_at[1][f]);

    for (uint32_t b = 0; t->reads[0] && b < p->d->bits; b++)
        llr[b] = plain_llr(p, ldpc_info(c, b));
    for (uint32_t i = 0; t->reads[1] && i < c->n; i++)
        word[i] = plain_llr(p, ldpc_place(c, i));
    for (uint32_t i = 0; t->reads[1] && i < c->fillers; i++)
        word[ldpc_filler_item(c) + i] = FECRUN_LLR_MAX_F32;
}

static void plain_decode(const struct trial *t, uint32_t f)
{
    const struct ldpc_decode *d = &t->code[t->frame_class[f]];
    const struct ldpc_code *c = d->code;
    const size_t lifted = c->cols * c->z;
    struct plain p = {.d = d, .i16 = t->config.arithmetic == LDPC_GENERAL_I16};
    struct fecrun_frame_info *info = (void *)&t->want_info[f];
    bool good = false;

    p.most = p.i16 ? LDPC_GENERAL_I16_MOST : 32752;
    p.channel = calloc(lifted, sizeof *p.channel);
    p.llr = calloc(lifted, sizeof *p.llr);
    p.r = calloc((size_t)ldpc_edges(c) * c->z, sizeof *p.r);
    for (uint32_t i = 0; i < c->n; i++)
        p.channel[ldpc_place(c, i)] = plain_input(t, t->in + t->in_at[f], i);
    for (uint32_t b = (uint32_t)d->bits; b < c->k; b++)
        p.channel[ldpc_info(c, b)] = p.most;
    memcpy(p.llr, p.channel, lifted * sizeof *p.llr);
    info->iterations = 0;
    do {
        p.alpha = info->iterations ? d->alpha + d->rise * info->iterations / (d->iterations - 1)
                                   : d->alpha;
        for (uint32_t i = 0; i < d->schedule->n_rows; i++)
            plain_row(&p, d->schedule->row[i] / c->z, d->schedule->row[i] % c->z);
        info->iterations++;
        good = plain_converged(&p);
    } while (!(good && d->early_stop) && info->iterations < d->iterations);
    info->flags = (info->flags & ~(uint32_t)FECRUN_FRAME_FAILED) | FECRUN_FRAME_CHECKED |
                  (good && plain_known(&p) ? 0 : FECRUN_FRAME_FAILED);
    plain_bits(t, &p, t->want + t->out_at[f]);
    plain_soft(t, &p, f);
    free(p.channel);
    free(p.llr);
    free(p.r);
}

/* ---- Input ---- */

/* Of the codeword of zeros, or of none. */
static double any_llr(unsigned kind)
{
    switch (kind) {
    case 0:
        return (int)draw(255) - 127;
    case 1:
        return (int)draw(3) - 1;
    case 2:
        return one_in(2) ? -127 : 127;
    case 3:
        return (int)draw(60) - 8;
    case 4:
        return 0;
    default:
        return (int)draw(127) - 22;
    }
}

static void put_llr(const struct trial *t, uint8_t *in, uint32_t i, double x)
{
    const _Float16 half = (_Float16)(one_in(99) ? (one_in(2) ? NAN : -INFINITY) : x / 4);
    const float whole = (float)(one_in(99) ? (one_in(3) ? -0.0 : one_in(2) ? 1e30 : -1e-9) : x / 7);

    if (t->in_type == FECRUN_I8)
        ((int8_t *)in)[i] = (int8_t)(x == -127 && one_in(2) ? -128 : x);
    else if (t->in_type == FECRUN_F16)
        memcpy(in + 2 * i, &half, 2);
    else
        memcpy(in + 4 * i, &whole, 4);
}

/* Equal frames have gaps between them. */
static void choose_frames(struct trial *t, size_t budget)
{
    const uint32_t most = 1 + draw(MOST_FRAMES), in_gap = t->ragged ? 0 : 8 * draw(2);
    size_t cost = 0;

    for (t->frames = 0; t->frames < most && cost < budget; t->frames++) {
        const uint32_t class = draw(t->n_classes), f = t->frames;
        const struct ldpc_decode *d = &t->code[class];

        cost += (size_t)ldpc_edges(d->code) * d->code->z * d->iterations;
        t->frame_class[f] = class;
        t->in_at[f + 1] = t->in_at[f] + fecrun_bytes(t->in_type, d->code->n) + in_gap;
        t->out_at[f + 1] = t->out_at[f] + fecrun_bytes(t->out_type, d->bits) + !t->ragged;
        t->soft_at[0][f + 1] = t->soft_at[0][f] + 4 * (d->bits + !t->ragged);
        t->soft_at[1][f + 1] = t->soft_at[1][f] + 4 * ((uint64_t)d->code->n + !t->ragged);
    }
}

static void fill(struct trial *t)
{
    t->in = get_scratch(t->in_at[t->frames] + 8);
    t->out = get(t->out_at[t->frames] + 1);
    t->want = get(t->out_at[t->frames] + 1);
    memset(t->out, UNTOUCHED, t->out_at[t->frames] + 1);
    memset(t->want, UNTOUCHED, t->out_at[t->frames] + 1);
    for (unsigned p = 0; p < 2; p++) {
        const size_t bytes = t->soft_at[p][t->frames] + 4;

        t->reads[p] = one_in(2);
        t->soft[p] = get(bytes);
        t->want_soft[p] = get(bytes);
        memset(t->soft[p], UNTOUCHED, bytes);
        memset(t->want_soft[p], UNTOUCHED, bytes);
    }
    for (uint32_t f = 0; f < t->frames; f++) {
        const unsigned kind = draw(6);

        for (uint32_t i = 0; i < t->code[t->frame_class[f]].code->n; i++)
            put_llr(t, t->in + t->in_at[f], i, any_llr(kind));
        t->info[f] = (struct fecrun_frame_info){.flags = draw(8), .bit_errors = draw(9)};
        t->want_info[f] = t->info[f];
    }
}

/* ---- The kernels ---- */

struct launch {
    struct ldpc_general_work work;
    unsigned mode;
    enum ldpc_general_home home;
    uint32_t *shared;
};

static void one_thread(void *arg)
{
    struct launch *l = arg;

    decode_bins(l->mode, l->home, &l->work, l->shared);
}

static void emulate(struct trial *t, struct launch *l)
{
    const struct ldpc_general_shape *s = &t->shape;
    const uint32_t blocks = s->far && l->work.bins > s->limit ? s->limit : l->work.bins;

    l->mode = (t->nr ? MODE_NR : 0) | (t->config.arithmetic == LDPC_GENERAL_I16 ? MODE_I16 : 0) |
              (t->reads[0] || t->reads[1] || one_in(9) ? MODE_SOFT : 0);
    l->home = s->home;
    l->work.scratch_words = s->far;
    l->work.scratch = get_scratch((size_t)s->far * blocks * 4);
    gridDim.x = blocks;
    for (blockIdx.x = 0; blockIdx.x < blocks; blockIdx.x++) {
        l->shared = get_scratch((size_t)s->near * 4);
        emu_block(one_thread, l, s->threads, draw(4 * s->threads));
        free(l->shared);
    }
    free(l->work.scratch);
}

static void run_kernels(struct trial *t)
{
    struct launch l = {.work = {.in = t->in,
                                .out = t->out,
                                .info = t->info,
                                .classes = t->class,
                                .in_type = t->in_type,
                                .out_type = t->out_type,
                                .frames = t->frames}};
    struct ldpc_general_frame frame[MOST_FRAMES];
    struct ldpc_general_place place = {0};
    uint32_t bin[MOST_FRAMES + 1];

    for (unsigned p = 0; p < 2; p++) {
        l.work.soft[p] = t->reads[p] ? t->soft[p] : NULL;
        l.work.soft_stride[p] = t->ragged ? 0 : t->soft_at[p][1];
    }
    if (!t->ragged) {
        l.work.in_stride = t->in_at[1];
        l.work.out_stride = t->out_at[1];
        l.work.blocks = t->shape.blocks;
        l.work.near = ldpc_general_near(t->class, t->shape.home);
        l.work.far = ldpc_general_far(t->class, t->shape.home);
        l.work.bins = (t->frames + t->shape.blocks - 1) / t->shape.blocks;
        emulate(t, &l);
        return;
    }
    for (uint32_t f = 0; f < t->frames; f++) {
        frame[f] = (struct ldpc_general_frame){.in = t->in_at[f],
                                               .out = t->out_at[f],
                                               .soft = {t->soft_at[0][f], t->soft_at[1][f]},
                                               .class_number = t->frame_class[f]};
        if (ldpc_general_pack(&place, &frame[f], &t->class[t->frame_class[f]], &t -> shape))
            bin[l.work.bins++] = f;
    }
    bin[l.work.bins] = t->frames + draw(2) * 5; /* frames of longer batches are left alone */
    l.work.frame = frame;
    l.work.bin = bin;
    emulate(t, &l);
}

/* ---- Trials ---- */

static void make_class(struct trial *t, uint32_t i)
{
    struct ldpc_general_class *c = &t->class[i];

    if (ldpc_general_class_make(c, &t->tables[i], &t->code[i], &t->config, &error))
        bail("no class: %s", error.text);
    c->edge = t->tables[i].edge;
    c->row = t->tables[i].row;
    c->layer = t->tables[i].layer;
    c->list = t->tables[i].list;
    c->place = t->code[i].code->place;
    c->info = t->code[i].code->info;
}

static void close_trial(struct trial *t)
{
    for (uint32_t i = 0; i < t->n_classes; i++) {
        ldpc_general_tables_free(&t->tables[i]);
        ldpc_schedule_free(t->code[i].schedule);
        ldpc_code_free(t->code[i].code);
    }
    free(t->in);
    free(t->out);
    free(t->want);
    for (unsigned p = 0; p < 2; p++) {
        free(t->soft[p]);
        free(t->want_soft[p]);
    }
}

/* First frame whose LLRs are not those of the plain decoder, or `frames`: none. */
static uint32_t other_llrs(const struct trial *t, unsigned p)
{
    uint32_t f = 0;

    while (f < t->frames &&
           !memcmp(t->soft[p] + t->soft_at[p][f], t->want_soft[p] + t->soft_at[p][f],
                   t->soft_at[p][f + 1] - t->soft_at[p][f]))
        f++;
    return f;
}

static bool same(const struct trial *t)
{
    bool good = true;

    for (uint32_t f = 0; f < t->frames && good; f++) {
        const struct ldpc_code *c = t->code[t->frame_class[f]].code;

        good = !memcmp(&t->info[f], &t->want_info[f], sizeof t->info[f]) &&
               !memcmp(t->out + t->out_at[f], t->want + t->out_at[f],
                       t->out_at[f + 1] - t->out_at[f]);
        if (!good)
            diag("frame %u of %u, class %u, z %u, family %d: iterations %u and %u, flags %u and %u",
                 f, t->frames, t->frame_class[f], c->z, (int)c->family, t->info[f].iterations,
                 t->want_info[f].iterations, t->info[f].flags, t->want_info[f].flags);
    }
    for (unsigned p = 0; p < 2 && good; p++) {
        const uint32_t f = other_llrs(t, p);

        good = f == t->frames && !memcmp(t->soft[p] + t->soft_at[p][f], "\xa5\xa5\xa5\xa5", 4);
        if (!good)
            diag("frame %u of %u: other LLRs of the %s", f, t->frames, p ? "word" : "bits");
    }
    return good && t->out[t->out_at[t->frames]] == UNTOUCHED;
}

/* What happened in all trials. */
static struct {
    unsigned frames, good, early, homes[LDPC_GENERAL_FAR + 1], shared_bins, soft[2];
} seen;

static bool one_trial(bool nr)
{
    struct trial t;
    bool good;

    memset(&t, 0, sizeof t);
    t.nr = nr;
    t.ragged = one_in(2);
    t.n_classes = t.ragged ? 2 + draw(MOST_CLASSES - 1) : 1;
    t.in_type = (uint32_t[]){FECRUN_I8, FECRUN_I8, FECRUN_F16, FECRUN_F32}[draw(4)];
    t.out_type = one_in(3) ? FECRUN_U8 : FECRUN_PACKED;
    choose_config(&t.config, &t);
    for (uint32_t i = 0; i < t.n_classes; i++) {
        choose_code(&t.code[i], nr);
        make_class(&t, i);
    }
    choose_frames(&t, 300000);
    if (ldpc_general_shape_make(&t.shape, t.class, t.n_classes, nr, &t.config, t.frames, &error))
        bail("no shape: %s", error.text);
    fill(&t);
    for (uint32_t f = 0; f < t.frames; f++)
        plain_decode(&t, f);
    run_kernels(&t);
    good = same(&t);
    seen.homes[t.shape.home]++;
    seen.shared_bins += t.shape.blocks > 1;
    for (unsigned p = 0; p < 2; p++)
        seen.soft[p] += t.reads[p];
    for (uint32_t f = 0; f < t.frames; f++) {
        const bool failed = t.want_info[f].flags & FECRUN_FRAME_FAILED;

        seen.frames++;
        seen.good += !failed;
        seen.early += t.want_info[f].iterations < t.code[t.frame_class[f]].iterations;
    }
    if (!good)
        diag("%s, %s, %u threads, %u blocks, home %d, threshold %u, arithmetic %d, types %u, %u",
             nr ? "NR" : "other", t.ragged ? "ragged" : "equal", t.shape.threads, t.shape.blocks,
             (int)t.shape.home, t.config.threshold, (int)t.config.arithmetic, t.in_type,
             t.out_type);
    close_trial(&t);
    return good;
}

static void test_trials(bool nr, uint64_t seed, uint64_t n)
{
    unsigned wrong = 0;

    memset(&seen, 0, sizeof seen);
    for (uint64_t i = 0; i < n && wrong < 4; i++) {
        seed_rng(seed + i);
        if (!one_trial(nr)) {
            wrong++;
            diag("seed %llu", (unsigned long long)(seed + i));
        }
    }
    ok(!wrong,
       "%s: bits, LLRs, verdicts and iterations of a plain decoder (%u frames, %u converge, %u "
       "early)",
       nr ? "NR" : "other codes", seen.frames, seen.good, seen.early);
    ok(seen.homes[LDPC_GENERAL_SHARED] && seen.homes[LDPC_GENERAL_GLOBAL] &&
           (nr || seen.homes[LDPC_GENERAL_FAR]) && seen.shared_bins && seen.good && seen.early &&
           seen.soft[0] && seen.soft[1] && seen.good < seen.frames,
       "all homes (%u, %u, %u), several code blocks a thread block (%u)",
       seen.homes[LDPC_GENERAL_SHARED], seen.homes[LDPC_GENERAL_GLOBAL],
       seen.homes[LDPC_GENERAL_FAR], seen.shared_bins);
}

/* ---- Constant memory, plans ---- */

static unsigned wrong_addresses(uint32_t bg, uint32_t z)
{
    struct ldpc_code *code = need(ldpc_code_nr(bg, z, 0, &error));
    struct ldpc_decode d = {.code = code, .rows = code->rows, .alpha = 1, .iterations = 1};
    const struct ldpc_general_config config = {.threshold = 4};
    struct ldpc_general_tables tables;
    struct ldpc_general_class c;
    unsigned wrong = 0;
    struct group g;

    if (ldpc_general_class_make(&c, &tables, &d, &config, &error))
        bail("no class: %s", error.text);
    take_class(&g, &c);
    for (uint32_t r = 0; r < code->rows; r++) {
        const struct layer layer = find_layer(MODE_NR, &g, r);
        const struct row row = find_row(MODE_NR, &g, &layer, 0);
        const uint32_t first = code->row_first[r], n = code->row_first[r + 1] - first;

        wrong += row.weight != n - (r >= 4) || layer.extension != (r >= 4);
        wrong += row.weight > 10 && row.weight != 19; /* kernels rely on it */
        for (uint32_t e = 0; e < n; e++)
            for (uint32_t lane = 0; lane < z; lane++) {
                bool absent;

                wrong += find_llr(MODE_NR, &g, row.edge + e, lane, &absent) !=
                             column(code, first + e, lane) ||
                         absent;
            }
    }
    ldpc_code_free(code);
    return wrong;
}

static void test_graphs(void)
{
    unsigned wrong = 0, tested = 0;

    if (ldpc_general_graphs_make(&graphs, &error))
        bail("no graphs: %s", error.text);
    for (uint32_t base = 2; base < 16; base++)
        for (uint32_t z = base; z <= 384; z *= 2)
            if (base % 2 || base == 2) {
                wrong += wrong_addresses(1, z) + wrong_addresses(2, z);
                tested++;
            }
    is_int(tested, 51, "values of z");
    is_int(wrong, 0, "addresses out of constant memory");
}

/* Where code blocks of these z go. */
static void pack_all(const uint32_t *z, size_t n, const struct ldpc_general_shape *shape,
                     char *text, size_t size)
{
    struct ldpc_general_place place = {0};
    size_t used = 0;

    for (size_t i = 0; i < n; i++) {
        const struct ldpc_general_class c = {
            .z = z[i], .threads = (z[i] + 31) / 32 * 32, .llr_words = z[i]};
        struct ldpc_general_frame frame;

        ldpc_general_pack(&place, &frame, &c, shape);
        used += (size_t)snprintf(text + used, size - used, "%u:%u ", place.bin, frame.thread);
    }
}

static void test_packing(void)
{
    static const uint32_t z[] = {64, 80, 56, 208, 384, 32, 2, 352};
    const struct ldpc_general_shape few = {
        .home = LDPC_GENERAL_SHARED, .threads = 384, .blocks = 24, .near = 1000};
    const struct ldpc_general_shape more = {
        .home = LDPC_GENERAL_SHARED, .threads = 448, .blocks = 24, .near = 1000};
    const struct ldpc_general_shape memory = {
        .home = LDPC_GENERAL_SHARED, .threads = 768, .blocks = 24, .near = 200};
    const struct ldpc_general_shape single = {
        .home = LDPC_GENERAL_SHARED, .threads = 768, .blocks = 1, .near = 1000};
    char text[200];

    pack_all(z, 8, &few, text, sizeof text);
    is_str(text, "0:0 0:64 0:160 1:0 2:0 3:0 3:32 4:0 ", "384 threads");
    pack_all(z, 4, &more, text, sizeof text);
    is_str(text, "0:0 0:64 0:160 0:224 ", "the document's four need 448");
    pack_all(z, 4, &memory, text, sizeof text);
    is_str(text, "0:0 0:64 0:160 1:0 ", "as memory allows");
    pack_all(z, 4, &single, text, sizeof text);
    is_str(text, "0:0 1:0 2:0 3:0 ", "one each");
}

static void test_refusals(void)
{
    struct ldpc_general_config config = {.threads = 100, .limits = {132, 228 << 10, 227 << 10}};
    const struct ldpc_general_class c = {
        .z = 384, .threads = 384, .llr_words = 13056, .message_words = 80000};
    struct ldpc_general_shape shape;
    struct fecrun_error err = {.size = sizeof err};

    ok(ldpc_general_shape_make(&shape, &c, 1, true, &config, 1, &err) == -1, "100 threads");
    is_str(err.param, "threads", "the option at fault");
    memset(err.text, 0, sizeof err.text);
    config.threads = 0;
    config.home = LDPC_GENERAL_SHARED;
    ok(ldpc_general_shape_make(&shape, &c, 1, true, &config, 1, &err) == -1, "messages do not fit");
    is_str(err.param, "messages", "the option at fault");
    config.home = LDPC_GENERAL_AUTO;
    ok(!ldpc_general_shape_make(&shape, &c, 1, true, &config, 1, &err) &&
           shape.home == LDPC_GENERAL_GLOBAL && shape.far == 80000,
       "then they go to global memory");
}

int main(void)
{
    const uint64_t seed = number_of_env("FECRUN_TEST_SEED", 1);

    test_graphs();
    test_packing();
    test_refusals();
    test_trials(true, seed, rounds(60));
    test_trials(false, seed, rounds(150));
    return done_testing();
}

#endif
