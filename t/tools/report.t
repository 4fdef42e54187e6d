#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# `fecrun report`: what the page holds, that it is whole and safe, and errors; with Chromium, what its script makes of it.
. "$top_srcdir/t/lib/tap.sh"

cat >run.yaml <<'YAML'
fecrun: 1
pipeline: [source.random: {bits: 200}, conv.encode: {code: ieee80211}, modem.map: {scheme: bpsk},
    channel.awgn: {ebn0_db: 2}, modem.demap: {}, viterbi.decode: {code: ieee80211}, sink.errors: {}]
sweep: {channel.awgn.ebn0_db: [0, 1, 2, 9]}
stop: {frames: 300}
YAML
without_cuda "$FECRUN" run run.yaml --quiet --json run.json --csv run.csv
cat >bars.json <<'JSON'
{"type":"bench","stage":"viterbi.decode","backend":"simd","batch":1,"device_gbps":0.5,"end_to_end_gbps":0.25,"latency_us":{"p50":50,"p99":60}}
{"type":"bench","stage":"viterbi.decode","backend":"simd","batch":64,"device_gbps":20,"end_to_end_gbps":null,"latency_us":null}
JSON
cat >cells.json <<'JSON'
{"cell":0,"family":"ldpc","bits":60,"coded":120,"name":"one <b>","command":"map --cell 0","backends":[{"backend":"simd","points":[{"loss_decoder":[0.25,0.2,0.3],"loss_total":null,"failed_excess":0.01}]}]}
{"cell":1,"family":"ldpc","bits":33,"coded":62,"name":"two","command":"map --cell 1","backends":[{"backend":"simd","points":[{"loss_decoder":[0.5,0.4,0.6],"loss_total":null,"failed_excess":0.02}]}]}
{"cell":2,"family":"polar","bits":64,"coded":120,"name":"three","command":"map --cell 2","backends":[{"backend":"simd","points":[{"loss_decoder":[-0.1,-0.2,0.1],"loss_total":null,"failed_excess":0}]}]}
{"cell":3,"family":"turbo","bits":1000,"coded":1000,"name":"four","command":"map --cell 3","backends":[{"backend":"simd","not_taken":"max-log only","points":[]}]}
JSON
cat >speeds.json <<'JSON'
{"cell":7,"bits":4096,"coded":8192,"group":"viterbi","like":"8.0","batch":64,"kernel":"streams","refused":"","gbps":2.0,"rate":10.0}
{"cell":8,"bits":40,"coded":50,"group":"viterbi","like":"","batch":1,"kernel":"one frame","refused":"","gbps":0.1,"rate":2.0}
{"cell":9,"bits":40,"coded":500,"group":"viterbi","like":"","batch":1,"kernel":"","refused":"no kernel","gbps":0.0,"rate":0.0}
JSON
run "$FECRUN" compare run.json run.json --quiet --json both.json

run "$FECRUN" report run.json bars.json both.json cells.json speeds.json -o a.html --title 'A </script><b>title & more'
is 0 "a page"
ok "on standard output there is nothing" [ ! -s out ]
ok "which begins as HTML" [ "$(head -n 1 a.html)" = '<!DOCTYPE html>' ]
ok "and ends" [ "$(tail -n 1 a.html)" = '</html>' ]
ok "no address of a network, but SVG's name" sh -c '! grep -o "https\{0,1\}://[^\"'"'"' ]*" a.html | grep -v "^http://www.w3.org/2000/svg$"'
ok "and the browser is told to load none" grep -q "default-src 'none'" a.html
ok "no title is markup" [ "$(grep -c '<b>' a.html)" = 0 ]
ok "three scripts end" [ "$(grep -c '</script>' a.html)" = 2 ]
sed -n 's/.*id="results">\(.*\)<\/script>/\1/p' a.html >data.json
ok "its data have every point" [ "$(grep -o '"type":"point"' data.json | wc -l)" = 4 ]
ok "and the counts of the run" sh -c 'count=$(grep -o "\"frame_errors\":[0-9]*,\"ber\":[^,]*" run.json | head -n 1) && grep -qF "$count" data.json'
ok "and the pipeline" grep -q '"pipeline":\[{"source.random"' data.json
ok "and the speeds" grep -q '"label":"batch 64","values":\[20.0,null\]' data.json
ok "and the verdict" grep -q '"type":"compared"' data.json
run "$FECRUN" report run.csv -o -
is 0 "a CSV, to standard output"
ok "which is the page" grep -q '"series":\[{"label":"run"' out

