/* SPDX-License-Identifier: BSD-2-Clause */
#define BAD_NAME "short_port"
#define BAD_PORT_SIZE offsetof(struct fecrun_port, FECRUN_PORT_LAST)
#include "t/doubles/bad/stage.h"
