/* SPDX-License-Identifier: BSD-2-Clause */
/* The Es/N0 at which `ref` with float LLRs has a frame error rate. */
#ifndef FECRUN_MAP_SEARCH_H
#define FECRUN_MAP_SEARCH_H

#include "bench/map/stat.h"

struct tried {
    double db;
    size_t frames, wrong;
};

enum { SEARCH_TRIED = 64 };

struct search {
    struct tried tried[SEARCH_TRIED];
    unsigned n;
    double tenth_db, per_db; /* where the curve has a tenth; see struct slope */
    double spent;            /* ns, as the cells' cost counts them */
};

/* What a frame of this many iterations in the mean costs, in ns. */
double search_cost(const struct cell *cell, double iterations);
/* 0: found. 1: the cell has no such place. -1: failed while running, message. `budget`: ns. */
int search_run(struct search *search, const struct cell *cell, double budget,
               struct fecrun_message *message);
/* Adds what was counted elsewhere, and fits the curve again. */
void search_add(struct search *search, double db, size_t frames, size_t wrong);
/* Where the curve has this rate, in dB with three decimals. */
double search_db(const struct search *search, double fer);

#endif
