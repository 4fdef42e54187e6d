/* SPDX-License-Identifier: BSD-2-Clause */
/* The work that is left of a sweep according to a journal, for `run --journal` and `merge`. */
#ifndef FECRUN_TOOL_JOURNAL_JOURNAL_H
#define FECRUN_TOOL_JOURNAL_JOURNAL_H

#include "run/sweep/point.h"
#include "tools/fecrun/journal/store.h"

struct shard {
    unsigned i, n; /* n 0: no shards */
};

struct journal_point {
    struct store_point *stored;
    struct run_limits limits;
    struct cells cells;
    char backends[64]; /* that run it in this process */
};

struct journal {
    struct store store;
    const struct session *session;
    struct shard shard;
    size_t n_points;
    struct journal_point *points; /* by their numbers; nothing is stored for those left out */
    char host[64];
    double read_at, read_took; /* the others' lines, last */
};

/* "I/N" */
int journal_parse_shard(const char *text, struct shard *shard, struct diag *diag);

/* run: the first line of a result file. The journal lies in dir, which is made. */
int journal_open(struct journal *journal, const char *dir, const struct shard *shard,
                 const struct session *session, const json_t *run, struct diag *diag);
int journal_close(struct journal *journal, struct diag *diag);

/* Frames that are to be done next, of a point that is done in any number of runs. */
struct journal_task {
    uint64_t first;
    struct run_limits limits; /* of these frames alone */
    struct run_counts before; /* what is done already, without rows */
    double seconds_before;
};

/* Once for each point, before anything else about it: its names, ratios, limits and plan. */
int journal_enter(struct journal *journal, const struct result_point *point, struct diag *diag);
/* 1: the task is to be done; 0: the point has nothing to do now; -1. */
int journal_next(struct journal *journal, size_t number, struct journal_task *task,
                 struct diag *diag);
/* run_options.save() */
int journal_save(struct journal *journal, size_t number, const struct run_part *part,
                 struct diag *diag);

/* What a point amounts to under the rules; result's names and lists are the summary's. */
struct summary {
    struct result_point result;
    const char **names;
    struct run_class *rows;
    struct pipeline_block *users;
    struct chain chain;
    struct gap gap;       /* what comes next */
    uint64_t frames_more; /* kept behind it */
};

/* "incomplete" as the stop means that no rule is met. */
int summary_make(struct summary *summary, const struct store *store,
                 const struct store_point *point, const struct run_limits *limits,
                 struct diag *diag);
void summary_free(struct summary *summary);

#endif
