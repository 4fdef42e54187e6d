/* SPDX-License-Identifier: BSD-2-Clause */
/* One backend's work, and one comparison of it: backend.c, trial.c, truth.c, pairs.c. */
#ifndef FECRUN_CHECK_TRIAL_H
#define FECRUN_CHECK_TRIAL_H

#include "tools/check/check.h"

enum { CHECK_MAX_TUNES = 24 };

struct check_job {
    enum check_pattern pattern;
    uint64_t frames;
};

/* Code words with one wrong bit, and what the reference makes of them; see truth.c. */
struct check_single {
    uint64_t frames;
    double expected; /* wrong information bits, were nothing corrected */
    uint64_t wrong;  /* information bits; of few check bits, frames that are not marked */
};

/* Code words without an error; of them those that did not come back, or were marked. */
struct check_coded {
    uint64_t frames, wrong, marked, given; /* given: right and marked, of --case */
};

struct work {
    const struct check *check;
    struct check_variants variants;
    char tune[CHECK_MAX_TUNES][96]; /* [0] is "": the defaults */
    size_t n_tunes;
    uint64_t runs, declined;
    uint64_t done, left_out; /* of the plan: a job on a variant in one form */
    struct check_coded coded;
    struct check_single strong, weak; /* codes of many check bits, of few */
};

/* What one comparison is about. */
struct trial {
    struct work *work;
    struct check_variant *variant;
    const struct check_job *job;
    uint64_t frames;
    const struct check_input *input;
    struct check_call call;
    const struct fecrun_form *form;
    const char *tune;
    bool apart;                     /* also with gaps between frames */
    const struct check_result *ref; /* NULL: this is it */
};

/* False: declined, or failed. The result is the caller's. */
bool trial_run(const struct trial *trial, struct check_result *result);
/* What it is about: parameters, frames, input, form. */
const char *trial_text(const struct trial *trial, char *buffer, size_t size);
/* Reports what is wrong with it; false. */
bool trial_fail(const struct trial *trial, unsigned group, const char *what, const char *why);

/* Must code words with little or nothing wrong be decoded? Of a backend that computes with few bits
   not with each value that the schema allows. */
bool truth_is_apt(const struct trial *trial);
/* Input that an encoder made: did its information bits come back? */
void truth_judge(const struct trial *trial, const struct check_result *result);
/* Behind all trials of a reference: does it correct anything? */
void truth_finish(const struct work *work);

/* Behind all trials: paired block errors, form by form. */
void pairs_judge(const struct work *work, size_t form);

#endif
