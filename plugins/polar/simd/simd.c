/* SPDX-License-Identifier: BSD-2-Clause */
/* Backend `simd` of polar.decode: frames into lanes, and what becomes of them. */
#include "plugins/polar/simd/simd.h"

#include <fecrun/sdk/carve.h>
#include <fecrun/sdk/mask.h>
#include <fecrun/sdk/simd.h>

struct simd {
    const struct polar_decode *decode;
    const struct polar_kernel *kernel;
    const struct polar_frame_kernel *alone; /* NULL: there is none */
};

struct work {
    polar_row *alpha; /* 2 N */
    polar_bits *x;    /* N; then u */
    polar_bits *message;
    polar_row *rows;         /* ae: N, as they were received */
    polar_bits *word, *best; /* ae: N each */
    polar_bits *lanes;       /* bits of each lane's message, 64 a word */
    int8_t *nothing;         /* N zeros, for lanes without a frame */
    uint64_t *failed;        /* adaptive: frames for the list */
    uint8_t *recoded;        /* N + K bytes */
    struct polar_rests *rests;
    struct polar_paths *paths;
    struct polar_bp bp;
    struct polar_simd_small *small;
    struct polar_alone alone;
};

static size_t lane_words(const struct polar_decode *d)
{
    return (d->code->k + 63) / 64;
}

static size_t lay_out(struct work *work, const struct polar_decode *d, uint64_t frames, void *base)
{
    const uint32_t n = d->code->n;
    polar_row *beta;
    size_t used = 0;

    work->small = fecrun_carve(base, &used,
                               d->algorithm == POLAR_ML ? polar_simd_small_bytes() : 0);
    if (d->words)
        used += polar_alone_carve(&work->alone, d, fecrun_carve(base, &used, 0));
    work->alpha = fecrun_carve(base, &used, 2 * n * sizeof *work->alpha);
    work->x = fecrun_carve(base, &used, n * sizeof *work->x);
    work->message = fecrun_carve(base, &used, (d->code->k + 7) * sizeof *work->message);
    work->lanes = fecrun_carve(base, &used, POLAR_LANES * lane_words(d) * sizeof *work->lanes);
    work->nothing = fecrun_carve(base, &used, n);
    work->failed = fecrun_carve(base, &used, d->adaptive ? frames * sizeof *work->failed : 0);
    work->recoded = fecrun_carve(base, &used, n + d->code->k);
    work->rests = fecrun_carve(base, &used, sizeof *work->rests);
    work->rows = NULL;
    if (d->algorithm == POLAR_AE) {
        work->rows = fecrun_carve(base, &used, n * sizeof *work->rows);
        work->word = fecrun_carve(base, &used, n * sizeof *work->word);
        work->best = fecrun_carve(base, &used, n * sizeof *work->best);
    }
    work->paths = NULL;
    if (d->algorithm == POLAR_BP)
        used += polar_simd_bp_carve(&work->bp, d, fecrun_carve(base, &used, 0));
    if (d->algorithm != POLAR_SCL)
        return used;
    work->paths = fecrun_carve(base, &used, sizeof *work->paths);
    beta = fecrun_carve(base, &used, n * sizeof *beta);
    if (base) {
        work->paths->alpha = work->alpha;
        work->paths->beta = beta;
    }
    return used;
}

/* ---- Masks ------------------------------------------------------------------------------------ */

/* No lane has a frame, and the masks are that of the parameter. */
static void begin_lanes(const struct simd *s, const struct work *work)
{
    memset(work->nothing, 0, s->decode->code->n);
    memset(work->rests, 0, sizeof *work->rests);
    polar_bits_rest(&s->decode->crc, s->decode->crc.rest, ~(polar_bits)0, work->rests);
}

