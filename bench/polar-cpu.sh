#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# polar.decode on one CPU thread, for each instruction set that is there: sc, lists of 8 on every
# frame, adaptive ones, and one frame alone. CPU time, not wall time: bench/cpu_time.c.
#
#     bench/polar-cpu.sh [BUILD_DIR]        environment: LENGTHS="128 256 ...", ISAS="avx512 avx2 generic"
set -eu
here=$(cd "$(dirname "$0")" && pwd)
build=${1:-$here/../build}
. "$here/cpu.sh"

# link N K CRC BATCH: $tmp/llrs and $tmp/bits of frames at 2.5 dB; CRC none: all K bits are random
link() {
    code="code: plain, n: $1, k: $2"
    [ "$1" -le 1024 ] || code="$code, construction: ga"
    {
        echo 'fecrun: 1'
        echo 'pipeline:'
        if [ "$3" = none ]; then
            echo "  - source.random: {bits: $2}"
        else
            echo "  - source.random: {bits: $(($2 - $3))}"
            echo "  - crc.attach: {crc: $3}"
        fi
    } >"$tmp/start"
    { cat "$tmp/start" && echo "  - sink.file: {path: $tmp/bits, dtype: u1}"; } >"$tmp/p.yaml"
    "$fecrun" run "$tmp/p.yaml" --quiet --set stop.frames="$4" --set batch="$4"
    {
        cat "$tmp/start"
        echo "  - polar.encode: {$code}"
        echo '  - modem.map: {scheme: bpsk}'
        echo '  - channel.awgn: {ebn0_db: 2.5}'
        echo '  - modem.demap: {}'
        echo '  - llr.quantize: {type: i8, scale: 4}'
        echo "  - sink.file: {path: $tmp/llrs}"
    } >"$tmp/p.yaml"
    "$fecrun" run "$tmp/p.yaml" --quiet --set stop.frames="$4" --set batch="$4"
}

# row WHAT BATCH CRC DECODER: one line of the table for each instruction set
row() {
    for isa in ${ISAS:-avx512 avx2 generic}; do
        cat >"$tmp/d.yaml" <<END
fecrun: 1
pipeline:
  - source.memory: {dtype: i1, frame: $n}
  - polar.decode: {$code, crc: $3, $4, backend: simd, tune: {isa: $isa}}
  - sink.memory: {dtype: u1}
END
        "$tmp/cpu_time" "$tmp/d.yaml" "$tmp/llrs" "$tmp/bits" "$2" >"$tmp/times" || continue
        awk -v what="$1" -v isa=$isa -v batch="$2" \
            '{ printf "| %s | %s | %d | %s | %s | %s | %s |\n", what, isa, batch, $1, $2, $3, $4 }' \
            "$tmp/times"
    done
}

sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1
echo "| decoder, 2.5 dB, one thread | instructions | batch | Mb/s, median | fastest | us a batch | FER |"
echo "| --- | --- | --- | --- | --- | --- | --- |"
for n in ${LENGTHS:-128 256 512 1024 2048 4096}; do
    for quarters in 1 2 3; do
        k=$((n * quarters / 4))
        link "$n" "$k" none 1024
        row "($n, $k) sc" 1024 none 'algorithm: sc'
        link "$n" "$k" 16 1024
        row "($n, $k) list: 8" 1024 16 'list: 8'
        row "($n, $k) list: 8, adaptive" 1024 16 'list: 8, adaptive: true'
    done
done
n=128
link 128 64 16 1
row "(128, 64) list: 8, alone" 1 16 'list: 8'
