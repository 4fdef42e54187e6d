/* SPDX-License-Identifier: BSD-2-Clause */
/* As from before there were device providers and examples: the structs end earlier, and what stands
   behind them is not to be looked at. */
#define BAD_NAME "past"
#define BAD_PLUGIN_SIZE offsetof(struct fecrun_plugin, providers)
#define BAD_STAGE_SIZE offsetof(struct fecrun_stage, examples)
#define BAD_EXAMPLES ((const struct fecrun_example *const *)16)
#include "t/doubles/bad/stage.h"
