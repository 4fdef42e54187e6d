/* SPDX-License-Identifier: BSD-2-Clause */
/* Code objects of different parameters in one process. */
#ifndef FECRUN_CHECK_TURNS_H
#define FECRUN_CHECK_TURNS_H

#include "tools/check/fresh.h"

enum { CHECK_TURNS_MOST = 3 };

/* CHECK_TURNS. fresh: as many processes; NULL on a device. */
void check_turns(const struct check *check, const struct check_variants *variants,
                 struct check_fresh *fresh, struct check_random *random);

#endif
