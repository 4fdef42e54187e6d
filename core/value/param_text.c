/* SPDX-License-Identifier: BSD-2-Clause */
/* Converts values to text. */
#include "core/value/param_impl.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* An item of a list, such that the list can be read again. */
static void add_item(char *buffer, size_t size, const char *text)
{
    static const char safe[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./+";

    if (*text && strspn(text, safe) == strlen(text)) {
        text_add(buffer, size, "%s", text);
        return;
    }
    text_add(buffer, size, "'");
    for (; *text; text++)
        text_add(buffer, size, *text == '\'' ? "''" : "%c", *text);
    text_add(buffer, size, "'");
}

static void add_list(char *buffer, size_t size, const struct fecrun_value *value, bool ints)
{
    text_add(buffer, size, "[");
    for (size_t i = 0; i < value->count; i++) {
        text_add(buffer, size, i ? ", " : "");
        if (ints)
            text_add(buffer, size, "%" PRId64, value->ints[i]);
        else
            add_item(buffer, size, value->strings[i]);
    }
    text_add(buffer, size, "]");
}

const char *param_text(const struct param_set *set, size_t i, char *buffer, size_t size)
{
    const struct fecrun_value *value = &set->values[i];
    const uint32_t type = set->schema[i]->type;

    buffer[0] = '\0';
    if (!value->given)
        return buffer;
    if (value->is_auto)
        text_add(buffer, size, "auto");
    else if (type == FECRUN_VALUE_INT)
        text_add(buffer, size, "%" PRId64, value->i);
    else if (type == FECRUN_VALUE_FLOAT)
        conf_float_text(buffer, size, value->f);
    else if (type == FECRUN_VALUE_INTS || type == FECRUN_VALUE_STRINGS)
        add_list(buffer, size, value, type == FECRUN_VALUE_INTS);
    else
        text_add(buffer, size, "%s",
                 type != FECRUN_VALUE_BOOL ? value->s
                 : value->i                ? "true"
                                           : "false");
    return buffer;
}
