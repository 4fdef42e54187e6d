/* SPDX-License-Identifier: BSD-2-Clause */
/* How whole frames are cut into pieces for the kernels of frames.cuh; nothing here needs
 * CUDA. */
#include "plugins/viterbi/code/puncture.h"
#include "plugins/viterbi/cuda/registers/plan.h"

/*
 * Steps after which a piece has the metrics that the frame's decoder has, at rate 1/2: at 2 dB 0.05 %
 * of pieces had others after 128 steps, none of 62475 after 192.
 */
#define MEET 192

uint32_t viterbi_registers_meet(const struct viterbi_spec *spec,
                                const struct puncture_code *pattern)
{
    const double steps = pattern ? (double)(pattern->period / pattern->rows) : 1;
    const double sent = pattern ? (double)pattern->sent : spec->code.n;

    return sent > 1.05 * steps ? (uint32_t)(MEET * 0.5 * sent / (sent - steps)) : 10 * MEET;
}

uint32_t viterbi_registers_pieces(const struct viterbi_spec *spec, uint32_t meet, uint64_t places,
                                  uint64_t frames)
{
    const uint64_t steps = viterbi_frame_steps(spec), least = 2 * (uint64_t)meet;
    uint32_t pieces = 1;

    while (pieces < REGISTERS_MOST_PIECES && 2 * pieces * frames <= places &&
           2 * pieces * least <= steps)
        pieces *= 2;
    return pieces;
}

bool viterbi_registers_proves(const struct viterbi_spec *spec)
{
    return spec->f0 == 0 && spec->f == 0 &&
           (spec->termination == VITERBI_ZERO || spec->termination == VITERBI_TRUNCATED);
}

size_t viterbi_registers_frames_bytes(const struct registers_job *job, uint32_t block_bytes)
{
    const size_t notes = (size_t)job->blocks + 1; /* of each of two tiles */

    return (REGISTERS_KEPT((size_t)job->blocks) + 2) * block_bytes +
           notes * REGISTERS_THREADS * 2 * sizeof(uint32_t);
}

/*
 * Pieces: f steps from one to the next, v1 that a piece goes back to meet the metrics of the one
 * before. The last piece ends no earlier than what the others need, a byte to compare included.
 */
static void cut_frames(struct registers_job *job, uint32_t pieces, uint32_t meet)
{
    job->row = pieces;
    job->items = job->in.frames * pieces;
    job->v1 = 0;
    if (pieces == 1)
        return;
    job->v1 = (meet + 31) / 32 * 32;
    job->f = (job->T - job->v2 - job->v1 - 8) / pieces / 8 * 8;
}

void viterbi_registers_frames(struct registers_job *job, const struct viterbi_spec *spec,
                              uint32_t pieces, uint32_t meet)
{
    const unsigned memory = spec->code.K - 1;
    uint64_t bits;

    job->v2 = memory + 8 * (REGISTERS_TRACED_STEPS - 1);
    cut_frames(job, pieces, meet);
    bits = job->info_bits - (pieces - 1) * job->f;
    if (pieces > 1 && bits < job->f + job->v1 + 8) /* and a byte to compare */
        bits = job->f + job->v1 + 8;
    job->lead = (0u - memory) & 7;
    job->out_blocks = 1;
    job->skip = REGISTERS_TRACED_STEPS - 1;
    job->delay = (uint32_t)(job->lead + job->v2) / 8;
    job->blocks = (uint32_t)(job->delay + (bits - 1) / 8 + 1);
    job->word_stores = job->word_stores && (pieces == 1 || job->f % 32 == 0);
}
