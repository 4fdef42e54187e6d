/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/libfec/pool.h"
#include "tools/libfec/fec.h"

#include <fecrun/fecrun.h>

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_IDLE = 16,
    MOST_WHOLE = 16384, /* bits: survivors of longer frames would take too much memory */
    TILE = 4096
};

struct fec_pipe {
    struct fec_key key;
    struct fecrun_session *session;
    struct fecrun_prepared *prepared;
    int8_t *llrs;
    uint8_t *bits;
    size_t llr_row, bits_row;
    struct fec_pipe *next;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct fec_pipe *idle; /* the last one given back comes first */

static _Thread_local char message[1024];

const char *fecrun_fec_message(void)
{
    return message;
}

int fec_fail(const char *format, ...)
{
    va_list ap;

    va_start(ap, format);
    vsnprintf(message, sizeof message, format, ap);
    va_end(ap);
    return -1;
}

/* ---- Making one ---- */

static int write_text(const struct fec_pipe *pipe, char *text, size_t room)
{
    const struct fec_code *code = &fec_codes[pipe->key.code];
    char generators[16 * FEC_MAX_N] = "", inverted[4 * FEC_MAX_N] = "", tile[64] = "";

    for (unsigned i = 0; i < code->n; i++) {
        const char *comma = i ? ", " : "";
        size_t used = strlen(generators), flags = strlen(inverted);
        snprintf(generators + used, sizeof generators - used, "%s0o%o", comma,
                 fec_reversed(code->K, pipe->key.generators[i]));
        snprintf(inverted + flags, sizeof inverted - flags, "%s%d", comma,
                 pipe->key.generators[i] < 0);
    }
    if (pipe->key.bits > MOST_WHOLE)
        snprintf(tile, sizeof tile, ", tile: {f: %d}", TILE);
    return snprintf(text, room,
                    "fecrun: 1\n"
                    "pipeline:\n"
                    "  - source.memory: {dtype: i8, frame: %zu, llr_max: %d}\n"
                    "  - viterbi.decode: {constraint_length: %u, generators: [%s], inverted: [%s],"
                    " termination: zero, backend: simd%s}\n"
                    "  - sink.memory: {dtype: packed}\n",
                    pipe->llr_row, code->llr_max, code->K, generators, inverted, tile);
}

static int prepare(struct fec_pipe *pipe)
{
    const struct fecrun_prepare_options options = {.size = sizeof options,
                                                   .frames = pipe->key.frames};
    const char *name = fec_codes[pipe->key.code].name;
    struct fecrun_message said = {.size = sizeof said};
    char text[512];
    size_t bytes = (size_t)write_text(pipe, text, sizeof text);
    size_t llrs = pipe->key.frames * pipe->llr_row, bits = pipe->key.frames * pipe->bits_row;

    if (fecrun_open_text(&pipe->session, name, text, bytes, NULL, &said) ||
        fecrun_prepare(&pipe->prepared, pipe->session, &options, &said) ||
        fecrun_bind_input(pipe->prepared, "source.memory", pipe->llrs, llrs, 0, &said) ||
        fecrun_bind_output(pipe->prepared, "sink.memory", pipe->bits, bits, 0, &said))
        return fec_fail("%s", said.text);
    return 0;
}

static void destroy(struct fec_pipe *pipe)
{
    if (!pipe)
        return;
    fecrun_finish(pipe->prepared);
    fecrun_close(pipe->session);
    free(pipe->llrs);
    free(pipe->bits);
    free(pipe);
}

static struct fec_pipe *make(const struct fec_key *key)
{
    const struct fec_code *code = &fec_codes[key->code];
    struct fec_pipe *pipe = calloc(1, sizeof *pipe);

    if (!pipe)
        goto no_memory;
    pipe->key = *key;
    pipe->llr_row = ((size_t)key->bits + code->K - 1) * code->n;
    pipe->bits_row = ((size_t)key->bits + 7) / 8;
    pipe->llrs = malloc(key->frames * pipe->llr_row);
    pipe->bits = malloc(key->frames * pipe->bits_row);
    if (!pipe->llrs || !pipe->bits)
        goto no_memory;
    if (prepare(pipe) == 0)
        return pipe;
    destroy(pipe);
    return NULL;
no_memory:
    destroy(pipe);
    fec_fail("%s: no memory for %u frames of %u bits", code->name, key->frames, key->bits);
    return NULL;
}

/* ---- Those that nobody uses ---- */

struct fec_pipe *fec_borrow(const struct fec_key *key)
{
    struct fec_pipe **at, *found;

    pthread_mutex_lock(&lock);
    for (at = &idle; *at; at = &(*at)->next)
        if (memcmp(&(*at)->key, key, sizeof *key) == 0)
            break;
    found = *at;
    if (found)
        *at = found->next;
    pthread_mutex_unlock(&lock);
    return found ? found : make(key);
}

void fec_give_back(struct fec_pipe *pipe)
{
    struct fec_pipe **at, *dropped;
    unsigned n = 0;

    if (!pipe)
        return;
    pthread_mutex_lock(&lock);
    pipe->next = idle;
    idle = pipe;
    for (at = &idle; *at && n < MOST_IDLE; at = &(*at)->next)
        n++;
    dropped = *at;
    *at = NULL;
    pthread_mutex_unlock(&lock);
    destroy(dropped);
}

/* ---- Using one ---- */

int8_t *fec_pipe_llrs(struct fec_pipe *pipe, unsigned frame)
{
    return pipe->llrs + frame * pipe->llr_row;
}

const uint8_t *fec_pipe_bits(const struct fec_pipe *pipe, unsigned frame)
{
    return pipe->bits + frame * pipe->bits_row;
}

int fec_pipe_decode(struct fec_pipe *pipe, unsigned frames)
{
    struct fecrun_message said = {.size = sizeof said};

    if (fecrun_execute(pipe->prepared, frames, &said))
        return fec_fail("%s", said.text);
    return 0;
}
