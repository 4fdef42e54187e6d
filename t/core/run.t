#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# What a run does: result lines, sweeps, stop rules, signals, ports, ragged batches, streams.
. "$top_srcdir/t/lib/tap.sh"
without_cuda
fake="--plugin-dir $FAKEDIR"

cat >p.yaml <<END
fecrun: 1
seed: 3
pipeline:
  - source.random: {bits: 200}
  - crc.attach: {crc: 16}
  - conv.encode: {code: ieee80211}
  - modem.map: {scheme: qpsk}
  - channel.awgn: {ebn0_db: 2}
  - modem.demap: {}
  - llr.quantize: {type: i8, scale: 2, max: 10}
  - viterbi.decode: {code: ieee80211}
  - crc.check: {crc: 16}
  - sink.errors: {}
stop: {frame_errors: 20, frames: 5000}
END

# run with JSON lines in out
json() {
    run timeout 100 "$FECRUN" run --quiet --json - "$@"
}

# FIELD: its values in all points, in a row
field() {
    sed -n "s/^{\"type\":\"point\".*\"$1\":\"\{0,1\}\([^,\"}]*\).*/\1/p" out |
        tr '\n' ' ' | sed 's/ $//'
}

# ---- Result lines ----
json p.yaml
is 0 "a run"
ok "a line for the run, the point, the end" \
    [ "$(sed 's/^{"type":"\([a-z]*\)".*/\1/' out | tr '\n' ' ')" = 'run point end ' ]
for key in type format fecrun seed batch threads cpu isa devices plugins backends file in_flight \
    stop sweep pipeline; do
    prints "^\{\"type\":\"run\".*\"$key\":" "the run has $key"
done
for key in set ebn0_db esn0_db frames bits bit_errors frame_errors ber fer fer_lo fer_hi ber_lo ber_hi \
    undetected iterations_mean iterations_max seconds info_mbps stop; do
    prints "^\{\"type\":\"point\".*\"$key\":" "the point has $key"
done
prints '^\{"type":"end","status":0\}$' "the end"
ok "frames and bits agree" [ $(($(field frames) * 200)) = "$(field bits)" ]
ok "Eb/N0" [ "$(field ebn0_db)" = 2.0 ]
prints '"source.random":\{"bits":200[,}].*"channel.awgn":\{"ebn0_db":2.0[,}]' "values have types"
prints '"stop":\{"frame_errors":20,"frames":5000\}' "the stop rules"

# ---- Stop rules ----
ok "stops at the frame errors" [ "$(field stop) $(field frame_errors)" = 'frame_errors 20' ]
frames=$(field frames) errors=$(field bit_errors)
for options in '--set batch=1' '--set batch=7 --threads 3' '--set batch=4096' \
    '--threads 1' '--set in_flight=1' '--set in_flight=9 --threads 4'; do
    json p.yaml $options
    ok "the same frames with $options" [ "$(field frames) $(field bit_errors)" = "$frames $errors" ]
done
json p.yaml --set stop.frames=$((frames - 1))
ok "one frame less: one frame error less" \
    [ "$(field stop) $(field frames) $(field frame_errors)" = "frames $((frames - 1)) 19" ]
json p.yaml --set stop.frames=$frames
ok "both rules at one frame" [ "$(field frames) $(field frame_errors)" = "$frames 20" ]
json p.yaml --set stop.frames=1 --set batch=1000
ok "one frame" [ "$(field stop) $(field frames)" = 'frames 1' ]
json p.yaml --set stop.seconds=0.2 --set stop.frames=1000000000 --set stop.frame_errors=1000000000
ok "stops by the clock" [ "$(field stop)" = seconds ]
sed '/^stop/d' p.yaml >default.yaml
json default.yaml --set channel.awgn.ebn0_db=0
ok "the default is 100 frame errors" [ "$(field stop) $(field frame_errors)" = 'frame_errors 100' ]
sed 's/channel.awgn: {/channel.awgn: {id: stop.x, /' default.yaml >id.yaml
json id.yaml --set stop.x.ebn0_db=0
ok "also where a stage is called stop.x" [ "$(field stop) $(field frame_errors)" = 'frame_errors 100' ]
cat >file.yaml <<END
fecrun: 1
pipeline:
  - source.file: {path: bits, kind: bits, dtype: u1, frame: 10}
  - sink.errors: {}
