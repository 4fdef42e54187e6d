/* SPDX-License-Identifier: BSD-2-Clause */
#define BAD_NAME "short_example"
#define BAD_EXAMPLES examples
#include <fecrun/plugin.h>

static const struct fecrun_example *const examples[] = {
    &(const struct fecrun_example){.size = sizeof(struct fecrun_example), .params = "{}"},
    &(const struct fecrun_example){.size = offsetof(struct fecrun_example, FECRUN_EXAMPLE_LAST),
                                   .params = "{}"},
    NULL};

#include "t/doubles/bad/stage.h"
