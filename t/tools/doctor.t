#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# `fecrun run --doctor`: mistakes are found where they begin, and a good link gets no complaint.
. "$top_srcdir/t/lib/tap.sh"

spoil="--plugin-dir $top_builddir/t/doubles/fake"

# link SCHEME EBN0 [STAGE]: a file; the stage stands behind the demapper.
link() {
    cat <<END
fecrun: 1
pipeline:
  - source.random: {bits: 1194}
  - conv.encode: {code: ieee80211}
  - modem.map: {scheme: $1}
  - channel.awgn: {ebn0_db: $2}
  - modem.demap
${3:+  - $3}
  - llr.quantize: {type: i8, scale: 4}
  - viterbi.decode
  - sink.errors
END
}

doctor() { run "$FECRUN" run p.yaml --doctor $spoil --json j "$@"; }
# words PATTERN WHAT: of a complaint, wherever its lines are broken
words() {
    tr -s ' \n' ' ' <out >words
    ok "$2" grep -Eq -e "$1" words
}
# verdict PORT: what is said of it, and what it costs
verdict() {
    sed 's/"text":"[^"]*", *//g' j | tr '{' '\n' | awk -v stage="\"stage\":\"$1\"" '
        index($0, "\"stage\":") { here = index($0, stage) }
        here && match($0, /"what":"[a-z]*"/) {
            what = substr($0, RSTART + 8, RLENGTH - 9)
            match($0, /"cost_db":[^,}]*/)
            print what, substr($0, RSTART + 10, RLENGTH - 10)
        }'
}
# number STAGE NAME: of its JSON
number() {
    tr '{' '\n' <j | awk -v stage="\"stage\":\"$1\"" -v name="\"$2\":" '
        index($0, "\"stage\":") { here = index($0, stage) }
        here && (at = index($0, name)) {
            rest = substr($0, at + length(name))
            sub(/[,}].*/, "", rest)
            print rest
            exit
        }'
}
near() { # WHAT NUMBER WANTED TOLERANCE
    tap_last="$1: $2, wanted $3 +- $4"
    awk "BEGIN { d = $2 - $3; exit !(d * d <= $4 * $4) }" </dev/null
    tap_check $? "$1"
}
complains() { # STAGE WHAT
    tap_last="$1: $(verdict "$1")"
    [ "$(verdict "$1" | cut -d ' ' -f 1)" = "$2" ]
    tap_check $? "$1: $2"
}
only() { ok "and nothing else is said" grep -q '^1 complaint' out; }

for scheme in bpsk qpsk 16qam 64qam 256qam; do
    link $scheme 5 >p.yaml
    doctor
    prints '^no complaints' "a good link of $scheme gets none"
    near "its demapper gives what the channel allows" "$(number modem.demap information)" \
        "$(number modem.demap information_allowed)" 0.006
done
ok "text within 80 columns" [ "$(awk 'length > 80' out | wc -l)" = 0 ]
link qpsk 1.5 >p.yaml
doctor
# the capacity of BPSK with real noise at Es/N0 = 1.5 dB - 3.01 dB + 3.01 dB / rate 1/2 of 1194 + 6 bits
near "LLRs as large as they should be: slope 1" "$(number modem.demap slope)" 1 0.03
near "as many signs right as BPSK without a code has" "$(number modem.demap signs_right)" 0.8810 0.004

link qpsk 3 'spoil.llrs: {fault: inverted}' >p.yaml
doctor
complains spoil.llrs inverted
words 'looks inverted: 9[0-9]\.[0-9] % of the signs' "in words"
only
link qpsk 3 'spoil.llrs: {fault: conjugate}' >p.yaml
doctor
complains spoil.llrs inverted
words 'of each 2 bits, counted from 0, these look inverted: 1 ' "every other bit inverted"
only
link 16qam 6 'spoil.llrs: {fault: swapped}' >p.yaml
doctor
complains spoil.llrs swapped
words '0 has 1, 1 has 0, 2 has 3, 3 has 2 in it' "swapped bits of a symbol: which ones"
only
link bpsk 3 'spoil.llrs: {fault: bytes}' >p.yaml
doctor
complains spoil.llrs swapped
words '0 has 7, 1 has 6' "bytes the other way round"
link qpsk 3 'spoil.llrs: {fault: shifted}' >p.yaml
doctor
complains spoil.llrs unrelated
only
link qpsk 3 'spoil.llrs: {fault: erased}' >p.yaml
doctor
complains spoil.llrs silent
link qpsk 3 'spoil.llrs: {fault: scaled}' >p.yaml
doctor
complains spoil.llrs scale
words 'LLRs are 4(\.0.)? times too large' "how much"
link qpsk 3 'spoil.llrs: {fault: clipped}' >p.yaml
doctor
ok "clipped: of another scale, and less" [ "$(verdict spoil.llrs | cut -d ' ' -f 1 | xargs)" = "scale loss" ]

# Es/N0 is 3.01 dB less than Eb/N0 + 3.01 dB with the code's rate of a half; 12.02 dB are a factor of 16
link bpsk 3 >p.yaml
doctor --set modem.demap.esn0_db=6
complains modem.demap scale
words 'LLRs are 4(\.0[0-9]?|\.1)? times too large' "a demapper that is told 6 dB less noise: 4 times"

# Half a bit of each comes through at Eb/N0 = 0.187 dB where LLRs are soft, and at 1.77 dB where they
# are hard: the textbooks' limits of rate 1/2. So there hard decisions cost 1.58 dB.
link qpsk 1.79 >p.yaml
doctor --set llr.quantize.scale=1e6
complains llr.quantize saturated
words 'scale 1e.06 is [0-9e+.]* times too large, costs' "in words"
p=$(awk "BEGIN { print 1 - $(number modem.demap signs_right) }")
near "a hard decision leaves 1 - h(p)" "$(number llr.quantize information)" \
    "$(awk "BEGIN { p = $p; print 1 + (p * log(p) + (1 - p) * log(1 - p)) / log(2) }")" 0.003
