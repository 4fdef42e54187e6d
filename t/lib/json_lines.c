/* SPDX-License-Identifier: BSD-2-Clause */
/* Standard input: one JSON object a line, no key twice? Prints how many; exit 1 for a bad line. */
#include <stdio.h>

#include <jansson.h>
#include <stdlib.h>

int main(void)
{
    char *line = NULL;
    size_t size = 0;
    unsigned n = 0;

    while (getline(&line, &size, stdin) > 0) {
        json_error_t error;
        json_t *object = json_loads(line, JSON_REJECT_DUPLICATES, &error);
        n++;
        if (!json_is_object(object)) {
            printf("line %u, column %d: %s\n", n, error.column,
                   object ? "not an object" : error.text);
            return 1;
        }
        json_decref(object);
    }
    free(line);
    printf("%u\n", n);
    return 0;
}
