/* SPDX-License-Identifier: BSD-2-Clause */
/* Small helpers shared by several files of fecrun-check. */
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

/* Seconds to look for frames of any size where no usual one is taken. */
#define CHECK_SCAN_SECONDS 2.0

/* How plan() is asked with sizes from 1 on, and what came of it. */
struct check_scan {
    double seconds;
    uint64_t hint;           /* a size to try, and that which did where no usual one does; or 0 */
    struct fecrun_error err; /* why not, of the first frames that were tried */
};

/* Does plan() take this point with any frames? */
bool check_point_accepted(const struct check *check, const struct check_point *point,
                          struct check_scan *scan);

/* A number's limits; min is not less than max: there are none. */
struct check_limits {
    double min, max;
};
struct check_limits check_limits(const struct fecrun_param *param);

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

/* Values that are no integers? */
bool check_pattern_real(enum check_pattern pattern);
/* The largest LLR of a frame; for f32 one that is still an integer pattern. */
double check_largest_llr(const struct fecrun_frame *frame);
/* Within the frame's limits; whole numbers but for real patterns. */
double check_fit_llr(const struct fecrun_frame *frame, double x, bool real);
/* Of a binary symmetric channel that inverts one bit in 20: paths tie everywhere, but only where sums
   are made alike. */
double check_bsc_llr(unsigned bit, struct check_random *random);
/* Item i of a row; those of a type below a byte in their order. */
void check_put_llr(const struct check_signal *signal, uint8_t *row, uint64_t i, double x);
/* One frame of a port. */
void check_fill_row(const struct check_signal *signal, const struct fecrun_frame *frame,
                    uint8_t *row, enum check_pattern pattern, struct check_random *random);

/* ---- Memory of code objects, see heap.c ---- */

/* What this thread allocates until the end is plan()'s. */
void check_heap_plan(bool begin);
/* Nobody can write to what plan() made; returns what was. plan() and plan_free() unlock it. */
bool check_heap_lock(bool lock);
/* That plan() has allocated and nobody has freed. */
size_t check_heap_bytes(void);
/* A crash because of the lock is told to this report. */
void check_heap_watch(struct check_report *report);

/* ---- Wrong bits, see spoil.c ---- */

/* The signs of code word `frame`, 1 or -1, with what the pattern does to them; 0: erased. */
void check_spoil(int8_t *sign, const struct check_variant *variant, enum check_pattern pattern,
                 uint64_t frame);
/* Where frame f has wrong bits and erasures, and how many of these: the same for each who asks. */
struct check_random check_places(uint64_t frame);
unsigned check_erasures(uint64_t frame);

/* ---- Time, see deadline.c: of this process ---- */

void check_budget_start(double seconds);
/* The present part has to be over when this share of all the seconds is gone. */
void check_budget_part(double share);
/* Is there time for what takes that many seconds? 0: is there any? */
bool check_budget_allows(double seconds);
double check_budget_left(void); /* may be negative */

/* Monotonic seconds. */
double check_clock(void);
/* What the last check_run() of this thread took, without the work round the call. */
double check_run_seconds(void);

#endif
