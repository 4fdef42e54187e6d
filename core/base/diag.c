/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/base/diag.h"

#include "core/base/printable.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* Names longer than this get no hint; it bounds the work on hostile input. */
#define MAX_NAME 64

/* Texts quote what the user wrote: no control character of it may reach the terminal, and a text
   that was cut must not end inside a UTF-8 character. */
static void clean(char text[DIAG_TEXT], bool cut)
{
    char shown[DIAG_TEXT];
    size_t n = strlen(text);

    if (cut) {
        while (n > 0 && ((unsigned char)text[n - 1] & 0xc0) == 0x80)
            n--;
        if (n > 0 && (unsigned char)text[n - 1] >= 0xc0)
            n--;
        text[n] = '\0';
    }
    for (char *p = text; *p; p++)
        if (*p == '\n' || *p == '\t')
            *p = ' ';
    printable_text(shown, sizeof shown, text);
    strcpy(text, shown);
}

__attribute__((format(printf, 3, 0))) static void set_text(struct diag *diag, size_t used,
                                                           const char *format, va_list args)
{
    size_t room = sizeof diag->text - used;
    int n = vsnprintf(diag->text + used, room, format, args);

    clean(diag->text, n >= 0 && (size_t)n >= room);
}

int diag_fail(struct diag *diag, int status, const char *format, ...)
{
    va_list args;

    if (!diag || diag->status != DIAG_OK)
        return -1;
    diag->status = status;
    va_start(args, format);
    set_text(diag, 0, format, args);
    va_end(args);
    return -1;
}

void diag_add(struct diag *diag, const char *format, ...)
{
    va_list args;

    if (!diag || diag->status == DIAG_OK)
        return;
    va_start(args, format);
    set_text(diag, strlen(diag->text), format, args);
    va_end(args);
}

int diag_no_memory(struct diag *diag)
{
    return diag_fail(diag, DIAG_RUN, "out of memory");
}

/* What the system has no more of, or cannot do now. */
static const int refusals[] = {ENOMEM, EMFILE, ENFILE, EIO, ENOSPC, EDQUOT, EAGAIN, EINTR};

static bool ends_with(const char *text, const char *end)
{
    const size_t n = strlen(text), m = strlen(end);

    return n >= m && !strcmp(text + n - m, end);
}

bool diag_says_refused(const char *text)
{
    static const char words[] = "out of memory";

    if (!strncmp(text, words, sizeof words - 1) || ends_with(text, words))
        return true;
    for (size_t i = 0; i < sizeof refusals / sizeof *refusals; i++)
        if (ends_with(text, strerror(refusals[i])))
            return true;
    return false;
}

int diag_of_open(int number)
{
    for (size_t i = 0; i < sizeof refusals / sizeof *refusals; i++)
        if (number == refusals[i])
            return DIAG_RUN;
    return DIAG_USAGE;
}

int diag_fail_at(struct diag *diag, int status, struct mark mark, const char *format, ...)
{
    va_list args;
    int used = 0;

    if (!diag || diag->status != DIAG_OK)
        return -1;
    diag->status = status;
    /* At most half of the text for the place, so that the reason is always seen. */
    if (mark.file && mark.line)
        used = snprintf(diag->text, sizeof diag->text / 2, "%s:%u:%u: ", mark.file, mark.line,
                        mark.column);
    else if (mark.file)
        used = snprintf(diag->text, sizeof diag->text / 2, "%s: ", mark.file);
    if (used < 0)
        used = 0;
    if ((size_t)used >= sizeof diag->text / 2) {
        used = sizeof diag->text / 2;
        memcpy(diag->text + used - 5, "...: ", 5);
    }
    va_start(args, format);
    set_text(diag, (size_t)used, format, args);
    va_end(args);
    return -1;
}

static unsigned min_of(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

static bool same(char a, char b)
{
    return tolower((unsigned char)a) == tolower((unsigned char)b);
}

/* Insertions, deletions, replacements, swaps of neighbours; upper and lower case are the same. */
static unsigned distance(const char *a, size_t la, const char *b, size_t lb)
{
    unsigned rows[3][MAX_NAME + 1];
    unsigned *before = rows[0], *last = rows[1], *row = rows[2];

    memset(rows, 0, sizeof rows);
    for (size_t j = 0; j <= lb; j++)
        last[j] = (unsigned)j;
    for (size_t i = 1; i <= la; i++) {
        unsigned *spare = before;

        row[0] = (unsigned)i;
        for (size_t j = 1; j <= lb; j++) {
            row[j] = last[j - 1] + !same(a[i - 1], b[j - 1]);
            row[j] = min_of(row[j], min_of(last[j], row[j - 1]) + 1);
            if (i > 1 && j > 1 && same(a[i - 1], b[j - 2]) && same(a[i - 2], b[j - 1]))
                row[j] = min_of(row[j], before[j - 2] + 1);
        }
        before = last;
        last = row;
        row = spare;
    }
    return last[lb];
}

void guess_try(struct guess *guess, const char *known)
{
    const size_t length = strlen(guess->name), n = strlen(known), longer = n > length ? n : length;
    unsigned d;

    if (longer > MAX_NAME)
        return;
    d = distance(guess->name, length, known, n);
    /* "ebn0" is far from "ebn0_db", but surely meant. */
    if (d > (longer + 1) / 3 && !(length >= 3 && !strncmp(guess->name, known, length)))
        return;
    if (!guess->best || d < guess->distance) {
        guess->distance = d;
        guess->best = known;
    }
}

const char *guess_hint(const struct guess *guess, char *buffer, size_t size)
{
    const char *best = guess->best;

    snprintf(buffer, size, "%s%s%s", best ? " (did you mean " : "", best ? best : "",
             best ? "?)" : "");
    return buffer;
}

const char *diag_nearest(const char *name, const char *const *known)
{
    struct guess guess = {name, NULL, 0};

    for (; *known; known++)
        guess_try(&guess, *known);
    return guess.best;
}

const char *diag_hint(char *buffer, size_t size, const char *name, const char *const *known)
{
    const struct guess guess = {name, diag_nearest(name, known), 0};

    return guess_hint(&guess, buffer, size);
}

void text_add(char *buffer, size_t size, const char *format, ...)
{
    const size_t used = strlen(buffer);
    va_list args;

    va_start(args, format);
    vsnprintf(buffer + used, size - used, format, args);
    va_end(args);
}
