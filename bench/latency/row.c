/* SPDX-License-Identifier: BSD-2-Clause */
/* The words of the command line that say what is decoded. */
#include "decoder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct row row;
static char **words;

void die(const char *what)
{
    fprintf(stderr, "latency: %s\n", what);
    exit(1);
}

void *get(size_t bytes)
{
    void *memory = aligned_alloc(64, (bytes + 127) / 64 * 64);

    if (!memory)
        die("out of memory");
    return memset(memory, 0, (bytes + 127) / 64 * 64);
}

void row_words(char **all)
{
    words = all;
    row = (struct row){row_number("block"), row_number("frame"), row_number("max")};
}

const char *row_text(const char *name)
{
    const size_t length = strlen(name);

    for (char **word = words; *word; word++)
        if (!strncmp(*word, name, length) && (*word)[length] == '=')
            return *word + length + 1;
    return "";
}

int row_number(const char *name)
{
    return (int)strtol(row_text(name), NULL, 0);
}

int row_is(const char *family)
{
    return !strcmp(row_text("family"), family);
}

int row_reversed_generator(int i)
{
    const char *text = row_text("generators");
    const int k = row_number("constraint_length");
    int generator, reversed = 0;

    for (; i > 0; i--) {
        text = strchr(text, ',');
        if (!text++)
            die("generators=A,B,... has too few");
    }
    generator = (int)strtol(text, NULL, 0);
    for (int b = 0; b < k; b++)
        reversed |= (generator >> b & 1) << (k - 1 - b);
    return reversed;
}
