/* SPDX-License-Identifier: BSD-2-Clause */
/* Makes control characters in names from files visible, so that a terminal does not obey them. */
#ifndef FECRUN_BASE_PRINTABLE_H
#define FECRUN_BASE_PRINTABLE_H

#include <stdbool.h>
#include <stddef.h>

enum { PRINTABLE_MOST = 8 }; /* bytes that one may become */

/* Zeroed at the beginning of a text, which may come in pieces. */
struct printable {
    unsigned follow; /* bytes that are still to come of a UTF-8 character */
    bool held;       /* 0xc2, which one of the controls U+0080 to U+009F may begin with */
};

/*
 * What the text's next byte is to be printed as: "\x1b" for a control character, and for a byte that is
 * no UTF-8; "\u007f", "\u009b" for those which JSON lets stand in a text, where it means the same; else
 * as it is, as are newline and tab. Returns how many bytes of out it takes.
 */
size_t printable_byte(struct printable *state, char byte, char out[PRINTABLE_MOST]);

/* A whole text; what has no room is cut off. */
void printable_text(char *to, size_t room, const char *text);

#endif
