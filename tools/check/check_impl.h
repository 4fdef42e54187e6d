/* SPDX-License-Identifier: BSD-2-Clause */
/* Small things that several files of fecrun-check share. */
#ifndef FECRUN_CHECK_CHECK_IMPL_H
#define FECRUN_CHECK_CHECK_IMPL_H

#include "tools/check/check.h"

#include <fecrun/sdk/sample.h>
#include <stdio.h>

int check_options_read(struct check_options *options, int argc, char **argv, struct diag *diag);
void check_options_free(struct check_options *options);
void check_usage(FILE *out);

/* A fact of no stage's: every transform hands it on. */
#define CHECK_FACT \
    { \
        "check.travels", 0.5 \
    }

/* Does plan() take this point with any frames? */
bool check_point_accepted(const struct check *check, const struct check_point *point);

/* "{name: value, ...}" while it is written; of any length. False: no memory, and nothing to end. */
struct check_map {
    FILE *out;
    char *text;
    size_t size, entries;
};
bool check_map_begin(struct check_map *map);
void check_map_put(struct check_map *map, const char *name, const char *value);
char *check_map_end(struct check_map *map); /* to be freed; NULL without memory */

/* What was written in base, only parameters that `only` knows (NULL: all), with one more or another
   (name NULL: none). To be freed; NULL without memory. */
char *check_map_text(const struct check_point *base, const struct fecrun_param *const *only,
                     const char *name, const char *value);

/* param_text() of any length. To be freed; NULL without memory. */
char *check_value_text(const struct param_set *set, size_t i);

/* Monotonic seconds. */
double check_clock(void);
/* What the last check_run() of this thread took, without the work round the call. */
double check_run_seconds(void);

#endif