END
head -c 1230 /dev/zero >bits
for batch in 1 10 41 123 124 1000; do
    json file.yaml --set batch=$batch
    ok "a file ends at its end, batch $batch" [ "$(field stop) $(field frames)" = 'end 123' ]
done
json file.yaml --set stop.frames=77
ok "unless told otherwise" [ "$(field stop) $(field frames)" = 'frames 77' ]
: >bits
json file.yaml
is 0 "an empty file"
ok "has no frames" [ "$(field frames)" = 0 ]

# ---- Bits ----
# What a row counts of 40 frames of 100 bits, of which the encoder makes 212, and its speed is of.
coded() { # SINK
    printf 'fecrun: 1\nstop: {frames: 40}\npipeline:\n  - source.random: {bits: 100}\n'
    printf '  - conv.encode: {id: enc, code: ieee80211}\n  - %s\n' "$1"
}
for sink in 'sink.null: {} 4000' 'sink.errors: {reference: enc} 8480'; do
    coded "${sink% *}" >coded.yaml
    json coded.yaml
    ok "${sink% *}: ${sink##* } bits" [ "$(field bits)" = "${sink##* }" ]
    ok "its speed is that of information bits" \
        awk "BEGIN { x = $(field info_mbps) * $(field seconds) * 1e6; exit !(x > 3999 && x < 4001) }"
done

# ---- Sweeps ----
sed '/^stop/d' p.yaml >sweep.yaml
cat >>sweep.yaml <<END
stop: {frames: 50}
sweep:
  source.random.bits: [64, 32]
  channel.awgn.ebn0_db: "0:0.5:1"
END
json sweep.yaml
is 0 "a sweep over two parameters"
sed -n 's/.*"set":{\([^}]*\)}.*/\1/p' out |
    sed 's/"[a-z0-9_]*\.[a-z0-9_]*\.\([a-z0-9_]*\)":/\1=/g' >order
cat >want <<END
bits=64,ebn0_db=0
bits=64,ebn0_db=0.5
bits=64,ebn0_db=1
bits=32,ebn0_db=0
bits=32,ebn0_db=0.5
bits=32,ebn0_db=1
END
ok "all points, the last parameter changes fastest" cmp order want
cp out all
json sweep.yaml --set channel.awgn.ebn0_db=0.5
ok "--set of a swept parameter leaves one value" [ "$(grep -c '"type":"point"' out)" = 2 ]
sed -n 's/,"seconds".*//; /"type":"point"/p' out >alone
sed -n 's/,"seconds".*//; /ebn0_db":0.5/p' all >among
ok "whose counts do not depend on the other points" cmp alone among
run "$FECRUN" run sweep.yaml --csv c.csv
ok "the table has a row a point" [ "$(grep -c ' frames$' out)" = 6 ]
ok "so has the CSV file" [ "$(wc -l <c.csv)" = 7 ]
# As many parameters as one likes: here 121, the last one with two values.
{
    printf 'fecrun: 1\npipeline:\n  - source.random: {bits: 64}\n'
    i=0
    while [ $i -lt 60 ]; do
        echo "  - crc.attach: {id: c$i, crc: 8}"
        i=$((i + 1))
    done
    printf '  - sink.null: {}\nstop: {frames: 3}\nsweep:\n'
    i=0
    while [ $i -lt 60 ]; do
        printf '  c%d.crc: [8]\n  c%d.mask: [%d]\n' $i $i $i
        i=$((i + 1))
    done
    echo '  source.random.bits: [64, 65]'
} >many.yaml
json many.yaml --csv many.csv
is 0 "121 swept parameters"
ok "all are in the results" \
    [ "$(sed -n 's/^{"type":"point","set":{\([^}]*\)}.*/\1/p' out | tr ',' '\n' | grep -c :)" = 242 ]
prints '"c59.mask":59,"source.random.bits":65\}.*"frames":3' "the last ones, too"
ok "and in the CSV file" [ "$(head -n 1 many.csv | tr ',' '\n' |
    grep -c '^c[0-9]*\.\|^source.random.bits$\|^stop$')" = 122 ]
run "$FECRUN" run many.yaml
ok "and in the table" [ "$(head -n 1 out | tr ' ' '\n' | grep -c '^c[0-9]*\.')" = 120 ]
for verb in check explain; do
    run "$FECRUN" $verb many.yaml
    is 0 "$verb of them"
done

