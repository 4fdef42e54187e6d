/* SPDX-License-Identifier: BSD-2-Clause */
#include "t/common/vec.h"

#include "plugins/common/vec/vec_generic.h"
#include "t/common/vec_names.h"

const char *vec_wrong_generic(void)
{
    return wrong_name();
}
