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
refuses 2 '--sweep channel.awgm.ebn0_db=1: a swept name must be STAGE.PARAMETER' run plain.yaml --sweep channel.awgm.ebn0_db=1
refuses 2 '--sweep: .*channel.awgn.ebn0_db: must be a number.*x' run plain.yaml --sweep channel.awgn.ebn0_db=1,x
done_testing
