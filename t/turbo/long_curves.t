#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# t/turbo/curves.t with more frames.
most=2000
. "$top_srcdir/t/turbo/curves.t"
