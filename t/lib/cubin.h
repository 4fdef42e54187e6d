/* SPDX-License-Identifier: BSD-2-Clause */
/* What a kernel's machine code says of itself. */
#ifndef T_LIB_CUBIN_H
#define T_LIB_CUBIN_H

#include <elf.h>
#include <stdint.h>
#include <string.h>

/* Attributes of .nv.info, each of which is format, number, length, function, value: bytes of stack and
 * registers of a thread. */
enum { CUBIN_STACK = 0x12, CUBIN_REGISTERS = 0x2f, CUBIN_VALUES = 4 };

static inline long cubin_attribute(const uint8_t *info, size_t size, uint8_t which)
{
    for (size_t i = 0; i + 12 <= size;) {
        uint16_t length;
        uint32_t value;

        memcpy(&length, info + i + 2, sizeof length);
        memcpy(&value, info + i + 8, sizeof value);
        if (info[i] == CUBIN_VALUES && info[i + 1] == which)
            return value;
        i += 4 + (info[i] == CUBIN_VALUES ? length : 0);
    }
    return -1;
}

/* Of its only kernel; -1: it does not say. */
static inline long cubin_says(const void *cubin, uint8_t which)
{
    const uint8_t *file = (const uint8_t *)cubin;
    Elf64_Ehdr head;
    Elf64_Shdr names, s;

    memcpy(&head, file, sizeof head);
    memcpy(&names, file + head.e_shoff + head.e_shstrndx * sizeof s, sizeof names);
    for (unsigned i = 0; i < head.e_shnum; i++) {
        memcpy(&s, file + head.e_shoff + i * sizeof s, sizeof s);
        if (!strcmp((const char *)file + names.sh_offset + s.sh_name, ".nv.info"))
            return cubin_attribute(file + s.sh_offset, s.sh_size, which);
    }
    return -1;
}

#endif
