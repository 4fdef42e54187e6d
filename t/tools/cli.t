#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# The command line: help, versions, hints, where output goes, what a terminal sees.
. "$top_srcdir/t/lib/tap.sh"
without_cuda

cat >p.yaml <<END
fecrun: 1
pipeline:
  - source.random: {bits: 64}
  - channel.bsc: {p: 0.01}
  - sink.null: {}
stop: {frames: 100}
END

# ---- Help ----
run "$FECRUN"
is 2 "no arguments"
says '^usage: fecrun VERB' "usage goes to standard error then"
for help in --help -h help; do
    run "$FECRUN" $help
    is 0 "$help"
    prints '^usage: fecrun VERB' "$help: usage on standard output"
done
for verb in run check explain list describe bench compare; do
    ok "the usage names $verb" grep -Eq "^  $verb " out
done
for verb in $(sed -n 's/^  \([a-z][a-z]*\) .*/\1/p' out); do
    run "$FECRUN" $verb --help
    is 0 "$verb --help"
    prints "^usage: fecrun $verb" "$verb --help: its usage"
    prints '--plugin-dir DIR' "$verb --help: common options"
done
run "$FECRUN" list --help
ok "--help lists what applies" [ "$(grep -c '^  --[sbtc]' out)" = 0 ]
run "$FECRUN" bench p.yaml --help
prints '--stage' "help wins over other arguments and shows the verb's own options"
run "$FECRUN" --version
is 0 "--version"
prints '^fecrun [0-9]+\.[0-9]+' "--version on standard output"
run "$FECRUN" run --version
prints '^fecrun [0-9]+\.[0-9]+' "--version with a verb"

# ---- Hints ----
refuses 2 'unknown verb .rum. \(did you mean run\?\)' rum p.yaml
refuses 2 'unknown verb .describ. \(did you mean describe\?\)' describ
refuses 2 'unknown verb .frobnicate.; fecrun --help' frobnicate
refuses 2 'unknown verb .--hlep. \(did you mean --help\?\)' --hlep
refuses 2 'unknown option --jsn \(did you mean --json\?\)' run p.yaml --jsn x
refuses 2 'unknown option --plugin-dri \(did you mean --plugin-dir\?\)' list --plugin-dri x
refuses 2 'unknown option -x' run p.yaml -x
refuses 2 'run: needs FILE.yaml' run
refuses 2 'describe: needs STAGE' describe
refuses 2 'list: takes no argument .p.yaml.' list p.yaml
refuses 2 'run: one argument only, not also .q.yaml.' run p.yaml q.yaml
refuses 2 'unknown stage .viterbi.decod. \(did you mean viterbi.decode\?\)' describe viterbi.decod
refuses 2 '--stage.* belong' run p.yaml --stage channel.bsc
refuses 2 '--csv belongs to' list --csv x
refuses 2 '^fecrun: check: --csv belongs to run, bench, merge$' check p.yaml --csv x
refuses 2 '^fecrun: check: --json belongs to run, explain, sync, list, describe, bench, compare, merge$' \
    check p.yaml --json x
for option in --set=seed=1 --backend=ref --threads=2; do
    refuses 2 "list: ${option%%=*} belongs to run, check, explain, (sync, )?bench" list $option
    refuses 2 "describe: ${option%%=*} belongs to" describe source.random $option
done
refuses 2 'needs a value' list --plugin-dir
run env FECRUN_ISA=mmx "$FECRUN" list
is 2 "an unknown FECRUN_ISA"
says 'FECRUN_ISA.*avx2' "it says what is allowed"

# ---- describe and list ----
run "$FECRUN" describe source.random
is 0 "describe"
prints '^source.random \(source, plugin chain\)' "the stage"
prints 'bits .*1\.\.1.*required' "a parameter with its range"
prints '^ *ref' "its backends"
# Limits of integers are integers: 16777216, not 1.67772e+07.
"$FECRUN" list | sed -n 's/^  \([a-z]*\.[a-z-]*\) .*/\1/p' >stages
for stage in $(cat stages); do "$FECRUN" describe "$stage" || echo "no $stage"; done >described
ok "describe knows all $(wc -l <stages) stages" [ "$(grep -c '^no ' described)" = 0 ] # and there are some
ok "... which have limits" [ "$(grep -c '[0-9]\.\.[0-9]' described)" -gt 50 ]
grep -E ' int\S*, \S*e\+' described >rounded
ok "no limit of an integer is rounded$(head -3 rounded)" [ ! -s rounded ]
run "$FECRUN" describe source.random --json -
is 0 "describe --json"
ok "one JSON object" [ "$(wc -l <out)" = 1 ]
prints '^\{.*"name":"source.random".*\}$' "describe --json"
prints '"examples":\[.*\{"params":"\{bits: 4096, stream: true\}"\}\]' "... with examples"
run "$FECRUN" describe ldpc.decode
prints '^  \{code: wifi, n: 648, rate: 5/6\}  # for 648 items a frame$' \
    "describe shows examples, as a pipeline has them"
