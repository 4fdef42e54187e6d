#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# What a terminal of 80 columns shows, what a pipe shows that is closed early, and -V.
. "$top_srcdir/t/lib/tap.sh"
without_cuda

# fits WIDTH WHAT: no line of the last run's output is longer
fits() {
    awk -v most="$1" 'length > most { print; bad = 1 } END { exit bad }' out >long
    ok "$2 fits into $1 columns$(sed 's/^/: /' long | head -n 1)" [ ! -s long ]
}

run "$FECRUN" --version
cp out version
run "$FECRUN" -V
is 0 "-V"
ok "is --version" cmp out version
run "$FECRUN" run -V
ok "behind a verb, too" cmp out version

# ---- Help: the same text everywhere ----
run "$FECRUN" --help
fits 80 "--help"
for verb in $("$FECRUN" --help | awk '/^$/ { part++ } part == 1 && NF { print $1 }'); do
    run "$FECRUN" "$verb" --help
    fits 80 "$verb --help"
done

# ---- describe: lines are wrapped, no word is lost ----
: >wide
for stage in $("$FECRUN" list | sed -n '/^stages/,/^devices/s/^  \([a-z]*\.[a-z_]*\) .*/\1/p'); do
    COLUMNS=80 "$FECRUN" describe "$stage" >out
    awk -v stage="$stage" 'length > 80 { print stage ": " $0 }' out >>wide
    tr -d ' \n' <out >narrow
    "$FECRUN" describe "$stage" | tr -d ' \n' >any
    cmp -s narrow any || echo "$stage: not the same words" >>wide
done
ok "describe fits, with the same words$(head -n 1 wide)" [ ! -s wide ]
run env COLUMNS=80 "$FECRUN" describe ldpc.decode
prints "^      MacKay's alist, or qc, shifts" "a line goes on two columns further right"

# ---- run: the interval goes first, swept names lose their stages ----
cat >link.yaml <<'END'
fecrun: 1
pipeline:
  - source.random: {bits: 324}
  - ldpc.encode: {code: wifi, n: 648, rate: 1/2}
  - modem.map: {scheme: bpsk}
  - channel.awgn: {ebn0_db: 1}
  - modem.demap: {}
  - ldpc.decode: {schedule: layered, alpha: 0.75}
  - sink.errors: {}
sweep: {ldpc.decode.alpha: [0.7, 0.8], ldpc.decode.iterations: [5]}
stop: {frames: 20}
END
run env COLUMNS=80 "$FECRUN" run link.yaml
is 0 "run"
fits 80 "run"
prints '^ +alpha +decode\.iterations +Eb/N0 dB +frames' \
    "swept names are short, but not those of other columns"
prints '^\(no room for 95 % of FER, ' "the interval is the first to go"
run env COLUMNS=300 "$FECRUN" run link.yaml
prints '^ldpc.decode.alpha +ldpc.decode.iterations .* 95 % of FER' \
    "where there is room, names are whole"

# ---- bench ----
run env COLUMNS=80 "$FECRUN" bench link.yaml --stage-only --batches 1,4 --threads 1
is 0 "bench"
fits 80 "bench"
prints '^ +batch stage Gb/s whole Gb/s spread +p50 us +p99 us +BER +FER checked$' "all columns are there"
ok "... each over its numbers" awk '/^ +batch/ { n = length } /^ +[14] +[0-9]/ && length != n { exit 1 }' out
run env COLUMNS=80 "$FECRUN" bench link.yaml --latency --seconds 0.05 --rate 10%
is 0 "bench --latency"
fits 80 "bench --latency"
prints '^\(no room for served, call us, which --json has\)$' "what is left out is named"

# ---- A pipe whose reader has gone ----
closed() {
    tap_last=$*
    { { "$@" 2>err; echo $? >status; } | :; } </dev/null
    status=$(cat status)
}
sed 's/frames: 20/frames: 20000/; s/\[0.7, 0.8\]/"0.7:0.01:0.9"/' link.yaml >long.yaml
closed "$FECRUN" run long.yaml
is 1 "run into a closed pipe: not all was written"
ok "it says nothing" [ ! -s err ]
closed "$FECRUN" run long.yaml --json - --quiet
ok "--json -: nothing, either" [ ! -s err ]
closed "$FECRUN" describe ldpc.decode
ok "describe: nothing, either" [ ! -s err ]
mkfifo other
(head -c 0 <other >/dev/null) &
run "$FECRUN" run long.yaml --csv other --quiet
wait
ok "another pipe that is closed is an error with a message" grep -q 'other' err
done_testing
