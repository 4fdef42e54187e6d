#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# The speeds of viterbi.decode's backend cuda on one GPU, with the error rates of the very same
# settings, into bench/results/viterbi.md. A minute or two. Variables: see lib.sh, and
#
#   DECODER  the decoder's backend (default: cuda)
#   FRAMES   of up to 64512 bits, for one point at most (default: 16384)
#   SIM      frames of the timed simulation (default: 262144)
#
# Without a GPU, to try the script: QUICK=1 BACKEND= DECODER=simd REPORT=/tmp/r bench/viterbi-cuda.sh
set -eu
here=$(cd "$(dirname "$0")" && pwd)
. "$here/lib.sh"
DECODER=${DECODER:-cuda}
FRAMES=${FRAMES:-16384}
SIM=${SIM:-262144}
THEORY_FRAMES=65536
batch=
if [ "$QUICK" ]; then
    FRAMES=32 THEORY_FRAMES=128 SIM=64 batch=4
fi

# options: of both verbs
options() {
    echo "--quiet ${BACKEND:+--backend $BACKEND} --set viterbi.decode.backend=$DECODER" \
        "${batch:+--set batch=$batch}"
}

# loss FILE POINTS: dB from float decoding of whole frames at $BER
loss() {
    loss_file=$1 loss_points=$2
    theory "$(sweep "$loss_file" "channel.awgn.ebn0_db: [$loss_points]")"
    loss_reference=$(crossing "$work/json")
    "$FECRUN" run "$(sweep "$loss_file" "channel.awgn.ebn0_db: [$loss_points]")" $(options) \
        --json "$work/json" --set stop.frames="$FRAMES" --set stop.frame_errors=20000
    crossing "$work/json" | awk -v r="$loss_reference" \
        '{ print $1 == "-" || r == "-" ? "-" : sprintf("%.3f", $1 - r) }'
}

# bench FILE: its line to $work/json
bench() { # on the host --batches does what batch: does on a device
    "$FECRUN" bench "$1" $(options) ${batch:+--batches "$batch"} --json "$work/json"
}

# row NAME FILE FIELD POINTS: FIELD is the result; no POINTS: no loss
row() {
    note "$1"
    bench "$here/$2"
    # latency's p50, not another field
    sed 's/"latency_us":{"p50":/"p50":/' "$work/json" >"$work/line"
    figures=$(fields "$work/line" bench batch info_bits device_gbps spread end_to_end_gbps \
        bound_gbps bound_share compute_bound_gbps compute_share p50 p99 ber checked_frames \
        pcie_h2d_gbs pcie_d2h_gbs pcie_both_gbs "$3")
    db=-
    [ -z "$4" ] || db=$(loss "$here/$2" "$4")
    echo "$figures" | awk -v name="$1" -v db="$db" '
        function number(x, format) { return x == "null" ? "-" : sprintf(format, x) }
        function percent(x) { return x == "null" ? "-" : sprintf("%.0f %%", 100 * x) }
        {
            printf "| %s | **%s** | %s | %s | %s (%s) | %s | %s of %s | %s of %s | %s | %s | %s |\n",
                name, number($17, "%.1f"), db, $1 " x " $2, number($3, "%.1f"),
                percent($4), number($5, "%.1f"), percent($7), number($6, "%.1f"), percent($9),
                number($8, "%.0f"), number($10, "%.0f"), number($12, "%.1e"), number($13, "%d")
        }' >>"$work/rows"
    echo "$figures" | awk '$14 != "null" { printf "%.1f GB/s in, %.1f GB/s out, %.1f GB/s both at once", $14, $15, $16 }' \
        >"$work/pcie.new"
    [ ! -s "$work/pcie.new" ] || [ -s "$work/pcie" ] || mv "$work/pcie.new" "$work/pcie"
}

half='3, 3.25, 3.5, 3.75, 4'
[ -z "$QUICK" ] || half='2, 2.5, 3, 3.5'
: >"$work/rows"
: >"$work/pcie"
row 'K = 7, rate 1/2, i8, 0.1 dB' viterbi-cuda-fast.yaml device_gbps "$half"
row 'the same, 0.05 dB' viterbi-cuda-fine.yaml device_gbps "$half"
row 'from pinned memory, i8' viterbi-cuda-fast.yaml end_to_end_gbps ''
row 'from pinned memory, 4-bit' viterbi-cuda-i4.yaml end_to_end_gbps "$half"
row 'rate 3/4, depunctured in the kernel' viterbi-cuda-34.yaml device_gbps \
    '4, 4.25, 4.5, 4.75, 5'
row 'K = 9, rate 1/2' viterbi-cuda-k9.yaml device_gbps '2, 2.5, 2.75, 3, 3.25, 3.5'
row 'K = 7, rate 1/3' viterbi-cuda-third.yaml device_gbps '2, 2.5, 2.75, 3, 3.25, 3.5'
row 'LTE, tail-biting frames of 43 bits' viterbi-cuda-tail.yaml device_gbps ''
row 'one 4096-bit frame, microseconds' viterbi-cuda-frame.yaml p50 ''

note "device-resident simulation"
"$FECRUN" run "$here/viterbi-cuda-fast.yaml" $(options) --json "$work/json" \
    --set stop.frames="$SIM"
fields "$work/json" point info_mbps ber frames seconds | awk '
    { printf "| simulation of the first row, AWGN included | **%.1f** | | %s frames in %.2f s | | | | | | %.1e | |\n",
        $1 / 1000, $3, $4, $2 }' >>"$work/rows"
absorbed=no
! "$FECRUN" explain "$here/viterbi-cuda-34.yaml" ${BACKEND:+--backend "$BACKEND"} \
    --set viterbi.decode.backend="$DECODER" | grep -q '^conv.depuncture: absorbed' || absorbed=yes

{
    echo "## viterbi.decode, backend $DECODER"
    echo
    machine
    echo
    echo "Made by \`bench/viterbi-cuda.sh\`$( [ -z "$QUICK" ] || echo ' with QUICK, NOT A RESULT'), settings in \`bench/viterbi-cuda-*.yaml\`. 10^9 information bits a second,"
    echo "medians of 11 repeats, bits checked in the same run. \"Device\": input and output on the device (spread of"
    echo "the repeats). \"Whole\": from pinned to pinned memory, copies overlapped, and its share of the bound that the"
    echo "copies alone and the device rate set. Copies alone: $(cat "$work/pcie")."
    echo "Loss: dB of Eb/N0 at BER $BER from float decoding of whole frames in the same run, log BER interpolated."
    echo "\"Operations\": share of what the backend's counted operations allow. Depuncturing in the kernel: $absorbed."
    echo
    echo "| | result | loss dB | batch x bits | device | whole | of the copies' bound | of the operations' bound | p50 us | BER | frames equal to ref |"
    echo "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |"
    cat "$work/rows"
} | put_section viterbi-cuda
