#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# fecrun-check finds every fault of t/doubles/bad/check_*.c (of the plugins of this tree: check_plugins.t).
. "$top_srcdir/t/lib/tap.sh"

FAULTY=$BADDIR/check_faulty.so

# One run for all backends; a hang takes the timeout. Time for all of it, also where other tests run: a
# backend for which everything is done ends earlier.
seconds=60
run "$FECRUN_CHECK" --seconds $seconds --timeout 5 "$FAULTY"
is 1 "a faulty plugin: exit status 1"
cp out faulty
prints '^1\.\.[0-9]+$' "the plan is printed, so it came to its end"

# found LABEL PATTERN: a failed line for it, and a reason that fits.
found() {
    grep -A 8 "^not ok [0-9]* - $1:" faulty | grep -Eq -e "$2"
    tap_check $? "$1: $2"
}

# clean LABEL: there are lines for it, and none failed.
clean() {
    grep -q "^ok [0-9]* - $1:" faulty && ! grep -q "^not ok [0-9]* - $1:" faulty
    tap_check $? "$1: nothing is wrong with it"
}

# Where a sanitizer has its own handlers a crash ends otherwise.
crash='crashes: |ended the process'

clean "faulty.invert ref"
clean "faulty.invert good"
clean "faulty.encode ref"
clean "faulty.decode near"
found "faulty.invert wrong-bit" "1 of [0-9]+ frames differ"
found "faulty.invert past-end" "output 0: 1 byte\(s\) behind the end"
found "faulty.invert before-start" "output 0: 1 byte\(s\) in front"
found "faulty.invert scratch-end" "scratch 0: 1 byte\(s\) behind the end of its 64"
found "faulty.invert info-end" "info 0: 4 byte\(s\) behind"
found "faulty.invert own-scratch" "a second call.* gives something else"
found "faulty.invert unwritten" "is 0xa5: no valid u8"
found "faulty.invert pad-bits" "no valid packed"
found "faulty.invert not-bits" "no valid u8"
found "faulty.invert writes-input" "input 0 was written to"
found "faulty.invert reads-beyond" "$crash"
found "faulty.invert aligned" "$crash"
found "faulty.invert counts-calls" "a second call.* gives something else"
found "faulty.invert looks-at-seed" "with another seed, gives something else"
found "faulty.invert whole-batch" "frames 0 to 9 at once, and 0 to 2"
found "faulty.invert shared-state" "with another instance running|exit status was 86"
found "faulty.invert info-flags" "info: flags 0, .* and flags 1"
found "faulty.invert fails" "does not feel like it"
found "faulty.invert fails-silently" "failed without a text"
found "faulty.invert crashes" "$crash"
found "faulty.invert exits" "ended the process with exit status 3"
found "faulty.invert hangs" "no progress for 5 s"
found "faulty.invert create-silent" "create\(\): failed without a text"
found "faulty.invert not-ragged" "of class [01] \(code object [01]\), differs"
found "faulty.decode near-worse" "decoded by the reference only"
found "faulty.counts" "plan\(\) is not pure"
found "faulty.forgets" "dropped a fact of its input"
found "faulty.fact" "left a gap between the facts"
found "faulty.silent" "plan\(\) refused without a text"
found "faulty.crash" "$crash"
clean "faulty.even"
clean "faulty.even even"
found "faulty.takes-silent" "backend silent: takes\(\) refused without a text"
found "faulty.takes-counts" "backend counts: takes\(\) is not pure"
found "faulty.odd" "own default"
found "faulty.refuses-example" \
    "example .number: 4, check: .items: 33..: takes an even number of bits"
found "faulty.odd-examples" "example .number: 12.: .*number"
found "faulty.undoes" "undoes faulty.endcode, which is no other transform"
found "faulty.shared" "way: choices_help must be one line for each choice"
found "faulty.shared" "number: has .unless. and is not shared"
found "faulty.shared" "other: .unless. names no other parameter"
found "faulty.shared" "way: an old word is one of today, or means none"
found "faulty.shared" "other: an old name is a parameter of today"
found "faulty.shared" "other: an old name has a-z, 0-9 and _ only"
found "faulty.follows" "follows faulty.encoder, which is no other transform"
found "faulty.follows" "undoes and follows"
found "faulty.odd-examples" "parameters must be one line"
found "faulty.invert leaks" "8 blocks of host->alloc"
if [ "${FECRUN_SANITIZER:-no}" = no ]; then
    found "faulty.invert leaks-malloc" "[1-9][0-9]* bytes of malloc\(\)"
else
    skip 1 "a sanitizer has a heap of its own"
fi

