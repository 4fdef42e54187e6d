#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Names that come from files may hold what a terminal would obey: it is shown, in each verb, on standard
# output and standard error, and results still have the name as it is.
. "$top_srcdir/t/lib/tap.sh"
without_cuda

esc=$(printf '\033') c1=$(printf '\302\233')
# clean WHAT: neither stream of the last run has a control character
clean() {
    ! LC_ALL=C grep -q "[$(printf '\001-\010\013-\037\177')]" out err &&
        ! LC_ALL=C grep -Fq "$c1" out err
    tap_check $? "$1: no control character"
}

cat >users.yaml <<'END'
fecrun: 1
blocks:
  - {user: "red\e[31m", count: 2, bits: 40}
  - {user: "gr\xfcn\x9b2J\x7f\r", count: 3, bits: 24}
pipeline:
  - source.random: {}
  - sink.errors: {}
stop: {frames: 5}
END
cat >path.yaml <<'END'
fecrun: 1
pipeline:
  - source.random: {bits: 24}
  - sink.file: {path: "p\e]0;title\a.npy"}
stop: {frames: 5}
END

run "$FECRUN" run users.yaml
is 0 "names of users"
prints 'red\\x1b\[31m' "shown in the table"
prints 'grün\\u009b2J\\u007f\\x0d' "C1 and DEL, too, and UTF-8 stays"
clean "run"
run "$FECRUN" run users.yaml --json - --quiet
is 0 "--json"
prints '"red\\u001[bB]\[31m"' "a name in JSON"
prints '\\u009b2J' "and C1, escaped as JSON does"
clean "run --json -"
run "$FECRUN" run users.yaml --json users.json --quiet
ok "a file has the name as it is" grep -Fq "$c1" users.json
run "$FECRUN" run path.yaml --json -
clean "run, a path"
for verb in explain check bench; do
    run "$FECRUN" $verb path.yaml
    clean "$verb, a path"
done
run "$FECRUN" explain path.yaml
prints 'p\\x1b\]0;title\\x07.npy' "a path in explain"

# ---- Errors ----
run "$FECRUN" check "none$esc[2J.yaml"
is 2 "a file's name"
says 'none\\x1b\[2J.yaml: No such' "is shown in the error"
clean "an error"
run "$FECRUN" check users.yaml --set "source.random.no$esc=1"
clean "an option"

# ---- Plugins, results ----
mkdir plugins
echo no >"plugins/bad$esc[1m.so"
run "$FECRUN" list --plugin-dir plugins
prints 'not loaded: .*bad\\x1b\[1m.so' "a plugin's file in list"
clean "list"
sed 's/"ebn0_db":null/"ebn0_db":1/' users.json >a.json
run "$FECRUN" compare a.json "no$esc.json"
clean "compare"
cp a.json "b$esc[1m.json"
run "$FECRUN" plot a.json "b$esc[1m.json"
ok "plot: no escape, whatever gnuplot makes of it" sh -c '! LC_ALL=C grep -Fq "$1" out err' sh "$esc"

# ---- A disk that is full is noticed as before ----
if [ -w /dev/full ]; then
    "$FECRUN" list >/dev/full 2>err </dev/null
    status=$? tap_last="list >/dev/full"
    is 1 "standard output that cannot be written"
    says 'standard output: No space left on device' "said so"
else
    skip 2 "no /dev/full"
fi

done_testing
