/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Whole frames in registers, a warp on the CPU with a thread for each of its own: lanes wait for each
 * other as on a device, while they prove traces, join pieces and compute again what must be. Against
 * the reference; test_registers has more kinds of input, one thread after the other.
 *
 * FECRUN_TEST_SEED and FECRUN_TEST_ROUNDS as in test_core.c.
 */
#define REGISTERS_ON_HOST
#define REGISTERS_WARP_ON_HOST
#define _Noreturn __attribute__((noreturn))

#include <math.h>
#include <pthread.h>

extern "C" {
#include "t/viterbi/viterbi.h"
}

#include "plugins/viterbi/cuda/registers/frames.cuh"

enum { LANES = 32, LLR_MAX = 10, BEHIND = 64 /* bytes that windows may reach over the end */ };

typedef registers_code<7, 2, 0133, 0171> k7;
typedef registers_ring<k7, lanes16> k7_ring;

static pthread_barrier_t barrier;
static uint32_t of_lane[LANES];
static thread_local uint32_t lane;

uint32_t registers_host_max(uint32_t x)
{
    uint32_t most = 0;

    of_lane[lane] = x;
    pthread_barrier_wait(&barrier);
    for (uint32_t i = 0; i < LANES; i++)
        most = most > of_lane[i] ? most : of_lane[i];
    pthread_barrier_wait(&barrier);
    return most;
}

struct trial {
    struct viterbi_spec spec;
    struct registers_job job;
    size_t frames, stride;
    int8_t *llr; /* frames without gaps */
    uint8_t *ring, *scratch, *out, *bits;
};

struct work {
    const struct trial *trial;
    uint32_t lane;
};

static void *run_lane(void *argument)
{
    const struct work *work = (const struct work *)argument;
    const struct registers_job *job = &work->trial->job;
    const uint64_t tiles = (uint64_t)job->lanes * job->tiles;

    lane = work->lane;
    for (uint64_t group = 0; group * tiles < job->items; group++)
        registers_frames<k7, lanes16, REGISTERS_I8>(*job, group, lane, work->trial->ring,
                                                    work->trial->scratch, NULL);
    return NULL;
}

static void run_warp(const struct trial *t)
{
    pthread_t threads[LANES];
    struct work work[LANES];

    for (uint32_t i = 0; i < LANES; i++) {
        work[i].trial = t;
        work[i].lane = i;
        if (pthread_create(&threads[i], NULL, run_lane, &work[i]))
            bail("cannot start a thread");
    }
    for (uint32_t i = 0; i < LANES; i++)
        pthread_join(threads[i], NULL);
}

static double gauss(void)
{
    const double u = (draw(1u << 30) + 1.0) / (1u << 30), v = draw(1u << 30);

    return sqrt(-2 * log(u)) * cos(6.283185307179586 / (1u << 30) * v);
}

/* Codewords that begin in state 0, in noise of db. */
static void fill_llrs(struct trial *t, double db)
{
    const double variance = pow(10, -db / 10);

    t->llr = (int8_t *)get_scratch(t->frames * t->stride + BEHIND);
    for (size_t frame = 0; frame < t->frames; frame++) {
        unsigned path = 0;

        for (size_t i = 0; i < t->stride; i++) {
            double x;

            if (i % 2 == 0)
                path = path >> 1 | (i / 2 < t->spec.info_bits ? draw(2) : 0) << 6;
            x = viterbi_code_label(&t->spec.code, path) >> i % 2 & 1 ? -1 : 1;
            x = rint(2.5 / variance * (x + sqrt(variance) * gauss()));
            t->llr[frame * t->stride + i] = (int8_t)fmin(fmax(x, -LLR_MAX), LLR_MAX);
        }
    }
}

