#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# --restrict DIR: a pipeline reads and writes below DIR only, whatever its file names and by whatever
# links.
. "$top_srcdir/t/lib/tap.sh"
without_cuda

mkdir room room/inner outside
cat >bits.yaml <<'END'
fecrun: 1
pipeline:
  - source.random: {bits: 24}
  - sink.file: {path: room/bits.npy}
stop: {frames: 4}
END
cat >room/read.yaml <<'END'
fecrun: 1
pipeline:
  - source.file: {path: bits.npy, kind: bits}
  - sink.errors: {reference: bits.npy}
END
cat >code.yaml <<'END'
fecrun: 1
pipeline:
  - source.random: {}
  - ldpc.encode: {code: alist, path: outside/code.alist}
  - sink.null: {}
stop: {frames: 4}
END
outside='lies outside of [^ ]*/room, where --restrict keeps this run'

# ---- Inside ----
run "$FECRUN" run bits.yaml --restrict room --quiet
is 0 "a file in the directory is written"
ok "under its name" test -s room/bits.npy
run "$FECRUN" run room/read.yaml --restrict room --json room/inner/r.json --csv room/r.csv --quiet
is 0 "and read; results beside it"
ok "are there" test -s room/inner/r.json -a -s room/r.csv
for verb in check explain; do
    run "$FECRUN" $verb room/read.yaml --restrict ./room/../room/
    is 0 "$verb, the directory by another name"
done
run "$FECRUN" run bits.yaml --restrict room --set sink.file.path=- --quiet
is 0 "standard output belongs to the user"
ln -s inner room/link
run "$FECRUN" run bits.yaml --restrict room --set sink.file.path=room/link/b.npy --quiet
is 0 "a link that stays inside"
run "$FECRUN" run bits.yaml --restrict / --quiet
is 0 "the root holds all"

# ---- Outside ----
cp room/bits.npy room/read.yaml outside/
refuses 2 "^fecrun: outside/read.yaml:3:25: source.file.path: outside/bits.npy: $outside" \
    check outside/read.yaml --restrict room
refuses 2 "sink.errors.reference=../outside/bits.npy: room/../outside/bits.npy: $outside" \
    check room/read.yaml --restrict room --set sink.errors.reference=../outside/bits.npy
refuses 2 "^fecrun: code.yaml:4:38: ldpc.encode.path: outside/code.alist: $outside" \
    check code.yaml --restrict room
refuses 2 "sink.file.path=room/../out.npy: room/../out.npy: $outside" \
    run bits.yaml --restrict room --set sink.file.path=room/../out.npy
refuses 2 "sink.file.path=/tmp/out.npy: /tmp/out.npy: $outside" \
    run bits.yaml --restrict room --set sink.file.path=/tmp/out.npy
mkdir roomy
refuses 2 "$outside" run bits.yaml --restrict room --set sink.file.path=roomy/out.npy
refuses 2 "$outside" check room/read.yaml --restrict room \
    --sweep source.file.path=bits.npy,../outside/bits.npy

# Links: of a file, in the place of a directory, to nothing yet.
ln -s ../outside/bits.npy room/there.npy
ln -s ../outside room/dir
ln -s ../outside/new.npy room/new.npy
for path in room/there.npy room/dir/bits.npy room/dir/new.npy; do
    refuses 2 "$path: $outside" run bits.yaml --restrict room --set sink.file.path=$path
done
refuses 2 'room/new.npy: .*: whether it lies in [^ ]*/room, where --restrict keeps this run, is not' \
    run bits.yaml --restrict room --set sink.file.path=room/new.npy
ok "nothing was written there" test ! -e outside/new.npy

# ---- blocks, results, journals ----
cat >room/blocks.yaml <<'END'
fecrun: 1
blocks: ../outside/users.csv
pipeline:
  - source.random: {bits: 24}
  - sink.null: {}
END
echo 'count,bits' >outside/users.csv
refuses 2 "^fecrun: room/blocks.yaml:2:9: blocks: room/../outside/users.csv: $outside" \
    check room/blocks.yaml --restrict room
