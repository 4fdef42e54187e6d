#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Everything that can be wrong with a pipeline file or a command line: exit status, place, what is
# allowed, the nearest name.
. "$top_srcdir/t/lib/tap.sh"
without_cuda

# wrong STATUS PATTERN [OPTION...]: standard input is the pipeline file p.yaml.
wrong() {
    cat >p.yaml
    wrong_status=$1 wrong_pattern=$2
    shift 2
    refuses "$wrong_status" "^fecrun: $wrong_pattern" check p.yaml "$@"
}

# chain STATUS PATTERN STAGE...: a pipeline of these stages, the first in line 3.
chain() {
    chain_status=$1 chain_pattern=$2
    shift 2
    { printf 'fecrun: 1\npipeline:\n'; printf -- '- %s\n' "$@"; } >in
    wrong "$chain_status" "$chain_pattern" <in
}

source='source.random: {bits: 64}'
sink='sink.errors: {}'

# ---- Stages and their parameters ----
chain 2 'p.yaml:4:3: unknown stage .conv.enkode. \(did you mean conv.encode\?\).*fecrun list' \
    "$source" 'conv.enkode: {}' "$sink"
chain 2 'p.yaml:4:17: conv.encode.codes: .*did you mean code\?' \
    "$source" 'conv.encode: {codes: ieee80211}' "$sink"
chain 2 'p.yaml:4:23: conv.encode.code: .*ieee80211' \
    "$source" 'conv.encode: {code: ieee80212}' "$sink"
chain 2 'p.yaml:3:25: source.random.bits: must be .*, is .many.' \
    'source.random: {bits: many}' "$sink"
chain 2 'p.yaml:3:25: source.random.bits: .*' 'source.random: {bits: [1, 2]}' "$sink"
chain 2 'p.yaml:3:25: source.random.bits: .*1 to 16777216' 'source.random: {bits: 0}' "$sink"
chain 2 'p.yaml:3:25: source.random.bits: .*1 to 16777216' 'source.random: {bits: -1}' "$sink"
chain 2 'p.yaml:3:25: source.random.bits: .*1 to 16777216' \
    'source.random: {bits: 99999999999999999999999}' "$sink"
chain 2 'p.yaml:3:25: source.random.bits: ' 'source.random: {bits: 1.5}' "$sink"
chain 2 'p.yaml:3:25: source.random.bits: ' 'source.random: {bits: 0100}' "$sink"
chain 2 'p.yaml:3:3: source.random.bits: .*(must be given|required|missing)' \
    'source.random: {}' "$sink"
chain 2 'p.yaml:4:23: modem.map.scheme: .*bpsk.*256qam.*did you mean 16qam\?' \
    "$source" 'modem.map: {scheme: 16kam}' 'sink.null: {}'
chain 2 'p.yaml:5:27: channel.awgn.ebn0_db: .*loud' \
    "$source" 'modem.map: {scheme: bpsk}' 'channel.awgn: {ebn0_db: loud}' 'sink.null: {}'
chain 2 'p.yaml:5:27: channel.awgn.ebn0_db: ' \
    "$source" 'modem.map: {scheme: bpsk}' 'channel.awgn: {ebn0_db: .nan}' 'sink.null: {}'
chain 2 'p.yaml:5:3: channel.awgn.*(esn0_db|ebn0_db)' \
    "$source" 'modem.map: {scheme: bpsk}' 'channel.awgn: {}' 'sink.null: {}'
chain 2 'p.yaml:3:18: source.random: must be a map' 'source.random: 64' "$sink"
chain 2 'p.yaml:3:29: bits: the key is there already, in line 3' \
    'source.random: {bits: 64, bits: 65}' "$sink"

# ---- Sizes and kinds that disagree: both are shown ----
chain 2 'p.yaml:5:[0-9]+: sink.errors.reference: .*64 bits, but 140 bits' \
    "$source" 'conv.encode: {code: ieee80211}' "$sink"
