#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Both ends of a convolutional code: what is not given is as at the other end, and a disagreement is
# told. t/core/ends.t has the rules, and viterbi.decode.
. "$top_srcdir/t/lib/ends.sh"
without_cuda

# punctured PUNCTURE DEPUNCTURE: lines 5 and 9
punctured() {
    pipeline 'source.random: {bits: 66}' 'conv.encode: {code: ieee80211}' "conv.puncture: {$1}" \
        'modem.map: {scheme: bpsk}' 'channel.awgn: {esn0_db: 20}' 'modem.demap: {}' \
        "conv.depuncture: {$2}" 'viterbi.decode: {}' 'sink.errors: {}'
    echo 'stop: {frames: 20}'
}
agree punctured <<'END'
a scheme                             | 20 1320 | scheme: ieee80211, rate: 3/4
its rate alone                       | 20 1320 | scheme: ieee80211, rate: 2/3 | scheme: ieee80211
a pattern                            | 20 1320 | pattern: ["1101", "1011"]
a pattern and the scheme that has it | 20 1320 | pattern: ["110", "101"]      | scheme: ieee80211, rate: 3/4
the scheme and its pattern           | 20 1320 | scheme: ieee80211, rate: 3/4 | pattern: ["110", "101"]
a pattern written twice as long      | 20 1320 | pattern: ["10", "11"]        | pattern: ["1010", "1111"]
END
long=$(printf '%040d' 0 | tr 0 1)
agree punctured <<END
a long pattern | 20 1320 | pattern: ["${long}1", "1$long"]
END
refused 2 punctured <<'END'
scheme: ieee80211, rate: 3/4 | scheme: dvb, rate: 3/4  | 9:31: conv.depuncture.scheme: dvb, but conv.puncture (line 5) has ieee80211
scheme: ieee80211, rate: 2/3 | rate: 3/4               | 9:29: conv.depuncture.rate: 3/4, but conv.puncture (line 5) has 2/3
pattern: ["101", "110"]      | pattern: ["110", "101"] | 9:32: conv.depuncture.pattern: pattern 110 101, but conv.puncture (line 5) has \
    pattern 101 110
END
refused 2 punctured <<END
pattern: ["${long}0", "0$long"] | pattern: ["0$long", "${long}0"] | 9:32: conv.depuncture.pattern: pattern of 2 rows \
and 41 steps, digest fb18bb413623a4d5, but conv.puncture (line 5) has pattern of 2 rows and 41 steps, digest \
5e2aa3789ef87385
END
warned punctured <<'END'
pattern: ["100", "001"] |  | 9:5: conv.depuncture: 48 LLRs are received of 72 steps: above rate 1 nothing can be decoded
pattern: ["101", "001"] |  | none
END

# The length travels, too: here the pattern drops the last steps of a frame, which its LLRs do not tell.
# long BITS TERMINATION
long() {
    pipeline "source.random: {bits: $1}" \
        "conv.encode: {constraint_length: 5, generators: [0o31, 0o27], termination: $2}" \
        'conv.puncture: {pattern: ["1110", "1010"]}' 'modem.map: {scheme: bpsk}' \
        'channel.awgn: {esn0_db: 20}' 'modem.demap: {}' 'conv.depuncture: {}' 'viterbi.decode: {}' \
        'sink.errors: {}'
    echo 'stop: {frames: 20}'
}
# all BITS TERMINATION: the pattern leaves the last bits of some to chance.
all() {
    long "$1" "$2" >p.yaml
    same "$2, $1 bits: all of the encoder's" "$(run_fields "frames bits" p.yaml)" "20 $((20 * $1))"
}
each_row all <<'END'
1000 | truncated
994  | zero
999  | zero
1000 | tail-biting
1001 | truncated
END
sed 's/sink.errors.*/sink.file: {path: decoded, dtype: u1, format: raw}/; s/bits: 1001/bits: 1000/' p.yaml >file.yaml
run "$FECRUN" run --quiet file.yaml
is 0 "and into a file"
same "... as many" "$(wc -c <decoded)" 20000
refuses 2 '^fecrun: --set conv.depuncture.length=2000: is 2000, but conv.puncture had frames of 2002' \
    check p.yaml --set conv.depuncture.length=2000
