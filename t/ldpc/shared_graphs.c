/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Writes what shared_emulate.cc compiles: the sources of the kernels of shared_codes.h, as the plugin
 * hands them to NVRTC, and a list of them.
 */
#include "t/ldpc/shared_codes.h"

int main(void)
{
    for (int i = 0; i < SHARED_TRIALS; i++) {
        struct ldpc_shared_plan plan;
        struct ldpc_decode d;
        size_t length;
        char *text;

        shared_decoder(&shared_trials[i], &d);
        shared_plan(&shared_trials[i], &d, &plan);
        length = ldpc_shared_source(&plan, i, NULL, 0);
        text = get(length + 1);
        ldpc_shared_source(&plan, i, text, length + 1);
        printf("%s\n", text);
        free(text);
        ldpc_shared_plan_free(&plan);
        ldpc_schedule_free(d.schedule);
        ldpc_code_free(d.code);
    }
    printf("#define KERNELS");
    for (int i = 0; i < SHARED_TRIALS; i++)
        printf(" ldpc_shared::decode<ldpc_shared::code_%d>,", i);
    printf("\n");
    return 0;
}
