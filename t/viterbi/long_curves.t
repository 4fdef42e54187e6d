#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# t/viterbi/curves.t with all frames: the intervals are a third as wide, and there are more bounds.
part=1
. "$top_srcdir/t/viterbi/curves.t"
