/* SPDX-License-Identifier: BSD-2-Clause */
/* Arguments and limits of the kernels in registers. Nothing here needs CUDA. */
#include <string.h>

#include "plugins/viterbi/cuda/registers/plan.h"

static uint64_t min_u64(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* The smallest number from `least` on that is `rest` modulo 8. */
static uint32_t round_up_to(uint64_t least, unsigned rest)
{
    return (uint32_t)(least + ((rest - least) & 7));
}

static uint32_t settle_steps(const struct viterbi_code *code)
{
    uint16_t work[4 << (REGISTERS_MAX_K - 1)];
    struct viterbi_range range;

    viterbi_code_range(code, 8, work, &range);
    return range.settle;
}

/* Metrics of a word: what state 0 has at the beginning of each four steps, the largest before each
 * step beside a known start, the largest of all. BASE and ABOVE of struct lanes16 and lanes15. */
static const struct {
    unsigned base, early, top;
} lanes[] = {[REGISTERS_LANES_16] = {102, 230, 255}, [REGISTERS_LANES_15] = {50, 114, 126}};

/* With metrics in so many steps of resolution. */
static int limit_of(const struct viterbi_code *code, unsigned resolution,
                    enum registers_lanes which)
{
    const unsigned base = lanes[which].base, early = lanes[which].early, top = lanes[which].top;
    uint16_t work[4 << (REGISTERS_MAX_K - 1)];
    struct viterbi_range range;
    unsigned limit;

    if (code->K > REGISTERS_MAX_K)
        return 0;
    viterbi_code_range(code, 4, work, &range);
    limit = (unsigned)min_u64(base * resolution / range.down, (top - base) * resolution / range.up);
    limit = (unsigned)min_u64(limit, (top - early) * resolution / code->n);
    return (int)min_u64(limit, early * resolution / (range.early + 2 * code->n));
}

int viterbi_registers_limit(const struct viterbi_code *code, enum registers_lanes which)
{
    return limit_of(code, 1, which);
}

/* Metrics differ by less than half of what words hold, too: their differences have signs. */
int viterbi_registers_fine_limit(const struct viterbi_code *code)
{
    uint16_t work[4 << (REGISTERS_MAX_K - 1)];
    struct viterbi_range range;
    const int limit = limit_of(code, 16, REGISTERS_LANES_16);

    if (limit == 0)
        return 0;
    viterbi_code_range(code, 4, work, &range);
    return (int)min_u64((uint64_t)limit, 2047 / range.early);
}

const char *viterbi_registers_problem(const struct viterbi_spec *spec, enum registers_kind *kind)
{
    const unsigned memory = spec->code.K - 1;
    const size_t steps = viterbi_frame_steps(spec);

    *kind = spec->f0 == 0                ? REGISTERS_WHOLE
            : spec->start == VITERBI_ANY ? REGISTERS_ANY
                                         : REGISTERS_STORED;
    if (viterbi_wraps_around(spec)) {
        *kind = REGISTERS_WRAP;
        return spec->is_float ? "its metrics of tail-biting frames are integers" : NULL;
    }
    if (spec->termination == VITERBI_TAIL_BITING)
        return "it does not cut tail-biting frames into tiles";
    if (steps < spec->code.K)
        return "the frames are too short";
    if (viterbi_frame_tiles(spec) > 1 && spec->f % 8)
        return "tile.f is not a multiple of 8";
    if (spec->f > UINT32_MAX / 16 || steps > UINT32_MAX / 16)
        return "the tiles are too long";
    if (spec->is_float && *kind == REGISTERS_WHOLE)
        return "f32 LLRs need sub-frames";
    if (spec->is_float && spec->v1 % 8 && spec->f != 0)
        return "tile.v1 is not a multiple of 8, as f32 LLRs need it";
    if (*kind == REGISTERS_WHOLE)
        return NULL;
    if (spec->f0 % 8 || spec->f0 > 8 * REGISTERS_MAX_BYTES)
        return "tile.f0 is not 8, 16, 24 or 32";
    if (spec->v2 < memory || (spec->v2 - memory) % 8)
        return "tile.v2 is not K - 1 and a multiple of 8";
    return NULL;
}

/*
 * Sub-frames: an output byte is the tag of one block, so block ends lie K - 1 steps behind the ends
 * of bytes: lead = -(K - 1) modulo 8, and v2 = K - 1 modulo 8.
 */
static void plan_sub_frames(struct registers_job *job, const struct viterbi_spec *spec)
{
    const unsigned memory = spec->code.K - 1;
    const uint64_t sub_frames = (min_u64(job->f, job->info_bits) - 1) / spec->f0 + 1;
    uint64_t lead = job->v1;

    if (spec->termination != VITERBI_CONTINUOUS)
        lead = min_u64(lead, (job->row - 1) * job->f);
    job->lead = round_up_to(lead, 0u - memory);
    job->skip = (uint32_t)(spec->v2 - memory) / 8;
    job->out_blocks = (uint32_t)spec->f0 / 8;
    job->delay = (uint32_t)(job->lead + spec->v2) / 8;
    job->blocks = (uint32_t)(job->delay + sub_frames * job->out_blocks);
}

static const struct registers_order straight = {
    {0x5410, 0x7632}, {0x8804, 0xaa24}, {0x9914, 0xbb34}};
static const struct registers_order crossed = {
    {0x4501, 0x6723}, {0x9914, 0xbb34}, {0x8804, 0xaa24}};

void viterbi_registers_fill(struct registers_job *job, const struct viterbi_spec *spec,
                            bool swapped)
{
    job->order = swapped ? crossed : straight;
    job->swapped = swapped;
    job->threads = REGISTERS_THREADS;
    job->lanes = 32;
    job->tiles = 2;
    job->T = viterbi_frame_steps(spec);
    job->one = 1;
    job->f = spec->f == 0 ? job->T : min_u64(spec->f, job->T);
    job->v1 = spec->v1;
    job->v2 = spec->v2;
    job->info_bits = spec->info_bits;
    job->termination = spec->termination;
    job->whole = spec->f == 0 && spec->termination != VITERBI_CONTINUOUS;
    job->from_any = spec->start == VITERBI_ANY;
    job->settle = settle_steps(&spec->code);
    job->first = job->skip_items = 0;
    job->row = viterbi_frame_tiles(spec);
    job->items = job->in.frames * job->row;
    if (spec->f0)
        plan_sub_frames(job, spec);
    /* words of four bytes that no two tiles share */
    job->word_stores = ((uintptr_t)job->out.packed | job->out.stride) % 4 == 0 &&
                       (job->row == 1 || job->f % 32 == 0);
}

/* Whole tiles: the last step is the last of a block. */
void viterbi_registers_group(struct registers_job *job, const struct viterbi_group *group)
{
    const uint64_t behind = group->tile.steps - group->tile.lead;

    job->first = group->first;
    job->row = group->row;
    job->skip_items = group->skip;
    job->items = group->items;
    job->lead = round_up_to(group->tile.lead, (unsigned)(0u - behind) & 7);
    job->blocks = (uint32_t)((job->lead + behind) / 8);
}

static uint32_t rank_of(const uint16_t *rank, uint32_t period, uint32_t sent, uint32_t p)
{
    return p / period * sent + (rank[p % period] & VITERBI_RANK);
}

const char *viterbi_registers_spread(const uint16_t *rank, uint32_t period, uint32_t sent,
                                     struct registers_spread *spread)
{
    const uint32_t columns = period / 2;

    for (uint32_t column = 0; column < columns; column++) {
        const uint32_t start = rank_of(rank, period, sent, 2 * column);
        struct registers_spread *s = &spread[column];

        memset(s, 0, sizeof *s);
        for (uint32_t i = 0; i < 16; i++) {
            const uint32_t g = i / 4, p = 2 * column + i, shift = 4 * (i % 4);
            const uint32_t at = rank_of(rank, period, sent, p) - start;
            const uint32_t head = rank_of(rank, period, sent, p - i % 4) - start;
            const uint32_t far = (g == 2 && head >= 4) || (g == 3 && head >= 8);
            const uint32_t base = (g == 3 ? 4 : 0) + 4 * far;

            if (i % 4 == 0)
                s->select[g] |= far << 16;
            if (!(rank[p % period] & VITERBI_SENT))
                continue;
            if (at < base || at - base > (g == 0 ? 3 : 7))
                return "sends too few of the items";
            s->select[g] |= (at - base) << shift;
            s->mask[g] |= 0xffu << 2 * shift;
        }
        s->select[0] |= (rank_of(rank, period, sent, 2 * column + 16) - start) << 24;
        s->select[1] |= (column + 8) % columns << 24;
    }
    return NULL;
}
