#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# The speeds of turbo.decode's CUDA backends on one GPU, each with the block error rate of the very
# same settings, into bench/REPORT.md. About two minutes. Variables: see lib.sh, and
#
#   DECODER  the decoder's backend (default: cuda)
#   BATCH    code blocks of K = 6144 (default: 12672)
#   FRAMES   code blocks for an error rate (default: 12672)
#
# Without a GPU, to try the script:
#   QUICK=1 BACKEND= DECODER=simd REPORT=/tmp/r bench/turbo-cuda.sh
set -eu
here=$(cd "$(dirname "$0")" && pwd)
. "$here/lib.sh"
DECODER=${DECODER:-cuda}
BATCH=${BATCH:-12672}
FRAMES=${FRAMES:-12672}
if [ "$QUICK" ]; then
    BATCH=4 FRAMES=20
fi
file=$here/turbo.yaml

# settings K DB DECODER OPTION...: as --set
settings() {
    set_k=$1 set_db=$2 set_decoder=$3
    shift 3
    for option in source.random.bits="$set_k" turbo.encode.k="$set_k" turbo.decode.k="$set_k" \
        channel.awgn.ebn0_db="$set_db" turbo.decode.backend="$set_decoder" "$@"; do
        echo "--set $option"
    done
}

# row NAME GOAL MUST BATCH K DB DECODER OPTION...
row() {
    row_name=$1 row_goal=$2 row_must=$3 row_batch=$4
    shift 4
    note "$row_name"
    "$FECRUN" bench "$file" --quiet --json "$work/json" ${BACKEND:+--backend "$BACKEND"} \
        --batches "$row_batch" $(settings "$@") || { note "FAILED: $row_name"; return; }
    "$FECRUN" run "$file" --quiet --json "$work/errors" ${BACKEND:+--backend "$BACKEND"} \
        --set stop.frames="$FRAMES" --set stop.frame_errors=1000000 --set stop.seconds=120 \
        $(settings "$@") || { note "FAILED: $row_name"; return; }
    sed 's/"latency_us":{"p50":/"p50":/' "$work/json" >"$work/lines"
    fields "$work/lines" bench device_gbps spread end_to_end_gbps p50 >"$work/speed"
    fields "$work/errors" point frame_errors frames iterations_mean |
        paste -d ' ' "$work/speed" - |
        awk -v name="$row_name" -v goal="$row_goal" -v must="$row_must" '{
            printf "| %s | **%.2f** | %s | %s | %.0f %% | %s | %.1f | %d of %d | %s |\n", name, $1,
                goal, must, 100 * $2, $3 == "null" ? "-" : sprintf("%.2f", $3), $4, $5, $6, $7 }' \
        >>"$work/table"
}

row "K = 6144, 8 iterations, 0.66 dB" 36 26 "$BATCH" 6144 0.66 "$DECODER"
row "6 iterations" 45 36 "$BATCH" 6144 0.66 "$DECODER" turbo.decode.iterations=6
row "6 iterations, log-map" 15 8 "$BATCH" 6144 0.66 "$DECODER" turbo.decode.iterations=6 \
    turbo.decode.algorithm=log-map
row "K = 512, 8 iterations, 1.2 dB" "" "35 %" $((BATCH * 12)) 512 1.2 "$DECODER"
row "K = 1504, 8 iterations, 0.9 dB" "" "35 %" $((BATCH * 4)) 1504 0.9 "$DECODER"
row "K = 40, 8 iterations, 3 dB" "" "35 %" $((BATCH * 20)) 40 3 "$DECODER"
row "one block, 6 iterations" "15 us" "40 us" 1 6144 0.66 "$DECODER" turbo.decode.iterations=6
if [ "$DECODER" = cuda ]; then
    row "cuda-document, sub-blocks, 5 iterations" "" "" 2048 6144 0.7 cuda-document \
        turbo.decode.iterations=5
fi

{
    echo "## turbo.decode on CUDA devices"
    echo
    machine
    echo
    echo "LTE, rate 1/3, 8-bit LLRs (scale 8), max-log unless a row says otherwise; Gb/s of information"
    echo "bits, input and output on the device; block errors of a run of the same settings. One block"
    echo "alone is a call from host memory to host memory."
    echo
    echo "| | Gb/s | goal | must | spread | end to end, Gb/s | one batch, us | block errors | iterations |"
    echo "| --- | --- | --- | --- | --- | --- | --- | --- | --- |"
    cat "$work/table"
} | put_section turbo-cuda
