/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Arrays in Fortran order, as NumPy and Octave write transposed ones: all frames' item 0, then all
 * frames' item 1. The buffer gets whole rows at a time, so that each column is read in long parts.
 */
#include "plugins/common/files/file.h"

#include <errno.h>
#include <fecrun/sdk/params.h>
#include <inttypes.h>
#include <stdlib.h>
#include <unistd.h>

enum {
    SLAB = 16 << 20, /* bytes of rows in the buffer, or a single longer row */
    BLOCK = 64       /* items of a row that are put in place together: a few cache lines each */
};

uint64_t infile_column_byte(const struct infile_columns *columns, uint64_t offset)
{
    const uint64_t index = (offset - columns->data) / columns->item;
    const uint64_t row = index / columns->items, item = index % columns->items;

    return columns->data + (item * columns->rows + row) * columns->item +
           (offset - columns->data) % columns->item;
}

static uint64_t row_bytes(const struct infile_columns *columns)
{
    return columns->items * columns->item;
}

/* Rows in the buffer. */
static uint64_t slab_rows(const struct infile_columns *columns)
{
    const uint64_t rows = SLAB / row_bytes(columns);

    return rows < 1 ? 1 : rows < columns->rows ? rows : columns->rows;
}

static uint64_t block_items(const struct infile_columns *columns)
{
    return columns->items < BLOCK ? columns->items : BLOCK;
}

/* The rows, and after them the parts of BLOCK columns as they stand in the file. */
int infile_turn(struct infile *file, const struct infile_columns *columns, struct fecrun_error *err)
{
    const uint64_t rows = slab_rows(columns);
    uint8_t *buffer = realloc(file->buffer,
                              rows * (columns->items + block_items(columns)) * columns->item);

    if (!buffer)
        return fecrun_no_memory(err);
    file->buffer = buffer;
    file->at = file->filled = 0;
    file->columns = *columns;
    return 0;
}

static int read_column(const struct infile *file, uint8_t *to, size_t n, uint64_t at,
                       struct fecrun_error *err)
{
    size_t got = 0;

    while (got < n) {
        ssize_t part = pread(file->fd, to + got, n - got, (off_t)(at + got));

        if (part < 0 && errno != EINTR)
            return file_fail(err, "path", file->path, "cannot read");
        if (part == 0)
            return fecrun_fail(err, "path",
                               "%s: truncated while it was read: it ends at byte %" PRIu64,
                               file->path, at + got);
        if (part > 0)
            got += (size_t)part;
    }
    return 0;
}

/* `columns` columns of `rows` items each -> rows that are `stride` bytes apart. */
#define TURN(name, type) \
    static void name(uint8_t *to, const uint8_t *from, uint64_t rows, uint64_t columns, \
                     uint64_t stride) \
    { \
        for (uint64_t r = 0; r < rows; r++) \
            for (uint64_t c = 0; c < columns; c++) \
                memcpy(to + r * stride + c * sizeof(type), from + (c * rows + r) * sizeof(type), \
                       sizeof(type)); \
    }
struct sixteen {
    uint64_t half[2];
};
TURN(turn_1, uint8_t)
TURN(turn_2, uint16_t)
TURN(turn_4, uint32_t)
TURN(turn_8, uint64_t)
TURN(turn_16, struct sixteen)

int infile_fill_rows(struct infile *file, struct fecrun_error *err)
{
    const struct infile_columns *c = &file->columns;
    const uint64_t row = (file->offset - c->data) / row_bytes(c), most = slab_rows(c);
    const uint64_t rows = row >= c->rows ? 0 : c->rows - row < most ? c->rows - row : most;
    uint8_t *parts = file->buffer + most * row_bytes(c);

    for (uint64_t i = 0; rows && i < c->items; i += BLOCK) {
        const uint64_t n = c->items - i < BLOCK ? c->items - i : BLOCK;
        uint8_t *to = file->buffer + i * c->item;

        for (uint64_t k = 0; k < n; k++)
            if (read_column(file, parts + k * rows * c->item, rows * c->item,
                            c->data + ((i + k) * c->rows + row) * c->item, err))
                return -1;
        (c->item == 1   ? turn_1
         : c->item == 2 ? turn_2
         : c->item == 4 ? turn_4
         : c->item == 8 ? turn_8
                        : turn_16)(to, parts, rows, n, row_bytes(c));
    }
    file->filled = rows * row_bytes(c);
    file->at = rows ? (file->offset - c->data) % row_bytes(c) : 0;
    return 0;
}
