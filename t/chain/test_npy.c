/* SPDX-License-Identifier: BSD-2-Clause */
/* The .npy reader and writer of plugins/chain. */
#include "t/lib/tap.h"
#include "plugins/common/files/npy.h"

static struct fecrun_error err;
static unsigned char file[80000];

/* A file with this dictionary, its length and version as told; returns its size. */
static size_t make(const char *dictionary, int version, size_t length)
{
    size_t n = strlen(dictionary);

    memcpy(file, "\x93NUMPY", 6);
    file[6] = (unsigned char)version;
    file[7] = 0;
    for (int i = 0; i < 4; i++)
        file[8 + i] = (unsigned char)(length >> 8 * i);
    memcpy(file + (version == 2 ? 12 : 10), dictionary, n);
    return (version == 2 ? 12 : 10) + n;
}

/* What the reader says of exactly these bytes, in memory of that size (for the sanitizers). */
static int parse_bytes(const void *data, size_t size, struct npy *npy)
{
    void *copy = malloc(size ? size : 1);
    int status;

    memset(&err, 0, sizeof err);
    err.size = sizeof err;
    memset(npy, 0, sizeof *npy);
    memcpy(copy, data, size);
    status = npy_parse_header(copy, size, npy, &err);
    free(copy);
    return status;
}

static int parse(const char *dictionary, struct npy *npy)
{
    return parse_bytes(file, make(dictionary, 1, strlen(dictionary)), npy);
}

static void test_good(void)
{
    const char *second = "{'descr': '<i2', 'fortran_order': False, 'shape': (1, 1)}";
    struct npy npy;

    ok(parse("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }    \n", &npy) == 0,
       "what numpy writes");
    ok(npy.type == FECRUN_F32 && npy.dims == 2 && npy.frames == 2 && npy.items == 3 &&
           npy.payload == 24 && npy.header == 74,
       "its facts");
    ok(parse("{\"shape\":(7,),'fortran_order':False,'descr':'|u1'}", &npy) == 0 &&
           npy.type == FECRUN_U8 && npy.dims == 1 && npy.frames == 1 && npy.items == 7 &&
           npy.payload == 7,
       "keys in any order, one dimension");
    ok(parse("{'descr': '<i1', 'fortran_order': False, 'shape': (0, 5)}", &npy) == 0 &&
           npy.type == FECRUN_I8 && npy.payload == 0,
       "no frames");
    ok(parse("{'descr': '<c8', 'fortran_order': False, 'shape': (3, 5)}", &npy) == 0 &&
           npy.type == FECRUN_C8 && npy.payload == 120,
       "symbols");
    ok(parse_bytes(file, make(second, 2, strlen(second)), &npy) == 0 && npy.type == FECRUN_I16 &&
           npy.header == 12 + strlen(second),
       "version 2.0");
}

/* What only some readers take. */
static void test_others(void)
{
    static const struct {
        const char *descr;
        uint32_t type;
        enum npy_wide wide;
        unsigned bytes;
    } wide[] = {{"<f8", FECRUN_F32, NPY_F64, 8},
                {"<i4", FECRUN_F32, NPY_I32, 4},
                {"<c16", FECRUN_C8, NPY_C128, 16}};
    char dictionary[80];
    struct npy npy;

    for (size_t i = 0; i < sizeof wide / sizeof *wide; i++) {
        snprintf(dictionary, sizeof dictionary,
                 "{'descr': '%s', 'fortran_order': False, 'shape': (3, 7)}", wide[i].descr);
        ok(parse(dictionary, &npy) == 0 && npy.type == wide[i].type && npy.wide == wide[i].wide &&
               npy.payload == 21 * wide[i].bytes && npy_item_bytes(&npy) == wide[i].bytes,
           "%s", wide[i].descr);
        ok(npy_check_plain(&npy, &err) == -1 && strstr(err.text, "are not allowed here"), "%s",
           err.text);
    }
    ok(parse("{'descr': '<f4', 'fortran_order': True, 'shape': (2, 3)}", &npy) == 0 &&
           npy.columns && npy.frames == 2 && npy.items == 3 && npy.payload == 24,
       "Fortran order");
    ok(npy_check_plain(&npy, &err) == -1 && strstr(err.text, "Fortran order"), "%s", err.text);
    ok(parse("{'descr': '<f4', 'fortran_order': True, 'shape': (6,)}", &npy) == 0 && !npy.columns,
       "of one dimension: both orders agree");
    ok(parse("{'descr': '<f4', 'fortran_order': True, 'shape': (1, 6)}", &npy) == 0 &&
           !npy.columns && npy_check_plain(&npy, &err) == 0,
       "of one frame");
}