# A reported case can be repeated.
grep -m 1 '#   again: fecrun-check .*past-end' faulty | sed 's/.*again: fecrun-check//' >again
run sh -c "'$FECRUN_CHECK' $(cat again)"
prints "not ok .*past-end: stays inside its memory" "the command line of a report repeats it"

run "$FECRUN_CHECK" --verbose --seconds 1 --stage faulty.even "$FAULTY"
is 0 "a backend that does not take everything"
prints '^# *declined: .*number: [17].*: even numbers only' "what takes() refuses is declined"

# What has to be given alone makes a long map: of 480 bytes here, up to any length.
run "$FECRUN_CHECK" --seconds 1 "$FAKEDIR/long.so"
is 0 "required parameters of 480 bytes"
prints '^# long.pass ref: .* runs; (all )?[0-9]+ of [0-9]+ planned trials' "how much was planned"
run "$FECRUN_CHECK" --seconds 0.001 --backend ref "$FAKEDIR/long.so"
prints '^# long.pass ref: .* runs; [0-9]+ of [0-9]+ planned trials, then time ran out: --seconds$' \
    "... and how much of it was not done"
run "$FECRUN_CHECK" --seconds 1 "$FAKEDIR/long.so"
prints '^# long.pass: plan\(\) took ([1-9][0-9]+) of \1 points' "all their cases are tried"

# A backend that is slow: each check looks at the clock.
run "$FECRUN_CHECK" --seconds 1 "$BADDIR/check_slow.so"
is 0 "a tenth of a second for each call"
prints '^# check_slow.pass ref: .* [12] runs; [12] of [0-9]+ planned trials, then time ran out' \
    "few of them are made"
prints '^# NOT TESTED: check_slow.pass ref: time ran out \(--seconds\) before: .*leaks' \
    "what was left out is said"

# --threads: of 40 and more sets of parameters six, with a trial each and a second thread.
run "$FECRUN_CHECK" --threads --seconds 1 --stage conv.encode "$PLUGINS/viterbi.so"
is 0 "--threads: two instances at the same time"
prints '^# conv.encode ref: [4-9][0-9] points, .* variants, .* runs; all [1-9][0-9]? of' "few trials"
prints '^ok [0-9]+ - conv.encode ref: two instances at the same time' "and threads"
ok "nothing else" [ "$(grep -c 'are batched\|memory behind' out)" = 0 ]
run "$FECRUN_CHECK" --threads --seconds 1 --stage faulty.invert --backend shared-state "$FAULTY"
is 1 "threads that share something are found"
prints "^#   again: fecrun-check .*--threads" "... and the command line says --threads, too"

# ---- Wrong codes: t/doubles/bad/check_code.c ----

run "$FECRUN_CHECK" --seconds $seconds "$BADDIR/check_code.so"
is 1 "encoders and decoders that are wrong"
cp out faulty
clean "five.encode ref"
clean "five.decode ref"
clean "five.decode good"
found "five.decode at-default" '\{\}, 2045 u8, .* differ'
found "five.decode two-wrong" "0 to 16 wrong bits, .* differ"
found "five.decode linked" "2045 u8 . 409 u8, .* differ"
found "five.decode erased" "2045 u8 . 409 u8, .* differ"
found "five.of-wrong-parity ref" "encoded, .*decode\(encode\(x\)\) is not x: .* 409 of 409"
clean "five.soft ref"
found "five.of-one-wrong ref" "encoded, few bits are sure, .*decode\(encode\(x\)\) is not x: .* 1 of 409"
found "five.never ref" "it corrects nothing"
found "five.never ref" "it neither corrects nor tells"
found "five.marks-all ref" "0 of 409 information bits are wrong; it is marked FECRUN_FRAME_FAILED"
found "five.inverts ref" "409 of 409 information bits are wrong"
found "five.refuses" "the defaults: the moon is not full"
ok "defaults that no frames were found for are said aloud" \
    grep -q '^# NOT TESTED: five.choosy: its defaults: .*the moon is not full' faulty
ok "... and a choice" grep -q '^# NOT TESTED: five.choosy: kind: odd' faulty

# ---- Bad habits: t/doubles/bad/check_habits.c ----

run "$FECRUN_CHECK" --seconds $seconds "$BADDIR/check_habits.so"
is 1 "bad habits"
cp out faulty
clean "habit.invert ref"
clean "habit.invert good"
found "habit.invert prints" "it printed: [0-9]+ frames"
found "habit.invert leaves-files" " 8 open files stay"
found "habit.invert flags" "info.flags are 0x40: flags that there are none"
found "habit.invert failed-alone" "FECRUN_FRAME_FAILED without FECRUN_FRAME_CHECKED"
found "habit.invert tight" "a byte between two frames was overwritten"
found "habit.invert aligned" "$crash"
found "habit.invert few" "frame 130, .* of 4099 frames differ"
found "habit.invert endless-scratch" "scratch\(\) asks for 18446744073709551615 bytes"
found "habit.margins" "an impossible number of items before or after a batch"
found "check_habits.so" "stage habit.twice is there twice"
if [ "${FECRUN_SANITIZER:-no}" = no ]; then
    found "habit.invert counts-calls" "wrote to a code object"
    found "habit.invert sets-table" "wrote to a code object"
