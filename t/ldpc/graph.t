#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# A base graph of no standard, with punctured columns, under NR's rate matching; lifting sizes beyond NR's. NR's own
# graph, written as a file, gives exactly NR's counts.
. "$top_srcdir/t/lib/counts.sh"
without_cuda

# graph Z SET: base graph 1 of TS 38.212 as a qc file, shifts of this set, its first two columns punctured
graph() {
    grep -o '{[0-9]*, [0-9]*, {[^}]*}}' "$top_srcdir/plugins/ldpc/code/standard/nr_bg1.inc" | tr -d '{},' |
        awk -v z="$1" -v set="$2" '
            { shift_of[$1, $2] = $(3 + set) % z }
            END {
                print 68, 46, z
                for (r = 0; r < 46; r++)
                    for (c = 0; c < 68; c++) {
                        printf "%d%s", ((r, c) in shift_of ? shift_of[r, c] : -1), (c < 67 ? " " : "\n")
                    }
                for (c = 0; c < 68; c++)
                    printf "%d%s", (c > 1), (c < 67 ? " " : "\n")
            }'
}

# link BITS ENCODE MATCH DECODE
link() {
    printf 'seed: 5\n'
    pipeline "source.random: {bits: $1}" "ldpc.encode: {$2}" "ldpc.rate_match: {$3}" 'modem.map: {scheme: 16qam}' \
        'channel.awgn: {esn0_db: 6.8}' 'modem.demap: {}' "llr.quantize: {type: i8, scale: 8}" 'ldpc.rate_recover: {}' \
        "ldpc.decode: {$4}" 'sink.errors: {}'
    printf 'stop: {frames: 60}\n'
}

graph 32 0 >mine.qc
counts='bit_errors frame_errors failed undetected'
plain='iterations: 8, alpha: 0.75, rows: 46, order: forward'
for match in 'e: 1400, qm: 4' 'e: 1400, qm: 4, rv: 2' 'e: 3000, qm: 4, rv: 1' 'e: 3000, qm: 4, rv: 3, ncb: 1500' \
    'rate: 0.5, qm: 2' 'e: 1400, qm: 1'; do
    link 704 'code: nr, bg: 1, z: 32' "$match" "$plain" >nr.yaml
    link 704 'code: qc, path: mine.qc' "$match" "${plain%, rows: 46*}, order: forward" >mine.yaml
    want=$(run_fields "$counts" nr.yaml --backend ref)
    same "$match: NR's graph as a file: $want" "$(run_fields "$counts" mine.yaml --backend ref)" "$want"
done
link 704 'code: qc, path: mine.qc' 'rate: 0.75, qm: 4' 'iterations: 20' >mine.yaml
run "$FECRUN" explain mine.yaml
prints 'out +940 bits' "rate: of the file's K"
some=$(run_fields frame_errors mine.yaml --set channel.awgn.esn0_db=9.2)
[ "$some" -gt 0 ] && [ "$some" -lt 60 ]
tap_check $? "some frames are lost: $some of 60"

# ---- HARQ: two transmissions ----

cat >two.yaml <<'END'
fecrun: 1
seed: 2
pipeline:
  - source.random: {bits: 704}
  - ldpc.encode: {id: enc, code: qc, path: mine.qc}
  - ldpc.rate_match: {id: m0, e: 800, qm: 2}
  - modem.map: {id: map0, scheme: qpsk}
  - channel.awgn: {id: ch0, esn0_db: 1.5}
  - modem.demap: {id: dem0}
  - ldpc.rate_recover: {id: r0}
  - ldpc.rate_match: {id: m1, from: enc, e: 800, qm: 2, rv: 2}
  - modem.map: {id: map1, scheme: qpsk}
  - channel.awgn: {id: ch1, esn0_db: 1.5}
  - modem.demap: {id: dem1}
  - ldpc.rate_recover: {id: r1, harq_in: r0}
  - ldpc.decode: {id: dec, iterations: 20}
  - sink.errors: {}
