/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fecrun-check: does a plugin keep the contract of plugin.h?
 *
 *     point    parameters of a stage, as a YAML map
 *     variant  a point with input frames that its plan() accepts
 *     job      a pattern of input and a number of frames
 *
 * Each backend runs all jobs on all variants, in a child process; its parent turns the report that
 * it leaves in shared memory into TAP.
 */
#ifndef FECRUN_CHECK_CHECK_H
#define FECRUN_CHECK_CHECK_H

#include "core/value/conf.h"
#include "core/value/param.h"
#include "core/plugin/registry.h"

#include <fecrun/sim.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>

/* ---- Options ---- */

struct check_options {
    uint64_t seed;
    double seconds;   /* per backend, about; 0: not given */
    unsigned timeout; /* seconds without progress: a hang */
    bool bench, verbose, list, only_cases, threads;
    const char *stage, *backend;         /* NULL: all */
    const char **dirs, **files, **cases; /* NULL-terminated */
};

/* ---- Random numbers: splitmix64, so that a case is the same on every machine ---- */

struct check_random {
    uint64_t state;
};

uint64_t check_random(struct check_random *random);
uint64_t check_random_below(struct check_random *random, uint64_t n);
double check_random_unit(struct check_random *random); /* [0, 1) */
double check_random_gauss(struct check_random *random);
/* A seed that depends on text too: one stage's cases do not change when another is added. */
struct check_random check_random_for(uint64_t seed, const char *text, uint64_t number);

/* ---- Report: written by a child, printed by its parent ---- */

enum {
    CHECK_LINES = 6, /* of details kept; more failures are only counted */
    CHECK_NOTES = 64,
    CHECK_TEXT = 900,
    CHECK_MAX_GROUPS = 20,
};

struct check_group {
    const char *what; /* static text; NULL: not used */
    uint64_t checks, failures;
    char skip[256];
    unsigned n_lines;
    char line[CHECK_LINES][CHECK_TEXT];
};

struct check_report {
    _Atomic uint64_t progress; /* counted up with every call and every finding */
    bool done;
    uint64_t hint;        /* of the stage's child, for those of its backends: see struct check */
    bool wrote_code;      /* it crashed where it wrote to what plan() had made */
    char now[CHECK_TEXT]; /* what a crash or hang is blamed on */
    char summary[256];
    struct check_group group[CHECK_MAX_GROUPS];
    unsigned n_notes;
    char note[CHECK_NOTES][CHECK_TEXT]; /* shown with --verbose */
    unsigned n_untested;
    char untested[CHECK_NOTES][CHECK_TEXT]; /* shown always, loud */
    char left_out[CHECK_TEXT];              /* what there was no time for; shown with them */
    char verdicts[CHECK_TEXT];              /* shown always */
    char bench[CHECK_TEXT];                 /* shown always */
};

__attribute__((format(printf, 3, 4))) bool check_fail(struct check_report *report, unsigned group,
                                                      const char *format, ...);
__attribute__((format(printf, 2, 3))) void check_now(struct check_report *report,
                                                     const char *format, ...);
__attribute__((format(printf, 2, 3))) void check_note(struct check_report *report,
                                                      const char *format, ...);
/* What no test could reach: nobody should take it for tested. */
__attribute__((format(printf, 2, 3))) void check_untested(struct check_report *report,
                                                          const char *format, ...);
/* What there was no time for, in few words; each is kept once. */
void check_left_out(struct check_report *report, const char *what);
/* A check that is only counted when it passes. */
void check_pass(struct check_report *report, unsigned group);

/* ---- TAP ---- */

__attribute__((format(printf, 2, 3))) bool tap_ok(bool pass, const char *format, ...);
__attribute__((format(printf, 2, 3))) void tap_skip(const char *reason, const char *format, ...);
__attribute__((format(printf, 1, 2))) void tap_diag(const char *format, ...);
int tap_end(void); /* prints the plan; exit status */

/* ---- Children ---- */

typedef void check_child_fn(void *data, struct check_report *report);