prints '^  undoes ldpc.encode; takes these from it unless given: code, bg, z, fillers, n, frame, rate, path$' \
    "... and which stage it undoes"
run "$FECRUN" describe ldpc.decode --json -
prints '"undoes":"ldpc.encode"' "... so does --json"
prints '"items":25344,"type":"i8","llr_max":127.0,"batch":64\}' "describe --json says all of them"
run "$FECRUN" list --json list.json
is 0 "list --json FILE"
ok "nothing on standard output then" [ ! -s out ]
ok "the file" grep -q '^{.*"plugins":\[.*"stages":\[' list.json
run "$FECRUN" check p.yaml
is 0 "check a good file"
ok "check says nothing that alarms" [ ! -s err ]
run "$FECRUN" explain p.yaml --json -
is 0 "explain --json -"
ok "one line" [ "$(wc -l <out)" = 1 ]

# ---- Where results go ----
run "$FECRUN" run p.yaml
is 0 "run"
prints ' frames ' "the table is on standard output"
ok "no progress without a terminal" [ ! -s err ]
run "$FECRUN" run p.yaml --quiet
ok "--quiet is quiet" [ ! -s out ] && [ ! -s err ]
run "$FECRUN" run p.yaml --json -
is 0 "run --json -"
ok "three lines of JSON" [ "$(grep -c '^{"type":".*}$' out)" = 3 ] && [ "$(wc -l <out)" = 3 ]
says ' frames ' "the table goes to standard error then"
run "$FECRUN" run p.yaml --json - --quiet
ok "--quiet --json -: JSON only" [ ! -s err ] && [ "$(wc -l <out)" = 3 ]
run "$FECRUN" run p.yaml --csv - --quiet
ok "--csv -: a header and a row" [ "$(wc -l <out)" = 2 ]
prints 'frames.*,.*seconds' "the header names columns"
columns=$(head -n 1 out | tr -cd , | wc -c)
ok "as many columns in the row" [ "$(tail -n 1 out | tr -cd , | wc -c)" = "$columns" ]
run "$FECRUN" run p.yaml --json r.json --csv r.csv
is 0 "both files"
ok "both are there" [ -s r.json ] && [ -s r.csv ]
prints ' frames ' "and the table, too"
run "$FECRUN" run --json=s.json p.yaml --quiet --set=seed=3 --set batch=7
is 0 "--option=value, options on both sides"
ok "options took effect" grep -q '"seed":3,"batch":7' s.json

# Valid JSON, as another reader sees it.
json_lines() {
    run sh -c '"$top_builddir/t/lib/json_lines" <"$0"' "$1"
    [ "$status" = 0 ] && [ "$(cat out)" = "$2" ]
    tap_check $? "$1: $2 lines of valid JSON"
}
json_lines r.json 3
json_lines s.json 3
json_lines list.json 1
"$FECRUN" explain p.yaml --json explain.json
json_lines explain.json 1
"$FECRUN" describe viterbi.decode --json describe.json
json_lines describe.json 1
cp "$CONF/quickstart.yaml" .
"$FECRUN" run quickstart.yaml --quiet --set stop.frames=10 --json sweep.json
json_lines sweep.json 9
# Names that are no plain text.
cat >odd.yaml <<'END'
fecrun: 1
pipeline:
  - source.random: {bits: 64}
  - channel.bsc: {p: 0.01}
  - sink.null: {}
blocks: [{user: "a\"b\\c\u00e9\u001f", count: 3, bits: 64}]
END
"$FECRUN" run odd.yaml --quiet --set stop.frames=10 --json odd.json
json_lines odd.json 3

