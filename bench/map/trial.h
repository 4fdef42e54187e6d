/* SPDX-License-Identifier: BSD-2-Clause */
/* The frames of a cell through one decoder at one Es/N0, as many as are asked for. */
#ifndef FECRUN_MAP_TRIAL_H
#define FECRUN_MAP_TRIAL_H

#include <fecrun/fecrun.h>
#include <fecrun/sim.h>

#include "bench/map/cell.h"

/* What a frame may be; flags. */
enum { FRAME_WRONG = 1, FRAME_FAILED = 2, FRAME_CHECKED = 4 };

struct trial {
    struct fecrun_session *session;
    struct fecrun_prepared *prepared;
    uint8_t *frame; /* flags of each */
    uint16_t *iterations;
    size_t n, room;
    unsigned chunk; /* frames of a call */
};

/* Counts of the first frames of a trial. */
struct counts {
    size_t frames, wrong, failed, undetected;
    double iterations; /* sum */
};

/* Where plugins are; NULL: as fecrun.h says. Set once, before the first trial. */
extern const char *trial_plugin_dir;
/* Not NULL: the backend of all stages but the decoder, of trials that do not name a device's. */
extern const char *trial_others;

/* Opens and plans. -1: message says why; the trial is closed then. */
int trial_open(struct trial *trial, const struct cell *cell, const struct variant *variant,
               struct fecrun_message *message);
/* Has at least n frames then. */
int trial_need(struct trial *trial, size_t n, struct fecrun_message *message);
struct counts trial_count(const struct trial *trial, size_t n);
/* A trial of zeros is allowed. */
void trial_close(struct trial *trial);

#endif
