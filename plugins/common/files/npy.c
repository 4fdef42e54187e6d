/* SPDX-License-Identifier: BSD-2-Clause */
#include "plugins/common/files/npy.h"

#include <fecrun/sdk/params.h>
#include <inttypes.h>

/* Where the parser is. The dictionary is ASCII and ends at `size`. */
struct text {
    const unsigned char *data;
    size_t at, size;
    struct fecrun_error *err;
};

static const struct {
    const char *descr;
    uint32_t type;
    enum npy_wide wide;
} types[] = {
    {"|u1", FECRUN_U8, NPY_PLAIN},  {"|i1", FECRUN_I8, NPY_PLAIN},  {"<i2", FECRUN_I16, NPY_PLAIN},
    {"<f2", FECRUN_F16, NPY_PLAIN}, {"<f4", FECRUN_F32, NPY_PLAIN}, {"<c8", FECRUN_C8, NPY_PLAIN},
    {"<f8", FECRUN_F32, NPY_F64},   {"<i4", FECRUN_F32, NPY_I32},   {"<c16", FECRUN_C8, NPY_C128},
};

enum { KEY_DESCR = 1, KEY_ORDER = 2, KEY_SHAPE = 4, KEY_ALL = 7 };

static const unsigned char magic[] = {0x93, 'N', 'U', 'M', 'P', 'Y'};

bool npy_magic(const void *data, size_t size)
{
    return size >= sizeof magic && memcmp(data, magic, sizeof magic) == 0;
}

static int fail(const struct text *t, const char *what)
{
    return fecrun_fail(t->err, NULL, ".npy header, byte %zu: %s", t->at, what);
}

static void skip_space(struct text *t)
{
    while (t->at < t->size && (t->data[t->at] == ' ' || t->data[t->at] == '\n'))
        t->at++;
}

/* Takes one character, after any space. */
static bool take(struct text *t, char c)
{
    skip_space(t);
    if (t->at == t->size || t->data[t->at] != (unsigned char)c)
        return false;
    t->at++;
    return true;
}

static bool take_word(struct text *t, const char *word)
{
    size_t n = strlen(word);

    skip_space(t);
    if (t->size - t->at < n || memcmp(t->data + t->at, word, n) != 0)
        return false;
    t->at += n;
    return true;
}

/* A quoted string without escapes, shorter than `room`. */
static int take_string(struct text *t, char *string, size_t room)
{
    size_t n = 0;
    unsigned char quote;

    skip_space(t);
    if (t->at == t->size || (t->data[t->at] != '\'' && t->data[t->at] != '"'))
        return fail(t, "expected a quoted string");
    quote = t->data[t->at++];
    for (; t->at < t->size && t->data[t->at] != quote; t->at++) {
        if (n + 1 == room || t->data[t->at] < ' ' || t->data[t->at] > '~')
            return fail(t, "string too long, or not plain text");
        string[n++] = (char)t->data[t->at];
    }
    if (t->at == t->size)
        return fail(t, "string without an end");
    t->at++;
    string[n] = '\0';
    return 0;
}

static int take_number(struct text *t, uint64_t *number)
{
    size_t start;

    skip_space(t);
    start = t->at;
    *number = 0;
    for (; t->at < t->size && t->data[t->at] >= '0' && t->data[t->at] <= '9'; t->at++)
        if (__builtin_mul_overflow(*number, 10, number) ||
            __builtin_add_overflow(*number, t->data[t->at] - '0', number))
            return fail(t, "number too large");
    return t->at == start ? fail(t, "expected a number") : 0;
}

static int parse_descr(struct text *t, struct npy *npy)
{
    char descr[16], other[8];

    skip_space(t);
    if (t->at < t->size && t->data[t->at] == '[')
        return fail(t, "structured arrays are not supported");
    if (take_string(t, descr, sizeof descr))
        return -1;
    if (descr[0] == '>')
        return fail(t, "big-endian data is not supported");
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        snprintf(other, sizeof other, "%s", types[i].descr);
        if (other[0] == '|')
            other[0] = '<'; /* the order of single bytes */
        if (strcmp(descr, types[i].descr) == 0 || strcmp(descr, other) == 0) {
            npy->type = types[i].type;
            npy->wide = types[i].wide;
            return 0;
        }
    }
    return fecrun_fail(t->err, NULL,
                       ".npy header, byte %zu: type '%s' is none of |u1 (bits), |i1 "
                       "<i2 <i4 <f2 <f4 <f8 (LLRs), <c8 <c16 (symbols)",
                       t->at, descr);
}

static int parse_order(struct text *t, struct npy *npy)
{
    npy->columns = take_word(t, "True");
    return npy->columns || take_word(t, "False")
               ? 0
               : fail(t, "fortran_order is neither False nor True");
}

static int parse_shape(struct text *t, struct npy *npy)
{
    uint64_t shape[2];

    npy->dims = 0;
    if (!take(t, '('))
        return fail(t, "expected the shape, a tuple");
    while (!take(t, ')')) {
        if (npy->dims == 2)
            return fail(t, "more than two dimensions: (frames, items) or (items,) is allowed");
        if (take_number(t, &shape[npy->dims++]))
            return -1;
        if (!take(t, ',') && npy->dims == 1)
            return fail(t, "expected a comma");
    }
    if (npy->dims == 0)
        return fail(t, "no dimension: (frames, items) or (items,) is allowed");
    npy->frames = npy->dims == 2 ? shape[0] : 1;
    npy->items = shape[npy->dims - 1];
    return 0;
}