# ---- Pipelines written as JSON ----
cat >p.json <<END
{"fecrun": 1, "seed": 5, "pipeline": [
    {"source.random": {"bits": 64}},
    {"channel.bsc": {"p": 0.01}}, {"sink.null": {}}], "stop": {"frames": 100}}
END
run "$FECRUN" run p.json --json - --quiet
is 0 "a pipeline in JSON"
prints '"frames":100,' "it ran"
# The resolved pipeline of a result file is a pipeline.
start='{"fecrun":1,"seed":5,"stop":{"frames":100}'
sed -n "s/.*\(,\"pipeline\":\[.*\]}\)$/$start\1/p" out >again.json
run "$FECRUN" run again.json --json - --quiet
is 0 "the resolved pipeline in a result file can be run"
sed 's/"p": 0.01/"q": 0.01/' p.json >q.json
refuses 2 '^fecrun: q.json:3:22: channel.bsc.q: no such parameter' check q.json

# ---- Progress: on a terminal, and only there ----
cat >long.yaml <<END
fecrun: 1
pipeline:
  - source.random: {bits: 4096}
  - channel.bsc: {p: 0.01}
  - sink.null: {}
stop: {seconds: 1.5}
END
if command -v script >/dev/null 2>&1 && script -qec true /dev/null >/dev/null 2>&1; then
    script -qec "$FECRUN run long.yaml" /dev/null </dev/null >typescript 2>&1
    ok "progress on a terminal" grep -q 'point 1/1: [0-9]* frames' typescript
    script -qec "$FECRUN run long.yaml --quiet" /dev/null </dev/null >typescript 2>&1
    ok "not with --quiet" [ ! -s typescript ]
else
    skip 2 "no script(1)"
fi
run "$FECRUN" run long.yaml
ok "no progress in a file" [ ! -s err ]
# Files that would be written over.
cat >files.yaml <<'END'
fecrun: 1
pipeline:
  - source.random: {bits: 8}
  - sink.file: {path: bits.npy}
stop: {frames: 2}
END
cp files.yaml kept.yaml
ln -s files.yaml link.yaml
refuses 2 '--json link.yaml: is the pipeline file files.yaml' \
    run files.yaml --json link.yaml
refuses 2 '--csv ./bits.npy: is the file that sink.file.path of files.yaml:4:23 writes' run files.yaml --csv ./bits.npy
run "$FECRUN" run files.yaml --quiet
is 0 "different files are fine"
cat >copy.yaml <<'END'
fecrun: 1
pipeline:
  - source.file: {path: bits.npy, kind: bits}
  - sink.null: {}
END
cp bits.npy kept.npy
refuses 2 '--json bits.npy: is the file that source.file.path of copy.yaml:3:25 reads' run copy.yaml --json bits.npy
ok "nothing was written over" sh -c 'cmp files.yaml kept.yaml && cmp bits.npy kept.npy'

# ---- The table's width ----
cat >wide.yaml <<END
fecrun: 1
pipeline:
  - source.random: {bits: 324}
  - ldpc.encode: {code: wifi, n: 648, rate: 1/2}
  - modem.map: {scheme: bpsk}
  - channel.awgn: {ebn0_db: 1}
  - modem.demap: {}
  - ldpc.decode: {}
  - sink.errors: {}
stop: {frames: 20}
END
run "$FECRUN" run wide.yaml
prints 'Es/N0 dB .* bit errors .* undetected .* BER .* stop$' "into a file goes the whole table"
run env COLUMNS=80 "$FECRUN" run wide.yaml
ok "within 80 columns no line is longer" awk 'length > 80 { exit 1 }' out
prints '^Eb/N0 dB +frames +frame errors +BER +FER +iterations +info' "what matters most is there"
tr -d '\n' <out >joined
ok "what is left out is named" grep -q '(no room for 95 % of FER, Es/N0 dB, undetected, bit errors,.* which --json and --csv have)' joined
run env COLUMNS=60 "$FECRUN" list
sed 's/[^ ]*\/[^ ]*//' out >nopaths # a word that is longer stays whole
ok "list: no line is longer, either" awk 'length > 60 { print; exit 1 }' nopaths
tr -s ' \n' '  ' <out >narrow
"$FECRUN" list | tr -s ' \n' '  ' >any
ok "and says the same" cmp narrow any
run env COLUMNS=300 "$FECRUN" run wide.yaml
prints '^Eb/N0 dB .* stop$' "where there is room nothing is left out"
done_testing
