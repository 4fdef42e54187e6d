/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The kernels in shared memory of ldpc.decode's backend `cuda`, run on the host from the sources that
 * the plugin writes for NVRTC, against a plain decoder that rounds as they do: bits, verdicts and
 * iterations must be the same.
 */
#include "t/ldpc/codes.h"

#if !defined(__GLIBC__) || defined(__SANITIZE_THREAD__) || !defined(__FLT16_MANT_DIG__)

int main(void)
{
    skip_all("the emulation needs makecontext() of glibc, _Float16 and no thread sanitizer");
}

#else

#include <math.h>

#include "plugins/ldpc/cuda/soft.h"
#include "t/ldpc/shared_codes.h"
#include "t/ldpc/shared_machine.h"

enum { UNTOUCHED = 0xa5, MOST_FRAMES = 70, MOST_EDGES = 32 };

struct trial {
    const struct shared_trial *what;
    int number;
    struct ldpc_decode d;
    struct ldpc_shared_plan plan;
    uint32_t frames;
    uint64_t in_stride, out_stride;
    uint8_t *in, *out, *want;
    float *soft[LDPC_SOFT_PORTS], *want_soft[LDPC_SOFT_PORTS]; /* NULL: not asked for */
    uint64_t soft_stride[LDPC_SOFT_PORTS];                     /* floats */
    struct fecrun_frame_info info[MOST_FRAMES], want_info[MOST_FRAMES];
};

static bool one_in(uint32_t n)
{
    return draw(n) == 0;
}

/* ---- A plain decoder ---- */

struct plain {
    const struct trial *t;
    double alpha, before, beta; /* factors of this iteration and of the one before */
    double *channel, *llr, *next;
    double *r; /* of each edge and lane: as it is read back */
    bool odd;  /* some check did not hold at its turn */
};

static double half(double x)
{
    return (double)(_Float16)x;
}

/* The upper 8 of its 16 bits. */
static double cut(double x)
{
    _Float16 h = (_Float16)x;
    uint16_t bits;

    memcpy(&bits, &h, sizeof bits);
    bits &= 0xff00;
    memcpy(&h, &bits, sizeof h);
    return (double)h;
}

static uint32_t column(const struct ldpc_code *c, uint32_t e, uint32_t lane)
{
    return c->edge[e].col * c->z + (lane + c->edge[e].shift) % c->z;
}

static double message(const struct plain *p, const double *q, uint32_t n, uint32_t which)
{
    double least = 512, r;
    bool negative = false;

    for (uint32_t i = 0; i < n; i++)
        if (i != which) {
            least = fmin(least, fabs(q[i]));
            negative ^= signbit(q[i]) != 0;
        }
    r = negative ? -least : least;
    if (p->t->d.algorithm == LDPC_OMS)
        r = half(r - copysign(fmin(least, p->beta), r));
    return cut(r);
}

static void plain_row(struct plain *p, uint32_t row, uint32_t lane)
{
    const struct ldpc_code *c = p->t->d.code;
    const uint32_t first = c->row_first[row], n = c->row_first[row + 1] - first;
    double q[MOST_EDGES];
    bool odd = false;

    for (uint32_t i = 0; i < n; i++)
        q[i] = c->edge[first + i].skip == lane ? 1024
                                               : half(p->llr[column(c, first + i, lane)] -
                                                      p->before * p->r[(first + i) * c->z + lane]);
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t v = column(c, first + i, lane);
        double *r = &p->r[(first + i) * c->z + lane];

        if (c->edge[first + i].skip == lane)
            continue;
        *r = message(p, q, n, i);
        if (p->t->d.rule == LDPC_FLOODING)
            p->next[v] = half(p->next[v] + p->alpha * *r);
        else
            p->llr[v] = half(q[i] + p->alpha * *r);
        odd ^= signbit(p->llr[v]) != 0;
    }
    p->odd |= odd;
}

