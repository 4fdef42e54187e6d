#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Files of samples: what is refused and at which byte, what odd values mean, pipes, disks that fill
# up, memory.
. "$top_srcdir/t/lib/tap.sh"
without_cuda

# npy DESCR SHAPE [ORDER [VERSION]]: a header of 128 bytes
npy() {
    printf "\\223NUMPY\\00${4:-1}\\000v\\000"
    printf '%-117s\n' "{'descr': '$1', 'fortran_order': ${3:-False}, 'shape': $2, }"
}

zeros() { head -c "$1" /dev/zero; }

# An .npy file of LLRs through a pipeline that only copies them.
cat >npy.yaml <<END
fecrun: 1
pipeline:
  - source.file: {path: in.npy, kind: llr}
  - sink.file: {path: out.npy}
END
place='^fecrun: npy.yaml:3:[0-9]+: source.file.(path|kind): .*in.npy'

# accepts WHAT, bad PATTERN: in.npy
accepts() {
    run timeout 60 "$FECRUN" run npy.yaml
    [ "$status" = 0 ] && cmp in.npy out.npy >/dev/null
    tap_check $? "$1"
    rm -f out.npy
}
bad() {
    refuses 2 "$place.*$1" run npy.yaml
    ok "no output file" [ ! -e out.npy ]
}

{ npy '<f4' '(3, 5)'; zeros 60; } >in.npy
accepts "a good .npy file comes out as it went in"
{ npy '<i2' '(3, 5)'; zeros 30; } >in.npy
accepts "i2"
{ npy '|i1' '(0, 5)'; } >in.npy
accepts "no frames"
{ npy '<f4' '(3, 5)'; zeros 59; } >in.npy
bad 'truncated .npy file: it ends at byte 187, its header promises data to byte 188'
{ npy '<f4' '(3, 5)'; zeros 61; } >in.npy
bad 'oversized .npy file: its data ends at byte 188, but the file goes on to byte 189'
{ npy '>f4' '(3, 5)'; zeros 60; } >in.npy
bad 'byte [0-9]+: big-endian'
{ npy '<i8' '(3, 5)'; zeros 120; } >in.npy
bad 'byte [0-9]+: type .<i8. is none of [|]u1 .bits., [|]i1 <i2 <i4 <f2 <f4 <f8'
{ npy '|u1' '(3, 5)'; zeros 15; } >in.npy
bad 'header \(byte 10 on\)|not u8'
{ npy '<f4' '(3, 5)' False 3; zeros 60; } >in.npy
bad 'byte 6: version 3.0 is not supported'
{ npy '<f4' '(4294967296, 4294967296)'; zeros 60; } >in.npy
bad 'the shape is too large'
{ npy '<f4' '(18446744073709551615, 2)'; zeros 60; } >in.npy
bad 'the shape is too large'
{ npy '<f4' '(99999999999999999999999, 2)'; zeros 60; } >in.npy
bad 'number too large'
{ npy '<f4' '(3, 0)'; } >in.npy
bad 'frames of 0 items'
{ npy '<f4' '(1, 3, 5)'; zeros 60; } >in.npy
bad 'more than two dimensions'
{ npy '<f4' '(-3, 5)'; zeros 60; } >in.npy
bad 'expected a number'
: >in.npy
bad 'byte 0: not a .npy file'
printf '\223NUMPY' >in.npy
bad 'ends inside the header'
npy '<f4' '(3, 5)' | head -c 60 >in.npy
bad 'byte 60: the file ends inside the header, which goes to byte 128'
{ printf '\223NUMPY\001\000\020\000'; head -c 200 "$FECRUN"; } >in.npy
bad 'byte [0-9]+: expected a dictionary'
{ printf '\223NUMPY\001\000\377\377'; zeros 70000; } >in.npy
bad 'byte [0-9]+: '
rm in.npy
bad 'No such file'
mkdir in.npy
bad 'is a directory'
rmdir in.npy

# ---- Raw files ----
cat >raw.yaml <<END
fecrun: 1
pipeline:
  - source.file: {path: raw, kind: bits, dtype: u1, frame: 10}
  - sink.file: {path: copy, dtype: u1}
END
zeros 25 >raw
refuses 2 'raw.yaml:3:.*raw: truncated.*ends at byte 25, inside the frame of 10 bytes.*at byte 20' \
    run raw.yaml
