#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# fecrun-check finds decoders that go wrong on hopeless words, on mixed batches and on other parameters
# (t/doubles/bad/check_rs.c), and nothing in the same decoder without a fault. None of them has another
# backend to be compared with.
. "$top_srcdir/t/lib/tap.sh"

# More than it takes: who is done earlier ends.
run "$FECRUN_CHECK" --seconds 20 "$BADDIR/check_rs.so"
is 1 "wrong decoders of a Reed-Solomon code"
cp out faulty

# clean LABEL: there are lines for it, and none failed.
clean() {
    grep -q "^ok [0-9]* - $1" faulty && ! grep -q "^not ok [0-9]* - $1" faulty
    tap_check $? "$1: nothing is wrong with it"
}

# found LABEL: WHAT PATTERN: this line failed, with a reason that fits.
found() {
    grep -A 4 "^not ok [0-9]* - $1\$" faulty | grep -Eq -e "$2"
    tap_check $? "$1: $2"
}

clean rs.encode
clean rs.decode
for line in 'gives back what its encoder encoded' 'a frame in a mixed batch is as it is alone' \
    'tells good frames from bad ones' 'each instance has its own parameters' \
    'frames of different sizes in one batch'; do
    ok "rs.decode ref: $line, which was tried" grep -q "^ok [0-9]* - rs.decode ref: $line\$" faulty
done
found "rs.sticks ref: a frame in a mixed batch is as it is alone" \
    'number 2, clean, after one that is hopelessly wrong, .*; it is marked FECRUN_FRAME_FAILED in the batch only'
found "rs.never-marks ref: tells good frames from bad ones" \
    'it never marks a frame: of [0-9]+ words .* 0 were marked'
found "rs.miscorrects ref: tells good frames from bad ones" \
    'it calls wrong words good: of [0-9]+ words .* [1-9][0-9]* called good'
found "rs.first-code ref: each instance has its own parameters" \
    'alone in a process, and by turns with instances of other parameters in one, it gives something else'
found "rs.class-zero ref: frames of different sizes in one batch" \
    'of class 1 \(code object 1\), differs from what it gives in a batch of its class alone'
found "rs.weak ref: gives back what its encoder encoded" \
    'its example says that it corrects 3 wrong symbols \(of 4 items\), but of so many it does not'
found "rs.silent ref: tells good frames from bad ones" \
    'it gives no verdict \(FECRUN_FRAME_CHECKED\) on 64 of 64 frames, and its stage says FECRUN_STAGE_CHECKS'

# ---- What is counted, and what could not be tried ----

ok "verdicts are counted" grep -Eq \
    '^# rs.decode ref: verdicts on ([0-9]+) of \1 words with wrong bits: [1-9][0-9]* came out right, of them 0 marked; [1-9][0-9]* wrong, of them [1-9][0-9]* marked and ' \
    faulty
ok "... and that there are none" grep -q '^# rs.silent ref: no verdicts: FECRUN_FRAME_CHECKED is on none' \
    faulty
clean rs.one-size
ok "no second class of frames" grep -q \
    '^# NOT TESTED: rs.one-size ref: frames of several classes in one batch.*no other value of parity' \
    faulty
ok "no second code object" grep -q \
    '^# NOT TESTED: rs.one-size ref: two code objects in one process: plan() took only {}' faulty
ok "... and only there" [ "$(grep -c '^# NOT TESTED' faulty)" = 2 ]

# ---- Verdicts that are how sure the decoder is ----
# Of LLRs that are as sure as can be, and wrong, it can only think that all is well.

run "$FECRUN_CHECK" --seconds 20 "$BADDIR/check_sure.so"
is 1 "decoders that are sure"
cp out faulty
clean sure.decode
ok "sure.decode ref: verdicts, which were tried" \
    grep -Eq '^# sure.decode ref: verdicts on ([0-9]+) of \1 words .* wrong, of them [1-9][0-9]* marked' faulty
found "sure.trusts ref: tells good frames from bad ones" 'it never marks a frame: of [0-9]+ words .* 0 were marked'

# ---- corrects, as a case has it ----

run "$FECRUN_CHECK" --seconds 5 --stage rs.decode --only-cases \
    --case 'rs.decode: {parity: 4, check: {items: 60, corrects: 2, symbol_items: 4}}' \
    "$BADDIR/check_rs.so"
is 0 "two wrong symbols of four items are corrected"
run "$FECRUN_CHECK" --seconds 5 --stage rs.decode --only-cases \
    --case 'rs.decode: {parity: 4, check: {items: 60, corrects: 3, symbol_items: 4}}' \
    "$BADDIR/check_rs.so"
is 1 "three are not"
prints 'it corrects 3 wrong symbols \(of 4 items\), but of so many it does not' "which is said"

# ---- A case that wants a CRC, which words of the encoder alone have not ----
run "$FECRUN_CHECK" --seconds 5 --stage turbo.decode --backend ref --only-cases \
    --case 'turbo.decode: {k: 40, early_stop: crc, crc: 24a}' "$PLUGINS/turbo.so"
is 0 "right words that are marked are no fault"
prints '^# NOT TESTED: turbo.decode ref: verdicts of --case: [0-9]+ words came out right and are marked' "which is said"

done_testing
