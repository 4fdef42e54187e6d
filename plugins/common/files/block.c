/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Large reads: straight to where the bytes are wanted. A regular file is read by several threads. What was
 * read is checked while it is in the cache.
 */
#include "plugins/common/files/readers.h"

#include <sys/mman.h>

enum {
    STEP = 256 << 10, /* bytes of a pipe that are read and checked at a time */
    LARGE = 1 << 20,  /* bytes that threads are started for, and */
    BATCH = 16 << 20, /* where several read the file at once: a device's batch, not a worker's */
    PAGE = 2 << 20    /* bytes of a large page */
};

/* Memory that is filled as a whole takes fewer faults in large pages, where there are any. */
static void want_large_pages(uint8_t *to, size_t n)
{
    const uintptr_t begin = ((uintptr_t)to + PAGE - 1) / PAGE * PAGE;
    const uintptr_t end = ((uintptr_t)to + n) / PAGE * PAGE;

    if (begin < end)
        madvise((void *)begin, end - begin, MADV_HUGEPAGE);
}

static int read_regular(struct infile *file, uint8_t *to, size_t n, infile_check *check,
                        const void *data, size_t *got, struct fecrun_error *err)
{
    int status;

    if (n >= (file->alone ? LARGE : BATCH) && !file->asked) {
        file->readers = readers_open();
        file->asked = true;
    }
    want_large_pages(to, n);
    status = readers_read(file->readers, file, to, n, check, data, got, err);
    file->offset += *got;
    return status;
}

int infile_read_checked(struct infile *file, void *to, size_t n, infile_check *check,
                        const void *data, size_t *got, struct fecrun_error *err)
{
    *got = 0;
    if (n > file->end - file->offset)
        n = (size_t)(file->end - file->offset);
    if (file->regular && !file->columns.items) {
        file->at = file->filled = 0; /* the buffer is of bytes further on */
        return read_regular(file, to, n, check, data, got, err);
    }
    while (*got < n) {
        const size_t want = n - *got < STEP ? n - *got : STEP;
        const uint64_t at = file->offset;
        uint8_t *part = (uint8_t *)to + *got;
        size_t have;

        if (infile_read(file, part, want, &have, err) || check(data, part, have, at, err))
            return -1;
        *got += have;
        if (have < want)
            break;
    }
    return 0;
}
