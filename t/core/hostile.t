#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Plugins that do what plugin.h forbids (t/doubles/bad/hostile.c): what doc/trust.md promises holds. Acts that the host
# neither finds nor survives are not here: closed or redirected standard files, another directory, limits, umask.
. "$top_srcdir/t/lib/tap.sh"
without_cuda

mkdir only
ln -s "$BADDIR/hostile.so" only/
cat >good.yaml <<'END'
fecrun: 1
pipeline: [source.random: {bits: 64}, sink.errors: {}]
stop: {frames: 10}
END
cat >hostile.yaml <<'END'
fecrun: 1
batch: 10
pipeline:
  - source.random: {bits: 64}
  - hostile.pass: {}
  - sink.errors: {}
sweep: {source.random.bits: [64, 128]}
stop: {frames: 10}
END
XDG_CACHE_HOME=$T/cache
export XDG_CACHE_HOME

# hostile FILE ACT: a run over an old result, which it replaces or not
hostile() {
    echo old >result.json
    HOSTILE=$2
    export HOSTILE
    run timeout -k 5 60 "$FECRUN" run "$1.yaml" --plugin-dir only --json result.json --threads 1
    unset HOSTILE
}
counts() { grep -o '"set".*"frame_errors":[0-9]*' "$1"; }
same_counts() { counts result.json >a && cmp -s a "$1.counts"; }

for file in good hostile; do
    hostile $file ''
    is 0 "$file.yaml runs"
    counts result.json >$file.counts
done

# load ACT STATUS REASON: STATUS 0: it is loaded, and runs; 2: it is not, and other pipelines run
load() {
    hostile good "load $1"
    [ "$status" = 0 ] && same_counts good && [ "$(wc -l <out)" = 2 ] && [ ! -s err ]
    tap_check $? "load $1: pipelines without it run"
    hostile hostile "load $1"
    if [ "$2" = 0 ]; then
        [ "$status" = 0 ] && same_counts hostile && [ ! -s err ]
    else
        [ "$status" = 2 ] && [ "$(cat result.json)" = old ] && grep -q 'unknown stage .hostile.pass' err
    fi
    tap_check $? "load $1: status $2 with it"
    [ "$2" != 0 ] || return 0
    run env HOSTILE="load $1" "$FECRUN" list --plugin-dir only
    prints "not loaded: .*/hostile.so: $3" "load $1: and list says why"
}

# The rest of the table: ACT STATUS WORDS. The old result stays unless the status is 0.
acts() {
    while read -r when name expected words; do
        hostile hostile "$when $name"
        [ "$status" = "$expected" ] && grep -Eq -e "$words" err &&
            { [ "$status" = 0 ] || [ "$(cat result.json)" = old ]; } && ! grep -q "[$(printf '\001-\010\033')]" err
        tap_check $? "$when $name: status $expected: $words"
    done
}

[ "${FECRUN_SANITIZER:-no}" != no ] || load jumps 2 'crashed .* while it was loaded'
load executes 2 'ended the process while it was loaded'
load leaves 2 'ended the process while it was loaded'
load stops_group 2 'crashed .Killed. while it was loaded'
load writes 2 'prints something while it is loaded'
load writes_error 2 'prints something while it is loaded'
load threads 0
load translates 0
load exports 0
load hurries 0
# With a sanitizer programs end by exit(), which calls what a plugin has registered.
[ "${FECRUN_SANITIZER:-no}" != no ] || load ends_late 0

acts <<'END'
plan much 1 hostile.pass: the plugin planned an impossible frame
plan large 2 has frames of 64 bits, but 1099511627776 bits arrive here
plan none 1 the plugin planned an impossible frame at output .bits. .0 items.
plan kind 1 the plugin planned an impossible frame
plan type 1 the plugin planned an impossible frame
plan pieces 2 all inputs must have as many
plan margins 1 need .* GiB of host memory
plan words 0 warning: hostile.yaml:5:5: hostile.pass:
plan answers 2 hostile.yaml:5:5: hostile.pass: failed without a reason
plan fails_silently 2 failed without a reason
plan fails_loudly 2 hostile.yaml:5:5: hostile.pass
create answers 1 failed without a reason
create fails_silently 1 failed without a reason
create fails_loudly 1 hostile.yaml:5:5: hostile.pass
run answers 1 failed without a reason
run fails_silently 1 failed without a reason
run fails_loudly 1 hostile.yaml:5:5: hostile.pass
END

# What plan() says that nobody reads, and views that run() changes, are without consequences.
for name in facts keys nan stream; do
    hostile hostile "plan $name"
    [ "$status" = 0 ] && same_counts hostile
    tap_check $? "plan $name: the same counts"
done
for name in changes_view adds_frames; do
    hostile hostile "run $name"
    [ "$status" = 0 ] && same_counts hostile
    tap_check $? "run $name: the same counts"
done
hostile hostile 'run writes_values'
is 0 "run writes_values: bytes that are no bits"
ok "count as errors of at most all bits" [ "$(sed -n 's/.*"bits":\([0-9]*\),"bit_errors":\([0-9]*\),.*/\1 \2/p' result.json |
    awk '$2 > 0 && $2 <= $1' | wc -l)" = 2 ]

# A thread's stack that is at its end, or lost.
if [ "${FECRUN_SANITIZER:-no}" = no ]; then
    for name in jumps recurses; do
        hostile hostile "run $name"
        is 1 "run $name: status 1"
        says 'hostile.pass: the plugin crashed .segmentation fault. in run\(\): .*/hostile.so' "run $name: with its name"
        ok "run $name: the old result stays" [ "$(cat result.json)" = old ]
    done
else
    skip 6 "a sanitizer reports crashes itself"
fi

# run() that never returns: a second signal, a second after the first one, ends the program.
echo old >result.json
HOSTILE='run hangs' "$FECRUN" run hostile.yaml --plugin-dir only --json result.json --quiet 2>err &
pid=$!
sleep 1
kill -TERM $pid
sleep 1.5
ok "run hangs: the first signal waits for it" kill -0 $pid
kill -TERM $pid
status=0
wait $pid || status=$?
ok "the second one does not" [ $status != 0 -a "$(cat result.json)" = old ]

done_testing
