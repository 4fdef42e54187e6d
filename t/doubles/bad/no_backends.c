/* SPDX-License-Identifier: BSD-2-Clause */
#define BAD_NAME "no_backends"
#define BAD_BACKENDS no_backends
struct fecrun_backend;
static const struct fecrun_backend *const no_backends[] = {0};
#include "t/doubles/bad/stage.h"
