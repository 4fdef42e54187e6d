/* SPDX-License-Identifier: BSD-2-Clause */
#include <fecrun/sdk/params.h>

#include "code_build.h"

struct ldpc_code *ldpc_code_qc(const char *path, struct fecrun_error *err)
{
    fecrun_fail(err, "path", "%s: files are not read yet", path);
    return NULL;
}
