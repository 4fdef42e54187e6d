#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# The conv.* stages on a CUDA device write the files that the reference writes.
. "$top_srcdir/t/lib/tap.sh"

why=$("$FECRUN" list | awk '/^  [a-z]/ { stage = $1 }
    stage == "conv.encode" && sub(/^ *cuda is not available: /, "")')
if [ -n "$why" ]; then
    case ",$FECRUN_REQUIRE," in
    *,cuda,*) ok "cuda is required: $why" false; done_testing ;;
    *) skip_all "$why" ;;
    esac
fi

batch=19

# same STAGES FRAMES LINE...: the pipeline of these lines, STAGES by the reference and on the
# device, the others by the reference.
same() {
    stages=$1 frames=$2 sets=
    for stage in $1; do
        sets="$sets --set $stage.backend=cuda"
    done
    shift 2
    {
        printf 'fecrun: 1\nseed: 11\nbatch: %s\nstop: {frames: %s}\npipeline:\n' "$batch" "$frames"
        printf '  - %s\n' "$@" 'sink.file: {path: bytes}'
    } >both.yaml
    rm -f bytes want
    run "$FECRUN" run both.yaml --quiet --backend ref
    [ "$status" = 0 ] && [ -s bytes ] && mv bytes want &&
        run "$FECRUN" run both.yaml --quiet --backend ref $sets &&
        [ "$status" = 0 ] && cmp bytes want >>err
    tap_check $? "$stages: $(echo "$*" | tr '#' '.')"
}

# ---- conv.encode ----

for bits in 1 7 8 40 1000 12345 1000000; do
    frames=50
    [ "$bits" -lt 100000 ] || frames=3
    for termination in zero truncated; do
        same conv.encode $frames "source.random: {bits: $bits}" \
            "conv.encode: {code: ieee80211, termination: $termination}"
    done
done
for code in lte_tbcc umts_r3 cdma2000_r4 cassini gsm_tch_hs; do
    for bits in 14 33 61 6144; do
        same conv.encode 50 "source.random: {bits: $bits}" \
            "conv.encode: {code: $code, termination: tail-biting}"
    done
    same conv.encode 50 "source.random: {bits: 200, stream: true}" \
        "conv.encode: {code: $code, termination: continuous}"
done
same conv.encode 50 "source.random: {bits: 333}" \
    "conv.encode: {constraint_length: 3, generators: [7, 5, 6, 7, 3], inverted: [0, 1, 0, 1, 1]}"
same conv.encode 100 "source.random: {bits: 8, stream: true}" "conv.encode: {code: ccsds}"
same conv.encode 3 "source.random: {bits: 999992, stream: true}" "conv.encode: {code: dvb}"
head -c 4003 "$FECRUN" | od -An -v -tu1 |
    awk '{ for (i = 1; i <= NF; i++) printf "%c", $i % 2 + 1 }' | tr '\001\002' '\000\001' >bits
same conv.encode 1000 "source.file: {path: bits, kind: bits, dtype: u1, frame: 0, piece: 100}" \
    "conv.encode: {code: dvb}"

# More frames than a grid has rows, 65535 of 128.
batch=9000000
same conv.encode 9000000 "source.random: {bits: 1}" \
    "conv.encode: {code: ieee80211, termination: truncated}"
batch=19

# ---- conv.puncture, conv.depuncture ----

noisy="channel.awgn: {ebn0_db: 3}"

# punctured BITS CODE PATTERN: both ways, with all types of LLRs.
punctured() {
    same conv.puncture 40 "source.random: {bits: $1}" "conv.encode: {$2}" "conv.puncture: {$3}"
    for quantize in "llr.quantize: {type: i8, scale: 3}" "llr.quantize: {type: i16, scale: 900}" \
        ""; do
        same conv.depuncture 40 "source.random: {bits: $1}" "conv.encode: {$2}" \
            "conv.puncture: {$3}" "modem.map: {scheme: bpsk}" "$noisy" "modem.demap: {}" \
            ${quantize:+"$quantize"} "conv.depuncture: {$3}"
    done
}
punctured 994 "code: ieee80211" "scheme: ieee80211, rate: 3/4"
punctured 40 "code: ieee80211" "scheme: ieee80211, rate: 5/6"
punctured 1680 "code: dvb, termination: truncated" "scheme: dvb, rate: 7/8"
punctured 6 "code: ieee80211, termination: truncated" 'pattern: ["1", "0"]'
punctured 99 "code: umts_r3, termination: truncated" 'pattern: ["110", "011", "101"]'
long=$(awk 'BEGIN { for (i = 0; i < 4096; i++) printf "%d", i * i % 7 < 4 }')
punctured 20480 "code: ieee80211, termination: truncated" "pattern: [\"$long\", \"$long\"]"
same conv.puncture 60 "source.random: {bits: 1680, stream: true}" "conv.encode: {code: dvb}" \
    "conv.puncture: {scheme: dvb, rate: 7/8}"
for bits in 8 1680; do # of 8 bits 12 are sent
    same "conv.encode conv.puncture" 60 "source.random: {bits: $bits, stream: true}" \
        "conv.encode: {code: dvb}" "conv.puncture: {scheme: dvb, rate: 2/3}"
done
for bits in 13 994 20001; do
    same "conv.encode conv.puncture" 60 "source.random: {bits: $bits}" \
        "conv.encode: {code: ieee80211}" "conv.puncture: {scheme: ieee80211, rate: 5/6}"
done

# ---- conv.rate_match, conv.rate_recover ----

# matched K E
matched() {
    same conv.rate_match 40 "source.random: {bits: $1}" "conv.encode: {code: lte_tbcc}" \
        "conv.rate_match: {e: $2}"
    for quantize in "llr.quantize: {type: i4, scale: 3}" "llr.quantize: {type: i8, scale: 60}" \
        "llr.quantize: {type: i16, scale: 15000}" ""; do
        same conv.rate_recover 40 "source.random: {bits: $1}" "conv.encode: {code: lte_tbcc}" \
            "conv.rate_match: {e: $2}" "modem.map: {scheme: bpsk}" "$noisy" "modem.demap: {}" \
            ${quantize:+"$quantize"} "conv.rate_recover: {}"
    done
}
matched 40 120
matched 40 72
matched 56 1000
matched 33 288
matched 6144 5003
matched 6144 50000
same "conv.encode conv.rate_match" 60 "source.random: {bits: 333}" "conv.encode: {code: lte_tbcc}" \
    "conv.rate_match: {e: 1111}"

# ---- All forms, and what else the contract asks for ----

for stage in conv.encode conv.puncture conv.depuncture conv.rate_match conv.rate_recover; do
    run "$FECRUN_CHECK" --seconds 3 --timeout 120 --stage $stage --backend cuda
    grep -A 6 '^not ok' out | sed 's/^/# /'
    is 0 "$stage keeps the contract"
    prints "^ok .*$stage cuda" "... and was checked"
done
done_testing
