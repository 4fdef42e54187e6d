/* SPDX-License-Identifier: BSD-2-Clause */
/* Formats of complex symbols in recordings, and their conversion to FECRUN_C8. */
#ifndef CHAIN_SOURCE_SYMBOLS_H
#define CHAIN_SOURCE_SYMBOLS_H

#include <fecrun/plugin.h>

/*
 * Real part first, little-endian. Full scale is 1, for the unsigned ones round the middle of their
 * range: cs16 x / 32768, cs8 x / 128, cu8 (x - 127.5) / 128; so nothing is rounded. cf64, two
 * binary64, is rounded to the nearest f32.
 */
enum symbols { SYMBOLS_CF32, SYMBOLS_CS16, SYMBOLS_CS8, SYMBOLS_CU8, SYMBOLS_CF64 };

/* Bytes of one. */
unsigned symbols_bytes(enum symbols form);

/* n symbols, times `scale`, which is full scale. No overlap; `in` of any alignment. */
void symbols_convert(enum symbols form, float scale, const uint8_t *in, float *out, uint64_t n);

/* ---- SigMF: a recording NAME.sigmf-data and what it is, NAME.sigmf-meta beside it ---- */

struct sigmf {
    enum symbols form;  /* core:datatype */
    double sample_rate; /* core:sample_rate in Hz; 0: not said */
};

/* What the path's end says: is it such a recording, or such a description? */
int sigmf_is_data(const char *path);
int sigmf_is_meta(const char *path);

/* Reads the `global` object of the description of that recording; an error is of parameter path. The
   description is a file beside the data's name, or, if that is a link, beside the data; never a link. */
int sigmf_read(const char *data_path, struct sigmf *sigmf, struct fecrun_error *err);

#endif
