#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# fecrun compare A.json B.json --accept: a result of which a part is missing is not accepted.
. "$top_srcdir/t/lib/counts.sh"
without_cuda

viterbi_link 'scale: 4' '1, 2, 3, 4' 'frame_errors: 20, frames: 300' 3 >v.yaml
result() { "$FECRUN" run v.yaml --quiet --threads 1 "$@"; }
result --json whole.json
point() { grep -n '"type":"point"' whole.json | sed -n "$1s/:.*//p"; }
last=$(wc -l <whole.json) size=$(wc -c <whole.json)

# told RULES PATTERN A B: under each rule status 4 and a message, in both orders.
told() {
    for rule in $1; do
        for files in "$3 $4" "$4 $3"; do
            refuses 4 "^fecrun: compare: $2" compare $files --quiet --accept $rule
        done
    done
}
both="exact statistical"

# warned PATTERN A B: without a rule status 0 and a warning.
warned() {
    run "$FECRUN" compare "$2" "$3" --quiet
    is 0 "$3: without --accept it is compared"
    says "^fecrun: warning: compare: $1" "with a warning"
}

# accepted A B RULE: with nothing on standard error.
accepted() {
    run "$FECRUN" compare "$1" "$2" --quiet --accept "$3"
    is 0 "$1 and $2: accepted as $3"
    ok "without a word" [ ! -s err ]
}

# ---- What is whole ----
awk '/"type":"point"/ { points[++n] = $0; next }
     /"type":"end"/ { while (n) print points[n--] }
     { print }' whole.json >turned.json
ok "points in another order" sh -c '! cmp -s whole.json turned.json'
head -c $((size - 1)) whole.json >open.json
for rule in $both; do
    accepted whole.json whole.json $rule
    accepted whole.json turned.json $rule
    accepted whole.json open.json $rule
done

# ---- Missing points ----
sed "$(point 2),$(point 4)d" whole.json >first.json
told "$both" 'first.json: point {"channel.awgn.ebn0_db":2} is missing, which whole.json has$' first.json whole.json
says '^fecrun: compare: first.json: point {"channel.awgn.ebn0_db":3} is missing' "each point is named"
says '^fecrun: compare: first.json: point {"channel.awgn.ebn0_db":4} is missing' "the last one, too"
says '^fecrun: compare: whole.json and first.json: not accepted, see' "and the files"
ok "nothing else is told" [ "$(wc -l <err)" = 4 ]
warned 'first.json: point {"channel.awgn.ebn0_db":2} is missing, which whole.json has$' whole.json first.json
head -n "$(point 1)" whole.json >begun.json
told "$both" 'begun.json: has no end line, so it is not complete$' begun.json whole.json
says 'begun.json: point {"channel.awgn.ebn0_db":2} is missing' "points and the end line are told together"
told "$both" 'begun.json: has no end line' begun.json begun.json
result --sweep channel.awgn.ebn0_db=1,1,2,3,4 --json again.json
accepted again.json again.json exact
accepted again.json whole.json exact
run "$FECRUN" compare again.json whole.json --json r.json
ok "a point that is there twice is in both files" grep -q '"only_in_a":0,"only_in_b":0' r.json
sed "$(point 2){p; s/\"failed\":[a-z0-9]*/\"failed\":1/}" whole.json >twice.json
told "$both" 'twice.json: has point {"channel.awgn.ebn0_db":2} twice, with other counts$' twice.json whole.json

sed 's/"undetected":null,//' whole.json >older.json
accepted older.json older.json statistical

# ---- Cut files ----
sed '$d' whole.json >endless.json
told "$both" 'endless.json: has no end line, so it is not complete$' whole.json endless.json
warned 'endless.json: has no end line, so it is not complete$' whole.json endless.json
head -c $((size - 4)) whole.json >cut.json
told "$both" "cut.json:$last: the last line is cut off\$" whole.json cut.json
refuses 2 "compare: cut.json:$last:[0-9]*: is not JSON" compare whole.json cut.json
{ cat cut.json; echo; } >broken.json
refuses 2 "compare: broken.json:$last:[0-9]*: is not JSON" compare whole.json broken.json --accept exact
cat whole.json begun.json >both.json
told "$both" 'both.json: has no end line' whole.json both.json
: >empty.json
told "$both" 'empty.json: has no run line$' whole.json empty.json
told exact 'empty.json: no results of run or merge$' empty.json empty.json
refuses 2 'compare: empty.json: no results of run or merge' compare whole.json empty.json

