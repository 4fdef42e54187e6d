#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# t/ldpc/curves.t with more points, down to lower error rates, and more of NR.
part=1
. "$top_srcdir/t/ldpc/curves.t"