static void make_job(struct trial *t)
{
    struct registers_job *job = &t->job;
    const size_t steps = viterbi_frame_steps(&t->spec), bytes = (t->spec.info_bits + 7) / 8;
    uint32_t pieces = 1u << draw(4), meet = one_in(2) ? 1 : 1 + draw(200);

    while (pieces > 1 && steps < 90 + meet + 32 * pieces)
        pieces /= 2;
    t->out = (uint8_t *)get_scratch(t->frames * bytes);
    job->in.llr = t->llr;
    job->in.stride = t->stride;
    job->in.frames = t->frames;
    job->in.type = FECRUN_I8;
    job->out.packed = t->out;
    job->out.stride = bytes;
    job->ring = REGISTERS_TRACED_STEPS;
    viterbi_registers_fill(job, &t->spec, false);
    viterbi_registers_frames(job, &t->spec, pieces, meet);
    job->threads = LANES;
    job->lanes = one_in(3) ? pieces * (1 + draw(LANES / pieces)) : LANES;
    t->ring = (uint8_t *)get_scratch(job->ring * k7_ring::BLOCK);
    t->scratch = (uint8_t *)get_scratch(viterbi_registers_frames_bytes(job, k7_ring::BLOCK));
}

static void decode_ref(struct trial *t)
{
    struct viterbi_verdict *verdict = (struct viterbi_verdict *)get(t->frames * sizeof *verdict);
    void *scratch = get_scratch(viterbi_ref_scratch(&t->spec));
    struct viterbi_input in = {};

    in.llr = t->llr;
    in.stride = t->stride;
    in.frames = t->frames;
    t->bits = (uint8_t *)get(t->frames * t->spec.info_bits);
    viterbi_ref_decode(&t->spec, &in, t->bits, verdict, scratch);
    free(scratch);
    free(verdict);
}

static size_t count_wrong(const struct trial *t)
{
    size_t wrong = 0;

    for (size_t frame = 0; frame < t->frames; frame++)
        for (size_t i = 0; i < t->spec.info_bits; i++) {
            const uint8_t byte = t->out[frame * t->job.out.stride + i / 8];
            wrong += (byte >> (7 - i % 8) & 1) != t->bits[frame * t->spec.info_bits + i];
        }
    return wrong;
}

static size_t try_once(uint64_t seed, double db)
{
    struct trial t = {};
    size_t wrong;

    seed_rng(seed);
    t.spec.code = {7, 2, {0133, 0171}};
    t.spec.termination = one_in(2) ? VITERBI_ZERO : VITERBI_TRUNCATED;
    t.spec.start = one_in(2) ? VITERBI_BEST : VITERBI_ANY;
    t.spec.info_bits = 7 + draw(one_in(3) ? 4000 : 900);
    t.spec.wrap_limit = 1;
    t.spec.llr_max = LLR_MAX;
    t.frames = 1 + draw(one_in(2) ? 70 : 8);
    t.stride = 2 * viterbi_frame_steps(&t.spec);
    fill_llrs(&t, db);
    make_job(&t);
    run_warp(&t);
    decode_ref(&t);
    wrong = count_wrong(&t);
    if (wrong)
        diag("FECRUN_TEST_SEED=%" PRIu64 ": %zu bits differ: %zu frames of %zu bits, %s, start %d, "
             "f %" PRIu64 ", v1 %" PRIu64 ", %" PRIu64 " pieces, %u lanes",
             seed, wrong, t.frames, t.spec.info_bits, termination_names[t.spec.termination],
             (int)t.spec.start, t.job.f, t.job.v1, t.job.row, t.job.lanes);
    free(t.llr);
    free(t.out);
    free(t.ring);
    free(t.scratch);
    free(t.bits);
    return wrong;
}

int main(void)
{
    const uint64_t seed = number_of_env("FECRUN_TEST_SEED", 1), n = rounds(12);

    pthread_barrier_init(&barrier, NULL, LANES);
    for (int db = -1; db <= 3; db += 2) {
        size_t wrong = 0;

        for (uint64_t i = 0; i < n; i++)
            wrong += try_once(seed + i, db) != 0;
        is_int((int)wrong, 0, "a warp with whole frames, %d dB", db);
    }
    pthread_barrier_destroy(&barrier);
    return done_testing();
}