stop: {frames: 40}
END
sed '/id: [a-z]*1/d' two.yaml >one.yaml
same "two transmissions are decoded" "$(run_fields frame_errors two.yaml)" 0
same "... of which one alone is not" "$(run_fields frame_errors one.yaml)" 40

# ---- Rows in the order of a list ----

list() { seq -s ', ' "$@"; }
for backend in ref simd; do
    for order in "reverse:$(list 45 -1 0)" "forward:$(list 0 45)"; do
        want=$(run_fields "$counts" nr.yaml --set ldpc.decode.order=${order%%:*} --set ldpc.decode.backend=$backend)
        sed "s/, order: forward/, row_order: [${order#*:}]/" nr.yaml >listed.yaml
        same "$backend, ${order%%:*} as a list: $want" \
            "$(run_fields "$counts" listed.yaml --set ldpc.decode.backend=$backend)" "$want"
    done
done
# Of 46 rows those of 13 that are in use; another order gives other counts.
sed 's/rows: 46, order: forward/rows: auto, order: reverse/; s/e: 1400, qm: 1/e: 1000, qm: 4/; s/esn0_db: 6.8/esn0_db: 9.4/' nr.yaml >few.yaml
sed "s/order: reverse/row_order: [$(list 45 -1 0)]/" few.yaml >listed.yaml
want=$(run_fields "$counts" few.yaml)
same "rows that are not in use: $want" "$(run_fields "$counts" listed.yaml)" "$want"
sed "s/order: reverse/row_order: [3, 1, 2, 0, $(list 4 45)]/" few.yaml >other.yaml
[ "$(run_fields "$counts" other.yaml)" != "$want" ]
tap_check $? "another order has other counts"
run "$FECRUN" explain other.yaml
prints 'rows in the order of row_order' "explain says so"
refuses 2 'row_order.*: has no row 5; rows 0 to 12 are in use' check few.yaml --set 'ldpc.decode.row_order=[0, 1, 2, 3, 4, 6]' \
    --set ldpc.decode.order=auto --set ldpc.decode.rows=13
refuses 2 'row_order.*: has row 1 twice' check few.yaml --set 'ldpc.decode.row_order=[1, 1]' --set ldpc.decode.order=auto
refuses 2 'row_order.*: has row 46; the rows are 0 to 45' check few.yaml --set 'ldpc.decode.row_order=[46]' --set ldpc.decode.order=auto
refuses 2 'row_order.*: is of schedule: layered, and instead of order' check few.yaml --set 'ldpc.decode.row_order=[1]'

# ---- Lifting sizes beyond NR's ----

for z in 385 768 1536; do
    graph $z 0 >mine.qc
    link $((22 * z)) 'code: qc, path: mine.qc' 'rate: 0.6, qm: 4' 'iterations: 20' >large.yaml
    for backend in ref simd; do
        same "z = $z, $backend: 0 of 6 frames lost at 9 dB, all at 5 dB" \
            "$(run_fields frame_errors large.yaml --set ldpc.decode.backend=$backend --set stop.frames=6 \
                --sweep channel.awgn.esn0_db=9,5 | paste -s -d ' ')" '0 6'
    done
done

# ---- What is refused ----

graph 32 0 >mine.qc
sed 's/code: qc, path: mine.qc/code: wifi/' mine.yaml >wifi.yaml
refuses 2 'ldpc.rate_match.bg: missing: neither ldpc.encode nor seg.split' check wifi.yaml --set source.random.bits=648 \
    --set ldpc.encode.code=wifi --set ldpc.encode.n=1296 --set ldpc.encode.rate=1/2
refuses 2 'ldpc.rate_match.ncb(=3000)?: is 3000; with K = 704 and z = 32 the code word has 2112 bits' check mine.yaml --set ldpc.rate_match.ncb=3000
refuses 2 'ldpc.rate_match.*: .*2112' check mine.yaml --set ldpc.rate_match.bg=2 --set ldpc.rate_match.z=32
refuses 2 'ldpc.rate_recover.rv(=1)?: .*1, but ldpc.rate_match' check mine.yaml --set ldpc.rate_recover.rv=1
done_testing
