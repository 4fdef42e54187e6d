#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# The decoder recovers the messages of all NR vectors, from the word and from what rate matching made of
# it, sent over a channel with next to no noise (t/data/README.md says where they come from).
. "$top_srcdir/t/lib/tap.sh"

# decodes NAME BITS FRAME STAGE CODE MESSAGE
decodes() {
    cat >p.yaml <<END
fecrun: 1
pipeline:
  - source.file: {path: $T_DATA/nr_ldpc/$2, kind: bits, dtype: packed, frame: $3}
  - modem.map: {scheme: bpsk}
  - channel.awgn: {esn0_db: 12}
  - modem.demap: {}
  - llr.quantize: {type: i8, scale: 1}
${4:-#}
  - ldpc.decode: {$5, iterations: 20, backend: $backend}
  - sink.file: {path: bits.raw, dtype: packed}
END
    rm -f bits.raw
    run "$FECRUN" run p.yaml --quiet
    ok "$backend: $1" cmp bits.raw "$T_DATA/nr_ldpc/$6"
}

# Few bits of redundancy versions 1 and 2 determine the message, but most such words leave two or
# more bits unknown in every check: message passing cannot begin, all its messages stay 0, whatever
# the number of iterations. These are solved for (erasures: solve), which only ref does.
stuck() {
    case $rm in
    rm_bg1_z384_f296_e12000_rv2_q4_ncb19008.bin | rm_bg1_z52_f101_e1500_rv1_q6.bin | \
        rm_bg2_z72_f64_e900_rv1_q2_ncb2000.bin | rm_bg2_z52_e1560_rv1_q2.bin) return 0 ;;
    esac
    return 1
}

# This one begins with few messages, which have a long way to go: with the factor of `alpha: auto`
# those of 8 bits become 0 on it.
alpha() {
    case $backend/$rm in
    simd/rm_bg2_z384_e8000_rv2_q8_ncb15360.bin) echo ', alpha: 0.9' ;;
    esac
}

# All of them also come as they do in a system, after as many bits of version 0. (That rate_match
# makes the vector of the word is shown in harq.t.)
link='  - modem.map: {scheme: bpsk, id: mapN}
  - channel.awgn: {esn0_db: 12, id: awgnN}
  - modem.demap: {id: demapN}
  - llr.quantize: {type: i8, scale: 1, id: quantizeN}'
second() {
    cat >p.yaml <<END
fecrun: 1
pipeline:
  - source.file: {path: $T_DATA/nr_ldpc/$cw, kind: bits, dtype: packed, frame: $n, id: word}
  - ldpc.rate_match: {$code, e: $e, rv: 0, id: first}
$(echo "$link" | sed 's/N}/1}/')
  - ldpc.rate_recover: {$code, e: $e, rv: 0, id: soft}
  - ldpc.rate_match: {from: word, $code, e: $e, rv: $rv, qm: $qm, ncb: $ncb, id: second}
$(echo "$link" | sed 's/N}/2}/')
  - ldpc.rate_recover: {$code, e: $e, rv: $rv, qm: $qm, ncb: $ncb, harq_in: soft, id: both}
  - ldpc.decode: {code: nr, $code, iterations: 20, backend: $backend}
  - sink.file: {path: bits.raw, dtype: packed}
END
    rm -f bits.raw
    run "$FECRUN" run p.yaml --quiet
    ok "$backend: $rm, after version 0" cmp bits.raw "$T_DATA/nr_ldpc/$msg"
}

for backend in ref simd; do
    while IFS=, read -r bg z fillers bits n _ msg cw rm e rv qm ncb; do
        [ "$bg" != bg ] || continue
        code="bg: $bg, z: $z, fillers: $fillers"
        if [ -z "$rm" ]; then
            decodes "$cw" "$cw" "$n" "" "code: nr, $code" "$msg"
        else
            if [ $((rv % 3)) != 0 ] && [ "$e" -le $((3 * bits)) ]; then
                second
            fi
            recover="  - ldpc.rate_recover: {$code, e: $e, rv: $rv, qm: $qm, ncb: $ncb}"
            if ! stuck; then
                decodes "$rm" "$rm" "$e" "$recover" "code: nr, $code$(alpha)" "$msg"
            elif [ $backend = ref ]; then
                decodes "$rm, alone, erasures solved" "$rm" "$e" "$recover" \
                    "code: nr, $code, erasures: solve" "$msg"
            fi
        fi
    done <"$T_DATA/nr_ldpc/index.csv"
done
done_testing
