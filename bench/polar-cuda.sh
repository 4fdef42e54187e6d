#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# The speeds of polar.decode's CUDA backend on one GPU, each with the frame error rate of the very same
# settings, into bench/results/polar.md; before that, whether it has the reference's bits. About three minutes.
# Variables: see lib.sh, and
#
#   DECODER  the decoder's backend (default: cuda)
#   BATCH    frames of N = 1024 (default: 270336)
#   FRAMES   frames for an error rate (default: 100000)
#   PARTS    of the section (default: "rows lengths"); lengths alone are a section of their own
#
# Without a GPU, to try the script:
#   QUICK=1 BACKEND= DECODER=simd REPORT=/tmp/r bench/polar-cuda.sh
set -eu
here=$(cd "$(dirname "$0")" && pwd)
. "$here/lib.sh"
DECODER=${DECODER:-cuda}
BATCH=${BATCH:-270336}
FRAMES=${FRAMES:-100000}
PARTS=${PARTS:-rows lengths}
lengths="128 256 512 1024 2048 4096"
if [ "$QUICK" ]; then
    BATCH=64 FRAMES=64 lengths="128 256"
fi
file=$here/polar.yaml
: >"$work/table"

# settings N K DB OPTION...: as --set
settings() {
    set_n=$1 set_k=$2 set_db=$3
    shift 3
    set_order=nr
    [ "$set_n" -le 1024 ] || set_order=ga
    for option in source.random.bits=$((set_k - 16)) polar.encode.n="$set_n" \
        polar.encode.construction=$set_order polar.decode.construction=$set_order \
        polar.encode.k="$set_k" polar.decode.n="$set_n" polar.decode.k="$set_k" \
        channel.awgn.esn0_db="$set_db" "$@"; do
        echo "--set $option"
    done
}

# row NAME BATCH N K DB OPTION...
row() {
    row_name=$1 row_batch=$2
    shift 2
    note "$row_name"
    "$FECRUN" bench "$file" --quiet --json "$work/json" ${BACKEND:+--backend "$BACKEND"} \
        --batches "$row_batch" --set polar.decode.backend="$DECODER" $(settings "$@") ||
        { note "FAILED: $row_name"; return; }
    "$FECRUN" run "$file" --quiet --json "$work/errors" ${BACKEND:+--backend "$BACKEND"} \
        --set stop.frames="$FRAMES" --set stop.frame_errors=1000000 --set stop.seconds=60 \
        --set polar.decode.backend="$DECODER" $(settings "$@") || { note "FAILED: $row_name"; return; }
    sed 's/"latency_us":{"p50":/"p50":/' "$work/json" >"$work/lines"
    fields "$work/lines" bench device_gbps spread end_to_end_gbps p50 >"$work/speed"
    fields "$work/errors" point frame_errors frames | paste -d ' ' "$work/speed" - |
        awk -v name="$row_name" '{
            printf "| %s | **%.2f** | %.0f %% | %s | %.1f | %d of %d |\n", name, $1,
                100 * $2, $3 == "null" ? "-" : sprintf("%.2f", $3), $4, $5, $6 }' \
        >>"$work/table"
}

sc=polar.decode.algorithm=sc
scl=polar.decode.algorithm=scl
adaptive=polar.decode.adaptive=true

# cell FRAMES N K DB OPTION...: Gb/s and frame error rate of a decoder, as many positions whatever N is
cell() {
    cell_frames=$(($1 * 1024 / $2))
    shift
    note "N = $1, K = $2: $4"
    if "$FECRUN" bench "$file" --quiet --stage-only --json "$work/json" \
        ${BACKEND:+--backend "$BACKEND"} --batches "$cell_frames" \
        --set polar.decode.backend="$DECODER" $(settings "$@"); then
        fields "$work/json" bench device_gbps fer |
            awk '{ printf " %.1f (%s) |", $1, $2 + 0 ? sprintf("%.1g", $2) : "0" }'
    else
        printf ' - |'
    fi
}

# by_length NAME FRAMES OPTION...: rows of rates 1/4, 1/2 and 3/4
by_length() {
    by_name=$1 by_frames=$2
    shift 2
    for rate in "1 -3.5" "2 -0.5" "3 2.5"; do
        printf '| %s, R = %s/4, %s dB |' "$by_name" "${rate% *}" "${rate#* }"
        for n in $lengths; do
            cell "$by_frames" "$n" $((n * ${rate% *} / 4)) "${rate#* }" "$@"
        done
        echo
    done
}

put_lengths() {
    {
        echo "## polar.decode by length on CUDA devices"
        echo
        machine
        echo
        echo "38.212's order, above N = 1024 the Gaussian approximation. A CRC of 16 bits is among the K bits. 8-bit LLRs"
        echo "(scale 8), Es/N0 as said. Gb/s of information bits, input and output on the device. In brackets: the share of the"
        echo "frames that is wrong. A call has as many LLRs as $BATCH frames of 1024, with lists an eighth of that."
        echo
        echo "| | $(echo $lengths | sed 's/ / | /g') |"
        echo "| --- |$(for n in $lengths; do printf ' --- |'; done)"
        by_length sc "$BATCH" $sc
        by_length "list 8" $((BATCH / 8)) $scl
        by_length "adaptive list 8" "$BATCH" $scl $adaptive
    } | put_section polar-lengths
}

case $PARTS in *lengths*) put_lengths ;; esac
case $PARTS in *rows*) ;; *) exit 0 ;; esac
for algorithm in $sc "$scl" "$scl --set $adaptive"; do
    "$FECRUN" compare "$file" --quiet --a ref --b "$DECODER" --accept exact \
        --set stop.frames="$((FRAMES / 20 + 1))" --set $algorithm ||
        { note "not the bits of ref: $algorithm"; exit 1; }
done
# Es/N0 -0.5 dB is an Eb/N0 of 2.5 dB at rate 1/2
row "sc, (1024, 512), 2.5 dB" "$BATCH" 1024 512 -0.5 $sc
row "sc, (1024, 256)" "$BATCH" 1024 256 -3 $sc
row "sc, (1024, 768)" "$BATCH" 1024 768 3 $sc
row "sc, (128, 64)" "$BATCH" 128 64 1 $sc
row "list 8, (1024, 512), 2 dB" $((BATCH / 4)) 1024 512 -1 $scl
row "list 4" $((BATCH / 4)) 1024 512 -1 $scl polar.decode.list=4
row "list 8, (128, 64)" "$BATCH" 128 64 1 $scl
row "adaptive list 8, 2.5 dB" "$BATCH" 1024 512 -0.5 $scl $adaptive
row "adaptive list 8, 2 dB" "$BATCH" 1024 512 -1 $scl $adaptive
row "one frame, sc" 1 1024 512 -0.5 $sc
row "one frame, list 8" 1 1024 512 -0.5 $scl

{
    echo "## polar.decode on CUDA devices"
    echo
    machine
    echo
    echo "38.212's order, a CRC of 16 bits among the K, 8-bit LLRs (scale 8); Gb/s of information bits,"
    echo "input and output on the device; frame errors of a run of the same settings. One frame alone"
    echo "is a call from host memory to host memory."
    echo
    echo "| | Gb/s | spread | end to end, Gb/s | one batch, us | frame errors |"
    echo "| --- | --- | --- | --- | --- | --- |"
    cat "$work/table"
} | put_section polar-cuda
