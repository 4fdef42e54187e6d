#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# ldpc.decode on one CPU thread with an early stop: Wi-Fi 648, rate 1/2, at most 50 iterations, Eb/N0 2 dB,
# beside another build, run in turn with this one, which a busy machine changes less. CPU time, not wall
# time: bench/cpu_time.c.
#
#     bench/ldpc-stop-cpu.sh [BUILD_DIR [OTHER/BUILD_DIR]]    environment: FRAMES="4096 1152", ISAS="avx512 avx2",
#                                                            RUNS=5, of which the fastest counts
set -eu
here=$(cd "$(dirname "$0")" && pwd)
build=${1:-$here/../build}
other=${2-}
. "$here/cpu.sh"

sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1
echo "| frames a call | instructions | Mb/s | FER | the other's | FER | multiple |"
echo "| --- | --- | --- | --- | --- | --- | --- |"
for frames in ${FRAMES:-4096 1152}; do
    ldpc_link "$frames" 324 2 'code: wifi, n: 648, rate: 1/2'
    for isa in ${ISAS:-avx512 avx2}; do
        cat >"$tmp/d.yaml" <<END
fecrun: 1
pipeline:
  - source.memory: {dtype: i1, frame: 648}
  - ldpc.decode: {code: wifi, n: 648, rate: 1/2, iterations: 50, backend: simd, tune: {isa: $isa}}
  - sink.memory: {dtype: u1}
END
        echo "$frames $isa $(fastest 5 "$build" "$frames") $([ -z "$other" ] || fastest 5 "$other" "$frames")" |
            awk '{ printf "| %d | %s | %s | %s | %s | %s | %s |\n", $1, $2, $3, $4, $5, $6,
                ($5 > 0 ? sprintf("%.2f", $3 / $5) : "") }'
    done
done
