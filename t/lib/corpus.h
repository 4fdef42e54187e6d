/* SPDX-License-Identifier: BSD-2-Clause */
/* main() of a test that gives all files of t/fuzz/corpus/CORPUS to a fuzz target, without libFuzzer, and
   those of the archive t/fuzz/grown/CORPUS.tar. */
#include "t/lib/tap.h"

#include <dirent.h>

static void give(const uint8_t *data, size_t size)
{
    uint8_t *copy = malloc(size ? size : 1); /* of that size, for the sanitizers */

    memcpy(copy, data, size);
    LLVMFuzzerTestOneInput(copy, size);
    free(copy);
}

static void replay(const char *dir, const char *name)
{
    static uint8_t data[1 << 20];
    char path[2048];
    size_t size;
    FILE *file;

    snprintf(path, sizeof path, "%s/%s", dir, name);
    file = fopen(path, "rb");
    if (!file)
        bail("cannot read %s", path);
    size = fread(data, 1, sizeof data, file);
    fclose(file);
    give(data, size);
    ok(true, "%s, %zu bytes", name, size);
}

/* ustar: blocks of 512 bytes, a head with the size in octal in front of each file. */
static void replay_grown(const char *path)
{
    static uint8_t data[1 << 16];
    FILE *file = fopen(path, "rb");
    char head[512];
    size_t n = 0;

    if (!file)
        bail("cannot read %s", path);
    while (fread(head, 1, sizeof head, file) == sizeof head && head[0]) {
        const size_t size = strtoul(head + 124, NULL, 8), blocks = (size + 511) / 512 * 512;

        if (blocks > sizeof data || fread(data, 1, blocks, file) != blocks)
            bail("%s: %.100s is cut or too large", path, head);
        if (head[156] != '0') /* the directory */
            continue;
        give(data, size);
        n++;
    }
    fclose(file);
    ok(n > 0, "%zu inputs that fuzzing has found", n);
}

int main(void)
{
    const char *srcdir = getenv("top_srcdir");
    struct dirent **entries;
    char dir[1024];
    int n;

    snprintf(dir, sizeof dir, "%s/t/fuzz/corpus/" CORPUS, srcdir ? srcdir : ".");
    n = scandir(dir, &entries, NULL, alphasort);
    if (n < 3)
        bail("no files in %s", dir);
    for (int i = 0; i < n; i++) {
        if (entries[i]->d_name[0] != '.')
            replay(dir, entries[i]->d_name);
        free(entries[i]);
    }
    free(entries);
    snprintf(dir, sizeof dir, "%s/t/fuzz/grown/" CORPUS ".tar", srcdir ? srcdir : ".");
    replay_grown(dir);
    return done_testing();
}