zeros 30 >raw
run "$FECRUN" run raw.yaml
is 0 "whole frames"
ok "come out as they went in" cmp raw copy
{ zeros 13; printf '\002'; zeros 16; } >raw
rm copy
refuses 1 'raw: byte 13: 2 is not a bit' run raw.yaml
ok "no output file after that" [ -z "$(ls copy* 2>/dev/null)" ]
echo old >copy
refuses 1 'raw: byte 13: 2 is not a bit' run raw.yaml --set batch=1
ok "an old output file is untouched" [ "$(cat copy)" = old ]
ok "the temporary one is removed" [ "$(ls copy* | wc -l)" = 1 ]
refuses 2 'dtype=f5: must be one of f4, f32.*did you mean f4' \
    run raw.yaml --set source.file.dtype=f5
refuses 2 'kind bits takes u1, packed or b8, not f8' run raw.yaml --set source.file.dtype=float64
refuses 2 'kind bits takes u1, packed or b8, not f32' run raw.yaml --set source.file.dtype=f4
sed 's/ dtype: u1, frame/ frame/' raw.yaml >no.yaml
refuses 2 'no.yaml:3:.*source.file.dtype: .*a raw file needs dtype' run no.yaml
sed 's/, frame: 10//' raw.yaml >no.yaml
refuses 2 'no.yaml:3:.*source.file.frame: a raw file needs it: items per frame' run no.yaml
refuses 2 'file ends at byte 30, inside the frame of 7 bytes' run raw.yaml --set source.file.frame=7

# ---- A stream with an odd tail ----
zeros 1001 >raw
for options in '--set source.file.piece=10' '--set source.file.piece=1000' \
    '--set source.file.piece=1001' '--set source.file.piece=4000' '--set batch=1'; do
    rm -f copy
    run "$FECRUN" run raw.yaml --set source.file.frame=0 $options
    [ "$status" = 0 ] && cmp raw copy >/dev/null
    tap_check $? "1001 items as a stream: $options"
done
# One that ends inside a step of the trellis: the step is left over, with a warning (t/core/unfinished.t).
cat >steps.yaml <<END
fecrun: 1
pipeline:
  - source.file: {path: steps, kind: llr, dtype: i1, llr_scale: 4, frame: 0, piece: 100}
  - viterbi.decode: {code: ieee80211, termination: continuous}
  - sink.file: {path: bits, dtype: u1}
END
for n in 1 99 301; do
    head -c $n /dev/zero >steps
    run "$FECRUN" run steps.yaml
    says '^fecrun: warning: source.file: the stream ends inside a step of a later stage; items at its end that were not decoded: 1$' \
        "$n LLRs: one is left over"
    ok "all other steps come out" [ "$(wc -c <bits)" = $((n / 2)) ]
    rm bits
done
sed 's/kind: bits, dtype: u1/kind: llr, dtype: f4/; s/, dtype: u1}/}/' raw.yaml >llr.yaml
zeros 1003 >raw
refuses 2 'ends at byte 1003, inside the item of 4 bytes that starts at byte 1000' \
    run llr.yaml --set source.file.frame=0

# ---- Odd LLRs: a NaN is 0, what is larger than 2^20 is 2^20 with its sign ----
cat >decode.yaml <<END
fecrun: 1
pipeline:
  - source.file: {path: llrs, kind: llr, dtype: f4, frame: 64}
  - viterbi.decode: {code: ieee80211}
  - sink.file: {path: bits, dtype: u1}
END
zero='\000\000\000\000' one='\000\000\200\077' minus='\000\000\200\277'
nan='\000\000\300\177' inf='\000\000\200\177' minf='\000\000\200\377'
big='\000\000\200\111' mbig='\000\000\200\311'
frame() { # A B C: 64 LLRs with these among ones of both signs
    for i in 1 2 3 4 5 6 7 8; do
        printf "$one$1$minus$minus$2$one$3$one"
    done
}
for backend in ref simd; do
    { frame "$nan" "$inf" "$minf"; frame "$inf" "$minf" "$nan"; frame "$nan" "$nan" "$nan"
      frame "$inf" "$inf" "$inf"; } >llrs
    run timeout 60 "$FECRUN" run decode.yaml --backend $backend
    is 0 "$backend: NaN and infinities decode"
    mv bits odd
    { frame "$zero" "$big" "$mbig"; frame "$big" "$mbig" "$zero"; frame "$zero" "$zero" "$zero"
      frame "$big" "$big" "$big"; } >llrs
    run timeout 60 "$FECRUN" run decode.yaml --backend $backend
    ok "$backend: as 0 and the largest magnitudes" cmp odd bits
    mv bits bits.$backend 2>/dev/null
