/* SPDX-License-Identifier: BSD-2-Clause */
/* libFuzzer target: two result files, as compare and plot read them. A line of "%" ends the first one. */
#include "t/fuzz/files.h"

#include "tools/fecrun/cmd_compare_files.h"
#include "tools/fecrun/plot/figure.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void compare(const char *const *paths)
{
    struct result_file files[2] = {{.path = paths[0]}, {.path = paths[1]}};
    struct defects defects = {.strict = true, .exact = true};
    struct diag diag = {0};
    bool good = true;

    for (int f = 0; f < 2; f++)
        good &= !result_file_read(&files[f], true, &diag);
    if (good)
        defects_find(&defects, files);
    for (int f = 0; f < 2; f++)
        result_file_free(&files[f]);
}

static void draw(const char *const *paths, bool ber)
{
    const struct figure_drawing drawing = {.terminal = "svg", .guides = ber};
    struct figure figure = {0};
    struct diag diag = {0};

    if (!figure_read(&figure, &(struct figure_files){.paths = paths, .n = 2, .ber = ber}, &diag)) {
        figure_gnuplot(&figure, &drawing, files_nothing);
        figure_pgfplots(&figure, &drawing, files_nothing);
    }
    figure_free(&figure);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char mark[] = "\n%\n";
    const uint8_t *end = memmem(data, size, mark, sizeof mark - 1);
    const size_t first = end ? (size_t)(end - data) + 1 : size;
    char path[2][128];
    const char *paths[2];

    if (!files_nothing)
        files_begin();
    paths[0] = files_path(path[0], "a.json");
    paths[1] = files_path(path[1], "b.json");
    files_put("a.json", data, first);
    files_put("b.json", end ? end + sizeof mark - 1 : data, end ? size - first - 2 : size);
    files_quiet();
    compare(paths);
    draw(paths, false);
    draw(paths, true);
    files_loud();
    files_remove("a.json");
    files_remove("b.json");
    return 0;
}
