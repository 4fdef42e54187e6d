/* SPDX-License-Identifier: BSD-2-Clause */
#include <fecrun/sdk/stage.h>
#include <stdbool.h>

#include "plugins/viterbi/code/params.h"
#include "plugins/viterbi/code/tables.h"

static const char *const terminations[] = {
    [VITERBI_ZERO] = "zero",
    [VITERBI_TAIL_BITING] = "tail-biting",
    [VITERBI_TRUNCATED] = "truncated",
    [VITERBI_CONTINUOUS] = "continuous",
    NULL,
};

const struct fecrun_param viterbi_code_param[VITERBI_N_CODE_PARAMS] = {
    [VITERBI_P_CODE] = {.size = sizeof(struct fecrun_param),
                        .name = "code",
                        .type = FECRUN_VALUE_CHOICE,
                        .flags = FECRUN_PARAM_SHARED,
                        .choices = viterbi_code_names,
                        .choices_help = viterbi_code_helps,
                        .unless = "constraint_length generators inverted feedback reversed",
                        .help = "a standard's code; or give constraint_length and generators"},
    [VITERBI_P_CONSTRAINT_LENGTH] =
        {.size = sizeof(struct fecrun_param),
         .name = "constraint_length",
         .type = FECRUN_VALUE_INT,
         .flags = FECRUN_PARAM_SHARED,
         .unless = "code",
         .imin = VITERBI_MIN_K,
         .imax = VITERBI_MAX_K,
         .help = "K: an output depends on the newest bit and the K-1 before it"},
    [VITERBI_P_GENERATORS] =
        {.size = sizeof(struct fecrun_param),
         .name = "generators",
         .type = FECRUN_VALUE_INTS,
         .flags = FECRUN_PARAM_SHARED,
         .unless = "code",
         .help = "one for each output, in order of sending, as K binary digits with the "
                 "newest bit leftmost: [0o133, 0o171]"},
    [VITERBI_P_INVERTED] =
        {.size = sizeof(struct fecrun_param),
         .name = "inverted",
         .type = FECRUN_VALUE_INTS,
         .flags = FECRUN_PARAM_SHARED,
         .unless = "code generators",
         .imin = 0,
         .imax = 1,
         .help = "one flag for each generator, 1: its output is complemented; default: none"},
    [VITERBI_P_FEEDBACK] =
        {.size = sizeof(struct fecrun_param),
         .name = "feedback",
         .type = FECRUN_VALUE_INT,
         .flags = FECRUN_PARAM_SHARED,
         .unless = "code generators",
         .imin = 1,
         .imax = (1 << VITERBI_MAX_K) - 1,
         .help = "of a recursive code, written as a generator: what is added to the input, which "
                 "is its leftmost digit; a generator that is the same sends the input; default: "
                 "none"},
    [VITERBI_P_REVERSED] =
        {.size = sizeof(struct fecrun_param),
         .name = "reversed",
         .type = FECRUN_VALUE_BOOL,
         .flags = FECRUN_PARAM_SHARED,
         .unless = "code generators",
         .help = "generators and feedback have the newest bit rightmost; default: false"},
    [VITERBI_P_TERMINATION] =
        {.size = sizeof(struct fecrun_param),
         .name = "termination",
         .type = FECRUN_VALUE_CHOICE,
         .flags = FECRUN_PARAM_SHARED,
         .choices = terminations,
         .help = "zero: K-1 zero bits follow each frame; tail-biting: the start state is the "
                 "frame's last K-1 bits; truncated: starts at zero, no tail; continuous: one "
                 "endless sequence; default: the code's own, zero with generators"},
};

const char *viterbi_termination_name(enum viterbi_termination termination)
{
    return terminations[termination];
}

static int given(const struct fecrun_values *values, size_t i)
{
    return fecrun_value(values, i)->given != 0;
}

/* An error that lists the codes; text says what is wrong. */
static int fail_with_names(struct fecrun_error *err, const char *text)
{
    char list[256] = "";
    size_t used = 0;

    for (size_t i = 0; viterbi_code_names[i] && used < sizeof list; i++)
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", i ? ", " : "",
                                 viterbi_code_names[i]);
    return fecrun_fail(err, "code", "%s; known codes: %s", text, list);
}

