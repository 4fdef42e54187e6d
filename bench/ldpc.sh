# SPDX-License-Identifier: BSD-2-Clause
# What the scripts about LDPC share; read with `.` after lib.sh.

# nr BG Z ROWS ESN0: the options that make ldpc-nr.yaml this code. QPSK wants an even number of bits: the
# last one of an odd number is not sent.
nr() {
    nr_bits=$(((34 - 12 * $1) * $2)) nr_e=$((($3 + 32 - 12 * $1) * $2 / 2 * 2))
    for nr_stage in ldpc.encode ldpc.rate_match ldpc.rate_recover ldpc.decode; do
        echo "--set $nr_stage.bg=$1 --set $nr_stage.z=$2"
    done
    echo "--set source.random.bits=$nr_bits --set ldpc.rate_match.e=$nr_e" \
        "--set channel.awgn.esn0_db=$4"
}

# edges BG ROWS: of the base graph's first rows.
edges() {
    awk -F , -v rows="$2" 'NR > 1 && $1 < rows { n++ } END { print n }' \
        "$here/../t/data/tables/nr_ldpc_bg$1.csv"
}

# block CODE BITS: ldpc-block.yaml of this code; prints its path.
block() {
    sed "s|code: wifi, n: 648, rate: 1/2|$1|; s|bits: 324|bits: $2|" "$here/ldpc-block.yaml" \
        >"$work/block.yaml"
    echo "$work/block.yaml"
}

# line: the last `bench` line of $work/json, latency's p50 not in another field's place
line() { sed -n '/"type":"bench"/p' "$work/json" | tail -n 1 | sed 's/"latency_us":{"p50":/"p50":/'; }
