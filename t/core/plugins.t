#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# A plugin that cannot be used is a reason in `list` and nothing else.
. "$top_srcdir/t/lib/tap.sh"
without_cuda

pipeline() {
    cat >"$1.yaml" <<END
fecrun: 1
pipeline:
  - source.random: {bits: 64}
  - $1.pass: $2
  - sink.errors: {}
stop: {frames: 10}
END
}

cat >good.yaml <<END
fecrun: 1
pipeline:
  - source.random: {bits: 64}
  - sink.errors: {}
stop: {frames: 10}
END

# A directory of its own for t/bad/NAME.c.
only() {
    mkdir -p "$1" && ln -s "$BADDIR/$1.so" "$1/$1.so"
}

# broken NAME REASON: everything else works; NAME/NAME.so is not loaded, and why is told.
broken() {
    pipeline "$1" '{}'
    run "$FECRUN" list --plugin-dir "$1"
    [ "$status" = 0 ] && grep -Eq "not loaded: .*/$1.so: .*$2" out &&
        grep -q '^  viterbi.decode ' out
    tap_check $? "$1: list goes on and says why: $2"
    run "$FECRUN" list --json - --plugin-dir "$1"
    [ "$status" = 0 ] && grep -Eq "/$1.so\",\"loaded\":false,\"reason\":\"[^\"]*$2" out
    tap_check $? "$1: list --json says why"
    refuses 2 "^fecrun: $1.yaml:4:5: unknown stage .$1.pass.*fecrun list" \
        run "$1.yaml" --plugin-dir "$1"
    run "$FECRUN" run good.yaml --plugin-dir "$1"
    is 0 "$1: pipelines without it run"
}

for name in no_symbol old_abi short_plugin short_stage short_backend short_example \
    short_param short_port short_form null_run undefined \
    in_dependency unknown_type reserved no_backends bad_name; do
    only $name
done
broken no_symbol 'no symbol .fecrun_plugin'
broken old_abi 'built for ABI [0-9]+, this program has ABI [0-9]+'
broken short_plugin 'a struct fecrun_plugin has [0-9]+ bytes; at least [0-9]+ are needed'
broken short_stage 'a struct fecrun_stage has [0-9]+ bytes; at least [0-9]+ are needed'
broken short_backend 'short_backend.pass: a struct fecrun_backend has'
broken short_example 'short_example.pass: a struct fecrun_example has'
for part in param port form; do
    broken short_$part "short_$part.pass: a struct fecrun_$part has [0-9]+ bytes; at least [0-9]+ are needed"
done
broken null_run 'null_run.pass: backend ref lacks create, run or destroy'
broken undefined 'undefined symbol: fecrun_no_such_function'
broken in_dependency 'lies in a library that it depends on'
broken unknown_type 'unknown_type.pass: a form has an unknown sample type'
broken reserved 'reserved.pass: a form asks for something unknown'
broken no_backends 'no_backends.pass: has no backends'
broken bad_name 'stage name .noverb. is not of the form family.verb'

# Files that are no shared objects.
mkdir text empty truncated pipe directory directory/directory.so
echo 'I am not a plugin.' >text/text.so
: >empty/empty.so
mkfifo pipe/pipe.so
good=$PLUGINS/chain.so
head -c $(($(wc -c <"$good") / 10)) "$good" >truncated/truncated.so
broken text 'invalid ELF header|too short'
broken empty 'too short'
broken truncated 'truncated'
broken pipe 'no regular file'
broken directory 'no regular file'

