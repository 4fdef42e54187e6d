#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# fecrun compare: the same frames, paired counts, the verdict, exit status 4.
. "$top_srcdir/t/lib/counts.sh"
without_cuda

# ---- Equal backends ----
viterbi_link 'scale: 4' '1, 2, 3, 4' 'frame_errors: 20, frames: 300' 3 >viterbi.yaml
run "$FECRUN" compare viterbi.yaml --a ref --b simd --accept exact --json r.json
is 0 "ref and simd of Viterbi are alike in every frame"
prints '^A: ref, B: simd; the same frames' "the head says which is which"
prints '^every one of [0-9]+ frames alike' "and the last line what came out"
prints 'B needs \+0\.000 dB' "no gap in dB"
run "$FECRUN" run viterbi.yaml --backend ref --quiet --json run.json
paste run.json r.json | awk '
    { split($0, side, "\t") }
    side[1] ~ /"type":"point"/ { if (match(side[1], /"frames":[0-9]+/)) want[++n] = substr(side[1], RSTART, RLENGTH) }
    side[2] ~ /"type":"compare"/ { if (match(side[2], /"frames":[0-9]+/)) got[++m] = substr(side[2], RSTART, RLENGTH) }
    END { bad = n != 4 || m != 4; for (i = 1; i <= n; i++) bad += want[i] != got[i]; exit bad }'
tap_check $? "the frames of each point are those of a run, stop rules and all"
ok "JSON: a line a point" [ "$(grep -c '"type":"compare"' r.json)" = 4 ]
ok "JSON: the verdict" grep -q '"type":"compared".*"every_frame_alike":true,"equally_good":true' r.json

# ---- Unequal ones ----
cat >faulty.yaml <<END
fecrun: 1
pipeline:
  - source.random: {bits: 64}
  - faulty.encode: {}
  - modem.map: {scheme: bpsk}
  - channel.awgn: {esn0_db: 3}
  - modem.demap: {}
  - faulty.decode: {}
  - sink.errors: {}
stop: {frames: 2000, frame_errors: 100000}
END
run "$FECRUN" compare faulty.yaml --plugin-dir "$BADDIR" --a ref --b near-worse
is 0 "a difference is no failure unless one says what to accept"
prints '^[0-9]+ of 2000 frames differ; B is worse' "the worse one is named"
run "$FECRUN" compare faulty.yaml --plugin-dir "$BADDIR" --a near-worse --b ref
prints 'A is worse' "... on either side"
refuses 4 'ref and near-worse are not equally good: [0-9]+ frames only' \
    compare faulty.yaml --plugin-dir "$BADDIR" --a ref --b near-worse --accept statistical
refuses 4 'compare: [0-9]+ of 2000 frames differ' \
    compare faulty.yaml --plugin-dir "$BADDIR" --a ref --b near-worse --accept exact
run "$FECRUN" compare faulty.yaml --plugin-dir "$BADDIR" --a ref --b near --accept statistical --quiet
is 0 "a fair one is accepted"
ok "--quiet prints nothing" [ ! -s out ]

