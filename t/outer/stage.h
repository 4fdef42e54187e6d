/* SPDX-License-Identifier: BSD-2-Clause */
/* Encoders and decoders of plugins/outer as a host calls them: planned by their parameters, on each backend. */
#ifndef T_OUTER_STAGE_H
#define T_OUTER_STAGE_H

#include "plugins/outer/plugin.h"
#include "t/lib/tap.h"
#include <fecrun/sdk/simd.h>
#include <fecrun/sdk/stage.h>

enum { MOST_PARAMS = 16, MOST_ITEMS = 1 << 20 };

/* A parameter that is written; the last one has no name. text: of a string. */
struct wish {
    const char *name;
    int64_t i;
    const char *text;
};

struct coder {
    const struct fecrun_stage *stage;
    const struct fecrun_backend *backend;
    void *code, *instance, *scratch;
    struct fecrun_frame out[2];
};

static uint64_t random_state = 1;

static TAP_UNUSED uint32_t random_below(uint32_t n)
{
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((random_state >> 33) % n);
}

static TAP_UNUSED void read_values(const struct fecrun_stage *stage, const struct wish *wish,
                                   struct fecrun_value *value)
{
    for (size_t p = 0; stage->params[p]; p++) {
        value[p] = (struct fecrun_value){.size = sizeof *value};
        if (stage->params[p]->default_text) {
            value[p].given = 1;
            value[p].i = atoi(stage->params[p]->default_text);
        }
        for (const struct wish *w = wish; w->name; w++)
            if (!strcmp(w->name, stage->params[p]->name)) {
                value[p].given = 2;
                value[p].i = w->i;
                value[p].s = w->text;
            }
    }
}

/* Plans the stage for frames of that many items, with `flags` values a frame at its second input (0: not
   linked), and makes an instance of backend number b for that isa. */
static TAP_UNUSED void coder_open(struct coder *c, const struct fecrun_stage *stage, unsigned b,
                                  uint32_t isa, const struct wish *wish, uint64_t items,
                                  uint64_t flags)
{
    const struct fecrun_frame frame = {
        .size = sizeof frame, .kind = FECRUN_KIND_BITS, .type = FECRUN_U8, .items = items};
    const struct fecrun_frame marks = {
        .size = sizeof marks, .kind = FECRUN_KIND_VALUES, .type = FECRUN_F32, .items = flags};
    const struct fecrun_frame *ins[] = {&frame, flags ? &marks : NULL};
    struct fecrun_frame *outs[] = {&c->out[0], &c->out[1]};
    struct fecrun_value value[MOST_PARAMS];
    const struct fecrun_value *list[MOST_PARAMS];
    const struct fecrun_values values = {sizeof values, MOST_PARAMS, list};
    const struct fecrun_value automatic = {.size = sizeof automatic, .given = 1, .is_auto = 1};
    const struct fecrun_value *const tune[] = {&automatic};
    const struct fecrun_values tunes = {sizeof tunes, 1, tune};
    const struct fecrun_host host = {.size = sizeof host, .isa = isa};
    struct fecrun_plan result = {.size = sizeof result};
    struct fecrun_error err = {.size = sizeof err};
    struct fecrun_create create = {.size = sizeof create, .host = &host, .tune = &tunes};

    for (unsigned i = 0; i < MOST_PARAMS; i++)
        list[i] = &value[i];
    read_values(stage, wish, value);
    *c = (struct coder){.stage = stage, .backend = stage->backends[b]};
    c->out[0].size = c->out[1].size = sizeof c->out[0];
    if (stage->plan(&host, &values, ins, outs, &result, &err))
        bail("%s: %s: %s", stage->name, err.param, err.text);
    c->code = result.code;
    create.codes = &c->code;
    create.n_codes = 1;
    if (c->backend->create(&create, &c->instance, &err))
        bail("%s %s: %s", stage->name, c->backend->name, err.text);
    c->scratch = aligned_alloc(64, (c->backend->scratch(c->instance, 1) + 63) / 64 * 64 + 64);
    if (!c->scratch)
        bail("no memory");
}

static TAP_UNUSED void coder_close(struct coder *c)
{
    c->backend->destroy(c->instance);
    c->stage->plan_free(c->code);
    free(c->scratch);
}

static TAP_UNUSED struct fecrun_view view_of(void *data, uint32_t type, uint64_t frames,
                                             uint64_t stride)
{
    return (struct fecrun_view){.size = sizeof(struct fecrun_view),
                                .data = data,
                                .type = type,
                                .frames = frames,
                                .stride = stride};
}