# early NAME REASON: what runs while a file is loaded; t/doubles/bad/early/NAME.c.
early() {
    mkdir -p "early_$1" && ln -s "$BADDIR/early/$1.so" "early_$1/$1.so"
    run "$FECRUN" list --plugin-dir "early_$1"
    [ "$status" = 0 ] && grep -Eq "not loaded: .*/$1.so: $2" out && grep -q '^  viterbi.decode ' out
    tap_check $? "early $1: list goes on and says why: $2"
    run "$FECRUN" run good.yaml --plugin-dir "early_$1"
    is 0 "early $1: pipelines without it run"
    ok "early $1: and print only their table" [ "$(wc -l <out)" = 2 ]
}
early crashes 'crashed .Segmentation fault.* while it was loaded'
early exits 'ended the process while it was loaded'
early prints 'prints something while it is loaded'

# Files that hang whatever signals come: waited for at the same time, remembered for the next start.
export XDG_CACHE_HOME="$T/cache"
mkdir hanging
for name in blocks stops unarmed; do
    ln -s "$BADDIR/early/$name.so" "hanging/$name.so"
done
run timeout 120 "$FECRUN" list --plugin-dir hanging
is 0 "files that hang: list goes on"
for name in blocks stops unarmed; do
    prints "not loaded: .*/$name.so: did not answer within [0-9]+ s while it was loaded" "$name.so hangs"
done
ok "the three are remembered" [ "$(wc -l <cache/fecrun/hanging)" = 3 ]
run "$FECRUN" run good.yaml --plugin-dir hanging
is 0 "pipelines without them run"
run timeout 120 "$FECRUN" list --plugin-dir hanging
prints "stops.so: .*not tried again before it changes, or $T/cache/fecrun/hanging is removed" \
    "and at once: they are not tried again"
sed 's/^[0-9]*/1700000000/' cache/fecrun/hanging >old && cp old cache/fecrun/hanging
rm hanging/*.so
cp "$BADDIR/libdep.so" hanging/stops.so
run "$FECRUN" list --plugin-dir hanging
prints '^  libdep ' "another file of that name is"
chmod 666 cache/fecrun/hanging
run "$FECRUN" list --plugin-dir hanging
is 0 "a memory that others can write is none"
rm -r cache/fecrun && : >cache/fecrun
run "$FECRUN" list --plugin-dir hanging
is 0 "no folder for it is no error"

# What runs at the end: t/doubles/bad/late/NAME.c.
for name in hangs exits; do
    mkdir "late_$name" && ln -s "$BADDIR/late/$name.so" "late_$name/$name.so"
    if [ "${FECRUN_SANITIZER:-no}" = no ]; then
        run timeout 60 "$FECRUN" run good.yaml --plugin-dir "late_$name"
        is 0 "late $name: a destructor does not change the end of a run"
        ok "late $name: which printed its table" [ "$(wc -l <out)" = 2 ]
        run timeout 60 "$FECRUN_CHECK" --list "late_$name/$name.so"
        is 0 "late $name: nor of fecrun-check"
    else
        skip 3 "a sanitizer needs the end of the program"
    fi
done

# A file that is replaced again and again, by one that crashes: it is loaded or not, and nothing else happens.
mkdir replaced
(
    trap 'exit 0' TERM
    while :; do
        ln -f "$BADDIR/libdep.so" replaced/next && mv -f replaced/next replaced/some.so
        ln -f "$BADDIR/early/crashes.so" replaced/next && mv -f replaced/next replaced/some.so
    done
) &
pid=$!
bad=0
for i in 1 2 3 4 5 6 7 8 9 10; do
    run "$FECRUN" run good.yaml --plugin-dir replaced
    [ "$status" = 0 ] || bad=$((bad + 1))
done
kill "$pid"
wait "$pid" 2>/dev/null || :
ok "a file that is replaced meanwhile does no harm" [ "$bad" = 0 ]

# Another machine's: bytes 18 and 19 of the file say which.
mkdir machine
cp "$BADDIR/libdep.so" machine/arm.so
chmod u+w machine/arm.so
printf '\267\000' | dd of=machine/arm.so bs=1 seek=18 conv=notrunc 2>dd.log
run "$FECRUN" list --plugin-dir machine
prints 'not loaded: .*/arm.so: is for 64-bit ARM .ELF machine 183., this program for ' \
    "a file for another machine"

