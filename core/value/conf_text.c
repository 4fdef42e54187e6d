/* SPDX-License-Identifier: BSD-2-Clause */
/* Converts text to numbers and back, and reads files into text. */
#include "core/value/conf.h"

#include <fecrun/sdk/read.h>

#include <ctype.h>
#include <errno.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

bool conf_uint(const char *text, uint64_t *value)
{
    const char *digits = "0123456789eE+";
    int base = 10;
    uint64_t result;
    char *end;

    if (*text == '+')
        text++;
    if (text[0] == '0' && text[1] != '\0') {
        base = text[1] == 'x' ? 16 : text[1] == 'o' ? 8 : text[1] == 'b' ? 2 : 0;
        digits = base == 16 ? "0123456789abcdefABCDEF" : "01234567";
        text += 2;
    }
    /* of strtoull's language only this much: no blanks, signs, prefixes */
    if (!base || !isxdigit((unsigned char)*text) || text[strspn(text, digits)])
        return false;
    if (base == 10 && strpbrk(text, "eE")) {
        const long double number = strtold(text, &end); /* its 64 bits hold each uint64_t */
        if (*end || number >= 0x1p64L)
            return false;
        *value = (uint64_t)number;
        return true;
    }
    errno = 0;
    result = strtoull(text, &end, base);
    if (errno || *end)
        return false;
    *value = result;
    return true;
}

bool conf_int(const char *text, int64_t *value)
{
    bool negative = *text == '-';
    uint64_t magnitude;

    if (negative && text[1] == '+')
        return false;
    if (!conf_uint(text + negative, &magnitude))
        return false;
    if (magnitude > (uint64_t)INT64_MAX + negative)
        return false;
    *value = negative ? (int64_t)(0 - magnitude) : (int64_t)magnitude;
    return true;
}

/* The program that uses the library may have set a locale with a decimal comma. For "C", glibc's
   newlocale allocates nothing. */
static locale_t enter_c_locale(locale_t *c)
{
    *c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    return uselocale(*c);
}

static void leave_c_locale(locale_t c, locale_t old)
{
    uselocale(old);
    if (c)
        freelocale(c);
}

bool conf_float(const char *text, double *value)
{
    locale_t c, old;
    double result;
    char *end;

    /* of strtod's language only this much: no blanks, hexadecimals, inf, nan */
    if (text[strspn(text, "+-.0123456789eE")])
        return false;
    old = enter_c_locale(&c);
    result = strtod(text, &end);
    leave_c_locale(c, old);
    if (end == text || *end || !isfinite(result))
        return false;
    *value = result;
    return true;
}

bool conf_bool(const char *text, bool *value)
{
    static const char *const words[] = {"false", "true", "no", "yes", "off", "on"};

    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (!strcasecmp(text, words[i])) {
            *value = i % 2;
            return true;
        }
    }
    return false;
}

const char *conf_float_text(char *buffer, size_t size, double value)
{
    locale_t c, old = enter_c_locale(&c);

    snprintf(buffer, size, "%.12g", value == 0 ? 0.0 : value);
    leave_c_locale(c, old);
    return buffer;
}

int conf_read(const char *path, size_t limit, char **text, size_t *size, struct diag *diag)
{
    const char *name = strcmp(path, "-") ? path : "standard input";

    if (!fecrun_read_file(path, limit, text, size))
        return 0;
    if (errno == ENOMEM)
        return diag_no_memory(diag);
    if (errno == EFBIG)
        return diag_fail(diag, DIAG_USAGE, "%s: more than %zu bytes of text", name, limit);
    return diag_fail(diag, diag_of_open(errno), "%s: %s", name, strerror(errno));
}