/*
 * Runs fn in a child process and prints its report, each group as a TAP line "LABEL: what". A
 * child that crashes, ends by itself or shows no progress is a `not ok` that says what it was at.
 * `again` is the command line that repeats it. hint: where the report's is put, or NULL. False:
 * something failed.
 */
bool check_child(const struct check_options *options, const char *label, const char *again,
                 check_child_fn *fn, void *data, uint64_t *hint);

/* Can the file be opened without killing the process? False: why not. */
bool check_trial_load(const char *path, unsigned timeout, char *reason, size_t size);

/* ---- One stage ---- */

struct check {
    const struct check_options *options;
    const struct registry *registry;
    const struct registry_stage *stage;
    const struct registry_backend *backend; /* NULL: the stage itself */
    uint64_t hint; /* items that it takes where no usual number will do; 0: usual ones do */
    const struct fecrun_host *host;
    struct check_report *report;
};

/* The description's rules. Group 0 of the report. */
void check_meta_plugin(struct check_report *report, const struct registry *registry,
                       const struct loaded *file);
void check_meta_stage(struct check_report *report, const struct registry *registry,
                      const struct registry_stage *stage);

/* ---- Points and variants ---- */

/* What a case may say about its input, in `check: {...}`; 0: nothing said. */
struct check_wish {
    uint64_t items, pieces;
    uint32_t type; /* enum fecrun_type */
    double llr_max, n0;
    char scheme[24];                 /* "": any */
    int stream;                      /* -1: nothing said */
    uint64_t corrects, symbol_items; /* see struct fecrun_example */
};

struct check_point {
    char *text;                           /* "{code: dvb}" */
    const char *origin;                   /* "defaults", "schema", "example", "--case" */
    const struct fecrun_example *example; /* NULL: it is none */
    struct conf *conf;
    struct param_set *set;
    struct check_wish wish;
};

struct check_points {
    size_t n, room;
    struct check_point *point;
    uint64_t hint;     /* as in struct check */
    char refusal[448]; /* of what has to be given and defaults for the rest; "": taken */
};

/* Those of the schema, of the stage's examples and of --case. -1 and *diag: a --case is wrong. */
int check_points_make(struct check_points *points, const struct check *check, struct diag *diag);
void check_points_free(struct check_points *points);
/* Parses text; false: why not in *diag. */
bool check_point_read(struct check_point *point, const struct registry_stage *stage,
                      const char *text, const char *origin, struct diag *diag);
bool check_point_example(struct check_point *point, const struct registry_stage *stage,
                         const struct fecrun_example *example, struct diag *diag);
void check_point_clear(struct check_point *point);
/* Parameters that somebody means to be used, not just some that the schema allows? */
bool check_point_meant(const struct check_point *point);

enum { CHECK_MAX_ABSORBED = 4 };

/* The random numbers of absorbed stage k, where the backend's own are these. */
static inline struct fecrun_rng check_absorbed_rng(struct fecrun_rng own, uint32_t k)
{
    return (struct fecrun_rng){own.seed, own.point + 11 * (k + 1), own.stage + 11 * (k + 1)};
}

/* Upstream stages that an instance does, too: as struct fecrun_create has them. */
struct check_absorbed {
    uint32_t n;
    const char *names[CHECK_MAX_ABSORBED];
    void *code[CHECK_MAX_ABSORBED];
    void *const *codes[CHECK_MAX_ABSORBED];
};

/* Paired comparison of frames with noise: one form against the reference. */
struct check_pairs {
    uint64_t frames, differ, only_ref, only_other, ref_wrong;
};

enum { CHECK_FORMS = 16 }; /* compared apart, as they may see the same frames; the rest together */

struct check_variant {
    const struct check_point *point;
    struct fecrun_frame in[FECRUN_MAX_PORTS], out[FECRUN_MAX_PORTS];
    bool linked[FECRUN_MAX_PORTS];
    unsigned n_in, n_out;
    struct fecrun_plan plan;               /* its code is freed by check_variant_free() */
    uint32_t flags;                        /* of stage and plan */
    const struct check_variant *also;      /* ragged batches: the second class of frames */
    const struct check_absorbed *absorbed; /* in[] is then the first one's; NULL: none */
    double cost;   /* seconds per frame of the reference; 0: not known yet */
    double create; /* seconds of the backend's create() */
    struct check_pairs pairs[CHECK_FORMS];
};

