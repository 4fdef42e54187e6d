/* SPDX-License-Identifier: BSD-2-Clause */
/* Results must not replace what the pipeline reads or writes, nor its own file, and --restrict DIR
   holds for them, too. That stages get along with each other, plan/paths.c sees to. */
#include "tools/fecrun/cli.h"

#include <fecrun/sdk/params.h>

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* A file of a run: who names it, and whether it is written. */
struct named {
    char who[128];
    const char *path;
    bool written;
};

/* The path with its directory resolved, of a file that need not be there yet. */
static bool resolve(const char *path, char full[PATH_MAX])
{
    const char *slash = strrchr(path, '/');
    char dir[PATH_MAX], real[PATH_MAX];

    if (snprintf(dir, sizeof dir, "%.*s", slash ? (int)(slash - path + 1) : 1,
                 slash ? path : ".") >= (int)sizeof dir ||
        !realpath(dir, real))
        return false;
    return snprintf(full, PATH_MAX, "%s/%s", real, slash ? slash + 1 : path) < PATH_MAX;
}

/* Devices and pipes are not replaced. */
static bool same_file(const char *a, const char *b)
{
    char full_a[PATH_MAX], full_b[PATH_MAX];
    struct stat sa, sb;
    const bool has_a = !stat(a, &sa), has_b = !stat(b, &sb);

    if (has_a && has_b)
        return S_ISREG(sa.st_mode) && sa.st_dev == sb.st_dev && sa.st_ino == sb.st_ino;
    return !has_a && !has_b && resolve(a, full_a) && resolve(b, full_b) && !strcmp(full_a, full_b);
}

static int check_against(const struct named *files, size_t n, const struct named *file,
                         struct diag *diag)
{
    for (size_t i = 0; i < n; i++)
        if ((files[i].written || file->written) && same_file(files[i].path, file->path))
            return diag_fail(diag, DIAG_USAGE, "%s and %s are the same file: %s", files[i].who,
                             file->who, file->path);
    return 0;
}

enum { MOST = 256 };

static int add(struct named *files, size_t *n, const char *path, bool written, const char *stage,
               const char *name, struct diag *diag)
{
    struct named *file = &files[*n];

    if (!path || !strcmp(path, "-") || *n == MOST)
        return 0;
    *file = (struct named){.path = path, .written = written};
    snprintf(file->who, sizeof file->who, "%.60s%s%.60s", stage, *stage ? "." : "", name);
    if (check_against(files, *n, file, diag))
        return -1;
    ++*n;
    return 0;
}

/* Of a PORT, i says that it is a path. */
static const char *path_of(const struct graph_stage *stage, size_t i)
{
    const struct fecrun_value *value = param_values(stage->params)->v[i];
    const uint32_t type = stage->stage->params[i]->type;

    if (!value->given || value->is_auto)
        return NULL;
    return type == FECRUN_P_PATH || (type == FECRUN_P_PORT && value->i) ? value->s : NULL;
}

int cli_check_files(const struct cli *cli, const struct session *session, struct diag *diag)
{
    const struct graph *graph = session->graph;
    struct named files[MOST];
    size_t n = 0;

    if (add(files, &n, cli->operand, false, "", "the pipeline file", diag) ||
        add(files, &n, cli->result.json, true, "", "--json", diag) ||
        add(files, &n, cli->result.csv, true, "", "--csv", diag))
        return -1;
    for (size_t s = 0; s < graph->n; s++) {
        const struct graph_stage *stage = &graph->stages[s];
        for (size_t i = 0; stage->stage->params[i]; i++) {
            if (add(files, &n, path_of(stage, i), false, stage->decl->id,
                    stage->stage->params[i]->name, diag))
                return -1;
        }
    }
    return 0;
}

static int check_within(const char *within, const char *option, const char *path, struct diag *diag)
{
    char *real, why[512];
    int status;

    if (!path || !strcmp(path, "-"))
        return 0;
    status = param_path_within(within, path, &real, why, sizeof why);
    if (status < 0)
        return diag_no_memory(diag);
    if (status)
        return diag_fail(diag, DIAG_USAGE, "%s %s", option, why);
    free(real);
    return 0;
}

int cli_check_within(const struct cli *cli, struct diag *diag)
{
    const char *dir = cli->session.pipeline.within;
    char within[PATH_MAX];

    if (!dir)
        return 0;
    if (!realpath(dir, within))
        return diag_fail(diag, diag_of_open(errno), "--restrict %s: %s", dir, strerror(errno));
    return check_within(within, "--json", cli->result.json, diag) ||
                   check_within(within, "--csv", cli->result.csv, diag) ||
                   check_within(within, "--journal", cli->journal, diag) ||
                   check_within(within, "--dump", cli->dump, diag)
               ? -1
               : 0;
}
