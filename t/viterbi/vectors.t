#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Known answers: t/data holds what independent implementations computed (t/data/README.md).
. "$top_srcdir/t/lib/counts.sh"
without_cuda

source_bits() { echo "{source.file: {path: '$1', kind: bits}}"; }
compare() { echo "{sink.errors: {reference: '$1'}}"; }

# all_right DESCRIPTION FRAMES STAGE...: the pipeline gives so many frames, all of them right.
all_right() {
    description=$1
    wanted="$2 0"
    shift 2
    same "$description" "$(pipeline "$@" | run_fields "frames frame_errors" -)" "$wanted"
}

# ---- Convolutional codes ----

# Of a vector either rate (puncturing) or e (rate matching) may be there, and gives a stage behind
# the encoder and one in front of the decoder.
conv_vector() {
    name="$coded: $code $termination${rate:+ rate $rate}${e:+ e $e}"
    coding="code: $code, termination: $termination"
    msg=$T_DATA/conv/$msg
    coded=$T_DATA/conv/$coded
    match= recover=
    if [ -n "$rate" ]; then
        match="{conv.puncture: {scheme: $code, rate: $rate}}"
        recover="{conv.depuncture: {scheme: $code, rate: $rate}}"
    elif [ -n "$e" ]; then
        match="{conv.rate_match: {e: $e}}"
        recover="{conv.rate_recover: {k: $bits}}"
    fi
    all_right "encode $name" "$frames" "$(source_bits "$msg")" "{conv.encode: {$coding}}" \
        ${match:+"$match"} "$(compare "$coded")"
    for backend in ref simd; do
        all_right "decode $name, $backend" "$frames" "$(source_bits "$coded")" \
            "{channel.bsc: {p: 0}}" "{llr.quantize: {scale: 1, max: 8}}" \
            ${recover:+"$recover"} "{viterbi.decode: {$coding, backend: $backend}}" \
            "$(compare "$msg")"
    done
}

conv_vectors() {
    while IFS=, read -r code termination msg coded frames bits rate e; do
        [ "$code" = code ] || conv_vector
    done <"$T_DATA/conv/index.csv"
}

# The same code by its generators instead of its name.
free_generators() {
    all_right "encode with generators 171 133 and the second output inverted" 4 \
        "$(source_bits "$T_DATA/conv/msg_n402.npy")" \
        "{conv.encode: {constraint_length: 7, generators: [0o171, 0o133], inverted: [0, 1]}}" \
        "$(compare "$T_DATA/conv/cwccsds_n402.npy")"
    all_right "encode and puncture with a pattern" 4 \
        "$(source_bits "$T_DATA/conv/msg_n402.npy")" \
        "{conv.encode: {constraint_length: 7, generators: [0o133, 0o171]}}" \
        "{conv.puncture: {pattern: ['110', '101']}}" \
        "$(compare "$T_DATA/conv/p80211_34_n402.npy")"
}

# ---- Golden rows in hexadecimal ----

# Digits to bytes and back.
unhex() {
    printf "$(echo "$1" | awk '{
        digits = "0123456789abcdef"
        for (i = 1; i < length($0); i += 2)
            printf "\\%03o", 16 * (index(digits, substr($0, i, 1)) - 1) + \
                index(digits, substr($0, i + 1, 1)) - 1
    }')"
}
hex() { od -An -v -tx1 | tr -d ' \n'; }

# raw_to_raw HEX BITS STAGE...: one frame of packed bits through the stages, frame 0: a stream.
raw_to_raw() {
    digits=$1
    frame=$2
    shift 2
    pipeline "{source.file: {path: '-', kind: bits, dtype: packed, frame: $frame}}" "$@" \
        "{sink.file: {path: '-', dtype: packed}}" >raw.yaml
    unhex "$digits" | "$FECRUN" run --quiet raw.yaml | hex
}

golden_row() {
    coding="code: $code, termination: $1"
    frame=$in_bits
    [ "$1" != continuous ] || frame=0
    same "encode golden $code, $in_bits bits, $1" \
        "$(raw_to_raw "$in" "$frame" "{conv.encode: {$coding}}")" "$out"
    [ "$1" = continuous ] || frame=$out_bits
    same "decode golden $code, $in_bits bits, $1" \
        "$(raw_to_raw "$out" "$frame" "{channel.bsc: {p: 0}}" "{viterbi.decode: {$coding}}")" "$in"
}

# The rows of continuous codes start at zero and have no tail: truncated frames do the same.
golden_rows() {
    while IFS=, read -r code in_bits out_bits in out; do
        termination=$(awk -F, -v code="$code" '$1 == code { print $5 }' \
            "$T_DATA/tables/conv_codes.csv")
        case $termination in
        zero | tail-biting) golden_row "$termination" ;;
        continuous)
            golden_row continuous
            golden_row truncated ;;
        esac
    done <"$T_DATA/tables/conv_golden.csv"
}

# ---- CRC ----