done
ok "both backends decide the same" cmp bits.ref bits.simd
# i8: -128 is -127.
sed 's/dtype: f4/dtype: i1/' decode.yaml >i8.yaml
i8() { printf "$1\\177\\001\\201$1\\377\\005\\373%.0s" 1 2 3 4 5 6 7 8; }
for backend in ref simd; do
    i8 '\200' >llrs
    run "$FECRUN" run i8.yaml --backend $backend
    is 0 "$backend: i8 with -128"
    mv bits odd
    i8 '\201' >llrs
    run "$FECRUN" run i8.yaml --backend $backend
    ok "$backend: -128 is -127" cmp odd bits
done
refuses 1 'llrs: byte 0: LLR -127 is larger than 20' run i8.yaml --set source.file.llr_max=20

# ---- Where output cannot be written ----
zeros 100 >raw
refuses 1 'sink.file.path=nowhere/copy: nowhere/copy: .*No such file' \
    run raw.yaml --set sink.file.path=nowhere/copy
refuses 1 'sink.file.path=.: .*directory' run raw.yaml --set sink.file.path=.
sed 's|path: copy|path: nowhere/copy|' raw.yaml >no.yaml
refuses 1 'no.yaml:4:[0-9]+: sink.file.path: nowhere/copy: .*No such file' run no.yaml
refuses 2 'only lossless types' run llr.yaml --set source.file.frame=5 --set sink.file.dtype=i1
if [ -c /dev/full ]; then
    refuses 1 'sink.file.*/dev/full.*No space left' run raw.yaml --set sink.file.path=/dev/full
else
    skip 1 "no /dev/full"
fi
mkdir disk
if [ "$(id -u)" = 0 ] && mount -t tmpfs -o size=64k tmpfs disk 2>/dev/null; then
    trap 'umount "$T/disk"; cd / && rm -rf "$T"' EXIT
    echo old >disk/copy
    zeros 3000000 >raw
    refuses 1 'sink.file.*disk/copy.*No space left' run raw.yaml --set sink.file.path=disk/copy
    ok "full disk: the old file is untouched" [ "$(cat disk/copy)" = old ]
    ok "full disk: the temporary file is removed" [ "$(ls disk)" = copy ]
    refuses 1 'sink.file.*disk/copy.npy.*No space left' \
        run raw.yaml --set sink.file.path=disk/copy.npy
    ok "full disk: no .npy file" [ "$(ls disk)" = copy ]
    umount disk
    trap 'cd / && rm -rf "$T"' EXIT
else
    skip 5 "cannot mount a small tmpfs (needs root)"
fi
mkdir closed
if [ "$(id -u)" != 0 ]; then
    chmod a-w closed
    refuses 1 'closed/copy: .*Permission denied' run raw.yaml --set sink.file.path=closed/copy
elif mount -t tmpfs -o ro tmpfs closed 2>/dev/null; then
    refuses 1 'closed/copy: .*Read-only' run raw.yaml --set sink.file.path=closed/copy
    umount closed
else
    skip 1 "root may write everywhere"
fi
zeros 30000 >raw
: >target
ln -s target link
run "$FECRUN" run raw.yaml --set sink.file.path=link
ok "a symbolic link stays one" [ -h link ]

# ---- Shell pipes ----
cat >pipe.yaml <<END
fecrun: 1
pipeline:
  - source.file: {path: "-", kind: bits, dtype: u1, frame: 10}
  - sink.file: {path: "-", dtype: u1}