chain 2 'p.yaml:4:[0-9]+: conv.depuncture: input .* takes LLRs.*source.random gives bits' \
    "$source" 'conv.depuncture: {scheme: ieee80211, rate: 3/4}' 'sink.null: {}'
chain 2 'p.yaml:4:[0-9]+: channel.awgn: input .* takes symbols, but source.random gives bits' \
    "$source" 'channel.awgn: {ebn0_db: 1}' 'sink.null: {}'
chain 2 'p.yaml:5:[0-9]+: conv.encode: input .* takes bits, but channel.bsc gives LLRs' \
    "$source" 'channel.bsc: {p: 0.1}' 'conv.encode: {code: ieee80211}' 'sink.null: {}'
chain 2 'p.yaml:5:[0-9]+: viterbi.decode.*63' \
    'source.random: {bits: 63}' 'channel.bsc: {p: 0.1}' 'viterbi.decode: {code: ieee80211}' \
    'sink.null: {}'

# ---- Order of stages, ids ----
chain 2 'p.yaml:3:3: conv.encode: a pipeline begins with a source' \
    'conv.encode: {code: ieee80211}' "$sink"
chain 2 'p.yaml:4:3: conv.encode: a pipeline ends with a sink' \
    "$source" 'conv.encode: {code: ieee80211}'
chain 2 'p.yaml:5:3: sink.errors: sink.null puts out nothing' "$source" 'sink.null: {}' "$sink"
chain 2 'p.yaml:4:3: sink.errors: counts errors, and that only the last stage can' \
    "$source" 'sink.errors: {}' 'sink.null: {from: source}'
chain 2 'p.yaml:4:3: s2: no stage reads what it puts out' \
    "$source" 'source.random: {id: s2, bits: 64}' 'sink.null: {from: source}'
chain 2 'p.yaml:5:3: conv.encode: .*line 4.*another .id:' \
    "$source" 'conv.encode: {code: ieee80211}' 'conv.encode: {code: ieee80211}' 'sink.null: {}'
chain 2 'p.yaml:5:3: .*line 4 .*called x' "$source" 'crc.attach: {id: x, crc: 8}' \
    'crc.check: {id: x, crc: 8}' "$sink"
chain 2 'p.yaml:4:20: crc.attach.id: .seed. has another meaning' \
    "$source" 'crc.attach: {id: seed, crc: 8}' "$sink"
chain 2 'p.yaml:4:20: crc.attach.id: must be a name' \
    "$source" 'crc.attach: {id: "a b", crc: 8}' "$sink"
chain 2 'p.yaml:4:[0-9]+: sink.errors.reference: .*nowhere' \
    "$source" 'sink.errors: {reference: nowhere.npy}'
chain 2 'p.yaml:3:3: pipeline: has 1 stages, must have 2 to 64' "$source"

# ---- Backends ----
chain 2 'p.yaml:4:43: conv.encode.backend: unknown backend .warp.; this stage has ref' \
    "$source" 'conv.encode: {code: ieee80211, backend: warp}' 'sink.null: {}'
chain 3 'p.yaml:4:33: crc.attach.backend: .*no backend .simd. \(it has ref' \
    "$source" 'crc.attach: {crc: 8, backend: simd}' 'crc.check: {crc: 8}' "$sink"
chain 2 'p.yaml:4:33: crc.attach.backend: ' \
    "$source" 'crc.attach: {crc: 8, backend: "cuda:x"}' 'crc.check: {crc: 8}' "$sink"
cat >good.yaml <<END
fecrun: 1
seed: 1
pipeline:
- $source
- crc.attach: {crc: 16}
- channel.bsc: {p: 0.01}
- sink.null: {}
stop: {frames: 100}
END
run "$FECRUN" run good.yaml
is 0 "the pipeline that the options are tried on"
refuses 2 '^fecrun: --backend warp: backend: unknown backend .warp.; .fecrun list.' run good.yaml --backend warp
refuses 2 'unknown backend .smid. \(did you mean simd\?\)' run good.yaml --backend smid
refuses 2 'crc.attach.backend: unknown backend .reff. \(did you mean ref\?\)' \
    run good.yaml --set crc.attach.backend=reff
