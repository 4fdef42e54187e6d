/* SPDX-License-Identifier: BSD-2-Clause */
/* A good plugin, but in the place of a library that another one needs. */
#define BAD_NAME "libdep"
#include "t/doubles/bad/stage.h"

FECRUN_EXPORT int libdep_answer(void)
{
    return 42;
}
