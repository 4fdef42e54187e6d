#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# One run over many: what is decoded in vain when the stop rule (100 frame errors) is met, in parts of
# the frames that count, and what the queue itself costs the process that has it. It is the real queue
# (run/fleet/lease.h) under a simulated clock; frames are hashes of their numbers; a message takes
# 1 ms. CPU time is that of this machine, clock_gettime() round each call included. Then what rank 0 does
# beside messages, in real time: the whole fleet (run/fleet/fleet.h) with members that answer after a
# second, as leases go.
#
#     bench/scaling.sh [BUILD]
set -eu
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$here/.."
${CC:-cc} -O2 -std=gnu11 -D_GNU_SOURCE -ffunction-sections -Wl,--gc-sections -I. -Icore/include \
    -o "$work/scaling" bench/scaling.c run/fleet/lease.c run/schedule/count.c \
    run/schedule/part.c run/schedule/stats.c -lm
"$work/scaling"

build=${1:-build}
export FECRUN_PLUGIN_PATH="$build/lib/fecrun/3"
${CC:-cc} -O2 -std=gnu11 -D_GNU_SOURCE -I. -Icore/include -I"$build/include" -o "$work/fleet" bench/fleet.c \
    tools/fecrun/cluster/members.c "$build/run/.libs/librun.a" -lyaml -lm -lpthread -ldl
cat >"$work/fleet.yaml" <<'YAML'
fecrun: 1
pipeline:
  - source.random: {bits: 1000}
  - sink.errors: {}
stop: {seconds: 10}
YAML
echo
"$work/fleet" "$work/fleet.yaml" 100 1000 10000