static int read_named(const struct fecrun_values *values, struct viterbi_code *code,
                      enum viterbi_termination *termination, struct fecrun_error *err)
{
    const char *name = fecrun_value(values, VITERBI_P_CODE)->s;
    const struct viterbi_named_code *named = viterbi_find_code(name);

    for (size_t i = VITERBI_P_CONSTRAINT_LENGTH; i <= VITERBI_P_REVERSED; i++)
        if (given(values, i))
            return fecrun_fail(err, viterbi_code_param[i].name,
                               "code: %s says this already; give either code or "
                               "constraint_length, generators, inverted, feedback and reversed",
                               name);
    if (!named) {
        char text[96];

        snprintf(text, sizeof text, "no code is called '%.60s'", name);
        return fail_with_names(err, text);
    }
    *code = named->code;
    *termination = named->termination;
    return 0;
}

static int read_generators(const struct fecrun_value *list, struct viterbi_code *code,
                           struct fecrun_error *err)
{
    if (list->count < VITERBI_MIN_N || list->count > VITERBI_MAX_N)
        return fecrun_fail(err, "generators", "there are %zu; %d to %d are possible", list->count,
                           VITERBI_MIN_N, VITERBI_MAX_N);
    code->n = (unsigned)list->count;
    for (size_t j = 0; j < list->count; j++) {
        int64_t g = list->ints[j];

        if (g <= 0)
            return fecrun_fail(err, "generators", "number %zu is %lld; it must be positive", j + 1,
                               (long long)g);
        if (g >> code->K)
            return fecrun_fail(err, "generators",
                               "number %zu, 0o%llo, has more than constraint_length = %u binary "
                               "digits; the largest is 0o%llo",
                               j + 1, (unsigned long long)g, code->K, (1ULL << code->K) - 1);
        code->gen[j] = (uint32_t)g;
    }
    return 0;
}

static int read_inverted(const struct fecrun_value *list, struct viterbi_code *code,
                         struct fecrun_error *err)
{
    if (list->count != code->n)
        return fecrun_fail(err, "inverted", "has %zu flags for %u generators", list->count,
                           code->n);
    for (size_t j = 0; j < code->n && j < VITERBI_MAX_N; j++) {
        if (list->ints[j] != 0 && list->ints[j] != 1)
            return fecrun_fail(err, "inverted", "flag %zu is %lld; 0 or 1 is allowed", j + 1,
                               (long long)list->ints[j]);
        code->inverted[j] = (uint8_t)list->ints[j];
    }
    return 0;
}

static uint32_t reverse(uint32_t digits, unsigned K)
{
    uint32_t turned = 0;

    for (unsigned i = 0; i < K; i++)
        turned |= (digits >> i & 1) << (K - 1 - i);
    return turned;
}

/* Digits as they were written; a feedback that is the input alone is none. */
static int read_feedback(const struct fecrun_values *values, const struct viterbi_code *code,
                         uint32_t *feedback, struct fecrun_error *err)
{
    const struct fecrun_value *value = fecrun_value(values, VITERBI_P_FEEDBACK);
    const bool reversed = fecrun_value(values, VITERBI_P_REVERSED)->i;
    const uint32_t newest = 1u << (code->K - 1);

    if (value->i < 1 || value->i >> code->K)
        return fecrun_fail(err, "feedback",
                           "0o%llo has more than constraint_length = %u binary digits; the largest "
                           "is 0o%o",
                           (unsigned long long)value->i, code->K, 2 * newest - 1);
    *feedback = reversed ? reverse((uint32_t)value->i, code->K) : (uint32_t)value->i;
    if (!(*feedback & newest))
        return fecrun_fail(err, "feedback",
                           "0o%llo leaves out the input, its %s digit: that one must be 1%s",
                           (unsigned long long)value->i, reversed ? "rightmost" : "leftmost",
                           reversed ? "" : ", or write `reversed: true` if it is the rightmost");
    if (*feedback == newest)
        *feedback = 0;
    return 0;
}

