/* SPDX-License-Identifier: BSD-2-Clause */
/* Internal declarations of the lease queue. */
#ifndef FECRUN_RUN_FLEET_LEASE_IMPL_H
#define FECRUN_RUN_FLEET_LEASE_IMPL_H

#include "run/fleet/lease.h"

enum state { OUT, BACK, DONE };

/* Pieces follow each other without gap, from the end of what is merged on. */
struct piece {
    uint64_t first, frames;
    enum state state;
    unsigned member;     /* OUT: whose */
    double since, until; /* OUT: when it was given out, and when it is late */
    struct run_part part;
    struct lease_data data;
};

struct member {
    uint64_t last; /* frames of its last lease; 0: it had none */
    double rate;   /* frames a second; 0: not known */
};

struct lease_queue {
    struct lease_options options;
    struct run_counts merged;
    const char *met;
    uint64_t next;         /* frame that no lease had yet */
    uint64_t used;         /* frame that the caller has not done with */
    size_t n, room, begin; /* of pieces: those before `begin` are merged, */
    size_t taken;          /* and those before this one are gone, with their bytes */
    struct piece *pieces;
    size_t n_members, n_active; /* active: had a lease */
    struct member *members;
    size_t n_back;
    uint64_t frames_out;       /* OUT and BACK */
    struct run_counts pending; /* DONE, but not merged; without rows */
    double late_at;            /* not before that a piece is late */
    double rates;              /* sum of those members' that are known, */
    size_t n_rated;            /* and their number */
    bool exact;                /* the first piece passed a rule, and is to be done up to there */
    struct run_parts parts;    /* what is merged */
};

#endif
