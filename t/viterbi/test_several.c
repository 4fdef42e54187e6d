/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The vector code for several frames at a time (simd/several/) against the reference: every kernel, with any number
 * of lanes in use, the largest LLRs that it takes and those that strain its metrics most.
 *
 * FECRUN_TEST_SEED and FECRUN_TEST_ROUNDS as in test_core.c. Buffers have the very size that is needed.
 */
#include "t/viterbi/strain.h"

#include "plugins/viterbi/simd/several/several.h"

enum { MOST_KERNELS = 32, MOST_FRAMES = 19 };

static unsigned long used[VITERBI_SEVERAL_SIZES][MOST_KERNELS],
    lanes_used[VITERBI_SEVERAL_MOST + 1];
static unsigned long decodes, failures, normalised, forced;

/* Tiles that are decoded next: those of one geometry. */
struct pending {
    const struct viterbi_several *several;
    struct viterbi_several_lane lane[VITERBI_SEVERAL_MOST];
    struct viterbi_tile tile;
    unsigned count, most;
    void *scratch;
};

static const struct viterbi_several_kernels *set_of(unsigned size)
{
    return viterbi_simd_has(FECRUN_ISA_AVX512) ? viterbi_several_kernels_avx512(size) : NULL;
}

static void flush(struct pending *p)
{
    const struct viterbi_frame *f = p->several->frame;

    if (!p->count)
        return;
    viterbi_several_tiles(p->several, p->lane, p->count, &p->tile, p->scratch);
    lanes_used[p->count]++;
    normalised += p->tile.steps / f->tag_bits > f->first;
    forced += p->tile.from_zero && !f->apart;
    p->count = 0;
}

static bool alike(const struct viterbi_tile *a, const struct viterbi_tile *b)
{
    return a->lead == b->lead && a->steps == b->steps && a->bits == b->bits &&
           a->from_zero == b->from_zero && a->to_zero == b->to_zero;
}

static void add(struct pending *p, const struct viterbi_input *input, size_t frame,
                const struct viterbi_tile *tile, uint8_t *bits)
{
    const struct viterbi_spec *spec = &p->several->frame->spec;
    const size_t T = viterbi_frame_steps(spec);
    struct viterbi_several_lane *lane;
    ptrdiff_t item = (ptrdiff_t)(frame * input->stride);

    if (p->count == p->most || !alike(tile, &p->tile))
        flush(p);
    if (!p->count)
        p->most = 1 + draw(p->several->frames);
    p->tile = *tile;
    lane = &p->lane[p->count++];
    *lane = (struct viterbi_several_lane){.bits = bits, .at = tile->at};
    if (spec->termination == VITERBI_TAIL_BITING)
        lane->phase = (tile->at + T - tile->lead % T) % T;
    else
        item += ((ptrdiff_t)tile->at - (ptrdiff_t)tile->lead) * (ptrdiff_t)spec->code.n;
    lane->row = (const int8_t *)input->llr + item;
}

static void decode(const struct viterbi_several *s, const struct viterbi_input *input,
                   uint8_t *packed)
{
    const struct viterbi_spec *spec = &s->frame->spec;
    const size_t bytes = (spec->info_bits + 7) / 8;
    struct pending p = {.several = s, .scratch = get_scratch(viterbi_several_scratch(s))};

    memset(packed, 0, bytes * input->frames);
    for (size_t frame = 0; frame < input->frames; frame++)
        for (size_t k = 0; k < viterbi_frame_tiles(spec); k++) {
            struct viterbi_tile tile;
            viterbi_tile_at(spec, input, frame, k, &tile);
            add(&p, input, frame, &tile, packed + frame * bytes);
        }
    flush(&p);
    free(p.scratch);
}

static void compare(const struct viterbi_several *s, const struct viterbi_input *input,
                    const uint8_t *bits, uint64_t seed)
{
    const struct viterbi_spec *spec = &s->frame->spec;
    const size_t bytes = (spec->info_bits + 7) / 8;
    uint8_t *packed = get(bytes * input->frames);

    decode(s, input, packed);
    for (size_t frame = 0; frame < input->frames; frame++) {
        size_t wrong = SIZE_MAX;
        for (size_t i = 8 * bytes; i-- > 0;)
            if ((packed[frame * bytes + i / 8] >> (7 - i % 8) & 1) !=
                (i < spec->info_bits ? bits[frame * spec->info_bits + i] : 0))
                wrong = i;
        decodes++;
        if (wrong != SIZE_MAX && failures++ == 0)
            diag("K %u n %u, %u tag bits, %s, L %zu f %zu, llr_max %d, frame %zu: bit %zd; repeat "
                 "with "
                 "FECRUN_TEST_SEED=%" PRIu64 " FECRUN_TEST_ROUNDS=1",
                 spec->code.K, spec->code.n, s->frame->tag_bits,
                 termination_names[spec->termination], spec->info_bits, spec->f, spec->llr_max,
                 frame, (ssize_t)wrong, seed);
    }
    free(packed);
}

/* Frames whose LLRs have all kinds, so that lanes differ. */
static int8_t *draw_frames(const struct viterbi_spec *spec, const struct viterbi_input *input)
{
    const size_t n = spec->code.n, around = (input->before + input->after) * n;
    int8_t *llr = get(input->frames * input->stride + around);

    for (size_t frame = 0; frame <= input->frames; frame++) {
        const size_t items = frame < input->frames ? input->stride : around;
        int8_t *part = draw_llr(spec, items, draw(KINDS));
        memcpy(llr + frame * input->stride, part, items);
        free(part);
    }
    return llr;
}

