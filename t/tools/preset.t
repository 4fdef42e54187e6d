#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# --preset NAME: pipelines of standards. What they send is compared with columns of the standards that the program does
# not have: the efficiency of TS 38.214 table 5.1.3.1-1, and Mb/s of Wi-Fi 6 (one stream, 20 MHz, 0.8 us). Sizes of LTE are those of TS 36.213 for six pairs of blocks.
. "$top_srcdir/t/lib/tap.sh"
without_cuda

# sent NAME: information bits (a CRC is none) and bits of a symbol, and symbols of a frame
sent() {
    run "$FECRUN" explain --preset "$1" --json -
    bits=$(sed 's/.*"name":"source.random","params":{"bits":"\([0-9]*\)".*/\1/' out)
    symbols=$(sed 's/.*"kind":"symbols","items":\([0-9]*\)[,}].*/\1/' out)
}
# about A B MOST: not MOST apart; a frame has whole symbols, and a table few digits
about() { awk -v a="$1" -v b="$2" -v most="$3" 'BEGIN { exit !(a > b - most && a < b + most) }'; }

row=0
for efficiency in 0.2344 0.3066 0.3770 0.4902 0.6016 0.7402 0.8770 1.0273 1.1758 1.3262 1.3281 1.4766 1.6953 1.9141 \
    2.1602 2.4063 2.5703 2.5664 2.7305 3.0293 3.3223 3.6094 3.9023 4.2129 4.5234 4.8164 5.1152 5.3320 5.5547; do
    sent nr-pusch-mcs-$row
    got=$(awk -v k="$bits" -v n="$symbols" 'BEGIN { printf "%.4f", k / n }')
    [ "$status" = 0 ] && about "$got" "$efficiency" "$(awk -v e=$efficiency -v n="$symbols" 'BEGIN { print e / n + 0.0002 }')"
    tap_check $? "nr-pusch-mcs-$row: $got information bits a symbol, $efficiency in the table"
    row=$((row + 1))
done
row=0
for speed in 8.6 17.2 25.8 34.4 51.6 68.8 77.4 86.0 103.2 114.7 129.0 143.4; do
    sent wifi-he-mcs-$row
    [ $row -lt 10 ] || symbols=$(awk -v n="$symbols" 'BEGIN { print n - 6 / 10 }') # its six zeros
    got=$(awk -v k="$bits" -v n="$symbols" 'BEGIN { printf "%.2f", k / n * 234 / 13.6 }')
    [ "$status" = 0 ] && about "$got" "$speed" 0.06
    tap_check $? "wifi-he-mcs-$row: 234 carriers each 13.6 us give $got Mb/s, $speed in the table"
    row=$((row + 1))
