#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Sweeps: values that change together, and those of the command line.
. "$top_srcdir/t/lib/counts.sh"
without_cuda

pipeline 'source.random: {bits: 120}' 'conv.encode: {code: ieee80211}' 'modem.map: {scheme: bpsk}' \
    'channel.awgn: {ebn0_db: 2}' 'modem.demap: {}' 'llr.quantize: {scale: 4}' 'viterbi.decode: {}' \
    'sink.errors: {}' >plain.yaml
echo 'stop: {frames: 300}' >>plain.yaml
# with SWEEP: the file of that name
with() { (cat plain.yaml; echo "sweep: $2") >"$1"; }

with product.yaml '{modem.map.scheme: [qpsk, 16qam], channel.awgn.ebn0_db: [2, 6]}'
with zip.yaml '{zip: {modem.map.scheme: [qpsk, 16qam], channel.awgn.ebn0_db: [2, 6]}}'
product=$(counts product.yaml)
same "zipped values are the diagonal of their product" "$(counts zip.yaml)" "$(echo "$product" | sed -n '1p;4p')"
ok "the rows say both" sh -c 'grep -c "\"set\":{\"modem.map.scheme\":\"[a-z0-9]*\",\"channel.awgn.ebn0_db\":[26]}" out | grep -qx 2'
ok "the result file has it as the pipeline file" \
    grep -q '"sweep":{"zip":\[{"modem.map.scheme":\["qpsk","16qam"\],"channel.awgn.ebn0_db":\["2","6"\]}\]}' out
with three.yaml '{llr.quantize.scale: [2, 4], zip: {modem.map.scheme: [qpsk, 16qam], channel.awgn.ebn0_db: "2:4:6"}}'
set -- "$(counts three.yaml)" "$(counts zip.yaml --set llr.quantize.scale=2; counts zip.yaml)"
same "a zip is one sweep among others" "$1" "$2"
with zips.yaml '{zip: [{modem.map.scheme: [qpsk, 16qam], channel.awgn.ebn0_db: [2, 6]}, {llr.quantize.scale: [2, 4], viterbi.decode.traceback_start: best}]}'
ok "two zips are a product" [ "$(counts zips.yaml | wc -l)" = 4 ]
same "--set fixes one of a zip in all rows" "$(counts zip.yaml --set channel.awgn.ebn0_db=2)" \
    "$(echo "$product" | sed -n '1p;3p')"
same "or both, for a single row" "$(counts zip.yaml --set channel.awgn.ebn0_db=6 --set modem.map.scheme=16qam)" \
    "$(echo "$product" | sed -n 4p)"
refuses 2 'zip.yaml:.*sweep.zip: modem.map.scheme has 2 values, another one of the same zip has 3' \
    run zip.yaml --sweep channel.awgn.ebn0_db=1,2,3
with bad.yaml '{zip: {modem.map.scheme: [qpsk, 16qam]}}'
refuses 2 'bad.yaml:12:14: sweep.zip: must be a map of two or more .*, is shorter' run bad.yaml
with bad.yaml '{zip: 3}'
refuses 2 'sweep.zip: must be a map of two or more' run bad.yaml
with bad.yaml '{zip: {modem.map.scheme: bpsk, channel.awgn.ebn0_db: 2}, channel.awgn.ebn0_db: 3}'
refuses 2 'bad.yaml:12:65: sweep: channel.awgn.ebn0_db is swept twice' run bad.yaml

# ---- auto ----
with steps.yaml '{llr.quantize.scale: [1, 4], channel.awgn.ebn0_db: "1:1:5"}'
with auto.yaml '{llr.quantize.scale: [1, 4], channel.awgn.ebn0_db: {auto: {from: 1, step: 1, until_fer: 0.05}}}'
# rows of each scale up to the first with few errors
want=$(run_fields 'llr.quantize.scale channel.awgn.ebn0_db frames frame_errors' steps.yaml |
    awk '{ if ($1 != last) over = 0; last = $1; if (!over) print; over = over || $4 <= 0.05 * $3 }')
same "auto ends below the rate, for each value of the other sweep" \
    "$(run_fields 'llr.quantize.scale channel.awgn.ebn0_db frames frame_errors' auto.yaml)" "$want"
ok "that is not all, nor nothing" sh -c 'echo "$1" | wc -l | grep -Eqx " *[4-9]"' sh "$want"
same "with a journal, too" \
    "$(run_fields 'llr.quantize.scale channel.awgn.ebn0_db frames frame_errors' auto.yaml --journal j)" "$want"
ok "the result file has it as the pipeline file" \
    grep -q '"channel.awgn.ebn0_db":{"auto":{"from":"1","step":1.0,"to":"41","until_fer":0.05}}' out
