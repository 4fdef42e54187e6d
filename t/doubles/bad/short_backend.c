/* SPDX-License-Identifier: BSD-2-Clause */
#define BAD_NAME "short_backend"
#define BAD_BACKEND_SIZE offsetof(struct fecrun_backend, FECRUN_BACKEND_LAST)
#include "t/doubles/bad/stage.h"
