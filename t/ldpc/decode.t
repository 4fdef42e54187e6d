#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# What ldpc.decode refuses and what it chooses; iterations and verdicts as a run shows them.
. "$top_srcdir/t/lib/counts.sh"
without_cuda

nr='code: nr, bg: 1, z: 2'

# frames PARAMETERS: a pipeline file around the decoder of the code of 132 bits.
frames() {
    pipeline "source.random: {bits: 44}" "ldpc.encode: {$nr}" "modem.map: {scheme: bpsk}" \
        "channel.awgn: {esn0_db: ${esn0:-3}}" "modem.demap: {}" \
        "ldpc.decode: {$1}" "sink.errors: {}"
}

# wrong PATTERN PARAMETERS
wrong() {
    frames "$2" >p.yaml
    refuses 2 "^fecrun: p.yaml:8:[0-9]+: ldpc.decode$1" check p.yaml
}

wrong '.rows: must be an integer from 4 to 46 or auto' "$nr, rows: 3"
wrong '.rows: must be an integer from 4 to 46 or auto' "$nr, rows: 47"
wrong '.alpha: is the factor of check_rule: min-sum; sum-product has none' "$nr, check_rule: sum-product, alpha: 0.7"
wrong '.alpha: is the factor of check_rule: min-sum; offset-min-sum has none' "$nr, check_rule: offset-min-sum, alpha: 0.7"
wrong '.alpha_last: is a factor of check_rule: min-sum; offset-min-sum has none' "$nr, check_rule: offset-min-sum, alpha_last: 0.7"
wrong '.beta: is the offset of check_rule: offset-min-sum; min-sum has none' "$nr, beta: 0.5"
wrong '.order: is that of schedule: layered' "$nr, schedule: flooding, order: forward"
wrong '.iterations: must be an integer from 1 to 1000' "$nr, iterations: 0"
wrong ': the input has 132 LLRs a frame .* N = 264' "code: nr, bg: 1, z: 4"
wrong '.z: .*3.*' "code: nr, bg: 1, z: 17"

# llrs N PARAMETERS
llrs() {
    pipeline "source.file: {path: '-', kind: llr, dtype: i1, frame: $1}" "ldpc.decode: {$2}" \
        "sink.null: {}"
}
llrs 648 "code: wifi, n: 648, rate: 1/2, rows: 4" >p.yaml
refuses 2 '^fecrun: p.yaml:4:[0-9]+: ldpc.decode.rows: only code: nr' check p.yaml
llrs 100 "code: nr, bg: 2, z: 2, rows: 43" >p.yaml
refuses 2 '^fecrun: p.yaml:4:[0-9]+: ldpc.decode.rows: 43: base graph 2 is used with 4 to 42' \
    check p.yaml
# chosen NOTE PARAMETERS
chosen() {
    frames "$2" >p.yaml
    run "$FECRUN" explain p.yaml
    prints "note $1" "chosen: $1"
}
chosen '46 rows; alpha = 0.43 to 0.9; last row first' "$nr"
chosen '13 rows; alpha = 0.5 to 0.9; last row first' "$nr, rows: 13, alpha: auto"
chosen '46 rows; alpha = 0.5; first row first' "$nr, order: forward, alpha: 0.5"
chosen '46 rows; alpha = 0.5 to 0.8; last row first' "$nr, alpha: 0.5, alpha_last: 0.8"
chosen '46 rows; alpha = 0.43 to 0.7; last row first' "$nr, alpha_last: 0.7"
chosen '46 rows; beta = 0.5; last row first' "$nr, check_rule: offset-min-sum"
chosen '46 rows; sum-product' "$nr, check_rule: sum-product, schedule: flooding, alpha: auto, order: auto"

# alpha WHAT WANT STAGE...: what `alpha: auto` becomes
alpha() {
    alpha_what=$1 alpha_want=$2
    shift 2
    pipeline "$@" "sink.errors: {}" >p.yaml
    run "$FECRUN" explain p.yaml
    prints "alpha = $alpha_want;" "alpha: auto, $alpha_what: $alpha_want"
}
dvbs2='code: dvbs2, frame: normal, rate: 3/5'
alpha "DVB-S2 3/5" "0.45 to 1" "source.random: {bits: 38880}" "ldpc.encode: {$dvbs2}" "modem.map: {scheme: bpsk}" \
    "channel.awgn: {esn0_db: 0}" "modem.demap: {}" "ldpc.decode: {$dvbs2}"
