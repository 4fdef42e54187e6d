/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/fecrun/journal/identity.h"
#include "tools/fecrun/json/objects.h"

#include "core/base/cpu.h"

#include <fecrun/sdk/simd.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Files by what they hold ---- */

#define ENDS (1l << 20)

/* Adds bytes from here on, at most so many. */
static void add_bytes(struct sha256 *sha, FILE *file, long most)
{
    char block[4096];
    size_t n;

    for (; most > 0 && (n = fread(block, 1, sizeof block, file)) > 0; most -= (long)n)
        sha256_add(sha, block, n);
}

/* ends: only the size, and what stands at both ends. */
static int hash_file(const char *path, bool ends, char text[SHA256_TEXT])
{
    FILE *file = fopen(path, "rb");
    struct sha256 sha;
    long size = 0;
    int failed;

    if (!file)
        return -1;
    failed = ends &&
             (fseek(file, 0, SEEK_END) || (size = ftell(file)) < 0 || fseek(file, 0, SEEK_SET));
    sha256_begin(&sha);
    if (ends)
        sha256_add(&sha, &size, sizeof size);
    add_bytes(&sha, file, ends ? ENDS : LONG_MAX);
    if (!failed && ends && size > ENDS)
        failed = fseek(file, size - ENDS, SEEK_SET);
    if (!failed && ends)
        add_bytes(&sha, file, ENDS);
    failed |= ferror(file);
    fclose(file);
    sha256_end(&sha, text);
    return failed ? -1 : 0;
}

static int replace_paths(json_t *params, const struct graph_stage *stage, struct diag *diag)
{
    const struct fecrun_values *values = param_values(stage->params);
    /* a capture, of any size: journals do not have it, and processes of a job are to begin soon */
    const bool ends = stage->n_in == 0 && stage->stage->flags & FECRUN_STAGE_ORDERED;
    char hash[SHA256_TEXT];

    for (size_t i = 0; i < values->count; i++) {
        const struct fecrun_param *param = stage->stage->params[i];
        const char *path = json_string_value(json_object_get(params, param->name));
        if (param->type != FECRUN_VALUE_PATH || !path)
            continue;
        if (param->flags & FECRUN_PARAM_WRITES) {
            json_object_del(params, param->name);
            continue;
        }
        if (hash_file(path, ends, hash))
            return diag_fail(diag, DIAG_RUN, "%s.%s: cannot read %s: %s", stage->decl->id,
                             param->name, path, strerror(errno));
        json_object_set_new(params, param->name, json_sprintf("sha256:%s", hash));
    }
    return 0;
}

/* ---- The pipeline ---- */

static int strip_stage(json_t *entry, const struct session *session, size_t s, struct diag *diag)
{
    const struct pipeline *pipeline = session->pipeline;
    const struct graph_stage *stage = &session->graph->stages[s];
    json_t *params = json_object_get(entry, stage->decl->name);

    json_object_del(params, "backend");
    json_object_del(params, "tune");
    for (size_t i = 0; i < pipeline->n_sweeps; i++)
        if (!strcmp(pipeline->sweeps[i].stage, stage->decl->id))
            json_object_del(params, pipeline->sweeps[i].param);
    return replace_paths(params, stage, diag);
}

static json_t *swept_names(const struct pipeline *pipeline)
{
    json_t *names = json_array();

    for (size_t i = 0; i < pipeline->n_sweeps; i++)
        json_array_append_new(
            names, json_sprintf("%s.%s", pipeline->sweeps[i].stage, pipeline->sweeps[i].param));
    return names;
}

json_t *identity_of(const struct session *session, const json_t *run, struct diag *diag)
{
    json_t *stages = json_deep_copy(json_object_get(run, "pipeline"));
    json_t *blocks = json_object_get(run, "blocks");
    json_t *identity;

    for (size_t s = 0; stages && s < session->graph->n; s++)
        if (strip_stage(json_array_get(stages, s), session, s, diag)) {
            json_decref(stages);
            return NULL;
        }
    identity = json_pack("{s:O, s:o, s:o}", "seed", json_object_get(run, "seed"), "sweep",
                         swept_names(session->pipeline), "pipeline", stages);
    if (!identity || (blocks && json_object_set(identity, "blocks", blocks))) {
        json_decref(identity);
        diag_no_memory(diag);
        return NULL;
    }
    return identity;
}

/* What is swept first makes no difference to any point. */
static json_t *sorted_names(const json_t *identity)
{
    json_t *set = json_object();
    json_t *name;
    size_t i;

    json_array_foreach(json_object_get(identity, "sweep"), i, name)
        json_object_set_new(set, json_string_value(name), json_true());
    return set;
}

int identity_hash(const json_t *identity, char text[SHA256_TEXT])
{
    json_t *copy = json_copy((json_t *)identity);
    struct sha256 sha;
    char *line;

    json_object_set_new(copy, "sweep", sorted_names(identity));
    line = json_dumps(copy, JSON_COMPACT | JSON_SORT_KEYS | JSON_REAL_PRECISION(17));
    json_decref(copy);
    if (!line || objects_lost()) {
        free(line);
        return -1;
    }
    sha256_begin(&sha);
    sha256_add(&sha, line, strlen(line));
    sha256_end(&sha, text);
    free(line);
    return 0;
}

/* ---- Differences ---- */

static void show(const json_t *value, char *text, size_t size)
{
    char *line = value ? json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY | JSON_REAL_PRECISION(9))
                       : NULL;

    snprintf(text, size, "%s", line ? line : "nothing");
    free(line);
}

