#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Two thousand cells of bench/map within its limits, or with a reason: a quarter of an hour of 16 cores.
. "$top_srcdir/t/lib/tap.sh"
without_cuda

run "$top_builddir/bench/map/map" --backend simd --cells 2000 --effort 6 --rows 30 \
    --reasons "$top_srcdir/bench/map/reasons.txt"
is 0 "2000 cells within the limits, or with a reason"
[ "$status" = 0 ] || sed 's/^/# /' out
done_testing
