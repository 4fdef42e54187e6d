#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# The vectors of other implementations (t/data/README.md): turbo.encode and turbo.rate_match make
# their bits, and turbo.rate_recover and turbo.decode recover the messages, from the word, from what
# was sent over a channel with next to no noise, and from noisy words.
. "$top_srcdir/t/lib/vectors.sh"

data=$T_DATA/lte_turbo
decoder=turbo.decode check=
all='
    f32 backend: ref
    i16 backend: ref
    i8 backend: ref
    i16 backend: simd
    i8 backend: simd
    i8 backend: simd, tune: {arithmetic: i16}
'$(on_device '
    f32 backend: cuda
    i16 backend: cuda
    i8 backend: cuda')

# A line of the index: a word, or with `rm` what was sent of it.
vector() {
    # More fillers than 36.212 5.1.2 leaves: no parameter allows it; test_rate.c takes this one.
    [ "$fillers" -le 63 ] || return 0
    code="k: $k, fillers: $fillers" rate="$code, rv: $rv, ncb: $ncb" recover= quantize='scale: 1'
    channel() { decodes "$1" "$data/$msg" "$(packed_bits "$data/$1" "$2")" 'modem.map: {scheme: bpsk}' \
        'channel.awgn: {esn0_db: 12}' 'modem.demap: {}'; }
    if [ -z "$rm" ]; then
        words=$((words + 1))
        makes "$cw from the message" "$data/$cw" "$(packed_bits "$data/$msg" "$bits")" \
            "turbo.encode: {code: lte, $code}"
        channel "$cw" "$word"
    else
        sent=$((sent + 1))
        makes "$rm from the word" "$data/$rm" "$(packed_bits "$data/$cw" "$word")" \
            "turbo.rate_match: {$rate, e: $e}"
        makes "$rm from the message" "$data/$rm" "$(packed_bits "$data/$msg" "$bits")" \
            "turbo.encode: {$code}" "turbo.rate_match: {$rate, e: $e}"
        recover="turbo.rate_recover: {$rate}"
        channel "$rm" "$e"
    fi
}
words=0 sent=0 decoders=$all
each_line "$data/index.csv" vector
same "14 words, and 17 times what was sent of them" "$words $sent" "14 17"

# ---- Noise ----
noisy() {
    recover= quantize='scale: 1'
    for early_stop in none 'crc, crc: 24b'; do
        code="iterations: 8, early_stop: $early_stop"
        case $early_stop/$k in
        none/*) decoders=$(echo "$all" | grep i8) ;; # eight iterations of each are long
        */6144) decoders="$all
                    i8 backend: ref, algorithm: log-map" ;;
        *) decoders=$all ;;
        esac
        decodes "$frames noisy words of $k bits at $ebn0_db dB, $code" "$T_DATA/noisy/$msg" \
            "source.file: {path: $T_DATA/noisy/$llr, kind: llr, llr_scale: $llr_scale}"
    done
}
each_line "$T_DATA/noisy/lte_turbo.csv" noisy

# ---- The table of short words ----
golden() {
    words=$((words + 1))
    unhex "$input" >input
    pipeline "$(packed_bits input "$K")" "turbo.encode: {k: $K}" 'sink.file: {path: made, dtype: u1}' \
        >p.yaml
    run "$FECRUN" run p.yaml --quiet
    same "golden word of $K bits" "$(od -An -v -tx1 made | tr -d ' \n' | sed 's/0\(.\)/\1/g' | fold -w $((K + 4)))" \
        "$(for stream in "$d0" "$d1" "$d2"; do binary "$stream" | cut -c "1-$((K + 4))"; done)"
}
# binary HEX: its binary digits
binary() {
    echo "$1" | sed 's/0/0000/g; s/1/0001/g; s/2/0010/g; s/3/0011/g; s/4/0100/g; s/5/0101/g; s/6/0110/g; s/7/0111/g
        s/8/1000/g; s/9/1001/g; s/a/1010/g; s/b/1011/g; s/c/1100/g; s/d/1101/g; s/e/1110/g; s/f/1111/g'
}
words=0
each_line "$T_DATA/tables/lte_turbo_golden.csv" golden
same "11 golden words" $words 11
done_testing
