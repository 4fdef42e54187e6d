#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Names and words of earlier versions: each one counts as today's does, is told once with its place, and is no
# way to say one thing twice. Those of stages are all here, by what `describe` says of them.
. "$top_srcdir/t/lib/counts.sh"
without_cuda

all="frames bits bit_errors frame_errors iterations_mean"

# FAMILY PARAMETERS: a link of 60 frames whose decoder stands in line 8 (turbo: 9), its first parameter in
# column 19 (ldpc) or 20. Of `demap` it is the demapper in line 7, column 19.
link() {
    sent=source demap=
    [ "$1" != turbo ] || sent=crc.attach
    case $1 in
    demap) demap=$2 && set -- ldpc '' 'source.random: {bits: 324}' 'ldpc.encode: {code: wifi, n: 648, rate: 1/2}' ;;
    ldpc) set -- "$1" "$2" 'source.random: {bits: 324}' 'ldpc.encode: {code: wifi, n: 648, rate: 1/2}' ;;
    polar) set -- "$1" "$2" 'source.random: {bits: 64}' 'polar.encode: {code: plain, n: 128, k: 64}' ;;
    turbo) set -- "$1" "$2" 'source.random: {bits: 16}' 'crc.attach: {crc: 24a}' 'turbo.encode: {k: 40}' ;;
    esac
    decoder="$1.decode: {$2}"
    shift 2
    pipeline "$@" 'modem.map: {scheme: bpsk}' 'channel.awgn: {ebn0_db: 2}' "modem.demap: {$demap}" "$decoder" \
        "sink.errors: {reference: $sent}"
    printf 'stop: {frames: 60}\n'
}

told=
# alike FAMILY OLD NEW WARNING...: both count the same, check and run tell of OLD in these words alone, and
# NEW needs no words.
alike() {
    link "$1" "$2" >old.yaml
    link "$1" "$3" >new.yaml
    what="$1: $2" want=$(counts_of new.yaml)
    [ ! -s err ]
    tap_check $? "$1: $3: nothing is told of it"
    same "$what: counts" "$(counts_of old.yaml)" "$want"
    cp err ran
    run "$FECRUN" check old.yaml --quiet
    is 0 "$what: check"
    shift 3
    printf 'fecrun: warning: old.yaml:%s\n' "$@" >want
    same "$what: check tells it" "$(cat err)" "$(cat want)"
    same "$what: run, too" "$(cat ran)" "$(cat want)"
    told="$told
$*"
}

counts_of() { run_fields "$all" "$@" --backend ref; }

# ---- Parameters and words, in files ----

L=8:19
alike ldpc 'algorithm: nms' 'check_rule: min-sum' \
    "$L: ldpc.decode.algorithm: is an old name; write check_rule" \
    '8:30: ldpc.decode.check_rule: `nms` is an old word; write min-sum'
alike ldpc 'algorithm: offset-min-sum' 'check_rule: offset-min-sum' \
    "$L: ldpc.decode.algorithm: is an old name; write check_rule"
alike ldpc 'check_rule: oms' 'check_rule: offset-min-sum' \
    '8:31: ldpc.decode.check_rule: `oms` is an old word; write offset-min-sum'
alike ldpc 'check_rule: spa' 'check_rule: sum-product' \
    '8:31: ldpc.decode.check_rule: `spa` is an old word; write sum-product'
bp='algorithm: bp, iterations: 8'
alike polar "$bp, rule: sum-product" "$bp, check_rule: sum-product" \
    '8:50: polar.decode.rule: is an old name; write check_rule'
alike polar "$bp, scale: 0.5" "$bp, alpha: 0.5" '8:50: polar.decode.scale: is an old name; write alpha'
alike turbo 'extrinsic_scale: 0.5' 'alpha: 0.5' \
    '9:20: turbo.decode.extrinsic_scale: is an old name; write alpha'
alike turbo 'early_stop: crc24a' 'early_stop: crc, crc: 24a' \
    '9:32: turbo.decode.early_stop: `crc24a` is an old word; write crc, and crc: 24a'
alike turbo 'early_stop: crc24b' 'early_stop: crc, crc: 24b' \
    '9:32: turbo.decode.early_stop: `crc24b` is an old word; write crc, and crc: 24b'
alike demap 'method: maxlog' 'method: max-log' '7:27: modem.demap.method: `maxlog` is an old word; write max-log'
same "alpha: auto is polar's 0.9375" "$(link polar "$bp, alpha: auto" | counts_of -)" \
    "$(link polar "$bp" | counts_of -)"

