/* SPDX-License-Identifier: BSD-2-Clause */
#include <fecrun/sdk/read.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Room for the limit and one byte more, which tells that there is more. */
static int read_all(FILE *file, size_t most, char **data, size_t *size)
{
    char *whole = malloc(most + 1), *cut;

    if (!whole)
        return -1;
    errno = 0;
    *size = fread(whole, 1, most + 1, file);
    if (ferror(file) || *size > most) {
        const int number = ferror(file) ? errno : EFBIG;
        free(whole);
        errno = number;
        return -1;
    }
    whole[*size] = 0;
    cut = realloc(whole, *size + 1);
    *data = cut ? cut : whole;
    return 0;
}

int fecrun_read_file(const char *path, size_t most, char **data, size_t *size)
{
    FILE *file = strcmp(path, "-") ? fopen(path, "re") : stdin;
    int status, number;

    *data = NULL;
    *size = 0;
    if (!file)
        return -1;
    status = read_all(file, most, data, size);
    number = errno;
    if (file != stdin)
        fclose(file);
    errno = number;
    return status;
}
