/* SPDX-License-Identifier: BSD-2-Clause */
/* fecrun_plugin is found, but in a library that this one needs. */
int libdep_answer(void);
__attribute__((visibility("default"))) int in_dependency(void);

int in_dependency(void)
{
    return libdep_answer();
}
