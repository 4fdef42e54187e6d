/* SPDX-License-Identifier: BSD-2-Clause */
#include "run/sweep/notes.h"

#include <stdlib.h>
#include <string.h>

int notes_add_line(void *data, const char *text, struct diag *diag)
{
    struct session_notes *notes = data;
    char **grown;

    for (size_t i = 0; i < notes->n; i++)
        if (!strcmp(notes->text[i], text))
            return 0;
    grown = realloc(notes->text, (notes->n + 1) * sizeof *grown);
    if (!grown)
        return diag_no_memory(diag);
    notes->text = grown;
    notes->text[notes->n] = strdup(text);
    if (!notes->text[notes->n])
        return diag_no_memory(diag);
    notes->n++;
    return 0;
}

int notes_add(struct session_notes *notes, const struct shape *shape, struct diag *diag)
{
    const struct graph *graph = shape->graph;

    for (size_t s = 0; notes && s < graph->n; s++)
        for (size_t c = 0; c < shape->n_classes; c++) {
            const char *warning = shape->plans[c]->stages[s].plan.warning;
            const struct pipeline_stage *decl = graph->stages[s].decl;
            struct diag place = {0}; /* its form is that of errors */

            if (!warning[0])
                continue;
            diag_fail_at(&place, DIAG_OK, decl->mark, "%s: %s", decl->id, warning);
            if (notes_add_line(notes, place.text, diag))
                return -1;
        }
    return 0;
}

void notes_free(struct session_notes *notes)
{
    for (size_t i = 0; notes && i < notes->n; i++)
        free(notes->text[i]);
    if (notes)
        free(notes->text);
    free(notes);
}
