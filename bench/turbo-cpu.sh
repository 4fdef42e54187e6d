#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# turbo.decode's backend simd on one CPU thread, 6 iterations, for each instruction set that is there.
# CPU time, not wall time: bench/cpu_time.c.
#
#     bench/turbo-cpu.sh [BUILD_DIR]        environment: SIZES="40 512 6144", ISAS="avx512 avx2 generic",
#                                           ARITHMETICS="i8 i16"
set -eu
here=$(cd "$(dirname "$0")" && pwd)
build=${1:-$here/../build}
. "$here/cpu.sh"

# make_frames K EBN0 BATCH: $tmp/bits and $tmp/llrs
make_frames() {
    printf 'fecrun: 1\npipeline:\n  - source.random: {bits: %s}\n' "$1" >"$tmp/start"
    { cat "$tmp/start" && echo "  - sink.file: {path: $tmp/bits, dtype: u1}"; } >"$tmp/p.yaml"
    "$fecrun" run "$tmp/p.yaml" --quiet --set stop.frames="$3" --set batch="$3"
    {
        cat "$tmp/start"
        echo '  - turbo.encode: {}'
        echo '  - modem.map: {scheme: bpsk}'
        echo "  - channel.awgn: {ebn0_db: $2}"
        echo '  - modem.demap: {}'
        echo '  - llr.quantize: {type: i8, scale: 8}'
        echo "  - sink.file: {path: $tmp/llrs}"
    } >"$tmp/p.yaml"
    "$fecrun" run "$tmp/p.yaml" --quiet --set stop.frames="$3" --set batch="$3"
}

sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1
echo "| K, Eb/N0 | instructions | arithmetic | batch | Mb/s, median | fastest | us a batch | FER |"
echo "| --- | --- | --- | --- | --- | --- | --- | --- |"
for k in ${SIZES:-40 512 6144}; do
    batch=$((262144 / k / 64 * 64)) ebn0=1
    [ "$batch" -ge 64 ] || batch=64
    [ "$k" -ge 512 ] || ebn0=3
    make_frames "$k" $ebn0 $batch
    for how in $(for isa in ${ISAS:-avx512 avx2 generic}; do
        for bits in ${ARITHMETICS:-i8 i16}; do echo "$isa:$bits"; done
    done); do
        isa=${how%:*} bits=${how#*:}
        cat >"$tmp/d.yaml" <<END
fecrun: 1
pipeline:
  - source.memory: {dtype: i1, frame: $((3 * (k + 4)))}
  - turbo.decode: {k: $k, iterations: 6, backend: simd,
                   tune: {isa: $isa, arithmetic: $bits}}
  - sink.memory: {dtype: u1}
END
        "$tmp/cpu_time" "$tmp/d.yaml" "$tmp/llrs" "$tmp/bits" $batch >"$tmp/times" || continue
        awk -v what="K = $k, $ebn0 dB" -v isa="$isa" -v bits="$bits" -v batch=$batch \
            '{ printf "| %s | %s | %s | %d | %s | %s | %s | %s |\n", what, isa, bits, batch, $1, $2, $3, $4 }' \
            "$tmp/times"
    done
done
