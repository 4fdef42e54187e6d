/* SPDX-License-Identifier: BSD-2-Clause */
#include "plugins/common/files/harq.h"

#include <fecrun/sdk/params.h>
#include <fecrun/sdk/sample.h>
#include <inttypes.h>
#include <stdlib.h>
#include <unistd.h>

#include "plugins/common/files/file.h"

struct harq {
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

int harq_look(struct harq_files *files, struct fecrun_error *err)
{
    struct file_facts facts;

    if (access(files->in, F_OK))
        return fecrun_fail(err, "harq_in", "%s is neither a stage in front of this one nor a file",
                           files->in);
    if (file_look_plain(files->in, "harq_in", &facts, err))
        return -1;
    if (!facts.is_npy || facts.npy.type == FECRUN_U8 || facts.npy.type == FECRUN_C8)
        return fecrun_fail(err, "harq_in",
                           "%s holds no .npy array of LLRs: i1, i2, f2 or f4 are "
                           "allowed",
                           files->in);
    if (facts.npy.items != files->n)
        return fecrun_fail(err, "harq_in", "%s has %" PRIu64 " LLRs a frame; the word has %u",
                           files->in, facts.npy.items, files->n);
    files->header = facts.npy.header;
    files->frames = facts.npy.frames;
    files->in_type = facts.npy.type;
    if (!facts.npy.frames)
        return 0;
    if (!file_digest(files->in, facts.npy.header, facts.npy.payload / facts.npy.frames,
                     &files->past, err))
        return 0;
    blame(err, "harq_in");
    return -1;
}

int harq_check_rows(const struct harq_files *a, const struct harq_files *b,
                    struct fecrun_error *err)
{
    if (!a->out || a->n == b->n)
        return 0;
    return fecrun_fail(err, "harq_out",
                       "the words have %u and %u LLRs; the rows of a .npy file are of one length",
                       a->n, b->n);
}

static int open_out(struct harq *harq, const struct harq_files *files, struct fecrun_error *err)
{
    unsigned char header[NPY_HEADER];

    harq->npy = (struct npy){.type = files->out_type, .dims = 2, .items = files->n};
    npy_make_header(header, &harq->npy);
    if (outfile_open(&harq->out, files->out, err))
        return -1;
    if (!harq->out.file.temporary)
        return fecrun_fail(err, "harq_out", "%s: a .npy file must be a regular file", files->out);
    return outfile_write(&harq->out, header, sizeof header, err);
}

struct harq *harq_open(const struct harq_files *files, struct fecrun_error *err)
{
    struct harq *harq = calloc(1, sizeof *harq);

    if (!harq) {
        fecrun_no_memory(err);
        return NULL;
    }
    harq->in.fd = harq->out.fd = -1;
    harq->row = malloc(files->n * sizeof(float));
    harq->items = malloc(files->n * sizeof(float));
    if (!harq->row || !harq->items) {
        fecrun_no_memory(err);
    } else if (files->in && (infile_open(&harq->in, files->in, err) ||
                             infile_seek(&harq->in, files->header, err))) {
        blame(err, "harq_in");
    } else if (files->out && open_out(harq, files, err)) {
        blame(err, "harq_out");
    } else {
        return harq;
    }
    harq_close(harq);
    return NULL;
}

int harq_finish(struct harq *harq, struct fecrun_error *err)
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

void harq_close(struct harq *harq)
{
    if (!harq)
        return;
    infile_close(&harq->in);
    outfile_close(&harq->out);
    free(harq->row);
    free(harq->items);
    free(harq);
}

const void *harq_read(struct harq *harq, const struct harq_files *files, uint64_t frame,
                      uint32_t type, struct fecrun_error *err)
{
    size_t bytes = (size_t)fecrun_bytes(files->in_type, files->n), got;

    if (frame >= files->frames) {
        fecrun_fail(err, "harq_in",
                    "%s has only %" PRIu64 " frames, but frame %" PRIu64 " (from "
                    "0) has arrived",
                    files->in, files->frames, frame);
        return NULL;
    }
    if ((frame != harq->next_frame && infile_seek(&harq->in, files->header + frame * bytes, err)) ||
        infile_read(&harq->in, harq->row, bytes, &got, err)) {
        blame(err, "harq_in");
        return NULL;
    }
    if (got < bytes) {
        fecrun_fail(err, "harq_in", "%s: truncated while it was read: it ends at byte %" PRIu64,
                    files->in, files->header + frame * bytes + got);
        return NULL;
    }
    harq->next_frame = frame + 1;
    fecrun_convert(files->in_type, type, harq->row, harq->items, files->n);
    return harq->items;
}

int harq_write(struct harq *harq, const struct harq_files *files, const void *row, uint32_t type,
               struct fecrun_error *err)
{
    fecrun_convert(type, files->out_type, row, harq->row, files->n);
    harq->npy.frames++;
    if (!outfile_write(&harq->out, harq->row, (size_t)fecrun_bytes(files->out_type, files->n), err))
        return 0;
    blame(err, "harq_out");
    return -1;
}
