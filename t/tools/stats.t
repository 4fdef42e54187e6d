#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# `fecrun run --stats`: what is called how often, that times add up, and copies stand apart.
. "$top_srcdir/t/lib/tap.sh"
without_cuda

cat >p.yaml <<'END'
fecrun: 1
batch: 25
pipeline:
  - source.random: {bits: 200}
  - conv.encode: {code: ieee80211}
  - channel.bsc: {p: 0.05}
  - llr.quantize: {type: i8, scale: 2, id: quantize-with-a-name-that-is-too-long-for-a-column, backend: ref}
  - viterbi.decode: {backend: ref}
  - sink.errors
sweep: {channel.bsc.p: [0.05, 0.1]}
stop: {frames: 1000}
END

point_counts() { sed -n '/^{"type":"point"/s/.*\("frames":.*\)"iterations_mean.*/\1/p' "$1"; }

# field STAGE NAME: of the stage in the last point of j
field() {
    sed -n '/"type":"point"/h; ${x;p;}' j | tr '{' '\n' | grep "\"stage\":\"$1\"" |
        sed "s/.*\"$2\":\([^,}]*\).*/\1/"
}

run "$FECRUN" run p.yaml --stats --threads 2 --json j
is 0 "with a table of times"
ok "behind that of the points" [ "$(grep -n '^stage' out | cut -d : -f 1)" -gt 3 ]
ok "within 80 columns" [ "$(sed -n '/^stage/,$p' out | awk 'length > 80' | wc -l)" = 0 ]
# 2 times 1000 / 25, and the first batches of a point are smaller
prints '^quantize-w~-a-column +ref +(8[0-9]|9[0-9]) ' "long names are cut"
prints '^viterbi.decode +ref +(8[0-9]|9[0-9]) ' "calls of both points"
calls=$(field viterbi.decode calls)
[ "$calls" -ge 40 ] && [ "$calls" -le 50 ]
tap_check $? "in JSON those of each: $calls"
ok "and their frames" [ "$(field viterbi.decode frames)" = 1000 ]
ok "shares add up to 1" awk -v shares="$(tr ',{}' '\n\n\n' <j | sed -n 's/"share"://p' | xargs)" '
    BEGIN { n = split(shares, s, " "); for (i in s) sum += s[i]; exit !(n > 10 && sum > 1.999 && sum < 2.001) }'
ok "and no more time than the threads had" [ -z "$(grep '"rest_seconds":-0\.[0-9]*[1-9]' j)" ]
run "$FECRUN" run p.yaml --stats --csv - --quiet
ok "CSV is as without" [ "$(head -n 1 out | grep -c stats)" = 0 ]
"$FECRUN" run p.yaml --quiet --json k
ok "counts are those of a run without" \
    [ "$(point_counts k)" = "$(point_counts j)" ]
ok "which has no times" [ -z "$(grep '"stats"' k)" ]

cat >device.yaml <<'END'
fecrun: 1
batch: 25
pipeline:
  - source.random: {bits: 200}
  - conv.encode: {code: ieee80211}
  - fake.flip: {backend: fake}
  - fake.flip: {id: again, backend: fake}
  - sink.null
stop: {frames: 100}
END
run "$FECRUN" run device.yaml --stats --plugin-dir "$FAKEDIR" --json j
is 0 "with a device"
prints '^  copy +to device +[4-9] .* GB/s$' "what goes there stands apart"
prints '^  copy +to host +[4-9] .* GB/s$' "and what comes back"
# 412 bits as bytes, 100 of them
ok "so many bytes" [ "$(tr '{' '\n' <j | grep '"bytes":41200' | wc -l)" = 2 ]

refuses 2 'stats: cannot be combined with' run p.yaml --stats --journal J
refuses 2 'stats: cannot be combined with' run p.yaml --stats --doctor
refuses 2 'compare: --stats belongs to run' compare p.yaml --stats
done_testing
