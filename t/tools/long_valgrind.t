#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# valgrind's memcheck over all verbs, and the reference and the vectors of each family: nothing undefined
# decides, nothing is lost.
. "$top_srcdir/t/lib/tap.sh"

command -v valgrind >/dev/null 2>&1 || skip_all "no valgrind"
[ "${FECRUN_SANITIZER:-no}" = no ] || skip_all "a sanitizer and valgrind exclude each other"
without_cuda
FECRUN_ISA=avx2 # valgrind knows no AVX-512
export FECRUN_ISA

# clean ARGUMENT...: fecrun with these
clean() {
    run valgrind -q --child-silent-after-fork=yes --error-exitcode=86 --leak-check=full \
        --errors-for-leak-kinds=definite "$FECRUN" "$@"
    [ "$status" = 0 ] && ! grep -q '^==' err
    tap_check $? "fecrun $*"
}

# family NAME STAGE...: a file of these, to be run for ten frames
family() {
    name=$1
    shift
    {
        echo 'fecrun: 1'
        echo 'pipeline:'
        for stage; do echo "  - $stage"; done
        echo 'stop: {frames: 10}'
    } >$name.yaml
    clean run $name.yaml --backend ref --threads 2 --quiet --json $name.json --csv $name.csv
    for isa in generic avx2; do
        FECRUN_ISA=$isa
        clean run $name.yaml --threads 2 --quiet
    done
    clean check $name.yaml
}
family viterbi 'source.random: {bits: 96}' 'conv.encode: {code: ieee80211}' 'modem.map: {scheme: qpsk}' \
    'channel.awgn: {ebn0_db: 1}' 'modem.demap: {}' 'llr.quantize: {type: i8, scale: 4}' \
    'viterbi.decode: {}' 'sink.errors: {}'
family ldpc 'source.random: {bits: 80}' 'ldpc.encode: {code: nr, bg: 2, z: 8}' 'ldpc.rate_match: {e: 160}' \
    'modem.map: {scheme: qpsk}' 'channel.awgn: {esn0_db: 3}' 'modem.demap: {}' \
    'llr.quantize: {type: i8, scale: 4}' 'ldpc.rate_recover: {}' 'ldpc.decode: {iterations: 3}' 'sink.errors: {}'
family turbo 'source.random: {bits: 40}' 'turbo.encode: {k: 40}' 'modem.map: {scheme: bpsk}' \
    'channel.awgn: {esn0_db: -2}' 'modem.demap: {}' 'llr.quantize: {type: i8, scale: 4}' \
    'turbo.decode: {iterations: 2}' 'sink.errors: {}'
family polar 'source.random: {bits: 20}' 'crc.attach: {crc: 11}' 'polar.encode: {code: nr, k: 31, e: 64}' \
    'modem.map: {scheme: bpsk}' 'channel.awgn: {esn0_db: -2}' 'modem.demap: {}' \
    'llr.quantize: {type: i8, scale: 4}' 'polar.decode: {algorithm: scl, list: 4, crc: 11}' \
    'crc.check: {crc: 11}' 'sink.errors: {}'
family tiles 'source.random: {bits: 57}' 'conv.encode: {constraint_length: 9, generators: [0o15, 0o17]}' \
    'channel.bec: {p: 0.1}' 'llr.quantize: {type: i8, scale: 4}' 'viterbi.decode: {tile: {f: 17, v1: 8, v2: 8}}' \
    'sink.errors: {}'
family files 'source.random: {bits: 24}' 'sink.file: {path: bits.npy}'
clean explain ldpc.yaml
clean list --json -
clean describe viterbi.decode
clean run viterbi.yaml --backend ref --journal journal --quiet
clean merge journal
clean bench polar.yaml --backend ref --batches 2 --stage-only --quiet
clean compare viterbi.json viterbi.json
clean run polar.yaml --replay 0:1 --backend ref --quiet
done_testing