/* One batch; marks and corrected may be NULL. */
static TAP_UNUSED void coder_run(struct coder *c, uint32_t type, uint64_t frames, const void *from,
                                 uint64_t stride_in, const float *marks, uint64_t n_marks, void *to,
                                 uint64_t stride_out, float *corrected,
                                 struct fecrun_frame_info *info)
{
    struct fecrun_view in = view_of((void *)from, type, frames, stride_in);
    struct fecrun_view marked = view_of((void *)marks, FECRUN_F32, frames, n_marks * sizeof *marks);
    struct fecrun_view out = view_of(to, type, frames, stride_out);
    struct fecrun_view counts = view_of(corrected, FECRUN_F32, frames,
                                        c->out[1].items * sizeof *corrected);
    const struct fecrun_view *ins[] = {&in, marks ? &marked : NULL};
    struct fecrun_view *outs[] = {&out, corrected ? &counts : NULL};
    const struct fecrun_call call = {
        .size = sizeof call, .codes = &c->code, .scratch = c->scratch, .info = info};
    struct fecrun_error err = {.size = sizeof err};

    if (c->backend->run(c->instance, &call, ins, outs, &err))
        bail("%s %s: %s", c->stage->name, c->backend->name, err.text);
}

/* ---- Backends -------------------------------------------------------------------------------- */

/* Backend 0 is ref; 1 and 2 are simd for AVX2 and AVX-512. Is that one there for frames of that stage's code? */
enum { REF, AVX2, AVX512, N_BACKENDS };
enum { SIMD = 2 }; /* in the stage's table */
static const char *const backend_names[] TAP_UNUSED = {"ref", "simd avx2", "simd avx512"};

static TAP_UNUSED bool coder_open_on(struct coder *c, unsigned backend,
                                     const struct fecrun_stage *stage, const struct wish *wish,
                                     uint64_t items, uint64_t flags)
{
    const uint32_t isa = backend == AVX512 ? FECRUN_ISA_AVX512
                         : backend == AVX2 ? FECRUN_ISA_AVX2
                                           : FECRUN_ISA_GENERIC;
    struct fecrun_error err = {.size = sizeof err};
    struct fecrun_create create = {.size = sizeof create};

    if (!fecrun_isa_runs(isa))
        return false;
    coder_open(c, stage, 0, isa, wish, items, flags);
    create.codes = &c->code;
    if (backend == REF)
        return true;
    if (stage->backends[SIMD]->takes(&create, &err)) {
        coder_close(c);
        return false;
    }
    coder_close(c);
    coder_open(c, stage, SIMD, isa, wish, items, flags);
    return true;
}

/* ---- Tables of t/data ------------------------------------------------------------------------ */

enum { MOST_LINE = 1 << 14, MOST_FIELDS = 12 };

/* Reads t/data/outer/NAME.csv and calls line() with the fields of each line behind the header. Returns how many. */
static TAP_UNUSED unsigned each_line(const char *name, void (*line)(char *field[MOST_FIELDS]))
{
    const char *dir = getenv("T_DATA");
    static char text[MOST_LINE];
    char path[4096];
    unsigned lines = 0;
    FILE *file;

    snprintf(path, sizeof path, "%s/outer/%s", dir ? dir : "t/data", name);
    file = fopen(path, "r");
    if (!file || !fgets(text, sizeof text, file))
        bail("cannot read %s", path);
    for (; fgets(text, sizeof text, file); lines++) {
        char *field[MOST_FIELDS] = {strtok(text, ",\n")};

        for (unsigned i = 1; i < MOST_FIELDS && field[i - 1]; i++)
            field[i] = strtok(NULL, ",\n");
        line(field);
    }
    fclose(file);
    return lines;
}

/* The byte of two hexadecimal digits. */
static TAP_UNUSED uint8_t hex_byte(const char *text)
{
    const char two[3] = {text[0], text[1], 0};

    return (uint8_t)strtoul(two, NULL, 16);
}

/* The choice of that name, of a parameter of the stage. */
static TAP_UNUSED int64_t choice_of(const struct fecrun_stage *stage, const char *param,
                                    const char *word)
{
    for (size_t p = 0; stage->params[p]; p++)
        for (int64_t i = 0; !strcmp(stage->params[p]->name, param) && stage->params[p]->choices[i];
             i++)
            if (!strcmp(stage->params[p]->choices[i], word))
                return i;
    bail("%s has no %s: %s", stage->name, param, word);
}

#endif