# Directories that others can write are for --plugin-dir only.
mkdir everybody
cp "$BADDIR/libdep.so" everybody/
chmod 777 everybody
run env FECRUN_PLUGIN_PATH="$T/everybody" "$FECRUN" list
[ "$status" = 0 ] && ! grep -q '^  libdep ' out &&
    grep -q "not loaded: $T/everybody: everybody can write it; --plugin-dir" out
tap_check $? "a directory that everybody can write"
chmod 755 everybody
chmod 666 everybody/libdep.so
run env FECRUN_PLUGIN_PATH="$T/everybody" "$FECRUN" list
prints "not loaded: $T/everybody/libdep.so: everybody can write it" "such a file"
run "$FECRUN" list --plugin-dir everybody
prints '^  libdep ' "one that is named is loaded all the same"
# Who runs a program with the rights of another user does not choose its plugins: the copy belongs to nobody,
# and root runs it. (Only root can make one, where the file system lets him.)
cp "$(command -v id)" whose && chown 65534 whose 2>/dev/null && chmod u+s whose
if [ "$(id -u)" = 0 ] && [ "$(./whose -u)" = 65534 ] && [ "${FECRUN_SANITIZER:-no}" = no ]; then
    chmod 644 everybody/libdep.so
    chmod 755 "$T"
    cp "$FECRUN" other
    chown 65534 other
    run env FECRUN_PLUGIN_PATH="$T/everybody" ./other list
    prints '^  libdep ' "its own user's environment counts"
    chmod u+s other
    run env FECRUN_PLUGIN_PATH="$T/everybody" ./other list
    [ "$status" = 0 ] && ! grep -q '^  libdep ' out
    tap_check $? "that of another user does not"
else
    skip 2 "no programs with another user's rights here, or a sanitizer, which wants none"
fi

# Every length: a plugin that is just being copied.
mkdir cut
bad=0
for tenths in 1 2 3 4 5 6 7 8 9; do
    head -c $(($(wc -c <"$BADDIR/libdep.so") * tenths / 10)) "$BADDIR/libdep.so" >cut/cut.so
    run "$FECRUN" list --plugin-dir cut
    [ "$status" = 0 ] || bad=$((bad + 1))
done
ok "plugins that were cut anywhere do no harm" [ $bad = 0 ]

# probe_NAME REASON: the stage is there, one backend is not.
probe() {
    name=probe_$1
    only "$name"
    pipeline "$name" '{backend: fast}'
    pipeline "$name.auto" '{}'
    sed "s/$name.auto.pass/$name.pass/" "$name.auto.yaml" >auto.yaml
    run "$FECRUN" list --plugin-dir "$name"
    [ "$status" = 0 ] && grep -Eq "^ *fast is not available: $2" out
    tap_check $? "$name: list says why: $2"
    run "$FECRUN" list --json - --plugin-dir "$name"
    [ "$status" = 0 ] && grep -Eq "\"name\":\"fast\",\"available\":false,\"reason\":\"$2" out
    tap_check $? "$name: list --json says why"
    run "$FECRUN" describe "$name.pass" --plugin-dir "$name"
    is 0 "$name: describe works"
    prints "fast .*not available: $2" "$name: describe says why"
    refuses 3 "^fecrun: $name.yaml:4:[0-9]+: $name.pass.backend: fast is not available here: $2" \
        run "$name.yaml" --plugin-dir "$name"
    refuses 3 "fast is not available here: $2" run auto.yaml --backend fast --plugin-dir "$name"
    run "$FECRUN" run auto.yaml --plugin-dir "$name" --json -
    is 0 "$name: auto falls back"
    prints "\"$name.pass\":\"ref\"" "$name: the result file says what to"
    run "$FECRUN" explain auto.yaml --plugin-dir "$name"
    prints "^$name.pass: ref on host" "$name: explain says what to"
    prints "^ *not  fast: $2" "$name: explain says why"
}

