#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# fecrun merge: the order of points, the stop rules that hold, and lines whose counts cannot be.
. "$top_srcdir/t/lib/counts.sh"
without_cuda

# ---- Order ----
# values FILE: of the swept parameters, for each point of a result in its order
values() { sed -n 's/^{"type":"point","set":{\([^}]*\)}.*/\1/p' "$1" | sed 's/"[a-z.0-9_]*"://g' | tr '\n' ' '; }

pipeline 'source.random: {bits: 24}' 'modem.map: {scheme: bpsk}' 'channel.awgn: {esn0_db: 0}' 'modem.hard: {}' \
    'sink.errors: {}' >order.yaml
echo 'stop: {frames: 3}' >>order.yaml
run "$FECRUN" run order.yaml --journal order --quiet --sweep channel.awgn.esn0_db=10,2,-10,-2,12.5,0,-0.5,5
is 0 "points in no order"
run "$FECRUN" merge order --quiet --json order.json
same "are merged in ascending order of their numbers, not of their text" "$(values order.json)" \
    "-10 -2 -0.5 0 2 5 10 12.5 "
run "$FECRUN" run order.yaml --journal two --quiet --sweep channel.awgn.esn0_db=10,9 \
    --sweep modem.map.scheme=qpsk,bpsk --sweep source.random.bits=100,24
run "$FECRUN" merge two --quiet --json two.json
same "by the first parameter, then by the next ones; names as text" "$(values two.json)" \
    '9,"bpsk",24 9,"bpsk",100 9,"qpsk",24 9,"qpsk",100 10,"bpsk",24 10,"bpsk",100 10,"qpsk",24 10,"qpsk",100 '

# ---- Stop rules: the loosest ----
pipeline 'source.random: {bits: 100}' 'conv.encode: {code: ieee80211}' 'channel.bsc: {p: 0.09}' \
    'viterbi.decode: {code: ieee80211}' 'sink.errors: {}' >rules.yaml
all='frames bits bit_errors frame_errors stop'

# with RULES: rules.yaml with `stop: {RULES}`, where = stands for a colon
with() {
    cat rules.yaml
    echo "stop: {$1}" | sed 's/=/: /g'
}

# merges WHAT LOOSEST ALONE RULES...: runs with each of these rules, one after the other and the other way round,
# in one directory and in one each, are merged under the rules LOOSEST, which give the counts that one run has
# under ALONE.
merges() {
    what=$1 loosest=$2
    with "$3" >alone.yaml
    want=$(run_fields "$all" alone.yaml)
    shift 3
    for list in "$*" "$(printf '%s\n' "$@" | tac | tr '\n' ' ')"; do
        rm -rf J J.*
        n=0
        for rules in $list; do
            n=$((n + 1))
            with "$rules" >one.yaml
            "$FECRUN" run one.yaml --quiet --journal J
            "$FECRUN" run one.yaml --quiet --journal J.$n
        done
        for dirs in J "$(echo J.*)"; do
            run "$FECRUN" merge $dirs --quiet --json merged.json
            same "$what: $list in $dirs" "$(sed -n '1s/.*"stop":{\([^}]*\)}.*/\1/p' merged.json)" "$loosest"
            same "and the counts of them" "$(fields "$all" <merged.json)" "$want"
        done
    done
}

merges "most frame errors" '"frame_errors":60' frame_errors=60 frame_errors=20 frame_errors=60 frame_errors=40
merges "most frames" '"frames":900' frames=900 frames=300 frames=900 frames=10
merges "each rule by itself" '"frame_errors":60,"frames":900' frame_errors=60,frames=900 \
    frame_errors=60,frames=900 frame_errors=20,frames=900 frame_errors=60,frames=100
merges "no rule is looser than any" '"frame_errors":30' frame_errors=30 frame_errors=30,frames=50 frame_errors=30
# no time passes that fast
merges "most seconds" '"frames":200,"seconds":7000.0' frames=200,seconds=7000 frames=200,seconds=60 \
    frames=200,seconds=7000 frames=100,seconds=6000

# ---- A byte that a disk has changed ----
with frames=200 >one.yaml
"$FECRUN" run one.yaml --quiet --journal changed
ok "each line has a CRC" [ "$(grep -c '"crc32c":"[0-9a-f]\{8\}"}$' changed/*.jsonl)" = "$(wc -l <"$(ls changed/*.jsonl)")" ]
sed -i '2s/"bit_errors":\([0-9]*\),/"bit_errors":1\1,/' changed/*.jsonl
run "$FECRUN" merge changed --quiet
says 'changed/[^ ]*jsonl:2: its CRC is wrong, so its frames do not count' "it is told, and the line does not count"
same "its frames are run again" "$(run_fields "$all" one.yaml --journal changed)" "$(run_fields "$all" one.yaml)"

# ---- Counts that cannot be ----
with frames=200 >one.yaml
"$FECRUN" run one.yaml --quiet --journal sound
# spoilt NAME VALUE: a copy of the journal in bad/, where each line of counts has that
spoilt() {
    rm -rf bad
    cp -r sound bad
    sed -i "s/\"$1\":[0-9]*/\"$1\":$2/; s/,\"crc32c\":\"[0-9a-f]*\"//" bad/*.jsonl
}
for what in frame_errors=201:200:n failed=201:200:n undetected=201:200:n bit_errors=20001:20000:bits \
    block_errors=201:200:blocks; do
    name=${what%%=*} rest=${what#*=}
    value=${rest%%:*} rest=${rest#*:}
    spoilt "$name" "$value"
    refuses 1 "bad/[^ ]*jsonl:2: $name is $value: must be 0 to ${rest%:*}, which is ${rest#*:}; without this line" \
        merge bad
done
spoilt frame_errors 201
refuses 1 'bad/[^ ]*jsonl:2: frame_errors is 201: must be 0 to 200' run one.yaml --journal bad
sed -i 2d bad/*.jsonl
same "without the line its frames are run again" "$(run_fields "$all" one.yaml --journal bad)" \
    "$(run_fields "$all" one.yaml)"
sed 's/^pipeline/blocks: [{cell: 1, user: u, count: 2, bits: 40}]\n&/; s/bits: 100/bits: 40/' one.yaml >rows.yaml
run "$FECRUN" run rows.yaml --quiet --journal rows
sed -i 's/"rows":\[\[\([0-9]*\),\([0-9]*\),\([0-9]*\),[0-9]*/"rows":[[\1,\2,\3,\2/; s/,"crc32c":"[0-9a-f]*"//' rows/*.jsonl
refuses 1 'rows/[^ ]*jsonl:2: rows: entry 0 has more wrong frames or bits' merge rows

done_testing
