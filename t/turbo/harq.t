#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# turbo.rate_recover in pipelines: soft buffers through ports and files.
. "$top_srcdir/t/lib/counts.sh"
without_cuda

# Rate matching takes any bits of a word's length, so no encoder is needed.
lte='k: 104, fillers: 9, ncb: 300'
send() { # RV E OPTION...: a transmission of `word` up to r$RV
    printf '  - %s\n' "turbo.rate_match: {id: m$1, from: word, $lte, e: $2, rv: $1}" \
        "modem.map: {id: map$1, scheme: qpsk}" "channel.awgn: {id: noise$1, esn0_db: 1}" \
        "modem.demap: {id: demap$1}" "llr.quantize: {id: q$1, type: i8, scale: 8, max: 40}" \
        "turbo.rate_recover: {id: r$1, $lte, rv: $1${3:+, $3}}"
}
file() { # SINK TRANSMISSION...: a pipeline file
    printf 'fecrun: 1\nseed: 9\nbatch: 7\nstop: {frames: 40}\npipeline:\n'
    printf '  - source.random: {id: word, bits: 324}\n'
    printf '%s\n' "$2" ${3:+"$3"}
    printf '  - %s\n' "$1"
}
to() { echo "sink.file: {path: $1, dtype: i2}"; }

# ---- Through ports ----
file "$(to first.npy)" "$(send 0 200)" >first.yaml
file "$(to second.npy)" "$(send 2 700)" >second.yaml
file "$(to both.npy)" "$(send 0 200)" "$(send 2 700 'harq_in: r0')" >both.yaml
for name in first second both; do
    run "$FECRUN" run $name.yaml --quiet
    is 0 "$name"
done

# sums A B C: is C the sum of A and B within +-127, but 127 at the fillers of d0 and d1?
sums() {
    for name in "$@"; do
        tail -c +129 "$name" | od -An -v -td2 -w2 >"$name.txt"
    done
    paste "$1.txt" "$2.txt" "$3.txt" | awk '
        { s = $1 + $2; s = s > 127 ? 127 : s < -127 ? -127 : s; i = (NR - 1) % 324 }
        i < 9 || (i >= 108 && i < 117) { s = 127 }
        s != $3 { bad = 1 }
        s == 0 { unsent++ }
        s != $1 && s != $2 && s != 127 && s != -127 { added++ }
        END { exit bad || NR != 324 * 40 || unsent < 40 * 40 || added < 1000 }'
}
ok "LLRs of two transmissions are added up" sums first.npy second.npy both.npy
for options in '--set batch=1' '--set batch=40 --threads 1' '--set in_flight=9'; do
    run "$FECRUN" run both.yaml --quiet $options --set sink.file.path=again.npy
    ok "the same: $options" cmp both.npy again.npy
done

# ---- Through files ----
file "$(to first2.npy)" "$(send 0 200 'harq_out: soft.npy')" >one.yaml
# What the second run receives is a file, too: in a run that reads a soft buffer channels draw other
# values than through ports.
file "sink.file: {path: received.npy}" "$(send 2 700 | sed '/rate_recover/d')" >received.yaml
run "$FECRUN" run received.yaml --quiet --set stop.frames=41
is 0 "what the second run receives"
pipeline 'source.file: {path: received.npy, kind: llr, llr_scale: 8}' \
    "turbo.rate_recover: {id: r2, $lte, rv: 2, harq_in: soft.npy, harq_out: soft2.npy}" \
    "$(to both2.npy)" >two.yaml
printf 'batch: 7\nstop: {frames: 40}\n' >>two.yaml
run "$FECRUN" run one.yaml --quiet
is 0 "writing a soft buffer"
ok "what goes on is the same" cmp first.npy first2.npy
run "$FECRUN" run two.yaml --quiet
is 0 "adding to it, and writing what came out"
ok "as through ports" cmp both.npy both2.npy
ok "a row a frame, of the LLRs' type" grep -aq "'descr': '|i1'.*'shape': (40, 324)" soft.npy
tail -c +129 soft.npy | od -An -v -td1 -w324 >soft.txt
ok "fillers are 0 there" awk '{ for (i = 1; i <= 9; i++) bad += $i != 0 || $(i + 108) != 0 }
    END { exit bad || NR != 40 }' soft.txt

# Two runs of one file, one transmission each: the same frames, and noise of its own each time.
pipeline 'source.random: {bits: 104}' 'turbo.encode: {}' 'turbo.rate_match: {e: 240}' \
    'modem.map: {scheme: qpsk}' 'channel.awgn: {esn0_db: -3}' 'modem.demap: {}' \
    'llr.quantize: {type: i8, scale: 8}' 'turbo.rate_recover: {id: r, k: 104, harq_out: sum.npy}' \
    'turbo.decode: {}' 'sink.errors: {}' >again.yaml
printf 'stop: {frames: 100}\n' >>again.yaml
once=$(run_fields frame_errors again.yaml)
twice=$(run_fields frame_errors again.yaml --set r.harq_in=sum.npy)
ok "the second transmission helps: $once and $twice frame errors" \
    [ "$once" -gt 80 -a "$twice" -lt 60 ]

# ---- Errors ----
refuses 2 'set r2.harq_in=r1: r1 is neither a stage in front of this one nor a file' \
    check two.yaml --set r2.harq_in=r1
refuses 2 'r2.harq_in=first.yaml: .*first.yaml holds no .npy array of LLRs' \
    check two.yaml --set r2.harq_in=first.yaml
sed 's/k: 104/k: 112/; s/bits: 324/bits: 348/' two.yaml >shape.yaml
refuses 2 'r2.harq_in: .*soft.npy has 324 LLRs a frame; the word has 348' check shape.yaml
refuses 1 'r2.harq_in: .*soft.npy has only 40 frames, but frame 40 ' \
    run two.yaml --quiet --set stop.frames=41
sed 's/harq_in: r0/harq_in: q0/' both.yaml >size.yaml
refuses 2 'size.yaml:.* r2.harq_in: has 200 LLRs a frame; the code word has 324' check size.yaml
refuses 2 'r2.harq_in: has 4 units per natural LLR and the input 8' \
    check both.yaml --set q0.scale=4

# ---- What it is for: the redundancy versions of LTE in turn ----
retries() { # RV...: wrong frames of 200 after these transmissions
    printf 'fecrun: 1\nseed: 3\nstop: {frames: 200}\npipeline:\n'
    printf '  - source.random: {bits: 1024}\n  - turbo.encode: {id: word}\n'
    last=
    for rv in "$@"; do
        printf '  - %s\n' "turbo.rate_match: {id: m$rv, from: word, e: 1536, rv: $rv}" \
            "modem.map: {id: map$rv, scheme: qpsk}" "channel.awgn: {id: noise$rv, esn0_db: -1}" \
            "modem.demap: {id: demap$rv}" "llr.quantize: {id: q$rv, type: i8, scale: 8}" \
            "turbo.rate_recover: {id: r$rv, k: 1024, rv: $rv${last:+, harq_in: r$last}}"
        last=$rv
    done
    printf '  - %s\n' "turbo.decode: {}" 'sink.errors: {}'
}
once=$(retries 0 | run_fields frame_errors -)
twice=$(retries 0 2 | run_fields frame_errors -)
four=$(retries 0 2 3 1 | run_fields frame_errors -)
echo "# wrong frames of 200 after one, two and four transmissions: $once $twice $four"
[ "$once" = 200 ] && [ "$twice" -lt 200 ] && [ "$four" = 0 ]
tap_check $? "each transmission adds to what the ones before it told"
done_testing