pipeline 'source.random: {}' 'conv.encode: {constraint_length: 5, generators: [0o31, 0o27]}' \
    'conv.puncture: {pattern: ["1100", "1000"]}' 'modem.map: {scheme: bpsk}' \
    'channel.awgn: {esn0_db: 20}' 'modem.demap: {}' 'conv.depuncture: {}' 'viterbi.decode: {}' \
    'sink.errors: {}' >p.yaml
printf '%s\n' 'blocks: [{count: 2, bits: 98}, {count: 1, bits: 100}, {count: 3, bits: 103}]' \
    'stop: {frames: 60}' >>p.yaml
same "frames of several lengths" "$(run_fields "frames bits" p.yaml)" "60 $((10 * (196 + 100 + 309)))"

# Of a code within a code each has its own.
inner='conv.encode: {id: e2, code: ieee80211, termination: truncated}'
pipeline 'source.random: {bits: 300}' \
    'conv.encode: {constraint_length: 5, generators: [0o31, 0o27], termination: truncated}' \
    'conv.puncture: {pattern: ["1110", "1010"]}' "$inner" \
    'conv.puncture: {id: p2, pattern: ["1100", "1110"]}' 'modem.map: {scheme: bpsk}' \
    'channel.awgn: {esn0_db: 20}' 'modem.demap: {}' 'conv.depuncture: {}' 'viterbi.decode: {}' \
    'channel.bsc: {p: 0.001}' 'conv.depuncture: {id: d1}' 'viterbi.decode: {id: v1}' 'sink.errors: {}' >p.yaml
printf 'stop: {frames: 20}\n' >>p.yaml
same "punctured twice" "$(run_fields "frames bits" p.yaml)" '20 6000'
pipeline 'source.random: {bits: 24}' 'crc.attach: {crc: 16}' 'conv.encode: {code: lte_tbcc}' \
    'conv.rate_match: {e: 130}' 'conv.encode: {id: e2, code: lte_tbcc}' \
    'conv.rate_match: {id: m2, e: 400}' 'modem.map: {scheme: bpsk}' 'channel.awgn: {esn0_db: 10}' \
    'modem.demap: {}' 'conv.rate_recover: {}' 'viterbi.decode: {}' 'channel.bsc: {p: 0.001}' \
    'conv.rate_recover: {id: r1}' 'viterbi.decode: {id: v1}' 'crc.check: {crc: 16}' 'sink.errors: {}' >p.yaml
printf 'stop: {frames: 20}\n' >>p.yaml
same "rate matched twice" "$(counts p.yaml)" '20 480 0 0'

# ---- A rate above 1, by what is known of the code ----