# Wherever it is cut: around the end of each line, in the middle of it, and at its first bytes.
cuts=$(awk '{ print at, at + 1, at + int(length($0) / 2), at + length($0) - 1, at + length($0); at += length($0) + 1 }' whole.json)
wrong=
for at in $cuts; do
    [ "$at" -lt $((size - 1)) ] || continue
    head -c "$at" whole.json >part.json
    for rule in $both; do
        run "$FECRUN" compare whole.json part.json --quiet --accept $rule
        [ "$status" = 4 ] && grep -q 'compare: part.json: has no end line' err || wrong="$wrong $at:$status"
    done
done
same "cut at $(echo $cuts | wc -w) places: none is accepted" "$wrong" ""

# ---- Runs that were stopped, or failed ----
sed '$s/"status":0/"status":1/' whole.json >failed.json
told "$both" 'failed.json: its end line has status 1: it was stopped, or failed$' whole.json failed.json
warned 'failed.json: its end line has status 1' whole.json failed.json
sed '$s/,"status":0//' whole.json >mute.json
told exact 'mute.json: its end line has no status$' whole.json mute.json
for stop in signal error incomplete; do
    sed "$(point 3)s/\"stop\":\"[a-z_]*\"/\"stop\":\"$stop\"/" whole.json >stopped.json
    told "$both" "stopped.json: point {\"channel.awgn.ebn0_db\":3} is not complete: stop is $stop\$" whole.json stopped.json
done

# A real one, stopped by a signal.
"$FECRUN" run v.yaml --quiet --threads 1 --set stop.frame_errors=1e9 --set stop.frames=1e9 --json real.json 2>/dev/null &
sleep 0.5
kill -TERM $!
wait $! && status=0 || status=$?
is 1 "a run is stopped by a signal"
refuses 4 '^fecrun: compare: real.json: its end line has status 1' compare real.json real.json --accept statistical
says '^fecrun: compare: real.json: point {"channel.awgn.ebn0_db":1} is not complete: stop is signal' "its last point is named"

# A part of a journal.
result --set stop.frames=5000 --set stop.frame_errors=5000 --journal part --shard 0/2 2>/dev/null
"$FECRUN" merge part --quiet --json part.json 2>/dev/null
told "$both" 'part.json: point {.*} is not complete: stop is incomplete$' part.json part.json
result --journal all
"$FECRUN" merge all --quiet --json merged.json
accepted whole.json merged.json exact

# ---- Other settings ----
result --set seed=4 --json seed.json
told exact '.* seed differs: (3, 4|4, 3); exact needs the same frames$' whole.json seed.json
accepted whole.json seed.json statistical
result --set stop.frame_errors=25 --json rule.json
told exact '.* stop.frame_errors differs: (20, 25|25, 20) \(0: no rule\); exact needs' whole.json rule.json
accepted whole.json rule.json statistical
result --set stop.seconds=1000 --json seconds.json
told exact '.* stop.seconds differs: (0, 1000|1000, 0) \(0: no rule\)' whole.json seconds.json
result --sweep llr.quantize.scale=4 --json scale.json
told "$both" '.* swept parameters differ: ' whole.json scale.json
refuses 2 'no point is in both' compare whole.json scale.json
result --set source.random.bits=100 --json sent.json
told "$both" '.* what is sent differs, .*: stages\[0\].source.random.bits: (200, here 100|100, here 200)' whole.json sent.json
result --set llr.quantize.scale=8 --set llr.quantize.type=i8 --json receiver.json
accepted whole.json receiver.json statistical
done_testing
