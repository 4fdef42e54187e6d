/* SPDX-License-Identifier: BSD-2-Clause */
/* Reliability of the positions of u: constructions of plain polar codes. */
#ifndef POLAR_CODE_ORDER_H
#define POLAR_CODE_ORDER_H

#include "plugins/polar/code/code.h"

enum polar_construction { POLAR_BY_NR, POLAR_BY_GA, POLAR_BY_BEC, POLAR_BY_FILE, POLAR_BY_RM };

/*
 * order[0 .. 2^stages - 1]: the positions, least reliable first.
 *
 * ga and bec evolve the channel's quality through the stages: the mean of the LLRs, with the Gaussian
 * approximation of density evolution, over BPSK at es_n0 (linear); Bhattacharyya's parameter, which
 * is exact for erasures, from exp(-es_n0). rm counts the ones of a position, as Reed-Muller codes do. Of equal ones the first position is less reliable. -1: no
 * memory.
 */
int polar_order_make(uint32_t stages, enum polar_construction construction, double es_n0,
                     uint16_t *order, struct fecrun_error *err);

/* The file's numbers from 0 to N - 1, each once; # begins a comment. -1 and a reason. */
int polar_order_file(uint32_t stages, const char *path, uint16_t *order, struct fecrun_error *err);

/* The code whose K last positions of the order are free; NULL and a reason. */
struct polar_code *polar_plain_code(uint32_t stages, uint32_t k, const uint16_t *order,
                                    struct fecrun_error *err);

#endif
