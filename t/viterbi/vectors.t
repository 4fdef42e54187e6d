#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Convolutional codes' known answers: t/data holds what independent implementations computed (t/data/README.md).
. "$top_srcdir/t/lib/vectors.sh"
without_cuda

decoder=viterbi.decode check=
decoders='
    f32 backend: ref
    i16 backend: ref
    i8 backend: ref
    f32 backend: simd
    i16 backend: simd
    i8 backend: simd'

source_bits() { echo "source.file: {path: '$1', kind: bits}"; }
compare() { echo "sink.errors: {reference: '$1'}"; }

# Of a vector either rate (puncturing) or e (rate matching) may be there, and gives a stage behind
# the encoder and one in front of the decoder.
vector() {
    name="$coded: $code $termination${rate:+ rate $rate}${e:+ e $e}"
    msg=$T_DATA/conv/$msg coded=$T_DATA/conv/$coded match= recover=
    if [ -n "$rate" ]; then
        match="conv.puncture: {scheme: $code, rate: $rate}" recover="conv.depuncture: {scheme: $code, rate: $rate}"
    elif [ -n "$e" ]; then
        match="conv.rate_match: {e: $e}" recover="conv.rate_recover: {k: $bits}"
    fi
    code="code: $code, termination: $termination"
    all_right "encode $name" "$frames" "$(source_bits "$msg")" "conv.encode: {$code}" ${match:+"$match"} \
        "$(compare "$coded")"
    quantize='scale: 1, max: 8' # simd has 8-bit metrics for these
    decodes "decode $name" "$msg" "$(source_bits "$coded")" 'modem.map: {scheme: bpsk}' 'channel.awgn: {esn0_db: 12}' \
        'modem.demap: {}'
}
each_line "$T_DATA/conv/index.csv" vector

# The same code by its generators instead of its name.
all_right "encode with generators 171 133 and the second output inverted" 4 "$(source_bits "$T_DATA/conv/msg_n402.npy")" \
    'conv.encode: {constraint_length: 7, generators: [0o171, 0o133], inverted: [0, 1]}' \
    "$(compare "$T_DATA/conv/cwccsds_n402.npy")"
all_right "encode and puncture with a pattern" 4 "$(source_bits "$T_DATA/conv/msg_n402.npy")" \
    'conv.encode: {constraint_length: 7, generators: [0o133, 0o171]}' "conv.puncture: {pattern: ['110', '101']}" \
    "$(compare "$T_DATA/conv/p80211_34_n402.npy")"

# ---- Short words in hexadecimal ----
golden() {
    case $(awk -F, -v name="$name" '$1 == name { print $5 }' "$T_DATA/tables/conv_codes.csv") in
    zero) row zero "$input_bits" "$output_bits" ;;
    tail-biting) row tail-biting "$input_bits" "$output_bits" ;;
    continuous)
        # They start at zero and have no tail: truncated frames do the same.
        row continuous 0 0
        row truncated "$input_bits" "$output_bits" ;;
    esac
}
# row TERMINATION INPUT-FRAME OUTPUT-FRAME
row() {
    coding="code: $name, termination: $1"
    same "encode golden $name, $input_bits bits, $1" "$(raw_to_raw "$input" "$2" "conv.encode: {$coding}")" "$output"
    same "decode golden $name, $input_bits bits, $1" \
        "$(raw_to_raw "$output" "$3" 'channel.bsc: {p: 0}' "viterbi.decode: {$coding}")" "$input"
}
each_line "$T_DATA/tables/conv_golden.csv" golden

# ---- Recursive codes of GSM's AMR speech: words of libosmocore ----
recursive() {
    list=$(echo "$generators" | sed 's/ /, /g')
    coding="constraint_length: $constraint_length, generators: [$list], feedback: $feedback"
    same "encode $name" "$(raw_to_raw "$input" "$input_bits" "conv.encode: {$coding}")" "$output"
    for backend in ref simd; do
        same "decode $name, $backend" "$(raw_to_raw "$output" "$output_bits" 'channel.bsc: {p: 0}' \
            "viterbi.decode: {$coding, backend: $backend}")" "$input"
    done
}
each_line "$T_DATA/conv/gsm_recursive.csv" recursive
# 1 + D^3 + D^4 and 1 + D + D^3 + D^4 with the newest bit rightmost
coding='constraint_length: 5, generators: [0b11001, 0b11011], feedback: 0b11001, reversed: true'
name=afs_12_2 input=$(awk -F, '$1 == "afs_12_2" { print $7 }' "$T_DATA/conv/gsm_recursive.csv")
same "the other way round" "$(raw_to_raw "$input" 250 "conv.encode: {$coding}")" \
    "$(awk -F, '$1 == "afs_12_2" { print $8 }' "$T_DATA/conv/gsm_recursive.csv")"

# ---- Noisy frames ----

# LLRs of a file, and of standard input to standard output.
noisy() {
    case $case in
    k7_r12) recover= items=8204 ;;
    k7_r34) recover="conv.depuncture: {scheme: ieee80211, rate: 3/4}" items=5470 ;;
    esac
    code='code: ieee80211' quantize='scale: 1' of="kind: llr, llr_scale: $llr_scale"
    decodes "$case, from .npy to .npy" "$T_DATA/noisy/$msg" "source.file: {path: $T_DATA/noisy/$llr, $of}"
    for backend in ref simd; do
        pipeline "source.file: {path: '-', $of, dtype: i1, frame: $items}" ${recover:+"$recover"} \
            "viterbi.decode: {$code, backend: $backend}" "sink.file: {path: '-'}" >pipe.yaml
        payload "$T_DATA/noisy/$llr" | "$FECRUN" run --quiet pipe.yaml >pipe.bits
        payload "$T_DATA/noisy/$msg" | cmp - pipe.bits
        tap_check $? "$case: $backend, in a shell pipe"
    done
}
each_line "$T_DATA/noisy/index.csv" noisy
done_testing