crc_vector() {
    msg=$T_DATA/crc/$msg
    coded=$T_DATA/crc/$coded
    all_right "attach ${coded##*/}" "$frames" "$(source_bits "$msg")" \
        "{crc.attach: {crc: $crc}}" "$(compare "$coded")"
    same "check ${coded##*/}" "$(pipeline "$(source_bits "$coded")" "{crc.check: {crc: $crc}}" \
        "$(compare "$msg")" | run_fields "frames frame_errors undetected failed" -)" "$frames 0 0 0"
    same "${coded##*/} is not the CRC under a mask" "$(pipeline "$(source_bits "$coded")" \
        "{crc.check: {crc: $crc, mask: 1}}" "$(compare "$msg")" | run_fields "frames failed" -)" \
        "$frames $frames"
}

crc_vectors() {
    while IFS=, read -r crc msg coded frames; do
        [ "$crc" = crc ] || crc_vector
    done <"$T_DATA/crc/index.csv"
}

# A catalogue's check value is the CRC of the characters 123456789; here zeros fill its last byte.
crc_values() {
    while IFS=, read -r name width _ _ _ _ value; do
        [ "$name" = name ] && continue
        fill=$(((8 - width % 8) % 8))
        same "$name of 123456789" \
            "$(raw_to_raw 313233343536373839 72 \
                "{crc.attach: {crc: $(echo "${name#CRC}" | tr ABC abc)}}")" \
            "313233343536373839$(printf "%0$(((width + fill) / 4))x" $((value << fill)))"
    done <"$T_DATA/tables/crc.csv"
}

# ---- Noisy frames ----

# Of a .npy file: what stands behind the header.
payload() { tail -c "+$(($(od -An -j8 -N2 -tu2 "$1") + 11))" "$1"; }

noisy_case() {
    decode="{viterbi.decode: {code: ieee80211, backend: $backend}}"
    llr="kind: llr, llr_scale: $scale"
    all_right "$name: $backend, from .npy" "$frames" \
        "{source.file: {path: '$T_DATA/noisy/$llrs', $llr}}" ${depuncture:+"$depuncture"} \
        "$decode" "$(compare "$T_DATA/noisy/$msg")"
    pipeline "{source.file: {path: '-', $llr, dtype: i1, frame: $items}}" \
        ${depuncture:+"$depuncture"} "$decode" "{sink.file: {path: '-'}}" >pipe.yaml
    payload "$T_DATA/noisy/$llrs" | "$FECRUN" run --quiet pipe.yaml >pipe.bits
    payload "$T_DATA/noisy/$msg" | cmp - pipe.bits
    tap_check $? "$name: $backend, in a shell pipe"
    rm -f decoded.npy
    pipeline "{source.file: {path: '$T_DATA/noisy/$llrs', $llr}}" ${depuncture:+"$depuncture"} \
        "$decode" "{sink.file: {path: 'decoded.npy'}}" | "$FECRUN" run --quiet -
    ok "$name: $backend, to .npy" cmp "$T_DATA/noisy/$msg" decoded.npy
}

noisy_cases() {
    while IFS=, read -r family name msg llrs frames _ scale; do
        case $family/$name in
        conv/k7_r12)
            depuncture=
            items=8204 ;;
        conv/k7_r34)
            depuncture="{conv.depuncture: {scheme: ieee80211, rate: 3/4}}"
            items=5470 ;;
        *) continue ;;
        esac
        for backend in ref simd; do
            noisy_case
        done
    done <"$T_DATA/noisy/index.csv"
}

# What was sent of an NR LDPC word goes to the decoder as a whole word, the rest as LLRs of 0: raw
# LLRs from standard input. A word of which only a part was sent needs only some of the rows.
noisy_ldpc_case() {
    n=$((z * (82 - 16 * bg)))
    rows=$(((items + z - 1) / z - 20 + 12 * (bg - 1)))
    pipeline "{source.file: {path: '-', kind: llr, llr_scale: $scale, dtype: i1, frame: $n}}" \
        "{ldpc.decode: {code: nr, bg: $bg, z: $z, rows: $rows, iterations: 20, $1}}" \
        "{sink.file: {path: '-', dtype: packed}}" >pipe.yaml
    payload "$T_DATA/noisy/$llrs" | od -An -v -to1 -w"$items" | awk -v zeros=$((n - items)) '
        BEGIN { for (i = 0; i < zeros; i++) rest = rest "\\000" }
        { gsub(" ", "\\"); print $0 rest }' | while IFS= read -r row; do printf "$row"; done |
        "$FECRUN" run --quiet pipe.yaml | cmp - "$T_DATA/noisy/$msg"
    tap_check $? "$llrs, $frames frames, $rows rows, $1: all right"
}

noisy_ldpc_cases() {
    while IFS=, read -r bg z msg llrs frames _ items _ scale; do
        [ "$bg" != bg ] || continue
        for backend in ref simd; do
            noisy_ldpc_case "backend: $backend, check_rule: min-sum"
            noisy_ldpc_case "backend: $backend, check_rule: offset-min-sum"
        done
        noisy_ldpc_case "backend: ref, check_rule: sum-product"
    done <"$T_DATA/noisy/nr_ldpc.csv"
}

if command -v sha256sum >/dev/null; then
    ok "t/data is what SHA256SUMS says" sh -c 'cd "$T_DATA" && sha256sum -c SHA256SUMS'
else
    skip 1 "no sha256sum"
fi
conv_vectors
free_generators
golden_rows
crc_vectors
crc_values
noisy_cases
noisy_ldpc_cases
done_testing
