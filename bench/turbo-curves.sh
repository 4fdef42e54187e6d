#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Error rates of turbo.decode's backends beside those of other decoders (t/data/README.md says whose), on the
# same frames, into bench/REPORT.md. Variables: see lib.sh, and
#
#   DECODERS  backends (default: ref simd cuda)
#   FRAMES    blocks of 6144 bits at a point (default: 3000); 4 times as many of 1024, 20 times of 40
#
# Without a GPU: BACKEND= DECODERS="ref simd" bench/turbo-curves.sh
set -eu
here=$(cd "$(dirname "$0")" && pwd)
. "$here/lib.sh"
DECODERS=${DECODERS:-ref simd cuda}
FRAMES=${FRAMES:-3000}
[ -z "$QUICK" ] || FRAMES=50
data=$here/../t/data overlap=$here/../t/lib/overlap.awk file=$here/turbo.yaml

# published SOURCE K ALGORITHM DB: "frames wrong"
published() {
    case $1 in
    AFF3CT) awk -F, -v at="$4" '$1 == "Turbo_N18432_K6144_BCJR_i6_p32_LTE" && $4 == at { print $5, $7 }' \
        "$data/turbo_curves.csv" ;;
    *) awk -F, -v k="$2" -v at="$4" -v by="$(echo "$3" | sed 's/max-log/LOGMAX/; s/log-map/LOGMAP/')" \
        '$1 == k && $2 == by && $3 == at { print $4, $6 }' "$data/turbo_itpp.csv" ;;
    esac
}

# counted DECODER K ALGORITHM DB FRAMES: "frames wrong"
counted() {
    others=$BACKEND # the host decodes with all its threads if nothing else is on the device
    case $1 in
    cuda*) ;;
    *) others=ref ;;
    esac
    "$FECRUN" run "$file" --quiet --json "$work/json" ${others:+--backend "$others"} \
        --set turbo.decode.backend="$1" --set source.random.bits="$2" --set turbo.encode.k="$2" \
        --set turbo.decode.k="$2" --set turbo.decode.algorithm="$3" --set channel.awgn.ebn0_db="$4" \
        --set turbo.decode.iterations=6 --set stop.frames="$5" --set stop.frame_errors=1000000 \
        --set stop.seconds=120 2>"$work/why" || { note "$(tail -n 1 "$work/why")"; return; }
    fields "$work/json" point frames frame_errors
}

# row SOURCE K ALGORITHM DB FRAMES
row() {
    note "K = $2, $3, $4 dB"
    other=$(published "$1" "$2" "$3" "$4")
    printf '| %s | %s | %s | %s | %s of %s |' "$1" "$2" "$3" "$4" "${other#* }" "${other% *}"
    for decoder in $DECODERS; do
        own=$(counted "$decoder" "$2" "$3" "$4" "$5")
        if [ -z "$own" ]; then
            printf ' - |'
        elif echo "$own $other" | awk -f "$overlap" >/dev/null; then
            printf ' **%s of %s** |' "${own#* }" "${own% *}"
        else
            printf ' %s of %s |' "${own#* }" "${own% *}"
        fi
    done
    echo
}

{
    echo "## Error rates of turbo.decode beside those of others"
    echo
    machine
    echo
    echo "Wrong blocks, 6 iterations, white noise, \`llr.quantize\` to 8 bits (scale 8); bold: the intervals of"
    echo "95 % of both rates overlap. AFF3CT's factor of extrinsic LLRs grows with the iterations; IT++'s is as"
    echo "here. The frames of a row are the same for all backends."
    echo
    printf '| of | K | | Eb/N0, dB | published |'
    for decoder in $DECODERS; do printf ' %s |' "$decoder"; done
    echo
    printf '| --- | --- | --- | --- | --- |'
    for decoder in $DECODERS; do printf ' --- |'; done
    echo
    for at in 0.4 0.5 0.6 0.7; do row AFF3CT 6144 max-log $at "$FRAMES"; done
    for at in 0.4 0.5 0.6; do row IT++ 6144 max-log $at "$FRAMES"; done
    for at in 0.3 0.4 0.5; do row IT++ 6144 log-map $at "$FRAMES"; done
    for by in max-log log-map; do
        for at in 0.5 0.8; do row IT++ 1024 $by $at $((4 * FRAMES)); done
        for at in 1 2 3; do row IT++ 40 $by $at $((20 * FRAMES)); done
    done
} >"$work/all"
put_section turbo-curves <"$work/all"
