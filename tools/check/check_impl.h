/* SPDX-License-Identifier: BSD-2-Clause */
/* Small things that several files of fecrun-check share. */
#ifndef FECRUN_CHECK_IMPL_H
#define FECRUN_CHECK_IMPL_H

#include "check.h"

#include <stdio.h>

int check_options_read(struct check_options *options, int argc, char **argv, struct diag *diag);
void check_options_free(struct check_options *options);
void check_usage(FILE *out);

/* "u8", "packed", "f32", ... */
const char *check_type_name(uint32_t type);
uint32_t check_kind_of_type(uint32_t type);

/* Does plan() take this point with any frames? */
bool check_point_accepted(const struct check *check, const struct check_point *point);

/* "{name: value, ...}" of what was written in base (or nothing), only parameters that `only` knows
   (NULL: all), and one more (NULL: none). The buffer is as large as check_point.text. */
void check_map_text(char *text, const struct check_point *base,
                    const struct fecrun_param *const *only, const char *name, const char *value);

/* Monotonic seconds. */
double check_clock(void);
/* What the last check_run() of this thread took, without the work round the call. */
double check_run_seconds(void);

#endif
