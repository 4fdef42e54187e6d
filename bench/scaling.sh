#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# One run over many: what is decoded in vain when the stop rule (100 frame errors) is met, in parts of
# the frames that count, and what the queue itself costs the process that has it. It is the real queue
# (core/run/lease.h) under a simulated clock; frames are hashes of their numbers; a message takes
# 1 ms. CPU time is that of this machine, clock_gettime() round each call included.
#
#     bench/scaling.sh
set -eu
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$here/.."
${CC:-cc} -O2 -std=gnu11 -D_GNU_SOURCE -ffunction-sections -Wl,--gc-sections -I. -Icore/include \
    -o "$work/scaling" bench/scaling.c core/run/lease.c core/run/lease_merge.c core/run/count.c \
    core/base/stats.c -lm
"$work/scaling"
