#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# The vectors of other implementations (t/data/README.md): turbo.encode and turbo.rate_match make
# their bits, and turbo.rate_recover and turbo.decode recover the messages, from the word, from what
# was sent over a channel with next to no noise, and from noisy words.
. "$top_srcdir/t/lib/family.sh"

data=$T_DATA/lte_turbo
backends=${backends:-$(all_backends)}

link() { # STAGE...: over the channel, to each of the decoders
    for backend in $backends; do
        makes "$backend: $1" "$data/$msg" "$(packed_bits "$data/$2" "$3")" 'modem.map: {scheme: bpsk}' \
            'channel.awgn: {esn0_db: 12}' 'modem.demap: {}' 'llr.quantize: {type: i8, scale: 1}' \
            ${4:+"$4"} "turbo.decode: {$code, backend: $backend}"
    done
}

words=0 sent=0
while IFS=, read -r k fillers bits word frames msg cw rm e rv ncb; do
    [ "$k" != k ] || continue
    # More fillers than 36.212 5.1.2 leaves: no parameter allows it; test_rate.c takes this one.
    [ "$fillers" -le 63 ] || continue
    code="k: $k, fillers: $fillers"
    if [ -z "$rm" ]; then
        words=$((words + 1))
        makes "$cw from the message" "$data/$cw" "$(packed_bits "$data/$msg" "$bits")" \
            "turbo.encode: {code: lte, $code}"
        link "$cw" "$cw" "$word"
    else
        sent=$((sent + 1))
        rate="$code, rv: $rv, ncb: $ncb"
        makes "$rm from the word" "$data/$rm" "$(packed_bits "$data/$cw" "$word")" \
            "turbo.rate_match: {$rate, e: $e}"
        makes "$rm from the message" "$data/$rm" "$(packed_bits "$data/$msg" "$bits")" \
            "turbo.encode: {$code}" "turbo.rate_match: {$rate, e: $e}"
        link "$rm" "$rm" "$e" "turbo.rate_recover: {$rate}"
    fi
done <"$data/index.csv"
same "14 words, and 17 times what was sent of them" "$words $sent" "14 17"

# ---- Noise ----
while IFS=, read -r k msg llr frames crc ebn0 scale; do
    [ "$k" != k ] || continue
    for backend in $backends; do
        for stop in none 'crc, crc: 24b'; do
            pipeline "source.file: {path: $T_DATA/noisy/$llr, kind: llr, llr_scale: $scale}" \
                "turbo.decode: {backend: $backend, iterations: 8, early_stop: $stop}" \
                'sink.file: {path: made, dtype: packed}' >p.yaml
            rm -f made
            run "$FECRUN" run p.yaml --quiet
            ok "$backend, early_stop $stop: $frames noisy words of $k bits at $ebn0 dB" \
                cmp made "$T_DATA/noisy/$msg"
        done
    done
done <"$T_DATA/noisy/lte_turbo.csv"

pipeline "source.file: {path: $T_DATA/noisy/lte_turbo_k6144_llr.npy, kind: llr, llr_scale: 8}" \
    'turbo.decode: {backend: ref, algorithm: log-map, early_stop: crc, crc: 24b}' \
    'sink.file: {path: made, dtype: packed}' >p.yaml
run "$FECRUN" run p.yaml --quiet
ok "ref, log-map: noisy words of 6144 bits" cmp made "$T_DATA/noisy/lte_turbo_k6144_msg.bin"

# ---- The table of short words ----
hex() { # HEX FILE: bytes
    printf "$(echo "$1" | awk 'function value(i) {
        return index("0123456789abcdef", substr($0, i, 1)) - 1
    }
    { for (i = 1; i < length($0); i += 2) printf "\\%03o", 16 * value(i) + value(i + 1) }')" >"$2"
}
golden=0
while IFS=, read -r k input d0 d1 d2; do
    [ "$k" != K ] || continue
    golden=$((golden + 1))
    hex "$input" input
    pipeline "$(packed_bits input "$k")" "turbo.encode: {k: $k}" 'sink.file: {path: made, dtype: u1}' \
        >p.yaml
    run "$FECRUN" run p.yaml --quiet
    got=$(od -An -v -tx1 made | tr -d ' \n' | sed 's/0\(.\)/\1/g' | fold -w $((k + 4)))
    want=
    for stream in "$d0" "$d1" "$d2"; do
        want="$want$(echo "$stream" | sed 's/0/0000/g; s/1/0001/g; s/2/0010/g; s/3/0011/g
            s/4/0100/g; s/5/0101/g; s/6/0110/g; s/7/0111/g; s/8/1000/g; s/9/1001/g
            s/a/1010/g; s/b/1011/g; s/c/1100/g; s/d/1101/g; s/e/1110/g; s/f/1111/g' |
            cut -c "1-$((k + 4))")
"
    done
    same "golden word of $k bits" "$got" "$(printf %s "$want")"
done <"$T_DATA/tables/lte_turbo_golden.csv"
same "11 golden words" $golden 11
done_testing
