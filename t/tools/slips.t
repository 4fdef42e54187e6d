#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Does fecrun compare see slips as decoders have them, and nothing where there is nothing?
. "$top_srcdir/t/lib/counts.sh"
without_cuda

mkdir plugins && ln -s "$BADDIR/product.so" plugins/
pipeline 'source.random: {bits: 49}' 'product.encode: {}' 'modem.map: {scheme: bpsk}' \
    'channel.awgn: {ebn0_db: 3}' 'modem.demap: {}' 'product.decode: {}' 'sink.errors: {}' >p.yaml
echo 'stop: {frames: 12000}' >>p.yaml
compare() { run "$FECRUN" compare p.yaml --plugin-dir plugins --a ref --accept statistical "$@"; }

for slip in edge scale fewer; do
    compare --b $slip
    is 4 "$slip: not accepted"
    prints '^[0-9]+ of 12000 frames differ; B is worse' "and B is the worse one"
done
# ---- The frames, to look at ----
compare --b edge --dump d
prints '^100 of [0-9]+ frames that differ are in d/point\*/pipeline.yaml$' "frames that differ are dumped"
run "$FECRUN" compare d/point0/pipeline.yaml --plugin-dir plugins --a ref --b edge
prints '^100 of 100 frames differ' "of which each differs again"
run "$FECRUN" compare d/point0/pipeline.yaml --plugin-dir plugins --a ref --b ref
prints '^every one of 100 frames alike' "and has what it had"
frame=$(sed -n 's/^# p.yaml, point 0, frames \([0-9]*\),.*/\1/p' d/point0/pipeline.yaml)
run "$FECRUN" run p.yaml --plugin-dir plugins --replay 0:$frame --dump one --quiet
tail -c +129 d/point0/llr.npy | head -c 256 >first
tail -c +129 one/modem.demap.out.npy >again
ok "the first one is the frame of that number" cmp first again
# Links in its place are not followed.
echo secret >secret
for name in llr.npy sent.npy pipeline.yaml; do
    mkdir -p "links/point0" && ln -s ../../secret "links/point0/$name"
    refuses 2 "^fecrun: links/point0/$name is a symbolic link; only a regular file is replaced there" \
        compare p.yaml --plugin-dir plugins --a ref --b edge --dump links
    rm -r links
done
mkdir links elsewhere && ln -s ../elsewhere links/point0
refuses 2 '^fecrun: --dump links/point0: must be a directory, not a link to one' \
    compare p.yaml --plugin-dir plugins --a ref --b edge --dump links
ok "nothing was written there" [ "$(cat secret)$(ls elsewhere)" = secret ]
echo 'blocks: [{count: 2, bits: 49}]' | cat p.yaml - >rows.yaml
refuses 2 '--dump: from product.decode on this file is not a plain chain' \
    compare rows.yaml --plugin-dir plugins --a ref --b edge --dump x
compare --b turned --json r.json
is 0 "another order of the same work is accepted"
prints '^[0-9]+ of 12000 frames differ; equally good' "though it is not the same"

# 200 comparisons of equally good decoders, as points of a sweep of which each has its own noise. A single one
# calls them different at p < 0.005.
awk 'BEGIN { for (i = 0; i < 200; i++) printf "%s%.10f", i ? "," : "", 3 + 1e-8 * i }' >values
compare --b turned --sweep "channel.awgn.ebn0_db=$(cat values)" --set stop.frames=400 --json many.json --quiet
is 0 "200 comparisons in one are accepted, too"
different=$(sed -n 's/.*"type":"compare".*"p":\([^,}]*\).*/\1/p' many.json | awk '$1 < 0.005' | wc -l)
tap_last="p < 0.005 in $different of 200"
# one is expected; more than five have a probability of 0.0006
ok "200 comparisons" [ "$(grep -c '"type":"compare"' many.json)" = 200 ]
ok "of which hardly any finds a difference ($different)" [ "$different" -le 5 ]
refuses 2 'without .* and --dump' compare many.json many.json --dump x

# ---- One edge of two tiles ----
pipeline 'source.random: {bits: 122}' 'conv.encode: {code: ieee80211}' 'modem.map: {scheme: bpsk}' \
    'channel.awgn: {ebn0_db: 3}' 'modem.demap: {}' 'llr.quantize: {type: i8, scale: 4}' \
    'viterbi.decode: {code: ieee80211}' 'sink.errors: {}' >frames.yaml
echo 'stop: {frames: 20000}' >>frames.yaml
tiles() { sed "s/decode: {code: ieee80211/&, tile: {$2}/" frames.yaml >tiles.yaml; "$FECRUN" run tiles.yaml --quiet --json "$1"; }
"$FECRUN" run frames.yaml --quiet --json whole.json
tiles right.json 'f: 64'
tiles wrong.json 'f: 64, v2: 12' # paths have not merged yet at the edge
run "$FECRUN" compare whole.json right.json --accept statistical
is 0 "tiles that overlap are as good as whole frames"
refuses 4 'whole.json and wrong.json are not equally good' compare whole.json wrong.json --accept statistical
done_testing
