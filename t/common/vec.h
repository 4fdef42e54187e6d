/* SPDX-License-Identifier: BSD-2-Clause */
/* Each name of plugins/common/vec, as one instruction set has it, against its definition lane by lane. */
#ifndef T_COMMON_VEC_H
#define T_COMMON_VEC_H

/* NULL, or the first expression whose result is wrong; "" if this was built without the
   instructions. The CPU has to have them. */
const char *vec_wrong_generic(void);
const char *vec_wrong_portable(void);
const char *vec_wrong_avx2(void);
const char *vec_wrong_avx512(void);

#endif
