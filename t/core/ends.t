#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Two ends of a channel: a stage that undoes another one takes parameters from it and has to agree
# with it, through what stands between them, along `from:`, at each sweep point.
. "$top_srcdir/t/lib/counts.sh"
without_cuda
fake="--plugin-dir $FAKEDIR"

# link ENCODER DECODER [BETWEEN...]: lines 3 to 9, the decoder in line 8.
link() {
    link_encoder=$1 link_decoder=$2
    shift 2
    pipeline 'source.random: {bits: 60}' "$link_encoder" 'modem.map: {scheme: qpsk}' \
        'channel.awgn: {esn0_db: 20}' 'modem.demap: {}' "$link_decoder" 'sink.errors: {}'
    printf 'stop: {frames: 20}\n'
}
# agrees WHAT ENCODER DECODER: no bit is wrong.
agrees() {
    link "$2" "$3" >p.yaml
    same "$1" "$(counts p.yaml)" "20 1200 0 0"
}
# disagree PATTERN ENCODER DECODER
disagree() {
    link "$2" "$3" >p.yaml
    refuses 2 "^fecrun: p.yaml:8:$1" check p.yaml
}

agrees "what is not written is taken" 'conv.encode: {code: umts_r3}' 'viterbi.decode: {}'
agrees "also what the encoder says of itself" \
    'conv.encode: {code: dvb, termination: zero}' 'viterbi.decode: {}'
agrees "free generators" 'conv.encode: {constraint_length: 5, generators: [0o23, 0o35], inverted: [1, 0]}' \
    'viterbi.decode: {}'
agrees "the rest of what is written" 'conv.encode: {code: ccsds, termination: zero}' \
    'viterbi.decode: {code: ccsds}'
agrees "one code, written in two ways" \
    'conv.encode: {code: ccsds, termination: zero}' \
    'viterbi.decode: {constraint_length: 7, generators: [0o171, 0o133], inverted: [0, 1]}'
agrees "... and the other way round" \
    'conv.encode: {constraint_length: 7, generators: [0o133, 0o171]}' \
    'viterbi.decode: {code: ieee80211}'
agrees "two names of one code" 'conv.encode: {code: umts_r3}' 'viterbi.decode: {code: cdma_r3}'

disagree '28: viterbi.decode.code: ieee80211, but conv.encode \(line 4\) has ccsds$' \
    'conv.encode: {code: ccsds, termination: zero}' 'viterbi.decode: {code: ieee80211}'
disagree '35: viterbi.decode.termination: truncated, but enc \(conv.encode, line 4\) has zero$' \
    'conv.encode: {id: enc, code: ieee80211, termination: zero}' \
    'viterbi.decode: {termination: truncated}'
disagree '56: viterbi.decode.generators: K = 7, generators 0o171 0o133, zero, but conv.encode \(line 4\) has K = 7, generators 0o133 0o171, zero$' \
    'conv.encode: {constraint_length: 7, generators: [0o133, 0o171]}' \
    'viterbi.decode: {constraint_length: 7, generators: [0o171, 0o133]}'
disagree '28: viterbi.decode.code: K = 7, generators 0o171 0o133, inverted 0 1, .*, but conv.encode \(line 4\) has K = 7, generators 0o133 0o171, zero$' \
    'conv.encode: {constraint_length: 7, generators: [0o133, 0o171]}' \
    'viterbi.decode: {code: ccsds, termination: zero}'
link 'conv.encode: {code: ieee80211}' 'viterbi.decode: {}' >p.yaml
refuses 2 '^fecrun: --set viterbi.decode.code=cdma_r2: cdma_r2, but conv.encode \(line 4\) has ieee80211$' \
    check p.yaml --set viterbi.decode.code=cdma_r2
run "$FECRUN" check p.yaml --set conv.encode.code=umts_r2
is 0 "what --set says of the encoder reaches the decoder"
link 'conv.encode: {}' 'viterbi.decode: {code: dab}' >p.yaml
refuses 2 'viterbi.decode.code: dab, but conv.encode \(--set\) has umts_r3$' check p.yaml \
    --set conv.encode.code=umts_r3
# Where plan() fails, the reason may be at the other end, too.
disagree '5: viterbi.decode.termination: continuous needs a stream .*; code is dvb, but conv.encode \(line 4\) has ieee80211$' \
    'conv.encode: {code: ieee80211}' 'viterbi.decode: {code: dvb}'

# ---- What was taken is told, and a result can be run again ----

