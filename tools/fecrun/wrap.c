/* SPDX-License-Identifier: BSD-2-Clause */
/* Breaks the lines of text for a terminal. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* fopencookie */
#endif
#include "tools/fecrun/wrap.h"

#include "tools/fecrun/result_impl.h"

#include <stdlib.h>
#include <string.h>

/* Bytes up to the next place where a line may be cut; `text` is not the end of its line. */
static int word_length(const char *text)
{
    const int n = (int)strcspn(text + 1, " |\n") + 1; /* with the blank in front of it */

    return text[n] == '|' ? n + 1 : n;
}

/* The line up to its end, which is not written. */
static const char *put_line(FILE *out, const char *text, int most)
{
    const int indent = (int)strspn(text, " ");
    int at = fprintf(out, "%*s", indent, "");

    for (text += indent; *text && *text != '\n';) {
        int n = word_length(text);

        if (most && at + n > most && at > indent + 2) {
            at = fprintf(out, "\n%*s", indent + 2, "") - 1;
            while (*text == ' ')
                text++;
            continue;
        }
        at += fprintf(out, "%.*s", n, text);
        text += n;
    }
    return text;
}

void wrap_put(FILE *out, const char *text, int most)
{
    while (*text) {
        text = put_line(out, text, most);
        if (*text == '\n') {
            putc('\n', out);
            text++;
        }
    }
}

/* ---- A stream ---- */

struct wrap {
    FILE *out;
    char *line; /* what is not yet complete */
    size_t size;
};

/* As fopencookie() wants it: 0 is an error. */
static ssize_t add(void *data, const char *text, size_t size)
{
    struct wrap *wrap = data;
    char *grown = realloc(wrap->line, wrap->size + size + 1), *end;

    if (!grown)
        return 0;
    wrap->line = grown;
    memcpy(grown + wrap->size, text, size);
    wrap->size += size;
    grown[wrap->size] = '\0';
    end = memrchr(grown, '\n', wrap->size);
    if (end) {
        const char kept = end[1];

        end[1] = '\0';
        wrap_put(wrap->out, grown, output_columns(wrap->out));
        end[1] = kept;
        wrap->size -= (size_t)(end + 1 - grown);
        memmove(grown, end + 1, wrap->size + 1);
        if (fflush(wrap->out))
            return 0;
    }
    return (ssize_t)size;
}

static int end(void *data)
{
    struct wrap *wrap = data;

    if (wrap->size)
        wrap_put(wrap->out, wrap->line, output_columns(wrap->out));
    free(wrap->line);
    free(wrap);
    return 0;
}

FILE *wrap_open(FILE *out)
{
    struct wrap *wrap = calloc(1, sizeof *wrap);
    FILE *stream = wrap
                       ? fopencookie(wrap, "w", (cookie_io_functions_t){.write = add, .close = end})
                       : NULL;

    if (!stream) {
        free(wrap);
        return NULL;
    }
    wrap->out = out;
    setvbuf(stream, NULL, _IOLBF, BUFSIZ);
    return stream;
}
