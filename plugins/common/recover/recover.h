/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What rate recovery is in all families: LLRs that came in for one item of the word are added up, also to
 * those of a soft buffer, and end at a limit. Where an item stands in what is sent is the family's.
 */
#ifndef PLUGINS_COMMON_RECOVER_H
#define PLUGINS_COMMON_RECOVER_H

#include <fecrun/plugin.h>
#include <stdbool.h>

#include "plugins/common/files/harq.h"
#include "plugins/common/recover/clean.h"

/* What a code object of a stage with soft buffers begins with. */
struct recover {
    struct harq_files soft; /* buffers in files; a stage with one never goes to a device */
    double limit;           /* of magnitudes: 127, 32767, FECRUN_LLR_MAX_F32 */
};

/* ---- plan(): functions that return an int return -1 and a reason on failure ---- */

/* Are these frames of 1 to `most` LLRs, and of e, if e is given? */
int recover_check_input(const struct fecrun_frame *in, uint32_t most, const struct fecrun_value *e,
                        struct fecrun_error *err);

/* r->soft, for words of n items, from harq_in, harq_out and the input of a linked soft buffer, which
   may be NULL. The paths stay the values'. */
int recover_read_files(struct recover *r, uint32_t n, const struct fecrun_value *harq_in,
                       const struct fecrun_value *harq_out, const struct fecrun_frame *in,
                       const struct fecrun_frame *linked, struct fecrun_error *err);

/*
 * r->limit, and the type and llr_max of *out, which is a copy of the input. times: as often as an item
 * comes in at most; known: some items are known without being sent, and get the limit. The limit is
 * that of the type that the values come in, whichever wider one the host chooses for the work, so that
 * the choice changes nothing. Without any sum and known item i4 stays what it is.
 */
void recover_describe(struct recover *r, uint32_t times, bool known,
                      const struct fecrun_frame *linked, struct fecrun_frame *out);

/* The fact `key` of *out: bits of the word of which something is known, of `now` that come in and
   those that a linked buffer tells of. Of a file's nobody says. */
int recover_set_received(const struct recover *r, const char *key, double now,
                         const struct fecrun_frame *linked, struct fecrun_frame *out,
                         struct fecrun_error *err);

/* What a plan says of a stage with files. */
void recover_plan_files(const struct recover *r, struct fecrun_plan *plan);

/* ---- A backend: its callbacks, for code objects that begin with a struct recover ---- */

/* An instance is the files, and NULL without any. */
int recover_create(const struct fecrun_create *args, void **instance, struct fecrun_error *err);
int recover_finish(void *instance, struct fecrun_error *err);
void recover_destroy(void *instance);

/* What a family does with a row of the input's type: */
struct recover_work {
    /* all sums but those of known items, which become 0; prior: N LLRs, or NULL */
    void (*frame)(const void *code, uint32_t type, const void *in, const void *prior, void *scratch,
                  void *out);
    /* known items; NULL: frame() has done it */
    void (*known)(const void *code, uint32_t type, void *out);
};

/* Rows of the call, in order. */
int recover_run(const struct recover_work *work, void *instance, const struct fecrun_call *call,
                const struct fecrun_view *const in[], struct fecrun_view *const out[],
                struct fecrun_error *err);

/* Calls name_i8(), name_i16() or name_f32(), which give nothing, for a row of this type. */
#define RECOVER_BY_TYPE(type, name, ...) \
    ((type) == FECRUN_I8    ? name##_i8(__VA_ARGS__) \
     : (type) == FECRUN_I16 ? name##_i16(__VA_ARGS__) \
                            : name##_f32(__VA_ARGS__))

/* Item i of a row of this type. */
static inline void recover_put(void *row, uint32_t type, uint32_t i, double llr)
{
    if (type == FECRUN_I8)
        ((int8_t *)row)[i] = (int8_t)llr;
    else if (type == FECRUN_I16)
        ((int16_t *)row)[i] = (int16_t)llr;
    else
        ((float *)row)[i] = (float)llr;
}

/* ---- Tables ---- */

/* Work is on one of three types, that of the soft buffer too. */
extern const struct fecrun_form *const recover_forms[];
/* The same of stages without a soft buffer. */
extern const struct fecrun_form *const recover_plain_forms[];

/* in, and harq_in. */
extern const struct fecrun_port *const recover_inputs[];

/* The parameters harq_in and harq_out, which come last. */
#define RECOVER_FILE_PARAMS(stage) \
    FECRUN_PARAM(.name = "harq_in", .type = FECRUN_VALUE_PORT, \
                 .help = "soft buffer to add to: another " stage \
                         " (ID or ID.PORT), or a .npy file with N LLRs of the input's scale a " \
                         "frame"), \
        FECRUN_PARAM(.name = "harq_out", .type = FECRUN_VALUE_PATH, .flags = FECRUN_PARAM_WRITES, \
                     .help = "a .npy file for the combined LLRs, N a frame, fillers 0")

#endif