refuses 3 'no stage of this pipeline has a backend .simd.' run good.yaml --backend simd
refuses 3 'cuda' run good.yaml --backend cuda
refuses 2 '^fecrun: --backend' run good.yaml --backend ''

# ---- Top-level keys ----
wrong 2 'p.yaml:1:1: fecrun: must be given' <<END
pipeline: []
END
wrong 2 'p.yaml:1:9: fecrun: must be 1.*is .2.' <<END
fecrun: 2
END
wrong 2 'p.yaml:1:1: pipeline: must be given' <<END
fecrun: 1
END
wrong 2 'p.yaml:2:11: pipeline: must be a list' <<END
fecrun: 1
pipeline: source.random
END
wrong 2 'p.yaml:2:1: sede: no such parameter \(did you mean seed\?\)' <<END
fecrun: 1
sede: 4
pipeline: [source.random: {bits: 8}, sink.errors: {}]
END
wrong 2 'p.yaml:2:7: seed: .*' <<END
fecrun: 1
seed: -1
pipeline: [source.random: {bits: 8}, sink.errors: {}]
END
wrong 2 'p.yaml:2:8: batch: .*1 to ' <<END
fecrun: 1
batch: 0
pipeline: [source.random: {bits: 8}, sink.errors: {}]
END
wrong 2 'p.yaml:2:8: stop.frame: no such parameter \(did you mean stop.frames' <<END
fecrun: 1
stop: {frame: 4}
pipeline: [source.random: {bits: 8}, sink.errors: {}]
END
wrong 2 'p.yaml:2:17: stop.seconds: ' <<END
fecrun: 1
stop: {seconds: -4}
pipeline: [source.random: {bits: 8}, sink.errors: {}]
END
wrong 2 'p.yaml:2:[0-9]+: sweep.*source.randon' <<END
fecrun: 1
sweep: {source.randon.bits: [8, 16]}
pipeline: [source.random: {bits: 8}, sink.errors: {}]
END
wrong 2 'p.yaml:2:[0-9]+: source.random.bit.*did you mean bits' <<END
fecrun: 1
sweep: {source.random.bit: [8, 16]}
pipeline: [source.random: {bits: 8}, sink.errors: {}]
END
wrong 2 'p.yaml:2:[0-9]+: source.random.bits: .*1 to 16777216' <<END
fecrun: 1
sweep: {source.random.bits: [8, 16, 0]}
pipeline: [source.random: {bits: 8}, sink.errors: {}]
END
for range in 0:0:6 6:1:0 0:1e-9:6 a:b:c 0:1 1:1:1:1; do
    wrong 2 'p.yaml:2:[0-9]+: .*' <<END
fecrun: 1
sweep: {channel.bsc.p: "$range"}
pipeline: [source.random: {bits: 8}, channel.bsc: {p: 0.1}, sink.null: {}]
END
done
wrong 2 'p.yaml:3:[0-9]+: sink.file: cannot be part of a sweep' <<END
fecrun: 1
sweep: {source.random.bits: [8, 16]}
pipeline: [source.random: {bits: 8}, sink.file: {path: x}]
END
wrong 2 'p.yaml:2:[0-9]+: blocks.*' <<END
fecrun: 1
blocks: [{count: 1, z: 4}]
pipeline: [source.random: {bits: 8}, sink.errors: {}]
END
wrong 2 'p.yaml:2:[0-9]+: blocks.*count' <<END
fecrun: 1
blocks: [{count: 0, bits: 4}]
pipeline: [source.random: {bits: 8}, sink.errors: {}]
END

