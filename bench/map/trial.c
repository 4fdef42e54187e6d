/* SPDX-License-Identifier: BSD-2-Clause */
/* A prepared pipeline from source.random to sink.errors: random stages number their frames on from call
   to call, so that all trials of a cell have the same frames and the same noise. */
#include "bench/map/trial.h"

#include <fecrun/sim.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *trial_plugin_dir, *trial_others;

enum { TEXT_SIZE = 4096 };

static bool on_host(const char *backend)
{
    return strncmp(backend, "cuda", 4) != 0;
}

/* Enough for vectors across frames, in little memory; devices want more. */
static unsigned chunk_of(const struct cell *cell, const char *backend)
{
    const double bits = cell->word + cell->coded;
    const unsigned most = on_host(backend) ? 128 : 1024;
    unsigned chunk = 16;

    while (chunk < most && chunk * bits < (on_host(backend) ? 1e6 : 2e7))
        chunk *= 2;
    return chunk;
}

int trial_open(struct trial *trial, const struct cell *cell, const struct variant *variant,
               struct fecrun_message *message)
{
    const char *dirs[] = {trial_plugin_dir, NULL};
    const struct fecrun_options options = {.size = sizeof options,
                                           .plugin_dirs = trial_plugin_dir ? dirs : NULL,
                                           .backend = on_host(variant->backend) ? trial_others
                                                                                : NULL,
                                           .threads = 1};
    struct fecrun_prepare_options prepare = {.size = sizeof prepare};
    char text[TEXT_SIZE], name[32];

    memset(trial, 0, sizeof *trial);
    trial->chunk = variant->batch ? variant->batch : chunk_of(cell, variant->backend);
    prepare.frames = trial->chunk;
    snprintf(name, sizeof name, "cell %u", cell->number);
    if (!cell_yaml(cell, variant, 0, text, sizeof text)) {
        message->status = 1;
        snprintf(message->text, sizeof message->text, "%s: its pipeline is too long", name);
        return -1;
    }
    if (fecrun_open_text(&trial->session, name, text, strlen(text), &options, message))
        return -1;
    if (fecrun_prepare(&trial->prepared, trial->session, &prepare, message)) {
        trial_close(trial);
        return -1;
    }
    return 0;
}

static int make_room(struct trial *trial, size_t n)
{
    uint8_t *frame;
    uint16_t *iterations;

    if (n <= trial->room)
        return 0;
    n += n / 2 + 256;
    if (!(frame = realloc(trial->frame, n * sizeof *frame)))
        return -1;
    trial->frame = frame;
    if (!(iterations = realloc(trial->iterations, n * sizeof *iterations)))
        return -1;
    trial->iterations = iterations;
    trial->room = n;
    return 0;
}

static uint8_t flags_of(const struct fecrun_frame_info *info)
{
    const bool checked = info->flags & FECRUN_FRAME_CHECKED;

    return (uint8_t)((info->flags & FECRUN_FRAME_COUNTED && info->bit_errors ? FRAME_WRONG : 0) |
                     (checked && info->flags & FECRUN_FRAME_FAILED ? FRAME_FAILED : 0) |
                     (checked ? FRAME_CHECKED : 0));
}

int trial_need(struct trial *trial, size_t n, struct fecrun_message *message)
{
    if (make_room(trial, n)) {
        message->status = 1;
        snprintf(message->text, sizeof message->text, "out of memory");
        return -1;
    }
    while (trial->n < n) {
        const size_t left = n - trial->n, frames = left < trial->chunk ? left : trial->chunk;
        const struct fecrun_frame_info *info;

        if (fecrun_execute(trial->prepared, frames, message))
            return -1;
        info = fecrun_get_infos(trial->prepared);
        for (size_t f = 0; f < frames; f++, trial->n++) {
            const uint32_t iterations = info[f].iterations;

            trial->frame[trial->n] = flags_of(&info[f]);
            trial->iterations[trial->n] = (uint16_t)(iterations < 65535 ? iterations : 65535);
        }
    }
    return 0;
}

struct counts trial_count(const struct trial *trial, size_t n)
{
    struct counts counts = {.frames = n};

    for (size_t f = 0; f < n; f++) {
        const unsigned flags = trial->frame[f];

        counts.wrong += (flags & FRAME_WRONG) != 0;
        counts.failed += (flags & FRAME_FAILED) != 0;
        counts.undetected += (flags & FRAME_WRONG) && (flags & FRAME_CHECKED) &&
                             !(flags & FRAME_FAILED);
        counts.iterations += trial->iterations[f];
    }
    return counts;
}

void trial_close(struct trial *trial)
{
    fecrun_finish(trial->prepared);
    fecrun_close(trial->session);
    free(trial->frame);
    free(trial->iterations);
    memset(trial, 0, sizeof *trial);
}
