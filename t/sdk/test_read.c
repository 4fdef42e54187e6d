/* SPDX-License-Identifier: BSD-2-Clause */
/* Files that are read as a whole: empty ones, up to the limit and beyond, pipes, folders, standard input. */
#include <fecrun/sdk/read.h>

#include "t/lib/tap.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char dir[] = "/tmp/read-XXXXXX", name[64];

static void put(const char *bytes, size_t n)
{
    FILE *file = fopen(name, "w");

    if (!file || fwrite(bytes, 1, n, file) != n || fclose(file))
        bail("cannot write %s", name);
}

/* Reads what was put there. */
static void reads(const char *path, const char *bytes, size_t n, size_t most, const char *what)
{
    char *data;
    size_t size;

    ok(!fecrun_read_file(path, most, &data, &size) && size == n && !memcmp(data, bytes, n) &&
           !data[n],
       "%s", what);
    free(data);
}

static void refused(const char *path, size_t most, int number, const char *what)
{
    char here, *data = &here;
    size_t size;

    errno = 0;
    ok(fecrun_read_file(path, most, &data, &size) == -1 && errno == number && !data, "%s: %s", what,
       strerror(errno));
}

int main(void)
{
    static char large[100000];

    if (!mkdtemp(dir))
        bail("cannot make %s", dir);
    snprintf(name, sizeof name, "%s/file", dir);
    memset(large, 'x', sizeof large);
    put("", 0);
    reads(name, "", 0, 10, "an empty file");
    reads(name, "", 0, 0, "where nothing may be");
    put("a\0b\n", 4);
    reads(name, "a\0b\n", 4, 4, "as much as may be, with a NUL in it");
    refused(name, 3, EFBIG, "a byte more");
    refused(name, 0, EFBIG, "where nothing may be, a byte");
    put(large, sizeof large);
    reads(name, large, sizeof large, sizeof large, "a larger one");
    refused(name, sizeof large - 1, EFBIG, "one too large");
    if (!freopen(name, "r", stdin))
        bail("cannot open %s", name);
    reads("-", large, sizeof large, 1 << 20, "standard input");
    reads("-", "", 0, 10, "which has ended, and is not closed");
    refused(dir, 10, EISDIR, "a folder");
    unlink(name);
    refused(name, 10, ENOENT, "no file");
    if (mkfifo(name, 0600))
        bail("cannot make a pipe");
    if (!fork()) {
        put("piped", 5);
        _exit(0);
    }
    reads(name, "piped", 5, 10, "a pipe");
    unlink(name);
    rmdir(dir);
    return done_testing();
}