/* The lanes' masks are those that this frame brought along. */
static void set_masks(const struct simd *s, const struct work *work,
                      const struct polar_batch *batch, uint64_t frame, polar_bits lanes)
{
    const struct polar_crc *crc = &s->decode->crc;
    uint32_t mask;
    int none;

    if (!batch->masks)
        return;
    none = fecrun_mask_read(fecrun_row(batch->masks, frame), crc->width, &mask);
    polar_bits_rest(crc, none ? POLAR_NO_REST : polar_crc_rest(crc, mask), lanes, work->rests);
}

/* ---- Results --------------------------------------------------------------------------------- */

/* The message of a lane is that of a frame. */
static void put(const struct simd *s, const struct work *work, const struct polar_batch *batch,
                uint64_t frame, uint32_t lane, polar_bits good)
{
    const struct polar_decode *d = s->decode;
    const polar_bits *words = work->lanes + lane;

    if (d->crc.width)
        fecrun_frame_checked(&batch->info[frame], good >> lane & 1);
    if (batch->out->type == FECRUN_PACKED)
        polar_bits_put(words, d->code->k, fecrun_row(batch->out, frame));
    else
        s->kernel->spread(words, d->code->k, fecrun_row(batch->out, frame));
}

/* From x to bits of messages; returns lanes whose CRC holds. */
static polar_bits find_messages(const struct simd *s, const struct work *work)
{
    const struct polar_decode *d = s->decode;

    s->kernel->transform(work->x, d->code->n);
    polar_bits_message(d->code, work->x, work->message);
    return d->crc.width ? polar_bits_crc(&d->crc, work->rests, work->message, d->code->k) : 0;
}

/* The bits of messages become words of all lanes, as put() wants them. */
static void find_lanes(const struct simd *s, const struct work *work,
                       const struct polar_batch *batch)
{
    const bool packed = batch->out->type == FECRUN_PACKED;
    const uint32_t k = s->decode->code->k;

    if (packed)
        polar_bits_turn(work->message, k);
    s->kernel->lanes(work->message, packed ? (k + 7) & ~UINT32_C(7) : k, work->lanes);
}

/* Both. */
static polar_bits finish(const struct simd *s, const struct work *work,
                         const struct polar_batch *batch)
{
    const polar_bits good = find_messages(s, work);

    find_lanes(s, work, batch);
    return good;
}

/* What find_lanes() says of one lane. */
static void take_lane(const struct simd *s, const struct work *work,
                      const struct polar_batch *batch, uint32_t lane)
{
    const uint32_t turned = batch->out->type == FECRUN_PACKED ? 7 : 0;
    polar_bits *words = work->lanes + lane;

    for (uint32_t first = 0; first < s->decode->code->k; first += 64) {
        const uint32_t left = s->decode->code->k - first, n = left < 64 ? left : 64;
        polar_bits word = 0;

        for (uint32_t i = 0; i < n; i++)
            word |= (work->message[first + i] >> lane & 1) << (i ^ turned);
        words[first] = word;
    }
}

/* Up to 64 frames from `first` on, a lane each. */
static void find_frames(const struct simd *s, const struct work *work,
                        const struct polar_batch *batch, uint64_t first, const int8_t **from)
{
    for (uint32_t l = 0; l < POLAR_LANES; l++) {
        const bool is = l < batch->in->frames - first;

        from[l] = is ? fecrun_row(batch->in, first + l) : work->nothing;
        if (is)
            set_masks(s, work, batch, first + l, (polar_bits)1 << l);
    }
}

/* ---- Successive cancellation ------------------------------------------------------------------- */

/* Up to 64 frames from `first` on; adaptive: those that fail are put behind the other `failed`. */
static uint64_t decode_sc(const struct simd *s, const struct work *work,
                          const struct polar_batch *batch, uint64_t first, uint64_t failed)
{
    const struct polar_decode *d = s->decode;
    const uint64_t left = batch->in->frames - first;
    const uint32_t frames = left < POLAR_LANES ? (uint32_t)left : POLAR_LANES;
    const int8_t *from[POLAR_LANES];
    polar_bits good;

    begin_lanes(s, work);
    find_frames(s, work, batch, first, from);
    s->kernel->sc_frames(d->sc, from, work->alpha, work->x);
    good = finish(s, work, batch);
    for (uint32_t l = 0; l < frames; l++) {
        if (d->adaptive && !(good >> l & 1)) {
            work->failed[failed++] = first + l;
            continue;
        }
        batch->info[first + l].iterations = d->adaptive ? 1 : 0;
        put(s, work, batch, first + l, l, good);
    }
    return failed;
}

