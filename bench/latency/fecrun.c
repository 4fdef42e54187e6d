/* SPDX-License-Identifier: BSD-2-Clause */
/* A prepared pipeline, called as a receiver does: file=FILE begins with source.memory and ends with sink.memory. */
#include "decoder.h"

#include <fecrun/fecrun.h>

#include <string.h>

struct state {
    struct fecrun_prepared *prepared;
    int8_t *llrs;
    uint8_t *packed;
};

static struct fecrun_message message = {.size = sizeof message};

static void *create(int variant)
{
    const struct fecrun_prepare_options most = {.size = sizeof most, .frames = 1};
    struct fecrun_port_info in = {.size = sizeof in}, out = {.size = sizeof out};
    struct state *s = get(sizeof *s);
    struct fecrun_session *session;

    (void)variant;
    if (fecrun_open(&session, row_text("file"), NULL, &message) ||
        fecrun_prepare(&s->prepared, session, &most, &message) ||
        fecrun_get_port(s->prepared, "source.memory", &in, &message) ||
        fecrun_get_port(s->prepared, "sink.memory", &out, &message))
        die(message.text);
    if (in.bytes < (size_t)row.llrs || out.bytes < ((size_t)row.bits + 7) / 8)
        die("the pipeline has other frames than the files");
    s->llrs = get(in.bytes);
    s->packed = get(out.bytes);
    if (fecrun_bind_input(s->prepared, "source.memory", s->llrs, in.bytes, 0, &message) ||
        fecrun_bind_output(s->prepared, "sink.memory", s->packed, out.bytes, 0, &message))
        die(message.text);
    return s;
}

static void load(void *state, const int8_t *llrs, const uint8_t *bits)
{
    (void)bits;
    memcpy(((struct state *)state)->llrs, llrs, (size_t)row.llrs);
}

static void decode(void *state)
{
    if (fecrun_execute(((struct state *)state)->prepared, 1, &message))
        die(message.text);
}

static void store(void *state, uint8_t *bits)
{
    const uint8_t *packed = ((struct state *)state)->packed;

    for (int i = 0; i < row.bits; i++)
        bits[i] = packed[i / 8] >> (7 - i % 8) & 1;
}

const struct decoder decoders[] = {{"fecrun", 0, create, load, decode, store}, {0}};