struct check_variants {
    size_t n, room;
    struct check_variant *variant;
    size_t accepted, refused, untried; /* points */
};

int check_variants_make(struct check_variants *variants, const struct check *check,
                        const struct check_points *points);
/* The point with frames as those of another variant, of any size that it takes; other_size: not of
   that one's. False: none was found; else its code is to be freed. */
bool check_variant_like(const struct check *check, const struct check_point *point,
                        const struct check_variant *like, bool other_size,
                        struct check_variant *variant);
void check_variants_free(struct check_variants *variants, const struct check *check);
/* Plans with guarded structs, twice; group 0 hears of broken rules. 0: accepted. */
int check_plan(const struct check *check, const struct check_point *point,
               struct check_variant *variant, struct fecrun_error *err);
/* plan_free(), if there is one. */
void check_plan_free(const struct fecrun_stage *stage, void *code);
void check_plan_fuzz(const struct check *check);
/* "i8 llr_max 10 x 264" and so on. */
const char *check_variant_text(const struct check_variant *variant, char *buffer, size_t size);

/* The stage that this one undoes: its plan for frames of `bits` bits. */
struct check_encoder {
    const struct registry_stage *stage;
    struct check_point point;
    struct check_variant variant;
};
/* False: there is none, or it does not take these parameters and that many bits. */
bool check_encoder_open(struct check_encoder *encoder, const struct check *check,
                        const struct check_point *point, uint64_t bits, bool stream);
void check_encoder_close(struct check_encoder *encoder);

/* ---- Input ---- */

enum check_pattern {
    CHECK_RANDOM,
    CHECK_SATURATED,
    CHECK_ZERO,
    CHECK_TIES,
    CHECK_NOISE_1DB,
    CHECK_NOISE_3DB,
    CHECK_NOISE_5DB,
    CHECK_REAL_1DB, /* the same without rounding; f32 */
    CHECK_REAL_3DB,
    CHECK_REAL_TIES, /* LLRs of one magnitude that has no short binary form; f32 */
    CHECK_HOSTILE,   /* NaN, infinities, the lowest integer */
    CHECK_CODED,     /* these: code words of the stage's encoder, and nothing without one */
    CHECK_ERRORS,
    CHECK_ERASED,
    CHECK_SURE,   /* all bits are right; few are sure, others in each frame */
    CHECK_LIMIT,  /* as many symbols are wrong as the example says that are corrected */
    CHECK_LEVELS, /* from one wrong bit to as many as hardly any code corrects */
    CHECK_DOUBTS, /* the same, and no LLR says that it is sure */
    CHECK_MIXED,  /* clean, slightly and hopelessly wrong ones in turn; also without an encoder */
};
const char *check_pattern_name(enum check_pattern pattern);

/* Frames of one port in their natural type, one behind the other from whole bytes on. `frames` here
   and elsewhere are those of the source: each has its pieces, which are rows of items. */
struct check_signal {
    uint32_t type;
    uint64_t items, frames, pieces;
    size_t stride;
    uint8_t *data; /* NULL: not linked */
};

struct check_input {
    struct check_signal port[FECRUN_MAX_PORTS];
    uint8_t *truth;       /* information bits of each frame, one a byte; NULL: unknown */
    uint64_t truth_items; /* per frame */
    bool real;            /* has values that are no integers */
};

/* -1: there is no memory, or no encoder for a pattern that needs one. */
int check_input_make(struct check_input *input, const struct check *check,
                     const struct check_variant *variant, enum check_pattern pattern,
                     uint64_t frames, struct check_random *random);
