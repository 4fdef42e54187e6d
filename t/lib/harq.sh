# SPDX-License-Identifier: BSD-2-Clause
# Soft buffers of a family's rate_recover, through ports and files: . "$top_srcdir/t/lib/harq.sh". The test sets
#
#     family    turbo: the stages are turbo.rate_match and turbo.rate_recover
#     word      bits of the code word; rate matching takes any bits, so that no encoder is needed
#     rate      parameters of both stages besides e and rv
#     other     a sed script that makes of `rate` and `word` those of a word of $other_word bits
#     known     items of the word that are fillers: 0-8 108-116
#     second    bits of the second transmission, of version 2; the first one has 200 of version 0
#     unsent    so many items of each word at least are in neither
#
# and calls harq_ports, harq_files and harq_errors in this order.
. "$top_srcdir/t/lib/errors.sh"
without_cuda

# send RV E OPTION...: a transmission of `word` up to r$RV
send() {
    printf '  - %s\n' "$family.rate_match: {id: m$1, from: word, $rate, e: $2, rv: $1}" \
        "modem.map: {id: map$1, scheme: qpsk}" "channel.awgn: {id: noise$1, esn0_db: 1}" \
        "modem.demap: {id: demap$1}" "llr.quantize: {id: q$1, type: i8, scale: 8, max: 40}" \
        "$family.rate_recover: {id: r$1, $rate, rv: $1${3:+, $3}}"
}

# harq_file SINK TRANSMISSION...: a pipeline file of 40 frames
harq_file() {
    printf 'fecrun: 1\nseed: 9\nbatch: 7\nstop: {frames: 40}\npipeline:\n'
    printf '  - source.random: {id: word, bits: %s}\n' "$word"
    printf '%s\n' "$2" ${3:+"$3"}
    printf '  - %s\n' "$1"
}
to() { echo "sink.file: {path: $1, dtype: i2}"; }

# sums A B C: is C the sum of A and B within +-127, but 127 at the fillers?
sums() {
    for tap_file in "$@"; do
        tail -c +129 "$tap_file" | od -An -v -td2 -w2 >"$tap_file.txt"
    done
    paste "$1.txt" "$2.txt" "$3.txt" | awk -v word="$word" -v known="$known" -v least="$unsent" '
        BEGIN {
            n = split(known, range, " ")
            for (i = 1; i <= n; i++) {
                split(range[i], end, "-")
                for (k = end[1]; k <= end[2]; k++)
                    filler[k] = 1
            }
        }
        { s = $1 + $2; s = s > 127 ? 127 : s < -127 ? -127 : s }
        (NR - 1) % word in filler { s = 127 }
        s != $3 { bad = 1 }
        s == 0 { unsent++ }
        s != $1 && s != $2 && s != 127 && s != -127 { added++ }
        END { exit bad || NR != word * 40 || unsent < 40 * least || added < 1000 }'
}

harq_ports() {
    harq_file "$(to first.npy)" "$(send 0 200)" >first.yaml
    harq_file "$(to second.npy)" "$(send 2 "$second")" >second.yaml
    harq_file "$(to both.npy)" "$(send 0 200)" "$(send 2 "$second" 'harq_in: r0')" >both.yaml
    for name in first second both; do
        run "$FECRUN" run $name.yaml --quiet
        is 0 "$name"
    done
    ok "LLRs of two transmissions are added up" sums first.npy second.npy both.npy
    for options in '--set batch=1' '--set batch=40 --threads 1' '--set in_flight=9'; do
        run "$FECRUN" run both.yaml --quiet $options --set sink.file.path=again.npy
        ok "the same: $options" cmp both.npy again.npy
    done
    run "$FECRUN" explain both.yaml
    prints "in   $word LLRs as i8, .*to .harq_in. from r0" "explain shows the port"
    prints "in   $word bits .*from word" "and the input from elsewhere"
    prints "out  $word LLRs as i8, .LLR. <= 127" "fillers have the largest value"
}

