/* SPDX-License-Identifier: BSD-2-Clause */
/* Lists of 8, 16 and 32 paths of one instruction set. */
#include "plugins/polar/simd/frame/list_shared.h"

#define LIST_PATHS 8
#define LIST(name) name##_of_8
#include "plugins/polar/simd/frame/list.h"
#undef LIST_PATHS
#undef LIST
#define LIST_PATHS 16
#define LIST(name) name##_of_16
#include "plugins/polar/simd/frame/list.h"
#undef LIST_PATHS
#undef LIST
#define LIST_PATHS 32
#define LIST(name) name##_of_32
#include "plugins/polar/simd/frame/list.h"

static void list(const struct polar_program *program, const int8_t *from,
                 struct polar_frame_paths *paths)
{
    if (paths->paths == 8)
        list_of_8(program, from, paths);
    else if (paths->paths == 16)
        list_of_16(program, from, paths);
    else
        list_of_32(program, from, paths);
}
