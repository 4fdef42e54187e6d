#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Both ends of an LDPC code, and of its rate matching. t/core/ends.t has the rules.
. "$top_srcdir/t/lib/ends.sh"
without_cuda

# coded BITS ENCODER DECODER: lines 4 and 6
coded() {
    pipeline "source.random: {bits: $1}" "ldpc.encode: {$2}" 'channel.bsc: {p: 0.001}' "ldpc.decode: {$3}" \
        'sink.errors: {}'
    printf 'seed: 1\nstop: {frames: 10}\n'
}
agree coded <<'END'
NR                              | 10 4400  | 440  | code: nr, bg: 1, z: 20
NR, fillers                     | 10 4300  | 430  | code: nr, bg: 1, z: 20, fillers: 10  | code: nr
Wi-Fi                           | 10 3240  | 324  | code: wifi, n: 648, rate: 1/2
WiMAX                           | 10 3840  | 384  | code: wimax, n: 576, rate: 2/3A      | n: 576
DVB-S2                          | 10 32400 | 3240 | code: dvbs2, frame: short, rate: 1/4 | iterations: 20
CCSDS                           | 10 10240 | 1024 | code: ccsds, n: 1280                | code: ccsds
all of it, written at both ends | 10 4300  | 430  | code: nr, bg: 1, z: 20, fillers: 10  | code: nr, bg: 1, z: 20, fillers: 10
END
refused 2 coded <<'END'
1296 | code: wifi, n: 1944, rate: 2/3       | code: wimax, n: 1944, rate: 2/3A    | 6:35: ldpc.decode.n: is 1944; the 19 \
    lengths of WiMAX go from 576 to 2304 in steps of 96; code is wimax, but ldpc.encode (line 4) has wifi
420  | code: nr, bg: 1, z: 20, fillers: 20  | code: nr, bg: 1, z: 20, fillers: 10 | 6:52: ldpc.decode.fillers: 10, but \
    ldpc.encode (line 4) has 20
440  | code: nr, bg: 1, z: 20               | z: 10                               | 6:5: ldpc.decode: the input has 1320 LLRs a frame and the code's \
    word has N = 660 (ldpc.rate_recover with the same bg and z gives as many); z is 10, but ldpc.encode (line 4) has 20
440  | code: nr, bg: 1, z: 20               | bg: 2                               | 6:5: ldpc.decode: the input has 1320 LLRs a frame and the code's \
    word has N = 1000 (ldpc.rate_recover with the same bg and z gives as many); bg is 2, but ldpc.encode (line 4) has 1
384  | code: wimax, n: 576, rate: 2/3A      | rate: 2/3B                          | 6:25: ldpc.decode.rate: 2/3B, but ldpc.encode (line 4) has 2/3A
324  | code: wifi, n: 648, rate: 1/2        | n: 1296                             | 6:5: ldpc.decode: the input has 648 LLRs a frame and the code's \
    word has N = 1296; n is 1296, but ldpc.encode (line 4) has 648
3240 | code: dvbs2, frame: short, rate: 1/4 | frame: normal                       | 6:5: ldpc.decode: the input has 16200 LLRs a frame and \
    the code's word has N = 64800; frame is normal, but ldpc.encode (line 4) has short
END

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
agree coded <<'END'
a matrix, its rows in another order | 10 40 | 4 | code: alist, path: one.alist | code: alist, path: two.alist
END
refused 2 coded <<'END'
4 | code: alist, path: one.alist | code: alist, path: other.alist | 6:38: ldpc.decode.path: other.alist, but \
    ldpc.encode (line 4) has one.alist
END

# ---- Rate matching ----
family=ldpc bits=430
agree link <<'END'
# what | counts | encode | match | recover | decode
a code that is written once           | 10 4300 | code: nr, bg: 1, z: 20, fillers: 10 | e: 800
written at both ends of rate matching | 10 4300 | code: nr, bg: 1, z: 20, fillers: 10 | bg: 1, z: 20, fillers: 10, e: 800 \
    | bg: 1, z: 20, fillers: 10, e: 800, rv: 0, qm: 1 | code: nr, bg: 1, z: 20, fillers: 10
version 2                             | 10 4300 | code: nr, bg: 1, z: 20, fillers: 10 | bg: 1, z: 20, fillers: 10, e: 1300, rv: 2, qm: 2
version 3 of a short buffer           | 10 4300 | code: nr, bg: 1, z: 20, fillers: 10 | bg: 1, z: 20, fillers: 10, e: 900, rv: 3, qm: 4, ncb: 1000
version 3, the code written once      | 10 4300 | code: nr, bg: 1, z: 20, fillers: 10 | e: 800, rv: 3
a rate: 430 bits / 1/2 = 860          | 10 4300 | code: nr, bg: 1, z: 20, fillers: 10 | rate: 1/2
another one, of symbols               | 10 4300 | code: nr, bg: 1, z: 20, fillers: 10 | rate: 0.4, qm: 4
the whole buffer, said and not said   | 10 4300 | code: nr, bg: 1, z: 20, fillers: 10 | e: 1200 | ncb: 1320
END
# What a rate stands for: not more than it, and whole symbols. The sizes are the quotients, done by hand.
for case in '2/5 1 1075' '2/5 4 1076' '0.4 4 1076' '1/3 1 1290' '1/3 8 1296' '0.923 2 466' '1 1 430' '1/1000 1 430000'; do
    set -- $case
    pipeline 'source.random: {bits: 430}' 'ldpc.encode: {code: nr, bg: 1, z: 20, fillers: 10}' \
        "ldpc.rate_match: {rate: $1, qm: $2}" 'sink.null: {}' >p.yaml
    run "$FECRUN" explain p.yaml --json -
    [ "$status" = 0 ] && grep -q "\"name\":\"ldpc.rate_match\".*\"out\":\[{\"kind\":\"bits\",\"items\":$3,.*sink.null" out
    tap_check $? "rate $1 with qm $2 sends $3 bits"