/* ---- Ensembles --------------------------------------------------------------------------------- */

/* The word of each lane as member m decodes it, and the lanes whose CRC holds. */
static polar_bits decode_member(const struct simd *s, const struct work *work, uint32_t m)
{
    const struct polar_decode *d = s->decode;
    const uint32_t n = d->code->n;
    const uint16_t *from = d->permutation + (size_t)m * n;

    for (uint32_t j = 0; j < n; j++)
        memcpy(work->alpha + n + j, work->rows + from[j], sizeof *work->rows);
    s->kernel->sc(d->sc, work->alpha, work->x);
    for (uint32_t j = 0; j < n; j++)
        work->word[from[j]] = work->x[j];
    if (!d->crc.width)
        return 0;
    memcpy(work->x, work->word, n * sizeof *work->x);
    s->kernel->transform(work->x, n);
    polar_bits_message(d->code, work->x, work->message);
    return polar_bits_crc(&d->crc, work->rests, work->message, d->code->k);
}

/* From rows to x: the best word of each lane. */
static void choose_members(const struct simd *s, const struct work *work)
{
    const struct polar_decode *d = s->decode;
    int32_t sum[POLAR_LANES], nearest[POLAR_LANES];
    polar_bits best_holds = 0;

    for (uint32_t m = 0; m < d->members; m++) {
        const polar_bits holds = decode_member(s, work, m);
        polar_bits take = 0;

        s->kernel->correlate((const polar_row *)work->rows, work->word, d->code->n, sum);
        for (uint32_t l = 0; l < POLAR_LANES; l++) {
            const bool here = holds >> l & 1, there = best_holds >> l & 1;

            if (m > 0 && here <= there && (here != there || sum[l] <= nearest[l]))
                continue;
            take |= (polar_bits)1 << l;
            nearest[l] = sum[l];
        }
        best_holds = (best_holds & ~take) | (holds & take);
        for (uint32_t i = 0; i < d->code->n; i++)
            work->best[i] = m == 0 ? work->word[i]
                                   : (work->best[i] & ~take) | (work->word[i] & take);
    }
    memcpy(work->x, work->best, d->code->n * sizeof *work->x);
}

/* Up to 64 frames from `first` on. */
static void decode_ensemble(const struct simd *s, const struct work *work,
                            const struct polar_batch *batch, uint64_t first)
{
    const uint64_t left = batch->in->frames - first;
    const uint32_t frames = left < POLAR_LANES ? (uint32_t)left : POLAR_LANES;
    const int8_t *from[POLAR_LANES];
    polar_bits good;

    begin_lanes(s, work);
    find_frames(s, work, batch, first, from);
    s->kernel->load(from, s->decode->code->n, work->rows);
    choose_members(s, work);
    good = finish(s, work, batch);
    for (uint32_t l = 0; l < frames; l++) {
        batch->info[first + l].iterations = 0;
        put(s, work, batch, first + l, l, good);
    }
}

/* ---- Lists ----------------------------------------------------------------------------------- */

/* Lanes of a frame: the least power of two that has place for all paths. */
static uint32_t lanes_of(const struct polar_decode *d)
{
    uint32_t p = 1;

    while (p < d->most_paths)
        p *= 2;
    return p;
}

static uint32_t best_lane(const struct polar_paths *paths, uint32_t first, polar_bits good)
{
    uint32_t best = first;

    for (uint32_t l = first; l < first + paths->most; l++) {
        const bool holds = good >> l & 1, best_holds = good >> best & 1;

        if (paths->metric[l] >= POLAR_NO_PATH)
            continue;
        if (holds > best_holds || (holds == best_holds && paths->metric[l] < paths->metric[best]))
            best = l;
    }
    return best;
}