static bool plain_holds(const struct plain *p)
{
    const struct ldpc_code *c = p->t->d.code;

    for (uint32_t i = 0; i < p->t->d.rows * c->z; i++) {
        const uint32_t row = i / c->z, lane = i % c->z;
        bool odd = false;

        for (uint32_t e = c->row_first[row]; e < c->row_first[row + 1]; e++)
            if (c->edge[e].skip != lane)
                odd ^= signbit(p->llr[column(c, e, lane)]) != 0;
        if (odd)
            return false;
    }
    return true;
}

static float plain_input(const struct trial *t, uint32_t f, uint32_t i)
{
    const uint8_t *in = t->in + f * t->in_stride;
    _Float16 h;
    float x;

    if (t->what->in_type == FECRUN_I8)
        return fmaxf(((const int8_t *)in)[i], -127);
    if (t->what->in_type == FECRUN_F16) {
        memcpy(&h, in + 2 * i, sizeof h);
        x = (float)h;
    } else {
        memcpy(&x, in + 4 * i, sizeof x);
    }
    return isnan(x) ? 0 : fmaxf(fminf(x, FECRUN_LLR_MAX_F32), -FECRUN_LLR_MAX_F32);
}

static uint32_t sent(const struct trial *t)
{
    const uint32_t most = t->plan.form.columns - t->d.code->punctured;

    return most < t->d.code->n ? most : t->d.code->n;
}

static double *zeros(size_t n)
{
    double *x = get(n * sizeof *x);

    memset(x, 0, n * sizeof *x);
    return x;
}

/* The largest LLR comes to 64 and more, below 128. */
static double scale_of(const struct trial *t, uint32_t f)
{
    float most = 0;
    int exponent;

    if (t->what->in_type == FECRUN_I8)
        return 1;
    for (uint32_t i = 0; i < sent(t); i++)
        most = fmaxf(most, fabsf(plain_input(t, f, i)));
    frexp(most, &exponent);
    return most > 0 ? ldexp(1, 7 - exponent) : 0;
}

static void plain_load(struct plain *p, uint32_t f)
{
    const struct ldpc_code *c = p->t->d.code;
    const double scale = scale_of(p->t, f);

    for (uint32_t i = 0; i < sent(p->t); i++)
        p->channel[ldpc_place(c, i)] = half((float)(scale * plain_input(p->t, f, i)) + 0.0f);
    for (uint32_t b = (uint32_t)p->t->d.bits; b < c->k; b++)
        p->channel[ldpc_info(c, b)] = 1024;
    memcpy(p->llr, p->channel, c->cols * c->z * sizeof *p->llr);
    p->beta = half(fminf((float)(p->t->d.beta * p->t->d.llr_scale) * (float)scale, 128));
}

static double factor(const struct ldpc_decode *d, uint32_t i)
{
    return half(35. / 32 * (d->algorithm == LDPC_OMS ? 1 : ldpc_alpha(d, i)));
}

/* Rows of a step, which may be those of a part. */
static void plain_step(struct plain *p, const struct ldpc_shared_step *step)
{
    const struct ldpc_code *c = p->t->d.code;
    uint32_t row = 0;

    while (c->row_first[row] != step->edge)
        row++;
    for (uint32_t i = 0; i < step->rows; i++)
        plain_row(p, row,
                  step->kind & LDPC_SHARED_LISTED ? p->t->plan.table[step->lane + i]
                                                  : step->lane + i);
}

static void plain_iteration(struct plain *p, uint32_t i)
{
    const struct ldpc_decode *d = &p->t->d;
    const size_t columns = d->code->cols * d->code->z;

    p->before = p->alpha;
    p->alpha = factor(d, i);
    p->odd = false;
    memcpy(p->next, p->channel, columns * sizeof *p->next);
    for (uint32_t k = 0; p->t->plan.form.parts == 2 && k < p->t->plan.steps; k++)
        plain_step(p, &p->t->plan.step[k]);
    for (uint32_t k = 0; p->t->plan.form.parts == 1 && k < d->schedule->n_rows; k++)
        plain_row(p, d->schedule->row[k] / d->code->z, d->schedule->row[k] % d->code->z);
    if (d->rule == LDPC_FLOODING)
        memcpy(p->llr, p->next, columns * sizeof *p->llr);
}

