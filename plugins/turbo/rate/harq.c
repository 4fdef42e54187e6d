/* SPDX-License-Identifier: BSD-2-Clause */
#include "plugins/turbo/rate/harq.h"

#include <fecrun/sdk/params.h>
#include <fecrun/sdk/sample.h>
#include <inttypes.h>
#include <stdlib.h>
#include <unistd.h>

#include "plugins/common/files/file.h"

struct turbo_harq {
    struct infile in;
    struct outfile out;
    struct npy npy;      /* of what is written, so far */
    void *row;           /* as it lies in a file */
    void *items;         /* of harq_in, in the type of the call */
    uint64_t next_frame; /* of harq_in */
};

/* The files' own functions know their parameter as `path`. */
static void blame(struct fecrun_error *err, const char *param)
{
    if (!strcmp(err->param, "path"))
        snprintf(err->param, sizeof err->param, "%s", param);
}

int turbo_harq_look(struct turbo_recover *code, struct fecrun_error *err)
{
    struct file_facts facts;

    if (access(code->harq_in, F_OK))
        return fecrun_fail(err, "harq_in", "%s is neither a stage in front of this one nor a file",
                           code->harq_in);
    if (file_look(code->harq_in, "harq_in", &facts, err))
        return -1;
    if (!facts.is_npy || facts.npy.type == FECRUN_U8 || facts.npy.type == FECRUN_C8)
        return fecrun_fail(err, "harq_in",
                           "%s holds no .npy array of LLRs: i1, i2, f2 or f4 are "
                           "allowed",
                           code->harq_in);
    if (facts.npy.items != code->rate.n)
        return fecrun_fail(err, "harq_in", "%s has %" PRIu64 " LLRs a frame; the word has %u",
                           code->harq_in, facts.npy.items, code->rate.n);
    code->header = facts.npy.header;
    code->frames = facts.npy.frames;
    code->in_type = facts.npy.type;
    if (!facts.npy.frames)
        return 0;
    if (!file_digest(code->harq_in, facts.npy.header, facts.npy.payload / facts.npy.frames,
                     &code->past, err))
        return 0;
    blame(err, "harq_in");
    return -1;
}

static int open_out(struct turbo_harq *harq, void *const *codes, uint32_t n_codes,
                    struct fecrun_error *err)
{
    const struct turbo_recover *first = codes[0];
    unsigned char header[NPY_HEADER];

    for (uint32_t c = 1; c < n_codes; c++) {
        const struct turbo_recover *code = codes[c];
        if (code->rate.n != first->rate.n)
            return fecrun_fail(err, "harq_out",
                               "the words have %u and %u LLRs; the rows of a "
                               ".npy file are of one length",
                               first->rate.n, code->rate.n);
    }
    harq->npy = (struct npy){.type = first->out_type, .dims = 2, .items = first->rate.n};
    npy_make_header(header, &harq->npy);
    if (outfile_open(&harq->out, first->harq_out, err))
        return -1;
    if (!harq->out.file.temporary)
        return fecrun_fail(err, "harq_out", "%s: a .npy file must be a regular file",
                           first->harq_out);
    return outfile_write(&harq->out, header, sizeof header, err);
}

struct turbo_harq *turbo_harq_open(void *const *codes, uint32_t n_codes, struct fecrun_error *err)
{
    const struct turbo_recover *code = codes[0];
    struct turbo_harq *harq = calloc(1, sizeof *harq);

    if (!harq) {
        fecrun_fail(err, NULL, "out of memory");
        return NULL;
    }
    harq->in.fd = harq->out.fd = -1;
    harq->row = malloc(code->rate.n * sizeof(float));
    harq->items = malloc(code->rate.n * sizeof(float));
    if (!harq->row || !harq->items) {
        fecrun_fail(err, NULL, "out of memory");
    } else if (code->harq_in && (infile_open(&harq->in, code->harq_in, err) ||
                                 infile_seek(&harq->in, code->header, err))) {
        blame(err, "harq_in");
    } else if (code->harq_out && open_out(harq, codes, n_codes, err)) {
        blame(err, "harq_out");
    } else {
        return harq;
    }
    turbo_harq_close(harq);
    return NULL;
}

int turbo_harq_finish(struct turbo_harq *harq, struct fecrun_error *err)
{
    unsigned char header[NPY_HEADER];

    if (harq->out.fd < 0)
        return 0;
    npy_make_header(header, &harq->npy);
    if (!outfile_finish(&harq->out, header, sizeof header, err))
        return 0;
    blame(err, "harq_out");
    return -1;
}

void turbo_harq_close(struct turbo_harq *harq)
{
    if (!harq)
        return;
    infile_close(&harq->in);
    outfile_close(&harq->out);
    free(harq->row);
    free(harq->items);
    free(harq);
}

const void *turbo_harq_read(struct turbo_harq *harq, const struct turbo_recover *code,
                            uint64_t frame, uint32_t type, struct fecrun_error *err)
{
    size_t bytes = (size_t)fecrun_bytes(code->in_type, code->rate.n), got;

    if (frame >= code->frames) {
        fecrun_fail(err, "harq_in",
                    "%s has only %" PRIu64 " frames, but frame %" PRIu64 " (from "
                    "0) has arrived",
                    code->harq_in, code->frames, frame);
        return NULL;
    }
    if ((frame != harq->next_frame && infile_seek(&harq->in, code->header + frame * bytes, err)) ||
        infile_read(&harq->in, harq->row, bytes, &got, err)) {
        blame(err, "harq_in");
        return NULL;
    }
    if (got < bytes) {
        fecrun_fail(err, "harq_in", "%s: truncated while it was read: it ends at byte %" PRIu64,
                    code->harq_in, code->header + frame * bytes + got);
        return NULL;
    }
    harq->next_frame = frame + 1;
    fecrun_convert(code->in_type, type, harq->row, harq->items, code->rate.n);
    return harq->items;
}

int turbo_harq_write(struct turbo_harq *harq, const struct turbo_recover *code, const void *row,
                     uint32_t type, struct fecrun_error *err)
{
    fecrun_convert(type, code->out_type, row, harq->row, code->rate.n);
    harq->npy.frames++;
    if (!outfile_write(&harq->out, harq->row, (size_t)fecrun_bytes(code->out_type, code->rate.n),
                       err))
        return 0;
    blame(err, "harq_out");
    return -1;
}