/* So many frames, at most 64 / P: those of the list, or from `first` on. */
static void decode_list(const struct simd *s, const struct work *work,
                        const struct polar_batch *batch, const uint64_t *list, uint64_t first,
                        uint32_t frames)
{
    const struct polar_decode *d = s->decode;
    struct polar_paths *paths = work->paths;
    const int8_t *from[POLAR_LANES];
    polar_bits good;

    begin_lanes(s, work);
    paths->most = d->most_paths;
    paths->paths = lanes_of(d);
    paths->frames = frames;
    for (uint32_t l = 0; l < POLAR_LANES; l++) {
        const uint32_t f = l / paths->paths;

        from[l] = f < frames ? fecrun_row(batch->in, list ? list[f] : first + f) : work->nothing;
        if (f < frames)
            set_masks(s, work, batch, list ? list[f] : first + f, (polar_bits)1 << l);
    }
    if (frames == 1)
        s->kernel->repeat(from[0], d->code->n, work->alpha + d->code->n);
    else
        s->kernel->load(from, d->code->n, work->alpha + d->code->n);
    s->kernel->scl(d->list, paths);
    s->kernel->bits((const polar_row *)paths->beta, d->code->n, work->x);
    good = find_messages(s, work);
    if (frames > 1)
        find_lanes(s, work, batch);
    for (uint32_t f = 0; f < frames; f++) {
        const uint64_t frame = list ? list[f] : first + f;
        const uint32_t lane = best_lane(paths, f * paths->paths, good);

        if (frames == 1)
            take_lane(s, work, batch, lane);
        batch->info[frame].iterations = d->adaptive ? 2 : 0;
        put(s, work, batch, frame, lane, good);
    }
}

/* Of as many frames as the lanes have room for: up to how many take less one at a time. */
static uint64_t most_lists_alone(const struct simd *s)
{
    const uint32_t lanes = lanes_of(s->decode);

    if (!s->alone)
        return 0;
    return lanes > 8 ? POLAR_LANES : s->alone->few_lists[lanes <= 2 ? 0 : lanes / 4];
}

/* These frames, or all; list: NULL. */
static void decode_lists(const struct simd *s, const struct work *work,
                         const struct polar_batch *batch, const uint64_t *list, uint64_t frames)
{
    const uint64_t together = POLAR_LANES / lanes_of(s->decode);

    for (uint64_t f = 0, n; f < frames; f += n) {
        n = frames - f < together ? frames - f : together;
        if (n > most_lists_alone(s))
            decode_list(s, work, batch, list ? list + f : NULL, f, (uint32_t)n);
        else
            for (uint64_t i = f; i < f + n; i++)
                polar_alone_list(s->alone, s->decode, &work->alone, batch, list ? list[i] : i);
    }
}

/* ---- Belief propagation ------------------------------------------------------------------------ */

/* Lanes that meet the rule; *good: those whose CRC holds. The lanes' messages are set. */
static polar_bits judge(const struct simd *s, struct work *work, const struct polar_batch *batch,
                        polar_bits *good)
{
    const struct polar_decode *d = s->decode;

    polar_simd_bp_decide(d, &work->bp, work->x);
    polar_bits_message(d->code, work->x, work->message);
    *good = d->crc.width ? polar_bits_crc(&d->crc, work->rests, work->message, d->code->k) : 0;
    find_lanes(s, work, batch);
    if (d->stop == POLAR_CRC)
        return *good;
    if (d->stop == POLAR_NEVER)
        return 0;
    s->kernel->transform(work->x, d->code->n);
    return polar_simd_bp_agree(d, &work->bp, work->x);
}