static void plain_bits(const struct plain *p, uint32_t f)
{
    const struct trial *t = p->t;
    uint8_t *out = t->want + f * t->out_stride;

    if (t->what->out_type == FECRUN_PACKED)
        memset(out, 0, (t->d.bits + 7) / 8);
    for (uint32_t b = 0; b < t->d.bits; b++) {
        const bool one = signbit(p->llr[ldpc_info(t->d.code, b)]) != 0;

        if (t->what->out_type == FECRUN_PACKED)
            out[b / 8] |= (uint8_t)(one << (7 - b % 8));
        else
            out[b] = one;
    }
}

static uint32_t soft_items(const struct trial *t, unsigned port)
{
    return port == LDPC_SOFT_WORD ? t->d.code->n : (uint32_t)t->d.bits;
}

/* What comes out at a port: in units of the input, fillers for sure, what no row reaches as it arrived. */
static float plain_soft(const struct plain *p, uint32_t f, unsigned port, uint32_t item)
{
    const struct ldpc_code *c = p->t->d.code;
    const uint32_t v = port == LDPC_SOFT_WORD ? ldpc_place(c, item) : ldpc_info(c, item);
    const double scale = scale_of(p->t, f);
    double llr;

    if (port == LDPC_SOFT_WORD && item >= sent(p->t))
        return plain_input(p->t, f, item);
    if (v >= p->t->d.bits && v < c->k)
        return FECRUN_LLR_MAX_F32;
    llr = scale > 0 ? p->llr[v] / scale : 0;
    return (float)fmax(fmin(llr, (double)FECRUN_LLR_MAX_F32), -(double)FECRUN_LLR_MAX_F32);
}

static void plain_give_soft(const struct plain *p, uint32_t f)
{
    const struct trial *t = p->t;

    for (unsigned port = 0; port < LDPC_SOFT_PORTS; port++)
        for (uint32_t i = 0; t->want_soft[port] && i < soft_items(t, port); i++)
            t->want_soft[port][f * t->soft_stride[port] + i] = plain_soft(p, f, port, i);
}

static bool plain_known(const struct plain *p)
{
    for (uint32_t b = 0; b < p->t->d.bits; b++)
        if (p->llr[ldpc_info(p->t->d.code, b)] != 0)
            return true;
    return false;
}

static void plain_decode(struct trial *t, uint32_t f)
{
    const struct ldpc_code *c = t->d.code;
    const size_t columns = c->cols * c->z;
    struct fecrun_frame_info *info = &t->want_info[f];
    struct plain p = {.t = t};
    bool good, last;

    p.channel = zeros(columns);
    p.llr = zeros(columns);
    p.next = zeros(columns);
    p.r = zeros((size_t)ldpc_edges(c) * c->z);
    plain_load(&p, f);
    info->iterations = 0;
    do {
        plain_iteration(&p, info->iterations++);
        last = info->iterations == t->d.iterations;
        good = plain_holds(&p);
    } while (!last && !(t->d.early_stop && good && (t->d.rule == LDPC_FLOODING || !p.odd)));
    info->flags = (info->flags & ~(uint32_t)FECRUN_FRAME_FAILED) | FECRUN_FRAME_CHECKED |
                  (good && plain_known(&p) ? 0 : FECRUN_FRAME_FAILED);
    plain_bits(&p, f);
    plain_give_soft(&p, f);
    free(p.channel);
    free(p.llr);
    free(p.next);
    free(p.r);
}

/* ---- Frames ---- */

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
        return 0;
    case 4:
        return (int)draw(60) - 8;
    default:
        return (int)draw(127) - 12;
    }
}

static void put_llr(const struct trial *t, uint8_t *in, uint32_t i, double x, float unit)
{
    const _Float16 h = (_Float16)(one_in(199) ? (one_in(2) ? NAN : -INFINITY) : x / 4);
    const float whole = one_in(199) ? (one_in(3)   ? -0.f
                                       : one_in(2) ? 1e30f
                                                   : -1e-9f)
                                    : (float)x * unit;

    if (t->what->in_type == FECRUN_I8)
        ((int8_t *)in)[i] = (int8_t)(x == -127 && one_in(2) ? -128 : x);
    else if (t->what->in_type == FECRUN_F16)
        memcpy(in + 2 * i, &h, 2);
    else
        memcpy(in + 4 * i, &whole, 4);
}

