#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# `blocks:` of 200,000 rows: what is done for each of them before the first frame, and for a signal. No time is measured:
# memory is asked for as often as for 10,000 rows.
. "$top_srcdir/t/lib/tap.sh"

[ "${FECRUN_SANITIZER:-no}" = no ] || skip_all "a sanitizer has an allocator of its own"
without_cuda
shim=$top_builddir/t/doubles/fault/fault.so

# rows N: N.csv of three sizes, and N.yaml
rows() {
    awk -v n="$1" 'BEGIN { print "cell,user,count,bits"
        for (i = 0; i < n; i++) printf "%d,u%d,1,%d\n", i % 7, i, 8 * (1 + i % 3) }' >"$1.csv"
    cat >"$1.yaml" <<END
fecrun: 1
blocks: $1.csv
pipeline: [source.random: {}, conv.encode: {code: ieee80211}, channel.bsc: {p: 0.1}, viterbi.decode: {}, sink.errors: {}]
END
}

# calls N: of malloc(), in a run with one frame and both result files
calls() {
    head -c 16 /dev/zero >count
    run env LD_PRELOAD="$shim" FAULT=malloc:0 FAULT_COUNT=count \
        "$FECRUN" run "$1.yaml" --quiet --threads 1 --set stop.frames=1 --json "$1.json" --csv "$1.out"
    is 0 "$1 rows"
    set -- $(od -An -tu8 count)
    calls=$1
}
rows 10000
calls 10000
few=$calls
rows 200000
calls 200000
tap_last="$few, then $calls calls"
ok "no more memory is asked for than for 10,000 rows: $few, then $calls calls" [ "$calls" -lt $((few + 1000)) ]
ok "the result has each row" [ "$(sed -n 1p 200000.json | grep -o '{"cell"' | wc -l)" = 200000 ]
ok "and its counts" [ "$(sed -n 2p 200000.json | grep -o '{"cell"' | wc -l)" = 200000 ]
sed -n 2p 10000.json >json
ok "as JSON has them" grep -q '"users":\[{"cell":"0","user":"u0","frames":1,"bits":8,"bit_errors":[0-8],' json
ok "null where there is no frame" grep -q '{"cell":"1","user":"u1","frames":0,"bits":0,"bit_errors":0,"frame_errors":0,"ber":null,"fer":null}' json

# Names that JSON writes otherwise.
printf 'cell,user,count,bits\na\\b,"say ""hi""",1,8\n\303\244,\377,1,8\n' >names.csv
sed 's/10000.csv/names.csv/' 10000.yaml >names.yaml
run "$FECRUN" run names.yaml --quiet --set stop.frames=2 --json -
prints '"blocks":\[\{"cell":"a\\\\b","user":"say \\"hi\\"","count":1,"bits":8\},\{"cell":"..","user":"\?","count":1,"bits":8\}\]\}$' \
    "names of rows"
ok "and of their counts" grep -q '"users":\[{"cell":"a\\\\b","user":"say \\"hi\\"","frames":1,.*{"cell":"..","user":"?",' out

# A signal, wherever it comes: no file, or one that is complete.
wrong=0 files=0
for wait in 0.05 0.1 0.2 0.3 0.5 1; do
    rm -f 200000.json
    run timeout --preserve-status -k 60 -s TERM $wait "$FECRUN" run 200000.yaml --quiet --threads 1 --json 200000.json
    # 143: it came before there was a program to hear it; 0: all was done before it came
    [ "$status" = 143 ] && [ ! -e 200000.json ] && continue
    [ "$status" = 0 ] || { [ "$status" = 1 ] && grep -q 'stopped by a signal' err; } || wrong=$((wrong + 1))
    [ ! -e 200000.json ] && continue
    files=$((files + 1))
    [ "$(tail -n 1 200000.json)" = "{\"type\":\"end\",\"status\":$status}" ] || wrong=$((wrong + 1))
done
ok "six signals: $files result files, all complete" [ $wrong = 0 ]
ok "nothing else stays" [ -z "$(ls | grep -E 'tmp|partial')" ]

done_testing
