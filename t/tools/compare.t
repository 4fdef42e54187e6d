#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# fecrun compare: the same frames, paired counts, the verdict, exit status 4.
. "$top_srcdir/t/lib/tap.sh"
without_cuda

# ---- Equal backends ----
cat >viterbi.yaml <<END
fecrun: 1
seed: 3
pipeline:
  - source.random: {bits: 200}
  - conv.encode: {code: ieee80211}
  - modem.map: {scheme: bpsk}
  - channel.awgn: {ebn0_db: 2}
  - modem.demap: {}
  - llr.quantize: {type: i8, scale: 4}
  - viterbi.decode: {code: ieee80211}
  - sink.errors: {}
sweep: {channel.awgn.ebn0_db: [1, 2, 3, 4]}
stop: {frame_errors: 20, frames: 300}
END
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

# ---- What cannot be compared ----
refuses 2 'needs --a BACKEND and --b BACKEND' compare viterbi.yaml --a ref
refuses 2 'unknown backend .smid.' compare viterbi.yaml --a ref --b smid
refuses 2 '--accept same: must be exact or statistical' \
    compare viterbi.yaml --a ref --b simd --accept same
refuses 2 '--fer 1.5: must be a number between 0 and 1' \
    compare viterbi.yaml --a ref --b simd --fer 1.5
refuses 2 'not standard input' compare - --a ref --b simd
refuses 2 '--accept belongs to compare' run viterbi.yaml --accept exact
sed 's/sink.errors: {}/sink.null: {}/' viterbi.yaml >null.yaml
refuses 2 'no sink of this file counts errors' compare null.yaml --a ref --b simd
sed '/^sweep/d; s/sink.errors: {}/sink.file: {path: x.npy}/' viterbi.yaml >file.yaml
refuses 2 'sink.file writes a file; it would twice' compare file.yaml --a ref --b simd
ok "and nothing was written" [ ! -e x.npy ]
done_testing
