# SPDX-License-Identifier: BSD-2-Clause
# A plugin that crashes or calls exit() is named, finished points stay, and the status is 1.
. "$top_srcdir/t/lib/tap.sh"
without_cuda

cat >dies.yaml <<'END'
fecrun: 1
batch: 10
pipeline:
  - source.random: {bits: 64}
  - dies.pass: {}
  - sink.errors: {}
sweep: {source.random.bits: [64, 128]}
stop: {frames: 10}
END
mkdir only
ln -s "$BADDIR/dies.so" only/

# WHERE HOW WORDS
dies() {
    echo old >result.json
    rm -f result.json.partial
    refuses 1 "^fecrun: dies.pass: the plugin $3 in $1\\(\\): .*/dies.so" \
        run dies.yaml --plugin-dir only --json result.json --threads 1
    ok "$1: the old file stays" grep -q '^old$' result.json
}

run "$FECRUN" run dies.yaml --plugin-dir only --json - --quiet
is 0 "by itself it lives"
kinds=exit
[ "${FECRUN_SANITIZER:-no}" != no ] || kinds='exit crash'
for kind in $kinds; do
    words='ended the program'
    [ $kind = exit ] || words='crashed .segmentation fault.'
    for where in plan create run; do
        DIE="$where $kind"
        export DIE
        dies $where $kind "$words"
    done
    says 'what was done before is in .*/result.json.partial$' "run: finished points are kept"
    ok "run: the first point is among them" \
        [ "$(grep -c '"type":"point"' result.json.partial)" = 1 ]
done
ok "no temporary file is left" [ -z "$(ls ./*.tmp 2>/dev/null)" ]

DIE='plan words'
export DIE
run "$FECRUN" check dies.yaml --plugin-dir only
is 2 "an error without an end"
says 'dies.pass.p*: t*$' "is cut"

done_testing
