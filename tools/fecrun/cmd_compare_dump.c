/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * compare --dump: frames on which two backends differ, as the LLRs that were received and the bits that
 * were sent, and a pipeline of all that is behind the channel, which does the same with them.
 */
#include "tools/fecrun/cmd_compare.h"

#include "tools/fecrun/json/objects.h"
#include "tools/fecrun/npy.h"
#include "tools/fecrun/result_impl.h"
#include "tools/fecrun/report.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* ---- Where it is cut ---- */

/* The first stage that takes LLRs which no random stage touches any more; 0: there is none. */
static size_t find_cut(const struct session_plan *plan)
{
    const struct graph *graph = plan->plan->graph;
    size_t first = 1;

    for (size_t s = 0; s < graph->n; s++)
        if (plan_flags(plan->plan, s) & FECRUN_STAGE_RANDOM)
            first = s + 1;
    for (size_t s = first; s < graph->n; s++) {
        const struct fecrun_frame *in = plan_input(plan->plan, s, 0);
        if (in && in->kind == FECRUN_KIND_LLR)
            return s;
    }
    return 0;
}

/* Only the sink may look back behind the cut. */
static bool is_chain(const struct graph *graph, size_t cut)
{
    const size_t last = graph->n - 1;

    for (size_t s = cut; s <= last; s++) {
        const struct graph_stage *stage = &graph->stages[s];
        if (stage->in[0].stage != (int)s - 1)
            return false;
        for (unsigned i = 1; i < stage->n_in; i++)
            if (stage->in[i].stage >= 0 && s < last)
                return false;
    }
    return graph->stages[last].n_in == 2 && graph->stages[last].in[1].stage >= 0 &&
           graph->stages[last].in[1].stage < (int)cut;
}

static int check_plan(const struct session *session, const struct session_plan *plan,
                      struct diag *diag)
{
    const size_t cut = find_cut(plan);

    if (!cut)
        return diag_fail(diag, DIAG_USAGE,
                         "--dump: no stage after the last random stage takes LLRs");
    if (session->pipeline->n_blocks || !is_chain(plan->plan->graph, cut) ||
        plan_input(plan->plan, cut, 0)->pieces > 1)
        return diag_fail(diag, DIAG_USAGE,
                         "--dump: from %s on this file is not a plain chain of stages on equal "
                         "frames; run --replay POINT:FRAME shows single frames",
                         plan->plan->graph->stages[cut].decl->id);
    return session_seekable(plan, "a replay", diag);
}

int compare_dump_check(const struct session *session, struct diag *diag)
{
    struct session_plan plan;
    int status;

    if (session_plan(session, 0, &plan, diag))
        return -1;
    status = check_plan(session, &plan, diag);
    session_plan_free(&plan);
    return status;
}

/* ---- Frames ---- */

struct dump {
    const struct session *session;
    const char *dir; /* of the point */
    struct graph_link ports[2];
    struct npy_array arrays[2]; /* received, sent */
    double scale;
    uint64_t frames;
};

static int on_port(void *data, const struct line_port *port, struct diag *diag)
{
    struct dump *dump = data;

    for (int k = 0; k < 2; k++) {
        const struct graph_stage *stage = &dump->session->graph->stages[dump->ports[k].stage];
        if (strcmp(stage->decl->id, port->stage) ||
            strcmp(stage->stage->outputs[dump->ports[k].port]->name, port->port))
            continue;
        if (k == 0)
            dump->scale = port->frame->llr_scale;
        if (npy_append(&dump->arrays[k], port, diag))
            return -1;
    }
    return 0;
}

static int make_dir(const char *path, struct diag *diag)
{
    if (!mkdir(path, 0777) || errno == EEXIST)
        return 0;
    return diag_fail(diag, diag_of_open(errno), "--dump %s: cannot make the directory: %s", path,
                     strerror(errno));
}

/* The user has named the directory above, not this one. */
static int check_dir(const char *path, struct diag *diag)
{
    struct stat st;

    if (!lstat(path, &st) && S_ISDIR(st.st_mode))
        return 0;
    return diag_fail(diag, DIAG_USAGE, "--dump %s: must be a directory, not a link to one", path);
}

