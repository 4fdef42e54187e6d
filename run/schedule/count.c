/* SPDX-License-Identifier: BSD-2-Clause */
#include "run/schedule/schedule.h"

#include "core/batch/exec.h"
#include "run/schedule/stats.h"

/* Of the source; where that is unknown (LLRs of a file), what was decoded. */
static uint64_t info_bits(const struct plan *plan)
{
    const struct fecrun_frame *frame = plan_input(plan, plan->graph->n - 1, 0);

    if (frame->info_bits)
        return frame->info_bits;
    return frame->kind == FECRUN_KIND_BITS ? frame->items * frame->pieces : 0;
}

/* What the sink compares, coded bits too, for the error rate is of those; else information bits. */
static uint64_t frame_bits(const struct plan *plan)
{
    const size_t sink = plan->graph->n - 1;
    const struct fecrun_frame *frame = plan_input(plan, sink, 0);

    return plan_flags(plan, sink) & FECRUN_STAGE_COUNTS ? frame->items * frame->pieces
                                                        : info_bits(plan);
}

/* One of the source's frames is as bad as its pieces together. */
static struct fecrun_frame_info sum_of(const struct fecrun_frame_info *pieces, uint32_t n)
{
    struct fecrun_frame_info sum = pieces[0];

    for (uint32_t i = 1; i < n; i++) {
        sum.flags |= pieces[i].flags;
        sum.bit_errors += pieces[i].flags & FECRUN_FRAME_COUNTED ? pieces[i].bit_errors : 0;
    }
    return sum;
}

/* Where no sink has counted a block's errors, its check tells. */
static void add_block(struct run_counts *counts, const struct fecrun_frame_info *info)
{
    counts->blocks++;
    counts->blocks_judged |= (info->flags & (FECRUN_FRAME_COUNTED | FECRUN_FRAME_CHECKED)) != 0;
    counts->block_errors += info->flags & FECRUN_FRAME_COUNTED
                                ? info->bit_errors != 0
                                : (info->flags & FECRUN_FRAME_CHECKED &&
                                   info->flags & FECRUN_FRAME_FAILED);
    counts->iterations += info->iterations;
    if (info->iterations > counts->iterations_max)
        counts->iterations_max = info->iterations;
}

static void add_frame(struct run_counts *counts, struct run_class *row, uint64_t bits,
                      const struct fecrun_frame_info *info)
{
    bool wrong = info->flags & FECRUN_FRAME_COUNTED && info->bit_errors;
    bool failed = info->flags & FECRUN_FRAME_CHECKED && info->flags & FECRUN_FRAME_FAILED;

    counts->frames++;
    counts->bits += bits;
    counts->counted |= (info->flags & FECRUN_FRAME_COUNTED) != 0;
    counts->checked |= (info->flags & FECRUN_FRAME_CHECKED) != 0;
    counts->bit_errors += wrong ? info->bit_errors : 0;
    if (wrong)
        counts->squares = stats_add_squares(counts->squares,
                                            (uint64_t)info->bit_errors * info->bit_errors);
    counts->frame_errors += wrong;
    counts->failed += failed;
    counts->undetected += wrong && !failed && info->flags & FECRUN_FRAME_CHECKED;
    if (!row)
        return;
    row->frames++;
    row->bits += bits;
    row->bit_errors += wrong ? info->bit_errors : 0;
    row->frame_errors += wrong;
}

/* Up to which frame have all from this one on nothing wrong? Most have not, and the host has a few ns for each. */
static uint64_t good_until(const struct fecrun_frame_info *info, uint64_t frame, uint64_t frames)
{
    enum { STEP = 16 };

    for (; frame + STEP <= frames; frame += STEP) {
        uint64_t errors = 0;
        uint32_t flags = 0;
        for (unsigned i = 0; i < STEP; i++) {
            errors |= info[frame + i].bit_errors;
            flags |= info[frame + i].flags;
        }
        if (errors || flags & FECRUN_FRAME_FAILED)
            break;
    }
    while (frame < frames && !info[frame].bit_errors && !(info[frame].flags & FECRUN_FRAME_FAILED))
        frame++;
    return frame;
}

/* n frames of a row with nothing wrong, none of them in pieces. sent: information bits of each. */
static void add_good(struct run_counts *counts, struct run_class *row, uint64_t bits, uint64_t sent,
                     const struct fecrun_frame_info *info, uint64_t n)
{
    uint64_t iterations = 0;
    uint32_t flags = 0, most = 0;

    for (uint64_t f = 0; f < n; f++) {
        flags |= info[f].flags;
        iterations += info[f].iterations;
        most = info[f].iterations > most ? info[f].iterations : most;
    }
    counts->frames += n;
    counts->bits += n * bits;
    counts->info_bits += n * sent;
    counts->counted |= (flags & FECRUN_FRAME_COUNTED) != 0;
    counts->checked |= (flags & FECRUN_FRAME_CHECKED) != 0;
    counts->blocks += n;
    counts->blocks_judged |= (flags & (FECRUN_FRAME_COUNTED | FECRUN_FRAME_CHECKED)) != 0;
    counts->iterations += iterations;
    counts->iterations_max = most > counts->iterations_max ? most : counts->iterations_max;
    if (row) {
        row->frames += n;
        row->bits += n * bits;
    }
}