static const struct {
    const char *dictionary, *reason;
} bad[] = {
    {"", "byte 10: expected a dictionary"},
    {"{", "byte 11: expected a quoted string"},
    {"{'descr': '>f4', 'fortran_order': False, 'shape': (2, 3)}", "big-endian"},
    {"{'descr': '<i8', 'fortran_order': False, 'shape': (2, 3)}", "'<i8' is none of"},
    {"{'descr': '|O', 'fortran_order': False, 'shape': (2, 3)}", "'|O' is none of"},
    {"{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (2,)}", "structured"},
    {"{'descr': '<f4', 'fortran_order': 0, 'shape': (2, 3)}", "neither False nor True"},
    {"{'descr': '<f4', 'fortran_order': False, 'shape': ()}", "no dimension"},
    {"{'descr': '<f4', 'fortran_order': False, 'shape': (6)}", "expected a comma"},
    {"{'descr': '<f4', 'fortran_order': False, 'shape': (1, 2, 3)}", "more than two"},
    {"{'descr': '<f4', 'fortran_order': False, 'shape': (-1, 6)}", "expected a number"},
    {"{'descr': '<f4', 'fortran_order': False, 'shape': (4294967296, 4294967296)}", "too large"},
    {"{'descr': '<f4', 'fortran_order': False, 'shape': (2305843009213693951,)}", "too large"},
    {"{'descr': '<f4', 'fortran_order': False, 'shape': (18446744073709551616,)}", "too large"},
    {"{'descr': '<f4', 'fortran_order': False}", "is missing"},
    {"{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': (6,)}", "twice"},
    {"{'descr': '<f4', 'more': False, 'shape': (6,)}", "unknown key"},
    {"{'descr': '<f4", "without an end"},
    {"{'descr': '<f4444444444444444444444", "too long"},
    {"{'descr' '<f4'}", "expected a colon"},
    {"{'descr': '<f4' 'shape': (6,)}", "expected a comma or the end"},
    {"{'descr': '<f4', 'fortran_order': False, 'shape': (6,)} 1", "something follows"},
};

static void test_bad(void)
{
    struct npy npy;

    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        ok(parse(bad[i].dictionary, &npy) == -1 && strstr(err.text, bad[i].reason) &&
               strstr(err.text, "byte "),
           "refused: %s", err.text);
    ok(parse_bytes("", 0, &npy) == -1, "an empty file: %s", err.text);
    ok(parse_bytes("\x93NUMPZ\1\0\0\0", 10, &npy) == -1, "wrong magic: %s", err.text);
    ok(parse_bytes("\x93NUMPY\3\0\0\0\0\0", 12, &npy) == -1, "version: %s", err.text);
    ok(parse_bytes("\x93NUMPY\1\0\377\377", 10, &npy) == -1, "cut: %s", err.text);
    ok(parse_bytes("\x93NUMPY\2\0\377\377\377\377", 12, &npy) == -1, "huge: %s", err.text);
}

/* Every prefix of a good file, and every value of every byte: no crash, and no false size. */
static void test_hostile(void)
{
    const char *dictionary = "{'descr': '<f2', 'fortran_order': False, 'shape': (12, 34), }  \n";
    size_t size = make(dictionary, 1, strlen(dictionary));
    struct npy npy;
    int accepted = 0;

    for (size_t n = 0; n < size; n++)
        accepted += parse_bytes(file, n, &npy) == 0;
    is_int(accepted, 0, "every cut header is refused");
    accepted = 0;
    for (size_t at = 0; at < size; at += at == 7 ? 3 : 1) { /* not the header's length */
        unsigned char keep = file[at];

        for (int value = 0; value < 256; value++) {
            file[at] = (unsigned char)value;
            if (parse_bytes(file, size, &npy) == 0)
                accepted += npy.header != size || npy.dims != 2;
        }
        file[at] = keep;
    }
    is_int(accepted, 0, "a changed byte makes no other header");
}

static void test_size(void)
{
    struct npy npy;

    parse("{'descr': '<i2', 'fortran_order': False, 'shape': (2, 3)}", &npy);
    ok(npy_check_size(&npy, npy.header + 12, &err) == 0, "the right size");
    ok(npy_check_size(&npy, npy.header + 11, &err) == -1 && strstr(err.text, "ends at byte 78,"),
       "too short: %s", err.text);
    memset(err.text, 0, sizeof err.text);
    ok(npy_check_size(&npy, npy.header + 13, &err) == -1 && strstr(err.text, "ends at byte 79,"),
       "too long: %s", err.text);
}

static void test_writer(void)
{
    static const uint32_t types[] = {FECRUN_U8,  FECRUN_I8,  FECRUN_I16,
                                     FECRUN_F16, FECRUN_F32, FECRUN_C8};
    unsigned char header[NPY_HEADER];
    bool good = true;

    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        for (unsigned dims = 1; dims <= 2; dims++) {
            struct npy npy = {.type = types[i],
                              .dims = dims,
                              .frames = dims == 1 ? 1 : 1u << 29,
                              .items = 1234567890};
            struct npy back;

            npy_make_header(header, &npy);
            good = good && header[NPY_HEADER - 1] == '\n' && NPY_HEADER % 64 == 0 &&
                   parse_bytes(header, sizeof header, &back) == 0 && back.type == npy.type &&
                   back.dims == dims && back.frames == npy.frames && back.items == npy.items &&
                   back.header == NPY_HEADER;
        }
    ok(good, "what is written can be read");
}

int main(void)
{
    test_good();
    test_others();
    test_bad();
    test_hostile();
    test_size();
    test_writer();
    return done_testing();
}
