#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# ldpc.encode, ldpc.rate_match and ldpc.rate_recover on a CUDA device write the files that the
# references write, and a whole simulation on the device counts what the references count.
. "$top_srcdir/t/lib/counts.sh"
need_cuda

# same_bytes STAGES FRAMES LINE...: the pipeline of these lines, STAGES by the reference and on the
# device, the others by the reference.
same_bytes() {
    stages=$1 frames=$2 sets=
    for stage in $1; do
        sets="$sets --set $stage.backend=cuda"
    done
    shift 2
    {
        printf 'fecrun: 1\nseed: 11\nbatch: 19\nstop: {frames: %s}\npipeline:\n' "$frames"
        printf '  - %s\n' "$@" 'sink.file: {path: bytes}'
    } >both.yaml
    rm -f bytes want
    run "$FECRUN" run both.yaml --quiet --backend ref
    [ "$status" = 0 ] && [ -s bytes ] && mv bytes want &&
        run "$FECRUN" run both.yaml --quiet --backend ref $sets &&
        [ "$status" = 0 ] && cmp bytes want >>err
    tap_check $? "$stages: $(echo "$*" | tr '#' '.')"
}

# ---- ldpc.encode ----

# nr BG Z FILLERS: K' goes in.
nr() {
    columns=22
    [ "$1" = 1 ] || columns=10
    same_bytes ldpc.encode 40 "source.random: {bits: $((columns * $2 - $3))}" \
        "ldpc.encode: {code: nr, bg: $1, z: $2, fillers: $3}"
}
for z in 2 3 7 13 15 24 36 52 88 112 208 240 352 384; do
    nr 1 $z 0
    nr 2 $z $z
    nr 1 $z $((z / 2 + 3))
done
for rate in 1/2 2/3 3/4 5/6; do
    bits=$((648 * 3 * ${rate%/*} / ${rate#*/}))
    same_bytes ldpc.encode 40 "source.random: {bits: $bits}" \
        "ldpc.encode: {code: wifi, n: 1944, rate: $rate}"
done
same_bytes ldpc.encode 40 "source.random: {bits: 288}" \
    "ldpc.encode: {code: wimax, n: 576, rate: 1/2}"
same_bytes ldpc.encode 40 "source.random: {bits: 1536}" \
    "ldpc.encode: {code: wimax, n: 2304, rate: 2/3A}"
same_bytes ldpc.encode 20 "source.random: {bits: 32400}" \
    "ldpc.encode: {code: dvbs2, frame: normal, rate: 1/2}"
same_bytes ldpc.encode 20 "source.random: {bits: 58320}" \
    "ldpc.encode: {code: dvbs2, frame: normal, rate: 9/10}"
same_bytes ldpc.encode 20 "source.random: {bits: 3240}" \
    "ldpc.encode: {code: dvbs2, frame: short, rate: 1/4}"

# ---- ldpc.rate_match, ldpc.rate_recover ----

# matched PARAMETERS: both ways, with all types of LLRs.
matched() {
    word="source.random: {bits: $1}" code="ldpc.encode: {code: nr, $2}" match="$2, $3"
    same_bytes ldpc.rate_match 40 "$word" "$code" "ldpc.rate_match: {$match}"
    same_bytes "ldpc.encode ldpc.rate_match" 40 "$word" "$code" "ldpc.rate_match: {$match}"
    for quantize in "llr.quantize: {type: i4, scale: 1}" "llr.quantize: {type: i8, scale: 60}" \
        "llr.quantize: {type: i16, scale: 15000}" ""; do
        same_bytes ldpc.rate_recover 40 "$word" "$code" "ldpc.rate_match: {$match}" \
            "modem.map: {scheme: bpsk}" "channel.awgn: {esn0_db: 1}" "modem.demap: {}" \
            ${quantize:+"$quantize"} "ldpc.rate_recover: {$match}"
    done
}
matched 8448 "bg: 1, z: 384" "e: 10000, qm: 2"
matched 8400 "bg: 1, z: 384, fillers: 48" "e: 25296, rv: 2, qm: 8"
matched 8400 "bg: 1, z: 384, fillers: 48" "e: 14982, rv: 1, qm: 6"
matched 200 "bg: 2, z: 24, fillers: 40" "e: 4998, rv: 3, qm: 6, ncb: 700"
matched 44 "bg: 1, z: 2" "e: 61"
matched 70 "bg: 2, z: 7" "e: 404, rv: 1, qm: 4"
same_bytes "ldpc.rate_match second" 40 "source.random: {bits: 200}" \
    "ldpc.encode: {id: word, code: nr, bg: 2, z: 24, fillers: 40}" \
    "ldpc.rate_match: {bg: 2, z: 24, fillers: 40, e: 400}" "modem.map: {scheme: bpsk}" \
    "channel.awgn: {esn0_db: 1}" "modem.demap: {}" "llr.quantize: {type: i8, scale: 20}" \
    "ldpc.rate_recover: {id: one, bg: 2, z: 24, fillers: 40}" \
    "ldpc.rate_match: {id: again, from: word, bg: 2, z: 24, fillers: 40, e: 600, rv: 2}" \
    "modem.map: {id: map2, scheme: bpsk}" "channel.awgn: {id: noise2, esn0_db: 1}" \
    "modem.demap: {id: demap2}" "llr.quantize: {id: q2, type: i8, scale: 20}" \
    "ldpc.rate_recover: {id: second, bg: 2, z: 24, fillers: 40, rv: 2, harq_in: one}"