else
    skip 2 "a sanitizer has a heap of its own"
fi
run "$FECRUN_CHECK" "$BADDIR/early/prints.so"
prints "^not ok .*prints.so: loads: prints something" "a plugin that prints when it is loaded"

# ---- Files ----

run "$FECRUN_CHECK" "$BADDIR/old_abi.so"
is 1 "a plugin that cannot be loaded: exit status 1"
prints "^not ok 1 - old_abi.so: loads" "... which is a failed check"
prints "^#.*ABI" "... with the loader's reason"
run "$FECRUN_CHECK" "$BADDIR/probe_crash.so"
prints "^not ok .*: its probe crashed" "a probe that crashes is a failure"
run "$FECRUN_CHECK" "$BADDIR/probe_refuse.so"
prints "^ok .* # SKIP" "a backend that is not available is skipped"

# ---- The command line ----

run "$FECRUN_CHECK" --no-such-option
is 2 "an unknown option: exit status 2"
run "$FECRUN_CHECK" --stage no.such
is 2 "an unknown stage: exit status 2"
run "$FECRUN_CHECK" --case 'no.such: {a: 1}'
is 2 "a case of an unknown stage: exit status 2"
run "$FECRUN_CHECK" --list "$PLUGINS/chain.so"
prints "crc.attach ref" "--list names stages and backends"
run "$FECRUN_CHECK" --bench --seconds 0.1 --stage ldpc.decode --backend simd "$PLUGINS/ldpc.so"
prints '^# ldpc.decode simd: [0-9.]+ Mb/s .* 25344 i8 llr_max 127, 64 frames a call' \
    "--bench measures the example that says \`batch\`"
run "$FECRUN_CHECK" --only-cases --case 'crc.attach: {crc: 16, check: {items: 77}}' \
    --stage crc.attach "$PLUGINS/chain.so"
is 0 "a case of one's own"
prints "1 of 1 points" "... and nothing else"
run "$FECRUN_CHECK" --only-cases --case 'crc.attach: {crc: 17}' --stage crc.attach \
    "$PLUGINS/chain.so"
is 1 "a case with an error in it fails"

# ---- What a backend absorbs, and devices that are not there ----

run "$FECRUN_CHECK" --seconds 4 "$FAKEDIR/device.so"
is 0 "a backend in the memory of a device"
prints '^ok [0-9]+ - fake.scale fake: the same where it does upstream stages, too' \
    "with what it absorbs"
FAKE_FAIL=absorb run "$FECRUN_CHECK" --seconds 4 --stage fake.scale "$FAKEDIR/device.so"
is 1 "a backend that absorbs a stage and does not do its work"
prints '^#   fake.negate .*, fake.scale .*: the references one after the other, and this: frame 0' \
    "it is found, and says which stages"
# Where port 0 then takes another kind of sample: bits for symbols, symbols for LLRs.
for pair in 'fake.map fake.dither' 'fake.slice fake.halve'; do
    set -- $pair
    run "$FECRUN_CHECK" --seconds 4 --stage $2 "$FAKEDIR/device.so"
    is 0 "$2 does $1, too"
    prints "^ok [0-9]+ - $2 fake: the same where it does upstream stages, too" "and is compared"
    FAKE_FAIL=absorb run "$FECRUN_CHECK" --seconds 4 --stage $2 "$FAKEDIR/device.so"
    is 1 "$2 does $1 wrongly"
    prints "^#   $1 .*, $2 .*: the references one after the other, and this: frame 0" \
        "it is found, and says which stages"
    ok "and nothing else is" [ "$(grep -c '^not ok' out)" = 1 ]
done
FAKE_FAIL=probe run "$FECRUN_CHECK" --seconds 4 --stage fake.flip "$FAKEDIR/device.so"
is 0 "a device that is not there is skipped"
prints '^ok [0-9]+ - fake.flip fake # SKIP the fake driver is asleep' "with its reason"
FAKE_FAIL=probe FECRUN_REQUIRE=cuda,fake \
    run "$FECRUN_CHECK" --seconds 4 "$FAKEDIR/device.so"
is 1 "but not where FECRUN_REQUIRE names it"
ok "each of its rows fails" \
    [ "$(grep -c '^not ok .* fake: the fake driver is asleep' out)" = \
    "$("$FECRUN_CHECK" --list "$FAKEDIR/device.so" | grep -c ' fake$')" ]

done_testing
