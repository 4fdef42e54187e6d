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

static void add_frame(struct run_counts *counts, struct run_class *row,
                      const struct fecrun_frame_info *info)
{
    bool wrong = info->flags & FECRUN_FRAME_COUNTED && info->bit_errors;
    bool failed = info->flags & FECRUN_FRAME_CHECKED && info->flags & FECRUN_FRAME_FAILED;

    counts->frames++;
    row->frames++;
    counts->counted |= (info->flags & FECRUN_FRAME_COUNTED) != 0;
    counts->checked |= (info->flags & FECRUN_FRAME_CHECKED) != 0;
    if (wrong)
        counts->squares = stats_add_squares(counts->squares,
                                            (uint64_t)info->bit_errors * info->bit_errors);
    counts->frame_errors += wrong;
    counts->failed += failed;
    counts->undetected += wrong && !failed && info->flags & FECRUN_FRAME_CHECKED;
    row->bit_errors += wrong ? info->bit_errors : 0;
    row->frame_errors += wrong;
}

/* Adds frames up to the first one with something wrong, at most n, none of them in pieces. Returns how many. Most have
   nothing wrong, and the host has a few ns for each. */
static uint64_t add_good(struct run_counts *counts, const struct fecrun_frame_info *info,
                         uint64_t n)
{
    uint64_t f = 0, iterations = 0;
    uint32_t flags = 0, most = 0;

    for (; f < n && !info[f].bit_errors && !(info[f].flags & FECRUN_FRAME_FAILED); f++) {
        flags |= info[f].flags;
        iterations += info[f].iterations;
        most = info[f].iterations > most ? info[f].iterations : most;
    }
    counts->counted |= (flags & FECRUN_FRAME_COUNTED) != 0;
    counts->checked |= (flags & FECRUN_FRAME_CHECKED) != 0;
    counts->blocks += f;
    counts->blocks_judged |= (flags & (FECRUN_FRAME_COUNTED | FECRUN_FRAME_CHECKED)) != 0;
    counts->iterations += iterations;
    counts->iterations_max = most > counts->iterations_max ? most : counts->iterations_max;
    return f;
}

/* Where the infos of a batch's frames stand: those that the sink sees, and those of the smallest pieces. */
struct walk {
    const struct slot *slot;
    const struct fecrun_frame_info *info, *block;
    uint64_t frame, skip;
    bool whole; /* all frames are of one piece */
    const struct run_limits *limits;
};

/* Frames of a row up to `end`, of so many pieces each. Returns the rule that stops the point. */
static const char *count_row(struct run_part *part, struct run_class *row, struct walk *w,
                             uint64_t end, uint32_t pieces, uint32_t blocks)
{
    const uint64_t most = w->limits->frames ? w->limits->frames : UINT64_MAX;
    struct run_counts *counts = &part->counts;

    for (; w->frame < end; w->frame++, w->info += pieces, w->block += blocks) {
        const uint64_t left = end - w->frame, room = most - counts->frames;
        uint64_t n = 0;
        struct fecrun_frame_info sum;
        if (w->frame < w->skip)
            continue;
        if (w->whole)
            n = add_good(counts, w->info, left < room ? left : room);
        counts->frames += n;
        row->frames += n;
        w->frame += n, w->info += n, w->block += n;
        if (counts->frames == most)
            return "frames";
        if (w->frame == end)
            break;
        sum = sum_of(w->info, pieces);
        add_frame(counts, row, &sum);
        if (sum.flags & FECRUN_FRAME_COUNTED && sum.bit_errors) {
            part->last_wrong = w->slot->first_frame + w->frame;
            if (part->n_places < RUN_PLACES)
                part->places[part->n_places++] = part->last_wrong;
        }
        ((struct fecrun_frame_info *)w->slot->info.ptr)[w->frame] = sum; /* for who pairs frames */
        for (uint32_t b = 0; b < blocks; b++)
            add_block(counts, w->block + b);
        if (w->limits->frame_errors && counts->frame_errors >= w->limits->frame_errors)
            return "frame_errors";
        if (counts->frames == most)
            return "frames";
    }
    return NULL;
}

const char *count_slot(struct run_part *part, const struct exec *exec, const struct slot *slot,
                       uint64_t skip, const struct run_limits *limits)
{
    const struct shape *shape = slot->shape->tail_items ? &exec->tail : exec->shape;
    const size_t last = exec->graph->n - 1;
    const struct graph_link sink = exec->graph->stages[last].in[0];
    const struct shape_level *finest = &shape->levels[shape->blocks];
    const struct fecrun_frame_info *infos = slot->info.ptr;
    const uint64_t frames = slot_frames(slot);
    struct run_class all = {0}, *rows = part->counts.rows ? part->counts.rows : &all;
    struct walk w = {.slot = slot, .block = infos + finest->infos, .skip = skip, .limits = limits};
    const char *stop = NULL;

    w.info = infos + shape_level(shape, (size_t)sink.stage, (unsigned)sink.port)->infos;
    w.whole = shape->n_levels == 1;
    for (uint64_t base = 0; !stop && base < frames; base += shape->round)
        for (size_t r = 0; !stop && r < shape->n_rows; r++) {
            const uint64_t end = base + shape->rows[r].first + shape->rows[r].count;
            const struct plan *plan = shape->plans[shape->rows[r].class];
            stop = count_row(part, &rows[r], &w, end < frames ? end : frames,
                             w.whole ? 1 : plan_input(plan, last, 0)->pieces,
                             w.whole ? 1 : plan->stages[finest->stage].out[finest->port].pieces);
        }
    for (size_t r = 0; r < shape->n_rows; r++) {
        const struct plan *plan = shape->plans[shape->rows[r].class];
        rows[r].bits = rows[r].frames * frame_bits(plan);
        part->counts.bits += rows[r].bits;
        part->counts.info_bits += rows[r].frames * info_bits(plan);
        part->counts.bit_errors += rows[r].bit_errors;
    }
    return stop;
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