/* Room for one more float than there are. */
static size_t soft_bytes(const struct trial *t, unsigned port)
{
    return (t->frames * t->soft_stride[port] + 1) * sizeof(float);
}

/* One port, or both. */
static void fill_soft(struct trial *t)
{
    const uint32_t ports = 1 + draw(3);

    for (unsigned p = 0; t->plan.form.soft && p < LDPC_SOFT_PORTS; p++) {
        t->soft[p] = t->want_soft[p] = NULL;
        if (!(ports >> p & 1))
            continue;
        t->soft_stride[p] = soft_items(t, p) + draw(3);
        t->soft[p] = get(soft_bytes(t, p));
        t->want_soft[p] = get(soft_bytes(t, p));
        memset(t->soft[p], UNTOUCHED, soft_bytes(t, p));
        memset(t->want_soft[p], UNTOUCHED, soft_bytes(t, p));
    }
}

static void fill(struct trial *t)
{
    static const float units[] = {1, 0.1f, 1e-3f, 300};
    const uint32_t n = t->d.code->n;

    t->in_stride = fecrun_bytes(t->what->in_type, n) + 4 * draw(3) +
                   (t->what->in_type == FECRUN_I8 ? draw(3) : 0);
    t->out_stride = fecrun_bytes(t->what->out_type, t->d.bits) + draw(3);
    t->in = get(t->frames * t->in_stride + 4);
    t->out = get(t->frames * t->out_stride + 1);
    t->want = get(t->frames * t->out_stride + 1);
    memset(t->out, UNTOUCHED, t->frames * t->out_stride + 1);
    memset(t->want, UNTOUCHED, t->frames * t->out_stride + 1);
    fill_soft(t);
    for (uint32_t f = 0; f < t->frames; f++) {
        const unsigned kind = draw(8);
        const float unit = units[draw(4)];

        for (uint32_t i = 0; i < n; i++)
            put_llr(t, t->in + f * t->in_stride, i, any_llr(kind), unit);
        t->info[f] = (struct fecrun_frame_info){.flags = draw(8), .bit_errors = draw(9)};
        t->want_info[f] = t->info[f];
    }
}

static void take_soft(const struct trial *t, const struct fecrun_view *in,
                      struct ldpc_soft_work *soft)
{
    struct fecrun_view view[LDPC_SOFT_PORTS], *out[LDPC_OUTPUTS] = {NULL};

    for (unsigned p = 0; p < LDPC_SOFT_PORTS; p++) {
        view[p] = (struct fecrun_view){.size = sizeof view[p],
                                       .data = t->soft[p],
                                       .type = FECRUN_F32,
                                       .frames = t->frames,
                                       .items = soft_items(t, p),
                                       .stride = t->soft_stride[p] * sizeof(float)};
        if (t->soft[p])
            out[LDPC_OUT_LLR + p] = &view[p];
    }
    ldpc_soft_take(soft, &t->d, in, out, NULL, 0);
}

static void run_kernel(struct trial *t)
{
    const struct ldpc_shared_form *form = &t->plan.form;
    const uint32_t at_once = ldpc_shared_codewords(form);
    const uint32_t items = (t->frames + at_once - 1) / at_once, blocks = 1 + draw(items);
    struct fecrun_view in = {.size = sizeof in,
                             .data = t->in,
                             .type = t->what->in_type,
                             .frames = t->frames,
                             .items = t->d.code->n,
                             .stride = t->in_stride};
    struct fecrun_view out = {.size = sizeof out,
                              .data = t->out,
                              .type = t->what->out_type,
                              .frames = t->frames,
                              .items = t->d.bits,
                              .stride = t->out_stride};
    struct ldpc_shared_work work;
    uint32_t *messages;

    ldpc_shared_describe(&t->plan, &work);
    ldpc_shared_take(form, &work, &t->d, &in, &out, t->info, 0, t->frames);
    if (form->soft)
        take_soft(t, &in, &work.soft);
    messages = get(blocks * work.message_words * sizeof *messages);
    memset(messages, (int)draw(256), blocks * work.message_words * sizeof *messages);
    work.table = t->plan.table;
    work.place = t->d.code->place;
    work.info_place = t->d.code->info;
    work.messages = form->near < form->words ? messages : NULL;
    ldpc_shared_emulate(t->number, &work, blocks, form->threads, ldpc_shared_bytes(form),
                        draw(UINT32_MAX));
    free(messages);
}

