/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/plan/numbers.h"
#include "core/plan/graph.h"

#include <stdio.h>

/* FNV-1a over "STAGE.PARAM=value" with the canonical value: 4, 4.0 and "4" are one point. */
static int hash_value(const struct point *point, size_t i, const struct graph *graph,
                      uint32_t *hash, struct diag *diag)
{
    const struct pipeline_sweep *sweep = &point->sweeps[i];
    struct param_set *set = param_clone(graph->stages[graph_find(graph, sweep->stage)].params);
    char value[256], text[512];

    if (!set)
        return diag_fail(diag, DIAG_RUN, "out of memory");
    if (param_override(set, sweep->param, point_value(point, i), sweep->mark, diag)) {
        param_free(set);
        return -1;
    }
    param_text(set, (size_t)param_index(set, sweep->param), value, sizeof value);
    param_free(set);
    snprintf(text, sizeof text, "%s.%s=%s", sweep->stage, sweep->param, value);
    *hash = 2166136261u;
    for (const char *p = text; *p; p++)
        *hash = (*hash ^ (unsigned char)*p) * 16777619u;
    return 0;
}

/* A sum, so that the order of the sweeps does not matter. */
int point_number(struct point *point, const struct graph *graph, struct diag *diag)
{
    for (size_t s = 0; s < graph->n; s++)
        point->numbers[s] = 0;
    for (size_t i = 0; i < point->n; i++) {
        const size_t from = (size_t)graph_find(graph, point->sweeps[i].stage);
        bool reached[GRAPH_MAX_STAGES] = {false};
        uint32_t hash;

        if (hash_value(point, i, graph, &hash, diag))
            return -1;
        for (size_t s = from; s < graph->n; s++) {
            reached[s] = s == from || graph_reads_any(graph, s, reached);
            point->numbers[s] += reached[s] ? hash : 0;
        }
    }
    return 0;
}

void point_number_past(struct point *point, const struct plan *plan)
{
    uint32_t past = 0;

    for (size_t s = 0; s < plan->graph->n; s++)
        past += plan->stages[s].sim.past;
    for (size_t s = 0; s < plan->graph->n; s++)
        if (plan->graph->stages[s].stage->role == FECRUN_ROLE_TRANSFORM)
            point->numbers[s] += past;
}
