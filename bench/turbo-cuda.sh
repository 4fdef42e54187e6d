#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# The speeds of turbo.decode's CUDA backends on one GPU, each with the block error rate of the very
# same settings, into bench/results/turbo.md. About four minutes. Variables: see lib.sh, and
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
file=$here/turbo.yaml
mixed_k="40 104 256 512 768 1024 1504 2048 3072 4096 5120 6144" each=704 # of turbo-mixed.yaml
if [ "$QUICK" ]; then
    BATCH=4 FRAMES=20 each=8
fi

# settings K DB DECODER OPTION...: as --set
settings() {
    set_k=$1 set_db=$2 set_decoder=$3
    shift 3
    for option in source.random.bits="$set_k" turbo.encode.k="$set_k" turbo.decode.k="$set_k" \
        channel.awgn.ebn0_db="$set_db" turbo.decode.backend="$set_decoder" "$@"; do
        echo "--set $option"
    done
}

# row NAME BATCH K DB DECODER OPTION...
row() {
    row_name=$1 row_batch=$2
    shift 2
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
        awk -v name="$row_name" '{
            printf "| %s | **%.2f** | %.0f %% | %s | %.1f | %d of %d | %s |\n", name, $1,
                100 * $2, $3 == "null" ? "-" : sprintf("%.2f", $3), $4, $5, $6, $7 }' \
        >>"$work/table"
}

# crc: K = 6144 with a parity at which the decoder stops; its bench has no counts of errors
crc() {
    note "CRC"
    "$FECRUN" bench "$here/turbo-crc.yaml" --quiet --json "$work/json" \
        ${BACKEND:+--backend "$BACKEND"} --set turbo.decode.backend="$DECODER" --batches "$BATCH" ||
        return 0
    fields "$work/json" bench device_gbps spread iterations_mean |
        awk '{ printf "| CRC stop, at most 8 iterations, 1.2 dB | **%.2f** | %.0f %% | - | - | - | %.2f |\n",
            $1, 100 * $2, $3 }' >>"$work/table"
}

# gbps FILE BATCH OPTION...: on the device
gbps() {
    gbps_file=$1 gbps_batch=$2
    shift 2
    "$FECRUN" bench "$gbps_file" --quiet --stage-only --json "$work/json" \
        ${BACKEND:+--backend "$BACKEND"} --batches "$gbps_batch" "$@"
    fields "$work/json" bench device_gbps
}

# mixed: a batch of twelve sizes, against the same batches of each size alone, one after the other
mixed() {
    note "mixed sizes"
    for k in $mixed_k; do
        echo "$((k * each)) $(gbps "$file" $each $(settings "$k" 3 "$DECODER"))"
    done >"$work/alone"
    gbps "$here/turbo-mixed.yaml" $((12 * each)) --set turbo.decode.backend="$DECODER" |
        awk -v alone="$work/alone" '{
            while ((getline line <alone) > 0) { split(line, f); bits += f[1]; time += f[1] / f[2] }
            printf "| twelve sizes of 704 blocks each, 8 iterations | **%.2f** | - | - | - | - | 8.0 |\n", $1
            printf "| one size after the other | %.2f | - | - | - | - | 8.0 |\n", bits / time
        }' >>"$work/table"
}

fast=turbo.decode.tune.overlap=0
[ "$DECODER" = cuda ] || fast=
row "K = 6144, 7 iterations, 0.66 dB" "$BATCH" 6144 0.66 "$DECODER" turbo.decode.iterations=7
row "8 iterations, overlap 0" "$BATCH" 6144 0.66 "$DECODER" $fast
row "6 iterations" "$BATCH" 6144 0.66 "$DECODER" turbo.decode.iterations=6
row "6 iterations, overlap 0" "$BATCH" 6144 0.66 "$DECODER" turbo.decode.iterations=6 $fast
row "6 iterations, log-map" "$BATCH" 6144 0.66 "$DECODER" turbo.decode.iterations=6 \
    turbo.decode.algorithm=log-map
crc
mixed
row "K = 512, 8 iterations, 1.2 dB" $((BATCH * 12)) 512 1.2 "$DECODER"
row "K = 1504, 8 iterations, 0.9 dB" $((BATCH * 4)) 1504 0.9 "$DECODER"
row "K = 40, 8 iterations, 3 dB" $((BATCH * 20)) 40 3 "$DECODER"
row "one block, 6 iterations" 1 6144 0.66 "$DECODER" turbo.decode.iterations=6
row "one block, 6 iterations, overlap 0" 1 6144 0.66 "$DECODER" \
    turbo.decode.iterations=6 $fast
if [ "$DECODER" = cuda ]; then
    row "cuda-paper, sub-blocks, 5 iterations" 2048 6144 0.7 cuda-paper \
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
    echo "| | Gb/s | spread | end to end, Gb/s | one batch, us | block errors | iterations |"
    echo "| --- | --- | --- | --- | --- | --- | --- |"
    cat "$work/table"
} | put_section turbo-cuda
