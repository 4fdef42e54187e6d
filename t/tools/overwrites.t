#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# No verb writes over what it reads: each option that names a file to be written, against each sort of input. The
# verbs and options are those that --help tells of; one without a case here fails.
. "$top_srcdir/t/lib/tap.sh"
without_cuda

# ---- Inputs ----
# link FIRST...: a whole simulation in front of which these lines stand
link() {
    printf 'fecrun: 1\nbatch: 4\nstop: {frames: 8}\n'
    printf '%s\n' "$@"
    cat <<'EOF'
  - ldpc.encode: {code: alist, path: code.alist}
  - modem.map: {scheme: bpsk}
  - channel.awgn: {ebn0_db: 0}
  - modem.demap: {}
  - ldpc.decode: {iterations: 3}
EOF
}
printf '%s\n' '7 3' '3 4' '1 1 2 1 2 2 3' '4 4 4' '1 0 0' '2 0 0' '1 2 0' '3 0 0' '1 3 0' '2 3 0' '1 2 3' \
    '1 3 5 7' '2 3 6 7' '4 5 6 7' >code.alist
cat >bits.yaml <<'END_OF'
fecrun: 1
pipeline:
  - source.random: {bits: 4}
  - sink.file: {path: a.npy}
stop: {frames: 64}
END_OF
"$FECRUN" run bits.yaml --quiet
for copy in b.npy c.npy d.npy e.npy sent.npy; do
    cp a.npy $copy
done
{
    link 'let: {last: c.npy}' 'pipeline:' '  - source.file: {path: a.npy, kind: bits}'
    echo '  - sink.errors: {reference: sent.npy}'
    echo 'sweep:'
    echo '  zip: {source.file.path: [a.npy, b.npy, $last], channel.awgn.ebn0_db: [0, 1, 2]}'
} >file.yaml
printf '%s\n' count 3 5 >blocks.csv
{
    link 'blocks: blocks.csv' 'pipeline:' '  - source.random: {bits: 4}'
    echo '  - sink.errors: {}'
} >blocks.yaml
printf '{"fecrun": 1, "pipeline": [{"source.random": {"bits": 24}}, {"modem.map": {"scheme": "bpsk"}},
{"channel.awgn": {"esn0_db": 0}}, {"modem.hard": {}}, {"sink.errors": {}}], "stop": {"frames": 9}}\n' >json.yaml
mkdir plugins
cp -L "$PLUGINS"/chain.so plugins/mine.so
"$FECRUN" run json.yaml --quiet --journal J
"$FECRUN" run json.yaml --quiet --journal J2
lines=$(cd J && echo *.jsonl)
for result in r.json s.json; do
    "$FECRUN" run blocks.yaml --quiet --json $result
done
cp r.json r.tex
cp r.json r.svg
cp r.json t.json.partial
ln -s blocks.csv soft.csv
ln blocks.csv hard.csv

# ---- Checks ----
sums() { find . -type f ! -name out ! -name err ! -name '*.sum' -exec cksum {} + | sort -k 3; }

