/* SPDX-License-Identifier: BSD-2-Clause */
#define BAD_NAME "short_plugin"
#define BAD_PLUGIN_SIZE offsetof(struct fecrun_plugin, FECRUN_PLUGIN_LAST)
#include "t/doubles/bad/stage.h"