done
refused 2 link <<'END'
code: nr, bg: 1, z: 20, fillers: 10 | e: 1200, rate: 1/2  |            |            | 5:38: ldpc.rate_match.rate: e is given, too; \
    one of them says how many bits are sent
code: nr, bg: 1, z: 20, fillers: 10 | qm: 2               |            |            | 5:5: ldpc.rate_match.e: must be given, or rate: \
    the bits sent a frame
code: nr, bg: 1, z: 20, fillers: 10 | rate: 5/2           |            |            | 5:29: ldpc.rate_match.rate: must be a fraction \
    like 2/5 or 0.4, from 1/1000 to 1, is '5/2'
code: nr, bg: 1, z: 20, fillers: 10 | rate: 2/            |            |            | 5:29: ldpc.rate_match.rate: must be a fraction \
    like 2/5 or 0.4, from 1/1000 to 1, is '2/'
code: nr, bg: 1, z: 20, fillers: 10 | rate: 40%           |            |            | 5:29: ldpc.rate_match.rate: must be a fraction \
    like 2/5 or 0.4, from 1/1000 to 1, is '40%'
code: nr, bg: 1, z: 20, fillers: 10 | rate: .4            |            |            | 5:29: ldpc.rate_match.rate: must be a fraction \
    like 2/5 or 0.4, from 1/1000 to 1, is '.4'
code: nr, bg: 1, z: 20, fillers: 10 | e: 1200, rv: 2      | rv: 0      |            | 9:29: ldpc.rate_recover.rv: 0, but ldpc.rate_match (line 5) has 2
code: nr, bg: 1, z: 20, fillers: 10 | e: 1200             | rv: 2      |            | 9:29: ldpc.rate_recover.rv: 2, but ldpc.rate_match (line 5) has 0
code: nr, bg: 1, z: 20, fillers: 10 | e: 1200, qm: 4      | qm: 1      |            | 9:29: ldpc.rate_recover.qm: 1, but \
    ldpc.rate_match (line 5) has 4
code: nr, bg: 1, z: 20, fillers: 10 | e: 1200             | z: 18      |            | 9:28: ldpc.rate_recover.z: 18, but \
    ldpc.rate_match (line 5) has 20
code: nr, bg: 1, z: 20, fillers: 10 | e: 1200             | bg: 2      |            | 9:29: ldpc.rate_recover.bg: 2, but \
    ldpc.rate_match (line 5) has 1
code: nr, bg: 1, z: 20, fillers: 10 | e: 1200             | fillers: 0 |            | 9:34: ldpc.rate_recover.fillers: 0, but \
    ldpc.rate_match (line 5) has 10
code: nr, bg: 1, z: 20, fillers: 10 | e: 1200, ncb: 1100  | ncb: 1000  |            | 9:30: ldpc.rate_recover.ncb: 1000, but \
    ldpc.rate_match (line 5) has 1100
code: nr, bg: 1, z: 20, fillers: 10 | e: 1200             | e: 1199    |            | 9:28: ldpc.rate_recover.e: is 1199 and the \
    input has 1200 LLRs a frame
code: nr, bg: 1, z: 20, fillers: 10 | e: 1200             |            | fillers: 0 | 10:28: ldpc.decode.fillers: 0, but \
    ldpc.encode (line 4) has 10
code: nr, bg: 1, z: 20, fillers: 10 | e: 1200, fillers: 8 |            |            | 5:41: ldpc.rate_match.fillers: 8, but \
    ldpc.encode (line 4) has 10
END

# Rate matching knows the code of its word.
link 'code: nr, bg: 1, z: 20, fillers: 10' 'e: 800, rv: 3' '' '' >match.yaml
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
# two E: two transmissions of E bits that are decoded together
two() {
    pipeline 'source.random: {bits: 430}' 'ldpc.encode: {id: enc, code: nr, bg: 1, z: 20, fillers: 10}' \
        "ldpc.rate_match: {id: s0, bg: 1, z: 20, fillers: 10, e: $1}" 'channel.bsc: {id: c0, p: 0.001}' \
        'ldpc.rate_recover: {id: r0}' \
        "ldpc.rate_match: {id: s1, from: enc, bg: 1, z: 20, fillers: 10, e: $1, rv: 2}" \
        'channel.bsc: {id: c1, p: 0.001}' 'ldpc.rate_recover: {id: r1, harq_in: r0}' 'ldpc.decode: {}' \
        'sink.errors: {}'
    echo 'stop: {frames: 10}'
}
warned link <<'END'
code: nr, bg: 1, z: 20, fillers: 10 | e: 424, qm: 2 |  |  | 10:5: ldpc.decode: 424 bits of each word are received and \
    430 are to be found: above rate 1 nothing can be decoded
code: nr, bg: 1, z: 20, fillers: 10 | e: 430, qm: 2 |  |  | none
END
warned two <<'END'
200 | 11:5: ldpc.decode: 400 bits of each word are received and 430 are to be found: above rate 1 nothing can be decoded
400 | none
END
two 400 >harq.yaml
refuses 2 '--set r1.rv=3: 3, but s1 \(ldpc.rate_match, line 8\) has 2' check harq.yaml \
    --set r1.rv=3
done_testing
