#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# run --journal, --shard, --replay and merge: whatever happens, the counts are those of one run.
. "$top_srcdir/t/lib/counts.sh"
. "$top_srcdir/t/lib/kills.sh"
without_cuda

viterbi_link 'scale: 4' '1, 3, 3.5' 'frame_errors: 100' 3 >v.yaml
all='frames bits bit_errors frame_errors ber_lo ber_hi stop'
want=$(run_fields "$all" v.yaml --threads 1)

# Of the directory, by its own means.
merged() {
    "$FECRUN" merge "$1" --quiet --json out 2>err || echo "status $?: $(cat err)"
    fields "$all" <out
}

# ---- One process ----
same "with a journal as without" "$(run_fields "$all" v.yaml --journal one)" "$want"
same "and merge says the same" "$(merged one)" "$want"
files=$(ls one | wc -l)
same "again: nothing is left to do" "$(run_fields "$all" v.yaml --journal one --threads 1)" "$want"
ok "and nothing is written" [ "$(ls one | wc -l)" = "$files" ]
ok "a line names its frames, its wrong ones and who made it" \
    grep -q '"first":0,"n":.*"backend":"ref+simd".*"host":".*"wrong":\[[0-9]' one/*.jsonl
run "$FECRUN" run v.yaml --journal one --json out --quiet
ok "the result file names the journal" grep -q '"journal":{"dirs":\["one"\],"id":"[0-9a-f]\{64\}"' out

# Larger rules and more points go on, smaller ones use a part.
more=$(run_fields "$all" v.yaml --set stop.frame_errors=150)
same "a larger rule extends it" \
    "$(run_fields "$all" v.yaml --journal one --set stop.frame_errors=150)" "$more"
same "a smaller one ends where it does alone" "$(run_fields "$all" v.yaml --journal one)" "$want"
same "another rule, too" "$(run_fields "$all" v.yaml --journal one --set stop.frame_errors=37 --set stop.frames=900)" \
    "$(run_fields "$all" v.yaml --set stop.frame_errors=37 --set stop.frames=900)"
set -- --set channel.awgn.ebn0_db=2
same "another point joins" "$(run_fields "$all" v.yaml --journal one "$@")" "$(run_fields "$all" v.yaml "$@")"
ok "which merge puts in its place" \
    [ "$("$FECRUN" merge one --json - 2>/dev/null | sed -n 's/.*"set":{"[^:]*":\([0-9.]*\)}.*/\1/p' | tr '\n' ' ')" = "1 2 3 3.5 " ]
same "batch, threads and backends are no matter" \
    "$(run_fields "$all" v.yaml --journal one --backend ref --set batch=17 --threads 3 --set stop.frame_errors=160)" \
    "$(run_fields "$all" v.yaml --set stop.frame_errors=160)"

# ---- Four processes, killed ----
kill_shards 5 v.yaml kill 300
fill_disk v.yaml kill
ok "on a full disk shards fail" [ "$(sort -u full.status)" = 1 ]
kill_shards 5 v.yaml kill 300
cut_journal kill
end_shards v.yaml kill
is_ended() { [ "$ended" = 0 ]; }
ok "four shards, killed ten times, cut, and then left alone, end well" is_ended
same "with the counts of one thread" "$(merged kill)" "$want"
same "as does one process that goes on from there" "$(run_fields "$all" v.yaml --journal kill)" "$want"

# ---- Many starts ----
# A process with nothing to do removes its file, which others may have listed before.
viterbi_link 'scale: 4' '1' 'frames: 200' 3 >short.yaml
run "$FECRUN" run short.yaml --journal busy --quiet
starts=0 failed=0 until=$(($(date +%s) + 20))
while [ $starts -lt 240 ] && [ "$(date +%s)" -lt $until ]; do
    pids=
    for part in 0/3 1/3 2/3; do
        "$FECRUN" run short.yaml --journal busy --threads 1 --quiet --shard $part 2>>busy.err &
        pids="$pids $!"
        "$FECRUN" run short.yaml --journal busy --threads 1 --quiet 2>>busy.err &
        pids="$pids $!"
    done
    "$FECRUN" merge busy --quiet 2>>busy.err &
    for pid in $pids $!; do
        starts=$((starts + 1))
        wait "$pid" || failed=$((failed + 1))
    done
