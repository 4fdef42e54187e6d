#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Outer codes behind their inner decoders, as conf/ccsds-rs.yaml and conf/dvbs2-bch.yaml have them: the outer decoder
# corrects the words in which cmp(1) counts no more errors than it has to correct, and says so of the others.
. "$top_srcdir/t/lib/counts.sh"
without_cuda

# tapped FILE FRAMES SETTING SETTING: runs the pipeline of conf/FILE, with the outer encoder's words in `sent`, the inner decoder's in
# `received`, the outer decoder's counts in `counts`, and what is counted in `result`.
tapped() {
    awk '
        /^#|^sweep|^stop/ { next }
        /(rs|bch)\.encode:/ { sub("{", "{id: words, "); print; print "  - sink.file: {id: sent, path: sent, format: raw, dtype: packed}"; coded = 1; next }
        /(conv|ldpc)\.encode:/ && coded { sub("{", "{from: words, ") }
        /(viterbi|ldpc)\.decode:/ { sub("{", "{id: inner, "); print; print "  - sink.file: {id: received, path: received, format: raw, dtype: packed}"; next }
        /(rs|bch)\.decode:/ { sub("{", "{id: outer, from: inner, "); print; print "  - sink.file: {id: counts, path: counts, format: raw, from: outer.corrected}"; next }
        /sink.errors:/ { sub("{", "{from: outer, ") }
        { print }' "$CONF/$1" | sed 's/, }/}/' >p.yaml
    shift
    run_fields 'frames failed undetected frame_errors' p.yaml --set stop.frames="$1" --set "$2" --set "$3" >result
}

# ---- CCSDS: 5 words of 255 symbols in turn, 16 of each are corrected ----
tapped ccsds-rs.yaml 200 channel.awgn.ebn0_db=2 seed=2
cmp -l sent received | awk -v frames=200 '
    { wrong[int(($1 - 1) / 1275), ($1 - 1) % 5]++ }
    END {
        for (f = 0; f < frames; f++)
            for (c = 0; c < 5; c++)
                print (wrong[f, c] > 16 ? -1 : wrong[f, c] + 0)
    }' >want
od -An -v -tf4 -w4 counts | awk '{ print $1 + 0 }' >got
run diff want got
is 0 "rs.decode corrects what cmp counts in 1000 words, and gives up above 16"
bad=$(awk '{ bad += $1 < 0; if (NR % 5 == 0) { frames += bad > 0; bad = 0 } } END { print frames + 0 }' want)
same "frames with such a word have failed, and are wrong" "$(cat result)" "200 $bad 0 $bad"
ok "some words are clean, some corrected, some not" \
    awk '{ n[$1 < 0 ? "bad" : $1 > 8 ? "many" : $1 ? "few" : "none"]++ } END { exit !(n["bad"] > 9 && n["many"] > 99 && n["few"] > 99) }' want

# ---- DVB-S2: 12 bits of a frame are corrected ----
tapped dvbs2-bch.yaml 60 channel.awgn.esn0_db=4.2 inner.iterations=10 # often not all of them
cmp -l sent received | awk -v frames=60 '
    function digits(octal) { return int(octal / 100) * 64 + int(octal % 100 / 10) * 8 + octal % 10 }
    {
        a = digits($2); b = digits($3)
        for (bit = 128; bit >= 1; bit /= 2) {
            wrong[int(($1 - 1) / 6075)] += int(a / bit) % 2 != int(b / bit) % 2
        }
    }
    END { for (f = 0; f < frames; f++) print (wrong[f] > 12 ? -1 : wrong[f] + 0) }' >want
od -An -v -tf4 -w4 counts | awk '{ print $1 + 0 }' >got
run diff want got
is 0 "bch.decode corrects what cmp counts in 60 frames, and gives up above 12"
bad=$(grep -c -e -1 want)
same "these have failed, and are wrong" "$(cat result)" "60 $bad 0 $bad"
ok "some are clean, some corrected, some not" \
    awk '{ n[$1 < 0 ? "bad" : $1 ? "few" : "none"]++ } END { exit !(n["bad"] && n["few"] > 2 && n["none"]) }' want

# ---- Frames of several sizes: each class is right alone, and all backends count the same of it ----

# classes FAMILY ROW...: a file with these rows; each has two frames in turn.
classes() {
    classes_family=$1
    shift
    printf 'fecrun: 1\nseed: 3\nblocks:\n'
    for row; do echo "  - {count: 2, $row}"; done
    printf 'pipeline:\n  - source.random: {}\n  - %s.encode: {%s}\n  - channel.bsc: {p: 0}\n' "$classes_family" "$classes_code"
    printf '  - bits.hard: {}\n  - %s.decode: {}\n  - sink.errors: {}\nstop: {frames: 120}\n' "$classes_family"
}
several() {
    same "$1: frames of several sizes come through" "$(run_fields 'frames failed frame_errors' p.yaml)" '120 0 0'
    several_want=$(run_fields 'frames failed undetected bit_errors' p.yaml --set channel.bsc.p="$2" --backend ref)
    ok "... some are failed with errors: $several_want" \
        awk -v n="$several_want" 'BEGIN { split(n, x, " "); exit !(x[1] == 120 && x[2] > 5 && x[2] < 115) }'
    same "... and as many of auto" \
        "$(run_fields 'frames failed undetected bit_errors' p.yaml --set channel.bsc.p="$2")" "$several_want"
}
classes_code='code: ccsds-255-223'
classes rs 'bits: 1784, shortened: 0, depth: 1' 'bits: 800, shortened: 123, depth: 1' 'bits: 24, shortened: 220, depth: 1' \
    'bits: 2400, shortened: 73, depth: 2' >p.yaml
several 'rs, by shortened and depth' 0.008
sed 's/bits: 800/bits: 808/' p.yaml >bad.yaml
refuses 2 'the input has 808 bits a frame and RS.132, 100. takes 800' run bad.yaml
classes_code=
classes bch 'bits: 3072, m: 14, t: 12, shortened: 13143' 'bits: 5, m: 4, t: 3, shortened: 0' \
    'bits: 205, m: 8, t: 5, shortened: 10' >p.yaml
several 'bch, by m, t and shortened' 0.004
done_testing