void check_input_free(struct check_input *input);
/* So many bits of code word `frame` are wrong with CHECK_ERRORS. */
unsigned check_wrong_bits(uint64_t frame);
/* What of code word `frame` is wrong with CHECK_MIXED, and the same in words. */
enum check_mix { CHECK_CLEAN, CHECK_FEW, CHECK_HOPELESS };
enum check_mix check_mix_of(uint64_t frame);
const char *check_mix_name(uint64_t frame);
/* Does this pattern make sense for the variant? */
bool check_input_fits(const struct check_variant *variant, enum check_pattern pattern);

/* ---- Memory with red zones ---- */

struct check_place {
    const struct fecrun_provider *provider; /* NULL: host */
    int device;
    void *stream;
};

struct check_memory {
    struct check_place place;
    uint8_t *base; /* host image: red zone, payload, red zone */
    size_t total;
    size_t front, bytes; /* payload: base + front, bytes */
    uint8_t *mapping;
    size_t mapped;
    uint8_t *device;
};

/* The payload is filled with `fill`, and 64-byte aligned. guard: not even a read goes farther than
   the contract allows; on the host a page that cannot be touched lies right behind the payload,
   which is then aligned to `align` only. */
int check_memory_open(struct check_memory *memory, const struct check_place *place, size_t bytes,
                      uint8_t fill, size_t align, bool guard);
void check_memory_close(struct check_memory *memory);
uint8_t *check_memory_payload(const struct check_memory *memory); /* host image */
void *check_memory_pointer(const struct check_memory *memory);    /* for the backend */
int check_memory_upload(struct check_memory *memory);
int check_memory_download(struct check_memory *memory);
/* False: what was overwritten, in words. */
bool check_memory_intact(const struct check_memory *memory, char *text, size_t size);

/* ---- Calls ---- */

struct check_instance {
    const struct registry_backend *backend;
    const struct registry_stage *stage;
    const struct fecrun_form *form;
    struct param_set *tune;
    struct check_place place;
    const struct check_variant *variant;
    struct check_report *report;
    void *handle;
};

/* The backend's takes(), as the host asks it; 0 if it has none. */
int check_takes(const struct check *check, const struct fecrun_backend *backend,
                const struct check_variant *variant, const struct fecrun_form *form,
                struct fecrun_error *err);
/* -1: create() failed, 1: takes() says no; err has the text. tune: "NAME=VALUE" or NULL. */
int check_instance_open(struct check_instance *instance, const struct check *check,
                        const struct registry_stage *stage, const struct registry_backend *backend,
                        const struct check_variant *variant, const struct fecrun_form *form,
                        const char *tune, uint64_t max_frames, struct fecrun_error *err);
void check_instance_close(struct check_instance *instance);
/* Of one frame, at the port that has most of them. */
uint64_t check_most_pieces(const struct check_variant *variant);

struct check_call {
    uint64_t first, frames; /* window of the input's frames */
    uint64_t first_frame;   /* number of the input's frame 0 */
    struct fecrun_rng rng;
    uint64_t more; /* streams: items of margin beyond what was asked for, if there are so many */
    uint8_t poison;
    bool guard, cancel;
    bool apart; /* frames with gaps between them, on addresses that are aligned as an item is */
    struct fecrun_frame_info info;         /* what each frame's info holds before */
    const struct fecrun_frame_info *infos; /* the same, one a frame of the input; or NULL */
};

struct check_result {
    uint64_t frames;
    unsigned n_out;
    struct check_signal out[FECRUN_MAX_PORTS];
    /* Of each frame those of input 0, and those of output 0 if there are others. */
    struct fecrun_frame_info *info;
    uint64_t infos;   /* of one frame */
    uint32_t before;  /* flags that some of them had */
    char broken[400]; /* red zone or input that was written to; "": none */
};

/* 0, or -1: err has run()'s text. */
int check_run(const struct check_instance *instance, const struct check_input *input,
              const struct check_call *call, struct check_result *result, struct fecrun_error *err);
void check_result_free(struct check_result *result);
/* The code words of these bits (u8, as many as come out of the variant), from the reference of the
   stage's encoder; to be freed also after -1: there is no encoder for them. */
