#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# The vectors of other implementations (t/data/README.md): ldpc.encode and ldpc.rate_match make their bits, and
# ldpc.rate_recover and ldpc.decode recover the messages, from the word, from what was sent over a channel with next to
# no noise, and from noisy words.
. "$top_srcdir/t/lib/vectors.sh"

data=$T_DATA/nr_ldpc
decoder=ldpc.decode check=
all='
    f32 backend: ref
    i16 backend: ref
    i8 backend: ref
    f32 backend: ref, check_rule: offset-min-sum
    f32 backend: ref, check_rule: sum-product
    i8 backend: simd
    i8 backend: simd, check_rule: offset-min-sum
'$(on_device '
    f32 backend: cuda
    i8 backend: cuda')

solving='
    f32 backend: ref, erasures: solve
    i16 backend: ref, erasures: solve
    i8 backend: ref, erasures: solve'

# Few bits of redundancy versions 1 and 2 determine the message, but most such words leave two or
# more bits unknown in every check: message passing cannot begin, all its messages stay 0, whatever
# the number of iterations. These are solved for (erasures: solve), which only ref does.
stuck() {
    case $rm in
    rm_bg1_z384_f296_e12000_rv2_q4_ncb19008.bin | rm_bg1_z52_f101_e1500_rv1_q6.bin | \
        rm_bg2_z72_f64_e900_rv1_q2_ncb2000.bin | rm_bg2_z52_e1560_rv1_q2.bin) return 0 ;;
    esac
    return 1
}

# This one begins with few messages, which have a long way to go: with the factor of `alpha: auto`
# those of 8 bits become 0 on it.
long_way() { [ "$rm" = rm_bg2_z384_e8000_rv2_q8_ncb15360.bin ]; }

vector() {
    of="bg: $bg, z: $z, fillers: $fillers" rate="bg: $bg, z: $z, fillers: $fillers, e: $e, rv: $rv, qm: $qm, ncb: $ncb"
    code="code: nr, $of, iterations: 20" quantize='scale: 1' recover= decoders=$all
    if [ -z "$rm" ]; then
        words=$((words + 1))
        makes "$cw from the message" "$data/$cw" "$(packed_bits "$data/$msg" "$bits")" "ldpc.encode: {code: nr, $of}"
        channel "$cw" "$n"
    else
        sent=$((sent + 1))
        makes "$rm from the word" "$data/$rm" "$(packed_bits "$data/$cw" "$n")" "ldpc.rate_match: {$rate}"
        makes "$rm from the message" "$data/$rm" "$(packed_bits "$data/$msg" "$bits")" "ldpc.encode: {code: nr, $of}" \
            "ldpc.rate_match: {$rate}"
        [ $((rv % 3)) = 0 ] || [ "$e" -gt $((3 * bits)) ] || second
        recover="ldpc.rate_recover: {$rate}"
        ! stuck || decoders=$solving
        ! long_way || decoders=$(echo "$all" | sed '/simd/s/$/, alpha: 0.9/; /offset/d')
        channel "$rm" "$e"
    fi
}

# channel FILE FRAME
channel() {
    decodes "$1" "$data/$msg" "$(packed_bits "$data/$1" "$2")" 'modem.map: {scheme: bpsk}' \
        'channel.awgn: {esn0_db: 12}' 'modem.demap: {}'
}

# Versions 1 and 2 as they come in a system, after as many bits of version 0.
second() {
    set -- "$(packed_bits "$data/$cw" "$n" | sed 's/{/{id: word, /')"
    last=
    for part in "$of, e: $e, rv: 0" "$rate"; do
        set -- "$@" "ldpc.rate_match: {id: send$last, from: word, $part}" "modem.map: {id: map$last, scheme: bpsk}" \
            "channel.awgn: {id: awgn$last, esn0_db: 12}" "modem.demap: {id: demap$last}" \
            "llr.quantize: {id: quantize$last, type: i8, scale: 1}" \
            "ldpc.rate_recover: {id: soft$last, $part${last:+, harq_in: soft}}"
        last=2
    done
    decodes "$rm, after version 0" "$data/$msg" "$@"
}
words=0 sent=0
each_line "$data/index.csv" vector
same "38 words, and 22 times what was sent of them" "$words $sent" "38 22"

# ---- Noise ----
# What was sent of a word goes to the decoder as a whole word, the rest as LLRs of 0. A word of which only a part was
# sent needs only some of the rows.
noisy() {
    whole=$((z * (82 - 16 * bg))) recover= quantize='scale: 1'
    code="code: nr, bg: $bg, z: $z, rows: $(((llrs + z - 1) / z - 20 + 12 * (bg - 1))), iterations: 20"
    payload "$T_DATA/noisy/$llr" | od -An -v -to1 -w"$llrs" | awk -v zeros=$((whole - llrs)) '
        BEGIN { for (i = 0; i < zeros; i++) rest = rest "\\000" }
        { gsub(" ", "\\"); print $0 rest }' | while IFS= read -r row; do printf "$row"; done >llrs
    decodes "$llr, $frames frames" "$T_DATA/noisy/$msg" \
        "source.file: {path: llrs, kind: llr, llr_scale: $llr_scale, dtype: i1, frame: $whole}"
}
decoders=$all
each_line "$T_DATA/noisy/nr_ldpc.csv" noisy
done_testing
