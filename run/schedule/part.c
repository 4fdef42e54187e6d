/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Parts of a run: what was counted between two calls of save(). Batches need not stop for it: the
 * counts are cumulative, a part is a difference, and only what is no sum (the maximum, places) is
 * kept apart.
 */
#include "run/schedule/turn.h"

#include "run/schedule/stats.h"

#include <stdlib.h>
#include <string.h>

/* A run of an hour is saved every 14 s, so a killed one has lost 0.4 % of it. */
#define SAVE_SHARE 256
#define SAVE_MOST 60.0

static size_t n_rows(const struct run *run)
{
    return run->counts->rows ? run->exec->shape->n_rows : 0;
}

int part_begin(struct run *run, struct diag *diag)
{
    struct saving *s = &run->saving;
    const size_t n = n_rows(run);

    s->part.first = run->options->first_frame + run->options->lead;
    if (!n || !run->options->save)
        return 0;
    s->counts.rows = calloc(n, sizeof *s->counts.rows);
    s->rows = calloc(n, sizeof *s->rows);
    return s->counts.rows && s->rows ? 0 : diag_no_memory(diag);
}

void part_free(struct run *run)
{
    free(run->saving.counts.rows);
    free(run->saving.rows);
}

/* The sink's infos are the frames' own now (count_slot). */
static void note_places(struct run *run, const struct slot *slot, uint64_t frames)
{
    const struct fecrun_frame_info *info = slot->info.ptr;
    struct run_part *part = &run->saving.part;

    for (uint64_t f = 0; f < frames; f++) {
        if (!(info[f].flags & FECRUN_COUNTED) || !info[f].bit_errors)
            continue;
        part->last_wrong = slot->first_frame + f;
        if (part->n_places < RUN_PLACES)
            part->places[part->n_places++] = part->last_wrong;
    }
}

const char *part_tally(struct run *run, const struct slot *slot)
{
    struct run_counts *counts = run->counts;
    struct saving *s = &run->saving;
    const uint64_t frames = counts->frames, wrong = counts->frame_errors;
    const uint64_t most = counts->iterations_max;
    const uint64_t begin = run->options->first_frame + run->options->lead;
    const uint64_t skip = begin > slot->first_frame ? begin - slot->first_frame : 0;
    const char *stop;

    counts->iterations_max = 0;
    stop = count_slot(counts, run->exec, slot, skip, &run->options->limits);
    if (counts->iterations_max > s->iterations_max)
        s->iterations_max = counts->iterations_max;
    if (counts->iterations_max < most)
        counts->iterations_max = most;
    if (run->options->save && counts->frame_errors > wrong)
        note_places(run, slot, counts->frames - frames);
    return stop;
}

bool part_due(const struct run *run, double now)
{
    double every = now / SAVE_SHARE < SAVE_MOST ? now / SAVE_SHARE : SAVE_MOST;

    if (every < run->options->save_every)
        every = run->options->save_every;
    return run->options->save && !run->saving.failed && now - run->saving.at >= every;
}

static void subtract_rows(struct run *run)
{
    const struct run_class *now = run->counts->rows;
    struct run_class *before = run->saving.counts.rows, *part = run->saving.rows;

    for (size_t r = 0; r < n_rows(run); r++) {
        part[r].frames = now[r].frames - before[r].frames;
        part[r].bits = now[r].bits - before[r].bits;
        part[r].bit_errors = now[r].bit_errors - before[r].bit_errors;
        part[r].frame_errors = now[r].frame_errors - before[r].frame_errors;
        before[r] = now[r];
    }
}

/* The part since the last one, which is now that time. */
static struct run_part cut(struct run *run, double at)
{
    struct saving *s = &run->saving;
    const struct run_counts now = *run->counts, before = s->counts;
    struct run_part part = s->part;

    part.seconds = at - s->at;
    part.counts = now;
    part.counts.frames -= before.frames;
    part.counts.bits -= before.bits;
    part.counts.bit_errors -= before.bit_errors;
    if (now.squares < STATS_UNKNOWN)
        part.counts.squares -= before.squares;
    part.counts.frame_errors -= before.frame_errors;
    part.counts.info_bits -= before.info_bits;
    part.counts.failed -= before.failed;
    part.counts.undetected -= before.undetected;
    part.counts.left_over -= before.left_over;
    part.counts.blocks -= before.blocks;
    part.counts.block_errors -= before.block_errors;
    part.counts.iterations -= before.iterations;
    part.counts.iterations_max = s->iterations_max;
    part.counts.rows = s->rows;
    subtract_rows(run);
    s->counts = now;
    s->counts.rows = before.rows;
    s->iterations_max = 0;
    s->at = at;
    s->part = (struct run_part){.first = part.first + part.counts.frames};
    return part;
}

int part_save(struct run *run, double now)
{
    struct saving *s = &run->saving;
    struct run_part part;
    int status;

    if (run->counts->frames == s->counts.frames)
        return 0;
    part = cut(run, now);
    pthread_mutex_unlock(&run->lock);
    status = run->options->save(run->options->data, &part, &s->diag);
    pthread_mutex_lock(&run->lock);
    s->failed = status < 0;
    return status;
}
