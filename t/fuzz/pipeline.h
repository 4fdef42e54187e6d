/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the targets behind the planner share: a pipeline is checked as `fecrun check` does it, and run
 * for five frames. Plugins, which are those of PLUGINS, are loaded once. Files lie in a directory of
 * their own, which the pipeline cannot leave (--restrict).
 */
#ifndef T_FUZZ_PIPELINE_H
#define T_FUZZ_PIPELINE_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "t/lib/sweep.h"
#include "tools/fecrun/restrict.h"

#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FUZZ_SETS = 12, FUZZ_MOST = 20000 };

static struct registry *fuzz_registry;
static char fuzz_dir[64];

static void fuzz_end(void)
{
    registry_close(fuzz_registry);
    rmdir(fuzz_dir);
}

static void fuzz_begin(void)
{
    const char *dirs[] = {getenv("PLUGINS"), NULL};
    const struct registry_options options = {.dirs = dirs};
    struct diag diag = {0};

    strcpy(fuzz_dir, "/tmp/fecrun-fuzz.XXXXXX");
    if (!dirs[0] || !mkdtemp(fuzz_dir) || registry_open(&fuzz_registry, &options, &diag) ||
        registry_probe(fuzz_registry, NULL, NULL, &diag) ||
        !registry_find(fuzz_registry, "source.random")) {
        fprintf(stderr, "PLUGINS must name the directory of plugins: %s\n", diag.text);
        abort();
    }
    atexit(fuzz_end);
}

static inline void fuzz_clear(void)
{
    DIR *dir = opendir(fuzz_dir);
    struct dirent *entry;

    while (dir && (entry = readdir(dir)))
        if (entry->d_name[0] != '.')
            unlinkat(dirfd(dir), entry->d_name, 0);
    if (dir)
        closedir(dir);
}

static inline void fuzz_put(const char *name, const void *data, size_t size)
{
    char path[128];
    int fd;

    snprintf(path, sizeof path, "%s/%s", fuzz_dir, name);
    fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (fd < 0 || write(fd, data, size) != (ssize_t)size)
        abort();
    close(fd);
}

/* Large numbers are refused, or make it slow: nothing that five frames would show. */
static inline bool fuzz_is_small(const char *text)
{
    for (const char *p = text; *p; p++) {
        char *end;
        if (!isdigit((unsigned char)*p) || (p > text && isalnum((unsigned char)p[-1])))
            continue;
        if (strtod(p, &end) > FUZZ_MOST)
            return false;
        p = end - 1;
    }
    return true;
}

/* Standard input and output are the fuzzer's. */
static bool fuzz_uses_pipes(const struct graph *graph)
{
    for (size_t s = 0; s < graph->n; s++) {
        const struct fecrun_values *values = param_values(graph->stages[s].params);
        for (size_t i = 0; i < values->count; i++)
            if (graph->stages[s].stage->params[i]->type == FECRUN_VALUE_PATH && values->v[i]->s &&
                !strcmp(values->v[i]->s, "-"))
                return true;
    }
    return false;
}

static void fuzz_on_point(void *data, const struct result_point *point)
{
    const struct run_counts *counts = &point->counts;

    (void)data;
    if (counts->frames > 5 || counts->frame_errors > counts->frames ||
        counts->bit_errors > counts->bits)
        abort();
}

static int fuzz_on_old(void *data, const char *line, struct diag *diag)
{
    (void)data, (void)line, (void)diag;
    return 0;
}

static int fuzz_sweep(struct session *session, struct diag *diag)
{
    if (pipeline_rename_old(session->pipeline, session->registry, fuzz_on_old, NULL, diag) ||
        graph_bind(&session->graph, session->pipeline, session->registry, diag))
        return -1;
    if (fuzz_uses_pipes(session->graph) || session_points(session) > 20)
        return 0;
    return sweep_try(session, diag) || sweep_all(session, NULL, NULL, fuzz_on_point, diag) ? -1 : 0;
}

/* sets: NULL-terminated, or NULL */
static inline void fuzz_run(const char *text, size_t size, const char *const *sets)
{
    const char *all[FUZZ_SETS + 3] = {NULL};
    struct pipeline_options options = {
        .text = text,
        .text_size = size,
        .sets = all,
        .place = {.base_dir = fuzz_dir, .resolve = restrict_path, .data = (char *)fuzz_dir}};
    struct session session = {.registry = fuzz_registry, .threads = 1};
    struct diag diag = {0};
    size_t n = 0;
    int status;

    for (; sets && sets[n] && n < FUZZ_SETS; n++)
        all[n] = sets[n];
    all[n++] = "stop.frames=5";
    all[n] = "stop.seconds=1";
    status = pipeline_load(&session.pipeline, "p.yaml", &options, &diag) ||
             fuzz_sweep(&session, &diag);
    /* a failure says why, in one line that is fit to print */
    if (!status != !diag.status || (status && (!diag.text[0] || strpbrk(diag.text, "\n\r\033"))))
        abort();
    graph_free(session.graph);
    pipeline_free(session.pipeline);
}

#endif
