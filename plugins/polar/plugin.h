/* SPDX-License-Identifier: BSD-2-Clause */
/* Stages of the polar plugin. */
#ifndef POLAR_PLUGIN_H
#define POLAR_PLUGIN_H

#include <fecrun/plugin.h>

extern const struct fecrun_stage polar_encode_stage;       /* encode.c */
extern const struct fecrun_stage polar_rate_match_stage;   /* rate_match.c */
extern const struct fecrun_stage polar_rate_recover_stage; /* rate_recover.c */
extern const struct fecrun_stage polar_decode_stage;       /* decode.c */

extern const struct fecrun_backend polar_encode_cuda;       /* cuda/encode/backend.c */
extern const struct fecrun_backend polar_rate_match_cuda;   /* cuda/rate/backend.c */
extern const struct fecrun_backend polar_rate_recover_cuda; /* cuda/rate/backend.c */

#endif
