/* SPDX-License-Identifier: BSD-2-Clause */
/* The reference file of sink.errors, which all of its backends read. */
#include "plugins/chain/sink/errors.h"
#include "plugins/common/files/file.h"

#include <errno.h>
#include <fcntl.h>
#include <fecrun/sdk/params.h>
#include <inttypes.h>
#include <unistd.h>

int errors_open(const struct errors_code *code, int *fd, struct fecrun_error *err)
{
    *fd = -1;
    if (!code->path)
        return 0;
    *fd = open(code->path, O_RDONLY | O_CLOEXEC);
    return *fd < 0 ? file_fail(err, "reference", code->path, "cannot open") : 0;
}

void errors_close(int fd)
{
    if (fd >= 0)
        close(fd);
}

int errors_read(int fd, const struct errors_code *code, uint64_t first, uint8_t *bits, size_t n,
                struct fecrun_error *err)
{
    uint64_t at = code->header + first;
    size_t done = 0, bad;

    while (done < n) {
        ssize_t got = pread(fd, bits + done, n - done, (off_t)(at + done));

        if (got < 0 && errno != EINTR)
            return file_fail(err, "reference", code->path, "cannot read");
        if (got == 0)
            return fecrun_fail(err, "reference",
                               "%s: truncated while it was read: it ends at byte "
                               "%" PRIu64,
                               code->path, at + done);
        if (got > 0)
            done += (size_t)got;
    }
    bad = fecrun_bits_check(bits, n);
    if (bad < n)
        return fecrun_fail(err, "reference", "%s: byte %" PRIu64 ": %u is not a bit (0 or 1)",
                           code->path, at + bad, bits[bad]);
    return 0;
}

int errors_find_frame(const struct errors_code *code, const struct fecrun_call *call, uint64_t f,
                      uint64_t items, uint64_t *first, struct fecrun_error *err)
{
    uint64_t frame = call->first_frame + f;

    if (code->stream) {
        *first = call->first_item + f * items;
        if (*first > code->total || items > code->total - *first)
            return fecrun_fail(err, "reference",
                               "%s has only %" PRIu64 " bits, but bit %" PRIu64 " has arrived",
                               code->path, code->total, *first + items - 1);
        return 0;
    }
    if (frame >= code->frames)
        return fecrun_fail(err, "reference",
                           "%s has only %" PRIu64 " frames, but frame %" PRIu64
                           " (from 0) has arrived",
                           code->path, code->frames, frame);
    *first = frame * items;
    return 0;
}