# with factors that suit others, nearly all of these were lost
for code in "2/5 25920 -3.1" "3/5 38880 -0.6"; do
    set -- $code
    dvbs2="code: dvbs2, frame: normal, rate: $1"
    wrong=$(pipeline "source.random: {bits: $2}" "ldpc.encode: {$dvbs2}" "modem.map: {scheme: bpsk}" \
        "channel.awgn: {esn0_db: $3}" "modem.demap: {}" "ldpc.decode: {$dvbs2, iterations: 20, backend: ref}" \
        "sink.errors: {}" | run_fields frame_errors - --set stop.frames=8)
    ok "DVB-S2 $1, normal frames: $wrong of 8 are wrong" [ "$wrong" -le 1 ]
done
# version 3 reaches all rows, but of the extension only the last ten have their columns
big='bg: 1, z: 64'
alpha "by the rows of which something is known" "0.606 to 0.9" "source.random: {bits: 1408}" \
    "ldpc.encode: {code: nr, $big}" "ldpc.rate_match: {$big, e: 2112, qm: 2, rv: 3}" \
    "modem.map: {scheme: qpsk}" "channel.awgn: {esn0_db: 0}" "modem.demap: {}" \
    "ldpc.rate_recover: {$big, qm: 2, rv: 3}" "ldpc.decode: {code: nr, $big}"
# fewer of its bits end before the last information bits
alpha "information bits missing" "0.6 and less to 0.8 by row" "source.random: {bits: 1408}" \
    "ldpc.encode: {code: nr, $big}" "ldpc.rate_match: {$big, e: 1690, qm: 2, rv: 3}" \
    "modem.map: {scheme: qpsk}" "channel.awgn: {esn0_db: 0}" "modem.demap: {}" \
    "ldpc.rate_recover: {$big, qm: 2, rv: 3}" "ldpc.decode: {code: nr, $big}"

# ---- Frames that fail are marked ----
esn0=-30
got=$(frames "$nr" | run_fields "frame_errors failed undetected" - --set stop.frames=100)
echo "# wrong, marked, other words: $got"
echo "$got" | awk '{ exit !($1 == 100 && $2 + $3 == 100 && $2 > 90) }'
tap_check $? "noise alone: frames that are no word are marked"
esn0=12
same "hardly any noise: none is" \
    "$(frames "$nr" | run_fields "frames frame_errors failed" - --set stop.frames=100)" "100 0 0"

# ---- Bits that are certain, or not there at all ----

# bec PARAMETERS [STAGE]: block errors of 100 behind an erasure channel
bec() {
    pipeline "source.random: {bits: 288}" "ldpc.encode: {code: wimax, n: 576, rate: 1/2}" \
        "channel.bec: {p: 0.3}" ${2:+"$2"} "ldpc.decode: {code: wimax, n: 576, rate: 1/2, $1}" \
        "sink.errors: {}" | run_fields "frame_errors" - --set stop.frames=100
}
for rule in min-sum offset-min-sum sum-product; do
    same "an erasure channel, $rule: what arrives is certain" \
        "$(bec "check_rule: $rule, iterations: 30, backend: ref")" 0
done
same "and as i8" "$(bec "iterations: 30, backend: simd" "llr.quantize: {type: i8, scale: 8}")" 0

head -c 2592 /dev/zero >zeros
for backend in ref simd; do
    run_fields "frames failed" - <<END >got
fecrun: 1
pipeline:
- source.file: {path: zeros, kind: llr, dtype: i1, frame: 648}
- ldpc.decode: {code: wifi, n: 648, rate: 1/2, backend: $backend}
- sink.null: {}
END
    same "frames of which nothing arrived have failed: $backend" "$(cat got)" "4 4"
done

# ---- A result's pipeline runs again ----
frames "$nr, check_rule: min-sum" >p.yaml
"$FECRUN" run p.yaml --quiet --json r.json --set stop.frames=50
sed -n '/"type":"run"/s/.*"pipeline":/{"fecrun": 1, "seed": 1, "stop": {"frames": 50}, "pipeline":/p' \
    r.json >again.yaml
same "with the same counts" "$(run_fields "frames bit_errors frame_errors" - <again.yaml)" \
    "$(run_fields "frames bit_errors frame_errors" - <p.yaml --set stop.frames=50)"
done_testing
