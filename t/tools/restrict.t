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

# ---- The directory itself ----
refuses 2 '^fecrun: --restrict nowhere: No such file' check bits.yaml --restrict nowhere
refuses 2 '^fecrun: --restrict bits.yaml: is no directory' check bits.yaml --restrict bits.yaml
refuses 2 'list: --restrict belongs to run' list --restrict room

done_testing