# No other ones are described.
"$FECRUN" list --json - 2>/dev/null | tr '{' '\n' | sed -n 's/^"name":"\([a-z]*\.[a-z_]*\)".*/\1/p' | sort -u >stages
[ "$(wc -l <stages)" -gt 20 ]
tap_check $? "stages are listed"
while read -r stage; do
    "$FECRUN" describe "$stage" --json - |
        awk -v stage="$stage" '
            {
                while (match($0, /"old_(names|choices)":[[{][^]}]*[]}]/)) {
                    words = substr($0, RSTART, RLENGTH)
                    $0 = substr($0, RSTART + RLENGTH)
                    choices = words ~ /old_choices/
                    sub(/^"[^"]*":./, "", words)
                    n = split(words, word, ",\"")
                    for (i = 1; i <= n; i++) {
                        gsub(/["}\]]/, "", word[i])
                        sub(/:.*/, "", word[i])
                        print choices ? "word" : "name", stage, word[i]
                    }
                }
            }'
done <stages >described
while read -r kind stage old; do
    case $kind:$old in
    name:cuda-document) continue ;;
    name:*) line="$stage.$old: is an old name" ;;
    word:*) line="\`$old\` is an old word" ;;
    esac
    case $told in
    *"$line"*) tap_check 0 "$stage: $old is in the list above" ;;
    *) tap_check 1 "$stage: $old is in the list above" ;;
    esac
done <described
same "so many old names and words" "$(grep -c . described)" 14

# ---- The same thing twice ----

# twice FAMILY PARAMETERS MESSAGE
twice() {
    link "$1" "$2" >p.yaml
    run "$FECRUN" check p.yaml --quiet
    is 2 "$1: $2: an error"
    same "$1: $2: where and why" "$(cat err)" "fecrun: p.yaml:$3"
}
twice ldpc 'algorithm: nms, check_rule: min-sum' \
    '8:19: ldpc.decode.algorithm: is the old name of check_rule, which is there already, in line 8'
twice ldpc 'check_rule: min-sum, algorithm: nms' \
    '8:40: ldpc.decode.algorithm: is the old name of check_rule, which is there already, in line 8'
twice turbo 'crc: 24b, early_stop: crc24a' '9:42: turbo.decode.early_stop: the old word `crc24a` sets crc to 24a, and that is there already, in line 9'
twice turbo 'extrinsic_scale: 2' "9:37: turbo.decode.alpha: must be a number from 0.1 to 1 or auto, is '2'"

# ---- Options ----

link ldpc '' >ldpc.yaml
link polar "$bp" >polar.yaml
link turbo 'iterations: 3' >turbo.yaml
want=$(counts_of ldpc.yaml --set ldpc.decode.check_rule=sum-product)
same "--set of an old name" "$(counts_of ldpc.yaml --set ldpc.decode.algorithm=spa)" "$want"
says '^fecrun: warning: --set ldpc.decode.algorithm=spa: is an old name; write check_rule$' "is told"
says '^fecrun: warning: --set ldpc.decode.algorithm=spa: `spa` is an old word; write sum-product$' "and its word"
ok "once each" [ "$(wc -l <err)" = 2 ]
link ldpc 'algorithm: oms' >old.yaml
same "--set of today's name goes before the file's old one" \
    "$(counts_of old.yaml --set ldpc.decode.check_rule=sum-product)" "$want"
same "--set of a word that sets two" "$(counts_of turbo.yaml --set turbo.decode.early_stop=crc24a)" \
    "$(counts_of turbo.yaml --set turbo.decode.early_stop=crc --set turbo.decode.crc=24a)"
link turbo 'iterations: 3, early_stop: crc24b' >old.yaml
same "and before the one in the file" "$(counts_of old.yaml --set turbo.decode.early_stop=crc24a)" \
    "$(counts_of turbo.yaml --set turbo.decode.early_stop=crc --set turbo.decode.crc=24a)"
same "none of it" "$(counts_of old.yaml --set turbo.decode.early_stop=none)" "$(counts_of turbo.yaml)"
refuses 2 '^fecrun: ldpc.decode.check_rule: is set or swept by its old name, too; write the same name everywhere$' \
    check ldpc.yaml --set ldpc.decode.algorithm=nms --set ldpc.decode.check_rule=min-sum
refuses 2 '^fecrun: polar.decode.alpha: is set or swept by its old name, too' \
    check polar.yaml --sweep polar.decode.scale=0.5,1 --set polar.decode.alpha=1
refuses 2 '^fecrun: --set turbo.decode.early_stop=crc24b: the old word `crc24b` sets crc to 24b, and that is there already$' \
    check turbo.yaml --set turbo.decode.crc=24a --set turbo.decode.early_stop=crc24b
refuses 2 '^fecrun: --set ldpc.decode.algorithm=nmp: must be one of min-sum, offset-min-sum, sum-product, is' \
    check ldpc.yaml --set ldpc.decode.algorithm=nmp

# ---- Sweeps ----

same "a sweep over old words" "$(counts_of ldpc.yaml --sweep ldpc.decode.algorithm=nms,oms)" \
    "$(counts_of ldpc.yaml --sweep ldpc.decode.check_rule=min-sum,offset-min-sum)"