/* ---- Trials ---- */

/* Bytes, those between the frames included. */
static bool same_soft(const struct trial *t)
{
    for (unsigned p = 0; p < LDPC_SOFT_PORTS; p++) {
        size_t i = 0;

        if (!t->soft[p] || !memcmp(t->soft[p], t->want_soft[p], soft_bytes(t, p)))
            continue;
        while (!memcmp(&t->soft[p][i], &t->want_soft[p][i], sizeof(float)))
            i++;
        diag("port %u, frame %zu, LLR %zu: %g and %g", p, i / t->soft_stride[p],
             i % t->soft_stride[p], (double)t->soft[p][i], (double)t->want_soft[p][i]);
        return false;
    }
    return true;
}

static bool same(const struct trial *t)
{
    for (uint32_t f = 0; f < t->frames; f++) {
        const uint8_t *out = t->out + f * t->out_stride, *want = t->want + f * t->out_stride;

        if (!memcmp(&t->info[f], &t->want_info[f], sizeof t->info[f]) &&
            !memcmp(out, want, t->out_stride))
            continue;
        diag("frame %u of %u, %u iterations: iterations %u and %u, flags %u and %u, bits %s", f,
             t->frames, t->d.iterations, t->info[f].iterations, t->want_info[f].iterations,
             t->info[f].flags, t->want_info[f].flags,
             memcmp(out, want, t->out_stride) ? "differ" : "alike");
        return false;
    }
    return t->out[t->frames * t->out_stride] == UNTOUCHED && same_soft(t);
}

static void open_trial(struct trial *t, int number)
{
    memset(t, 0, sizeof *t);
    t->number = number;
    t->what = &shared_trials[number];
    shared_decoder(t->what, &t->d);
    shared_plan(t->what, &t->d, &t->plan);
}

static void close_trial(struct trial *t)
{
    ldpc_shared_plan_free(&t->plan);
    ldpc_schedule_free(t->d.schedule);
    ldpc_code_free(t->d.code);
}

static void test_trials(int number, unsigned rounds)
{
    unsigned wrong = 0, good = 0, frames = 0;
    struct trial t;

    open_trial(&t, number);
    for (unsigned n = 0; n < rounds && !wrong; n++) {
        rng_state = (100 * (unsigned)number + n + 1) * 0xbf58476d1ce4e5b9u;
        t.d.iterations = 1 + draw(6);
        t.d.early_stop = !one_in(4);
        t.d.alpha = 0.05 + draw(950) / 1000.;
        t.d.rise = (1 - t.d.alpha) * draw(100) / 100.;
        t.d.beta = draw(64) / 16.;
        t.d.llr_scale = 1 + draw(3);
        t.frames = 1 + draw(ldpc_shared_codewords(&t.plan.form) + 3);
        fill(&t);
        for (uint32_t f = 0; f < t.frames; f++) {
            plain_decode(&t, f);
            good += !(t.want_info[f].flags & FECRUN_FRAME_FAILED);
        }
        run_kernel(&t);
        wrong += !same(&t);
        frames += t.frames;
        free(t.in);
        free(t.out);
        free(t.want);
        for (unsigned p = 0; p < LDPC_SOFT_PORTS; p++) {
            free(t.soft[p]);
            free(t.want_soft[p]);
        }
    }
    ok(!wrong, "kernel %d%s: as a plain decoder (%u frames, %u converge)", number,
       t.plan.form.soft ? ", with LLRs" : "", frames, good);
    close_trial(&t);
}

int main(void)
{
    for (int i = 0; i < SHARED_TRIALS; i++)
        test_trials(i, 12);
    return done_testing();
}

#endif
