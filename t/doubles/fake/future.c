/* SPDX-License-Identifier: BSD-2-Clause */
/* As from a later version of the ABI, whose structs have grown: a host reads what it knows. */
#define BAD_NAME "future"
#define BAD_PLUGIN_SIZE (sizeof(struct fecrun_plugin) + 64)
#define BAD_STAGE_SIZE (sizeof(struct fecrun_stage) + 64)
#define BAD_BACKEND_SIZE (sizeof(struct fecrun_backend) + 64)
#include "t/doubles/bad/stage.h"