static void decode_with(unsigned size, const struct viterbi_frame *frame,
                        const struct viterbi_input *input, const uint8_t *bits, uint64_t seed)
{
    struct viterbi_several *s;

    if (viterbi_several_create(&s, frame, set_of(size)))
        bail("out of memory");
    if (s) {
        used[size][s->kernel - set_of(size)->kernels]++;
        compare(s, input, bits, seed);
    }
    free(s);
}

static void one_round(uint64_t seed)
{
    struct viterbi_spec spec;
    struct viterbi_input input = {0};
    struct viterbi_verdict want[MOST_FRAMES];
    struct viterbi_frame *frame;
    void *scratch;
    uint8_t *bits;
    int8_t *llr;

    seed_rng(seed);
    choose_spec(&spec);
    if (one_in(2))
        strain(&spec, viterbi_frame_kernels_avx512());
    input.frames = 1 + draw(MOST_FRAMES);
    input.stride = viterbi_frame_steps(&spec) * spec.code.n;
    if (spec.termination == VITERBI_CONTINUOUS) {
        input.before = draw(100);
        input.after = draw(100);
        input.at_start = one_in(2);
    }
    if (spec.code.K > VITERBI_SEVERAL_M + 1 || spec.code.n > VITERBI_SEVERAL_N)
        return; /* no kernel takes these */
    llr = draw_frames(&spec, &input);
    bits = get(spec.info_bits * input.frames);
    scratch = get_scratch(viterbi_ref_scratch(&spec));
    input.llr = llr + input.before * spec.code.n;
    viterbi_ref_decode(&spec, &input, bits, want, scratch);
    if (viterbi_frame_create(&frame, &spec, viterbi_frame_kernels_avx512(), 16))
        bail("out of memory");
    for (unsigned size = 0; size < VITERBI_SEVERAL_SIZES; size++)
        decode_with(size, frame, &input, bits, seed);
    free(frame);
    free(scratch);
    free(bits);
    free(llr);
}

static void test_kernels(unsigned size, bool few)
{
    const struct viterbi_several_kernel *choice = set_of(size)->kernels;
    unsigned unused = 0, kernels = 0;

    for (; choice[kernels].K; kernels++)
        if (!used[size][kernels] && ++unused)
            diag("kernel %u was not used", kernels);
    ok(unused == 0 || few, "size %u: %u of %u kernels were used", size, kernels - unused, kernels);
}

static void test_random(void)
{
    const uint64_t seed = number_of_env("FECRUN_TEST_SEED", 1), n = rounds(1200);
    const bool few = getenv("FECRUN_TEST_ROUNDS") || tap_sanitized();
    unsigned idle = 0;

    for (uint64_t i = 0; i < n; i++)
        one_round(seed + i);
    ok(failures == 0 && decodes, "%lu frames have the reference's bits", decodes);
    ok(normalised || few, "%lu groups are longer than what needs no normalisation", normalised);
    ok(forced || few, "%lu groups begin with steps in which each state has one path", forced);
    for (unsigned size = 0; size < VITERBI_SEVERAL_SIZES; size++)
        test_kernels(size, few);
    for (unsigned i = 1; i <= VITERBI_SEVERAL_MOST; i++)
        idle += lanes_used[i] == 0;
    ok(idle == 0 || few, "with any number of lanes in use");
}

/* ---- what is not decoded ---- */

/* How many frames go together; 0: none. */
static unsigned frames_of(const struct viterbi_spec *spec)
{
    struct viterbi_several *s;
    struct viterbi_frame *frame;
    unsigned frames;

    if (viterbi_frame_create(&frame, spec, viterbi_frame_kernels_avx512(), 16) ||
        viterbi_several_create(&s, frame, set_of(0)))
        bail("out of memory");
    frames = s ? s->frames : 0;
    free(s);
    free(frame);
    return frames;
}

static void test_refused(void)
{
    const struct viterbi_code code = {.K = 7, .n = 2, .gen = {0133, 0171}};
    struct viterbi_spec spec = {.code = code, .info_bits = 9, .llr_max = 10};

    is_int(frames_of(&spec), 8, "K = 7, rate 1/2: eight frames");
    spec.is_float = true;
    is_int(frames_of(&spec), 0, "float LLRs are left to others");
    spec.is_float = false;
    spec.info_bits = 1 << 16;
    is_int(frames_of(&spec), 0, "so are frames whose tags leave the caches,");
    spec.info_bits = 43;
    spec.termination = VITERBI_TAIL_BITING;
    spec.wrap_limit = 4;
    is_int(frames_of(&spec), 0, "frames that bite their tails");
    spec.code = (struct viterbi_code){.K = 9, .n = 2, .gen = {0561, 0753}};
    spec.termination = VITERBI_ZERO;
    is_int(frames_of(&spec), 0, "and K = 9");
}

int main(void)
{
    if (!set_of(0)) {
        skip(11, "this machine or this build has no avx512 code");
        return done_testing();
    }
    test_refused();
    test_random();
    return done_testing();
}
