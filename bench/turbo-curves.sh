#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Error rates of turbo.decode's backends beside those of other decoders (t/data/README.md says whose), on the
# same frames, into bench/results/turbo.md. Variables: see lib.sh, and
#
#   DECODERS  backends (default: ref simd simd/i16 cuda cuda/16); simd/i16: with tune: {arithmetic: i16},
#             cuda/16: with tune: {overlap: 16}
#   FRAMES    blocks of 6144 bits at a point (default: 3000); 4 times as many of 1024, 20 times of 40
#
#   PYTHON    with numpy, for the rows of fading (default: python3); without it there are none
#
# Without a GPU: BACKEND= DECODERS="ref simd simd/i16" bench/turbo-curves.sh
set -eu
here=$(cd "$(dirname "$0")" && pwd)
. "$here/lib.sh"
DECODERS=${DECODERS:-ref simd simd/i16 cuda cuda/16}
FRAMES=${FRAMES:-3000}
PYTHON=${PYTHON:-python3}
[ -z "$QUICK" ] || FRAMES=50
data=$here/../t/data overlap=$here/../t/lib/overlap.awk file=$here/turbo.yaml

# published SOURCE K ALGORITHM DB: "frames wrong"
published() {
    case $1 in
    "AFF3CT, 8 bits") curve=Turbo_N18432_K6144_BCJR_i6_p08_LTE ;;
    "AFF3CT, fading") curve=Turbo_N3072_K1024_BCJR_i6_LTE ;;
    AFF3CT) curve=Turbo_N18432_K6144_BCJR_i6_p32_LTE ;;
    pccc)
        awk -F, -v k="$2" -v at="$4" '$1 == k && $3 == at { print $4, $5 }' "$data/turbo_more_curves.csv"
        return
        ;;
    *)
        awk -F, -v k="$2" -v at="$4" -v by="$(echo "$3" | sed 's/max-log/LOGMAX/; s/log-map/LOGMAP/')" \
            '$1 == k && $2 == by && $3 == at { print $4, $6 }' "$data/turbo_itpp.csv"
        return
        ;;
    esac
    awk -F, -v curve="$curve" -v at="$4" '$1 == curve && $4 == at { print $5, $7 }' "$data/turbo_curves.csv"
}

# tuned DECODER: the option for what is behind the slash
tuned() {
    case $1 in
    simd/*) echo "--set turbo.decode.tune.arithmetic=${1#*/}" ;;
    cuda/*) echo "--set turbo.decode.tune.overlap=${1#*/}" ;;
    esac
}

# counted DECODER SOURCE K ALGORITHM DB FRAMES: "frames wrong"
counted() {
    if [ "$2" = "AFF3CT, fading" ]; then
        "$PYTHON" "$here/turbo_fading.py" "$FECRUN" "$3" 6 "$5" "$6" "$1" 2>"$work/why" |
            cut -d ' ' -f 2,3
        return
    fi
    others=$BACKEND # the host decodes with all its threads if nothing else is on the device
    case $1 in
    cuda*) ;;
    *) others=ref ;;
    esac
    iterations=6 per=ebn0_db
    [ "$2" != pccc ] || iterations=8 per=esn0_db
    sed "s/ebn0_db/$per/" "$file" >"$work/turbo.yaml"
    "$FECRUN" run "$work/turbo.yaml" --quiet --json "$work/json" ${others:+--backend "$others"} \
        --set turbo.decode.backend="${1%/*}" $(tuned "$1") --set source.random.bits="$3" --set turbo.encode.k="$3" \
        --set turbo.decode.k="$3" --set turbo.decode.algorithm="$4" --set channel.awgn.$per="$5" \
        --set turbo.decode.iterations=$iterations --set stop.frames="$6" --set stop.frame_errors=1000000 \
        --set stop.seconds=120 2>"$work/why" || { note "$(tail -n 1 "$work/why")"; return; }
    fields "$work/json" point frames frame_errors
}

# row SOURCE K ALGORITHM DB FRAMES
row() {
    other=$(published "$1" "$2" "$3" "$4")
    printf '| %s | %s | %s | %s | %s of %s |' "$1" "$2" "$3" "$4" "${other#* }" "${other% *}"
    for decoder in $DECODERS; do
        own=$(counted "$decoder" "$1" "$2" "$3" "$4" "$5")
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
    echo "Wrong blocks, \`llr.quantize\` to 8 bits (scale 8). Bold: the intervals of 95 % of both rates overlap."
    echo "The frames of a row are the same for all backends."
    echo ""
    echo "- AFF3CT: 6 iterations; its factor of extrinsic LLRs grows with the iterations. White noise, in floats and with"
    echo "  6 bits an LLR; Rayleigh fading with a known gain for each bit (\`bench/turbo_fading.py\`)."
    echo "- pccc (github.com/venkat0791/pccc, its README): 8 iterations, dB of Es/N0."
    echo "- IT++: runs of that library (\`t/data/turbo_itpp.cc\`), 6 iterations, factor as here. No published counts of"
    echo "  40 bits were found."
    echo
    printf '| of | K | | dB | published |'
    for decoder in $DECODERS; do printf ' %s |' "$decoder"; done
    echo
    printf '| --- | --- | --- | --- | --- |'
    for decoder in $DECODERS; do printf ' --- |'; done
    echo
    for at in 0.4 0.5 0.6 0.7; do row AFF3CT 6144 max-log $at "$FRAMES"; done
    for at in 0.5 0.6 0.7; do row "AFF3CT, 8 bits" 6144 max-log $at "$FRAMES"; done
    if "$PYTHON" -c 'import numpy' 2>"$work/why"; then
        for at in 1.5 1.8 2; do row "AFF3CT, fading" 1024 max-log $at "$FRAMES"; done
    fi
    for at in -4.75 -4.65 -4.55 -4.45; do row pccc 6144 log-map $at "$FRAMES"; done
    for at in -4.8 -4.6 -4.4 -4.2; do row pccc 1536 log-map $at $((2 * FRAMES)); done
    for at in 0.4 0.5 0.6; do row IT++ 6144 max-log $at "$FRAMES"; done
    for at in 0.3 0.4 0.5; do row IT++ 6144 log-map $at "$FRAMES"; done
    for by in max-log log-map; do
        for at in 0.5 0.8; do row IT++ 1024 $by $at $((4 * FRAMES)); done
        for at in 1 2 3; do row IT++ 40 $by $at $((20 * FRAMES)); done
    done
} | tee /dev/stderr >"$work/all" # a run that is cut short leaves what it has
put_section turbo-curves <"$work/all"