# The record of a run holds what it takes to run it again, options and defaults included.
json sweep.yaml --set seed=9 --set batch=11 --set in_flight=2 --set stop.frames=40 \
    --set channel.awgn.ebn0_db=0.5 --backend ref
sed -n 's/.*\("seed":[0-9]*,"batch":[0-9]*\),.*\(,"in_flight":.*\)$/{"fecrun":1,\1\2/p' out >again.json
sed 's/,"seconds".*"stop"/"stop"/; /"point"/!d' out >first
json again.json
sed 's/,"seconds".*"stop"/"stop"/; /"point"/!d' out >second
ok "the run's record runs again" cmp first second
ok "with both points" [ "$(wc -l <second)" = 2 ]
run "$FECRUN" run default.yaml --quiet --json - --set stop.frames=1 --set seed=18446744073709551615
prints '"seed":"?18446744073709551615"?,' "the largest seed"
json default.yaml --set channel.awgn.ebn0_db=-5
prints '"stop":\{"frame_errors":100,"seconds":60.0\},"sweep":\{\}' "stop rules that are defaults"

# ---- Signals: what was counted is written, the rest is not begun ----
cat >long.yaml <<END
fecrun: 1
pipeline:
  - source.random: {bits: 1000}
  - channel.bsc: {p: 0.01}
  - sink.null: {}
sweep: {channel.bsc.p: [0.1, 0.2]}
stop: {seconds: 60}
END
# A shell that has no jobs starts what runs in the background with SIGINT ignored, and that is kept.
heard='env --default-signal=INT,HUP'
for signal in INT TERM HUP; do
    rm -f r.json
    $heard "$FECRUN" run long.yaml --json r.json >out 2>err &
    pid=$! status=0
    sleep 0.7
    ok "SIG$signal: no half-written result under its name" [ ! -e r.json ]
    kill -$signal $pid
    wait $pid || status=$?
    tap_last="fecrun run long.yaml and SIG$signal"
    is 1 "SIG$signal: status 1"
    says '^fecrun: stopped by a signal; results so far are in r.json$' "SIG$signal: says where"
    ok "SIG$signal: in one line" [ "$(wc -l <err)" = 1 ]
    ok "SIG$signal: one point" [ "$(grep -c '"type":"point".*"stop":"signal"' r.json)" = 1 ]
    ok "SIG$signal: the end" [ "$(tail -n 1 r.json)" = '{"type":"end","status":1}' ]
    ok "SIG$signal: nothing else is left" [ -z "$(find . -name '*.tmp*')" ]
done
# Batch systems send it twice.
$heard "$FECRUN" run long.yaml --json r.json >out 2>err &
pid=$! status=0
sleep 0.7
kill -INT $pid; kill -TERM $pid; kill -INT $pid
wait $pid || status=$?
tap_last='fecrun run long.yaml and three signals'
is 1 "signals in quick succession: status 1"
ok "are one" [ "$(tail -n 1 r.json)" = '{"type":"end","status":1}' ]
ok "and leave nothing" [ -z "$(find . -name '*.tmp*')" ]
# As under nohup.
env --ignore-signal=HUP,INT "$FECRUN" run long.yaml --json r.json >out 2>err &
pid=$! status=0
sleep 0.7
kill -HUP $pid
kill -INT $pid
sleep 0.3
ok "signals that are ignored stay so" kill -0 $pid
kill -TERM $pid
wait $pid || status=$?
# A sweep of many points is planned for a while.
$heard "$FECRUN" run long.yaml --sweep channel.bsc.p=0.0001:0.0001:0.1 \
    --sweep source.random.bits=1:1:1000 --json r.json >out 2>err &
pid=$! status=0
sleep 0.3
kill -INT $pid
wait $pid || status=$?
tap_last='fecrun run long.yaml and SIGINT, many points'
is 1 "a signal while points are planned: status 1"
says '^fecrun: stopped by a signal: [0-9]+ of 1000000 points were planned, none run$' "says how far it was"
cat >bench.yaml <<END
fecrun: 1
pipeline:
  - source.random: {bits: 1000}
  - conv.encode: {code: ieee80211}
  - modem.map: {scheme: bpsk}
  - channel.awgn: {ebn0_db: 3}
  - modem.demap: {}
  - viterbi.decode: {code: ieee80211}
  - sink.errors: {}
sweep: {channel.awgn.ebn0_db: "3:1:5"}
END
$heard "$FECRUN" bench bench.yaml --threads 1 --json r.json \
    --batches 8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8 >out 2>err &
