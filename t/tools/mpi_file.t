#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# One file decoded by the processes of an MPI job: the output is that of one process, byte by byte.
. "$top_srcdir/t/lib/counts.sh"
without_cuda
. "$top_srcdir/t/lib/mpi.sh"

# A stream that ends inside a piece, and frames.
pipeline 'source.random: {bits: 3000, stream: true}' \
    'conv.encode: {code: ieee80211, termination: continuous}' 'modem.map: {scheme: bpsk}' \
    'channel.awgn: {ebn0_db: 3}' 'modem.demap: {}' 'llr.quantize: {type: i8, scale: 2, max: 10}' \
    'sink.file: {path: long.raw}' >make.yaml
run "$FECRUN" run make.yaml --set stop.frames=1001 --quiet
is 0 "a capture"
head -c 6000500 long.raw >llr.raw
pipeline 'source.file: {path: llr.raw, kind: llr, dtype: i8, llr_scale: 2, frame: 0, piece: 840}' \
    'viterbi.decode: {code: ieee80211, termination: continuous}' 'sink.file: {path: bits.npy}' \
    >stream.yaml
sed 's/frame: 0, piece: 840/frame: 500/; s/continuous/truncated/; s/bits.npy}/bits.npy, dtype: u1}/' \
    stream.yaml >frames.yaml
sed 's/bits.npy}/bits.raw, dtype: packed}/; s/piece: 840/piece: 1600/' stream.yaml >packed.yaml
head -c 6000000 llr.raw >whole.raw
sed -i 's/llr.raw/whole.raw/' frames.yaml

# ranks N ARGUMENT...: that job; its results are in file `job`.
ranks() {
    n=$1
    shift
    run timeout 60 $mpirun --enable-recovery -n "$n" ./rank.sh "$FECRUN" run --threads 1 --quiet --json job "$@"
}

for form in stream frames packed; do
    output=bits.npy
    [ $form != packed ] || output=bits.raw
    want=$(run_fields 'frames bits stop' $form.yaml --threads 1)
    mv $output want
    for n in 1 2 4; do
        rm -f $output
        ranks $n $form.yaml
        ok "$form, $n processes: the bytes of one" cmp $output want
    done
    same "$form: and the counts" "$(fields 'frames bits stop' <job)" "$want"
done
rm bits.*

# ---- A file without a frame: there is nothing to share, and nothing wrong with it ----

: >empty.raw
for form in stream frames; do
    run "$FECRUN" run $form.yaml --threads 1 --quiet --set source.file.path=empty.raw
    mv bits.npy want
    ranks 3 $form.yaml --set source.file.path=empty.raw
    is 0 "$form, empty, 3 processes"
    ok "and the bytes of one" cmp bits.npy want
    rm -f bits.npy
done

# Processes that come late to a short run find nothing left to do: a slow one, and another try on a busy host.
shares='"who":"rank 0 (.*"who":"rank 1 (.*"who":"rank 2 (.*"who":"rank 3 ('
tries=0
until grep -q "$shares" job || [ $tries = 5 ]; do
    rm -f bits.npy
    ranks 4 stream.yaml --backend ref
    tries=$((tries + 1))
done
ok "each has a part in it, and it is told" grep -q "$shares" job
rm -f bits.*

# ---- Processes that have several devices each, as those of one a host ----

cat >alone.sh <<'END'
#!/bin/sh
export OMPI_COMM_WORLD_LOCAL_SIZE=1 OMPI_COMM_WORLD_LOCAL_RANK=0
exec "$@"
END
chmod +x alone.sh
sed '/viterbi/i\  - fake.scale: {factor: 1}' stream.yaml >devices.yaml
run "$FECRUN" run stream.yaml --threads 1 --quiet
mv bits.npy want
export FAKE_DEVICES=2
shares='"who":"rank 0 ([^)]*) fake:0".*"who":"rank 0 ([^)]*) fake:1".*"who":"rank 1 (.*"frames":[1-9]'
tries=0
until [ $tries = 5 ]; do
    rm -f bits.npy
    run timeout 60 $mpirun -n 2 ./alone.sh "$FECRUN" run devices.yaml --plugin-dir "$FAKEDIR" --backend fake:all \
        --quiet --json job
    tries=$((tries + 1))
    ! grep -q "$shares" job || break
done
is 0 "two processes of two devices each"
ok "the bytes of one" cmp bits.npy want
ok "it is told who had a part" grep -q "$shares" job
rm -f bits.npy
unset FAKE_DEVICES

# The rule is the end: what is behind it has no part in the last frames.
pipeline 'source.file: {path: noisy.raw, kind: llr, dtype: i8, llr_scale: 2, frame: 0, piece: 16}' \
    'viterbi.decode: {code: ieee80211, termination: continuous}' 'sink.file: {path: bits.npy}' \
    >short.yaml
run "$FECRUN" run make.yaml --set stop.frames=1 --set channel.awgn.ebn0_db=-2 --set sink.file.path=noisy.raw --quiet
for frames in 7 20; do
    run "$FECRUN" run short.yaml --threads 1 --quiet --set stop.frames=$frames
    mv bits.npy want
    ranks 2 short.yaml --set stop.frames=$frames
    ok "$frames frames of the file" cmp bits.npy want
    same "ends by its rule" "$(fields 'frames stop' <job)" "$frames frames"
done
rm bits.npy

# ---- Some are killed ----

run "$FECRUN" run make.yaml --set stop.frames=400 --quiet
cp long.raw llr.raw
run "$FECRUN" run stream.yaml --quiet --threads 1 --backend ref
mv bits.npy want

# kill_in RANKS: a slow job, of which these are killed once rank 0 has begun its output
kill_in() {
    rm -f pid.*
    timeout 60 $mpirun --enable-recovery -n 4 ./rank.sh "$FECRUN" run stream.yaml --backend ref --threads 1 \
        --quiet --json job >job.out 2>job.err &
    job=$!
    tries=0
    until ls bits.npy.*.tmp >/dev/null 2>&1 || [ $tries = 600 ]; do
        sleep 0.02
        tries=$((tries + 1))
    done
    sleep 0.1
    for rank in $1; do
        kill -9 "$(cat "pid.$rank")"
    done
    status=0
    wait $job || status=$?
    tap_last="$(cat job.err)"
}

kill_in 2
is 0 "one of four is killed: the run ends well"
ok "and nothing is lost" cmp bits.npy want
rm bits.npy
kill_in "1 0 2 3"
# Where it was quicker, the output is whole.
ok "rank 0 is killed: there is no output that is not whole" sh -c '[ ! -e bits.npy ] || cmp bits.npy want'
ranks 2 stream.yaml
ok "the same command once more" cmp bits.npy want
ok "and nothing is left behind" [ "$(ls -d bits.npy*)" = bits.npy ]

# ---- Who has another capture ----

# With the slow backend: rank 0 must not have ended before it hears of the other.
head -c 2000000 long.raw | tr '\001' '\002' >other.raw
head -c 2000000 long.raw >llr.raw
sed 's/llr.raw/other.raw/' stream.yaml >other.yaml
run timeout 60 $mpirun -n 1 "$FECRUN" run stream.yaml --quiet --threads 1 --backend ref : \
    -n 1 "$FECRUN" run other.yaml --quiet --threads 1 --backend ref
says 'warning: rank 1 .*: another pipeline: pipeline.0..source.file.path: "sha256' "takes no part"
done_testing
