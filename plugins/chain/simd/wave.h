/* SPDX-License-Identifier: BSD-2-Clause */
/* chain_wave_ref() in vectors. Included by a file an instruction set behind its vec_*.h. */
#include "plugins/chain/channel/wave.h"

static void wave_add(uint64_t p, uint64_t step, size_t n, float *out)
{
    enum { LANES = VEC_BYTES / 4, VECTORS = WAVE_LANES / LANES };
    float cosine[WAVE_LANES], sine[WAVE_LANES], turn[2];
    vec_f32 c[VECTORS], s[VECTORS], along, across;

    wave_begin(p, step, cosine, sine, turn);
    along = vec_f32_set(turn[0]);
    across = vec_f32_set(turn[1]);
#pragma GCC unroll 4
    for (unsigned v = 0; v < VECTORS; v++) {
        c[v] = vec_f32_load_any(cosine + v * LANES);
        s[v] = vec_f32_load_any(sine + v * LANES);
    }
    for (size_t k = 0; k < n; k += WAVE_LANES) {
#pragma GCC unroll 4
        for (unsigned v = 0; v < VECTORS; v++) {
            float *const sum = out + k + v * LANES;
            const vec_f32 was = c[v];

            vec_f32_store(sum, vec_f32_add(vec_f32_load(sum), was));
            c[v] = vec_f32_sub(vec_f32_mul(was, along), vec_f32_mul(s[v], across));
            s[v] = vec_f32_add(vec_f32_mul(s[v], along), vec_f32_mul(was, across));
        }
    }
}
