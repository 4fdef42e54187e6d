/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/fecrun/journal/sha256.h"

#include <stdio.h>
#include <string.h>

/* FIPS 180-4, 4.2.2: the first 32 bits behind the point of the cube roots of the first 64 primes. */
static const uint32_t constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static uint32_t turn(uint32_t x, unsigned n)
{
    return x >> n | x << (32 - n);
}

/* 6.2.2, step 1. */
static void expand(uint32_t w[64], const unsigned char *block)
{
    for (unsigned t = 0; t < 16; t++)
        w[t] = (uint32_t)block[4 * t] << 24 | (uint32_t)block[4 * t + 1] << 16 |
               (uint32_t)block[4 * t + 2] << 8 | block[4 * t + 3];
    for (unsigned t = 16; t < 64; t++)
        w[t] = (turn(w[t - 2], 17) ^ turn(w[t - 2], 19) ^ w[t - 2] >> 10) + w[t - 7] +
               (turn(w[t - 15], 7) ^ turn(w[t - 15], 18) ^ w[t - 15] >> 3) + w[t - 16];
}

/* Steps 2 to 4; v holds a to h. */
static void hash_block(struct sha256 *sha)
{
    uint32_t w[64], v[8];

    expand(w, sha->block);
    memcpy(v, sha->state, sizeof v);
    for (unsigned t = 0; t < 64; t++) {
        const uint32_t choice = (v[4] & v[5]) ^ (~v[4] & v[6]);
        const uint32_t majority = (v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]);
        const uint32_t t1 = v[7] + (turn(v[4], 6) ^ turn(v[4], 11) ^ turn(v[4], 25)) + choice +
                            constants[t] + w[t];
        const uint32_t t2 = (turn(v[0], 2) ^ turn(v[0], 13) ^ turn(v[0], 22)) + majority;
        memmove(v + 1, v, 7 * sizeof *v);
        v[4] += t1;
        v[0] = t1 + t2;
    }
    for (unsigned i = 0; i < 8; i++)
        sha->state[i] += v[i];
}

void sha256_begin(struct sha256 *sha)
{
    *sha = (struct sha256){.state = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f,
                                     0x9b05688c, 0x1f83d9ab, 0x5be0cd19}};
}

void sha256_add(struct sha256 *sha, const void *data, size_t size)
{
    const unsigned char *from = data;

    for (size_t i = 0; i < size; i++) {
        sha->block[sha->bytes++ % 64] = from[i];
        if (sha->bytes % 64 == 0)
            hash_block(sha);
    }
}

void sha256_end(struct sha256 *sha, char text[SHA256_TEXT])
{
    const uint64_t bits = 8 * sha->bytes;
    const unsigned char one = 0x80, zero = 0;

    sha256_add(sha, &one, 1);
    while (sha->bytes % 64 != 56)
        sha256_add(sha, &zero, 1);
    for (int shift = 56; shift >= 0; shift -= 8)
        sha256_add(sha, &(unsigned char){(unsigned char)(bits >> shift)}, 1);
    for (unsigned i = 0; i < 8; i++)
        snprintf(text + (size_t)8 * i, 9, "%08x", sha->state[i]);
}