pid=$! status=0
for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
    sleep 0.3
    grep -q '^ *8 ' out && break
done
kill -INT $pid
wait $pid || status=$?
tap_last='fecrun bench bench.yaml and SIGINT'
is 1 "bench and a signal: status 1"
says '^fecrun: stopped by a signal; results so far are in r.json$' "says where the results are"
ok "the rows so far" \
    grep -q '^{"type":"bench",.*"set":{"channel.awgn.ebn0_db":3.0},"ebn0_db":3.0,' r.json
ok "not all" [ "$(grep -c '"type":"bench"' r.json)" -lt 32 ]
ok "and the end" [ "$(tail -n 1 r.json)" = '{"type":"end","status":1}' ]
prints ', Eb/N0 3 dB, point 1 of 3$' "the head line says which point"
if [ "${FECRUN_SANITIZER:-no}" = thread ]; then
    skip 1 "the sanitizer itself writes files before the program begins"
else
    ok "a file that the limits do not allow to grow" \
        sh -c 'ulimit -f 0; "$FECRUN" run p.yaml --quiet --json big.json 2>big.err; [ $? = 1 ]'
fi

# A source that waits for input that does not come.
mkfifo pipe
sed 's/path: bits/path: pipe/' file.yaml >pipe.yaml
sleep 30 >pipe &
sleeper=$!
$heard "$FECRUN" run pipe.yaml --json r.json >out 2>err &
pid=$! status=0
sleep 0.7
kill -INT $pid
(sleep 10 && kill -KILL $pid) 2>/dev/null &
killer=$!
wait $pid || status=$?
kill $killer $sleeper 2>/dev/null
tap_last='fecrun run pipe.yaml and SIGINT'
is 1 "a signal ends a read that waits"

# ---- Several ports ----
cat >ports.yaml <<END
fecrun: 1
pipeline:
  - source.random: {bits: 100}
  - ports.twin: {}
  - ports.swap: {b: ports.twin.opposite}
  - ordered.check: {}
  - ports.pick: {second: ports.swap.b}
  - sink.errors: {}
stop: {frames: 1000}
END
for options in '--set batch=1 --threads 4' '--set batch=7 --threads 3' '--set batch=1000' \
    '--set in_flight=20 --set batch=3 --threads 5'; do
    json ports.yaml $fake $options
    ok "two inputs and outputs, an ordered stage: $options" \
        [ "$(field frames) $(field bit_errors)" = '1000 0' ]
done
json ports.yaml $fake --set ports.pick.second=ordered.check
ok "the other port: all bits differ" [ "$(field bit_errors)" = 100000 ]
json ports.yaml $fake --set ports.pick.second=source
ok "the word source" [ "$(field bit_errors)" = 0 ]
run "$FECRUN" explain ports.yaml $fake
prints 'from ports.swap, converted from u8$' "a side input is converted on its own"
refuses 2 'ports.swap.b=: must be a stage or a file name' check ports.yaml $fake --set ports.swap.b=
sed 's/b: ports.twin.opposite/b: nowhere/' ports.yaml >unlinked.yaml
refuses 2 '^fecrun: unlinked.yaml:5:.*input .b. is not linked' check unlinked.yaml $fake
sed 's/b: ports.twin.opposite/b: ports.pick/' ports.yaml >later.yaml
refuses 2 '^fecrun: later.yaml:5:.*input .b. is not linked' check later.yaml $fake

# ---- Ragged batches ----
cat >plain.yaml <<END
fecrun: 1
pipeline:
  - source.random: {bits: 100}
  - ragged.flip: {bits: 100}
  - ragged.flip: {id: back, bits: 100}
  - sink.errors: {}
blocks:
  - {cell: 1, user: a, count: 3, bits: 100}
  - {cell: 1, user: b, count: 1, bits: 17}
  - {cell: 2, user: c, count: 5, bits: 100}
  - {cell: 2, user: a, count: 2, bits: 8}
