/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/fecrun/warnings.h"

#include "core/base/array.h"

#include <stdlib.h>
#include <string.h>

int warnings_add(void *data, const char *text, struct diag *diag)
{
    struct warnings *warnings = data;

    for (size_t i = 0; i < warnings->n; i++)
        if (!strcmp(warnings->text[i], text))
            return 0;
    if (array_grow(&warnings->text, warnings->n, sizeof *warnings->text) ||
        !(warnings->text[warnings->n] = strdup(text)))
        return diag_no_memory(diag);
    warnings->n++;
    return 0;
}

void warnings_free(struct warnings *warnings)
{
    for (size_t i = 0; i < warnings->n; i++)
        free(warnings->text[i]);
    free(warnings->text);
    *warnings = (struct warnings){0};
}