static int read_free(const struct fecrun_values *values, struct viterbi_code *code,
                     uint32_t *feedback, struct fecrun_error *err)
{
    const struct fecrun_value *length = fecrun_value(values, VITERBI_P_CONSTRAINT_LENGTH);
    const struct fecrun_value *inverted = fecrun_value(values, VITERBI_P_INVERTED);

    if (!given(values, VITERBI_P_CONSTRAINT_LENGTH) && !given(values, VITERBI_P_GENERATORS))
        return fail_with_names(err, "give code, or constraint_length and generators");
    if (!given(values, VITERBI_P_GENERATORS))
        return fecrun_fail(err, "generators", "missing: constraint_length alone is no code");
    if (!given(values, VITERBI_P_CONSTRAINT_LENGTH))
        return fecrun_fail(err, "constraint_length",
                           "missing: generators do not say how many digits they have");
    if (length->i < VITERBI_MIN_K || length->i > VITERBI_MAX_K)
        return fecrun_fail(err, "constraint_length", "is %lld; %d to %d is possible",
                           (long long)length->i, VITERBI_MIN_K, VITERBI_MAX_K);
    code->K = (unsigned)length->i;
    if (read_generators(fecrun_value(values, VITERBI_P_GENERATORS), code, err))
        return -1;
    if ((inverted->given && read_inverted(inverted, code, err)) ||
        (given(values, VITERBI_P_FEEDBACK) && read_feedback(values, code, feedback, err)))
        return -1;
    for (unsigned j = 0; fecrun_value(values, VITERBI_P_REVERSED)->i && j < code->n; j++)
        code->gen[j] = reverse(code->gen[j], code->K);
    return 0;
}

/* The state that an endless or circular recursive encoder begins with depends on all bits. */
static int check_recursive(enum viterbi_termination termination, struct fecrun_error *err)
{
    if (termination == VITERBI_ZERO || termination == VITERBI_TRUNCATED)
        return 0;
    return fecrun_fail(err, "termination",
                       "%s is not possible with feedback; choose zero or truncated",
                       viterbi_termination_name(termination));
}

int viterbi_read_code(const struct fecrun_values *values, struct viterbi_code *code,
                      uint32_t *feedback, enum viterbi_termination *termination,
                      struct fecrun_error *err)
{
    const struct fecrun_value *wanted = fecrun_value(values, VITERBI_P_TERMINATION);

    memset(code, 0, sizeof *code);
    *feedback = 0;
    *termination = VITERBI_ZERO;
    if (given(values, VITERBI_P_CODE)) {
        if (read_named(values, code, termination, err))
            return -1;
    } else if (read_free(values, code, feedback, err)) {
        return -1;
    }
    if (wanted->given)
        *termination = (enum viterbi_termination)wanted->i;
    return *feedback ? check_recursive(*termination, err) : 0;
}

uint32_t viterbi_taps(const struct viterbi_code *code, uint32_t feedback)
{
    return reverse(feedback, code->K) >> 1;
}

void viterbi_identity(struct fecrun_plan *plan, const struct viterbi_code *code, uint32_t feedback,
                      enum viterbi_termination termination)
{
    bool any = false;

    fecrun_identity(plan, "K = %u, generators", code->K);
    for (unsigned j = 0; j < code->n; j++) {
        fecrun_identity(plan, " 0o%o", code->gen[j]);
        any = any || code->inverted[j];
    }
    for (unsigned j = 0; any && j < code->n; j++)
        fecrun_identity(plan, "%s %u", j ? "" : ", inverted", code->inverted[j]);
    if (feedback)
        fecrun_identity(plan, ", feedback 0o%o", feedback);
    fecrun_identity(plan, ", %s", viterbi_termination_name(termination));
}

int viterbi_check_stream(const struct fecrun_frame *in, enum viterbi_termination termination,
                         struct fecrun_error *err)
{
    if (termination == VITERBI_CONTINUOUS && !in->stream)
        return fecrun_fail(err, "termination",
                           "continuous needs a stream and the input has frames; let the source "
                           "give one (source.random with stream: true, source.file with a raw "
                           "file and frame: 0), or choose zero, tail-biting or truncated");
    if (termination != VITERBI_CONTINUOUS && in->stream)
        return fecrun_fail(err, "termination",
                           "%s ends every frame and the input is one stream without frames; "
                           "choose continuous, or a source with frames",
                           viterbi_termination_name(termination));
    return 0;
}