done
# Base graph, lifting size and fillers are those of seg.split, which has another text of the standard's rules: K of a block
# are the bits of the transport block and its CRC.
for kn in 40-80 100-1000 216-300 310-400 308-900 616-1000 656-900 1024-2048 1500-2000 2000-3001 3800-6000 3850-5000 \
    8448-10000 8448-25344; do
    k=${kn%-*} n=${kn#*-} crc=16
    [ $k -le 3840 ] || crc=24
    printf '%s\n' 'fecrun: 1' 'pipeline:' "  - source.random: {bits: $((k - crc))}" \
        "  - seg.split: {code: nr, rate: $(awk "BEGIN { print $k / $n }")}" '  - sink.null: {}' 'stop: {frames: 1}' >split.yaml
    "$FECRUN" explain split.yaml | sed -n "s/.*K' = $k bits: bg \([12]\), z \([0-9]*\), \([0-9]*\) fillers.*/\1 \2 \3/p" >wanted
    run "$FECRUN" explain --preset nr-ldpc-$kn
    sed -n 's/.*base graph \([12]\), z = \([0-9]*\), \([0-9]*\) fillers.*/\1 \2 \3/p' out >got
    [ -s wanted ] && cmp -s wanted got
    tap_check $? "nr-ldpc-$kn: $(cat got)"
done
sent nr-ldpc-1000-1500
ok "nr-ldpc-1000-1500: K bits in N / 2 symbols" [ "$bits $symbols" = "1000 750" ]
sent nr-ldpc-1000-1501
ok "... of BPSK if N is odd" [ "$bits $symbols" = "1000 1501" ]
row=0
for bits_of in 2:152 2:208 2:256 2:328 2:408 2:504 2:600 2:712 2:808 2:936 4:936 4:1032 4:1192 4:1352 4:1544 4:1736 4:1800 \
    6:1800 6:1928 6:2152 6:2344 6:2600 6:2792 6:2984 6:3240 6:3496 6:3624 6:3752 6:4392; do
    sent lte-pdsch-mcs-$row
    schemes="2:qpsk 4:16qam 6:64qam" scheme=${schemes#*"${bits_of%:*}":}
    grep -q "\"scheme\":\"${scheme%% *}\"" out
    tap_check $? "lte-pdsch-mcs-$row: ${scheme%% *}"
    ok "... with ${bits_of#*:} bits in 828 symbols" [ "$bits $symbols" = "${bits_of#*:} 828" ]
    row=$((row + 1))
done
for rate in 1/2 2/3 3/4 5/6 7/8; do
    sent dvb-s-$rate
    ok "dvb-s-$rate: with the tail, that much of what is sent" \
        [ "$(((bits + 6) * ${rate#*/}))" = "$((symbols * 2 * ${rate%/*}))" ]
done

run "$FECRUN" explain --preset dvb-s-3/4
prints '^DVB-S, EN 300 421 4\.4\.3: .* rate 3/4 ' "explain says what it stands for"
run "$FECRUN" explain --preset nr-pusch-mcs-9 --json -
prints '"preset":"NR PUSCH, MCS 9 of TS 38.214 table 5.1.3.1-1: Qm = 2, R = 679/1024;' "... in JSON, too"

# ---- Error rates: all lost at the sweep's first point, none at the last ----
for preset in dvb-s-7/8 nr-pusch-mcs-0 nr-pusch-mcs-28 wifi-he-mcs-0 wifi-he-mcs-9 wifi-he-mcs-11 lte-pdsch-mcs-0 \
    lte-pdsch-mcs-28 nr-ldpc-300-600 nr-ldpc-1000-1250 nr-ldpc-8448-9000; do
    run "$FECRUN" run --preset $preset --set stop.frames=40 --set stop.frame_errors=40 --csv r.csv --quiet
    awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "frame_errors" || $i ~ /\.frame_errors$/) c = i }
        NR == 2 { first = $c } { last = $c } END { exit !(first > 20 && last == 0) }' r.csv
    tap_check $? "$preset: the sweep goes from lost to received"
done
run "$FECRUN" run --preset dvb-s-1/2 --sweep channel.awgn.esn0_db=9 --set stop.frames=5 --json - --quiet
is 0 "with --sweep and --set, as a file"
prints '"file":"dvb-s-1/2"' "results name it"
run "$FECRUN" bench --preset wifi-he-mcs-3 --stage-only --batches 1
is 0 "bench"

# ---- Wrong uses ----
there='there are dvb-s-1/2, -2/3, -3/4, -5/6 and -7/8, nr-pusch-mcs-0 to -28, nr-ldpc-K-N with K from 12 to 8448 and N from K [+] 1 to 1000000, lte-pdsch-mcs-0 to -28, wifi-he-mcs-0 to -11$'
for name in dvb-s-4/5 nr-pusch-mcs-29 nr-pusch-mcs- nr-pusch-mcs-07 nr-ldpc-11-20 nr-ldpc-100-100 nr-ldpc-8449-9000 nr-ldpc-0100-200 nr-ldpc-100-200x wifi-he-mcs-12 lte-pdsch-mcs-29 wifi-he-mcs--1 dvb x; do
    refuses 2 "^fecrun: --preset $name: $there" run --preset $name
done
refuses 2 'run: --preset dvb-s-1/2 or .p.yaml., not both' run p.yaml --preset dvb-s-1/2
refuses 2 'list: --preset belongs to run, check, explain, bench' list --preset dvb-s-1/2
refuses 2 'run: needs FILE.yaml' run
done_testing