static int write_array(const struct dump *dump, int k, const char *name, struct diag *diag)
{
    char path[1100];

    if (!dump->arrays[k].n)
        return diag_fail(diag, DIAG_RUN,
                         "--dump: the output of %s is not available here: another stage absorbs it",
                         dump->session->graph->stages[dump->ports[k].stage].decl->id);
    snprintf(path, sizeof path, "%s/%s", dump->dir, name);
    return npy_write(path, &dump->arrays[k], dump->frames, diag);
}

/* ---- The pipeline ---- */

static json_t *pipeline_of(const struct dump *dump, const struct session_plan *plan, size_t cut)
{
    json_t *run = report_run(dump->session, plan, 1);
    json_t *stages = json_object_get(run, "pipeline"), *list = json_array(), *file;

    json_array_append_new(list,
                          json_pack("{s:{s:s, s:s, s:f}}", "source.file", "path", "llr.npy", "kind",
                                    "llr", "llr_scale", dump->scale > 0 ? dump->scale : 1));
    for (size_t s = cut; s + 1 < json_array_size(stages); s++) {
        json_t *stage = json_array_get(stages, s);
        json_object_del(json_object_iter_value(json_object_iter(stage)), "backend");
        json_array_append(list, stage);
    }
    json_array_append_new(list, json_pack("{s:{s:s}}", "sink.errors", "reference", "sent.npy"));
    file = json_pack("{s:i, s:o}", "fecrun", 1, "pipeline", list);
    json_decref(run);
    return file;
}

static int write_pipeline(const struct dump *dump, const struct session_plan *plan, size_t cut,
                          const struct differing *frames, size_t n, struct diag *diag)
{
    json_t *pipeline = pipeline_of(dump, plan, cut);
    char *text = json_dumps(pipeline, JSON_INDENT(2));
    struct output output = {0};
    char path[1100];
    int status;

    json_decref(pipeline);
    if (!text || objects_lost()) {
        free(text);
        return diag_no_memory(diag);
    }
    snprintf(path, sizeof path, "%s/pipeline.yaml", dump->dir);
    status = output_open_own(&output, path, diag);
    if (!status) {
        fprintf(output.stream, "# %s, point %zu, frames", dump->session->pipeline->conf->file,
                frames[0].point);
        for (size_t i = 0; i < n; i++)
            fprintf(output.stream, "%s %" PRIu64, i ? "," : "", frames[i].frame);
        fprintf(output.stream, "\n%s\n", text);
        status = output_flush(&output, diag);
    }
    free(text);
    return output_close(&output, "", diag) ? -1 : status;
}

/* Frames of one point. */
static int dump_point(const struct session *session, const char *dir,
                      const struct differing *frames, size_t n, struct diag *diag)
{
    struct dump dump = {.session = session, .dir = dir, .frames = n};
    const struct graph_stage *stages = session->graph->stages;
    struct session_plan plan;
    size_t cut;
    int status = 0;

    if (make_dir(dir, diag) || check_dir(dir, diag) ||
        session_plan(session, frames[0].point, &plan, diag))
        return -1;
    cut = find_cut(&plan);
    dump.ports[0] = stages[cut].in[0];
    dump.ports[1] = stages[session->graph->n - 1].in[1];
    for (size_t i = 0; !status && i < n; i++) {
        const struct replay_options options = {
            .point = frames[i].point, .frame = frames[i].frame, .on_port = on_port, .data = &dump};
        struct run_counts counts;
        status = replay_run(session, &options, &counts, diag);
    }
    if (!status)
        status = write_array(&dump, 0, "llr.npy", diag) ||
                         write_array(&dump, 1, "sent.npy", diag) ||
                         write_pipeline(&dump, &plan, cut, frames, n, diag)
                     ? -1
                     : 0;
    free(dump.arrays[0].data);
    free(dump.arrays[1].data);
    session_plan_free(&plan);
    return status;
}

int compare_dump(const struct session *session, const char *dir, const struct differing *frames,
                 size_t n, struct diag *diag)
{
    char path[1024];
    size_t end;

    if (make_dir(dir, diag))
        return -1;
    for (size_t i = 0; i < n; i = end) {
        for (end = i; end < n && frames[end].point == frames[i].point; end++)
            continue;
        if (snprintf(path, sizeof path, "%s/point%zu", dir, frames[i].point) >= (int)sizeof path)
            return diag_fail(diag, DIAG_USAGE, "--dump: the name is too long: %s", path);
        if (dump_point(session, path, frames + i, end - i, diag))
            return -1;
    }
    return 0;
}
