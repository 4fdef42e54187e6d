/* SPDX-License-Identifier: BSD-2-Clause */
/* The functions of fec.h, which are the same for each code. */
#include "tools/libfec/fec.h"
#include "tools/libfec/code.h"
#include "tools/libfec/decoder.h"

#define FUNCTIONS(name, code, n) \
    void *create_##name(int len) \
    { \
        return fec_create(code, len); \
    } \
    void set_##name##_polynomial(int polys[n]) \
    { \
        fec_set_generators(code, polys); \
    } \
    int init_##name(void *vp, int starting_state) \
    { \
        return fec_init(vp, starting_state); \
    } \
    int update_##name##_blk(void *vp, unsigned char syms[], int nbits) \
    { \
        return fec_update(vp, syms, nbits); \
    } \
    int chainback_##name(void *vp, unsigned char *data, unsigned int nbits, unsigned int endstate) \
    { \
        return fec_chainback(vp, data, nbits, endstate); \
    } \
    void delete_##name(void *vp) \
    { \
        fec_delete(vp); \
    } \
    int decode_##name##_many(void *vp, const unsigned char *syms, unsigned char *data, \
                             unsigned int nbits, unsigned int endstate, unsigned int frames) \
    { \
        return fec_many(vp, syms, data, nbits, endstate, frames); \
    }

FUNCTIONS(viterbi27, FEC_27, 2)
FUNCTIONS(viterbi29, FEC_29, 2)
FUNCTIONS(viterbi39, FEC_39, 3)
FUNCTIONS(viterbi615, FEC_615, 6)
