/* SPDX-License-Identifier: BSD-2-Clause */
/* The tables of plan.h for a code. */
#include "plugins/polar/cuda/bp/plan.h"

#include <math.h>
#include <string.h>

#include "plugins/polar/decode.h"

/* ---- Halves ---------------------------------------------------------------------------------- */

/* Nearest, ties to even; of what halves hold as normal numbers, and 0. */
static uint32_t half_of(double x)
{
    int exponent;
    const double m = frexp(fabs(x), &exponent);
    uint32_t rounded = (uint32_t)rint(ldexp(m, 11));

    if (rounded == 2048) {
        rounded = 1024;
        exponent++;
    }
    if (x == 0 || exponent < -13)
        return 0;
    return (x < 0 ? 0x8000u : 0) | (uint32_t)(exponent + 14) << 10 | (rounded & 1023);
}

static uint32_t both(double x)
{
    return half_of(x) * 0x10001u;
}

/* LLRs of 127 from all of N positions may add up, and have to stay well below 32768. */
static double unit_of(const struct polar_decode *d)
{
    return d->code->stages > 10 ? ldexp(1, 6 - (int)d->code->stages) : 1.0 / 16;
}

static const double sure = 32768;

bool polar_bp_half_takes(const struct polar_decode *d, uint32_t type)
{
    return type == FECRUN_I8 && d->rule == POLAR_MIN_SUM &&
           d->code->stages >= BP_HALF_LEAST_STAGES && d->code->stages <= BP_HALF_MOST_STAGES;
}

enum polar_bp_fit polar_bp_fit(const struct polar_decode *d, uint32_t type, size_t shared)
{
    const uint32_t stages = d->code->stages;

    if (polar_bp_half_takes(d, type) && polar_bp_half_words(stages) * sizeof(uint32_t) <= shared)
        return BP_FITS_HALF;
    return polar_bp_any_fit(stages, 1, shared);
}

enum polar_bp_fit polar_bp_any_fit(uint32_t stages, uint32_t together, size_t shared)
{
    const size_t bytes = polar_bp_any_bytes(stages) * (size_t)together;
    const size_t messages = polar_bp_any_floats(stages) * sizeof(float) * together;

    return bytes + messages <= shared ? BP_FITS_SHARED
           : bytes <= shared          ? BP_FITS_GLOBAL
                                      : BP_FITS_NOT;
}

/* ---- What goes out --------------------------------------------------------------------------- */

uint32_t polar_bp_positions(const struct polar_decode *d)
{
    return (d->code->k + 31) / 32 * 32;
}

void polar_bp_fill_positions(uint16_t *position, const struct polar_decode *d)
{
    for (uint32_t i = 0; i < polar_bp_positions(d); i++)
        position[i] = i < d->code->k ? d->code->position[i] : 0;
}

void polar_bp_fill_syndrome(uint32_t *syndrome, const struct polar_decode *d)
{
    uint32_t state;

    memset(syndrome, 0, d->code->n * sizeof *syndrome);
    if (!d->crc.width)
        return;
    state = polar_crc_step(&d->crc, 0, 1);
    for (uint32_t i = d->code->k; i-- > 0;) {
        syndrome[d->code->position[i]] = state;
        state = polar_crc_step(&d->crc, state, 0);
    }
}

static uint32_t right_syndrome(const struct polar_decode *d)
{
    uint32_t state = d->crc.start;

    for (uint32_t i = 0; i < d->code->k && d->crc.width; i++)
        state = polar_crc_step(&d->crc, state, 0);
    return state ^ d->crc.rest;
}

void polar_bp_fill(struct polar_bp_job *job, const struct polar_decode *d)
{
    job->frames.n = d->code->n;
    job->frames.k = d->code->k;
    job->frames.checked = d->crc.width > 0;
    job->right = right_syndrome(d);
    job->stages = d->code->stages;
    job->iterations = d->iterations;
    job->stop = d->stop;
}

/* ---- bp_any ---------------------------------------------------------------------------------- */

void polar_bp_fill_frozen(uint32_t *frozen, const struct polar_decode *d)
{
    memset(frozen, 0, d->code->n / 32 * sizeof *frozen);
    for (uint32_t i = 0; i < d->code->n; i++)
        frozen[i / 32] |= (uint32_t)(d->code->kind[i] == POLAR_FROZEN) << i % 32;
}

