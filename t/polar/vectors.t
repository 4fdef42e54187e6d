#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# The vectors of other implementations (t/data/README.md): crc.attach, polar.encode and
# polar.rate_match make their bits, and polar.rate_recover and polar.decode recover the messages from
# what was sent over a channel with next to no noise, and from noisy words.
. "$top_srcdir/t/lib/family.sh"

data=$T_DATA/nr_polar
decoders='sc scl'
backends=${backends:-$(all_backends)}

cases=0
while IFS=, read -r link bits crc k e n n_max frames msg coded word sent; do
    [ "$link" != link ] || continue
    cases=$((cases + 1))
    code="code: nr, k: $k, e: $e, n_max: $n_max" rate="k: $k, n_max: $n_max" ones=0
    if [ "$link" = dl ]; then
        code="$code, input_interleave: true" ones=24
    else
        rate="$rate, channel_interleave: true"
    fi
    makes "$coded from the message" "$data/$coded" "$(packed_bits "$data/$msg" "$bits")" \
        "crc.attach: {crc: $crc, ones: $ones}"
    makes "$word from the coded message" "$data/$word" "$(packed_bits "$data/$coded" "$k")" \
        "polar.encode: {$code}"
    makes "$sent from the word" "$data/$sent" "$(packed_bits "$data/$word" "$n")" \
        "polar.rate_match: {$rate, e: $e}"
    makes "$sent from the message" "$data/$sent" "$(packed_bits "$data/$msg" "$bits")" \
        "crc.attach: {crc: $crc, ones: $ones}" "polar.encode: {$code}" \
        "polar.rate_match: {$rate, e: $e}"
    for backend in $backends; do
        for algorithm in $decoders; do
            makes "$backend, $algorithm: the message from $sent" "$data/$msg" \
                "$(packed_bits "$data/$sent" "$e")" 'modem.map: {scheme: bpsk}' \
                'channel.awgn: {esn0_db: 9}' 'modem.demap: {}' \
                'llr.quantize: {type: i8, scale: 2}' "polar.rate_recover: {$rate}" \
                "polar.decode: {$code, algorithm: $algorithm, crc: $crc, ones: $ones, backend: $backend}" \
                "crc.check: {crc: $crc, ones: $ones}"
        done
    done
done <"$data/index.csv"
same "30 messages" $cases 30

# ---- Noise ----
while IFS=, read -r bits e msg llr frames ebn0 scale; do
    [ "$bits" != bits ] || continue
    for backend in $backends; do
        for how in '' 'adaptive: true'; do
            makes "$backend, list of 8 $how: $frames noisy words of $e bits at $ebn0 dB" \
                "$T_DATA/noisy/$msg" \
                "source.file: {path: $T_DATA/noisy/$llr, kind: llr, llr_scale: $scale}" \
                "polar.rate_recover: {k: $((bits + 11)), channel_interleave: true}" \
                "polar.decode: {code: nr, k: $((bits + 11)), e: $e, list: 8, crc: 11, ${how:+$how, }backend: $backend}" \
                'crc.check: {crc: 11}'
        done
    done
done <"$T_DATA/noisy/nr_polar.csv"

# ---- The table of short words ----
hex() { # HEX FILE: bytes
    printf "$(echo "$1" | awk 'function value(i) {
        return index("0123456789abcdef", substr($0, i, 1)) - 1
    }
    { for (i = 1; i < length($0); i += 2) printf "\\%03o", 16 * value(i) + value(i + 1) }')" >"$2"
}
golden=0
while IFS=, read -r link k e n n_max il bil input output; do
    [ "$link" != link ] || continue
    golden=$((golden + 1))
    hex "$input" input
    hex "$output" output
    [ "$il" = 1 ] && il=true || il=false
    [ "$bil" = 1 ] && bil=true || bil=false
    makes "golden word: $link, K = $k, E = $e" output "$(packed_bits input "$k")" \
        "polar.encode: {code: nr, k: $k, e: $e, n_max: $n_max, input_interleave: $il}" \
        "polar.rate_match: {k: $k, e: $e, n_max: $n_max, channel_interleave: $bil}"
done <"$T_DATA/tables/nr_polar_golden.csv"
same "19 golden words" $golden 19
done_testing
