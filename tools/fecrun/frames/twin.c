/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/fecrun/frames/twin.h"

#include <stdlib.h>
#include <string.h>

static int copy_pipeline(struct pipeline *copy, const struct session *session, struct diag *diag)
{
    *copy = *session->pipeline;
    copy->backend = NULL;
    copy->stages = calloc(copy->n_stages, sizeof *copy->stages);
    if (!copy->stages)
        return diag_fail(diag, DIAG_RUN, "out of memory");
    for (size_t s = 0; s < copy->n_stages; s++) {
        copy->stages[s] = session->pipeline->stages[s];
        copy->stages[s].backend = session->graph->stages[s].entry->backends[0].backend->name;
        copy->stages[s].tune = NULL;
    }
    return 0;
}

/* They were not asked where another backend was chosen. */
static int is_reference(void *data, const struct registry_stage *stage,
                        const struct registry_backend *backend)
{
    const struct graph *graph = data;

    for (size_t s = 0; s < graph->n; s++)
        if (graph->stages[s].entry == stage && backend == &stage->backends[0])
            return 0;
    return REGISTRY_NOT;
}

int session_twin_open(struct session_twin *twin, const struct session *session, struct diag *diag)
{
    memset(twin, 0, sizeof *twin);
    if (!copy_pipeline(&twin->pipeline, session, diag)) {
        twin->session = (struct session){
            .registry = session->registry, .pipeline = &twin->pipeline, .threads = 1};
        if (!graph_bind(&twin->session.graph, &twin->pipeline, session->registry, diag) &&
            !registry_probe(session->registry, is_reference, twin->session.graph, diag))
            return 0;
    }
    session_twin_close(twin);
    return -1;
}

void session_twin_close(struct session_twin *twin)
{
    graph_free(twin->session.graph);
    free(twin->pipeline.stages);
    memset(twin, 0, sizeof *twin);
}