int check_encode(const struct check *check, const struct check_variant *variant,
                 const struct check_signal *bits, struct check_result *coded);
/* Frame numbers etc. of an ordinary call. */
struct check_call check_call_for(const struct check_variant *variant, const struct check_input *in,
                                 uint64_t frames);
/* Frames that a stream's signal needs in front of and behind a batch. */
uint64_t check_frames_before(const struct check_variant *variant);
uint64_t check_frames_after(const struct check_variant *variant);
bool check_form_fits(const struct check_variant *variant, const struct fecrun_form *form);
/* NULL: none fits. */
const struct fecrun_form *check_first_form(const struct check_variant *variant,
                                           const struct fecrun_backend *backend);

/* ---- Comparison ---- */

/* Outputs of two calls, whatever their types; true: equal. Else text says where they differ. */
bool check_same(const struct check_result *ref, const struct check_result *other, double bound,
                bool infos, char *text, size_t size);
/* Byte for byte, types equal. */
bool check_identical(const struct check_result *a, const struct check_result *b, char *text,
                     size_t size);
/* Bits are 0 or 1, the rest of last bytes is zero; LLRs are symmetric and within llr_max, unless
   those that went in (`strange`) were not. */
bool check_valid(const struct check_result *result, const struct check_variant *variant,
                 bool strange, char *text, size_t size);
/* Adds to the counts: frames that only one of both decoded. */
void check_pair(struct check_pairs *pairs, const struct check_input *input, uint64_t first,
                const struct check_result *ref, const struct check_result *other);
/* A frame of bits as u8, of LLRs as f32. To be freed; NULL without memory. */
uint8_t *check_widen(const struct check_signal *signal, uint64_t frame);

/* ---- Backends ---- */

/* Children's bodies; data is a struct check. */
void check_meta_child(void *data, struct check_report *report);
void check_stage_child(void *data, struct check_report *report);
void check_backend_child(void *data, struct check_report *report);
/* False: it works on files that nobody has named. */
bool check_stage_has_cases(const struct check *check);
/* Speed of the example that says `batch`, else, of a decoder, of the first variant. */
void check_bench(const struct check *check, const struct check_variants *variants);

enum check_backend_group {
    CHECK_CALLS,
    CHECK_ZONES,
    CHECK_OUTPUT,
    CHECK_AGREE,
    CHECK_NEAR,
    CHECK_STRANGE,
    CHECK_SPLIT,
    CHECK_THREADS,
    CHECK_LEAKS,
    CHECK_RAGGED,
    CHECK_ABSORB,
    CHECK_TRUTH,
    CHECK_ALONE,
    CHECK_VERDICT,
    CHECK_TURNS,
};

/* Special tests on one variant. */
void check_split(const struct check *check, struct check_variant *variant,
                 const struct fecrun_form *form, struct check_random *random);
void check_threads(const struct check *check, struct check_variant *variant,
                   const struct fecrun_form *form, struct check_random *random);
void check_leaks(const struct check *check, struct check_variant *variant,
                 const struct fecrun_form *form, struct check_random *random);
/* Clean, slightly and hopelessly wrong words in one batch, and each alone; CHECK_ALONE. */
void check_mixed(const struct check *check, struct check_variant *variant,
                 const struct fecrun_form *form, struct check_random *random);
/* Words with few and many wrong bits: which are marked? CHECK_VERDICT. */
void check_verdict(const struct check *check, struct check_variant *variant,
                   const struct fecrun_form *form, struct check_random *random);
/* Batches with frames of two variants that differ in sizes only; CHECK_RAGGED. */
void check_ragged(const struct check *check, const struct check_variants *variants,
                  struct check_random *random);
/* With the stages that the backend absorbs; CHECK_ABSORB. */
void check_absorb(const struct check *check, const struct check_variants *variants,
                  struct check_random *random);
/* Host services whose memory is counted. */
const struct fecrun_host *check_host(const struct registry *registry);
int64_t check_host_blocks(void);

#endif
