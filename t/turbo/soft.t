#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# turbo.decode's ports of LLRs: signs are the bits, the extrinsic ones are what did not arrive with
# the bit itself, and they say how often bits are wrong.
. "$top_srcdir/t/lib/counts.sh"
without_cuda

# values PORT TYPE [SETTINGS DECODER]: what a port has, a line a value: one of dec, or source or q,
# the decoder's input.
values() {
    set -- "$1" "$2" 'source.random: {bits: 93}' 'turbo.encode: {k: 104, fillers: 11}' \
        'modem.map: {scheme: bpsk}' 'channel.awgn: {ebn0_db: 0}' 'modem.demap: {}' \
        "llr.quantize: {id: q, $3}" "turbo.decode: {id: dec, $4}" \
        "sink.file: {from: $1, path: values, dtype: $2}"
    { case $1 in
      source) pipeline "$3" 'sink.file: {path: values, dtype: u1}' ;;
      q) pipeline "$3" "$4" "$5" "$6" "$7" "$8" "sink.file: {path: values, dtype: $2}" ;;
      *) shift 2; pipeline "$@" ;;
      esac
      echo 'stop: {frames: 300}'; } >p.yaml
    run "$FECRUN" run --quiet p.yaml
    [ "$tap_status" = 0 ] || sed 's/^/# /' err >&2
    case $(tail -n 2 p.yaml) in
    *f4*) od -An -v -w4 -tf4 values ;;
    *i1*) od -An -v -w1 -td1 values ;;
    *i2*) od -An -v -w2 -td2 values ;;
    *) od -An -v -w1 -tu1 values ;;
    esac
}

# together QUANTISER DECODER: a line a bit: decision, LLR, extrinsic LLR, what arrived.
together() {
    values dec.out u1 "$1" "$2" >bits
    values dec.llr f4 "$1" "$2" >llr
    values dec.extrinsic f4 "$1" "$2" >extrinsic
    case $1 in *i16*) arrived=i2 ;; *) arrived=i1 ;; esac
    values q $arrived "$1" "$2" | awk 'NR % 324 > 11 && NR % 324 <= 104' >arrived
    paste -d ' ' bits llr extrinsic arrived >all
}

for decoder in 'backend: ref' 'backend: ref, algorithm: log-map' \
    'backend: ref, early_stop: min-llr, threshold: 5' 'backend: simd' \
    'backend: simd, tune: {arithmetic: i16}'; do
    together 'type: i8, scale: 8' "$decoder, iterations: 3"
    same "$decoder: an LLR for each bit, whose sign it is" \
        "$(awk '{ bad += NF != 4 || $1 != ($2 < 0) } END { print NR, bad + 0 }' all)" "27900 0"
done
together 'type: i8, scale: 8' 'backend: ref, algorithm: log-map, iterations: 3'
same "log-map: extrinsic LLRs are the LLRs less what arrived" \
    "$(awk '{ d = $2 - $3 - $4 } d > 0.001 || d < -0.001' all | wc -l)" 0
together 'type: i8, scale: 8' 'backend: ref, iterations: 3'
same "max-log, too" "$(awk '{ d = $2 - $3 - $4 } d > 0.001 || d < -0.001' all | wc -l)" 0
awk '{ print $2, $3 }' all >ref

# Bits of LLR L are wrong with the probability 1 / (1 + e^|L|).
together 'type: i8, scale: 8' 'backend: ref, algorithm: log-map, iterations: 2'
values source u1 >sent
expected=$(awk '{ l = ($2 < 0 ? -$2 : $2) / 8; sum += 1 / (1 + exp(l)) } END { print sum }' all)
wrong=$(paste -d ' ' all sent | awk '{ bad += $1 != $5 } END { print bad }')
echo "# $wrong bits are wrong, $expected are to be expected of the LLRs"
ok "log-map's LLRs say how many bits are wrong" \
    awk "BEGIN { exit !($wrong > 300 && $wrong < 1.25 * $expected && $wrong > 0.8 * $expected) }"

# simd: about as large as those of ref, and nearly always of their sign.
# near ARITHMETIC TYPE CORRELATION LEAST MOST: the slope is between these
near() {
    together "type: $2, scale: 8" "backend: simd, tune: {arithmetic: $1}, iterations: 3"
    paste -d ' ' ref all | awk -v c="$3" -v least="$4" -v most="$5" '
        { n++; a = $1 < 0 ? -$1 : $1; b = $4 < 0 ? -$4 : $4; x += a * a; y += b * b; xy += $1 * $4
          u += $2 * $2; v += $5 * $5; uv += $2 * $5 }
        END { print "# correlation with ref " xy / sqrt(x * y) ", " uv / sqrt(u * v) "; slope " xy / x ", " uv / u
              exit !(xy / sqrt(x * y) > c && uv / sqrt(u * v) > c && xy / x > least && xy / x < most) }'
    tap_check $? "simd, $1, LLRs of $2: LLRs like those of ref"
}
near i8 i8 0.9 0.6 1.1
near i16 i8 0.98 0.97 1.03
near i16 i16 0.98 0.97 1.03

# Blocks of several sizes: rows of LLRs have the size of their block.
{ cat <<END
fecrun: 1
blocks:
  - {count: 2, k: 40, bits: 40}
  - {count: 1, k: 104, bits: 104}
END
  pipeline 'source.random: {}' 'turbo.encode: {}' 'channel.bsc: {p: 0.01}' 'turbo.decode: {id: dec}' \
      'llr.quantize: {from: dec.extrinsic, type: i8, scale: 1}' 'sink.null: {}' | sed 1d
  echo 'stop: {frames: 30}'; } >ragged.yaml
same "blocks of several sizes" "$(run_fields frames ragged.yaml)" 30
done_testing
