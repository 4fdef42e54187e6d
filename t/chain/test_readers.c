/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Large reads of files by several threads (plugins/common/files): every byte once and in its place, of
 * several errors the first one in the file, and ends inside the read.
 */
#include "plugins/common/files/file.h"
#include "t/lib/tap.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

enum { BYTES = 17 << 20, ODD = 12345, STEP = 256 << 10 /* of a thread */ };

static uint8_t want[BYTES], got_bytes[BYTES];
static uint64_t wrong[2]; /* places in the file that are not liked; UINT64_MAX: none */

static void make_file(const char *path, size_t bytes)
{
    const int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);

    if (fd < 0 || write(fd, want, bytes) != (ssize_t)bytes || close(fd))
        bail("cannot write %s", path);
}

/* Inverts what it sees, so that a byte that is seen twice is found. */
static int look(const void *data, uint8_t *bytes, size_t n, uint64_t at, struct fecrun_error *err)
{
    const uint64_t *places = data;

    for (size_t i = 0; i < n; i++) {
        if (at + i == places[0] || at + i == places[1]) {
            /* other threads begin meanwhile, and the one that must not count is likely to be told last */
            usleep(at + i > places[0] || at + i > places[1] ? 20000 : 5000);
            snprintf(err->text, sizeof err->text, "byte %llu", (unsigned long long)(at + i));
            return -1;
        }
        bytes[i] ^= 0xff;
    }
    return 0;
}

static bool inverted(uint64_t at, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if ((got_bytes[i] ^ want[at + i]) != 0xff)
            return false;
    return true;
}

/* Reads of many sizes, one behind the other, of one open file. */
static void test_all_bytes(void)
{
    static const size_t sizes[] = {1, 4096, ODD, 262144, 262145, 1 << 20, 3000001, BYTES};
    struct fecrun_error err = {.size = sizeof err};
    struct infile file;
    bool right = true;

    wrong[0] = wrong[1] = UINT64_MAX;
    if (infile_open(&file, "bytes", &err))
        bail("%s", err.text);
    for (unsigned k = 0; k < tap_rounds(100); k++) {
        const size_t n = sizes[k % 8];
        const uint64_t at = (uint64_t)k * 7919 % (BYTES - n + 1);
        size_t got = 0;

        memset(got_bytes, 0xa5, n);
        right = right && !infile_seek(&file, at, &err) &&
                !infile_read_checked(&file, got_bytes, n, look, wrong, &got, &err) && got == n &&
                file.offset == at + n && inverted(at, n);
    }
    ok(right, "all bytes, once and in their places");
    infile_close(&file);
}

static void test_errors(void)
{
    static const uint64_t places[][2] = {{0, UINT64_MAX},          {8 << 20, 3},
                                         {5 << 20, 1 << 20},       {(5 << 20) + 1, 5 << 20},
                                         {4 * STEP, 6 * STEP - 1}, {BYTES - 1, 4000000}};
    bool right = true;

    for (unsigned k = 0; k < 6 * tap_rounds(5); k++) {
        const uint64_t first = places[k % 6][0] < places[k % 6][1] ? places[k % 6][0]
                                                                   : places[k % 6][1];
        struct fecrun_error err = {.size = sizeof err};
        struct infile file;
        char text[64];
        size_t got;

        memcpy(wrong, places[k % 6], sizeof wrong);
        snprintf(text, sizeof text, "byte %llu", (unsigned long long)first);
        if (infile_open(&file, "bytes", &err))
            bail("%s", err.text);
        right = right &&
                infile_read_checked(&file, got_bytes, BYTES, look, wrong, &got, &err) == -1 &&
                !strcmp(err.text, text) && got <= first / STEP * STEP + STEP;
        infile_close(&file);
    }
    ok(right, "of two errors the first one in the file");
}

/* A file that ends inside of the read; an error behind its end is none. */
static void test_end(void)
{
    struct fecrun_error err = {.size = sizeof err};
    struct infile file;
    size_t got;

    wrong[0] = wrong[1] = UINT64_MAX;
    make_file("short", BYTES / 2 + ODD);
    if (infile_open(&file, "short", &err))
        bail("%s", err.text);
    ok(!infile_read_checked(&file, got_bytes, BYTES, look, wrong, &got, &err) &&
           got == BYTES / 2 + ODD && inverted(0, got),
       "a file that ends inside of the read");
    ok(!infile_read_checked(&file, got_bytes, BYTES, look, wrong, &got, &err) && got == 0,
       "and nothing behind it");
    infile_close(&file);
}

static void test_cancelled(void)
{
    struct fecrun_error err = {.size = sizeof err};
    const volatile int cancel = 1;
    struct infile file;
    size_t got = 1;

    if (infile_open(&file, "bytes", &err))
        bail("%s", err.text);
    file.cancel = &cancel;
    ok(!infile_read_checked(&file, got_bytes, BYTES, look, wrong, &got, &err) && got == 0,
       "a cancelled read is short, and no error");
    infile_close(&file);
}

/* Counts what it sees, so that a part that is read twice or never is found. */
static int count(const void *data, uint8_t *bytes, size_t n, uint64_t at, struct fecrun_error *err)
{
    (void)bytes, (void)at, (void)err;
    __atomic_fetch_add(*(size_t *const *)data, n, __ATOMIC_RELAXED);
    return 0;
}

/* One of several readers, which come and go, so that the pool does. */
static void *read_alone(void *right)
{
    uint8_t *bytes = malloc(BYTES);

    for (unsigned k = 0; bytes && k < tap_rounds(8); k++) {
        struct fecrun_error err = {.size = sizeof err};
        size_t got = 0, seen = 0, *counter = &seen;
        struct infile file;

        *(bool *)right = *(bool *)right && !infile_open(&file, "bytes", &err) &&
                         !infile_read_checked(&file, bytes, BYTES, count, &counter, &got, &err) &&
                         got == BYTES && seen == BYTES && !memcmp(bytes, want, BYTES);
        infile_close(&file);
    }
    *(bool *)right = *(bool *)right && bytes;
    free(bytes);
    return NULL;
}

static void test_many(void)
{
    enum { MANY = 5 };
    bool right[MANY];
    pthread_t thread[MANY];

    for (unsigned i = 0; i < MANY; i++) {
        right[i] = true;
        if (pthread_create(&thread[i], NULL, read_alone, &right[i]))
            bail("no thread");
    }
    for (unsigned i = 0; i < MANY; i++) {
        pthread_join(thread[i], NULL);
        ok(right[i], "reader %u of several at once", i);
    }
}

int main(void)
{
    char directory[] = "readers.XXXXXX";

    if (!mkdtemp(directory) || chdir(directory))
        bail("no directory");
    for (size_t i = 0; i < BYTES; i++)
        want[i] = (uint8_t)(i * 2654435761u >> 13);
    make_file("bytes", BYTES);
    test_all_bytes();
    test_errors();
    test_end();
    test_cancelled();
    test_many();
    if (unlink("bytes") || unlink("short") || chdir("..") || rmdir(directory))
        diag("%s stays", directory);
    return done_testing();
}