done
same "runs, shards and merges of one journal at once: all end well" "$failed $(head -n 3 busy.err)" "0 "
tap_last="$starts starts"
ok "each started at least once" [ "$starts" -ge 7 ]
ok "and the files that say nothing are gone" [ "$(ls busy/*.jsonl | wc -l)" = 1 ]

# ---- Shards apart, without a disk in common ----
sed -i 's/stop: .*/stop: {frames: 5000}/' v.yaml
want=$(run_fields "$all" v.yaml)
for i in 0 1 2; do
    run "$FECRUN" run v.yaml --journal apart.$i --shard $i/3
done
is 0 "a shard alone does its part"
says 'channel.awgn.ebn0_db=1: not complete: frames 0 to [0-9]+ are missing; [0-9]+ after them are kept' \
    "and says what is missing"
prints 'incomplete$' "in the table, too"
run "$FECRUN" merge apart.0 apart.1 apart.2 --quiet --json out
same "merged they are one run" "$(fields "$all" <out)" "$want"
run "$FECRUN" merge apart.1 apart.2
prints '^ *1.000 .* 0 .*incomplete' "without one of them nothing is complete"

# ---- Rows of blocks ----
cat >rows.yaml <<END
fecrun: 1
blocks:
  - {cell: 1, user: near, count: 3, bits: 40}
  - {cell: 1, user: far,  count: 2, bits: 90}
pipeline:
  - source.random: {bits: 40}
  - conv.encode: {code: ieee80211}
  - channel.bsc: {p: 0.06}
  - viterbi.decode: {code: ieee80211}
  - sink.errors: {}
stop: {frame_errors: 33}
END
run_fields users rows.yaml --journal rows >/dev/null
same "rows of blocks go on where a batch begins" \
    "$(run_fields "$all" rows.yaml --journal rows --set stop.frame_errors=91)" \
    "$(run_fields "$all" rows.yaml --set stop.frame_errors=91)"
run "$FECRUN" merge rows
cp out merged.table
run "$FECRUN" run rows.yaml --set stop.frame_errors=91
same "with their users" "$(grep user merged.table)" "$(grep user out)"

# ---- What merge and run refuse ----
refuses 2 'kill/pipeline.json: the journal of another pipeline: seed: 3, here 4' \
    run v.yaml --journal kill --set seed=4
refuses 2 'another pipeline: pipeline\[5\].llr.quantize.scale: 4.0, here 5.0' \
    run v.yaml --journal kill --set llr.quantize.scale=5