near "which costs" "$(verdict llr.quantize | cut -d ' ' -f 2)" 1.58 0.03
scale=$(sed 's/.*"quantize":{"type":"i8","scale":\([0-9.]*\).*/\1/; s/.*"scale":\([0-9.]*\),"type":"i8".*/\1/' j)
doctor --set "llr.quantize.scale=$scale"
prints '^no complaints' "the scale that is said to be right is"
doctor --set llr.quantize.scale=0.1
complains llr.quantize coarse
doctor --set llr.quantize.type=i4 --set llr.quantize.scale=16
complains llr.quantize saturated
words 'type: i4' "the scale that is right is for the same type"

# Places without a bit of their own are not saturated, nor erased.
cat >p.yaml <<'END'
fecrun: 1
pipeline:
  - source.random: {bits: 480}
  - ldpc.encode: {code: nr, bg: 2, z: 52, fillers: 40}
  - ldpc.rate_match: {e: 1400, qm: 2}
  - modem.map: {scheme: qpsk}
  - channel.awgn: {ebn0_db: 3}
  - modem.demap
  - llr.quantize: {type: i8, scale: 4}
  - ldpc.rate_recover
  - ldpc.decode
  - sink.errors
END
doctor
prints '^no complaints' "fillers and punctured bits: none"
ok "40 of each frame are known" \
    [ "$(number ldpc.rate_recover known)" = "$(($(number ldpc.rate_recover frames) * 40))" ]
link bpsk 3 | sed 's/channel.awgn.*/channel.bec: {p: 0.3}/; /modem/d; /quantize/d' >p.yaml
doctor
prints '^no complaints' "erasures: none"
near "0.7 bit are left of each" "$(number channel.bec information)" 0.7 0.005

# Recordings
link qpsk 3 'sink.file: {path: r.npy}' | sed '/quantize/,$d; s/- modem.demap/- modem.demap\n  - llr.quantize: {type: i8, scale: 4}/' >w.yaml
"$FECRUN" run w.yaml --quiet --set stop.frames=50
"$FECRUN" run w.yaml --quiet --set stop.frames=50 --set llr.quantize.scale=100 --set sink.file.path=loud.npy
cp r.npy kept.npy
run "$FECRUN" run w.yaml --doctor
prints '^no complaints' "a pipeline that records"
ok "is not recorded, nor is anything left" [ "$(cmp r.npy kept.npy && ls | grep -c tmp)" = 0 ]
cat >p.yaml <<'END'
fecrun: 1
pipeline:
  - source.file: {path: r.npy, kind: llr, llr_scale: 4}
  - viterbi.decode: {code: ieee80211}
  - sink.null
END
doctor
is 0 "a recording"
prints 'of what bits is unknown' "whose bits nobody knows"
prints '^no complaints' "of a good scale"
prints '^source.file.out: 50 frames of 2400 LLRs, i8, scale 4' "all of it"
ok "no numbers that need bits" grep -q '"signs_right":null' j
doctor --set source.file.path=loud.npy
complains source.file saturated

sed 's/kind: llr.*/kind: llr}\n  - llr.quantize: {scale: 20}/; s/r.npy/f.npy/' p.yaml >q.yaml
sed 's/ *- llr.quantize.*//; s/r.npy/f.npy/' w.yaml >f.yaml
"$FECRUN" run f.yaml --quiet --set stop.frames=50
run "$FECRUN" run q.yaml --doctor
words 'saturated at i8: scale 20 is too large, if' "a quantiser that a recording is too large for"
printf '\0\0\200\177\0\0\300\177\0\0\0\0\0\0\200\77' >raw
sed 's/path: r.npy/path: raw, dtype: f4, frame: 2/; s/llr_scale: 4/loop: false/; s/ieee80211}/ieee80211, termination: truncated}/' p.yaml >q.yaml
run "$FECRUN" run q.yaml --doctor
prints '! 1 of 4 LLRs are no numbers' "no number, infinite, 0 and 1"
prints '^ +0.9091 .#' "are in the histogram"

cat >w.yaml <<'END'
fecrun: 1
pipeline:
  - source.random: {bits: 66}
  - conv.encode: {code: ieee80211}
  - conv.puncture: {pattern: [1, 0, 0, 0]}
  - modem.map: {scheme: bpsk}
  - channel.awgn: {ebn0_db: 4}
  - modem.demap
  - conv.depuncture: {pattern: [1, 0, 0, 0]}
  - viterbi.decode: {code: ieee80211}
  - sink.errors
END
run "$FECRUN" run w.yaml --doctor
is 0 "a stage that warns when it is planned"
says 'conv.depuncture: 36 LLRs are received of 72 steps' "is told of; it is planned for the reference, too"

refuses 2 'no stage of this file puts out LLRs' run "$top_srcdir/conf/dvb-stream-truth.yaml" --doctor
refuses 2 'doctor: cannot be combined with' run p.yaml --doctor --journal J
refuses 2 'doctor: does not support --csv' run p.yaml --doctor --csv -
# ---- Schemes without two equal dimensions ----
link 8psk 6 >p.yaml
echo 'stop: {frames: 40}' >>p.yaml
doctor
words 'what the channel allows is not known for 8psk: no word on the demapper.s loss' "8PSK is no scheme of the doctor's, and it says so"
link qpsk 3 >p.yaml
echo 'stop: {frames: 40}' >>p.yaml
doctor
ok "QPSK is one" sh -c '! grep -q "not known" out'

done_testing
