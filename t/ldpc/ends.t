#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Both ends of an LDPC code, and of its rate matching. t/core/ends.t has the rules.
. "$top_srcdir/t/lib/counts.sh"
without_cuda

# code BITS ENCODER DECODER: lines 4 and 6
code() {
    { pipeline "source.random: {bits: $1}" "ldpc.encode: {$2}" 'channel.bsc: {p: 0.001}' \
        "ldpc.decode: {$3}" 'sink.errors: {}'
      printf 'seed: 1\nstop: {frames: 10}\n'; } >p.yaml
}
agrees() {
    code "$2" "$3" "$4"
    same "$1" "$(counts p.yaml)" "10 $(($2 * 10)) 0 0"
}
disagree() {
    code "$2" "$3" "$4"
    refuses 2 "^fecrun: p.yaml:6:$1" check p.yaml
}
agrees "NR" 440 'code: nr, bg: 1, z: 20' ''
agrees "NR, fillers" 430 'code: nr, bg: 1, z: 20, fillers: 10' 'code: nr'
agrees "Wi-Fi" 324 'code: wifi, n: 648, rate: 1/2' ''
agrees "WiMAX" 384 'code: wimax, n: 576, rate: 2/3A' 'n: 576'
agrees "DVB-S2" 3240 'code: dvbs2, frame: short, rate: 1/4' 'iterations: 20'
disagree '35: ldpc.decode.n: is 1944; .*; code is wimax, but ldpc.encode \(line 4\) has wifi$' \
    1296 'code: wifi, n: 1944, rate: 2/3' 'code: wimax, n: 1944, rate: 2/3A'
disagree '52: ldpc.decode.fillers: 10, but ldpc.encode \(line 4\) has 20$' \
    420 'code: nr, bg: 1, z: 20, fillers: 20' 'code: nr, bg: 1, z: 20, fillers: 10'
disagree '5: ldpc.decode: the input has 1320 .*; z is 10, but ldpc.encode \(line 4\) has 20$' \
    440 'code: nr, bg: 1, z: 20' 'z: 10'
disagree '25: ldpc.decode.rate: 2/3B, but ldpc.encode \(line 4\) has 2/3A$' \
    384 'code: wimax, n: 576, rate: 2/3A' 'rate: 2/3B'

# One matrix by its name and in files, rows in another order: the (7,4) Hamming code.
cat >one.alist <<END
7 3
3 4
1 1 1 2 2 2 3
4 4 4
1 0 0
2 0 0
3 0 0
1 2 0
1 3 0
2 3 0
1 2 3
1 4 5 7
2 4 6 7
3 5 6 7
END
cat >two.alist <<END
7 3
3 4
1 1 1 2 2 2 3
4 4 4
3 0 0
2 0 0
1 0 0
2 3 0
1 3 0
1 2 0
1 2 3
3 5 6 7
2 4 6 7
1 4 5 7
END
sed 's/^1 0 0/2 0 0/; t
     s/^2 0 0/1 0 0/
     s/^1 4 5 7/2 4 5 7/; t
     s/^2 4 6 7/1 4 6 7/' one.alist >other.alist
agrees "a matrix, its rows in another order" 4 'code: alist, path: one.alist' \
    'code: alist, path: two.alist'
disagree '38: ldpc.decode.path: .*other.alist, but ldpc.encode \(line 4\) has .*one.alist$' 4 \
    'code: alist, path: one.alist' 'code: alist, path: other.alist'

# ---- Rate matching: lines 5 and 9 ----

rate() {
    { pipeline 'source.random: {bits: 430}' 'ldpc.encode: {code: nr, bg: 1, z: 20, fillers: 10}' \
        "ldpc.rate_match: {bg: 1, z: 20, fillers: 10, $1}" 'modem.map: {scheme: qpsk}' \
        'channel.awgn: {esn0_db: 20}' 'modem.demap: {}' "ldpc.rate_recover: {$2}" \
        'ldpc.decode: {}' 'sink.errors: {}'
      printf 'stop: {frames: 10}\n'; } >p.yaml
}
for way in 'e: 800' 'e: 1300, rv: 2, qm: 2' 'e: 900, rv: 3, qm: 4, ncb: 1000'; do
    rate "$way" ''
    same "rate matching, $way" "$(counts p.yaml)" "10 4300 0 0"
