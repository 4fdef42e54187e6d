/* SPDX-License-Identifier: BSD-2-Clause */
/* Checks that no option writes a file that the command reads, or that another option writes, and that
   --restrict DIR holds for outputs. What stages write is checked in run/session/paths.c. */
#include <stdio.h>

#include "run/session/session.h"
#include "tools/fecrun/cli.h"
#include "tools/fecrun/files.h"
#include "tools/fecrun/journal/store.h"
#include "tools/fecrun/restrict.h"

#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- Inputs ---- */

static int add_operands(struct files *files, const struct cli *cli, struct diag *diag)
{
    const char *kind = cli->operand_kind ? cli->operand_kind : "";
    const bool file = !strncmp(kind, "FILE", 4), pipeline = file && cli->n_operands == 1;
    int status = 0;

    if (!file && strncmp(kind, "RESULT", 6))
        return 0;
    for (size_t i = 0; i < cli->n_operands && !status; i++) {
        const char *path = cli->operands[i];
        const char *shown = strcmp(path, "-") ? path : "(standard input)";
        status = pipeline ? files_add_input(files, diag, path, "the pipeline file %s", shown)
                          : files_add_input(files, diag, path, "the result file %s, which %s reads",
                                            shown, cli->verb);
    }
    return status;
}

/* Adds the file that parameter i of a stage names; params are the stage's, or a copy with a swept value. */
static int add_path(struct files *files, const struct graph_stage *stage,
                    const struct param_set *params, size_t i, struct mark mark, struct diag *diag)
{
    const struct fecrun_param *param = stage->stage->params[i];
    char of[512] = "";

    if (mark.file && mark.line)
        snprintf(of, sizeof of, " of %s:%u:%u", mark.file, mark.line, mark.column);
    return files_add_input(files, diag, paths_of(params, i), "the file that %s.%s%s %s",
                           stage->decl->id, param->name, of,
                           param->flags & FECRUN_PARAM_WRITES ? "writes" : "reads");
}

/* Adds the files of all values of a sweep. */
static int add_swept(struct files *files, const struct graph *graph,
                     const struct pipeline_sweep *sweep, struct diag *diag)
{
    const struct graph_stage *stage = &graph->stages[graph_find(graph, sweep->stage)];
    const int i = param_index(stage->params, sweep->param);
    struct param_set *copy;
    int status = 0;

    if (i < 0 || stage->stage->params[i]->type != FECRUN_VALUE_PATH)
        return 0;
    copy = param_clone(stage->params);
    if (!copy)
        return diag_no_memory(diag);
    for (size_t k = 0; k < sweep->count && !status; k++)
        status = param_override(copy, sweep->param, sweep->values[k], sweep->mark, diag) ||
                         add_path(files, stage, copy, (size_t)i, sweep->mark, diag)
                     ? -1
                     : 0;
    param_free(copy);
    return status;
}

static int add_pipeline(struct files *files, const struct graph *graph, struct diag *diag)
{
    const struct pipeline *pipeline = graph->pipeline;
    const struct mark mark = pipeline->blocks_mark;

    if (files_add_input(files, diag, pipeline->blocks_file,
                        "the file that blocks: of %s:%u:%u reads", mark.file, mark.line,
                        mark.column))
        return -1;
    for (size_t s = 0; s < graph->n; s++) {
        const struct graph_stage *stage = &graph->stages[s];
        for (size_t i = 0; stage->stage->params[i]; i++) {
            const struct mark at = param_mark(stage->params, stage->stage->params[i]->name);
            if (add_path(files, stage, stage->params, i, at, diag))
                return -1;
        }
    }
    for (size_t k = 0; k < pipeline->n_sweeps; k++)
        if (add_swept(files, graph, &pipeline->sweeps[k], diag))
            return -1;
    return 0;
}

static int add_plugins(struct files *files, const struct registry *registry, struct diag *diag)
{
    int status = 0;

    for (size_t i = 0; i < registry->n_files && !status; i++)
        status = files_add_input(files, diag, registry->files[i].path, "a plugin's file");
    for (size_t i = 0; i < registry->n_hidden && !status; i++)
        status = files_add_input(files, diag, registry->hidden[i].path, "a plugin's file");
    return status;
}

struct journal_use {
    struct files *files;
    const char *dir;
    bool written; /* --journal */
};

static int add_journal_file(void *data, const char *path, struct diag *diag)
{
    const struct journal_use *use = data;

    return use->written
               ? files_add_output(use->files, diag, "--journal", use->dir, path)
               : files_add_input(use->files, diag, path, "a file of the journal %s", use->dir);
}

static int add_journals(struct files *files, const struct cli *cli, struct diag *diag)
{
    const bool journals = cli->operand_kind && !strncmp(cli->operand_kind, "DIR", 3);
    int status = 0;

    for (size_t i = 0; journals && i < cli->n_operands && !status; i++) {
        struct journal_use use = {.files = files, .dir = cli->operands[i]};
        status = store_each_file(use.dir, add_journal_file, &use, diag);
    }
    return status;
}

/* ---- Outputs ---- */

static int add_formatted(struct files *files, struct diag *diag, const char *option,
                         const char *value, const char *format, ...)
    __attribute__((format(printf, 5, 6)));
static int add_formatted(struct files *files, struct diag *diag, const char *option,
                         const char *value, const char *format, ...)
{
    char path[PATH_MAX];
    va_list args;
    int n;

    va_start(args, format);
    n = vsnprintf(path, sizeof path, format, args);
    va_end(args);
    /* a longer name cannot be opened */
    return n < PATH_MAX ? files_add_output(files, diag, option, value, path) : 0;
}