# ---- Hostile YAML ----
printf 'fecrun: 1\npipeline:\n\t- a: {}\n' >in; wrong 2 'p.yaml:3:1: .*' <in
printf 'fecrun: 1\nfecrun: 1\n' >in; wrong 2 'p.yaml:2:1: fecrun: .*' <in
printf 'fecrun: 1\n---\nfecrun: 1\n' >in; wrong 2 'p.yaml:2:1: .*document' <in
printf 'fecrun: 1\0\npipeline: []\n' >in; wrong 2 'p.yaml:1:[0-9]+: ' <in
printf 'fecrun: 1\npipeline: "\377\376"\n' >in; wrong 2 'p.yaml:[0-9]+:[0-9]+: ' <in
printf 'fecrun: [1\n' >in; wrong 2 'p.yaml:2:1: ' <in
printf 'fecrun: {1: 2\n' >in; wrong 2 'p.yaml:2:1: ' <in
printf 'fecrun: "1\n' >in; wrong 2 'p.yaml:[12]:[0-9]+: ' <in
printf '? [a]\n: 1\n' >in; wrong 2 'p.yaml:1:3: a key must be a single word' <in
printf 'just words\n' >in; wrong 2 'p.yaml:1:1: .*map' <in
printf -- '- 1\n' >in; wrong 2 'p.yaml:1:1: .*map' <in
: >in; wrong 2 'p.yaml:.*empty' <in
printf '# nothing\n' >in; wrong 2 'p.yaml:.*empty' <in
printf 'fecrun: 1\npipeline: !!python/object:os.system ls\n' >in; wrong 2 'p.yaml:2:11: .*tag' <in
printf 'fecrun: &a 1\npipeline: *a\n' >in; wrong 2 'p.yaml:1:9: .*anchor' <in
{
    echo 'a: &a [x, x, x, x, x, x, x, x, x]'
    for x in b:a c:b d:c e:d f:e g:f h:g i:h; do
        y=${x#*:}
        echo "${x%:*}: &${x%:*} [*$y, *$y, *$y, *$y, *$y, *$y, *$y, *$y, *$y]"
    done
} >in; wrong 2 'p.yaml:1:4: .*anchor' <in
head -c 100000 /dev/zero | tr '\0' '[' >in; wrong 2 'p.yaml:1:[0-9]+: .*(deep|depth|level)' <in
head -c 100000 /dev/zero | tr '\0' '{' >in; wrong 2 'p.yaml:1:2: a key must be a single word' <in
scalar() { printf 'fecrun: 1\nseed: "'; head -c "$1" /dev/zero | tr '\0' 'x'; echo '"'; }
scalar 70000 >in
wrong 2 'p.yaml:2:7: text of more than 65536 bytes' <in
scalar 100000000 >in
wrong 2 'p.yaml: more than 1048576 bytes' <in
rm in
rm p.yaml
printf '\033[2Jfecrun: \a1\n' >in; wrong 2 'p.yaml' <in
ok "no control character of a file reaches the terminal" \
    sh -c '! tr -d "\n" <err | grep -q "[[:cntrl:]]"'

# ---- Files that are not there, or no files ----
refuses 2 '^fecrun: nowhere.yaml: .*No such file' run nowhere.yaml
refuses 2 '^fecrun: .*directory' run "$T"
: >empty.yaml
refuses 2 '^fecrun: empty.yaml: ' run empty.yaml
chain 2 'p.yaml:3:23: source.file.path: .*nowhere.npy.*No such file' \
    'source.file: {path: nowhere.npy, kind: llr}' 'sink.null: {}'
chain 2 'p.yaml:3:23: source.file.path: .*/tmp.*directory' \
    'source.file: {path: /tmp, kind: llr}' 'sink.null: {}'
echo '{fecrun: 1, pipeline: [source.random: {bits: 8}, sink.errors: {}], stop: {frames: 9}}' \
    >pipe.yaml
tap_last='fecrun run - <pipe.yaml' status=0
"$FECRUN" run - <pipe.yaml >out 2>err || status=$?
is 0 "a pipeline from standard input"
tap_last='fecrun run - </dev/null' status=0
"$FECRUN" run - </dev/null >out 2>err || status=$?
is 2 "nothing on standard input"
says '^fecrun: (-|standard input|<stdin>).*: ' "it says where"

# ---- Options ----
refuses 2 '^fecrun: --set crc.attach.crk=8: .*did you mean crc' \
    run good.yaml --set crc.attach.crk=8
refuses 2 '^fecrun: --set crc.atach.crc=8: .*did you mean crc.attach' \
    run good.yaml --set crc.atach.crc=8
refuses 2 '^fecrun: --set sead=8: .*did you mean seed' run good.yaml --set sead=8
refuses 2 '^fecrun: --set seed=x: ' run good.yaml --set seed=x
refuses 2 '^fecrun: --set seed=: ' run good.yaml --set seed=
refuses 2 '^fecrun: --set seed: .*=' run good.yaml --set seed
refuses 2 '^fecrun: --set =4: ' run good.yaml --set =4
refuses 2 '^fecrun: --set batch=0: ' run good.yaml --set batch=0
refuses 2 '^fecrun: --set batch=1.5: ' run good.yaml --set batch=1.5
refuses 2 '^fecrun: --set stop.frames=-1: ' run good.yaml --set stop.frames=-1
refuses 2 '^fecrun: --set channel.bsc.p=2: .*0 to ' run good.yaml --set channel.bsc.p=2
refuses 2 '^fecrun: --set channel.bsc.p=nan: ' run good.yaml --set channel.bsc.p=nan
refuses 2 '^fecrun: --set source.random.bits=: ' run good.yaml --set source.random.bits=
refuses 2 '^fecrun: --set channel.bsc.tune.x.*: .*no tuning' \
    run good.yaml --set channel.bsc.tune.x=1
refuses 2 '^fecrun: --threads 0: must be 1 to ' run good.yaml --threads 0
refuses 2 '^fecrun: --threads x: ' run good.yaml --threads x
refuses 2 '^fecrun: --json: needs a value' run good.yaml --json
refuses 2 '^fecrun: --csv x: is also written by --json' run good.yaml --json x --csv x

# ---- Results that cannot be written ----
old='{"type":"old"}'
echo "$old" >result.json
mkdir closed
refuses 2 '^fecrun: cannot write nowhere/r.json: No such file' run good.yaml --json nowhere/r.json
refuses 2 '^fecrun: cannot write .*: .*directory' run good.yaml --csv closed
if [ "$(id -u)" != 0 ]; then
    chmod a-w closed
    refuses 2 '^fecrun: cannot write closed/r.json: Permission denied' \
        run good.yaml --json closed/r.json
elif mount -t tmpfs -o ro tmpfs closed 2>/dev/null; then
    refuses 2 '^fecrun: cannot write closed/r.json: Read-only' \
        run good.yaml --json closed/r.json
    umount closed
else
    skip 1 "root may write everywhere"
fi
if [ -c /dev/full ]; then
    refuses 1 '^fecrun: cannot write /dev/full: No space left' run good.yaml --json /dev/full
    refuses 1 '^fecrun: cannot write /dev/full: No space left' run good.yaml --csv /dev/full
    refuses 1 '^fecrun: cannot write /dev/full: No space left' list --json /dev/full
    # Lines of 300 users do not fit into a buffer of stdio.
    awk 'BEGIN { print "cell,user,count,bits"
        for (i = 1; i <= 300; i++) print "1," i ",1,64" }' >users.csv
    { sed '/crc/d' good.yaml; echo 'blocks: users.csv'; } >users.yaml
    run "$FECRUN" run users.yaml --quiet --json users.json
    ok "long lines" [ "$(wc -c <users.json)" -gt 40000 ]
    for command in 'run users.yaml' 'explain users.yaml' 'describe viterbi.decode'; do
        refuses 1 '^fecrun: cannot write /dev/full: No space left' $command --json /dev/full
    done
    status=0
    "$FECRUN" list --json - >/dev/full 2>err || status=$?
    is 1 "long lines to a full standard output"
    says '^fecrun: cannot write standard output: No space left' "and it says why"
    tap_last='fecrun run good.yaml >/dev/full' status=0
    "$FECRUN" run good.yaml >/dev/full 2>err || status=$?
    is 1 "standard output is full"
    says '^fecrun: .*standard output' "and it says so"
    status=0
    "$FECRUN" run good.yaml --json - >/dev/full 2>err || status=$?
    is 1 "JSON to a full standard output"
    status=0
    "$FECRUN" list >/dev/full 2>err || status=$?
    is 1 "list to a full standard output"
    status=0
    "$FECRUN" --version >/dev/full 2>err || status=$?
    is 1 "--version to a full standard output"
    status=0
    "$FECRUN" run --help >/dev/full 2>err || status=$?
    is 1 "--help to a full standard output"
