#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Pictures of `fecrun plot`: no text lies over another, and none leaves the picture. The places are those of
# gnuplot's SVG; a letter counts as 0.6 of its font's size wide.
. "$top_srcdir/t/lib/tap.sh"

if ! command -v gnuplot >/dev/null 2>&1; then
    lacks plot 1 "no gnuplot"
    done_testing
    exit
fi

cat >boxes.awk <<'END_AWK'
# Prints each pair of texts that overlap, and each one outside the picture.
function number(text, name, n, part) {
    n = split(text, part, name)
    return n > 1 ? part[2] + 0 : 0
}
/viewBox=/ { split($0, view, "[\" ]+"); for (i in view) if (view[i] ~ /viewBox/) { width = view[i + 3]; height = view[i + 4] } }
/translate\(/ {
    at = $0; sub(/.*translate\(/, "", at); split(at, xy, /[,)]/)
    size = number($0, "font-size=\"")
    turned = /rotate\(270\)/
    anchor = /"middle"/ ? 0.5 : /"end"/ ? 1 : 0
}
/<text>/ {
    text = $0
    gsub(/<[^>]*>/, "", text); gsub(/&[a-z]*;/, "x", text); sub(/^[ \t]+/, "", text); sub(/ +$/, "", text)
    if (text == "") next
    n++
    long = 0.6 * size * length(text)
    name[n] = text
    if (turned) {
        l[n] = xy[1] - 0.75 * size; r[n] = xy[1] + 0.2 * size
        t[n] = xy[2] - (1 - anchor) * long; b[n] = xy[2] + anchor * long
    } else {
        l[n] = xy[1] - anchor * long; r[n] = l[n] + long
        t[n] = xy[2] - 0.75 * size; b[n] = xy[2] + 0.2 * size
    }
}
END {
    for (i = 1; i <= n; i++) {
        if (l[i] < -1 || t[i] < -1 || r[i] > width + 1 || b[i] > height + 1)
            printf "outside: %s\n", name[i]
        for (k = 1; k < i; k++)
            if (l[i] < r[k] && l[k] < r[i] && t[i] < b[k] && t[k] < b[i])
                printf "overlap: %s / %s\n", name[k], name[i]
    }
    if (n < 5 || !width) print "no texts read: " n
}
END_AWK

# clean NAME FILE... [OPTION...]
clean() {
    name=$1
    shift
    run "$FECRUN" plot "$@" -o a.svg
    [ "$status" = 0 ] && awk -f boxes.awk a.svg >found || cat err >found
    sed 's/^/# /' found
    ok "$name" [ ! -s found ]
}

# points CURVES STEPS FROM TO: FER falls from 1, to none in the last step
points() {
    echo '{"type":"run","pipeline":[{"modem.map":{"scheme":"bpsk"}}]}'
    awk -v curves="$1" -v steps="$2" -v from="$3" -v to="$4" 'BEGIN {
        for (c = 1; c <= curves; c++) for (k = 0; k < steps; k++) {
            x = from + (to - from) * k / (steps - 1 + (steps == 1))
            fer = k == steps - 1 && steps > 1 ? 0 : exp(-k * 1.5 / c)
            printf "{\"type\":\"point\",\"set\":{\"turbo.decode.iterations\":%d,\"channel.awgn.ebn0_db\":%g},", c, x
            printf "\"ebn0_db\":%g,\"esn0_db\":%g,\"frames\":100,\"bits\":10000,", x, x - 3.0103 + c % 3
            printf "\"ber\":%g,\"fer\":%g,\"fer_lo\":%g,\"fer_hi\":%g}\n", fer / 9, fer, fer * 0.8, fer ? (fer * 1.2 > 1 ? 1 : fer * 1.2) : 0.004
        }
    }'
}
for curves in 1 3 6 12; do
    for steps in 1 2 9; do
        points $curves $steps 0 4 >r.json
        clean "$curves curves of $steps points" r.json
        clean "with limits" r.json --guides --title 'One line above it'
        clean "with limits and BPSK" r.json --guides --ber
    done
done
points 3 9 0 0.001 >r.json
clean "an axis of thousandths" r.json --guides
points 3 9 -100 100 >r.json
clean "an axis of hundreds" r.json --guides
points 3 5 0 4 >r.json
clean "a small picture" r.json --guides --title Small --size 520x420
clean "a smaller one" r.json --guides --size 400x300
clean "a wide one" r.json --guides --size 1600x900
sed 's/"fer":[^,]*,"fer_lo":[^,]*,/"fer":1,"fer_lo":0.9,/; s/"fer_hi":[^}]*/"fer_hi":1/' r.json >ones.json
clean "all frames wrong" ones.json
for n in 1 2 9; do
    for i in $(seq $n); do
        echo '{"type":"bench","stage":"viterbi.decode","backend":"simd","batch":'$((1 << i))',"device_gbps":'$i',"end_to_end_gbps":0.25,"latency_us":{"p50":'$((i * 50))',"p99":'$((i * 60))'}}'
    done >b.json
    clean "$n bars" b.json
    clean "$n bars and a title" b.json --title 'Speeds of viterbi.decode'
    clean "twice, of two files" b.json b.json --label 'the old one' --label 'the new one'
done

# The test finds what it is for.
sed 's/translate(\([0-9.]*\),[0-9.]*)" stroke/translate(\1,23.7)" stroke/' a.svg >moved.svg
ok "texts at one height are found" sh -c 'awk -f boxes.awk moved.svg | grep -q overlap'
done_testing
