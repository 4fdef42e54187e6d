#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# t/polar/curves.t with more frames, and points of lower error rates.
more=8
. "$top_srcdir/t/polar/curves.t"