static int parse_entry(struct text *t, struct npy *npy, unsigned *seen)
{
    char key[16];
    unsigned bit;

    if (take_string(t, key, sizeof key))
        return -1;
    bit = strcmp(key, "descr") == 0           ? KEY_DESCR
          : strcmp(key, "fortran_order") == 0 ? KEY_ORDER
          : strcmp(key, "shape") == 0         ? KEY_SHAPE
                                              : 0;
    if (!bit || *seen & bit)
        return fail(t, bit ? "key occurs twice" : "unknown key");
    *seen |= bit;
    if (!take(t, ':'))
        return fail(t, "expected a colon");
    if (bit == KEY_DESCR)
        return parse_descr(t, npy);
    return bit == KEY_ORDER ? parse_order(t, npy) : parse_shape(t, npy);
}

static int parse_dictionary(struct text *t, struct npy *npy)
{
    unsigned seen = 0;

    if (!take(t, '{'))
        return fail(t, "expected a dictionary");
    while (!take(t, '}')) {
        if (parse_entry(t, npy, &seen))
            return -1;
        if (!take(t, ',')) {
            if (!take(t, '}'))
                return fail(t, "expected a comma or the end of the dictionary");
            break;
        }
    }
    if (seen != KEY_ALL)
        return fail(t, "descr, fortran_order or shape is missing");
    skip_space(t);
    if (t->at < t->size)
        return fail(t, "something follows the dictionary");
    return 0;
}

unsigned npy_item_bytes(const struct npy *npy)
{
    return npy->wide == NPY_F64    ? 8
           : npy->wide == NPY_I32  ? 4
           : npy->wide == NPY_C128 ? 16
                                   : (unsigned)fecrun_bytes(npy->type, 1);
}

int npy_check_plain(const struct npy *npy, struct fecrun_error *err)
{
    if (npy->columns)
        return fecrun_fail(err, NULL, ".npy header: Fortran order, only C order is allowed here");
    if (npy->wide)
        return fecrun_fail(err, NULL,
                           ".npy header: <f8, <i4 and <c16 are not allowed here: |u1, |i1, <i2, "
                           "<f2, <f4 or <c8");
    return 0;
}

static int find_payload(const struct text *t, struct npy *npy)
{
    uint64_t items, end;

    if (__builtin_mul_overflow(npy->frames, npy->items, &items) ||
        __builtin_mul_overflow(items, npy_item_bytes(npy), &npy->payload))
        return fail(t, "the shape is too large");
    npy->columns = npy->columns && npy->frames > 1 && npy->items > 1; /* else the orders agree */
    npy->header = t->size;
    if (__builtin_add_overflow(npy->header, npy->payload, &end) || end > INT64_MAX)
        return fail(t, "the shape is too large");
    return 0;
}

int npy_parse_header(const void *data, size_t size, struct npy *npy, struct fecrun_error *err)
{
    struct text t = {data, 0, size, err};
    size_t start, length;

    if (!npy_magic(data, size))
        return fail(&t, "not a .npy file");
    t.at = sizeof magic;
    start = size > 6 && t.data[6] == 2 ? 12 : 10;
    if (size < start)
        return fail(&t, "the file ends inside the header");
    if ((t.data[6] != 1 && t.data[6] != 2) || t.data[7] != 0)
        return fecrun_fail(err, NULL,
                           ".npy header, byte 6: version %d.%d is not supported, only "
                           "1.0 and 2.0",
                           t.data[6], t.data[7]);
    length = t.data[8] | (size_t)t.data[9] << 8;
    if (start == 12)
        length |= (size_t)t.data[10] << 16 | (size_t)t.data[11] << 24;
    t.at = 8;
    if (length > NPY_MAX_HEADER - start)
        return fail(&t, "the header is too long");
    if (length > size - start)
        return fecrun_fail(err, NULL,
                           ".npy header, byte %zu: the file ends inside the header, "
                           "which goes to byte %zu",
                           size, start + length);
    t.at = start;
    t.size = start + length;
    if (parse_dictionary(&t, npy))
        return -1;
    return find_payload(&t, npy);
}

int npy_check_size(const struct npy *npy, uint64_t file_size, struct fecrun_error *err)
{
    uint64_t end = npy->header + npy->payload;

    if (file_size < end)
        return fecrun_fail(err, NULL,
                           "truncated .npy file: it ends at byte %" PRIu64
                           ", its header promises data to byte %" PRIu64,
                           file_size, end);
    if (file_size > end)
        return fecrun_fail(err, NULL,
                           "oversized .npy file: its data ends at byte %" PRIu64
                           ", but the file goes on to byte %" PRIu64,
                           end, file_size);
    return 0;
}

/* The dictionary always fits: two numbers take at most 40 of the 118 bytes. */
void npy_make_header(unsigned char header[NPY_HEADER], const struct npy *npy)
{
    const size_t start = sizeof magic + 4;
    const char *descr = "";
    char shape[48], text[NPY_HEADER];
    int n;

    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (types[i].type == npy->type && types[i].wide == npy->wide)
            descr = types[i].descr;
    if (npy->dims == 1)
        snprintf(shape, sizeof shape, "(%" PRIu64 ",)", npy->items);
    else
        snprintf(shape, sizeof shape, "(%" PRIu64 ", %" PRIu64 ")", npy->frames, npy->items);
    n = snprintf(text, sizeof text, "{'descr': '%s', 'fortran_order': False, 'shape': %s, }", descr,
                 shape);
    memcpy(header, magic, sizeof magic);
    header[6] = 1;
    header[7] = 0;
    header[8] = (unsigned char)(NPY_HEADER - start);
    header[9] = 0;
    memset(header + start, ' ', NPY_HEADER - start);
    memcpy(header + start, text, (size_t)n);
    header[NPY_HEADER - 1] = '\n';
}
