/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/base/printable.h"

#include <stdio.h>
#include <string.h>

static unsigned followers(unsigned char c)
{
    return c >= 0xc2 && c <= 0xdf ? 1 : c >= 0xe0 && c <= 0xef ? 2 : c >= 0xf0 && c <= 0xf4 ? 3 : 0;
}

/* At most 6 bytes and a 0. */
static size_t escape(const char *format, unsigned char c, char *out)
{
    return (size_t)snprintf(out, PRINTABLE_MOST - 1, format, c);
}

size_t printable_byte(struct printable *state, char byte, char out[PRINTABLE_MOST])
{
    const unsigned char c = (unsigned char)byte;
    size_t n = 0;

    if (state->held && c >= 0x80 && c <= 0x9f) {
        *state = (struct printable){0};
        return escape("\\u%04x", c, out);
    }
    if (state->held)
        out[n++] = (char)0xc2;
    state->held = c == 0xc2;
    if (c >= 0x80 && c <= 0xbf && state->follow) {
        state->follow--;
        out[n++] = byte;
        return n;
    }
    state->follow = followers(c);
    if (state->held)
        return n;
    if (c == 0x7f)
        return n + escape("\\u%04x", c, out + n);
    if ((c < ' ' && c != '\n' && c != '\t') || (c >= 0x80 && !state->follow))
        return n + escape("\\x%02x", c, out + n);
    out[n++] = byte;
    return n;
}

void printable_text(char *to, size_t room, const char *text)
{
    struct printable state = {0};
    char bytes[PRINTABLE_MOST];
    size_t used = 0, n;

    for (; *text; text++) {
        n = printable_byte(&state, *text, bytes);
        if (used + n >= room)
            break;
        memcpy(to + used, bytes, n);
        used += n;
    }
    to[used] = '\0';
}
