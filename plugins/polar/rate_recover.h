/* SPDX-License-Identifier: BSD-2-Clause */
/* The code object of polar.rate_recover, which all of its backends read. */
#ifndef POLAR_RATE_RECOVER_H
#define POLAR_RATE_RECOVER_H

#include "plugins/common/recover/recover.h"
#include "plugins/polar/rate/rate.h"

struct polar_recover {
    struct recover common; /* no files: the limit alone, which is also the LLR of a shortened bit */
    struct polar_rate rate;
};

#endif
