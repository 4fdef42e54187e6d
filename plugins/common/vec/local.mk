# SPDX-License-Identifier: BSD-2-Clause
# Vectors, in one set of names for all instruction sets.
EXTRA_DIST += \
	%D%/vec_avx2.h \
	%D%/vec_avx512.h \
	%D%/vec_blocks.h \
	%D%/vec_generic.h
