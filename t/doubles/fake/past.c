/* SPDX-License-Identifier: BSD-2-Clause */
/* As from before there were device providers: the struct ends earlier. */
#define BAD_NAME "past"
#define BAD_PLUGIN_SIZE offsetof(struct fecrun_plugin, providers)
#include "../bad/stage.h"