same "--sweep goes before it" "$(counts auto.yaml --sweep channel.awgn.ebn0_db=1:1:5)" "$(counts steps.yaml)"
same "and --set" "$(counts auto.yaml --set channel.awgn.ebn0_db=5)" "$(counts steps.yaml --set channel.awgn.ebn0_db=5)"
refuses 2 'auto.yaml:12:.*: auto goes from point to point, so --shard cannot' run auto.yaml --journal j --shard 0/2
refuses 2 'compare: sweep.channel.awgn.ebn0_db: auto might end elsewhere' compare auto.yaml --a ref --b simd
with bad.yaml '{channel.awgn.ebn0_db: {auto: {from: 1, until_fer: 0.1}}, llr.quantize.scale: [1, 4]}'
refuses 2 'bad.yaml:12:.*auto must be the last sweep' run bad.yaml
with bad.yaml '{channel.awgn.ebn0_db: {auto: {from: 1, untilfer: 0.1}}}'
refuses 2 'bad.yaml:12:.*auto.untilfer: no such parameter .did you mean until_fer' run bad.yaml
with bad.yaml '{channel.awgn.ebn0_db: {auto: {from: 1}}}'
refuses 2 'bad.yaml:12:.*auto.until_fer: must be given' run bad.yaml
with bad.yaml '{channel.awgn.ebn0_db: {auto: {from: 1, until_fer: 2}}}'
refuses 2 'auto.until_fer must be between 0 and 1' run bad.yaml
with bad.yaml '{channel.awgn.ebn0_db: {walk: {from: 1}}}'
refuses 2 'bad.yaml:12:.*must be "start:step:stop", a list, a value, .auto' run bad.yaml
sed 's/sink.errors/sink.null/' auto.yaml >null.yaml
refuses 2 'null.yaml:12:.*auto wants error rates, but no sink' run null.yaml
with one.yaml '{channel.awgn.ebn0_db: {auto: {from: 1, step: 1, until_fer: 0.05}}}'
same "another --sweep goes in front of it" "$(counts one.yaml --sweep llr.quantize.scale=1,4)" "$(counts auto.yaml)"

# ---- find ----
sed -i 's/^stop: .*/stop: {frame_errors: 100}/' plain.yaml
with find.yaml '{llr.quantize.scale: [1, 4], channel.awgn.ebn0_db: {find: {fer: 0.01, tolerance_db: 0.1}}}'
# found FILE ARGUMENT...: value, lo and hi of each search
found() {
    run_fields frames "$@" >points.$1
    sed -n 's/.*"type":"found".*"value":\([^,]*\),"lo":\([^,]*\),"hi":\([^,]*\),.*/\1 \2 \3/p' out
}
found find.yaml --threads 1 >want
cp points.find.yaml rows
ok "a search for each value of the other sweep" [ "$(wc -l <want)" = 2 ]
ok "to the tolerance" awk '!($2 <= $1 && $1 <= $3 && $3 - $2 <= 0.21) { exit 1 }' want
same "as if it were alone" "$(found find.yaml --set llr.quantize.scale=4)" "$(sed -n 2p want)"
same "on any thread the same" "$(found find.yaml --threads 3; cat points.find.yaml)" "$(cat want rows)"
few='--set llr.quantize.scale=4 --set stop.frame_errors=20'
same "and any backend" "$(found find.yaml $few --backend ref; cat points.find.yaml)" \
    "$(found find.yaml $few; cat points.find.yaml)"
same "with a journal, too" "$(found find.yaml --journal jf; cat points.find.yaml)" "$(cat want rows)"
same "and again, from the journal alone" "$(found find.yaml --journal jf; cat points.find.yaml)" "$(cat want rows)"
run "$FECRUN" merge jf
ok "which is complete" sh -c '! grep -q incomplete out && [ ! -s err ]'
# At what was found the rate is what was wanted: a run of its own, of ten times the errors.
read -r value low high <<END
$(sed -n 2p want)
END
run_fields "fer_lo fer_hi" find.yaml --set llr.quantize.scale=4 --set channel.awgn.ebn0_db=$low \
    --set stop.frame_errors=1000 >low
run_fields "fer_lo fer_hi" find.yaml --set llr.quantize.scale=4 --set channel.awgn.ebn0_db=$high \
    --set stop.frame_errors=1000 >high
