/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Writes what registers_emulate_code.cc compiles: the sources of the kernels of registers_others.h,
 * as the plugin hands them to NVRTC, and a list of them.
 */
#include "t/ldpc/registers_others.h"
#include "plugins/ldpc/cuda/registers_source.h"

enum { ROOM = 1 << 16 };

static void other_form(const struct other *o, const struct ldpc_code *code,
                       struct ldpc_registers_form *form)
{
    const char *problem = ldpc_registers_choose_form(code, o->reverse, OTHER_SHARED,
                                                     OTHER_SHARED_BLOCK, form);

    if (problem)
        bail("no form: %s", problem);
}

int main(void)
{
    static char text[ROOM];

    for (int i = 0; i < OTHERS; i++) {
        struct ldpc_code *code = other_code(&others[i]);
        struct ldpc_registers_form form;

        other_form(&others[i], code, &form);
        if (ldpc_registers_source(code, &form, OTHER_GRAPH + i, text, ROOM) >= ROOM)
            bail("a longer source than there is room for");
        printf("%s\n", text);
        printf("#define KERNEL_%d kernel<decoder_%d, %u, %u>(%u, %u, %u, %u)\n\n", i,
               OTHER_GRAPH + i, form.threads, form.blocks, code->rows, code->z, form.lanes,
               form.unpacked);
        ldpc_code_free(code);
    }
    printf("#define KERNELS");
    for (int i = 0; i < OTHERS; i++)
        printf(" KERNEL_%d,", i);
    printf("\n");
    return 0;
}
