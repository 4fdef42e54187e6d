#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Counts depend on the pipeline, the seed and the number of frames alone.
. "$top_srcdir/t/lib/counts.sh"
without_cuda

cat >frames.yaml <<'END'
fecrun: 1
seed: 5
pipeline:
  - source.random:  {bits: 1000}
  - conv.encode:    {code: ieee80211}
  - modem.map:      {scheme: bpsk}
  - channel.awgn:   {ebn0_db: 2.5}
  - modem.demap:    {}
  - llr.quantize:   {type: i8, scale: 1.2, max: 10}
  - viterbi.decode: {code: ieee80211}
  - sink.errors:    {}
stop: {frames: 500}
END

# Tiles are so short that their borders cost errors, and neither pieces nor batches end with them.
cat >stream.yaml <<'END'
fecrun: 1
seed: 5
pipeline:
  - source.random:   {bits: 1680, stream: true}
  - conv.encode:     {code: dvb}
  - conv.puncture:   {scheme: dvb, rate: 7/8}
  - modem.map:       {scheme: qpsk}
  - channel.awgn:    {ebn0_db: 5}
  - modem.demap:     {}
  - llr.quantize:    {type: i8, scale: 1}
  - conv.depuncture: {scheme: dvb, rate: 7/8}
  - viterbi.decode:  {code: dvb, tile: {f: 300, v1: 30, v2: 40}}
  - sink.errors:     {}
stop: {frames: 200}
END

cat >tiles.yaml <<'END'
fecrun: 1
seed: 5
pipeline:
  - source.random:  {bits: 1000}
  - conv.encode:    {code: ieee80211}
  - modem.map:      {scheme: bpsk}
  - channel.awgn:   {ebn0_db: 2.5}
  - modem.demap:    {}
  - llr.quantize:   {type: i8, scale: 4}
  - viterbi.decode: {code: ieee80211, tile: {f: 256, v1: 20, v2: 20, f0: 64}}
  - sink.errors:    {}
stop: {frames: 300}
END

cat >blocks.yaml <<'END'
fecrun: 1
seed: 5
blocks:
  - {user: a, count: 3, bits: 40, k: 56, e: 120}
  - {user: b, count: 1, bits: 77, k: 93, e: 144}
  - {user: c, count: 2, bits: 21, k: 37, e: 72}
pipeline:
  - source.random:     {}
  - crc.attach:        {crc: 16}
  - conv.encode:       {code: lte_tbcc}
  - conv.rate_match:   {}
  - modem.map:         {scheme: qpsk}
  - channel.awgn:      {esn0_db: 1}
  - modem.demap:       {}
  - llr.quantize:      {type: i8, scale: 4}
  - conv.rate_recover: {}
  - viterbi.decode:    {code: lte_tbcc}
  - crc.check:         {crc: 16}
  - sink.errors:       {}
stop: {frames: 600}
END

# all_of FILE OPTION...: everything that a point tells but the time, users included.
all_of() {
    tap_last="fecrun run $*"
    "$FECRUN" run --quiet --json out "$@" 2>err && grep '"type":"point"' out |
        sed 's/"seconds":[^,]*,"info_mbps":[^,]*,//; s/"stop":"[a-z_]*"//' || cat err
}

# ---- Not on how the work is cut up ----

alike() {
    file=$1
    want=$(all_of "$file" --threads 1 --set batch=64)
    case $want in
    *'"frame_errors":0,'* | *'"frame_errors":null'*) want="no errors: the test is blind" ;;
    esac
    for options in "--threads 1 --set batch=1" "--threads 1 --set batch=100" \
        "--threads 1 --set batch=1000" "--threads 2 --set batch=1" "--threads 2 --set batch=7" \
        "--threads 2 --set batch=100" "--threads 5 --set batch=3 --set in_flight=9" \
        "--threads 2 --set in_flight=1" "--threads 3" "--backend simd" \
        "--backend ref --threads 2" "--backend ref --set batch=7"; do
        same "$file: $options" "$(all_of "$file" $options)" "$want"
    done
    for isa in generic avx2; do
        same "$file: FECRUN_ISA=$isa" "$(FECRUN_ISA=$isa all_of "$file")" "$want"
    done
}

sed '/llr.quantize/d; s/frames: 500/frames: 200/' frames.yaml >float.yaml
# Hard decisions tie everywhere.
sed 's/modem.map.*/channel.bsc: {p: 0.05}/; /awgn/d; /demap/d' float.yaml >hard.yaml
for file in frames.yaml float.yaml hard.yaml tiles.yaml stream.yaml blocks.yaml; do
    alike $file
done

# 249/64 is the number of 8 bits that is nearest to ln(0.98/0.02) = 3.8918.
pipeline 'source.random: {bits: 999}' 'channel.bsc: {p: 0.02}' 'sink.file: {path: bsc.f4}' >bsc.yaml
run "$FECRUN" run --quiet bsc.yaml --set stop.frames=1
same "channel.bsc: sums of its LLRs are exact" \
    "$(od -An -v -tf4 -w4 bsc.f4 | tr -d ' -' | sort -u)" 3.890625

# A stream from a file may also be cut into pieces of any length, if they begin with a tile.
sed '/depuncture/,$d; /llr.quantize/a\
  - sink.file: {path: stream.i1}
' stream.yaml >make.yaml
cat >file.yaml <<'END'
fecrun: 1
pipeline:
  - source.file:     {path: stream.i1, kind: llr, dtype: i1, frame: 0}
  - conv.depuncture: {scheme: dvb, rate: 7/8}
  - viterbi.decode:  {code: dvb, tile: {f: 336, v1: 30, v2: 40}}
  - sink.file:       {path: decoded, dtype: packed}