refuses 2 'one and rows/pipeline.json: journals of different pipelines' merge one rows
refuses 2 'nowhere/pipeline.json: is not a journal: No such file' merge nowhere
cp -r one twice
sed 's/"bit_errors":[0-9]*/"bit_errors":5/; s/,"crc32c":"[0-9a-f]*"//' "$(grep -l '"first":0' one/*.jsonl | head -n 1)" >twice/other.jsonl
refuses 1 'twice/[^ ]*jsonl:[0-9]+ and twice/[^ ]*jsonl:[0-9]+: both are frames 0 to .*with other counts' merge twice
refuses 1 'both are frames 0 to' run v.yaml --journal twice
cp -r one same
cat one/*.jsonl >same/copy.jsonl
run "$FECRUN" merge same
is 0 "duplicates that agree are fine"
cp -r one foreign
cat rows/*.jsonl >foreign/rows.jsonl
refuses 1 'foreign/rows.jsonl:1: of another pipeline: id' merge foreign
cp -r one new
sed 's/"format": 1/"format": 2/' one/pipeline.json >new/pipeline.json
refuses 2 'new/pipeline.json: a journal of format 2; this program knows format 1' merge new
cp -r one damaged
echo 'no line' >>"$(ls damaged/*.jsonl | head -n 1)"
run "$FECRUN" merge damaged
is 0 "what cannot be read does not count"
says 'warning: damaged/.*jsonl:[0-9]+: not a line of a journal' "and is told"

# Backends that are only near each other may differ in single frames.
cat >ldpc.yaml <<END
fecrun: 1
pipeline:
  - source.random: {bits: 324}
  - ldpc.encode: {code: wifi, n: 648, rate: 1/2}
  - modem.map: {scheme: bpsk}
  - channel.awgn: {ebn0_db: 1}
  - modem.demap: {}
  - llr.quantize: {type: i8, scale: 8}
  - ldpc.decode: {}
  - sink.errors: {}
stop: {frames: 200}
END
run "$FECRUN" run ldpc.yaml --journal near --backend simd
is 0 "such a backend has a journal, too"
refuses 2 'near: its results are from other backends, .* ldpc.decode: "simd", here nothing' \
    run ldpc.yaml --journal near --backend ref
run env FECRUN_ISA=generic "$FECRUN" run ldpc.yaml --journal near --backend simd
is 0 "instruction sets are no matter where LLRs are integers"
refuses 2 'near: its results are from other backends, .* ldpc.decode: "simd", here "simd low"' \
    run ldpc.yaml --journal near --backend simd --set latency=low
refuses 2 'near: its results are from other backends, .* ldpc.decode: "simd", here "simd layout=block"' \
    run ldpc.yaml --journal near --backend simd --set ldpc.decode.tune.layout=block
run "$FECRUN" run ldpc.yaml --journal near --backend simd --set ldpc.decode.tune.layout=auto \
    --set ldpc.decode.tune.isa=generic
is 0 "but the default, and instruction sets, written in the file, are no matter"
run "$FECRUN" run "$top_srcdir/conf/turbo-lte.yaml" --journal bytes --set turbo.decode.tune.arithmetic=i8 \
    --set stop.frames=20 --set channel.awgn.ebn0_db=0.5 --backend simd
is 0 "a journal of bytes"
refuses 2 'bytes: its results are from other backends, .* turbo.decode: "simd arithmetic=i8", here "simd arithmetic=i16"' \
    run "$top_srcdir/conf/turbo-lte.yaml" --journal bytes --set turbo.decode.tune.arithmetic=i16 \
    --set stop.frames=40 --set channel.awgn.ebn0_db=0.5 --backend simd
run "$FECRUN" run "$top_srcdir/conf/turbo-lte.yaml" --journal words --set turbo.decode.tune.arithmetic=i16 \
    --set stop.frames=20 --set channel.awgn.ebn0_db=0.5 --backend simd
refuses 1 'other backends, which are only near each other, made other lines of the point' merge bytes words
run "$FECRUN" run ldpc.yaml --journal far --backend ref
refuses 1 'other backends, which are only near each other, made other lines of the point' merge near far
sed '/llr.quantize/d' ldpc.yaml >real.yaml
run "$FECRUN" run real.yaml --journal real --backend ref
ok "what decides on real LLRs is such a backend" grep -q '"near":{"ldpc.decode":"ref"}' real/*.jsonl
mkdir moved && cp -r v.yaml moved
same "the same file elsewhere is the same pipeline" \
    "$(run_fields frames moved/v.yaml --journal kill)" "$(run_fields frames v.yaml)"

refuses 2 '--shard 4/4: must be I/N' run v.yaml --journal x --shard 4/4
refuses 2 '--shard: needs --journal' run v.yaml --shard 0/4
refuses 2 '--shard belongs to run' merge one --shard 0/4
refuses 2 'merge: needs DIR' merge
touch plain
refuses 2 'cannot write plain/pipeline.json: Not a directory' run v.yaml --journal plain
if [ "$(id -u)" != 0 ]; then
    mkdir locked && chmod a-w locked
    refuses 2 'cannot write locked/pipeline.json: Permission denied' run v.yaml --journal locked
else
    skip 1 "the superuser may write everywhere"
fi
cat >stream.yaml <<END
fecrun: 1
pipeline:
  - source.random: {bits: 2000, stream: true}
  - conv.encode: {code: ieee80211, termination: continuous}
  - channel.bsc: {p: 0.05}
  - viterbi.decode: {}
  - sink.errors: {}
stop: {frames: 100}
END
refuses 2 'stream.yaml:3:5: source.random: is a stream, so --journal cannot begin in its middle' \
    run stream.yaml --journal x
sed '/^sweep/d; s/sink.errors: {}/sink.file: {path: x.npy}/' v.yaml >file.yaml
refuses 2 'file.yaml:10:5: sink.file: writes a file from its beginning, so --journal' run file.yaml --journal x
ok "and leaves no journal behind" [ ! -e x ]

# ---- Versions ----
# as DIR VERSION [SED]: what an earlier version left there
as() {
    sed -i "s/\"fecrun\":\"[^\"]*\"/\"fecrun\":\"$2\"/; s/,\"crc32c\":\"[0-9a-f]*\"//; ${3-}" "$1"/*.jsonl
}
ok "a writer names the versions of the program and its plugins" \
    grep -q '"fecrun":"[0-9][^"]*",.*"plugins":{.*"viterbi":"[0-9]' one/*.jsonl
cp -r one old && as old 0.0.7
run "$FECRUN" run v.yaml --set stop.frame_errors=170 --journal old --quiet --json out.json
is 0 "a journal of an earlier version goes on"
says 'warning: old/[^ ]*.jsonl:[0-9]+: the journal has lines of several versions: fecrun [^ ]* and 0.0.7' \
    "and the other version is named"
same "exact backends count the same" "$(fields "$all" <out.json)" \
    "$(run_fields "$all" v.yaml --set stop.frame_errors=170)"
run "$FECRUN" merge one old --quiet
says 'lines of several versions: fecrun [^ ]* and 0.0.7' "merge names it, too"
run "$FECRUN" merge one --quiet
ok "one version is nothing to tell" [ ! -s err ]
cp -r near older && as older 0.0.7
refuses 2 'older: what is there was computed by another version of backends that are only near their reference: fecrun 0.0.7 and [^ ]*; go on with that version' \
    run ldpc.yaml --journal older --backend simd --set stop.frames=300
refuses 1 'another version of backends that are only near their reference made other lines of the point: fecrun' \
    merge near older
cp -r near plugged && as plugged "$("$FECRUN" --version | sed 's/fecrun \([^ ]*\).*/\1/')" 's/"ldpc":"[^"]*"/"ldpc":"7.1"/'
refuses 2 'only near their reference: ldpc 7.1 and ' run ldpc.yaml --journal plugged --backend simd
sed -i 's/"plugins":{[^}]*},//; s/"fecrun":"[^"]*",//' plugged/*.jsonl
run "$FECRUN" run ldpc.yaml --journal plugged --backend simd --quiet
is 0 "lines of a writer that is not known are taken"

# ---- Files of dead processes ----
# The first line alone, as of a process that was killed before it could write another one.
mkdir heads && cp one/pipeline.json heads
cp "$(grep -l '"frame_errors":100,' one/*.jsonl | head -n 1)" heads/done.jsonl
for name in dead other loose; do
    sed -n 's/,"crc32c":"[0-9a-f]*"//; 1p' heads/done.jsonl >heads/$name.jsonl
done
sed -i 's/"boot":"[^"]*"/"boot":"of another machine"/' heads/other.jsonl
sed -i 's/"frame_errors":100,/"frame_errors":1000,/' heads/loose.jsonl
sed -n 's/,"crc32c":"[0-9a-f]*"//; 1p' heads/done.jsonl >heads/alive.jsonl
exec 9>>heads/alive.jsonl
flock -x 9
run "$FECRUN" run v.yaml --journal heads --set stop.frame_errors=20 --quiet
is 0 "a journal with files that say nothing"
ok "that of a dead process is removed" [ ! -e heads/dead.jsonl ]
ok "not one of another machine" [ -e heads/other.jsonl ]
ok "nor one that wants more than the others" [ -e heads/loose.jsonl ]
ok "nor one of a process that lives" [ -e heads/alive.jsonl ]
exec 9>&-
run "$FECRUN" run v.yaml --journal heads --set stop.frame_errors=20 --quiet
ok "until it is dead" [ ! -e heads/alive.jsonl ]

# ---- A full disk ----
# Files of at most one block, with what a full disk does: a short write, then an error.
full() { (ulimit -f 4 && exec "$FECRUN" run v.yaml --journal full --shard 1/3 --quiet); }
sed -i 's/stop: .*/stop: {frames: 100000}/' v.yaml
run full
is 1 "a full disk ends the run"
says 'cannot write full/.*jsonl: .*; the journal so far is valid: start again when there is room' "with the reason"
ok "of the line that did not fit nothing is there" sh -c 'tail -c 1 full/*.jsonl | grep -q "^$"'
run "$FECRUN" merge full
is 0 "the journal is valid"
same "and goes on when there is room" "$(run_fields "$all" v.yaml --journal full)" "$(run_fields "$all" v.yaml)"

