#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Encoders and decoders of outer codes into bench/results/outer.md: on one core in CPU time, by instruction set, with
# 0 to t wrong symbols in each word (bench/outer.c), beside libfec if LIBFEC names the directory of an unpacked
# libfec-dev; with BACKEND=cuda on one GPU, behind a binary symmetric channel. Decoded bits are checked.
# bench/outer.sh [BUILD_DIR]. Variables: see lib.sh, and
#
#   CPU      the processor to stay on (default: 0)
#   ROUNDS   of each row; the fastest counts (default: 3)
#   BATCH    frames of a batch on a GPU: RS, BCH (default: "65536 4096")
set -eu
here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "${1:-$here/../build}" && pwd)
FECRUN=${FECRUN:-$build/fecrun}
BACKEND=${BACKEND-simd}
. "$here/lib.sh"
CPU=${CPU:-0} ROUNDS=${ROUNDS:-3} BATCH=${BATCH:-65536 4096}
[ -z "$QUICK" ] || ROUNDS=1 BATCH="256 16"

# ---- one core ----

# rows NAME FAMILY PARAMS INFO_BITS WORD_BITS SYMBOL_BITS ERRORS...: a line "SET NAME COLUMN GBPS WRONG" for each column
rows() {
    rows_name=$1
    shift
    for isa in avx512 avx2; do
        note "$rows_name, $isa"
        for round in $(seq "$ROUNDS"); do
            FECRUN_ISA=$isa taskset -c "$CPU" "$work/outer" "$@" |
                awk -v set=$isa -v name="$rows_name" '
                    sub(/^libfec-/, "") { print "libfec;" name ";" $1 ";" $2 ";" $3; next }
                    { print set ";" name ";" $1 ";" $2 ";" $3 }'
        done
    done >>"$work/lines"
}

# table NAME COLUMN...: the fastest of each
table() {
    table_name=$1
    shift
    awk -F ";" -v name="$table_name" -v columns="$*" '
        $2 == name { if ($4 > best[$1, $3]) best[$1, $3] = $4; wrong[$1] += $5; seen[$1] = 1 }
        END {
            n = split(columns, column, " ")
            line = "| " name ", wrong symbols:"
            rule = "| ---"
            for (i = 1; i <= n; i++) { line = line " | " column[i]; rule = rule " | ---" }
            print line " | wrong frames |\n" rule " | --- |"
            split("avx512 avx2 libfec", sets, " ")
            for (s = 1; s <= 3; s++) if (sets[s] in seen) {
                line = "| " sets[s]
                for (i = 1; i <= n; i++) line = line " | " sprintf("%.3g", best[sets[s], column[i]])
                print line " | " wrong[sets[s]] " |"
            }
            print ""
        }' "$work/lines"
}

on_cpu() {
    peer=
    lib=$(find "${LIBFEC:-/nowhere}" -name libfec.a 2>/dev/null | head -n 1)
    [ -z "$lib" ] || peer="-DPEER_LIBFEC -I$LIBFEC/usr/include"
    ${CC:-cc} -O2 $peer -o "$work/outer" "$here/outer.c" -I"$here/../core/include" -I"$build/include" \
        -L"$build/run/.libs" -Wl,-rpath,"$build/run/.libs" -lfecrun $lib
    FECRUN_PLUGIN_PATH=$(echo "$build"/lib/fecrun/[0-9]*)
    export FECRUN_PLUGIN_PATH
    : >"$work/lines"
    rows 'RS(255, 223)' rs 'code: ccsds-255-223' 1784 2040 8 0 1 2 4 8 16
    [ -z "$lib" ] || { # which has this code only
        ${CC:-cc} -O2 -o "$work/outer" "$here/outer.c" -I"$here/../core/include" -I"$build/include" \
            -L"$build/run/.libs" -Wl,-rpath,"$build/run/.libs" -lfecrun
    }
    rows 'RS(204, 188)' rs 'code: dvb-204-188' 1504 1632 8 0 1 2 4 8
    rows 'RS(255, 223), depth 5' rs 'code: ccsds-255-223, depth: 5' 8920 10200 8 0 5 20 40
    rows 'BCH, 3/4 normal' bch 'code: dvbs2, frame: normal, rate: 3/4' 48408 48600 1 0 1 2 4 12
    rows 'BCH, 1/4 short' bch 'code: dvbs2, frame: short, rate: 1/4' 3072 3240 1 0 1 2 4 12
    {
        echo "## On one core"
        echo
        machine
        echo "Load after the run: $(cut -d ' ' -f 1 /proc/loadavg), $(nproc) processors."
        echo
        echo "Made by \`bench/outer.sh\`$([ -z "$QUICK" ] || echo ' with QUICK, NOT A RESULT'): 10^9 information bits a second of CPU time, packed bits, the fastest of 200 calls of 64"
        echo "frames, $ROUNDS rounds. Each word has exactly so many wrong symbols (depth 5: each frame), of BCH wrong bits."
        echo
        table 'RS(255, 223)' encode 0 1 2 4 8 16
        table 'RS(204, 188)' encode 0 1 2 4 8
        table 'RS(255, 223), depth 5' encode 0 5 20 40
        table 'BCH, 3/4 normal' encode 0 1 2 4 12
        table 'BCH, 1/4 short' encode 0 1 2 4 12
    } | put_section outer-cpu
}

# ---- one GPU ----

# link FILE BITS ENCODER DECODER
link() {
    cat >"$work/$1" <<END
fecrun: 1
seed: 1
pipeline:
  - source.random: {bits: $2}
  - $3
  - channel.bsc: {p: 0}
  - bits.hard: {}
  - $4
  - sink.errors: {}
stop: {frames: 1000}
END
}

# timed FILE STAGE BATCH P: a row
timed() {
    note "$*"
    "$FECRUN" bench "$work/$1" --backend "$BACKEND" --stage "$2" --stage-only --quiet --batches "$3" --json "$work/bench" \
        --set channel.bsc.p="$4" >/dev/null
    echo "| $5 | $3 | $4 | $(fields "$work/bench" bench device_gbps ber fer | tail -n 1 | awk '{ printf "**%.4g** | %.2g | %.2g", $1, $2, $3 }') |"
}

on_gpu() {
    rs=${BATCH% *} bch=${BATCH#* }
    link rs 1784 'rs.encode: {code: ccsds-255-223}' 'rs.decode: {}'
    link bch 48408 'bch.encode: {code: dvbs2, frame: normal, rate: 3/4}' 'bch.decode: {}'
    {
        echo "## On one GPU"
        echo
        machine
        echo
        echo "Made by \`BACKEND=$BACKEND bench/outer.sh\`$([ -z "$QUICK" ] || echo ' with QUICK, NOT A RESULT'): 10^9 information bits a second of one stage, in device memory. p: of the"
        echo "binary symmetric channel; error rates behind the decoder."
        echo
        echo "| stage | batch | p | Gb/s | BER | FER |"
        echo "| --- | --- | --- | --- | --- | --- |"
        timed rs rs.encode "$rs" 0 'rs.encode, (255, 223)'
        for p in 0 0.001 0.004 0.007; do timed rs rs.decode "$rs" $p 'rs.decode, (255, 223)'; done
        timed bch bch.encode "$bch" 0 'bch.encode, 3/4 normal'
        for p in 0 0.00002 0.0001; do timed bch bch.decode "$bch" $p 'bch.decode, 3/4 normal'; done
        timed bch bch.decode 512 0.00002 'bch.decode, 3/4 normal'
    } | put_section outer-cuda
}

if [ "$BACKEND" = simd ]; then on_cpu; else on_gpu; fi
