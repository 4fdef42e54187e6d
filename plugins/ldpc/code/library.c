/* SPDX-License-Identifier: BSD-2-Clause */
#include "plugins/ldpc/code/library.h"

#include <fecrun/sdk/params.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { SHELVES = 1024 };

struct scheduled {
    struct scheduled *next;
    uint32_t rows;
    bool reverse;
    struct ldpc_schedule *schedule;
};

struct ldpc_book {
    struct ldpc_book *next;
    char *key;
    uint64_t hash;
    size_t users;
    struct ldpc_code *code;
    struct scheduled *schedules;
};

static struct ldpc_book *shelf[SHELVES];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* ---- Keys ---- */

/* Returns how many bytes. One that is written anew is another code. */
static size_t add_file(FILE *out, const char *path)
{
    struct stat st;

    if (stat(path, &st))
        return 0;
    return (size_t)fprintf(out, " %ju %ju %jd %jd.%09ld", (uintmax_t)st.st_dev,
                           (uintmax_t)st.st_ino, (intmax_t)st.st_size, (intmax_t)st.st_mtim.tv_sec,
                           st.st_mtim.tv_nsec);
}

/* All values, and which ones were written: that may be an error. NULL: out of memory. */
static char *key_of(const struct fecrun_values *values)
{
    char *key = NULL;
    size_t size, want = 0;
    FILE *out = open_memstream(&key, &size);

    if (!out)
        return NULL;
    for (size_t p = 0; p < LDPC_N_CODE_PARAMS; p++) {
        const struct fecrun_value *v = fecrun_value(values, p);
        const bool written = v->given && !(v->given == 1 && ldpc_code_param[p].default_text);
        want += (size_t)fprintf(out, "%d %" PRId64 " %s;", written, v->i, v->s ? v->s : "");
        if (p == LDPC_P_PATH && v->s)
            want += add_file(out, v->s);
    }
    if (!fclose(out) && size == want) /* glibc leaves out what it has no memory for */
        return key;
    free(key);
    return NULL;
}

/* FNV-1a */
static uint64_t hash_of(const char *key)
{
    uint64_t hash = 14695981039346656037u;

    for (; *key; key++)
        hash = (hash ^ (unsigned char)*key) * 1099511628211u;
    return hash;
}

/* ---- Books; under the lock ---- */

static void free_book(struct ldpc_book *book)
{
    struct scheduled *s;

    while ((s = book->schedules)) {
        book->schedules = s->next;
        ldpc_schedule_free(s->schedule);
        free(s);
    }
    ldpc_code_free(book->code);
    free(book->key);
    free(book);
}

/* Takes over the key. */
static struct ldpc_book *new_book(char *key, const struct fecrun_values *values,
                                  struct fecrun_error *err)
{
    struct ldpc_book *book = calloc(1, sizeof *book);

    if (!book) {
        free(key);
        fecrun_no_memory(err);
        return NULL;
    }
    book->key = key;
    book->hash = hash_of(key);
    book->code = ldpc_read_code(values, err);
    if (!book->code) {
        free_book(book);
        return NULL;
    }
    book->code->book = book;
    if (book->code->family != LDPC_NR) /* which needs none */
        book->code->digest = ldpc_digest(book->code);
    book->next = shelf[book->hash % SHELVES];
    shelf[book->hash % SHELVES] = book;
    return book;
}

static struct ldpc_book *find(const char *key)
{
    struct ldpc_book *book = shelf[hash_of(key) % SHELVES];

    while (book && strcmp(book->key, key))
        book = book->next;
    return book;
}

/* ---- The counter ---- */

struct ldpc_code *ldpc_library_take(const struct fecrun_values *values, struct fecrun_error *err)
{
    char *key = key_of(values);
    struct ldpc_book *book;

    if (!key) {
        fecrun_no_memory(err);
        return NULL;
    }
    pthread_mutex_lock(&lock);
    book = find(key);
    if (book)
        free(key);
    else
        book = new_book(key, values, err);
    if (book)
        book->users++;
    pthread_mutex_unlock(&lock);
    return book ? book->code : NULL;
}

void ldpc_library_give(struct ldpc_code *code)
{
    struct ldpc_book *book = code ? code->book : NULL, **at;

    if (!book)
        return;
    pthread_mutex_lock(&lock);
    if (--book->users == 0) {
        for (at = &shelf[book->hash % SHELVES]; *at != book;)
            at = &(*at)->next;
        *at = book->next;
        free_book(book);
    }
    pthread_mutex_unlock(&lock);
}

static struct scheduled *new_schedule(const struct ldpc_code *code, uint32_t rows, bool reverse,
                                      struct fecrun_error *err)
{
    struct scheduled *s = calloc(1, sizeof *s);

    if (!s) {
        fecrun_no_memory(err);
        return NULL;
    }
    *s = (struct scheduled){code->book->schedules, rows, reverse,
                            ldpc_schedule_new(code, rows, reverse, err)};
    if (!s->schedule) {
        free(s);
        return NULL;
    }
    return code->book->schedules = s;
}

struct ldpc_schedule *ldpc_library_schedule(const struct ldpc_code *code, uint32_t rows,
                                            bool reverse, struct fecrun_error *err)
{
    struct scheduled *s;

    pthread_mutex_lock(&lock);
    s = code->book->schedules;
    while (s && (s->rows != rows || s->reverse != reverse))
        s = s->next;
    if (!s)
        s = new_schedule(code, rows, reverse, err);
    pthread_mutex_unlock(&lock);
    return s ? s->schedule : NULL;
}
