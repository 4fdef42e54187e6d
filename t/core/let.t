#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# let: values that are written once.
. "$top_srcdir/t/lib/counts.sh"
without_cuda

pipeline 'source.random: {bits: 120}' 'conv.encode: {constraint_length: 7, generators: [0o133, 0o171]}' \
    'channel.bsc: {p: 0.05}' 'viterbi.decode: {}' 'sink.errors: {}' >plain.yaml
printf 'stop: {frames: 300}\nsweep: {channel.bsc.p: [0.05, 0.08]}\n' >>plain.yaml
pipeline 'source.random: {bits: $k}' 'conv.encode: {constraint_length: 7, generators: [0o133, $second]}' \
    'channel.bsc: {p: 0.05}' 'viterbi.decode: {}' 'sink.errors: {}' >let.yaml
cat >>let.yaml <<'END'
stop: {frames: $n}
sweep: {channel.bsc.p: [$low, "0.08"]}
let: {k: 120, n: 300, low: 0.05, second: 0o171, unused: 1}
END
same "values of let stand for \$NAME" "$(counts let.yaml)" "$(counts plain.yaml)"
ok "results have the values" grep -q '"source.random":{"bits":120' out
same "--set changes them" "$(counts let.yaml --set let.k=64 --set let.n=100)" \
    "$(counts plain.yaml --set source.random.bits=64 --set stop.frames=100)"
sed 's/^let:.*/let: {range: "0.01:0.01:0.03"}/; s/\$second/0o171/; s/^sweep.*/sweep: {channel.bsc.p: $range}/; s/\$[kn]/99/' let.yaml >range.yaml
ok "a range, too" [ "$(counts range.yaml | wc -l)" = 3 ]
sed '/^let:/d' let.yaml >none.yaml
refuses 2 'none.yaml:8:16: stop.frames: must be an integer.*\$n' run none.yaml
sed 's/\$low/$lov/' let.yaml >bad.yaml
refuses 2 'bad.yaml:9:25: \$lov: let: has no such name \(did you mean low\?\)' run bad.yaml
try() {
    sed "s/^let:.*/let: $2/" let.yaml >bad.yaml
    refuses 2 "bad.yaml:10:[0-9]+: $1" run bad.yaml
}
try 'let: must be a map' '[1, 2]'
try 'let.k: must be a single value, is a list' '{k: [1, 2]}'
try 'let.2k: a name has letters' '{2k: 1}'
try 'let.k: must have at most 256 bytes and refer to no other' '{k: $n, n: 1}'
try 'let.k: must have at most 256 bytes' "{k: $(printf %0300d 1)}"
refuses 2 '--set let.kk=1: the file.s let: has no such name .did you mean k' run let.yaml --set let.kk=1
refuses 2 '--set let.k=.n: .* refer to no other' run let.yaml --set 'let.k=$n'
# a name that begins with a dollar
pipeline 'source.file: {path: $$f.npy, kind: bits}' 'sink.errors: {reference: source}' >dollar.yaml
echo 'let: {}' >>dollar.yaml
refuses 2 'source.file.path: \$f.npy: cannot open' run dollar.yaml
done_testing
