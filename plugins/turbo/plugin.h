/* SPDX-License-Identifier: BSD-2-Clause */
/* Stages of the turbo plugin. */
#ifndef TURBO_PLUGIN_H
#define TURBO_PLUGIN_H

#include <fecrun/plugin.h>

/* Facts of a frame: the size K of the blocks, which what is sent does not tell; how many bits of the
   word were received, those of earlier transmissions included, at most. */
#define TURBO_FACT_K "turbo.k"
#define TURBO_FACT_RECEIVED "turbo.received"

extern const struct fecrun_stage turbo_encode_stage;       /* encode.c */
extern const struct fecrun_stage turbo_rate_match_stage;   /* rate_match.c */
extern const struct fecrun_stage turbo_rate_recover_stage; /* rate_recover.c */
extern const struct fecrun_stage turbo_decode_stage;       /* decode.c */

extern const struct fecrun_backend turbo_rate_match_cuda, turbo_rate_recover_cuda;

#endif
