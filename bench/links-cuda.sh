#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Whole simulations on one GPU, noise included, into bench/results/chain.md: information bits per second, the
# stages' shares, and whether the errors of a sample are those that are counted where all but the
# decoder is the reference's. About a minute. Variables: see lib.sh, and
#
#   RUNS     of each row, of which the fastest counts (default: 3)
#   BITS     of a timed run, 10^9 (default: 16)
#   SAMPLE   frames that are compared (default: 256)
#   ROWS     a grep -E pattern of rows (default: all)
#
# Without a GPU, to try the script: QUICK=1 BACKEND= REPORT=/tmp/r bench/links-cuda.sh
set -eu
here=$(cd "$(dirname "$0")" && pwd)
. "$here/lib.sh"
. "$here/ldpc.sh"
RUNS=${RUNS:-3} BITS=${BITS:-16} SAMPLE=${SAMPLE:-256} ROWS=${ROWS:-.}
if [ "$QUICK" ]; then
    RUNS=1 BITS=0.0001 SAMPLE=2
fi
decoder=${BACKEND:-simd}
: >"$work/speed"
: >"$work/shares"

# whole: frames of 4096 bits, decoded as a whole
whole() {
    sed 's/^batch:.*//; s/^stop:.*//; s/ebn0_db: 4.0/ebn0_db: 3.5/; s/scale: 1.25/scale: 1.4/' \
        "$here/viterbi-k7.yaml" >"$work/whole.yaml"
    echo "$work/whole.yaml"
}

# ran FILE FRAMES OPTION...: a run of so many frames, its lines to $work/json
ran() {
    ran_file=$1 ran_frames=$2
    shift 2
    "$FECRUN" run "$ran_file" --quiet --json "$work/json" --set stop.frames="$ran_frames" \
        --set stop.frame_errors=1000000000 --set stop.seconds=60 "$@"
}

counts() { fields "$work/json" point frames bit_errors frame_errors; }

# check FILE DECODER OPTION...: "yes", or what differs. ldpc.decode of a device has kernels that round otherwise
# for a byte a bit, which references want, so that this is the CPU's in both runs.
check() {
    check_file=$1 check_stage=$2
    check_decoder=$decoder
    [ "$check_stage" != ldpc.decode ] || check_decoder=simd
    shift 2
    ran "$check_file" "$SAMPLE" ${BACKEND:+--backend "$BACKEND"} --set "$check_stage.backend=$check_decoder" \
        --set batch="$SAMPLE" "$@"
    check_got=$(counts)
    ran "$check_file" "$SAMPLE" --backend ref --set "$check_stage.backend=$check_decoder" \
        --set batch="$SAMPLE" "$@"
    if [ "$check_got" = "$(counts)" ]; then echo yes; else echo "NO: $check_got, $(counts)"; fi
}

# row NAME FILE DECODER BITS OPTION...: BITS of a frame
row() {
    row_name=$1 row_file=$2 row_stage=$3 row_bits=$4
    shift 4
    echo "$row_name" | grep -qE "$ROWS" || return 0
    note "$row_name"
    row_frames=$(awk "BEGIN { printf \"%d\", $BITS * 1e9 / $row_bits + 1 }")
    row_best=$(for row_run in $(seq "$RUNS"); do
        ran "$row_file" "$row_frames" ${BACKEND:+--backend "$BACKEND"} "$@"
        fields "$work/json" point info_mbps ber fer
    done | sort -n | tail -n 1)
    echo "$row_best" | awk -v name="$row_name" \
        -v same="$(check "$row_file" "$row_stage" "$@")" '
        { printf "| %s | **%.1f** | %.1e | %.1e | %s |\n", name, $1 / 1000,
            $2, $3, same }' >>"$work/speed"
    tail -n 1 "$work/speed" >&2 # what there is, should it not come to the end
    # one batch at a time: the time of a stage is then its own
    "$FECRUN" run "$row_file" ${BACKEND:+--backend "$BACKEND"} --stats --set in_flight=1 \
        --set stop.frames="$row_frames" --set stop.frame_errors=1000000000 "$@" |
        awk -v name="$row_name" '
            $1 ~ /^[a-z]+\.[a-z_]+$/ && / %/ { share[++n] = $1 " " sprintf("%.0f", $(NF - 2)) }
            END {
                printf "| %s |", name
                for (i = 1; i <= n; i++)
                    printf "%s %s", (i > 1 ? "," : ""), share[i]
                print " |"
            }' >>"$work/shares"
}

# milliseconds COMMAND...: how long it takes, whatever its status
milliseconds() {
    awk_begin=$(date +%s%N)
    "$@" >/dev/null 2>&1 || :
    echo $((($(date +%s%N) - awk_begin) / 1000000))
}

k7() { row "$1" "$2" viterbi.decode "$3" $4; }

k7 'K = 7, tiles at 0.1 dB' "$here/viterbi-cuda-fast.yaml" 64512 ''
k7 'K = 7, whole frames of 4096 bits' "$(whole)" 4096 ''
for batch in 16384 67584; do
    [ -z "$QUICK" ] || batch=4
    k7 "the same, batches of $batch" "$(whole)" 4096 "--set batch=$batch"
done
nr_row() { # ROWS ESN0
    row "NR base graph 1, $1 rows" "$here/ldpc-nr.yaml" ldpc.decode 8448 \
        $(nr 1 384 "$1" "$2") --set batch="$([ "$QUICK" ] && echo 2 || echo 8448)"
}
nr_row 46 -0.95
nr_row 24 1.36
nr_row 13 3.35
nr_row 5 6.1
polar() { # NAME OPTION...
    polar_name=$1
    shift
    row "$polar_name" "$here/polar.yaml" polar.decode 496 "$@"
}
polar 'polar (1024, 512), sc, 2.5 dB' --set polar.decode.algorithm=sc
polar 'the same, adaptive list 8' --set polar.decode.algorithm=scl --set polar.decode.adaptive=true

note "start-up"
start=$(milliseconds ran "$(whole)" 64 ${BACKEND:+--backend "$BACKEND"} --set batch=64)
refused=$(milliseconds ran "$(whole)" 64 --backend cuda:7)
{
    echo "## Whole simulations on one GPU"
    echo
    machine
    echo
    echo "Made by \`bench/links-cuda.sh\`$([ -z "$QUICK" ] || echo ' with QUICK, NOT A RESULT'): 10^9 information bits a second of whole runs, the fastest of $RUNS of $BITS Gbit."
    echo "\"As ref\": $SAMPLE frames have the same bit and frame errors where all but the decoder is the reference's."
    echo
    echo "| | Gb/s | BER | FER | as ref |"
    echo "| --- | --- | --- | --- | --- |"
    cat "$work/speed"
    echo
    echo "A run of 64 frames takes $start ms from start to end; \`--backend cuda:7\`, which is not there, $refused ms."
    echo
    echo "Shares of the time, with one batch at a time (\`--stats\`), percent:"
    echo
    echo "| | |"
    echo "| --- | --- |"
    cat "$work/shares"
} | put_section links-cuda