ok "the rate is in between" sh -c 'paste low high | awk "{ exit !(\$2 > 0.01 && \$3 < 0.01) }"'
run "$FECRUN" run find.yaml --set llr.quantize.scale=4
prints '^FER 0.01: llr.quantize.scale 4, channel.awgn.ebn0_db [0-9.]+ dB, 95 %: [0-9.]+ .. [0-9.]+$' "a line below the table"
with ber.yaml '{channel.awgn.ebn0_db: {find: {ber: 1e-3, tolerance_db: 0.1, from: 1, to: 6}}}'
ok "of bit errors, too" sh -c 'echo "$1" | awk "{ exit !(\$1 > 2 && \$1 < 4) }"' sh "$(found ber.yaml)"
with far.yaml '{channel.awgn.ebn0_db: {find: {fer: 0.01, from: -3, to: 0}}}'
run "$FECRUN" run far.yaml --json r.json
is 0 "what is not there is not found"
prints '^FER 0.01: channel.awgn.ebn0_db not found: the FER is larger even at 0$' "which is said"
ok "JSON: null" grep -q '"type":"found".*"fer":0.01,"value":null,"lo":null,"hi":null,"sure":false' r.json
ok "the result file has it as the pipeline file" \
    grep -q '"channel.awgn.ebn0_db":{"find":{"fer":0.01,"tolerance_db":0.05,"from":"-3","to":"0"}}' r.json
with near.yaml '{channel.awgn.ebn0_db: {find: {fer: 0.01, from: 8, to: 9}}}'
run "$FECRUN" run near.yaml --set stop.frame_errors=5
prints 'not found: the FER is smaller even at 8$' "on the other side, too"
refuses 2 'find.yaml:12:.*: find goes from point to point, so --shard cannot' run find.yaml --journal jf --shard 0/2
refuses 2 'compare: sweep.channel.awgn.ebn0_db: find might end elsewhere' compare find.yaml --a ref --b simd
try_find() {
    with bad.yaml "{channel.awgn.ebn0_db: {find: $2}}"
    refuses 2 "bad.yaml:12:[0-9]+: sweep.channel.awgn.ebn0_db$1" run bad.yaml
}
try_find ': find needs fer or ber, one of them' '{tolerance_db: 0.1}'
try_find ': find needs fer or ber, one of them' '{fer: 0.1, ber: 0.01}'
try_find ': find.fer must be between 0 and 1' '{fer: 1}'
try_find ': find.tolerance_db must be above 0' '{fer: 0.1, tolerance_db: 0}'
try_find ': find.from must be below find.to' '{fer: 0.1, from: 3, to: 3}'
try_find '.find.fer: must be a number' '{fer: [0.1]}'
try_find '.find.tolerance: no such parameter .did you mean tolerance_db' '{fer: 0.1, tolerance: 1}'
try_find ': has more values' '{fer: 0.1, tolerance_db: 0.00001}'
with bad.yaml '{llr.quantize.scale: {find: {fer: 0.1}}}'
refuses 2 'bad.yaml:12:[0-9]+: sweep.llr.quantize.scale: find goes along a ratio in dB' run bad.yaml
with bad.yaml '{zip: {llr.quantize.scale: [1, 4], channel.awgn.ebn0_db: {find: {fer: 0.1}}}}'
refuses 2 'bad.yaml:12:.*find must be the last sweep' run bad.yaml
sed -i 's/^stop: .*/stop: {frames: 300}/' plain.yaml

# ---- --sweep ----
set -- --sweep modem.map.scheme=qpsk,16qam --sweep channel.awgn.ebn0_db=2:4:6
same "--sweep does what the file does" "$(counts plain.yaml "$@")" "$product"
same "and replaces what it sweeps" "$(counts product.yaml --sweep channel.awgn.ebn0_db=6)" \
    "$(echo "$product" | sed -n '2p;4p')"
same "of a zip, too" "$(counts zip.yaml --sweep 'channel.awgn.ebn0_db= 6, 2')" \
    "$(echo "$product" | sed -n '2p;3p')"
sed 's/code: ieee80211/constraint_length: 7, generators: [0o133, 0o171]/' plain.yaml >free.yaml
counts free.yaml --sweep 'conv.encode.generators=[0o133, 0o171], [0o171, 0o133]' >/dev/null
ok "commas in [] belong to a value" sh -c 'grep -c "\"set\":{\"conv.encode.generators\":\"\[[0-9ox]*, [0-9ox]*\]\"}" out | grep -qx 2'
refuses 2 '--sweep channel.awgn.ebn0_db=1,,2: value 2 is missing' run plain.yaml --sweep channel.awgn.ebn0_db=1,,2
refuses 2 '--sweep channel.awgn.ebn0_db: must be NAME=' run plain.yaml --sweep channel.awgn.ebn0_db
refuses 2 '--sweep seed=1:2: .*this pipeline; seed is a setting, the same at all points$' run plain.yaml --sweep seed=1:2
refuses 2 '--sweep channel.awgm.ebn0_db=1: a swept name must be STAGE.PARAMETER' run plain.yaml --sweep channel.awgm.ebn0_db=1
refuses 2 '--sweep channel.awgn.ebn0_db=1,x: must be a number.*x' run plain.yaml --sweep channel.awgn.ebn0_db=1,x
done_testing