else
    skip 15 "no /dev/full"
fi
tap_last='fecrun run good.yaml >&-' status=0
"$FECRUN" run good.yaml --json open.json >&- 2>err || status=$?
is 1 "standard output is closed"
says '^fecrun: .*standard output' "and it says so"
ok "the table did not go into the result file" sh -c '! grep -q "time s" open.json*'
status=0
"$FECRUN" run good.yaml --json open.json --quiet >&- 2>&- <&- || status=$?
is 0 "nobody wants to see anything"
ok "the result is whole" [ "$(wc -l <open.json)" = 3 ]

# What only a sweep or blocks make wrong.
sweep() { # PATTERN SWEEP STAGE...
    sweep_pattern=$1 sweep=$2
    shift 2
    { printf 'fecrun: 1\npipeline:\n'; printf -- '- %s\n' "$@"; echo "$sweep"; } >in
    wrong 2 "$sweep_pattern" <in
}
sweep 'p.yaml:.*sink.errors.reference links stages and cannot change' \
    'sweep: {sink.errors.reference: [source, source.random]}' "$source" "$sink"
sweep 'p.yaml:3:3: source.random: is a stream, and blocks: needs frames' \
    'blocks: [{count: 3, bits: 64}, {count: 2, bits: 32}]' \
    'source.random: {bits: 64, stream: true}' 'sink.null: {}'