stop: {frames: 1100}
END
json plain.yaml $fake --threads 3
is 0 "a ragged batch"
prints '"esn0_db":[^,]*,"frames":1100,"bits":83300,"bit_errors":0,' "all frames, no errors"
prints '"blocks":\[\{"cell":"1","user":"a","count":3,"bits":100\},' "the run has the blocks"
prints '"cell":"1","user":"b","frames":100,"bits":1700' "user b"
prints '"cell":"2","user":"c","frames":500,"bits":50000' "user c"
printf 'cell,user,count,bits\n1,a,3,100\n1,b,1,17\n2,c,5,100\n2,a,2,8\n' >blocks.csv
sed '/^  - {cell/d; s/^blocks:/blocks: blocks.csv/' plain.yaml >csv.yaml
cp out inline
json csv.yaml $fake
sed 's/,"seconds".*"stop"/"stop"/; /point/!d' inline >a
sed 's/,"seconds".*"stop"/"stop"/; /point/!d' out >b
ok "blocks from a CSV file" cmp a b
# What it needs is added up before anything of that size is made, tables of frames included.
sed 's/count: [0-9]*/count: 1000000000/' plain.yaml >huge.yaml
for verb in check run; do
    if [ "${FECRUN_SANITIZER:-no}" != no ]; then
        skip 2 "a sanitizer takes all addresses"
        continue
    fi
    run sh -c "ulimit -v 2000000; exec \"\$FECRUN\" $verb huge.yaml $fake --quiet"
    is 1 "$verb of frames that no machine has room for"
    says '^fecrun: blocks: 4000000000 frames with in_flight 3 need [0-9.]+ GiB of host memory' \
        "it says how much they need"
done
printf 'cell,user,count,bits\n1,a,3\n' >blocks.csv
refuses 2 '^fecrun: (\./)?blocks.csv:2:' run csv.yaml $fake
printf 'cell,user,count,bits\n1,a,3,x\n' >blocks.csv
refuses 2 '^fecrun: (\./)?blocks.csv:2:' run csv.yaml $fake
rm blocks.csv
refuses 2 'blocks.csv: .*No such file' run csv.yaml $fake
json plain.yaml $fake --set stop.frames=5
ok "a stop rule inside a batch of blocks" [ "$(grep -c '"frames":5,' out)" = 1 ]

# ---- Streams: margins from the batches around, whatever their size ----
cat >stream.yaml <<END
fecrun: 1
pipeline:
  - source.file: {path: stream, kind: bits, dtype: u1, frame: 0, piece: 40}
  - stream.window: {before: 3, after: 5}
  - ordered.check: {}
  - stream.window: {id: again, before: 100, after: 130}
  - sink.file: {path: windows, dtype: u1}
END
head -c 4000 "$FECRUN" | od -An -v -tu1 | tr -s ' ' '\n' | sed '/^$/d' |
    awk '{ printf "%s", $1 % 2 ? "\\001" : "\\000" }' >octal
printf "$(cat octal)" >stream
stream_is() { # SIZE: the same output for all sizes of batches
    head -c "$1" stream >cut && cp cut stream.now
    sed 's/path: stream,/path: stream.now,/' stream.yaml >now.yaml
    rm -f windows first
    for options in '--set batch=1000 --threads 1' '--set batch=1 --threads 1' \
        '--set batch=1 --threads 4' '--set batch=2 --threads 3' '--set batch=7 --threads 2' \
        '--set source.file.piece=17 --set batch=3' '--set source.file.piece=1000 --set batch=1'; do
        run timeout 60 "$FECRUN" run now.yaml $fake $options --quiet
        [ -e first ] || cp windows first
        [ "$status" = 0 ] && cmp windows first >/dev/null && [ "$(wc -c <windows)" = "$1" ]
        tap_check $? "a stream of $1 items: $options"
        [ "$status" = 0 ] || return
    done
}
for size in 4000 3999 3961 40 39 41 1 79 131; do
    stream_is $size
done
# What the window is: the parity of the items around, by another program.
head -c 500 stream | od -An -v -tu1 | tr -s ' ' '\n' | sed '/^$/d' | awk '
    { x[NR] = $1 }
    END { for (i = 1; i <= NR; i++) { p = 0
              for (k = i - 3; k <= i + 5; k++) if (k in x) p += x[k]
              printf "%d\n", p % 2 } }' >parity
head -c 500 stream >stream.now
sed '/again/d' now.yaml >once.yaml
run "$FECRUN" run once.yaml $fake --set batch=3
od -An -v -tu1 windows | tr -s ' ' '\n' | sed '/^$/d' >got
ok "a window is what awk says" cmp parity got
printf '' >stream.now
run timeout 60 "$FECRUN" run now.yaml $fake --quiet
is 0 "an empty stream"
ok "makes an empty file" [ ! -s windows ]
done_testing
