#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# What the driver for DPDK's bbdev adds to the decoders, into bench/results/latency.md. A minute, with libdpdk-dev:
# bench/bbdev.sh [BUILD_DIR]. Variables: see lib.sh, and ROUNDS (200), CORE (the core's number).
set -eu
here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "${1:-$here/../build}" && pwd)
FECRUN=$build/fecrun
. "$here/lib.sh"
ROUNDS=${ROUNDS:-200} CORE=${CORE:-0}
[ -z "$QUICK" ] || ROUNDS=2
# The driver is in an archive, and registers itself: nothing else asks for it.
${CC:-cc} -O2 -std=gnu11 $(pkg-config --cflags libdpdk) -I"$here/../core/include" -o "$work/bbdev" "$here/bbdev.c" \
    -Wl,--undefined=bbdev_driver "$build/tools/bbdev/.libs/libbbdev.a" -L"$build/run/.libs" -lfecrun \
    -lrte_bus_vdev -lrte_bbdev -lrte_kvargs -lrte_mempool -lrte_mbuf -lrte_ring -lrte_eal
LD_LIBRARY_PATH=$build/run/.libs
PLUGINS=$(echo "$build"/lib/fecrun/[0-9]*)
export LD_LIBRARY_PATH PLUGINS
taskset -c "$CORE" "$work/bbdev" "$ROUNDS" >"$work/out" 2>"$work/err" || { cat "$work/err" >&2; exit 1; }
{
    echo "## DPDK's bbdev"
    echo
    machine
    echo
    echo "Made by \`bench/bbdev.sh\`$([ -z "$QUICK" ] || echo ' with QUICK, NOT A RESULT'): CPU time of one thread, the least of $ROUNDS bursts of 64 code blocks and of $((20 * ROUNDS)) single ones: the"
    echo "decoder on arrays (\`fecrun_execute\`), and operations through queues of the driver, mbufs, interleaver and rate"
    echo "matching included, in turn. The last column is the median of the differences of such pairs. LLRs of words behind"
    echo "noise; the bits are the same."
    echo
    cat "$work/out"
} | put_section bbdev
