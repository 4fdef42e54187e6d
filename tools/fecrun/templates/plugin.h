/* SPDX-License-Identifier: BSD-2-Clause */
/* What the files of this plugin share. */
#ifndef NAME_H
#define NAME_H

#include <fecrun/sdk/stage.h>

/* What plan() makes of parameters and frames, and run() works with. */
struct NAME_code {
    uint64_t bits;  /* in a frame of information */
    uint64_t times; /* that each of them is sent */
};

#ifdef __cplusplus
extern "C" {
#endif

extern const struct fecrun_backend NAME_decode_cuda;                        /*--cuda*/
const void *NAME_kernel(void);                                              /*--cuda*/
int NAME_launch(const struct NAME_code *code, const struct fecrun_view *in, /*--cuda*/
                const struct fecrun_view *out, void *stream);               /*--cuda*/

#ifdef __cplusplus
}
#endif

#endif
