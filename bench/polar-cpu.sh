#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# polar.decode on one CPU thread, for each instruction set that is there: sc, lists of 8 on every
# frame, adaptive ones, and one frame alone. Usage: bench/polar-cpu.sh [BUILD_DIR]
#
# Prefix it with `taskset -c N` on a machine that does nothing else: this script does not look whether
# the machine is quiet.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
build=${1:-$here/../build}
fecrun=$build/fecrun
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

test -x "$fecrun" || { echo "no $fecrun: run ./bootstrap build first" >&2; exit 1; }

# chain N K CRC DECODER: a pipeline file at 2.5 dB; CRC none: all K bits are random
chain() {
    code="code: plain, n: $1, k: $2"
    echo 'fecrun: 1'
    echo 'pipeline:'
    if [ "$3" = none ]; then
        echo "  - source.random: {bits: $2}"
    else
        echo "  - source.random: {bits: $(($2 - $3))}"
        echo "  - crc.attach: {crc: $3}"
    fi
    [ "$1" -le 1024 ] || code="$code, construction: ga"
    cat <<END
  - polar.encode: {$code}
  - modem.map: {scheme: bpsk}
  - channel.awgn: {ebn0_db: 2.5}
  - modem.demap: {}
  - llr.quantize: {type: i8, scale: 4}
  - polar.decode: {$code, crc: $3, backend: simd, $4}
END
    [ "$3" = none ] || echo "  - crc.check: {crc: $3}"
    echo '  - sink.errors: {}'
}

# row WHAT BATCH: one line of the table, of $tmp/p.yaml
row() {
    for isa in avx512 avx2 generic; do
        "$fecrun" bench "$tmp/p.yaml" --stage polar.decode --threads 1 --batches "$2" --quiet \
            --json "$tmp/j" --set polar.decode.tune.isa=$isa 2>"$tmp/err" || continue
        sed -n 's/.*"type":"bench".*"device_gbps":\([^,]*\),.*"p50":\([^,]*\),.*"ber":\([^,]*\),.*/\1 \2 \3/p' \
            "$tmp/j" | awk -v what="$1" -v isa=$isa -v batch="$2" \
            '{ printf "| %s | %s | %d | %.1f | %.1f | %.3g |\n", what, isa, batch, 1000 * $1, $2, $3 }'
    done
}

sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1
echo "| decoder, 2.5 dB, one thread | instructions | batch | Mb/s | us a batch | BER |"
echo "| --- | --- | --- | --- | --- | --- |"
for n in ${LENGTHS:-128 256 512 1024 2048 4096}; do
    for quarters in 1 2 3; do
        k=$((n * quarters / 4))
        chain "$n" $k none 'algorithm: sc' >"$tmp/p.yaml"
        row "($n, $k) sc" 4096
    done
done
for n in ${LENGTHS:-128 256 512 1024 2048 4096}; do
    for quarters in 1 2 3; do
        k=$((n * quarters / 4))
        for how in 'list: 8' 'list: 8, adaptive: true'; do
            chain "$n" $k 16 "$how" >"$tmp/p.yaml"
            row "($n, $k) $how" 1024
        done
    done
done
chain 128 64 16 'list: 8' >"$tmp/p.yaml"
row "(128, 64) list: 8, alone" 1
