/* SPDX-License-Identifier: BSD-2-Clause */
#include "plugins/frame/code/word.h"

#include <fecrun/sdk/params.h>

int word_read(struct word *word, const char *text, struct fecrun_error *err)
{
    *word = (struct word){0};
    for (const char *c = text; *c; c++) {
        if (*c == ' ' || *c == '_')
            continue;
        if (*c != '0' && *c != '1')
            return fecrun_fail(err, "word", "character %d, '%c': only 0 and 1 are allowed",
                               (int)(c - text) + 1, *c);
        if (word->width == WORD_MOST)
            return fecrun_fail(err, "word", "has more than %d symbols", WORD_MOST);
        word->sign[word->width++] = *c == '0' ? 1 : -1;
    }
    return word->width ? 0 : fecrun_fail(err, "word", "has no symbols");
}