harq_files() {
    harq_file "$(to first2.npy)" "$(send 0 200 'harq_out: soft.npy')" >one.yaml
    # What the second run receives is a file, too: in a run that reads a soft buffer channels draw other
    # values than through ports.
    harq_file "sink.file: {path: received.npy}" "$(send 2 "$second" | sed '/rate_recover/d')" >received.yaml
    run "$FECRUN" run received.yaml --quiet --set stop.frames=41
    is 0 "what the second run receives"
    { pipeline 'source.file: {path: received.npy, kind: llr, llr_scale: 8}' \
        "$family.rate_recover: {id: r2, $rate, rv: 2, harq_in: soft.npy, harq_out: soft2.npy}" "$(to both2.npy)"
      printf 'batch: 7\nstop: {frames: 40}\n'; } >two.yaml
    for options in '--set batch=1' '--set batch=40' '--set in_flight=9 --threads 3'; do
        rm -f ./*2.npy soft*.npy
        run "$FECRUN" run one.yaml --quiet $options
        is 0 "writing a soft buffer: $options"
        ok "what goes on is the same" cmp first.npy first2.npy
        run "$FECRUN" run two.yaml --quiet $options
        is 0 "adding to it, and writing what came out"
        ok "as through ports" cmp both.npy both2.npy
        [ -f want.npy ] || cp soft2.npy want.npy
        ok "the same file" cmp soft2.npy want.npy
    done
    ok "a row a frame, of the LLRs' type" grep -aq "'descr': '|i1'.*'shape': (40, $word)" soft.npy
    ok "fillers are 0 there" no_fillers soft.npy
    cp soft.npy inout.npy
    run "$FECRUN" run two.yaml --quiet --set r2.harq_in=inout.npy --set r2.harq_out=inout.npy
    ok "a file can replace itself" cmp inout.npy soft2.npy
    # Types are widened, not cut.
    harq_file "sink.null: {}" "$(send 0 200 'harq_in: soft.npy, harq_out: wide.npy')" |
        sed 's/type: i8, scale: 8, max: 40/type: i16, scale: 8/' >wide.yaml
    run "$FECRUN" run wide.yaml --quiet
    is 0 "i8 in the file, i16 at the input"
    ok "gives i16" grep -aq "'descr': '<i2'.*'shape': (40, $word)" wide.npy
    run "$FECRUN" explain two.yaml
    prints '^r2: ref on host' "explain: a stage with files"
}

# no_fillers FILE: 0 at the fillers of all 40 rows, and somewhere else not
no_fillers() {
    tail -c +129 "$1" | od -An -v -td1 -w"$word" | awk -v known="$known" '
        {
            n = split(known, range, " ")
            for (i = 1; i <= n; i++) {
                split(range[i], end, "-")
                for (k = end[1]; k <= end[2]; k++)
                    bad += $(k + 1) != 0
            }
            for (k = 1; k <= NF; k++)
                some += $k != 0
        }
        END { exit bad || !some || NR != 40 }'
}

harq_errors() {
    harq_refused <<END
2 | two  |                                   | check --set r2.harq_in=r1         | set r2.harq_in=r1: r1 is neither a stage in front of this one nor a file
2 | both | s/harq_in: r0/harq_in: r1/        | check                             | bad.yaml:18:[0-9]+: r2.harq_in: r1 is neither a stage in front of this one nor a file
2 | two  |                                   | check --set r2.harq_in=first.yaml | r2.harq_in=first.yaml: .*first.yaml holds no .npy array of LLRs
2 | two  | $other                            | check                             | r2.harq_in: .*soft.npy has $word LLRs a frame; the word has $other_word
1 | two  |                                   | run --quiet --set stop.frames=41  | r2.harq_in: .*soft.npy has only 40 frames, but frame 40 \(from 0\) has arrived$
1 | one  |                                   | run --quiet --set r0.harq_out=nowhere/soft.npy | r0.harq_out=.*nowhere/soft.npy: cannot write a file there: No such file
2 | one  |                                   | check --set r0.harq_out=-         | r0.harq_out=-: standard output is raw
2 | both |                                   | check --set r2.harq_out=-         | r2.harq_out=-: standard output is raw
2 | one  | s/sink.file.*/sink.null: {}/; \$a sweep: {noise0.esn0_db: [1, 2]} | check                             | bad.yaml:12:.* r0: cannot be part of a sweep
2 | both | s/harq_in: r0/harq_in: m0/        | check                             | bad.yaml:.* r2: input .harq_in. takes LLRs, but m0 gives bits
2 | both | s/harq_in: r0/harq_in: q0/        | check                             | bad.yaml:.* r2.harq_in: has 200 LLRs a frame; the code word has $word
2 | both |                                   | check --set q0.scale=4            | r2.harq_in: has 4 units per natural LLR and the input 8
2 | both | \$a sweep: {r2.harq_in: [r0, q0]} | check                             | bad.yaml:20:.* r2.harq_in links stages and cannot change
END
    ok "what was there stays" cmp soft2.npy want.npy
    ok "and no temporary file" [ -z "$(find . -name '*.tmp')" ]
    truncate -s -1 soft.npy
    harq_refused <<END
2 | two |  | check | r2.harq_in: .*soft.npy: truncated .npy file: it ends at byte $((128 + 40 * word - 1))
END
}

# harq_blocks ONE OTHER: users.yaml and users.csv, whose line 2 alone has words of ONE bits and the others have OTHER: soft
# buffers in a file are rows of one length.
harq_blocks() {
    sed 's/rate_recover: {}/rate_recover: {harq_out: users.npy}/' users.yaml >soft.yaml
    refuses 1 "$family.rate_recover.harq_out: the words have $1 and $2 LLRs" run soft.yaml
    sed 2d users.csv >same.csv
    sed 's/users.csv/same.csv/' soft.yaml >same.yaml
    run "$FECRUN" run same.yaml --quiet
    is 0 "blocks with words of one length"
    ok "write them all" grep -aq "'shape': (30, $2)" users.npy
}

# harq_refused <<TABLE: rows STATUS | FILE | EDIT | COMMAND | PATTERN. The command with FILE.yaml, which sed edits, ends with
# STATUS and says PATTERN (grep -E).
harq_refused() { each_row tap_harq_refused; }

tap_harq_refused() {
    sed "$3" "$2.yaml" >bad.yaml
    set -- "$1" "$5" $4
    tap_verb=$3
    refuses "$1" "$2" "$tap_verb" bad.yaml $(shift 3; echo "$@")
}