# ---- One frame again ----
# The first wrong frame of the first point, in which the journal has 100 wrong frames.
frame=$(sed -n 's/.*"point":{"channel.awgn.ebn0_db":"3"}.*"first":0,.*"wrong":\[\([0-9]*\).*/\1/p' kill/*.jsonl | head -n 1)
run "$FECRUN" run v.yaml --replay 1:$frame --dump simd
is 0 "a frame that the journal says is wrong"
prints '^[1-9][0-9]* of 200 bits wrong' "is wrong again"
prints '^viterbi.decode.out: 200 bits, packed, of simd -> simd/viterbi.decode.out.npy \(u1\)' "each port has a file"
run "$FECRUN" run v.yaml --replay 1:$frame --dump ref --backend ref --json out.json
ok "by another backend the same bits" cmp simd/viterbi.decode.out.npy ref/viterbi.decode.out.npy
ok "of the same LLRs" cmp simd/llr.quantize.out.npy ref/llr.quantize.out.npy
ok "JSON has its errors" grep -q '"type":"replay","point":1,"frame":'$frame',"bit_errors":[1-9]' out.json
run "$FECRUN" run v.yaml --replay 1:$((frame + 1)) --dump next --quiet
ok "the next frame is another" sh -c '! cmp simd/source.random.out.npy next/source.random.out.npy'
# what was dumped is what files are: the LLRs decode to the bits
cat >again.yaml <<END
fecrun: 1
pipeline:
  - source.file: {path: simd/llr.quantize.out.npy, kind: llr, llr_scale: 4}
  - viterbi.decode: {code: ieee80211}
  - sink.errors: {reference: simd/source.random.out.npy}
END
wrong=$(sed -n 's/.*"bit_errors":\([0-9]*\).*/\1/p' out.json)
same "the dumped LLRs, decoded from the file, have the same errors" \
    "$(run_fields "frames bit_errors" again.yaml)" "1 $wrong"
run "$FECRUN" run rows.yaml --replay 0:13 --dump rows.dump
prints '^source.random.out: 90 bits' "frame 13 of rows of 3 and 2 is of the second row"
refuses 2 'point 3: the sweep has points 0 to 2' run v.yaml --replay 3:0
refuses 2 '--replay 1: must be POINT:FRAME' run v.yaml --replay 1
refuses 2 '--dump: belongs to --replay' run v.yaml --dump x
refuses 2 'so a replay cannot begin in its middle' run stream.yaml --replay 0:0
done_testing