# ---- --html: the same page at once ----
wanted() { # A B: the pages differ in labels and run times at most
    for file in "$1" "$2"; do
        sed -n 's/.*id="results">\(.*\)<\/script>/\1/p' "$file" | grep -o '"type":"[a-z]*"\|"frame_errors":[0-9]*\|"label":"[^"]*"' >"$file.said"
    done
    cmp -s "$1.said" "$2.said" && [ "$(wc -l <"$1.said")" -gt 4 ]
}
run "$FECRUN" run run.yaml --html h.html --set stop.frames=200
is 0 "run --html"
prints '^ *9\.000 .*200' "with the table"
ok "nothing else is left" sh -c '! ls | grep -v "\.html$" | grep h\\.html'
run "$FECRUN" run run.yaml --quiet --json h.json --set stop.frames=200
run "$FECRUN" report h.json --label run.yaml -o of_json.html
ok "the page that report makes of the run's results" wanted h.html of_json.html
run "$FECRUN" run run.yaml --quiet --json two.json --html two.html --set stop.frames=200
ok "... and beside --json" wanted two.html of_json.html
ok "whose file is whole" grep -q '"type":"end","status":0' two.json
run "$FECRUN" run --preset dvb-s-1/2 --quiet --html preset.html --sweep channel.awgn.esn0_db=9 --set stop.frames=5
ok "a preset has its name" grep -q '"label":"dvb-s-1/2"' preset.html
run "$FECRUN" bench run.yaml --stage-only --batches 1 --html bench.html --quiet
is 0 "bench --html"
ok "has bars" grep -q '"label":"run.yaml: viterbi.decode [a-z]*, batch 1"' bench.html
run "$FECRUN" compare run.yaml --a ref --b simd --set stop.frames=20 --html compared.html --quiet
is 0 "compare --html"
ok "has the verdict" grep -q '"type":"compared"' compared.html
refuses 2 '^fecrun: --html x.pdf: must end in .html$' run run.yaml --html x.pdf
refuses 2 '^fecrun: --html -: must be a file' run run.yaml --html -
refuses 2 '^fecrun: --html x.html: needs --json to be a file' run run.yaml --html x.html --json -
refuses 2 '^fecrun: --html: cannot be combined with --doctor' run run.yaml --html x.html --doctor
refuses 2 'none/x.html: No such file' run run.yaml --html none/x.html
refuses 2 'list: --html belongs to' list --html x.html
echo old >old.html
refuses 2 'no such parameter' run run.yaml --html old.html --set viterbi.decode.x=1
ok "a page that was there is still there" [ "$(cat old.html)" = old ]
mkdir -p within
refuses 2 'html' run run.yaml --restrict within --html x.html

refuses 2 'report: needs -o FILE.html' report run.json
refuses 2 'a.pdf: must end in .html' report run.json -o a.pdf
refuses 2 'cannot read none: No such file' report none -o a.html
echo 'fecrun: 1' >bad.json
refuses 2 'bad.json:1: is not a result file' report bad.json -o a.html
refuses 2 'label b: there are 1 result files' report run.json -o a.html --label a --label b
refuses 2 'report: --ber belongs to plot' report run.json -o a.html --ber
refuses 2 'needs RESULT.json' report -o a.html
cp run.json run.html
refuses 2 'run.html: is the result file run.html' report run.html -o run.html
ok "which is as it was" cmp run.json run.html

browser=$(command -v chromium || command -v chromium-browser) || browser=
if [ -z "$browser" ]; then
    skip 16 "no Chromium"
    done_testing
    exit
fi
# page WIDTH: what the page has become, an element a line
page() {
    timeout 100 "$browser" --headless --no-sandbox --disable-gpu --window-size="$1",1000 --user-data-dir="$PWD/profile" \
        --dump-dom "file://$PWD/a.html" 2>/dev/null | awk '/<main>/ { on = 1 } on' | sed 's/></>\n</g' >dom
    sed -i '/id="results"/,$d' dom
}
count() { grep -c "$1" dom; }
page 1600
ok "a curve of three points" [ "$(count 'circle class="point"')" = 3 ]
ok "each with its interval" [ "$(count 'path class="interval"')" = 3 ]
ok "an arrow where there are no errors" [ "$(count 'path class="arrow"')" = 1 ]
ok "counts to hover over" [ "$(count '^300 frames, [0-9]* wrong, [0-9]* wrong bits')" = 4 ]
ok "the limits" [ "$(count 'path class="limit"')" = 2 ]
ok "a legend that switches" [ "$(count 'button type="button" aria-pressed="true"')" = 1 ]
ok "bars" [ "$(count 'class="bar')" -ge 5 ]
ok "the verdict" grep -q 'class="verdict">.*every count alike' dom
ok "a map of losses has a field for each size and rate, one of speeds, too" [ "$(count 'class="field ')" = 6 ]
# fields CLASS: the texts in these fields, sorted
fields() {
    tr '\n' ' ' <dom | sed 's/class="field /\n&/g' | sed -n "s/^class=\"field $1\".*class=\"value[^>]*>\([^<]*\)<.*/\1/p" |
        sort | paste -s -d ' '
}
ok "the worst cell of a field" [ "$(fields shade9)" = '0.5 5' ]
ok "a gain is shown as 0, the best of its group as 1" [ "$(fields shade0)" = '0 1' ]
ok "cells that were not measured" [ "$(fields none)" = '- -' ]
prints_dom() { tr '\n' ' ' <dom | grep -q "$1"; }
ok "a field says how many cells, the worst one and its command" \
    prints_dom '2 cells, 2 measured worst loss of the decoder, dB: 0.5 cell 1: two map --cell 1"'
ok "and why there is none" prints_dom '1 cells, 0 measured no kernel"'
# What the page says of repeating gives the same counts.
awk '/<pre class="repeat">/ { on = 1 } on { print } /<\/pre>/ { exit }' dom |
    sed 's/<[^>]*>//g; s/&quot;/"/g; s/&amp;/\&/g' >again.yaml
without_cuda "$FECRUN" run again.yaml --quiet --json again.json
counts() { grep -o '"bit_errors":[0-9]*,"frame_errors":[0-9]*' "$1"; }
counts run.json >want
counts again.json >got
ok "its pipeline repeats the counts" cmp want got
page 500
ok "a narrow page has the curve too" [ "$(count 'circle class="point"')" = 3 ]
done_testing
