#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# What the headline figures of viterbi.decode and ldpc.decode hold for, and what is reached beside it:
# larger LLRs, floats, other codes and methods; and how much single figures change from run to run.
# Into bench/results/conditions.md. About five minutes. Variables: see lib.sh, and
#
#   DECODER  the decoder's backend (default: cuda)
#   RUNS     runs of each row (default: 5)
#   BATCH    LDPC code blocks (default: 8448); of Wi-Fi and WiMAX, whose are small, 8 times as many
#   ONLY     a pattern (grep -E) of the names of the rows to do (default: all); then nothing goes into the
#            report: the rows are printed
#
# Without a GPU, to try the script:
#   QUICK=1 BACKEND= DECODER=simd REPORT=/tmp/r bench/holds.sh
set -eu
here=$(cd "$(dirname "$0")" && pwd)
. "$here/lib.sh"
. "$here/ldpc.sh"
DECODER=${DECODER:-cuda}
RUNS=${RUNS:-5}
BATCH=${BATCH:-8448}
small=
if [ "$QUICK" ]; then
    RUNS=2 BATCH=4 small=4
fi
: >"$work/speed"
: >"$work/latency"

# runs FILE DECODER BATCH OPTION...: "GBPS P50" of each run to $work/runs; no BATCH: the file's
runs() {
    runs_file=$1 runs_decoder=$2 runs_batch=$3
    shift 3
    : >"$work/runs"
    for _ in $(seq "$RUNS"); do
        "$FECRUN" bench "$runs_file" --quiet --json "$work/json" ${BACKEND:+--backend "$BACKEND"} \
            ${runs_batch:+--batches "$runs_batch"} --set "$runs_decoder.backend=$DECODER" "$@" || {
            note "FAILED: $runs_file $*"
            return
        }
        line >"$work/line"
        fields "$work/line" bench device_gbps p50 >>"$work/runs"
    done
}

# median COLUMN FORMAT: "MEDIAN | LEAST .. MOST" of $work/runs
median() {
    [ -s "$work/runs" ] || { echo "failed | -"; return; }
    cut -d ' ' -f "$1" "$work/runs" | sort -n | awk -v f="$2" '
        { x[NR] = $1 }
        END { printf f " | " f " .. " f "\n", x[int((NR + 1) / 2)], x[1], x[NR] }'
}

wanted() { echo "$1" | grep -Eq -e "${ONLY:-.}"; }

# keep TEXT TABLE: a row; said at once, too, so that a run that is cut short leaves what it has.
keep() {
    note "$1"
    echo "| $1 |" >>"$work/$2"
}

# speed NAME FILE DECODER BATCH OPTION...: a row of Gb/s
speed() {
    speed_name=$1
    shift
    wanted "$speed_name" || return 0
    runs "$@" --stage-only
    keep "$speed_name | $(median 1 %.2f)" speed
}

# latency NAME FILE DECODER BATCH OPTION...: a row of microseconds
latency() {
    latency_name=$1
    shift
    wanted "$latency_name" || return 0
    runs "$@"
    keep "$latency_name | $(median 2 %.1f)" latency
}

# as_float FILE: without a quantiser; prints its path.
as_float() {
    sed '/llr.quantize/d' "$1" >"$work/float.yaml"
    echo "$work/float.yaml"
}

viterbi=$here/viterbi-cuda-fast.yaml
speed 'Viterbi, K = 7, rate 1/2, i8, at most 10' "$viterbi" viterbi.decode "$small"
speed 'the same, i8 up to 127' "$viterbi" viterbi.decode "$small" --set llr.quantize.max=127
speed 'the same, f32' "$(as_float "$viterbi")" viterbi.decode "$small"

nr=$here/ldpc-nr.yaml
# The decoder alone, without what it would absorb.
alone=${BACKEND:+--set ldpc.rate_recover.backend=$BACKEND}
speed 'LDPC: NR, BG1, z = 384, 46 rows, nms, layered, i8' "$nr" ldpc.decode "$BATCH" \
    $(nr 1 384 46 -0.95) $alone
speed 'the same, f32' "$(as_float "$nr")" ldpc.decode "$BATCH" $(nr 1 384 46 -0.95) $alone
speed 'the same, i8, oms' "$nr" ldpc.decode "$BATCH" $(nr 1 384 46 -0.95) $alone \
    --set ldpc.decode.check_rule=offset-min-sum
speed 'the same, i8, flooding' "$nr" ldpc.decode "$BATCH" $(nr 1 384 46 -0.95) $alone \
    --set ldpc.decode.schedule=flooding
# code NAME CODE BITS EB_N0 TIMES
code() {
    speed "LDPC: $1, i8" "$(block "$2" "$3")" ldpc.decode $((BATCH * $5)) \
        --set channel.awgn.ebn0_db="$4"
}
code 'Wi-Fi 648, 1/2' 'code: wifi, n: 648, rate: 1/2' 324 2 8
code 'Wi-Fi 1944, 5/6' 'code: wifi, n: 1944, rate: 5/6' 1620 3.8 8
code 'WiMAX 576, 1/2' 'code: wimax, n: 576, rate: 1/2' 288 2 8
code 'WiMAX 2304, 1/2' 'code: wimax, n: 2304, rate: 1/2' 1152 1.6 8
code 'DVB-S2 short, 4/5' 'code: dvbs2, frame: short, rate: 4/5' 12600 3 1
code 'DVB-S2 normal, 1/2' 'code: dvbs2, frame: normal, rate: 1/2' 32400 1.2 1
speed 'LDPC: 12 classes of NR codes, 64 blocks of each' "$here/ldpc-multiuser.yaml" ldpc.decode ''

latency 'Viterbi: one frame of 4096 bits' "$here/viterbi-cuda-frame.yaml" viterbi.decode 1
latency 'LDPC: one block, NR BG1, 46 rows' "$nr" ldpc.decode 1 $(nr 1 384 46 -0.95) $alone
latency 'LDPC: one block, NR BG1, 5 rows' "$nr" ldpc.decode 1 $(nr 1 384 5 6.1) $alone
latency 'LDPC: 12 classes, 64 blocks of each' "$here/ldpc-multiuser.yaml" ldpc.decode ''

if [ "${ONLY-}" ]; then
    cat "$work/speed" "$work/latency"
    exit
fi

{
    echo "## What the figures hold for, backend $DECODER"
    echo
    machine
    echo
    echo "Made by \`bench/holds.sh\`$( [ -z "$QUICK" ] || echo ' with QUICK, NOT A RESULT'): medians of $RUNS runs, each the median of its repeats, and the least and"
    echo "largest of them. 10^9 information bits a second, input and output on the device; LDPC with 10 iterations"
    echo "and no early stop."
    echo
    echo "| | Gb/s | from run to run |"
    echo "| --- | --- | --- |"
    cat "$work/speed"
    echo
    echo "| one batch alone, host to host | p50 us | from run to run |"
    echo "| --- | --- | --- |"
    cat "$work/latency"
} | put_section holds