END
zeros 30000 >raw
run sh -c '"$FECRUN" run pipe.yaml --quiet <raw | cat >copy'
ok "- both ways" cmp raw copy
run sh -c 'cat raw | "$FECRUN" run pipe.yaml --quiet | "$FECRUN" run pipe.yaml --quiet >copy'
ok "two in a row, from a pipe" cmp raw copy
run sh -c 'head -c 25 raw | "$FECRUN" run pipe.yaml --quiet >copy'
is 1 "a pipe that ends inside a frame"
says 'standard input|-: truncated.* byte 25, inside a frame of 10' "says so"
ok "the frames before it go on" [ "$(head -c 25 raw | "$FECRUN" run pipe.yaml --quiet 2>err | wc -c)" = 20 ]
sed 's/kind: bits, dtype: u1/kind: llr, dtype: i2/; s/dtype: u1/dtype: i2/' pipe.yaml >items.yaml
run sh -c 'head -c 45 raw | "$FECRUN" run items.yaml --quiet >copy'
is 1 "one that ends inside an item"
says 'truncated: it ends at byte 45, inside an item' "says so"
ok "the frames before it go on, too" [ "$(head -c 45 raw | "$FECRUN" run items.yaml --quiet 2>err | wc -c)" = 40 ]
run sh -c 'head -c 25 raw | "$FECRUN" run pipe.yaml --quiet --set source.file.frame=0 >copy'
is 0 "as a stream it may"
ok "all of it" [ "$(wc -c <copy)" = 25 ]
run sh -c '"$FECRUN" run pipe.yaml <raw >copy'
is 0 "the table does not mix with samples"
ok "samples alone on standard output" cmp raw copy
says ' frames ' "the table goes to standard error"
refuses 2 '--json -: sink.file writes to standard output, too' run pipe.yaml --json -
refuses 2 '-.*(loop|regular)' run pipe.yaml --set source.file.loop=true

# A frame comes out before the next one goes in, as from a receiver that waits.
mkfifo there back
"$FECRUN" run "$top_srcdir/conf/pipe.yaml" --quiet <there >back 2>err &
exec 3>there 4<back
for frame in 1 2 3; do
    zeros 8204 >&3
    [ "$frame" != 2 ] || zeros 8204 >&3 # two at once, and half of one
    [ "$frame" != 2 ] || zeros 4102 >&3
    [ "$frame" != 3 ] || zeros 4102 >&3
    bytes=512
    [ "$frame" = 1 ] || bytes=1024
    ok "pipe: $bytes bytes come as soon as they can" \
        [ "$(timeout 20 dd bs=1 count=$bytes <&4 2>/dev/null | wc -c)" = $bytes ]
done
exec 3>&-
ok "and then the end" [ "$(timeout 20 cat <&4 | wc -c)" = 0 ]
exec 4<&-
wait $!
ok "which is a good one" [ $? = 0 ]
run sh -c '{ cat raw; sleep 0.1; cat raw; } | "$FECRUN" run pipe.yaml --quiet --set batch=700 >copy'
ok "a pause in the middle" [ "$(cat raw raw | cksum)" = "$(cksum <copy)" ]
run sh -c '{ head -c 25 raw; sleep 0.1; cat raw; } | "$FECRUN" run pipe.yaml --quiet \
    --set stop.frames=7 --threads 3 >copy'
ok "a limit behind a pause" [ "$(wc -c <copy)" = 70 ]
sed 's/source.file.*/source.random: {bits: 100000}/' pipe.yaml >endless.yaml
echo 'stop: {seconds: 20}' >>endless.yaml
run timeout 15 sh -c '{ "$FECRUN" run endless.yaml --quiet; echo $? >code; } | head -c 10 | wc -c'
ok "a reader that has enough ends the run" [ "$status" = 0 ]
ok "with status 1" [ "$(cat code)" = 1 ]
says 'sink.file.*standard output.*Broken pipe' "and a reason"
# the reader is gone before the first byte: it says so through the fifo
mkfifo gone
run timeout 15 sh -c '{ read -r _ <gone; "$FECRUN" run endless.yaml --set sink.file.path=x \
    --quiet --json - --set stop.frames=1; echo $? >code; } | { exec <&-; echo >gone; }'
ok "results into a closed pipe: status 1" [ "$(cat code)" = 1 ]

# ---- Memory: 300 MB through a pipe ----
cat >memory.yaml <<END
fecrun: 1
pipeline:
  - source.file: {path: "-", kind: llr, dtype: i1, frame: 0}
  - viterbi.decode: {code: ieee80211, termination: continuous}
  - sink.null: {}
