#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# A power cut at any moment: each file that is replaced is the old one or the whole new one, and after
# status 0 the new one. t/doubles/fault/power.c makes the states; kills, which lose nothing that was
# written, at times that nobody chose.
. "$top_srcdir/t/lib/tap.sh"

[ "${FECRUN_SANITIZER:-no}" = no ] || skip_all "what is preloaded comes before a sanitizer"
without_cuda
shim=$top_builddir/t/doubles/fault/power.so

cat >p.yaml <<'END'
fecrun: 1
pipeline:
  - source.random: {bits: 64}
  - sink.file: {path: d/bits.npy}
stop: {frames: 50}
END
cat >q.yaml <<'END'
fecrun: 1
pipeline:
  - source.random: {bits: 64}
  - sink.errors: {}
sweep: {source.random.bits: [8, 16]}
stop: {frames: 50}
END

# cut FILES COMMAND...: runs it on old files; states/ has what each cut leaves
cut() {
    files=$1
    shift
    rm -rf d states
    mkdir d states
    for file in $files; do echo old >d/$file; done
    run env LD_PRELOAD="$shim" POWER_DIR=d POWER_LOG=states "$@"
    rm -rf new
    cp -r d new
}

# lost: states in which a file is neither old nor new, or a last one in which it is not new
lost() {
    for file in $files; do
        for state in states/*; do
            case $(cat "$state/$file" 2>/dev/null) in
            old) ;;
            *)  cmp -s "$state/$file" "new/$file" || echo "$state/$file" ;;
            esac
        done
        last=$(ls states | tail -n 1)
        for kind in synced named; do
            cmp -s "states/${last%.*}.$kind/$file" "new/$file" || echo "end: $last/$file"
        done
    done
}

# whole FILES COMMAND...
whole() {
    cut "$@"
    is 0 "$3 $4 runs"
    lost >out
    n=$(ls states | wc -l)
    ok "and is cut at $((n / 2)) moments" [ "$n" -ge 8 ]
    ok "$files: old or whole" [ ! -s out ]
    ok "new in the end" sh -c 'for f; do [ "$(cat d/$f)" != old ] || exit 1; done' sh $files
}
whole bits.npy "$FECRUN" run p.yaml --quiet
whole "r.json r.csv" "$FECRUN" run q.yaml --json d/r.json --csv d/r.csv --quiet
whole list.json "$FECRUN" list --json d/list.json --quiet

# A journal: files that only grow. What is there when the run ends with status 0 is on the disk, names and content.
# changed: files that a power cut then changes
changed() {
    last=$(ls states | tail -n 1)
    for kind in synced named; do
        for file in $(ls new); do
            cmp -s "states/${last%.*}.$kind/$file" "new/$file" || echo "${last%.*}.$kind/$file"
        done
    done
}
journal() {
    cut "" "$FECRUN" run q.yaml --quiet --journal d
    changed >out
}
journal
is 0 "a run with a journal"
ok "of two files" [ "$(ls new | wc -l)" = 2 -a -s new/pipeline.json ]
ok "and a line about the writer and one a point" [ "$(cat new/*.jsonl | wc -l)" = 3 ]
ok "which a power cut does not change when it is over" [ ! -s out ]
for ignore in file dir; do
    export POWER_IGNORE=$ignore
    journal
    ok "without fsync of the $ignore it would" [ -s out ]
done
unset POWER_IGNORE

# Without a sync this finds what is lost: it is no test that always passes.
for ignore in file dir; do
    POWER_IGNORE=$ignore
    export POWER_IGNORE
    cut bits.npy "$FECRUN" run p.yaml --quiet
    lost >out
    ok "without fsync of the $ignore it would be lost" [ -s out ]
done
unset POWER_IGNORE

# ---- Killed ----
kills=20
[ -z "${FAULTS_ALL-}" ] || kills=200
cat >k.yaml <<'END'
fecrun: 1
pipeline:
  - source.random: {bits: 4096}
  - sink.file: {path: k/bits.npy}
stop: {frames: 20000}
END
mkdir k
"$FECRUN" run k.yaml --quiet --json k/r.json
cp k/bits.npy good.npy
torn=0 killed=0
while [ $killed -lt $kills ]; do
    echo old >k/bits.npy
    echo old >k/r.json
    "$FECRUN" run k.yaml --quiet --json k/r.json 2>/dev/null &
    sleep 0.$(printf %03d $((killed * 7 % 150)))
    kill -9 $! 2>/dev/null
    wait $! 2>/dev/null
    [ "$(head -c 4 k/bits.npy | tr -d '\0')" = "old" ] || cmp -s k/bits.npy good.npy || torn=$((torn + 1))
    [ "$(head -n 1 k/r.json)" = old ] || tail -n 1 k/r.json | grep -q '"end"' || torn=$((torn + 1))
    killed=$((killed + 1))
done
tap_last="$kills kills"
ok "$kills kills: no file is torn" [ $torn = 0 ]
"$FECRUN" run k.yaml --quiet --json k/r.json
ok "the next run removes what they left" [ "$(ls k | wc -l)" = 2 ]

done_testing