# A run that fails before its first result leaves the old file alone.
refuses 2 'did you mean crc' run good.yaml --set crc.attach.crk=8 --json result.json
ok "the old result is untouched after a usage error" [ "$(cat result.json)" = "$old" ]
run "$FECRUN" run good.yaml --json result.json --quiet
is 0 "a good run"
ok "replaces it" grep -q '"type":"end","status":0' result.json
ok "no temporary file is left" [ -z "$(find . -name '*.tmp*')" ]

# A disk that is full when the run ends.
mkdir disk
if [ "$(id -u)" = 0 ] && mount -t tmpfs -o size=16k tmpfs disk 2>/dev/null; then
    trap 'umount "$T/disk"; cd / && rm -rf "$T"' EXIT
    echo "$old" >disk/r.json
    head -c 100000 /dev/zero >disk/filler 2>/dev/null
    run "$FECRUN" run good.yaml --json disk/r.json --quiet
    is 1 "a full disk"
    says '^fecrun: cannot write disk/r.json: No space left' "it says so"
    ok "the old result is untouched" [ "$(cat disk/r.json)" = "$old" ]
    ok "no half-written file is left" [ "$(ls disk | tr '\n' ' ')" = 'filler r.json ' ]
    umount disk
    trap 'cd / && rm -rf "$T"' EXIT
else
    skip 4 "cannot mount a small tmpfs (needs root)"
fi

# ---- A signal while the pipeline comes in ----
mkfifo slow
sleep 5 >slow &
writer=$!
"$FECRUN" run - <slow >out 2>err &
# SIGTERM is bit 14 of what it catches, and was that of this shell's child before
until grep -q '^Name:.*fecrun' /proc/$!/status &&
    grep -q '^SigCgt:.*[4-7c-f][0-9a-f][0-9a-f][0-9a-f]$' /proc/$!/status; do
    sleep 0.1
done
kill -TERM $!
status=0
wait $! || status=$?
tap_last="SIGTERM to fecrun run -"
is 1 "a signal is nothing that is wrong with the file"
says '^fecrun: standard input: stopped by a signal' "it says so, not that the file is empty"
kill $writer
done_testing