# ---- Two results ----
run "$FECRUN" run viterbi.yaml --quiet --backend ref --json ref.json
run "$FECRUN" run viterbi.yaml --journal j --quiet
run "$FECRUN" merge j --quiet --json merged.json
run "$FECRUN" compare ref.json merged.json --accept exact --json r.json
is 0 "results of a run and of a journal, of other backends: alike"
prints '^every count alike$' "in words"
ok "and in JSON" grep -q '"type":"compared","a":"ref.json","b":"merged.json","points":4,"only_in_a":0,"only_in_b":0,"differ":"","same_frames":true,"every_count_alike":true,"equally_good":true' r.json
ok "no line is longer than a terminal" awk 'length > 80 { exit 1 }' out
run "$FECRUN" run viterbi.yaml --quiet --set seed=4 --sweep channel.awgn.ebn0_db=1:1:5 --json other.json
run "$FECRUN" compare ref.json other.json --fer 0.2
is 0 "other frames are compared"
prints '^other frames; equally good \(level 1 %, p = ' "and called other frames"
prints '^1 points are in other.json alone' "points that one has are counted"
prints '^at a frame error rate of 0.2 B needs [-+]0.[0-9]+ dB' "the gap between curves"
refuses 4 'compare: counts differ, and were not of the same frames' compare ref.json other.json --accept exact
run "$FECRUN" run viterbi.yaml --quiet --set stop.frame_errors=200 --set stop.frames=20000 --set llr.quantize.scale=0.4 --json bad.json
run "$FECRUN" run viterbi.yaml --quiet --set stop.frame_errors=200 --set stop.frames=20000 --json good.json
refuses 4 'good.json and bad.json are not equally good: p = ' compare good.json bad.json --accept statistical
prints '^stages behind the channel\[5\].llr.quantize.scale: 4.0, here 0.4' "what differs is named"
run "$FECRUN" run viterbi.yaml --quiet --set source.random.bits=100 --json sent.json
refuses 2 'ref.json and sent.json: what is sent differs.*: stages\[0\].source.random.bits: 200, here 100' \
    compare ref.json sent.json
run "$FECRUN" run viterbi.yaml --quiet --sweep llr.quantize.scale=2,4 --json more.json
refuses 2 'no point is in both: the swept parameters' compare ref.json more.json
refuses 2 'compare: viterbi.yaml:1:[0-9]+: is not JSON' compare ref.json viterbi.yaml
refuses 2 'compare: r.json: results of bench or compare' compare ref.json r.json
refuses 2 'compare: none.json: No such file' compare ref.json none.json
refuses 2 'compare: cannot read .: Is a directory' compare ref.json .
number=$(grep -n '"type":"point"' ref.json | sed -n '2s/:.*//p')
sed "${number}s/\"frame_errors\":[0-9]*/\"frame_errors\":100000/" ref.json >wrong.json
for files in "ref.json wrong.json" "wrong.json ref.json" "wrong.json wrong.json"; do
    refuses 2 "compare: wrong.json:$number: frame_errors is 100000: must be 0 to [0-9]*, which is frames" compare $files
done
sed "${number}s/\"bit_errors\":[0-9]*/\"bit_errors\":-1/" ref.json >wrong.json
refuses 2 "compare: wrong.json:$number: bit_errors is -1: must be 0 to [0-9]*, which is bits" compare ref.json wrong.json
echo '{"type":"run"}' >empty.json
refuses 2 'compare: empty.json: no results of run or merge' compare ref.json empty.json
refuses 2 'compare: two result files, not 3' compare ref.json ref.json ref.json
refuses 2 'compared as they are, without --a' compare ref.json ref.json --a simd

# ---- What cannot be compared ----
refuses 2 'needs --a BACKEND and --b BACKEND' compare viterbi.yaml --a ref
refuses 2 '^fecrun: --b smid: backend: unknown backend .smid.' compare viterbi.yaml --a ref --b smid
refuses 2 '--accept same: must be exact or statistical' \
    compare viterbi.yaml --a ref --b simd --accept same
refuses 2 '--fer 1.5: must be a number between 0 and 1' \
    compare viterbi.yaml --a ref --b simd --fer 1.5
refuses 2 'which standard input does not allow' compare - --a ref --b simd
refuses 2 '--accept belongs to compare' run viterbi.yaml --accept exact
sed 's/sink.errors: {}/sink.null: {}/' viterbi.yaml >null.yaml
refuses 2 'no sink of this file counts errors' compare null.yaml --a ref --b simd
sed '/^sweep/d; s/sink.errors: {}/sink.file: {path: x.npy}/' viterbi.yaml >file.yaml
refuses 2 'sink.file writes a file, and would write it twice' compare file.yaml --a ref --b simd
ok "and nothing was written" [ ! -e x.npy ]
done_testing