END
if [ "$FECRUN_SANITIZER" != no ] && [ -n "$FECRUN_SANITIZER" ]; then
    skip 3 "a sanitizer needs memory of its own"
elif [ -r /proc/self/status ]; then
    mkfifo fifo
    "$FECRUN" run memory.yaml --json r.json --quiet <fifo >out 2>err &
    pid=$! status=0 peak=0
    { zeros 300000000; sleep 1; } >fifo &
    while kill -0 $pid 2>/dev/null; do
        now=$(sed -n 's/^VmHWM:[^0-9]*\([0-9]*\).*/\1/p' /proc/$pid/status 2>/dev/null)
        [ "${now:-0}" -le $peak ] || peak=$now
        sleep 0.1
    done
    wait $pid || status=$?
    tap_last='fecrun run memory.yaml'
    is 0 "300 MB of LLRs"
    ok "all of it" grep -q '"bits":150000000,' r.json
    echo "# peak of resident memory: $peak KiB"
    ok "in less than 200 MiB: $((peak / 1024)) MiB" [ $peak -gt 0 ] && [ $peak -lt 204800 ]
else
    skip 3 "no /proc"
fi

# ---- A file that is also read ----
head -c 400 /dev/zero >recording.i1
cp recording.i1 kept.i1
ln -s recording.i1 link.i1
cat >over.yaml <<'END'
fecrun: 1
pipeline:
  - source.file: {path: recording.i1, kind: llr, dtype: i1, frame: 200}
  - viterbi.decode: {code: ieee80211}
  - sink.file: {path: recording.i1, dtype: packed}
END
refuses 2 'over.yaml:5:23: sink.file.path: is the file that source.file.path reads' run over.yaml
refuses 2 'set sink.file.path=.*link.i1: is the file that source.file.path reads' \
    run over.yaml --set sink.file.path=link.i1
refuses 2 'set sink.file.path=.*: is the file that this pipeline was read from' \
    run over.yaml --set sink.file.path=over.yaml
ok "it is as it was" cmp recording.i1 kept.i1
run "$FECRUN" run --quiet over.yaml --set sink.file.path=other.bits
is 0 "another file"
run "$FECRUN" run --quiet over.yaml --set sink.file.path=/dev/null
is 0 "a device"

# ---- Types of llr.quantize ----
cat >wide.yaml <<'END'
fecrun: 1
stop: {frames: 1}
pipeline:
  - source.random: {bits: 64}
  - modem.map: {scheme: bpsk}
  - modem.demap: {esn0_db: 0}
  - llr.quantize: {type: i16, scale: 1000}
  - sink.file: {path: wide.i2}
END
run "$FECRUN" run --quiet wide.yaml
ok "i16 is as wide as its type" \
    [ "$(od -An -v -td2 -w2 wide.i2 | tr -d ' -' | sort -u)" = 4000 ]
run "$FECRUN" run --quiet wide.yaml --set llr.quantize.bits=8
ok "or as it is told" [ "$(od -An -v -td2 -w2 wide.i2 | tr -d ' -' | sort -u)" = 127 ]

# ---- Packed bits come packed from what can give them, not a byte each for one thread to pack ----
cat >bits.yaml <<'END'
fecrun: 1
stop: {frames: 20}
pipeline:
  - source.random: {bits: 203}
  - conv.encode: {code: ieee80211}
  - modem.map: {scheme: bpsk}
  - modem.demap: {esn0_db: 0}
  - llr.quantize: {type: i8, scale: 4}
  - viterbi.decode: {code: ieee80211, backend: simd}
  - sink.file: {path: bits, format: raw}
END
run "$FECRUN" explain bits.yaml --set sink.file.dtype=packed
prints 'in   203 bits as packed, to .in. from viterbi.decode' "the decoder gives what the file holds"
for dtype in packed u1; do
    run "$FECRUN" run --quiet bits.yaml --set sink.file.dtype=$dtype --set sink.file.path=$dtype
    is 0 "and $dtype is written"
done
cat >unpack.yaml <<'END'
fecrun: 1
pipeline:
  - source.file: {path: packed, kind: bits, dtype: packed, frame: 203}
  - sink.file: {path: unpacked, dtype: u1, format: raw}
END
run "$FECRUN" run --quiet unpack.yaml
ok "the same bits" cmp unpacked u1
done_testing