# word ENCODER PATTERN DECODER: frames of 324 bits
wifi='ldpc.encode: {code: wifi, n: 648, rate: 1/2}'
conv='conv.encode: {code: ieee80211, termination: tail-biting}'
word() {
    pipeline 'source.random: {bits: 324}' "$1" "conv.puncture: {pattern: [$2]}" 'modem.map: {scheme: bpsk}' \
        'channel.awgn: {esn0_db: 20}' 'modem.demap: {}' 'conv.depuncture: {}' "$3" 'sink.errors: {}'
}
warned word <<END
$wifi                         | "1110"         | ldpc.decode: {}    | none
$wifi                         | "10"           | ldpc.decode: {}    | none
$wifi                         | "100"          | ldpc.decode: {}    | 9:5: conv.depuncture: 216 LLRs are received of 324 bits: above rate 1 \
nothing can be decoded
$wifi                         | "1000", "1110" | ldpc.decode: {}    | none
$conv                         | "1110"         | viterbi.decode: {} | none
$conv                         | "100"          | viterbi.decode: {} | 9:5: conv.depuncture: 216 LLRs are received of 324 steps: above rate 1 \
nothing can be decoded
conv.encode: {code: lte_tbcc} | "100"          | viterbi.decode: {} | none
END
# The inner code's word is not that of the outer one, whose steps still have to be found.
inner() { word "$conv
  - ldpc.encode: {code: wifi, n: 1296, rate: 1/2}" "$1" 'ldpc.decode: {}
  - channel.bsc: {p: 0.001}
  - viterbi.decode: {}'; }
warned inner <<'END'
"10" | none
END
# LLRs of a file: several rows stand for a code's outputs.
head -c 384 /dev/zero >llrs.f4
llrs() {
    pipeline 'source.file: {path: llrs.f4, kind: llr, dtype: f4, frame: 48}' "conv.depuncture: {pattern: [$1]}" \
        'sink.file: {path: out.npy}'
}
warned llrs <<'END'
"110"        | none
"100", "001" | 4:5: conv.depuncture: 2 LLRs are received of 3 steps: above rate 1 nothing can be decoded
END

# The size of the block travels, also with a CRC.
# matched MATCH RECOVER: lines 6 and 10
matched() {
    pipeline 'source.random: {bits: 27}' 'crc.attach: {crc: 16}' 'conv.encode: {code: lte_tbcc}' \
        "conv.rate_match: {$1}" 'modem.map: {scheme: qpsk}' 'channel.awgn: {esn0_db: 20}' 'modem.demap: {}' \
        "conv.rate_recover: {$2}" 'viterbi.decode: {}' 'crc.check: {crc: 16}' 'sink.errors: {}'
    echo 'stop: {frames: 20}'
}
agree matched <<'END'
conv.rate_recover knows the size | 20 540 | e: 144
written at both ends             | 20 540 | e: 144 | k: 43, e: 144
each bit several times           | 20 540 | e: 400
END
refused 2 matched <<'END'
e: 144 | k: 44           | 10:5: conv.rate_recover: 3 streams of 44 bits, but conv.rate_match (line 6) has 3 streams \
    of 43 bits
e: 144 | e: 142          | 10:28: conv.rate_recover.e: is 142 and the input has 144 LLRs a frame
e: 144 | code: ieee80211 | 10:31: conv.rate_recover.code: must be one of lte_tbcc, is 'ieee80211'
END
warned matched <<'END'
e: 42 |  | 10:5: conv.rate_recover: 42 LLRs are received of 43 bits: above rate 1 nothing can be decoded
e: 44 |  | none
END
matched 'e: 42' '' >p.yaml
run "$FECRUN" run p.yaml --quiet --json -
prints '"warnings":\["p.yaml:10:5: conv.rate_recover: 42 LLRs' "results have the warning, too"

# ---- Codes by name ----

# CCSDS has no inverter where it punctures, 131.0-B 3.4: the sent bits are those of the 133 row as
# they are, of which rate 3/4 leaves two of three.
bits() {
    { pipeline 'source.random: {bits: 960, stream: true}' "conv.encode: {$1}" "conv.puncture: {$2}" \
        'sink.file: {path: out.npy}'
      printf 'seed: 3\nstop: {frames: 4}\n'; } >bits.yaml
    run "$FECRUN" run bits.yaml --quiet
    cksum <out.npy
}
want=$(bits 'constraint_length: 7, generators: [0o171, 0o133], termination: continuous' \
    'pattern: ["101", "110"]')
same "CCSDS, punctured" "$(bits 'code: ccsds_punctured' 'scheme: ccsds, rate: 3/4')" "$want"
inverted=$(bits 'code: ccsds' 'scheme: ccsds, rate: 3/4')
ok "the code of rate 1/2 sends others" [ "$inverted" != "$want" ]

for stage in conv.encode viterbi.decode; do
    run "$FECRUN" describe $stage
    prints '^ +ccsds +K = 7, generators 0o171 0o133, the second output inverted, continuous; CCSDS 131' \
        "$stage: what a name means"
    prints '^ +lte_tbcc +K = 7, generators 0o133 0o171 0o165, tail-biting; 3GPP TS 36.212 5.1.3.1$' \
        "$stage: another one"
done
# doc/viterbi.md has the same table.
run "$FECRUN" describe conv.encode --json -
tr '{' '\n' <out | sed -n 's/.*"choices":\[\([^]]*\)\].*"choices_help":\[\([^]]*\)\].*/\1|\2/p' |
    head -n 1 | awk -F'|' '{
        n = split($1, name, ","); split($2, help, "\",\"")
        for (i = 1; i <= n; i++) { gsub("\"", "", name[i]); gsub("\"", "", help[i])
            print name[i] ": " help[i] } }' >told
sed -E 's/^([a-z0-9_]+): K = ([0-9]+), generators ([0-9o ]+)(, the second output inverted)?, ([a-z-]+); (.*)/| `\1` | \2 | \3 | \4 | \5 | \6 |/
    s/, the second output inverted/the second/; s/[|]  [|]/| |/' told >rows
grep '^| `[a-z0-9_]*` | [0-9]* | 0o' "$top_srcdir/doc/viterbi.md" >written
ok "doc/viterbi.md says what describe says" cmp rows written
ok "of 14 codes" [ "$(wc -l <told)" = 14 ]
done_testing