void polar_bp_any_fill(struct polar_bp_any_job *job, const struct polar_decode *d, uint32_t type)
{
    const bool ratio = d->rule == POLAR_SUM_PRODUCT_LR;

    polar_bp_fill(&job->bp, d);
    job->type = type;
    job->rule = d->rule;
    job->scale = (float)d->scale;
    job->limit = (float)d->limit;
    job->llr_scale = (float)d->llr_scale;
    job->nothing = ratio ? 1 : 0;
    job->most = ratio                          ? expf(POLAR_BP_MOST_LOG_RATIO)
                : d->rule == POLAR_SUM_PRODUCT ? (float)POLAR_BP_MOST_LLR
                                               : FECRUN_LLR_MAX_F32;
}

/* ---- bp_half --------------------------------------------------------------------------------- */

void polar_bp_fill_pairs(uint32_t *pairs, const struct polar_decode *d)
{
    const uint32_t scale = half_of(d->scale), zero = half_of(sure);

    for (uint32_t i = 0; i < d->code->n; i += 2) {
        const bool left = d->code->kind[i] == POLAR_FROZEN,
                   right = d->code->kind[i + 1] == POLAR_FROZEN;

        pairs[i] = (left && !right ? scale : 0) | (left && right ? zero : 0) << 16;
        pairs[i + 1] = right ? zero : 0;
    }
}

static uint32_t free_of(const struct polar_decode *d, uint32_t block)
{
    uint32_t mask = 0;

    for (uint32_t i = 0; i < 16; i++)
        mask |= (uint32_t)(d->code->kind[16 * block + i] != POLAR_FROZEN) << i;
    return mask;
}

static uint32_t kind_of(uint32_t free)
{
    return free == 0        ? BP_FROZEN_BLOCK
           : free == 0xffff ? BP_FREE_BLOCK
           : free == 0x8000 ? BP_REPEATED_BLOCK
                            : BP_ANY_BLOCK;
}

/* That thread of a block, whose place in stages 0 .. 3 is known. */
static struct polar_bp_thread thread_of(const struct polar_decode *d, uint32_t thread,
                                        uint32_t block, uint32_t pair)
{
    const uint32_t n = d->code->n, stages = d->code->stages, pairs = polar_bp_half_pairs(stages);
    const uint32_t each_4 = polar_bp_place_4(n), each_8 = stages > 8 ? polar_bp_place_8(n) : 0;
    const uint32_t mine = thread / (n / 16), number = thread % (n / 16);
    const uint32_t middle = number / 16 * 256 + number % 16, begin_8 = pairs * each_4;
    const uint32_t last = each_8 ? begin_8 + mine * each_8 : mine * each_4;
    struct polar_bp_thread t = {.place.block = (uint8_t)block, .place.pair = (uint8_t)pair};

    t.place.kind = (uint8_t)kind_of(free_of(d, block));
    t.place.free = free_of(d, block) * 0x10001u;
    t.place.first_4 = 4 * (pair * each_4 + polar_bp_place_4(16 * block));
    t.middle_4 = 4 * (mine * each_4 + polar_bp_place_4(middle));
    t.middle_8 = 4 * (begin_8 + mine * each_8 + polar_bp_place_8(middle));
    t.last = 4 * (last + number);
    t.received = 4 * (begin_8 + pairs * each_8 + 4 * thread);
    return t;
}

/*
 * Cheap blocks first, so that whole warps have nothing else; of one kind such neighbours as 16-byte
 * accesses of eight threads to column 4 reach all banks.
 */
void polar_bp_fill_threads(uint32_t *thread, const struct polar_decode *d)
{
    struct polar_bp_thread *const threads = (struct polar_bp_thread *)(void *)thread;
    const uint32_t blocks = d->code->n / 16, all = polar_bp_half_threads(d->code->stages);
    bool used[BP_MOST_THREADS] = {false};

    for (uint32_t filled = 0, kind = 0, wanted = 0, missed = 0; filled < all; wanted++) {
        uint32_t i = 0;

        for (; i < all; i++)
            if (!used[i] && (kind_of(free_of(d, i % blocks)) == BP_ANY_BLOCK) == (kind == 1) &&
                polar_bp_place_4(16 * (i % blocks)) / 4 % 8 == wanted % 8)
                break;
        if (i < all) {
            missed = 0;
            used[i] = true;
            threads[filled] = thread_of(d, filled, i % blocks, i / blocks);
            filled++;
        } else if (++missed == 8) {
            kind++;
            missed = 0;
        }
    }
}

void polar_bp_half_fill(struct polar_bp_half_job *job, const struct polar_decode *d)
{
    polar_bp_fill(&job->bp, d);
    job->scale = both(d->scale);
    job->unit = both(unit_of(d));
    job->bias = both(-1152 * unit_of(d));
    job->most = both(127 * unit_of(d));
    job->sure = both(sure);
}
