#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# The tables of the slides on polar belief propagation (a GTX 560 Ti there), for the slides' decoder
# (cuda-paper) and today's (cuda), into bench/results/polar.md. Variables: see lib.sh, and
#
#   FRAMES  frames for an error rate (default: 20000)
#   WORK    positions of a batch (default: 48 Mi; the slides' decoder has an eighth)
#   PARTS   sections to make (default: "iterations kinds"), each about a minute of an H200
#
# Without a GPU, to try the script:
#   QUICK=1 BACKEND= DECODER=simd DOCUMENT=ref REPORT=/tmp/r bench/polar-bp.sh
set -eu
here=$(cd "$(dirname "$0")" && pwd)
. "$here/lib.sh"
DECODER=${DECODER:-cuda}
DOCUMENT=${DOCUMENT:-cuda-paper}
FRAMES=${FRAMES:-20000}
WORK=${WORK:-50331648}
PARTS=${PARTS:-iterations kinds}
lengths="256 512 1024 2048" iterations="10 15 20 25 30 35" long="4096 8192 16384 32768"
if [ "$QUICK" ]; then
    WORK=16384 FRAMES=64 lengths=256 iterations=10 long=512
fi
file=$here/polar.yaml
ratio=polar.decode.check_rule=sum-product-lr

# settings N: a code of rate 1/2 by the Gaussian approximation, at an Es/N0 of 0 dB
settings() {
    for option in source.random.bits=$(($1 / 2 - 16)) polar.encode.n="$1" polar.decode.n="$1" \
        polar.encode.k=$(($1 / 2)) polar.decode.k=$(($1 / 2)) polar.encode.construction=ga \
        polar.decode.construction=ga channel.awgn.esn0_db=0 polar.decode.algorithm=bp; do
        echo "--set $option"
    done
}

# speeds DECODER N ITERATIONS OPTION...: Mb/s of information bits for each number of iterations, or -
speeds() {
    speed_decoder=$1 speed_n=$2 speed_frames=$((WORK / $2)) speed_sweep=$3
    shift 3
    [ "$speed_decoder" = "$DECODER" ] || speed_frames=$((speed_frames / 8))
    case $speed_decoder in
    ref) speed_frames=${QUICK:+1} speed_frames=${speed_frames:-32} ;;
    simd) speed_frames=${QUICK:+16} speed_frames=${speed_frames:-512} ;;
    esac
    options=$(settings "$speed_n")
    for option; do
        options="$options --set $option"
    done
    note "$speed_decoder, N = $speed_n $*"
    if "$FECRUN" bench "$file" --quiet --stage-only --json "$work/json" \
        ${BACKEND:+--backend "$BACKEND"} --batches $speed_frames $options --all-points \
        --sweep polar.decode.iterations="$speed_sweep" \
        --set polar.decode.backend="$speed_decoder" 2>"$work/why"; then
        fields "$work/json" bench device_gbps |
            awk '{ printf "%s%.4g", (NR > 1 ? " | " : ""), 1000 * $1 } END { print "" }'
    else
        note "$(tail -n 1 "$work/why")"
        echo -
    fi
}

comma() { echo $iterations | tr ' ' ','; }

# by_iterations DECODER OPTION...: a row for each length
by_iterations() {
    by_decoder=$1
    shift
    for n in $lengths; do
        echo "| $by_decoder | $n | $(speeds "$by_decoder" "$n" "$(comma)" "$@") |"
    done
}

errors() {
    note "frame errors"
    "$FECRUN" run "$file" --quiet --json "$work/json" ${BACKEND:+--backend "$BACKEND"} \
        $(settings 1024) --set channel.awgn.esn0_db=-1 --sweep polar.decode.iterations="$(comma)" \
        --set polar.decode.backend="$DECODER" --set stop.frames="$FRAMES" \
        --set stop.frame_errors=1000000 --set stop.seconds=30 >&2
    fields "$work/json" point fer | awk '{ printf " %.3g |", $1 } END { print "" }'
}

# pair NAME DECODER N OPTION...: one row
pair() {
    pair_name=$1 pair_decoder=$2 pair_n=$3
    shift 3
    echo "| $pair_name | $(speeds "$pair_decoder" "$pair_n" 35 "$@") |"
}

heading() {
    head_row="|" head_line="|"
    for column; do
        head_row="$head_row $column |" head_line="$head_line --- |"
    done
    printf '\n%s\n%s\n' "$head_row" "$head_line"
}

compare() {
    shared=polar.decode.tune.messages=shared global=polar.decode.tune.messages=global
    heading "N = 1024" "Mb/s"
    pair "CPU, ref, all threads, likelihood ratios" ref 1024 $ratio
    pair "CPU, simd, all threads, scaled minimum" simd 1024
    pair "$DOCUMENT, likelihood ratios" "$DOCUMENT" 1024 $ratio
    pair "$DOCUMENT, LLRs, exact" "$DOCUMENT" 1024 polar.decode.check_rule=sum-product
    pair "$DOCUMENT, LLRs, scaled minimum" "$DOCUMENT" 1024
    if [ "$DOCUMENT" = cuda-paper ]; then
        pair "likelihood ratios, messages in shared memory" "$DOCUMENT" 1024 $ratio $shared
        pair "in global memory" "$DOCUMENT" 1024 $ratio $global
        pair "likelihood ratios, fast arithmetic" "$DOCUMENT" 1024 $ratio \
            polar.decode.tune.arithmetic=fast
        pair "LLRs, exact rule, fast arithmetic" "$DOCUMENT" 1024 polar.decode.check_rule=sum-product \
            polar.decode.tune.arithmetic=fast
    fi
    pair "$DECODER, scaled minimum" "$DECODER" 1024
    pair "stop by the G-matrix" "$DECODER" 1024 polar.decode.early_stop=gmatrix
    pair "stop by the CRC" "$DECODER" 1024 polar.decode.early_stop=crc
    for n in $long; do
        pair "$DECODER, scaled minimum, N = $n" "$DECODER" "$n"
        pair "$DOCUMENT, likelihood ratios, N = $n" "$DOCUMENT" "$n" $ratio
    done
}

case $PARTS in *iterations*)
    {
        echo "## polar.decode, belief propagation by iterations and length"
        echo
        machine
        echo
        echo "Rate 1/2 by the Gaussian approximation. A CRC of 16 bits is among the K bits. 8-bit LLRs (scale 8)."
        echo "Mb/s of information bits, input and output on the device. $DOCUMENT has likelihood ratios, as the slides do;"
        echo "$DECODER has the scaled minimum. Frame error rates at an Es/N0 of -1 dB."
        heading "iterations" "N" $iterations
        by_iterations "$DOCUMENT" $ratio
        by_iterations "$DECODER"
        echo "| frame error rate, $DECODER | 1024 |$(errors)"
    } >"$work/tables"
    put_section polar-bp-iterations <"$work/tables"
    ;;
esac
case $PARTS in *kinds*)
    {
        echo "## polar.decode, kinds of belief propagation"
        echo
        machine
        echo
        echo "The codes are those of the table by iterations and length. Es/N0 0 dB, 35 iterations; Mb/s of information bits."
        compare
    } >"$work/tables"
    put_section polar-bp-kinds <"$work/tables"
    ;;
esac