link 'conv.encode: {id: enc, code: ccsds, termination: zero}' 'viterbi.decode: {}' >p.yaml
run "$FECRUN" explain p.yaml
prints '^ +code, termination as in enc$' "explain says what, and from where"
run "$FECRUN" explain p.yaml --json -
prints '"taken":\{"from":"enc","params":\["code","termination"\]\}' "... as JSON, too"
run "$FECRUN" run p.yaml --quiet --json -
prints '"viterbi.decode":\{"code":"ccsds","termination":"zero"' "result files have the values"

link 'conv.encode: {}' 'viterbi.decode: {}' >p.yaml
printf 'sweep: {conv.encode.code: [umts_r2, ieee80211], channel.awgn.esn0_db: [-1, 1]}\n' >>p.yaml
run "$FECRUN" run p.yaml --quiet --json result.json
is 0 "a swept code is that of the decoder, too"
want=$(fields frames bits bit_errors <result.json)
ok "each point has errors of its own" [ "$(echo "$want" | sort -u | wc -l)" = 4 ]
# again: a result's first line as a pipeline.
again() {
    head -n 1 "$1" | sed 's/^{.*"seed":\([0-9]*\).*"stop":/{"fecrun":1,"seed":\1,"stop":/' >again.yaml
}
again result.json
same "the result's pipeline gives the same counts" "$(run_fields 'frames bits bit_errors' again.yaml)" \
    "$want"

# ---- Where from ----

# nested INNER OUTER: two codes, one within the other; lines 4, 5 encode and 9, 10 decode.
nested() {
    { pipeline 'source.random: {bits: 60}' 'conv.encode: {id: outer, code: ieee80211}' \
        'conv.encode: {id: inner, code: umts_r2}' 'modem.map: {scheme: bpsk}' \
        'channel.awgn: {esn0_db: 20}' 'modem.demap: {}' \
        "viterbi.decode: {id: first, $1}" 'modem.map: {id: map2, scheme: bpsk}' \
        'modem.demap: {id: demap2, esn0_db: 9}' "viterbi.decode: {id: second, $2}" \
        'sink.errors: {}'
      printf 'stop: {frames: 20}\n'; } >p.yaml
}
nested '' ''
same "a code within a code" "$(counts p.yaml)" "20 1200 0 0"
run "$FECRUN" explain p.yaml
prints ' as in inner$' "the inner decoder takes from the inner encoder"
prints ' as in outer$' "the outer one from the outer"
nested 'code: ieee80211' ''
refuses 2 '^fecrun: p.yaml:9:.*first.code: ieee80211, but inner \(conv.encode, line 5\) has umts_r2' \
    check p.yaml
nested '' 'code: cdma_r2'
refuses 2 '^fecrun: p.yaml:12:.*second.code: cdma_r2, but outer \(conv.encode, line 4\) has ieee80211' \
    check p.yaml

cat >from.yaml <<END
fecrun: 1
pipeline:
  - source.random: {bits: 60}
  - conv.encode: {id: one, code: ieee80211}
  - modem.map: {id: map1, scheme: bpsk}
  - modem.demap: {id: demap1, esn0_db: 9}
  - conv.encode: {id: two, code: umts_r2, from: source}
  - modem.map: {id: map2, scheme: bpsk}
  - modem.demap: {id: demap2, esn0_db: 9}
  - viterbi.decode: {id: first, from: demap1}
  - viterbi.decode: {id: second, from: demap2}
  - ports.pick: {from: first, second: second}
  - sink.errors: {}
stop: {frames: 20}
END
same "along from:" "$(counts from.yaml $fake)" "20 1200 0 0"
refuses 2 'second.code=cdma_r2: cdma_r2, but two \(conv.encode, line 7\) has umts_r2' check \
    from.yaml $fake --set second.code=cdma_r2

# Two signals that become one: nobody can say whose code leaves.
pipeline 'source.random: {bits: 60}' 'conv.encode: {id: one, code: ieee80211}' \
    'conv.encode: {id: two, code: dvb, termination: zero, from: source}' \
    'ports.swap: {id: swap, from: one, b: two}' 'modem.map: {scheme: bpsk, from: swap.a}' \
    'modem.demap: {esn0_db: 9}' 'viterbi.decode: {code: dvb, termination: zero}' \
    'sink.errors: {}' >p.yaml
printf 'stop: {frames: 20}\n' >>p.yaml
same "a stage that joins ends the search" "$(counts p.yaml $fake)" "20 1200 0 0"

# Nobody to take from.
pipeline 'source.file: {path: x.i1, kind: llr, dtype: i1, frame: 40, llr_scale: 1}' \
    'viterbi.decode: {}' 'sink.null: {}' >p.yaml
head -c 40 /dev/zero >x.i1
refuses 2 'viterbi.decode.code: give code, or constraint_length and generators' check p.yaml
done_testing