# ---- blocks of several sizes in one launch ----

cat >users.yaml <<'END'
fecrun: 1
seed: 5
blocks:
  - {user: a, count: 3, bits: 440, bg: 1, z: 20, fillers: 0, e: 700, qm: 2, rv: 0}
  - {user: b, count: 1, bits: 44, bg: 1, z: 2, fillers: 0, e: 100, qm: 1, rv: 0}
  - {user: c, count: 2, bits: 3800, bg: 2, z: 384, fillers: 40, e: 9000, qm: 6, rv: 0}
  - {user: d, count: 1, bits: 1144, bg: 1, z: 52, fillers: 0, e: 5800, qm: 4, rv: 2}
pipeline:
  - source.random:     {}
  - ldpc.encode:       {code: nr}
  - ldpc.rate_match:   {}
  - modem.map:         {scheme: bpsk}
  - channel.awgn:      {esn0_db: 0}
  - modem.demap:       {}
  - llr.quantize:      {type: i8, scale: 8}
  - ldpc.rate_recover: {}
  - ldpc.decode:       {code: nr, backend: ref}
  - sink.errors:       {}
stop: {frames: 300}
END
want=$(counts users.yaml --backend ref)
case $want in
*status* | '') ok "users: the references count" false ;;
esac
for stage in ldpc.encode ldpc.rate_match ldpc.rate_recover; do
    same "users: $stage on the device" \
        "$(counts users.yaml --backend ref --set $stage.backend=cuda)" "$want"
done
same "users: the chain on the device" "$(counts users.yaml)" "$want"
same "users: packed bits on the device" "$(counts users.yaml --set source.random.backend=cuda \
    --set ldpc.encode.backend=cuda --set ldpc.rate_match.backend=cuda)" "$want"

# ---- ldpc.decode does what ldpc.rate_recover does: the same bytes ----

# received PARAMETERS MATCHING QUANTIZER: decoded bits, with rate_recover absorbed and by itself.
received() {
    printf 'fecrun: 1\nseed: 3\nbatch: 19\nstop: {frames: 40}\npipeline:\n  - source.random: {bits: %s}\n' "$1" >absorb.yaml
    printf '  - %s\n' "ldpc.encode: {code: nr, $2}" "ldpc.rate_match: {$3}" 'modem.map: {scheme: qpsk}' \
        'channel.awgn: {esn0_db: 2}' 'modem.demap: {}' ${4:+"$4"} 'ldpc.rate_recover: {}' 'ldpc.decode: {}' \
        'sink.file: {path: bits}' >>absorb.yaml
    run "$FECRUN" explain absorb.yaml --set ldpc.decode.backend=cuda
    prints '^ldpc.rate_recover: absorbed by ldpc.decode$' "$2, $3: absorbed"
    rm -f bits
    run "$FECRUN" run absorb.yaml --quiet --set ldpc.decode.backend=cuda
    [ "$status" = 0 ] && [ -s bits ] && mv bits fused &&
        run "$FECRUN" run absorb.yaml --quiet --set ldpc.decode.backend=cuda \
            --set ldpc.rate_recover.backend=cuda &&
        [ "$status" = 0 ] && cmp bits fused >>err
    tap_check $? "$2, $3: the same bytes"
}
for quantize in 'llr.quantize: {type: i8, scale: 8}' ''; do
    received 8448 'bg: 1, z: 384' 'e: 12672, qm: 2' "$quantize"
    received 8448 'bg: 1, z: 384' 'e: 30000, rv: 3, qm: 4' "$quantize"
    received 143 'bg: 1, z: 7, fillers: 11' 'e: 462, rv: 2' "$quantize"
    received 2035 'bg: 2, z: 208, fillers: 45' 'e: 4000, ncb: 3000, qm: 2' "$quantize"
done
run "$FECRUN" explain users.yaml --set ldpc.decode.backend=cuda
ok "not with frames of different sizes" [ "$(grep -c absorbed.by.ldpc.decode out)" = 0 ]

# ---- A code that the device cannot encode: the Hamming code of length 7 ----

printf '%s\n' '7 3' '3 4' '1 1 2 2 2 3 1' '4 4 4' '1 0 0' '2 0 0' '1 2 0' '1 3 0' '2 3 0' '1 2 3' \
    '3 0 0' '1 3 4 6' '2 3 5 6' '4 5 6 7' >hamming.alist
cat >hamming.yaml <<END
fecrun: 1
pipeline:
  - source.random: {bits: 4}
  - ldpc.encode: {code: alist, path: hamming.alist}
  - sink.null: {}
stop: {frames: 10}
END
run "$FECRUN" explain hamming.yaml
prints '^ldpc.encode: ref on host$' "auto: the reference encodes it"
prints '^    not  cuda: .*circulants' "explain says why the device does not"
run "$FECRUN" run hamming.yaml --quiet
is 0 "and it runs"
refuses 3 '^fecrun: hamming.yaml:4:5: ldpc.encode.backend: cuda cannot do .*circulants' \
    run hamming.yaml --backend cuda

# ---- All forms, and what else the contract asks for ----

for stage in ldpc.encode ldpc.rate_match ldpc.rate_recover; do
    run "$FECRUN_CHECK" --seconds 3 --timeout 120 --stage $stage --backend cuda
    grep -A 6 '^not ok' out | sed 's/^/# /'
    is 0 "$stage keeps the contract"
    prints "^ok .*$stage cuda" "... and was checked"
done
done_testing