probe crash 'its probe crashed \(Segmentation fault'
probe exit 'its probe ended the process'
probe refuse 'it is Sunday'

# Probes that came back from the child process are asked in the program's own the next time, until it dies of that
# or a file changes. lines PATTERN NUMBER: so many lines of the memory.
if [ "${FECRUN_SANITIZER:-no}" = no ]; then
    only probe_moody
    pipeline probe_moody '{backend: fast}'
    rm -rf cache
    lines() { [ "$(grep -c "$1" cache/fecrun/probed)" = "$2" ]; }
    moody() { run "$@" "$FECRUN" run probe_moody.yaml --plugin-dir probe_moody; }
    moody env
    is 0 "a probe that is well"
    ok "is remembered, with the files that were loaded" lines " came .*/chain.so	" 1
    moody env
    is 0 "it is well again"
    ok "asked in this process" lines ' \(asks\|done\) ' 2
    moody env MOOD=bad
    ok "it crashes, and with it the program" [ "$status" -ge 128 ]
    moody env MOOD=bad
    is 3 "the next one has a child process again"
    says 'fast is not available here: its probe crashed' "which says what happened"
    moody env
    ok "a child that came back is remembered anew" lines ' came ' 2
    moody env
    ok "and trusted" lines ' done ' 2
    touch -h probe_moody/probe_moody.so
    cp -L probe_moody/probe_moody.so copy.so && rm probe_moody/probe_moody.so && cp copy.so probe_moody/probe_moody.so
    moody env
    ok "a file that changed is asked in a child" lines ' came ' 3
    sed 's/^[0-9]*/1700000000/' cache/fecrun/probed >old && cp old cache/fecrun/probed
    moody env
    ok "as is what was asked days ago" lines ' came ' 4
else
    skip 11 "a crash of the program is a sanitizer's own here"
fi

# A backend that was built for another interface of a device than its provider's.
pipeline interface '{}'
run "$FECRUN" list --plugin-dir "$FAKEDIR" --plugin-dir "$FAKEDIR/interface"
prints 'fast is not available: was built for interface 6 of .fake. devices, and they have 7' "another interface"
run "$FECRUN" run interface.yaml --plugin-dir "$FAKEDIR" --plugin-dir "$FAKEDIR/interface" --json -
prints '"interface.pass":"ref"' "... is not used"

# A plugin from a later day of the same ABI: structs that have grown.
pipeline future '{}'
run "$FECRUN" run future.yaml --plugin-dir "$FAKEDIR" --json -
is 0 "future.pass runs"
prints '"frames":10,.*"bit_errors":0,' "future.pass copies"

# All at once; later directories lose against earlier ones; one that is not there is an error.
run env FECRUN_PLUGIN_PATH="$BADDIR:/nowhere" "$FECRUN" list
is 0 "all bad plugins together"
ok "the four with good stages are loaded" [ "$(grep -c '^  probe_' out)" = 8 ]
refuses 2 '^fecrun: --plugin-dir /nowhere: ' list --plugin-dir /nowhere
mkdir first
cp "$BADDIR/libdep.so" first/zzz.so
run "$FECRUN" list --plugin-dir first --plugin-dir "$BADDIR"
ok "the first plugin of a name wins" [ "$(grep -c '^  libdep ' out)" = 1 ]
prints "^  libdep .*first/zzz.so" "it is the one of the first directory"
prints "not used: $BADDIR/libdep.so: its name .libdep. is that of .*/first/zzz.so, which" "list says so"
sed 's/source.random/libdep.nothing/' good.yaml >hidden.yaml
refuses 2 "unknown stage .libdep.nothing.*; .*libdep.so is not used, because .*zzz.so has the same" \
    run hidden.yaml --plugin-dir first --plugin-dir "$BADDIR"
done_testing