for option in --json --csv --journal; do
    refuses 2 "^fecrun: $option outside/r: $outside" run bits.yaml --restrict room $option outside/r
done
refuses 2 "^fecrun: --dump outside/r: $outside" run bits.yaml --restrict room --replay 0:0 \
    --dump outside/r
ok "nothing came of them" test ! -e outside/r

# ---- Names that the user does not write: links there are not followed ----
cat >room/play.yaml <<'END'
fecrun: 1
pipeline:
  - source.random: {bits: 24}
  - conv.encode: {code: ieee80211}
  - channel.bsc: {p: 0.1}
  - llr.quantize: {type: i8, scale: 4}
  - viterbi.decode: {}
  - sink.errors: {}
sweep: {channel.bsc.p: [0.1, 0.2]}
stop: {frames: 20}
END
echo secret >outside/secret
mkdir room/dump
ln -s ../../outside/secret room/dump/source.random.out.npy
refuses 2 '^fecrun: room/dump/source.random.out.npy is a symbolic link; only a regular file' \
    run room/play.yaml --restrict room --replay 0:0 --dump room/dump
rm room/dump/source.random.out.npy && mkdir room/dump/source.random.out.npy
refuses 2 '^fecrun: room/dump/source.random.out.npy is a directory; ' \
    run room/play.yaml --replay 0:0 --dump room/dump
rmdir room/dump/source.random.out.npy
run "$FECRUN" run room/play.yaml --restrict room --replay 0:0 --dump room/dump
is 0 "a dump without links is written"
ok "all of it" [ "$(find room/dump -name '*.npy' -size +0 | wc -l)" -ge 4 ]
ok "what a link led to is as before" [ "$(cat outside/secret)" = secret ]

run "$FECRUN" run room/play.yaml --restrict room --quiet --journal room/journal
is 0 "a journal"
ln -s ../../outside/secret room/journal/another.jsonl
run "$FECRUN" run room/play.yaml --restrict room --quiet --journal room/journal
is 1 "a link in it is not read"
says 'another.jsonl: it is a symbolic link, which a journal does not follow' "and told"
ok "nothing of it is quoted" [ "$(grep -c secret err)" = 0 ]
rm room/journal/another.jsonl
mv room/journal/pipeline.json outside/ && ln -s ../../outside/pipeline.json room/journal/
run "$FECRUN" run room/play.yaml --restrict room --quiet --journal room/journal
says 'pipeline.json: is not a journal: it is a symbolic link' "nor is a journal's head"

printf '1234567812345678' >room/r.sigmf-data
ln -s ../outside/secret room/r.sigmf-meta
cat >room/radio.yaml <<'END'
fecrun: 1
pipeline:
  - source.file: {path: r.sigmf-data, frame: 2}
  - sink.null: {}
END
refuses 2 'r.sigmf-meta, which has to say what the recording is: it is a symbolic link' \
    run room/radio.yaml --restrict room
mkdir room/store
echo '{"global": {"core:version": "1.0.0", "core:datatype": "cf32_le"}, "captures": [], "annotations": []}' \
    >room/store/rec.sigmf-meta
mv room/r.sigmf-data room/store/rec.sigmf-data
ln -s store/rec.sigmf-data room/r.sigmf-data && ln -sf store/rec.sigmf-meta room/r.sigmf-meta
run "$FECRUN" run room/radio.yaml --restrict room --quiet
is 0 "both by links into a store: its description counts"
rm room/r.sigmf-meta
run "$FECRUN" run room/radio.yaml --restrict room --quiet
is 0 "the data alone by a link, too"

# ---- The directory itself ----
refuses 2 '^fecrun: --restrict nowhere: No such file' check bits.yaml --restrict nowhere
refuses 2 '^fecrun: --restrict bits.yaml: is not a directory' check bits.yaml --restrict bits.yaml
refuses 2 'list: --restrict belongs to run' list --restrict room

done_testing
