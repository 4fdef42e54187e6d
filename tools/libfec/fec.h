/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The Viterbi decoders of Phil Karn's libfec, by name and behaviour, on top of fecrun: programs that
 * include <fec.h> and link with -lfec are built with
 *
 *     cc program.c $(pkg-config --cflags --libs fecrun-fec)
 *
 * without a change. Per code there are the functions that libfec's manual describes, and
 * decode_viterbi*_many(), which is new. doc/libfec.md tells what differs.
 *
 * Symbols are 0..255: 0 is a sure 0, 255 a sure 1, 128 says nothing. nbits counts data bits; a step is
 * a data bit or one of the K-1 bits of the tail and has 2, 3 or 6 symbols. Bits are packed, the first
 * one in the highest place. Functions return 0, or -1 where something is wrong (create: NULL);
 * fecrun_fec_message() says what.
 *
 * One decoder is used by one thread at a time; several threads may use a decoder each.
 */
#ifndef FECRUN_FEC_H
#define FECRUN_FEC_H

/* Also under libfec's guard: whoever includes both has the same functions. */
#ifndef _FEC_H_
#define _FEC_H_

#if defined(__GNUC__)
#define FECRUN_FEC_EXPORT __attribute__((visibility("default")))
#else
#define FECRUN_FEC_EXPORT
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Generators, with the newest bit in the lowest place. A negative one: its symbol is complemented. */

/* K = 7, rate 1/2: 133 and 171 octal in the other order of bits. */
#define V27POLYA 0x6d
#define V27POLYB 0x4f
/* K = 9, rate 1/2. */
#define V29POLYA 0x1af
#define V29POLYB 0x11d
/* K = 9, rate 1/3. */
#define V39POLYA 0x1ed
#define V39POLYB 0x19b
#define V39POLYC 0x127
/* K = 15, rate 1/6: Cassini's. */
#define V615POLYA 042631
#define V615POLYB 047245
#define V615POLYC 056507
#define V615POLYD 073363
#define V615POLYE 077267
#define V615POLYF 064537

/*
 * create      a decoder for frames of at most len data bits; NULL on failure
 * set_*       other generators, for all decoders of this code, also those that are there; a decoder
 *             takes them at its chainback. NULL is ignored
 * init        begins a frame; the encoder is expected to begin in that state (weakly: a wrong one
 *             costs the first bits only)
 * update      the next steps' symbols, as many a call as there are. More than len + K-1 steps since
 *             init are refused, and nothing of them is taken
 * chainback   the first nbits data bits, of which nbits + K-1 steps must have come; endstate is the
 *             encoder's state behind them, 0 after a tail of zeros. May be called again, also after
 *             further updates. In the last byte the bits behind nbits are those of the tail
 * many        frames of nbits + K-1 steps each, without gap, as if each had been given to init (with
 *             the state of the last init), update and chainback; frame f goes to
 *             data + f * ((nbits + 7) / 8). Much faster, best for 64 frames or more. Does not touch
 *             the frame that the other functions are at
 */
FECRUN_FEC_EXPORT void *create_viterbi27(int len);
FECRUN_FEC_EXPORT void set_viterbi27_polynomial(int polys[2]);
FECRUN_FEC_EXPORT int init_viterbi27(void *vp, int starting_state);
FECRUN_FEC_EXPORT int update_viterbi27_blk(void *vp, unsigned char sym[], int npairs);
FECRUN_FEC_EXPORT int chainback_viterbi27(void *vp, unsigned char *data, unsigned int nbits,
                                          unsigned int endstate);
FECRUN_FEC_EXPORT void delete_viterbi27(void *vp);
FECRUN_FEC_EXPORT int decode_viterbi27_many(void *vp, const unsigned char *syms,
                                            unsigned char *data, unsigned int nbits,
                                            unsigned int endstate, unsigned int frames);

FECRUN_FEC_EXPORT void *create_viterbi29(int len);
FECRUN_FEC_EXPORT void set_viterbi29_polynomial(int polys[2]);
FECRUN_FEC_EXPORT int init_viterbi29(void *vp, int starting_state);
FECRUN_FEC_EXPORT int update_viterbi29_blk(void *vp, unsigned char syms[], int nbits);
FECRUN_FEC_EXPORT int chainback_viterbi29(void *vp, unsigned char *data, unsigned int nbits,
                                          unsigned int endstate);
FECRUN_FEC_EXPORT void delete_viterbi29(void *vp);
FECRUN_FEC_EXPORT int decode_viterbi29_many(void *vp, const unsigned char *syms,
                                            unsigned char *data, unsigned int nbits,
                                            unsigned int endstate, unsigned int frames);

FECRUN_FEC_EXPORT void *create_viterbi39(int len);
FECRUN_FEC_EXPORT void set_viterbi39_polynomial(int polys[3]);
FECRUN_FEC_EXPORT int init_viterbi39(void *vp, int starting_state);
FECRUN_FEC_EXPORT int update_viterbi39_blk(void *vp, unsigned char syms[], int nbits);
FECRUN_FEC_EXPORT int chainback_viterbi39(void *vp, unsigned char *data, unsigned int nbits,
                                          unsigned int endstate);
FECRUN_FEC_EXPORT void delete_viterbi39(void *vp);
FECRUN_FEC_EXPORT int decode_viterbi39_many(void *vp, const unsigned char *syms,
                                            unsigned char *data, unsigned int nbits,
                                            unsigned int endstate, unsigned int frames);

FECRUN_FEC_EXPORT void *create_viterbi615(int len);
FECRUN_FEC_EXPORT void set_viterbi615_polynomial(int polys[6]);
FECRUN_FEC_EXPORT int init_viterbi615(void *vp, int starting_state);
FECRUN_FEC_EXPORT int update_viterbi615_blk(void *vp, unsigned char syms[], int nbits);
FECRUN_FEC_EXPORT int chainback_viterbi615(void *vp, unsigned char *data, unsigned int nbits,
                                           unsigned int endstate);
FECRUN_FEC_EXPORT void delete_viterbi615(void *vp);
FECRUN_FEC_EXPORT int decode_viterbi615_many(void *vp, const unsigned char *syms,
                                             unsigned char *data, unsigned int nbits,
                                             unsigned int endstate, unsigned int frames);

/* Why the last call of this thread that failed did so: a sentence, "" if none has. */
FECRUN_FEC_EXPORT const char *fecrun_fec_message(void);

#ifdef __cplusplus
}
#endif

#endif
#endif