/* Adds the file and NAME.partial, which a failed run leaves. Devices and pipes have no NAME.partial. */
static int add_result(struct files *files, const char *option, const char *path, struct diag *diag)
{
    struct stat st;
    char *target;
    int status;

    if (files_add_output(files, diag, option, path, path))
        return -1;
    if (!path || !strcmp(path, "-") || (!stat(path, &st) && !S_ISREG(st.st_mode)))
        return 0;
    errno = 0;
    target = !lstat(path, &st) && S_ISLNK(st.st_mode) ? realpath(path, NULL) : NULL;
    if (!target && errno == ENOMEM)
        return diag_no_memory(diag);
    status = add_formatted(files, diag, option, path, "%s.partial", target ? target : path);
    free(target);
    return status;
}

/* Adds the files of run --replay --dump: one for each output port. */
static int add_ports(struct files *files, const char *dir, const struct graph *graph,
                     struct diag *diag)
{
    for (size_t s = 0; s < graph->n; s++) {
        const struct graph_stage *stage = &graph->stages[s];
        for (unsigned p = 0; p < stage->n_out; p++)
            if (add_formatted(files, diag, "--dump", dir, "%s/%s.%s.npy", dir, stage->decl->id,
                              stage->stage->outputs[p]->name))
                return -1;
    }
    return 0;
}

/* Adds the files of compare --dump: a directory for each point. A directory that does not exist has no
   inputs in it. */
static int add_points(struct files *files, const char *dir, const struct session *session,
                      struct diag *diag)
{
    static const char *const names[] = {"llr.npy", "sent.npy", "pipeline.yaml"};
    const size_t n = access(dir, F_OK) ? 0 : session_points(session);
    char point[PATH_MAX];

    for (size_t i = 0; i < n; i++) {
        if (snprintf(point, sizeof point, "%s/point%zu", dir, i) >= PATH_MAX)
            return 0;
        if (access(point, F_OK))
            continue;
        for (size_t k = 0; k < sizeof names / sizeof *names; k++)
            if (add_formatted(files, diag, "--dump", dir, "%s/%s", point, names[k]))
                return -1;
    }
    return 0;
}

static int add_own_journal(struct files *files, const char *dir, struct diag *diag)
{
    struct journal_use use = {.files = files, .dir = dir, .written = true};

    return dir ? store_each_file(dir, add_journal_file, &use, diag) : 0;
}

static int add_outputs(struct files *files, const struct cli *cli, const struct session *session,
                       struct diag *diag)
{
    if (add_own_journal(files, cli->journal, diag))
        return -1;
    if (cli->dump && session &&
        (cli->replay ? add_ports(files, cli->dump, session->graph, diag)
                     : add_points(files, cli->dump, session, diag)))
        return -1;
    return add_result(files, "--json", cli->result.json, diag) ||
                   add_result(files, "--csv", cli->result.csv, diag) ||
                   add_result(files, "--html", cli->result.html, diag) ||
                   files_add_output(files, diag, "-o", cli->output, cli->output) ||
                   files_add_output(files, diag, "--gp", cli->gp, cli->gp)
               ? -1
               : 0;
}

/* ---- The check ---- */

int cli_check_files(const struct cli *cli, const struct registry *registry,
                    const struct session *session, struct diag *diag)
{
    struct files files = {0};
    int status = add_operands(&files, cli, diag) || add_journals(&files, cli, diag) ? -1 : 0;

    if (!status && session)
        status = add_pipeline(&files, session->graph, diag);
    if (!status && registry)
        status = add_plugins(&files, registry, diag);
    if (!status)
        status = add_outputs(&files, cli, session, diag);
    files_free(&files);
    return status;
}

int cli_open_registry(const struct cli *cli, struct registry **registry, struct diag *diag)
{
    if (registry_open(registry, &cli->session.registry, diag))
        return -1;
    if (!cli_check_files(cli, *registry, NULL, diag))
        return 0;
    registry_close(*registry);
    return -1;
}

int cli_open_session(const struct cli *cli, const struct session_options *options,
                     struct session *session, struct diag *diag)
{
    if (session_open(session, cli->operand, options, diag))
        return -1;
    if (!cli_check_files(cli, session->registry, session, diag))
        return 0;
    session_close(session);
    return -1;
}

/* ---- --restrict ---- */
static int check_within(char *within, const char *option, const char *path, struct diag *diag)
{
    char *real, why[512];
    int status;

    if (!path || !strcmp(path, "-"))
        return 0;
    real = strdup(path);
    status = real ? restrict_path(within, &real, why, sizeof why) : -1;
    free(real);
    if (status < 0)
        return diag_no_memory(diag);
    return status ? diag_fail(diag, DIAG_USAGE, "%s %s", option, why) : 0;
}

int cli_check_within(struct cli *cli, struct diag *diag)
{
    struct conf_place *place = &cli->session.pipeline.place;

    if (!cli->restrict_to)
        return 0;
    if (restrict_open(&cli->restricted, cli->restrict_to, diag))
        return -1;
    place->resolve = restrict_path;
    place->data = cli->restricted;
    return check_within(cli->restricted, "--json", cli->result.json, diag) ||
                   check_within(cli->restricted, "--csv", cli->result.csv, diag) ||
                   check_within(cli->restricted, "--html", cli->result.html, diag) ||
                   check_within(cli->restricted, "--journal", cli->journal, diag) ||
                   check_within(cli->restricted, "--dump", cli->dump, diag)
               ? -1
               : 0;
}
