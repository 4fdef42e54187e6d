/* SPDX-License-Identifier: BSD-2-Clause */
/* main() of a test that gives all files of t/fuzz/corpus/CORPUS to a fuzz target, without libFuzzer. */
#include "t/lib/tap.h"

#include <dirent.h>

static void replay(const char *dir, const char *name)
{
    static uint8_t data[1 << 20];
    char path[2048];
    size_t size;
    uint8_t *copy;
    FILE *file;

    snprintf(path, sizeof path, "%s/%s", dir, name);
    file = fopen(path, "rb");
    if (!file)
        bail("cannot read %s", path);
    size = fread(data, 1, sizeof data, file);
    fclose(file);
    copy = malloc(size ? size : 1); /* of that size, for the sanitizers */
    memcpy(copy, data, size);
    LLVMFuzzerTestOneInput(copy, size);
    free(copy);
    ok(true, "%s, %zu bytes", name, size);
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
    return done_testing();
}