counts_of ldpc.yaml --sweep ldpc.decode.algorithm=nms,oms >/dev/null
ok "results have today's" grep -q '"set":{"ldpc.decode.check_rule":"offset-min-sum"}' out
link polar "$bp" >old.yaml
printf 'sweep: {polar.decode.scale: [0.5, 1]}\n' >>old.yaml
same "in a file" "$(counts_of old.yaml)" "$(counts_of polar.yaml --sweep polar.decode.alpha=0.5,1)"
run "$FECRUN" check old.yaml
says '^fecrun: warning: old.yaml:11:29: polar.decode.scale: is an old name; write alpha$' "with its place"
same "--set of the swept one, by its old name" "$(counts_of old.yaml --set polar.decode.scale=1)" \
    "$(counts_of polar.yaml --set polar.decode.alpha=1)"

# ---- Backends ----

for family in ldpc:general polar:paper turbo:paper viterbi:general; do
    stage=${family%:*}.decode now=cuda-${family#*:}
    run "$FECRUN" describe "$stage"
    ok "$stage: $now was cuda-document" eval "grep -A 1 '^  $now ' out | grep -q 'old name: cuda-document'"
done
link ldpc 'backend: "cuda-document:0"' >old.yaml
run "$FECRUN" check old.yaml
says '^fecrun: warning: old.yaml:8:28: ldpc.decode.backend: `cuda-document:0` is an old name; write cuda-general:0$' \
    "a stage's backend"
link ldpc 'backend: ref' >old.yaml
run "$FECRUN" check old.yaml --backend cuda-document
is 0 "--backend, where the stage has another"
says '^fecrun: warning: --backend cuda-document: `cuda-document` is an old name; write cuda-general for ldpc.decode$' "is told"
run "$FECRUN" check turbo.yaml --backend cuda-document
says 'warning: --backend cuda-document: `cuda-document` is an old name; write cuda-paper for turbo.decode$' "of another family"
says 'turbo.decode.backend: cuda-paper is not available here' "which gets that one"

# ---- Journals and results of an earlier version (old_names.txt: what it wrote) ----

# part NAME
part() { awk -v name="$1" '$1 == "==" { on = $2 == name; next } on' "$top_srcdir/t/core/old_names.txt"; }
mkdir earlier
part yaml >old.yaml
part head >earlier/pipeline.json
part jsonl >earlier/h-1-0.jsonl
part result >earlier.json
cp -r earlier twice
sed 's/crc24a/crc, crc: 24a/; s/extrinsic_scale/alpha/' old.yaml >new.yaml

# exact A B WHAT
exact() {
    run "$FECRUN" compare "$1" "$2" --accept exact
    is 0 "$3"
    ok "... without a difference" eval "! grep -q 'differ' out && [ ! -s err ]"
}
run "$FECRUN" run new.yaml --quiet --json new.json
exact earlier.json new.json "an old result is that of today's pipeline"
run "$FECRUN" merge earlier --quiet --json merged.json
exact merged.json new.json "so is an old journal"
run "$FECRUN" run new.yaml --journal earlier --quiet --json again.json
exact again.json new.json "it goes on"
ok "with nothing to do" [ "$(find earlier -name '*.jsonl' | wc -l)" = 1 ]
run "$FECRUN" run new.yaml --quiet --json more.json --set stop.frames=80
run "$FECRUN" run new.yaml --journal earlier --quiet --set stop.frames=80
is 0 "with more to do"
run "$FECRUN" merge earlier --quiet --json merged.json
exact merged.json more.json "and is merged in one"
run "$FECRUN" run old.yaml --journal today --quiet
run "$FECRUN" merge today twice --quiet --json merged.json
exact merged.json new.json "a journal of today and an old one are one"
ok "told by today's names" grep -q '"set":{"turbo.decode.alpha":' merged.json
# Lines of a backend that is only near its reference have to be of one version.
sed 's/"point"/"near":{"turbo.decode":"cuda-document"},&/' earlier/h-1-0.jsonl >twice/h-1-0.jsonl
version=$("$FECRUN" --version | awk '{ print $2; exit }')
sed 's/"point"/"near":{"turbo.decode":"cuda-paper"},&/; s/,"crc32c":"[0-9a-f]*"//' today/*.jsonl >today.jsonl
rm today/*.jsonl && mv today.jsonl today
refuses 1 'another version of backends' merge today twice --quiet --json merged.json
sed "s/\"fecrun\":\"[0-9.]*\"/\"fecrun\":\"$version\"/" twice/h-1-0.jsonl >twice.jsonl
mv twice.jsonl twice/h-1-0.jsonl
run "$FECRUN" merge today twice --quiet --json merged.json
is 0 "so are their backends"
ok "no line is left out" [ ! -s err ]
mkdir none && sed 's/crc24a/none/' earlier/pipeline.json >none/pipeline.json
sed 's/crc24a/none/' old.yaml >none.yaml
run "$FECRUN" run none.yaml --journal none --quiet
is 0 "a parameter that only old words told had its default"
refuses 2 '^fecrun: twice/pipeline.json: the journal of another pipeline: ' \
    run new.yaml --journal twice --quiet --set turbo.decode.crc=24b
done_testing