/* Up to 16 frames from `first` on; a frame that is done waits for the others. */
static void decode_bp(const struct simd *s, struct work *work, const struct polar_batch *batch,
                      uint64_t first)
{
    const struct polar_decode *d = s->decode;
    const uint64_t left = batch->in->frames - first;
    const uint32_t frames = left < POLAR_BP_LANES ? (uint32_t)left : POLAR_BP_LANES;
    polar_bits live = ~(polar_bits)0 >> (POLAR_LANES - frames), good, met;
    const void *from[POLAR_BP_LANES];

    begin_lanes(s, work);
    for (uint32_t l = 0; l < POLAR_BP_LANES; l++) {
        from[l] = fecrun_row(batch->in, first + (l < frames ? l : 0));
        set_masks(s, work, batch, first + (l < frames ? l : 0), (polar_bits)1 << l);
    }
    polar_simd_bp_start(d, &work->bp, from, batch->in->type);
    for (uint32_t n = 1; n <= d->iterations && live; n++) {
        s->kernel->bp(d, work->bp.l, work->bp.r);
        if (d->stop == POLAR_NEVER && n < d->iterations)
            continue;
        met = judge(s, work, batch, &good);
        for (uint32_t l = 0; l < frames; l++) {
            if (!(live >> l & 1) || !(met >> l & 1 || n == d->iterations))
                continue;
            live &= ~((polar_bits)1 << l);
            batch->info[first + l].iterations = n;
            if (d->stop == POLAR_GMATRIX && !d->crc.width)
                fecrun_frame_checked(&batch->info[first + l], met >> l & 1);
            put(s, work, batch, first + l, l, good);
        }
    }
}

/* Frames up to which one at a time takes less than a lane each. */
static uint64_t most_alone(const struct simd *s)
{
    const struct polar_decode *d = s->decode;

    return !s->alone ? 0 : !d->sc->pruned ? 5 : s->alone->few;
}

/* Returns how many frames the list has to decode, too. */
static uint64_t decode_all_sc(const struct simd *s, const struct work *work,
                              const struct polar_batch *batch)
{
    const struct polar_decode *d = s->decode;
    const uint64_t frames = batch->in->frames, most = most_alone(s);
    uint64_t failed = 0, f = 0;

    for (; f < frames && frames - f > most; f += POLAR_LANES)
        failed = decode_sc(s, work, batch, f, failed);
    for (; f < frames; f++)
        if (polar_alone_sc(s->alone, d, &work->alone, batch, f))
            work->failed[failed++] = f;
    return failed;
}

static void decode(const struct simd *s, struct work *work, const struct polar_batch *batch)
{
    const struct polar_decode *d = s->decode;
    uint64_t frames = batch->in->frames, failed = 0;

    for (uint64_t f = 0; f < frames && d->algorithm == POLAR_BP; f += POLAR_BP_LANES)
        decode_bp(s, work, batch, f);
    for (uint64_t f = 0; f < frames && d->algorithm == POLAR_AE; f += POLAR_LANES)
        decode_ensemble(s, work, batch, f);
    failed = d->sc && d->algorithm != POLAR_AE ? decode_all_sc(s, work, batch) : 0;
    if (d->adaptive)
        frames = failed;
    if (d->list)
        decode_lists(s, work, batch, d->adaptive ? work->failed : NULL, frames);
}

/* ---- The backend ------------------------------------------------------------------------------ */

static const struct polar_kernel *kernel_of(uint32_t isa)
{
    if (!fecrun_isa_runs(isa))
        return NULL;
#if defined(__x86_64__) || defined(__i386__)
    if (isa == FECRUN_ISA_AVX512)
        return __builtin_cpu_supports("avx512vbmi") ? polar_kernel_avx512() : NULL;
#endif
    return isa == FECRUN_ISA_AVX2      ? polar_kernel_avx2()
           : isa == FECRUN_ISA_GENERIC ? polar_kernel_generic()
                                       : NULL;
}

static bool has(uint32_t isa)
{
    return kernel_of(isa) != NULL;
}

