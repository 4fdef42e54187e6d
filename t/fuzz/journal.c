/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * libFuzzer target: the lines of a journal of one pipeline, in one file or two, as merge reads them. "@" in them
 * is the pipeline's id; a line of "%" ends the first file.
 */
#include "t/fuzz/files.h"

#include "tools/fecrun/journal/store.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char journal_head[] =
    "{\"format\": 1, \"identity\": {\"seed\": 1, \"pipeline\": []}}\n";

/* With the id in place of "@". */
static void put_lines(const char *name, const char *id, const uint8_t *data, size_t size)
{
    char *text = malloc(size * (SHA256_TEXT + 1) + 1);
    size_t n = 0;

    for (size_t i = 0; i < size; i++)
        if (data[i] == '@')
            n += (size_t)sprintf(text + n, "%s", id);
        else
            text[n++] = (char)data[i];
    files_put(name, text, n);
    free(text);
}

static void check(const struct store *store)
{
    for (size_t i = 0; i < store->n_points; i++) {
        const struct ranges *ranges = &store->points[i]->ranges;
        for (size_t r = 0; r < ranges->n; r++)
            if (ranges->all[r].counts.frame_errors > ranges->all[r].counts.frames)
                abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char mark[] = "\n%\n";
    const uint8_t *end = memmem(data, size, mark, sizeof mark - 1);
    const size_t first = end ? (size_t)(end - data) + 1 : size;
    struct store store = {.fd = -1};
    struct diag diag = {0};

    if (!files_nothing)
        files_begin();
    files_put("pipeline.json", journal_head, sizeof journal_head - 1);
    files_quiet();
    if (store_open(&store, files_dir, NULL, &diag))
        abort();
    put_lines("a.jsonl", store.id, data, first);
    if (end)
        put_lines("b.jsonl", store.id, end + sizeof mark - 1, size - first - 2);
    if (!store_read(&store, &diag))
        check(&store);
    store_close(&store, NULL);
    files_loud();
    files_remove("pipeline.json");
    files_remove("a.jsonl");
    files_remove("b.jsonl");
    return 0;
}