done
# differ PARAMETER HERE THERE
differ() {
    rate "e: 1200${3:+, $1: $3}" "$1: $2"
    refuses 2 "^fecrun: p.yaml:9:[0-9]*: ldpc.rate_recover.$1: $2, but ldpc.rate_match \(line 5\) has ${3:-$4}$" \
        check p.yaml
}
differ rv 0 2
differ rv 2 '' 0
differ qm 1 4
differ z 18 '' 20
differ bg 2 '' 1
differ fillers 0 '' 10
differ ncb 1000 1100
rate 'e: 1200' 'ncb: 1320'
same "the whole buffer, said and not said" "$(counts p.yaml)" "10 4300 0 0"

# Rate matching knows the code of its word.
{ pipeline 'source.random: {bits: 430}' 'ldpc.encode: {code: nr, bg: 1, z: 20, fillers: 10}' \
    'ldpc.rate_match: {e: 800, rv: 3}' 'modem.map: {scheme: qpsk}' \
    'channel.awgn: {esn0_db: 20}' 'modem.demap: {}' 'ldpc.rate_recover: {}' \
    'ldpc.decode: {}' 'sink.errors: {}'
  printf 'stop: {frames: 10}\n'; } >match.yaml
same "a code that is written once" "$(counts match.yaml)" "10 4300 0 0"
run "$FECRUN" explain match.yaml
prints '^ +bg, z, fillers as in ldpc.encode$' "explain says so"
prints '^ +bg, z, fillers, rv, qm as in ldpc.rate_match$|bg, z, fillers, rv as in ldpc.rate_match$' \
    "and what the receiver has from there"
refuses 2 '^fecrun: --set ldpc.rate_match.fillers=30: 30, but ldpc.encode \(line 4\) has 10$' check \
    match.yaml --set ldpc.rate_match.fillers=30

# rows of blocks: each row has its own
{ pipeline 'source.random: {}' 'ldpc.encode: {code: nr}' 'ldpc.rate_match: {id: match}' \
    'modem.map: {scheme: qpsk}' 'channel.awgn: {esn0_db: 20}' 'modem.demap: {}' \
    'ldpc.rate_recover: {}' 'ldpc.decode: {check_rule: offset-min-sum}' 'sink.errors: {}'
  echo 'blocks:'
  echo '  - {user: a, count: 2, bits: 440, bg: 1, z: 20, fillers: 0, e: 700, rv: 0, qm: 2}'
  echo '  - {user: b, count: 3, bits: 95, bg: 2, z: 10, fillers: 5, e: 480, rv: 2, qm: 4}'
  printf 'stop: {frames: 50}\n'; } >blocks.yaml
same "blocks of users" "$(counts blocks.yaml)" "50 11650 0 0"
run "$FECRUN" run blocks.yaml --quiet --json result.json
head -n 1 result.json | sed 's/^{.*"stop":/{"fecrun":1,"stop":/' >again.yaml
same "... from the result's pipeline" "$(counts again.yaml)" "50 11650 0 0"

# ---- Above rate 1 ----

rate 'e: 424, qm: 2' ''
run "$FECRUN" check p.yaml
is 0 "above rate 1: no error"
says '^fecrun: warning: p.yaml:10:5: ldpc.decode: 424 bits of each word are received and 430' "... a warning"
rate 'e: 430, qm: 2' ''
run "$FECRUN" check p.yaml
ok "rate 1 is no reason for one" [ ! -s err ]
# Two transmissions above rate 1 that are decoded together.
{ pipeline 'source.random: {bits: 430}' 'ldpc.encode: {id: enc, code: nr, bg: 1, z: 20, fillers: 10}' \
    'ldpc.rate_match: {id: s0, bg: 1, z: 20, fillers: 10, e: 400}' 'channel.bsc: {id: c0, p: 0.001}' \
    'ldpc.rate_recover: {id: r0}' \
    'ldpc.rate_match: {id: s1, from: enc, bg: 1, z: 20, fillers: 10, e: 400, rv: 2}' \
    'channel.bsc: {id: c1, p: 0.001}' 'ldpc.rate_recover: {id: r1, harq_in: r0}' 'ldpc.decode: {}' \
    'sink.errors: {}'
  printf 'stop: {frames: 10}\n'; } >harq.yaml
run "$FECRUN" check harq.yaml
is 0 "two transmissions"
ok "which are together below rate 1" [ ! -s err ]
refuses 2 '--set r1.rv=3: 3, but s1 \(ldpc.rate_match, line 8\) has 2' check harq.yaml \
    --set r1.rv=3
done_testing
