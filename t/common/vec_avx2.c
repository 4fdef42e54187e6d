/* SPDX-License-Identifier: BSD-2-Clause */
#include "t/common/vec.h"

#include <stddef.h>

#include "plugins/common/vec/vec_avx2.h"

#ifdef VEC_BYTES
#include "t/common/vec_names.h"

const char *vec_wrong_avx2(void)
{
    return wrong_name();
}

#else

const char *vec_wrong_avx2(void)
{
    return "";
}

#endif
