/* SPDX-License-Identifier: BSD-2-Clause */
/* What the functions of all codes do; a NULL decoder is refused by each. */
#ifndef LIBFEC_DECODER_H
#define LIBFEC_DECODER_H

struct fec_decoder;

struct fec_decoder *fec_create(unsigned code, int len);
void fec_delete(struct fec_decoder *decoder);
int fec_init(struct fec_decoder *decoder, int state);
int fec_update(struct fec_decoder *decoder, const unsigned char *symbols, int steps);
int fec_chainback(struct fec_decoder *decoder, unsigned char *data, unsigned bits, unsigned state);
int fec_many(struct fec_decoder *decoder, const unsigned char *symbols, unsigned char *data,
             unsigned bits, unsigned state, unsigned frames);

#endif
