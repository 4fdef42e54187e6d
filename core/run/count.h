/* SPDX-License-Identifier: BSD-2-Clause */
/* Counting finished batches in frame order, up to the frame at which a stop rule holds. */
#ifndef FECRUN_TALLY_H
#define FECRUN_TALLY_H

#include "run.h"

/* Adds the slot's frames; returns the rule that stops the point, or NULL. Frames behind the one
   that fulfils it are not counted. */
const char *tally_slot(struct run_counts *counts, const struct exec *exec,
                       const struct slot *slot, const struct run_limits *limits);

#endif