static bool find_difference(const json_t *a, const json_t *b, const char *path, char *text,
                            size_t size);

/* PATH.KEY; a long one is cut, as it is for people only. */
static const char *member(char *text, size_t size, const char *path, const char *key)
{
    if (snprintf(text, size, "%s%s%s", path, *path ? "." : "", key) >= (int)size)
        memcpy(text + size - 4, "...", 4);
    return text;
}

static bool in_object(const json_t *a, const json_t *b, const char *path, char *text, size_t size)
{
    char below[256];
    const char *key;
    json_t *value;

    json_object_foreach((json_t *)a, key, value)
    {
        member(below, sizeof below, path, key);
        if (find_difference(value, json_object_get(b, key), below, text, size))
            return true;
    }
    json_object_foreach((json_t *)b, key, value)
    {
        member(below, sizeof below, path, key);
        if (!json_object_get(a, key) && find_difference(NULL, value, below, text, size))
            return true;
    }
    return false;
}

static bool find_difference(const json_t *a, const json_t *b, const char *path, char *text,
                            size_t size)
{
    char below[256], at[32], left[96], right[96];

    if (json_equal((json_t *)a, (json_t *)b))
        return false;
    if (json_is_object(a) && json_is_object(b))
        return in_object(a, b, path, text, size);
    if (json_is_array(a) && json_is_array(b))
        for (size_t i = 0; i < json_array_size(a) && i < json_array_size(b); i++) {
            snprintf(at, sizeof at, "[%zu]", i);
            snprintf(below, sizeof below, "%.200s%s", path, at);
            if (find_difference(json_array_get(a, i), json_array_get(b, i), below, text, size))
                return true;
        }
    show(a, left, sizeof left);
    show(b, right, sizeof right);
    snprintf(text, size, "%s: %s, here %s", path, left, right);
    return true;
}

const char *identity_difference(const json_t *a, const json_t *b, char *text, size_t size)
{
    if (!find_difference(a, b, "", text, size))
        snprintf(text, size, "nothing that is written there");
    return text;
}

/* ---- Backends ---- */

static bool is_real(uint32_t type)
{
    return type == FECRUN_F32 || type == FECRUN_F16;
}

/* Who rounds otherwise may decide otherwise, be it hardly ever. */
static bool decides_on_reals(const struct session_plan *plan, size_t s)
{
    const struct fecrun_frame *in = plan_input(plan->plan, s, 0);
    const struct graph_stage *stage = &plan->plan->graph->stages[s];

    return in && in->kind == FECRUN_KIND_LLR && is_real(in->type) && stage->n_out &&
           plan->plan->stages[s].out[0].kind == FECRUN_KIND_BITS && stage->entry->n_backends > 1;
}

/* Settings of the backend that are not its defaults: which of them only cost time is not known here. Instruction
   sets are the same for integers. */
static void add_tune(const struct param_set *tune, bool real, char *text, size_t size)
{
    const struct fecrun_param *const *params = param_schema(tune);
    const struct fecrun_values *values = param_values(tune);
    char value[256];

    for (size_t i = 0; i < values->count; i++) {
        const char *name = params[i]->name, *usual = params[i]->default_text;

        if (!values->v[i]->given || (!real && !strcmp(name, fecrun_isa_param.name)))
            continue;
        param_text(tune, i, value, sizeof value);
        if (!usual || strcmp(value, usual))
            text_add(text, size, " %s=%s", name, value);
    }
}

/* Vectors of another length add reals in another order; integers are the same on all. With `latency: low` a
   stage may choose other arithmetic, and so may its `tune`. */
static json_t *near_name(const struct session *session, const struct choice *choice)
{
    const char *name = choice->backend->backend->name;
    const bool real = is_real(choice->form->in[0].type);
    char text[1024] = "";

    text_add(text, sizeof text, "%s", name);
    if (choice->space == SPACE_HOST && strcmp(name, "ref") && real)
        text_add(text, sizeof text, " %s", fecrun_isa_names[session->registry->host.isa]);
    if (session->pipeline->low_latency && strcmp(name, "ref"))
        text_add(text, sizeof text, " low");
    if (choice->tune)
        add_tune(choice->tune, real, text, sizeof text);
    return json_string(text);
}

json_t *identity_near(const struct session *session, const struct session_plan *plan)
{
    const struct graph *graph = session->graph;
    json_t *near = json_object();

    for (size_t s = 0; near && s < graph->n; s++) {
        const struct choice *choice = &plan->negotiation->choices[s];
        if (choice->absorbed_by < 0 &&
            (choice->backend->backend->agreement == FECRUN_AGREEMENT_NEAR ||
             decides_on_reals(plan, s)))
            json_object_set_new(near, graph->stages[s].decl->id, near_name(session, choice));
    }
    return near;
}

static bool has_word(const char *text, const char *word)
{
    const size_t n = strlen(word);

    for (const char *at = text; (at = strstr(at, word)); at++)
        if ((at == text || at[-1] == '+') && (!at[n] || at[n] == '+'))
            return true;
    return false;
}

const char *identity_backends(const struct session_plan *plan, char *text, size_t size)
{
    const struct negotiation *negotiation = plan->negotiation;

    text[0] = 0;
    for (size_t s = 0; s < negotiation->graph->n; s++) {
        const struct choice *choice = &negotiation->choices[s];
        const size_t n = strlen(text);
        if (choice->absorbed_by < 0 && !has_word(text, choice->backend->backend->name))
            snprintf(text + n, size - n, "%s%s", n ? "+" : "", choice->backend->backend->name);
    }
    return text;
}
