/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Writes what registers_emulate_code.cc compiles: the sources of the kernels of registers_others.h,
 * as the plugin hands them to NVRTC, and a list of them.
 */
#include "t/ldpc/registers_others.h"
#include "plugins/ldpc/cuda/registers/source.h"

enum { ROOM = 1 << 17 };

static void other_form(int i, const struct ldpc_code *code, struct ldpc_registers_form *form)
{
    const struct other *o = &others[i];
    const char *problem = ldpc_registers_choose_form(code, o->reverse, OTHER_SHARED,
                                                     OTHER_SHARED_BLOCK, form);

    if (problem)
        bail("no form: %s", problem);
    form->oms = o->oms;
    form->spa = o->spa;
    form->early_stop = other_stops(i);
    form->soft = o->soft;
}

static char text[ROOM];

static void put_nr(int i, const struct ldpc_code *code)
{
    const struct ldpc_registers_kernel kernel = other_nr_kernel(&others[i]);
    const struct ldpc_decode d = {.code = (struct ldpc_code *)(uintptr_t)code,
                                  .early_stop = other_stops(i),
                                  .reverse = others[i].reverse,
                                  .algorithm = other_rule(&others[i]),
                                  .rule = others[i].flooding ? LDPC_FLOODING : LDPC_LAYERED};

    if (ldpc_registers_nr_source(&d, &kernel, kernel.lanes, OTHER_GRAPH + i, text, ROOM) >= ROOM)
        bail("a longer source than there is room for");
    printf("%s\n", text);
    printf("#define KERNEL_%d nr_kernel<decoder_%d, %u>(%u, %u, %u, %u, %u)\n\n", i,
           OTHER_GRAPH + i, (kernel.lanes + 31) / 32 * 32, kernel.bg, kernel.rows, code->z,
           kernel.lanes, kernel.layout.pack0);
}

static void put_other(int i, const struct ldpc_code *code)
{
    struct ldpc_registers_form form;

    other_form(i, code, &form);
    if (ldpc_registers_source(code, &form, OTHER_GRAPH + i, text, ROOM) >= ROOM)
        bail("a longer source than there is room for");
    printf("%s\n", text);
    printf("#define KERNEL_%d kernel<decoder_%d, %u, %u>(%u, %u, %u, %u)\n\n", i, OTHER_GRAPH + i,
           form.threads, form.blocks, code->rows, code->z, form.lanes, form.unpacked);
}

int main(void)
{
    for (int i = 0; i < OTHERS; i++) {
        struct ldpc_code *code = other_code(&others[i]);

        if (others[i].family == LDPC_NR)
            put_nr(i, code);
        else
            put_other(i, code);
        ldpc_code_free(code);
    }
    printf("#define KERNELS");
    for (int i = 0; i < OTHERS; i++)
        printf(" KERNEL_%d,", i);
    printf("\n");
    return 0;
}
