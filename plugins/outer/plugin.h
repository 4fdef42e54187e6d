/* SPDX-License-Identifier: BSD-2-Clause */
/* Stages and backends of the plugin of outer codes. */
#ifndef OUTER_PLUGIN_H
#define OUTER_PLUGIN_H

#include <fecrun/plugin.h>

extern const struct fecrun_stage outer_rs_encode_stage;  /* rs_encode.c */
extern const struct fecrun_stage outer_rs_decode_stage;  /* rs_decode.c */
extern const struct fecrun_stage outer_bch_encode_stage; /* bch_encode.c */
extern const struct fecrun_stage outer_bch_decode_stage; /* bch_decode.c */

extern const struct fecrun_backend outer_rs_encode_ref, outer_rs_decode_ref; /* ref/ */
extern const struct fecrun_backend outer_bch_encode_ref, outer_bch_decode_ref;

extern const struct fecrun_backend outer_rs_encode_simd, outer_rs_decode_simd;   /* simd/rs.c */
extern const struct fecrun_backend outer_bch_encode_simd, outer_bch_decode_simd; /* simd/bch.c */

extern const struct fecrun_backend outer_rs_encode_cuda, outer_rs_decode_cuda; /* cuda/backend.c */
extern const struct fecrun_backend outer_bch_encode_cuda, outer_bch_decode_cuda;

#endif
