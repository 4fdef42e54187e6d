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

begin() { printf 'fecrun: 1\nseed: 1\npipeline:\n  - source.random: {bits: 324}\n'; }

# $tmp/llrs and $tmp/bits of so many frames
link() {
    { begin && echo "  - sink.file: {path: $tmp/bits, dtype: u1, format: raw}"; } >"$tmp/p.yaml"
    "$fecrun" run "$tmp/p.yaml" --quiet --set stop.frames="$1"
    {
        begin
        echo '  - ldpc.encode: {code: wifi, n: 648, rate: 1/2}'
        echo '  - modem.map: {scheme: bpsk}'
        echo '  - channel.awgn: {ebn0_db: 2}'
        echo '  - modem.demap: {}'
        echo '  - llr.quantize: {type: i8, scale: 8}'
        echo "  - sink.file: {path: $tmp/llrs, format: raw}"
    } >"$tmp/p.yaml"
    "$fecrun" run "$tmp/p.yaml" --quiet --set stop.frames="$1"
}

# timed BUILD FRAMES: "MBPS FER" of the fastest call
timed() {
    FECRUN_PLUGIN_PATH=$(printf '%s:' "$1"/lib/fecrun/[0-9]*) LD_LIBRARY_PATH=$1/core/.libs \
        "$tmp/cpu_time" "$tmp/d.yaml" "$tmp/llrs" "$tmp/bits" "$2" | awk '{ print $2, $4 }'
}

# best BUILD FRAMES: of RUNS
best() { for i in $(seq "${RUNS:-5}"); do timed "$1" "$2"; done | sort -n | tail -n 1; }

sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1
echo "| frames a call | instructions | Mb/s | FER | the other's | FER | multiple |"
echo "| --- | --- | --- | --- | --- | --- | --- |"
for frames in ${FRAMES:-4096 1152}; do
    link "$frames"
    for isa in ${ISAS:-avx512 avx2}; do
        cat >"$tmp/d.yaml" <<END
fecrun: 1
pipeline:
  - source.memory: {dtype: i1, frame: 648}
  - ldpc.decode: {code: wifi, n: 648, rate: 1/2, iterations: 50, backend: simd, tune: {isa: $isa}}
  - sink.memory: {dtype: u1}
END
        echo "$frames $isa $(best "$build" "$frames") $([ -z "$other" ] || best "$other" "$frames")" |
            awk '{ printf "| %d | %s | %s | %s | %s | %s | %s |\n", $1, $2, $3, $4, $5, $6,
                ($5 > 0 ? sprintf("%.2f", $3 / $5) : "") }'
    done
done
