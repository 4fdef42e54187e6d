/* SPDX-License-Identifier: BSD-2-Clause */
/* Values to text. */
#include "core/value/param_impl.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A writer into a buffer that may be too small: the rest is dropped. */
struct sink {
    char *buffer;
    size_t size, used;
};

static void put(struct sink *sink, const char *text)
{
    for (; *text && sink->used + 1 < sink->size; text++)
        sink->buffer[sink->used++] = *text;
    if (sink->size > 0)
        sink->buffer[sink->used] = '\0';
}

/* An item of a list, such that the list can be read again. */
static void put_item(struct sink *sink, const char *text)
{
    static const char safe[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./+";

    if (*text && strspn(text, safe) == strlen(text)) {
        put(sink, text);
        return;
    }
    put(sink, "'");
    for (; *text; text++) {
        char c[2] = {*text, '\0'};

        put(sink, *text == '\'' ? "''" : c);
    }
    put(sink, "'");
}

static void put_int(struct sink *sink, int64_t value)
{
    char text[32];

    snprintf(text, sizeof text, "%" PRId64, value);
    put(sink, text);
}

static void put_list(struct sink *sink, const struct fecrun_value *value, bool ints)
{
    put(sink, "[");
    for (size_t i = 0; i < value->count; i++) {
        put(sink, i ? ", " : "");
        if (ints)
            put_int(sink, value->ints[i]);
        else
            put_item(sink, value->strings[i]);
    }
    put(sink, "]");
}

const char *param_text(const struct param_set *set, size_t i, char *buffer, size_t size)
{
    const struct fecrun_value *value = &set->values[i];
    struct sink sink = {buffer, size, 0};
    char number[32];

    put(&sink, "");
    if (!value->given)
        return buffer;
    if (value->is_auto) {
        put(&sink, "auto");
        return buffer;
    }
    switch (set->schema[i]->type) {
    case FECRUN_VALUE_INT:
        put_int(&sink, value->i);
        break;
    case FECRUN_VALUE_FLOAT:
        put(&sink, conf_float_text(number, sizeof number, value->f));
        break;
    case FECRUN_VALUE_BOOL:
        put(&sink, value->i ? "true" : "false");
        break;
    case FECRUN_VALUE_INTS:
    case FECRUN_VALUE_STRINGS:
        put_list(&sink, value, set->schema[i]->type == FECRUN_VALUE_INTS);
        break;
    default:
        put(&sink, value->s);
    }
    return buffer;
}
