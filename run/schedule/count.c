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

static void note_place(struct run_part *part, uint64_t frame)
{
    part->last_wrong = frame;
    if (part->n_places < RUN_PLACES)
        part->places[part->n_places++] = frame;
}

/* Frames of a row, of the batch's first n. */
static uint64_t of_row(const struct shape *shape, size_t r, uint64_t n)
{
    const struct shape_row *row = &shape->rows[r];
    const uint64_t rest = n % shape->round, part = rest > row->first ? rest - row->first : 0;

    return n / shape->round * row->count + (part < row->count ? part : row->count);
}

static void add_rows(struct run_counts *counts, const struct shape *shape, struct run_class *rows,
                     uint64_t begin, uint64_t end)
{
    counts->frames = end - begin;
    for (size_t r = 0; r < shape->n_rows; r++) {
        const struct plan *plan = shape->plans[shape->rows[r].class];
        rows[r].frames = of_row(shape, r, end) - of_row(shape, r, begin);
        rows[r].bits = rows[r].frames * frame_bits(plan);
        counts->bits += rows[r].bits;
        counts->info_bits += rows[r].frames * info_bits(plan);
        counts->bit_errors += rows[r].bit_errors;
    }
}

const char *count_slot(struct run_part *part, const struct exec *exec, const struct slot *slot,
                       uint64_t skip, const struct run_limits *limits)
{
    const struct shape *shape = slot->shape->tail_items ? &exec->tail : exec->shape;
    const size_t last = exec->graph->n - 1;
    const struct graph_link sink = exec->graph->stages[last].in[0];
    const struct shape_level *finest = &shape->levels[shape->blocks];
    struct fecrun_frame_info *infos = slot->info.ptr;
    const struct fecrun_frame_info *block = infos + finest->infos;
    const struct fecrun_frame_info *info =
        infos + shape_level(shape, (size_t)sink.stage, (unsigned)sink.port)->infos;
    const bool whole = shape->n_levels == 1; /* frames are of one piece */
    const uint64_t all = slot_frames(slot), left = all > skip ? all - skip : 0;
    const bool ends = limits->frames && limits->frames <= left;
    const uint64_t end = skip + (ends ? limits->frames : left);
    struct run_class one = {0}, *rows = part->counts.rows ? part->counts.rows : &one;
    const char *stop = ends ? "frames" : NULL;
    uint64_t frame = whole ? skip : 0;

    while (frame < end) {
        const uint64_t good = whole ? add_good(&part->counts, infos + frame, end - frame) : 0;
        const size_t r = shape_span_of(shape, frame += good) % shape->n_rows;
        const struct plan *plan = shape->plans[shape->rows[r].class];
        const uint32_t pieces = plan_input(plan, last, 0)->pieces;
        const uint32_t blocks = plan->stages[finest->stage].out[finest->port].pieces;
        struct fecrun_frame_info sum;
        if (frame == end)
            break;
        if (frame >= skip) {
            sum = whole ? infos[frame] : sum_of(info, pieces);
            add_frame(&part->counts, &rows[r], &sum);
            if (sum.flags & FECRUN_FRAME_COUNTED && sum.bit_errors)
                note_place(part, slot->first_frame + frame);
            infos[frame] = sum; /* for who pairs frames */
            for (uint32_t b = 0; b < blocks; b++)
                add_block(&part->counts, whole ? &sum : block + b);
        }
        frame++;
        info += pieces;
        block += blocks;
        if (limits->frame_errors && part->counts.frame_errors >= limits->frame_errors) {
            stop = "frame_errors";
            break;
        }
    }
    add_rows(&part->counts, shape, rows, skip < frame ? skip : frame, frame);
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