/* Frames from `frame` on with nothing wrong that may be counted at once: up to the end of a row, and to a limit. */
static uint64_t good_frames(const struct run_counts *counts, uint64_t n,
                            const struct run_limits *limits)
{
    const uint64_t left = limits->frames ? limits->frames - counts->frames : UINT64_MAX;

    return n < left ? n : left;
}

static void note_place(struct run_part *part, uint64_t frame)
{
    part->last_wrong = frame;
    if (part->n_places < RUN_PLACES)
        part->places[part->n_places++] = frame;
}

const char *count_slot(struct run_part *part, const struct exec *exec, const struct slot *slot,
                       uint64_t skip, const struct run_limits *limits)
{
    struct run_counts *counts = &part->counts;
    const struct shape *shape = slot->shape->tail_items ? &exec->tail : exec->shape;
    const size_t last = exec->graph->n - 1;
    const struct graph_link sink = exec->graph->stages[last].in[0];
    const struct shape_level *finest = &shape->levels[shape->blocks];
    struct fecrun_frame_info *infos = slot->info.ptr;
    const struct fecrun_frame_info *block = infos + finest->infos;
    const struct fecrun_frame_info *info =
        infos + shape_level(shape, (size_t)sink.stage, (unsigned)sink.port)->infos;
    const uint64_t frames = slot_frames(slot);
    uint64_t frame = 0, good = 0;

    for (size_t k = 0; frame < frames; k++) {
        const struct shape_row span = shape_span(shape, k);
        const struct plan *plan = shape->plans[span.class];
        const struct fecrun_frame *seen = plan_input(plan, last, 0);
        const uint32_t blocks = plan->stages[finest->stage].out[finest->port].pieces;
        const uint64_t bits = frame_bits(plan), sent = info_bits(plan);
        struct run_class *row = span.block ? &counts->rows[k % shape->n_rows] : NULL;
        for (uint64_t f = 0; f < span.count && frame < frames; f++, frame++) {
            const struct fecrun_frame_info sum = sum_of(info, seen->pieces);
            if (shape->n_levels == 1 && frame >= skip) {
                uint64_t n = span.count - f;
                good = good > frame ? good : good_until(infos, frame, frames);
                n = good_frames(counts, good - frame < n ? good - frame : n, limits);
                if (n) {
                    add_good(counts, row, bits, sent, info, n);
                    info += n;
                    block += n;
                    f += n - 1;
                    frame += n - 1;
                    if (limits->frames && counts->frames >= limits->frames)
                        return "frames";
                    continue;
                }
            }
            if (frame < skip) {
                info += seen->pieces;
                block += blocks;
                continue;
            }
            add_frame(counts, row, bits, &sum);
            if (sum.flags & FECRUN_FRAME_COUNTED && sum.bit_errors)
                note_place(part, slot->first_frame + frame);
            counts->info_bits += sent;
            infos[frame] = sum; /* for who pairs frames */
            info += seen->pieces;
            for (uint32_t b = 0; b < blocks; b++)
                add_block(counts, block++);
            if (limits->frame_errors && counts->frame_errors >= limits->frame_errors)
                return "frame_errors";
            if (limits->frames && counts->frames >= limits->frames)
                return "frames";
        }
    }
    return NULL;
}

/* ---- All counters ---- */

#define ROW(name, how, kept, extra) {#name, kept, COUNT_##how, extra},
const struct run_counter run_counters[N_COUNTERS] = {RUN_COUNTERS(ROW)};

void run_counts_add(struct run_counts *to, const struct run_counts *counts, size_t n_rows)
{
    for (size_t k = 0; k < N_COUNTERS; k++) {
        const uint64_t sum = to->all[k], value = counts->all[k];
        const int how = run_counters[k].how;
        to->all[k] = how == COUNT_SQUARES ? stats_add_squares(sum, value)
                     : how == COUNT_MOST  ? (value > sum ? value : sum)
                     : how == COUNT_ANY   ? (sum | value)
                                          : sum + value;
    }
    for (size_t r = 0; to->rows && counts->rows && r < n_rows; r++) {
        to->rows[r].frames += counts->rows[r].frames;
        to->rows[r].bits += counts->rows[r].bits;
        to->rows[r].bit_errors += counts->rows[r].bit_errors;
        to->rows[r].frame_errors += counts->rows[r].frame_errors;
    }
}