END
run "$FECRUN" run --quiet make.yaml --set stop.frames=50
run "$FECRUN" run --quiet file.yaml && mv decoded whole
for options in "--set batch=1" "--set source.file.piece=1536" \
    "--set source.file.piece=384 --set batch=5 --threads 2" \
    "--set source.file.piece=1536 --set batch=7 --backend ref"; do
    run "$FECRUN" run --quiet file.yaml $options
    ok "file.yaml: $options" cmp decoded whole
    rm -f decoded
done
ok "file.yaml: all of the stream" [ "$(wc -c <whole)" -eq $((50 * 1680 / 8)) ]

# The same numbers on every machine: those of the first one that ran this.
same "frames.yaml: as ever" "$(counts frames.yaml)" "500 500000 1063 129"

# ---- Not on what else is in the file ----

# sweep VALUES: a file with that sweep.
sweep() { cat frames.yaml; echo "sweep: {channel.awgn.ebn0_db: $1}"; }
alone=$(sweep '[2]' | counts -)
same "a point alone and among others" "$(sweep '[1, 2, 3]' | counts - | sed -n 2p)" "$alone"
same "a point in another place" "$(sweep '[3, 2]' | counts - | sed -n 2p)" "$alone"
same "a point of a range" "$(sweep '"1.5:0.25:2.5"' | counts - | sed -n 3p)" "$alone"
same "2, 2.0 and 20e-1 are one point" "$(sweep '[20e-1]' | counts -) $(sweep '[2.0]' | counts -)" \
    "$alone $alone"
same "a swept value by --set" "$(sweep '[1, 3]' | counts - --set channel.awgn.ebn0_db=2)" "$alone"
other=$(sweep '[2]' | counts - --set channel.awgn.ebn0_db=2.1)
ok "another point has other counts" [ "$other" != "$alone" ]

# What is swept behind the channel leaves frames and noise as they are: the row of each value is that
# of the value without a sweep, and together with a swept channel that of its row.
for scale in 0.5 2; do
    same "frames.yaml, scale $scale: swept or not" \
        "$({ cat frames.yaml; echo "sweep: {llr.quantize.scale: [4, $scale]}"; } | counts - | sed -n 2p)" \
        "$(counts frames.yaml --set llr.quantize.scale=$scale)"
done
same "a receiver's sweep beside a channel's" \
    "$({ cat frames.yaml; printf 'sweep:\n  channel.awgn.ebn0_db: [2]\n  llr.quantize.scale: [4, 1.2]\n'; } |
        counts - | sed -n 2p)" "$alone"

# Two stages that undo each other leave all others' random values as they are; so does a random one.
awk '/modem.map/ { print "  - crc.attach: {crc: 16}"; print "  - crc.check: {crc: 16}" } 1' \
    frames.yaml >more.yaml
same "stages that change nothing" "$(counts more.yaml)" "$(counts frames.yaml)"
awk '/channel.awgn/ { print "  - channel.awgn: {id: whisper, esn0_db: 100}" } 1' \
    frames.yaml >more.yaml
same "another random stage, too weak to matter" \
    "$(counts more.yaml)" "$(counts frames.yaml)"

# ---- But on the seed ----

first=$(counts frames.yaml --set seed=1)
ok "another seed, other counts" [ "$first" != "$(counts frames.yaml --set seed=2)" ]
ok "a seed of 64 bits, other counts" \
    [ "$first" != "$(counts frames.yaml --set seed=4294967297)" ]
same "the same seed, the same counts" "$(counts frames.yaml --set seed=1)" "$first"

# ---- Stop rules ----

# The counts at N frame errors are those of the smallest number of frames that has them.
stops_exactly() {
    file=$1
    errors=$2
    set -- $(sed '/^stop:/d' "$file" | counts - --set stop.frame_errors="$errors")
    same "$file: stops at $errors frame errors" "$4" "$errors"
    same "$file: $1 frames have as many" "$(counts "$file" --set stop.frames="$1")" "$*"
    same "$file: one frame less has one error less" \
        "$(run_fields frame_errors "$file" --set stop.frames=$(($1 - 1)))" $(($4 - 1))
    for options in "--set batch=1" "--set batch=7 --threads 2" "--set batch=1000" \
        "--threads 5 --set batch=2"; do
        same "$file: $options stops there, too" \
            "$(sed '/^stop:/d' "$file" | counts - --set stop.frame_errors="$errors" $options)" "$*"
    done
}

stops_exactly frames.yaml 40
stops_exactly stream.yaml 5
stops_exactly blocks.yaml 33

# A stream's last frames see what comes after them, whatever ends the run. Tiles that are a frame
# long, with overlaps far too short, make it show.
rough="--set viterbi.decode.tile.f=0 --set viterbi.decode.tile.v2=12 --set channel.awgn.ebn0_db=3"
for errors in 3 8 15 31; do
    set -- $(sed '/^stop:/d' stream.yaml | counts - $rough --set stop.frame_errors=$errors)
    same "stream.yaml, rough: the same $1 frames by either rule" \
        "$(counts stream.yaml $rough --set stop.frames="$1")" "$*"
done

same "frames or frame errors: whichever comes first" \
    "$(run_fields "frames stop" frames.yaml --set stop.frame_errors=100000 --set stop.frames=77)" \
    "77 frames"
same "and the other way round" \
    "$(run_fields "frame_errors stop" frames.yaml --set stop.frame_errors=3)" "3 frame_errors"
done_testing
