/* SPDX-License-Identifier: BSD-2-Clause */
/* What a pipeline keeps until it is freed. */
#include "run/file/pipeline_impl.h"

#include <stdlib.h>

void *pipeline_own(struct pipeline *pipeline, void *memory)
{
    size_t n = pipeline->n_owned;

    if (!memory)
        return NULL;
    if (!(n & (n - 1))) {
        void **grown = realloc(pipeline->owned, (n ? 2 * n : 1) * sizeof(*grown));

        if (!grown) {
            free(memory);
            return NULL;
        }
        pipeline->owned = grown;
    }
    pipeline->owned[pipeline->n_owned++] = memory;
    return memory;
}
