# SPDX-License-Identifier: BSD-2-Clause
# Bits in words, for encoders.
EXTRA_DIST += %D%/words.h
