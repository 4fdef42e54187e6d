/* SPDX-License-Identifier: BSD-2-Clause */
#include "plugins/frame/code/word.h"

#include <fecrun/sdk/params.h>

static const struct word_standard standards[] = {
    {"ccsds", "00011010110011111111110000011101", 0, false},
    {"dvb", "01000111", 203 * 8, true},
    {"m17", "1111111101011101", 368, false},
    {"galileo-inav", "0101100000", 240, false},
    {"galileo-fnav", "101101110000", 488, false}};

const struct word_standard *word_find_standard(const char *name)
{
    for (size_t i = 0; i < sizeof standards / sizeof *standards; i++)
        if (!strcmp(standards[i].name, name))
            return &standards[i];
    return NULL;
}

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
