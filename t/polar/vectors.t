#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# The vectors of other implementations (t/data/README.md): crc.attach, polar.encode and
# polar.rate_match make their bits, and polar.rate_recover and polar.decode recover the messages from
# what was sent over a channel with next to no noise, and from noisy words.
. "$top_srcdir/t/lib/vectors.sh"

data=$T_DATA/nr_polar
decoder=polar.decode

# all PARAMETERS...: $decoders, all types and backends with each of these
all() {
    decoders=
    for kind in f32:ref i16:ref i8:ref i8:simd $(on_device 'f32:cuda i8:cuda'); do
        for how in "$@"; do
            decoders="$decoders
                ${kind%:*} $how, backend: ${kind#*:}"
        done
    done
}

vector() {
    cases=$((cases + 1))
    code="code: nr, k: $k, e: $e, n_max: $n_max" rate="k: $k, n_max: $n_max"
    if [ "$link" = dl ]; then
        code="$code, input_interleave: true" crc="crc: $crc, ones: 24"
    else
        rate="$rate, channel_interleave: true" crc="crc: $crc, ones: 0"
    fi
    makes "$coded from the message" "$data/$coded" "$(packed_bits "$data/$msg" "$bits")" "crc.attach: {$crc}"
    makes "$word from the coded message" "$data/$word" "$(packed_bits "$data/$coded" "$k")" "polar.encode: {$code}"
    makes "$sent from the word" "$data/$sent" "$(packed_bits "$data/$word" "$n")" "polar.rate_match: {$rate, e: $e}"
    makes "$sent from the message" "$data/$sent" "$(packed_bits "$data/$msg" "$bits")" \
        "crc.attach: {$crc}" "polar.encode: {$code}" "polar.rate_match: {$rate, e: $e}"
    quantize='scale: 2' recover="polar.rate_recover: {$rate}" code="$code, $crc" check="crc.check: {$crc}"
    decodes "the message from $sent" "$data/$msg" "$(packed_bits "$data/$sent" "$e")" 'modem.map: {scheme: bpsk}' \
        'channel.awgn: {esn0_db: 9}' 'modem.demap: {}'
}
cases=0
all 'algorithm: sc' 'algorithm: scl'
each_line "$data/index.csv" vector
same "30 messages" $cases 30

# ---- Noise ----
noisy() {
    quantize='scale: 1' recover="polar.rate_recover: {k: $((bits + 11)), channel_interleave: true}"
    code="code: nr, k: $((bits + 11)), e: $e, list: 8, crc: 11" check='crc.check: {crc: 11}'
    decodes "$frames noisy words of $e bits at $ebn0_db dB" "$T_DATA/noisy/$msg" \
        "source.file: {path: $T_DATA/noisy/$llr, kind: llr, llr_scale: $llr_scale}"
}
all 'adaptive: false' 'adaptive: true'
each_line "$T_DATA/noisy/nr_polar.csv" noisy

# ---- The table of short words ----
golden() {
    words=$((words + 1))
    unhex "$input" >input
    unhex "$output" >output
    flag() { [ "$1" = 1 ] && echo true || echo false; }
    makes "golden word: $link, K = $K, E = $E" output "$(packed_bits input "$K")" \
        "polar.encode: {code: nr, k: $K, e: $E, n_max: $n_max, input_interleave: $(flag "$i_il")}" \
        "polar.rate_match: {k: $K, e: $E, n_max: $n_max, channel_interleave: $(flag "$i_bil")}"
}
words=0
each_line "$T_DATA/tables/nr_polar_golden.csv" golden
same "19 golden words" $words 19
done_testing
