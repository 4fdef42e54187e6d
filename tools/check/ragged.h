/* SPDX-License-Identifier: BSD-2-Clause */
/* One batch of two classes of frames: ragged.c; which ones: classes.c. */
#ifndef FECRUN_CHECK_RAGGED_H
#define FECRUN_CHECK_RAGGED_H

#include "tools/check/check.h"

/* Frames of both in one call of the form, which says FECRUN_FORM_RAGGED, and those of each by themselves.
   False: nothing was compared. */
bool check_ragged_pair(const struct check *check, const struct check_variant *a,
                       const struct check_variant *b, const struct fecrun_form *form,
                       enum check_pattern pattern, struct check_random *random);

#endif
