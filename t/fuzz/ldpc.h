/* SPDX-License-Identifier: BSD-2-Clause */
/* What a file of an LDPC code gives: an error with its line, or a code that can be encoded. */
#include "plugins/ldpc/code/build.h"
#include "plugins/ldpc/encode.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void *get(size_t bytes)
{
    void *p = calloc(bytes + 1, 1);

    if (!p)
        abort();
    return p;
}

/* All ones as information: the checks must hold for what comes out, where all columns are sent. */
static void check_word(const struct ldpc_code *c, const uint8_t *word)
{
    for (uint32_t row = 0; row < c->rows * c->z && !c->place; row++) {
        uint32_t r = row / c->z, i = row % c->z;
        uint8_t sum = 0;

        for (uint32_t e = c->row_first[r]; e < c->row_first[r + 1]; e++)
            sum ^= word[c->edge[e].col * c->z + (i + c->edge[e].shift) % c->z];
        if (sum)
            abort();
    }
}

static void encode(struct ldpc_code *c)
{
    struct fecrun_error err = {.size = sizeof err};
    struct ldpc_encode e = {.code = c, .bits = c->k};
    uint8_t *in = get(c->k), *out = get(c->n);
    void *scratch;

    memset(in, 1, c->k);
    if (c->solution) {
        scratch = get(ldpc_scratch_general(&e));
        ldpc_encode_general(&e, in, out, scratch);
    } else {
        e.steps = ldpc_steps_new(c, &err);
        if (!e.steps)
            abort();
        scratch = get(ldpc_scratch_lifted(&e) + ldpc_scratch_small(&e));
        if (c->z <= 64) {
            ldpc_encode_small(&e, in, out, scratch);
            check_word(c, out);
        }
        ldpc_encode_lifted(&e, in, out, scratch);
    }
    check_word(c, out);
    free(e.steps);
    free(scratch);
    free(in);
    free(out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fecrun_error err = {.size = sizeof err};
    struct ldpc_code *c = FUZZ_PARSE((const char *)data, size, &err);
    struct ldpc_schedule *schedule;

    if (!c) {
        if (strcmp(err.param, "path") || !err.text[0])
            abort();
        return 0;
    }
    if (err.text[0] || !c->k || c->k > c->cols * c->z || c->n > c->cols * c->z)
        abort();
    encode(c);
    schedule = ldpc_schedule_new(c, 0, false, &err);
    if (!schedule || schedule->first[schedule->n_groups] != c->rows * c->z)
        abort();
    ldpc_schedule_free(schedule);
    ldpc_code_free(c);
    return 0;
}