static int takes(const struct fecrun_create *args, struct fecrun_error *err)
{
    const struct polar_decode *d = args->codes[0];
    const uint32_t type = args->form->in[0].type;

    if (d->algorithm == POLAR_BP && d->rule != POLAR_MIN_SUM)
        return fecrun_fail(err, "check_rule", "backend simd has min-sum only");
    if (d->algorithm != POLAR_BP && (d->limit != 127 || type != FECRUN_I8))
        return fecrun_fail(err, d->algorithm == POLAR_ML ? "code" : "algorithm",
                           "backend simd has %s of 8-bit LLRs only (llr.quantize)",
                           d->algorithm == POLAR_ML ? "nr-small" : "sc, scl and ae");
    return 0;
}

static int create(const struct fecrun_create *args, void **instance, struct fecrun_error *err)
{
    uint32_t isa = FECRUN_ISA_GENERIC;
    const struct polar_kernel *kernel;
    struct simd *s;

    *instance = NULL;
    if (takes(args, err) ||
        fecrun_isa_choose(fecrun_value(args->tune, 0), args->host, has, &isa, err))
        return -1;
    *instance = s = malloc(sizeof *s);
    if (!s)
        return fecrun_no_memory(err);
    kernel = kernel_of(isa);
    *s = (struct simd){args->codes[0], kernel, kernel->frame ? kernel->frame() : NULL};
    return 0;
}

static void note(const struct fecrun_create *args, char *text, size_t text_size)
{
    struct fecrun_error err = {.size = sizeof err};
    struct polar_choice choice = {0};
    void *instance;
    struct simd *s;

    if (create(args, &instance, &err))
        return;
    s = instance;
    choice.kernel = s->kernel->name;
    if (s->decode->sc)
        choice.few = most_alone(s);
    if (s->decode->list) {
        choice.few_lists = most_lists_alone(s);
        choice.lanes = lanes_of(s->decode);
    }
    polar_simd_explain(s->decode, &choice, text, text_size);
    free(s);
}

static size_t scratch(const void *instance, uint64_t frames)
{
    struct work work;

    return lay_out(&work, ((const struct simd *)instance)->decode, frames, NULL);
}

static int run(void *instance, const struct fecrun_call *call, const struct fecrun_view *const in[],
               struct fecrun_view *const out[], struct fecrun_error *err)
{
    /* what may change between points is in the code object of this one */
    const struct simd s = {call->codes[0], ((const struct simd *)instance)->kernel,
                           ((const struct simd *)instance)->alone};
    const struct polar_batch batch = {in[0], in[1], out[0], call->info};
    struct work work;

    (void)err;
    lay_out(&work, s.decode, in[0]->frames, call->scratch);
    if (s.decode->algorithm == POLAR_ML)
        polar_simd_small(s.kernel, s.decode->code, in[0], out[0], call->info, work.small);
    else
        decode(&s, &work, &batch);
    if (out[1])
        polar_put_metrics(s.decode, in[0], out[0], out[1], work.recoded);
    return 0;
}

#define FORM(from, to) \
    FECRUN_FORM(FECRUN_IN({.type = from}, {.type = FECRUN_F32}), \
                FECRUN_OUT({.type = to}, {.type = FECRUN_F32}))

static const struct fecrun_form *const forms[] = {
    FORM(FECRUN_I8, FECRUN_PACKED), FORM(FECRUN_I8, FECRUN_U8), FORM(FECRUN_F32, FECRUN_PACKED),
    FORM(FECRUN_F32, FECRUN_U8), NULL};

static const struct fecrun_param *const tune[] = {&fecrun_isa_param, NULL};

const struct fecrun_backend polar_decode_simd = {
    .size = sizeof(struct fecrun_backend),
    .name = "simd",
    .summary =
        "sc, ae, nr-small: 64 frames side by side; scl: the paths of 64 / L frames; bp, min-sum: "
        "16 frames",
    .forms = forms,
    .agreement = FECRUN_AGREEMENT_EXACT,
    .tune = tune,
    .create = create,
    .scratch = scratch,
    .run = run,
    .destroy = free,
    .takes = takes,
    .note = note,
};
