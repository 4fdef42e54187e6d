/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Ways to permute the words of a polar code that give words again, for an ensemble of decoders.
 *
 * Positions of x are vectors j of log2 N bits. Where free positions of u keep the partial order (a 1 more,
 * or a 1 in a higher place, is no worse), j -> A j with a lower triangular A permutes words, but successive
 * cancellation decodes what is permuted so to the permuted result. Where it makes no difference in which of
 * some neighbouring places of its number a free position has its ones, these places are a block, and A may
 * be any regular matrix there (block lower triangular affine automorphisms: Geiselhart, Elkelesh, Ebada,
 * Cammerer, ten Brink 2021). A and A L with L lower triangular are the same decoder, as are those that
 * differ in the lowest two places of a block that begins there. So it is the spans of A's last columns that
 * count: of those of blocks of s places there are (2^2 - 1) (2^3 - 1) .. (2^s - 1), in the lowest block
 * a third of that.
 */
#ifndef POLAR_CODE_ENSEMBLE_H
#define POLAR_CODE_ENSEMBLE_H

#include "plugins/polar/code/code.h"

enum { POLAR_MOST_ENSEMBLE = 32 };

/*
 * size[0 ..]: of the blocks, the lowest place first; they add up to log2 N. Returns how many blocks, or 0: free
 * positions do not keep the order, or there are parity bits.
 */
uint32_t polar_blocks(const struct polar_code *code, uint32_t size[POLAR_MOST_STAGES]);

/* Different decoders, at least 1; at most POLAR_MOST_ENSEMBLE are counted. */
uint32_t polar_ensemble_most(const struct polar_code *code);

/*
 * permutation[m N + j]: which position of what was received decoder m takes for position j. The first
 * one changes nothing, all are different decoders. members at most polar_ensemble_most().
 */
void polar_ensemble_make(const struct polar_code *code, uint32_t members, uint16_t *permutation);

#endif
