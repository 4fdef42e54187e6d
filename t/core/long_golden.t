#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# t/core/golden.t with all instruction sets, batch sizes and numbers of threads.
part=1
. "$top_srcdir/t/core/golden.t"
