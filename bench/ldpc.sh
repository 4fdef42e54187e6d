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

# ---- Cells: CODE K E QM RV ESN0 in $code $k $e $qm $rv $esn0 ----
# CODE: the parameters of ldpc.encode and ldpc.decode, with commas; RV: one digit a transmission of HARQ, all of E
# bits, or `-` where nothing is rate matched.

scheme() { echo "bpsk qpsk - 16qam - 64qam - 256qam" | cut -d ' ' -f "$qm"; }

# transmission N RV SCALES: one of a cell, up to its ldpc.rate_recover.
transmission() {
    if [ "$rv" != - ]; then
        echo "- ldpc.rate_match: {id: match$1, from: enc, $sizes, e: $e, qm: $qm, rv: $2}"
        t_from=
    else
        t_from=", from: enc"
    fi
    echo "- modem.map: {id: map$1, scheme: $(scheme)$t_from}"
    echo "- channel.awgn: {id: noise$1, esn0_db: $esn0}"
    echo "- modem.demap: {id: llrs$1}"
    [ "$3" = f32 ] || echo "- llr.quantize: {id: q$1, type: i8, scale: 1}"
    [ "$rv" = - ] || echo "- ldpc.rate_recover: {id: soft$1, $sizes, qm: $qm, rv: $2$t_harq}"
}

# pipeline BACKEND SCALES SWEEP: of the cell, with LLRs at each of these scales, or as they are (f32), and with
# this sweep more. What is swept behind the channel leaves frames and noise as they are.
pipeline() {
    encode=$(echo "$code" | sed 's/,rows:[0-9]*//; s/,iterations:[0-9]*//; s/,/, /g; s/:/: /g')
    decode=$(echo "$code" | sed 's/,/, /g; s/:/: /g')
    sizes=$(echo "$encode" | sed 's/^nr, //')
    t_harq= p_n=0 p_swept=
    echo "fecrun: 1"
    echo "seed: 11"
    echo "pipeline:"
    echo "- source.random: {bits: $k}"
    echo "- ldpc.encode: {id: enc, code: $encode}"
    for p_rv in $(echo "$rv" | sed 's/./& /g'); do
        transmission "$p_n" "$p_rv" "$2"
        t_harq=", harq_in: soft$p_n"
        p_swept="$p_swept${p_swept:+, }q$p_n.scale: [$(echo "$2" | sed 's/ /, /g')]"
        p_n=$((p_n + 1))
    done
    echo "- ldpc.decode: {code: $decode, backend: $1}"
    echo "- sink.errors: {}"
    case $2,$p_n in
        f32,*) p_swept= ;;
        *,1) ;;
        *) p_swept="zip: {$p_swept}" ;;
    esac
    [ -z "$p_swept$3" ] || echo "sweep: {$p_swept${p_swept:+${3:+, }}$3}"
    echo "stop: {frames: $FRAMES}"
}

# name: of the cell's code.
name() {
    case $code in
        nr*) echo "$code" | sed 's/nr,bg:/BG/; s/,z:64//; s/,rows:46/, zeros, 46 rows/' ;;
        *) echo "$code" | sed 's/,iterations:20//; s/,frame:short//; s/,n:/ /; s/,rate:/ /; s/wifi/Wi-Fi/
            s/wimax/WiMAX/; s/dvbs2/DVB-S2 short/' ;;
    esac
}

# rate: of all that was sent, HARQ's sum.
rate() {
    if [ "$rv" = - ]; then
        echo "$code" | sed 's/.*rate:\([0-9]*\/[0-9]*\).*/\1/'
    else
        echo "$k $e $rv" | awk '{ printf "%.2f\n", $1 / ($2 * length($3)) }'
    fi
}

# The caller's row for each of its cells that CELLS names; every ninth of them to try a script.
each_cell() {
    cells | grep "$CELLS" >"$work/cells"
    [ -z "$QUICK" ] || sed -i -n "1~9p" "$work/cells"
    while read -r code k e qm rv esn0; do
        note "$(name) $qm $rv"
        row
    done <"$work/cells"
}