# safe PATTERN ARGUMENT...: fecrun refuses, says so, and no file of this directory is another one or new.
safe() {
    pattern=$1
    shift
    sums >before.sum
    run "$FECRUN" "$@"
    sums >after.sum
    [ "$status" = 2 ] && grep -Eq -e "$pattern" err && cmp -s before.sum after.sum
    tap_check $? "$(head -n 1 err | cut -c 1-110 | tr '#' '.')"
    if ! cmp -s before.sum after.sum; then
        diff before.sum after.sum | sed 's/^/# /'
        restore
    fi
}
# So that what one command has destroyed is there for the next one.
keep() { rm -rf "$T.kept" && cp -a "$T" "$T.kept"; }
restore() {
    cp out err "$T.kept/"
    rm -rf "${T:?}"/*
    cp -a "$T.kept/." "$T/"
}
trap 'cd / && rm -rf "$T" "$T.kept"' EXIT
keep

# inputs OPTION VERB [ARGUMENT...]: of a verb on a pipeline file, with OPTION on each file that it reads
inputs() {
    option=$1 verb=$2
    shift 2
    is_file='is the file that'
    safe "^fecrun: $option blocks.csv: $is_file blocks: of blocks.yaml:4:9 reads$" \
        $verb blocks.yaml "$@" $option blocks.csv
    for name in soft.csv hard.csv ./J/../blocks.csv "$T/blocks.csv"; do
        safe "^fecrun: $option $name: $is_file blocks: of" $verb blocks.yaml "$@" $option "$name"
    done
    safe "^fecrun: $option blocks.yaml: is the pipeline file blocks.yaml$" \
        $verb blocks.yaml "$@" $option blocks.yaml
    safe "^fecrun: $option ./blocks.yaml: is the pipeline file $T/blocks.yaml$" \
        $verb "$T/blocks.yaml" "$@" "$option=./blocks.yaml"
    safe "^fecrun: $option code.alist: $is_file ldpc.(en|de)code.path of file.yaml:[67]:" \
        $verb file.yaml "$@" $option code.alist
    safe "^fecrun: $option sent.npy: $is_file sink.errors.reference of file.yaml:12:" \
        $verb file.yaml "$@" $option sent.npy
    for name in a.npy b.npy c.npy; do
        safe "^fecrun: $option $name: $is_file source.file.path of file.yaml:" \
            $verb file.yaml "$@" $option $name
    done
    safe "^fecrun: $option d.npy: $is_file source.file.path reads" $verb file.yaml "$@" $option d.npy \
        --sweep source.file.path=d.npy,e.npy,d.npy
    safe "^fecrun: $option e.npy: $is_file source.file.path reads" $verb file.yaml "$@" $option e.npy \
        --set source.file.path=e.npy
    safe "^fecrun: $option plugins/mine.so: is a plugin's file$" \
        $verb blocks.yaml "$@" --plugin-dir plugins $option plugins/mine.so
    mv blocks.csv x.partial
    sed 's/blocks.csv/x.partial/' blocks.yaml >partial.yaml
    safe "^fecrun: $option x: x.partial $is_file blocks: of partial.yaml:4:9 reads$" \
        $verb partial.yaml "$@" $option x
    mv x.partial blocks.csv
    rm -f partial.yaml
}

# fine ARGUMENT...: the same goes well with other files
fine() {
    run "$FECRUN" "$@"
    is 0 "$(echo "fecrun $*" | cut -c 1-90)"
}

# ---- A case for each ----
case_run__json() {
    inputs --json run --quiet
    safe "^fecrun: --json bits.npy: is the file that sink.file.path of write.yaml:4:" \
        run write.yaml --json bits.npy
    safe "^fecrun: --json J/pipeline.json: is also written by --journal$" \
        run json.yaml --journal J --json J/pipeline.json
    safe "^fecrun: --json J/./$lines: is also written by --journal$" \
        run json.yaml --journal J --json "J/./$lines"
    safe "^fecrun: --json new/pipeline.json: is also written by --journal$" \
        run json.yaml --journal new --json new/pipeline.json
    safe '^fecrun: --json blocks.csv: is' run blocks.yaml --doctor --json blocks.csv
    safe '^fecrun: --json a.npy: is' run file.yaml --replay 0:0 --json a.npy
    "$FECRUN" run - --json blocks.yaml <blocks.yaml 2>err
    status=$? tap_last="fecrun run - --json blocks.yaml <blocks.yaml"
    says '^fecrun: --json blocks.yaml: is the pipeline file .standard input.$' "a file as standard input, too"
    fine run file.yaml --quiet --json /dev/null --csv /dev/null
    fine run blocks.yaml --quiet --json - --csv /dev/null
}
case_run__csv() {
    inputs --csv run --quiet
    safe '^fecrun: --csv x: is also written by --json$' run blocks.yaml --json x --csv x
    safe '^fecrun: --csv ./x: is also written by --json$' run blocks.yaml --json x --csv ./x
    safe '^fecrun: --csv hard.csv: is also written by --json$' \
        run file.yaml --json blocks.csv --csv hard.csv
    safe '^fecrun: --csv x.partial: is also written by --json$' \
        run blocks.yaml --json x --csv x.partial
    safe '^fecrun: --csv -: is also written by --json$' run blocks.yaml --json - --csv -
    fine run blocks.yaml --quiet --json x --csv y
}
# page FILE VERB ARGUMENT...: --html onto FILE, and onto files that another option writes; the name has to be a page's
page() {
    page_of=$1
    shift
    ln "$page_of" page.html
    safe "^fecrun: --html ./page.html: is (the (pipeline file|file that)|a file of the journal)" "$@" --html ./page.html
    rm -f page.html
    safe '^fecrun: --html ./x.html: is also written by --json$' "$@" --json x.html --html ./x.html
    safe '^fecrun: --html x.json: must end in .html' "$@" --html x.json
    fine "$@" --quiet --html x.html
    fine "$@" --quiet --json x.json --html x.html
}
case_run__html() {
    page blocks.csv run blocks.yaml
    page blocks.yaml run blocks.yaml
    page sent.npy run file.yaml
}
case_run__journal() {
    safe '^fecrun: --journal J: J/pipeline.json is the pipeline file J/pipeline.json$' \
        run J/pipeline.json --journal J
    safe "^fecrun: --journal K: K/code.jsonl is the file that ldpc.encode.path reads$" \
        run dump.yaml --set ldpc.encode.path=K/code.jsonl --set ldpc.decode.path=K/code.jsonl --journal K
    safe '^fecrun: --journal J: J/pipeline.json is the file that sink.file.path writes$' \
        run write.yaml --set sink.file.path=J/pipeline.json --journal J
    fine run json.yaml --quiet --journal J --json x
}
case_run__dump() {
    safe '^fecrun: --dump d: d/ldpc.encode.out.npy is the file that ldpc.encode.path of dump.yaml:6:' \
        run dump.yaml --replay 0:0 --dump d
    safe '^fecrun: --json deep/modem.map.out.npy: is also written by --dump$' \
        run dump.yaml --replay 0:0 --dump deep --json deep/modem.map.out.npy
    fine run dump.yaml --replay 0:0 --dump deep
}
case_explain__json() {
    inputs --json explain
    fine explain file.yaml --json x
}
case_list__json() {
    safe "^fecrun: --json plugins/mine.so: is a plugin's file$" \
        list --plugin-dir plugins --json plugins/mine.so
    fine list --json x
}
case_describe__json() {
    safe "^fecrun: --json ./plugins/mine.so: is a plugin's file$" \
        describe crc.attach --plugin-dir plugins --json ./plugins/mine.so
    fine describe crc.attach --json x
}
bench='--stage-only --batches 4 --quiet'
case_bench__json() {
    inputs --json bench $bench
    fine bench file.yaml $bench --json x
}
case_bench__csv() {
    inputs --csv bench $bench
    safe '^fecrun: --csv ./x: is also written by --json$' bench file.yaml $bench --json x --csv ./x
    fine bench file.yaml $bench --csv x
}
case_bench__html() { page code.alist bench file.yaml $bench; }
two='--a ref --b ref'
case_compare__html() { page code.alist compare file.yaml $two; }
case_merge__html() { page "J/$lines" merge J; }
case_sync__json() {
    {
        printf '%s\n' 'fecrun: 1' 'pipeline:' '  - source.random: {bits: 4000}'
        printf '%s\n' '  - conv.encode: {code: ieee80211}' '  - modem.map: {scheme: bpsk}' \
            '  - channel.awgn: {ebn0_db: 5}' '  - modem.demap: {}' '  - sink.file: {path: rec.npy}' \
            'stop: {frames: 8}'
    } >make.yaml
    "$FECRUN" run make.yaml --quiet
    printf '%s\n' 'fecrun: 1' 'pipeline:' '  - source.file: {path: rec.npy, kind: llr}' \
        '  - viterbi.decode: {code: ieee80211}' '  - sink.file: {path: bits.out}' >rec.yaml
    safe '^fecrun: --json rec.npy: is the file that source.file.path of rec.yaml:3:25 reads$' \
        sync rec.yaml --json rec.npy
    safe '^fecrun: --json ./rec.yaml: is the pipeline file rec.yaml$' sync rec.yaml --json ./rec.yaml
    fine sync rec.yaml --quiet --json x
}
case_compare__json() {
    inputs --json compare $two
    fine compare file.yaml $two --json x
    for name in r.json s.json; do
        safe "^fecrun: --json ./$name: is the result file $name, which compare reads$" \
            compare r.json s.json --json ./$name
    done
    safe '^fecrun: --json t.json: t.json.partial is the result file t.json.partial, which' \
        compare r.json t.json.partial --json t.json
    fine compare r.json s.json --json x
}
case_compare__dump() {
    safe '^fecrun: --dump p: p/point0/llr.npy is the file that source.file.path of p/point0/again.yaml' \
        compare p/point0/again.yaml $two --dump p
    safe '^fecrun: --dump p: p/point0/sent.npy is the file that sink.errors.reference of p/point0/a' \
        compare p/point0/again.yaml $two --dump p --set source.file.path=../llr.npy
    safe '^fecrun: --dump p: p/point0/pipeline.yaml is the pipeline file p/point0/pipeline.yaml$' \
        compare p/point0/pipeline.yaml $two --dump p \
        --set source.file.path=../llr.npy --set sink.errors.reference=../../a.npy
    fine compare dump.yaml $two --dump deep
}
case_merge__json() {
    for name in J/pipeline.json "./J2/pipeline.json" "J/$lines"; do
        safe "^fecrun: --json $name: is a file of the journal J2?$" merge J J2 --json "$name"
    done
    ln -s "J/$lines" lines.json
    safe '^fecrun: --json lines.json: is a file of the journal J$' merge J --json lines.json
    rm -f lines.json
    fine merge J J2 --json x
}
case_merge__csv() {
    safe '^fecrun: --csv J/pipeline.json: is a file of the journal J$' merge J --csv J/pipeline.json
    safe '^fecrun: --csv x: is also written by --json$' merge J --json x --csv x
    fine merge J --quiet --csv x
}
case_plot_o() {
    safe '^fecrun: -o r.tex: is the result file r.tex, which plot reads$' plot r.tex -o r.tex
    safe '^fecrun: -o ./r.svg: is the result file r.svg, which' plot r.json r.svg -o ./r.svg
    safe '^fecrun: -o r.json: is the result file r.json, which' plot r.json -o r.json
    fine plot r.json -o x.tex
}
case_report_o() {
    safe '^fecrun: -o ./r.json: is the result file r.json, which report reads$' report r.json -o ./r.json
    fine report r.json -o x.html
}
case_plot__gp() {
    safe '^fecrun: --gp r.json: is the result file r.json, which' plot r.json --gp r.json
    safe '^fecrun: --gp x.svg: is also written by -o$' plot r.json -o x.svg --gp x.svg
    fine plot r.json --gp x
}

sed 's/a.npy/bits.npy/' bits.yaml >write.yaml
{
    link 'blocks: blocks.csv' 'pipeline:' '  - source.random: {bits: 4}'
    echo '  - sink.file: {path: x.npy}'
} >samples.yaml
mkdir -p d deep new K
cp code.alist K/code.jsonl
cp code.alist d/ldpc.encode.out.npy
{
    link 'pipeline:' '  - source.random: {bits: 4}' | sed 's|code.alist|d/ldpc.encode.out.npy|'
    echo '  - sink.errors: {}'
} >dump.yaml
# what compare --dump leaves
mkdir -p p/point0
{
    link 'pipeline:' '  - source.file: {path: a.npy, kind: bits}' | sed '/ldpc.decode/d'
    echo '  - sink.file: {path: p/point0/llr.npy}'
} >llr.yaml
"$FECRUN" run llr.yaml --quiet
cp a.npy p/point0/sent.npy
cat >p/point0/pipeline.yaml <<'END_OF'
fecrun: 1
pipeline:
  - source.file: {path: llr.npy, kind: llr}
  - ldpc.decode: {code: alist, path: ../../code.alist, iterations: 3}
  - sink.errors: {reference: sent.npy}
END_OF
cp p/point0/pipeline.yaml p/point0/again.yaml
cp p/point0/llr.npy p
keep

# ---- What stages write ----
for path in blocks.csv soft.csv; do
    safe "^fecrun: --set sink.file.path=$path: is the file that blocks: reads: give another one$" \
        run samples.yaml --set sink.file.path=$path
done
safe 'sink.file.path=plugins/mine.so: is the file that a plugin was loaded from: give another one$' \
    run samples.yaml --plugin-dir plugins --set sink.file.path=plugins/mine.so
safe 'sink.file.path=samples.yaml: is the file that this pipeline was read from: give another one$' \
    check samples.yaml --set sink.file.path=samples.yaml
fine run samples.yaml --quiet

# ---- All of them ----
# What follows a name in --help: no file, or one that is read only.
no_file=' ID N N,N,... R,R,... S NAME RULE X I/N POINT:FRAME NAME=VALUE NAME=VALUES TEXT LOW:HIGH WIDTHxHEIGHT PARAM '
read_only=' --plugin-dir --restrict '
"$FECRUN" --help >usage
verbs=$(sed -n 's/^  \([a-z][a-z-]*\) .*/\1/p' usage)
for verb in $verbs; do
    "$FECRUN" $verb --help | sed -n 's/^  \(--*[a-z-]*\) \([^ ][^ ]*\)  *.*/\1 \2/p' >options
    while read -r option value; do
        case "$read_only" in *" $option "*) continue ;; esac
        case "$no_file" in *" $value "*) continue ;; esac
        name=case_$(echo "$verb$option" | sed 's/-/_/g')
        if type "$name" >/dev/null 2>&1; then
            echo "$name"
        else
            echo "missing $verb $option"
        fi
    done <options >>cases
done
for name in $(grep '^case' cases); do
    echo "# $name"
    $name
done
grep '^missing' cases | sed 's/^/# /'
ok "each option of each verb has a case" sh -c '! grep -q ^missing cases'
"$FECRUN_CHECK" --help | sed -n 's/^  \(--*[a-z-]*\) \([^ ][^ ]*\)  *.*/\2/p' | sort -u >options
ok "fecrun-check has no option for a file to be written" [ "$(tr '\n' ' ' <options)" = "'STAGE: DIR N NAME S " ]
ok "and each case an option" [ "$(grep -c '^case' cases)" = "$(grep -c '^case_[a-z_]*()' "$top_srcdir/t/tools/overwrites.t")" ]

done_testing
