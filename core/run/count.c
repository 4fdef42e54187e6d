/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/run/schedule.h"

/* Of the source; where that is unknown (LLRs of a file), what was decoded. */
static uint64_t info_bits(const struct plan *plan)
{
    const struct fecrun_frame *frame = plan_input(plan, plan->graph->n - 1, 0);

    if (frame->info_bits)
        return frame->info_bits;
    return frame->kind == FECRUN_BITS ? frame->items : 0;
}

/* What the sink compares, coded bits too, for the error rate is of those; else information bits. */
static uint64_t frame_bits(const struct plan *plan)
{
    const size_t sink = plan->graph->n - 1;

    return plan_flags(plan, sink) & FECRUN_COUNTS ? plan_input(plan, sink, 0)->items
                                                  : info_bits(plan);
}

static void add_frame(struct run_counts *counts, struct run_class *row, uint64_t bits,
                      const struct fecrun_frame_info *info)
{
    bool wrong = info->flags & FECRUN_COUNTED && info->bit_errors;
    bool failed = info->flags & FECRUN_CHECKED && info->flags & FECRUN_FAILED;

    counts->frames++;
    counts->bits += bits;
    counts->counted |= (info->flags & FECRUN_COUNTED) != 0;
    counts->checked |= (info->flags & FECRUN_CHECKED) != 0;
    counts->bit_errors += wrong ? info->bit_errors : 0;
    counts->frame_errors += wrong;
    counts->failed += failed;
    counts->undetected += wrong && !failed && info->flags & FECRUN_CHECKED;
    counts->iterations += info->iterations;
    if (info->iterations > counts->iterations_max)
        counts->iterations_max = info->iterations;
    if (!row)
        return;
    row->frames++;
    row->bits += bits;
    row->bit_errors += wrong ? info->bit_errors : 0;
    row->frame_errors += wrong;
}

const char *count_slot(struct run_counts *counts, const struct exec *exec, const struct slot *slot,
                       const struct run_limits *limits)
{
    const struct fecrun_frame_info *info = slot->info.ptr;
    const struct shape *shape = slot->shape->tail_items ? &exec->tail : exec->shape;
    uint64_t frame = 0;

    for (size_t r = 0; r < shape->n_rows && frame < slot->frames; r++) {
        const struct plan *plan = shape->plans[shape->rows[r].class];
        uint64_t bits = frame_bits(plan), sent = info_bits(plan);
        struct run_class *row = shape->rows[r].block ? &counts->rows[r] : NULL;
        for (uint64_t f = 0; f < shape->rows[r].count && frame < slot->frames; f++, frame++) {
            add_frame(counts, row, bits, &info[frame]);
            counts->info_bits += sent;
            if (limits->frame_errors && counts->frame_errors >= limits->frame_errors)
                return "frame_errors";
            if (limits->frames && counts->frames >= limits->frames)
                return "frames";
        }
    }
    return NULL;
}
