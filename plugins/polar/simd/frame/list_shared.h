/* SPDX-License-Identifier: BSD-2-Clause */
/* What precedes the first fork of a list; after list_avx2.h or list_avx512.h. */

/*
 * The steps before the first bit that is not frozen, with one path; returns the next one. llr: stage s
 * from 2^s on. cost: the path's metric.
 */
static const struct polar_step *shared_steps(const struct polar_program *program,
                                             const int8_t *from, int8_t *llr, uint32_t *cost)
{
    const struct polar_step *step = program->step;
    const uint32_t n = 1u << program->stages;

    *cost = 0;
    for (uint32_t i = 0; i < n; i += 32)
        _mm256_storeu_si256((void *)(llr + n + i), received_32(from + i));
    for (;; step++) {
        const uint32_t h = 1u << step->stage;

        if (step->op == POLAR_F)
            shared_child(POLAR_F, llr + 2 * h, h, llr + h);
        else if (step->op == POLAR_G0)
            shared_child(POLAR_G0, llr + 2 * h, h, llr + h);
        else if (step->op == POLAR_RATE0)
            *cost += negative_sum(llr + h, h);
        else if (step->op != POLAR_COPY)
            return step;
    }
}
