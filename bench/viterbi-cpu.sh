#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# viterbi.decode on one CPU thread, every instruction set that is there, beside Debian's libfec on
# the same frames in the same run. Usage: bench/viterbi-cpu.sh [BUILD_DIR]
set -eu
here=$(cd "$(dirname "$0")" && pwd)
build=${1:-$here/../build}
fecrun=$build/fecrun
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

test -x "$fecrun" || { echo "no $fecrun: run ./bootstrap build first" >&2; exit 1; }

bench() { # NAME ISA OPTION...: one row
    name=$1 isa=$2
    shift 2
    "$fecrun" bench "$here/viterbi-k7.yaml" --threads 1 --batches 256 --quiet --json "$tmp/j" \
        --set viterbi.decode.tune.isa="$isa" "$@"
    sed -n 's/.*"type":"bench".*"device_gbps":\([^,]*\),"end_to_end_gbps":\([^,]*\),.*"p50":\([^,]*\),.*"ber":\([^,]*\),.*/\1 \2 \3 \4/p' \
        "$tmp/j" | awk -v n="$name" \
        '{ printf "| %-34s | %8.1f | %8.1f | %9.1f | %.3g |\n", n, 1000 * $1, 1000 * $2, $3, $4 }'
}

sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1
echo "| one thread, batch 256 x 4096 bits | Mb/s, stage | Mb/s, with output for sink | us a batch | BER |"
echo "| --- | --- | --- | --- | --- |"
for isa in avx512 avx2 generic; do
    bench "8-bit metrics, $isa" $isa --set viterbi.decode.tune.metric_bits=8 || true
    bench "16-bit metrics, $isa" $isa --set viterbi.decode.tune.metric_bits=16 || true
done

"$fecrun" run "$here/frames.yaml" --quiet --set sink.file.path="$tmp/llr"
"$fecrun" run "$here/bits.yaml" --quiet --set sink.file.path="$tmp/bits"
if ${CC:-cc} -O2 -o "$tmp/peer" "$here/peer_libfec.c" -lfec 2> "$tmp/log"; then
    "$tmp/peer" "$tmp/llr" "$tmp/bits" 4096
else
    echo "libfec is not compared: no libfec-dev here"
fi
