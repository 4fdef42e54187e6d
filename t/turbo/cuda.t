#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# turbo.decode on a CUDA device with the shared memory of smaller ones: it gives the bits that it has to, with
# the kernels that find room there; what finds none goes to another backend. t/turbo/test_windows_fit has all
# sizes.
. "$top_srcdir/t/lib/tap.sh"
need_cuda

# link K FRAMES OPTIONS [ESN0_DB]
link() {
    cat >p.yaml <<END
fecrun: 1
seed: 4
pipeline:
  - source.random: {bits: $(($1 - 24))}
  - crc.attach: {crc: 24b}
  - turbo.encode: {k: $1}
  - modem.map: {scheme: bpsk}
  - channel.awgn: {esn0_db: ${4:--4}}
  - modem.demap: {}
  - llr.quantize: {type: i8, scale: 8}
  - turbo.decode: {$3}
  - crc.check: {crc: 24b}
  - sink.file: {path: bits, dtype: packed}
stop: {frames: $2}
END
    sed 's/- sink.file.*/- sink.errors: {}/' p.yaml >errors.yaml
}

# alike LIKE K FRAMES OPTIONS [ESN0_DB]: no more wrong blocks than ref has
alike() {
    like=$1
    shift
    link "$@"
    run env FECRUN_CUDA_LIKE=$like "$FECRUN" compare errors.yaml --quiet --a ref --b cuda \
        --accept statistical
    is 0 "like $like: K = $1, $3"
}

# Few frames have a kernel of their own, which finds no room for K = 6144 in 163 KiB; windows are the same.
for frames in 3 600; do
    for options in 'iterations: 6' 'early_stop: crc, crc: 24b' 'algorithm: log-map'; do
        link 6144 $frames "$options"
        rm -f bits want
        run "$FECRUN" run p.yaml --quiet --set turbo.decode.backend=cuda
        [ "$status" = 0 ] && mv bits want
        run env FECRUN_CUDA_LIKE=8.0:163 "$FECRUN" run p.yaml --quiet \
            --set turbo.decode.backend=cuda
        [ "$status" = 0 ] && cmp bits want >>err
        tap_check $? "like 8.0:163: K = 6144, $options, $frames frames: the same bytes"
    done
done

# 128 threads with shorter windows, 96, and 64.
for k in 40 512 1024 6144 56 944 4288 6080; do
    frames=$((k < 2000 ? 1000 : 150))
    alike 8.6:99 $k $frames 'iterations: 6'
    alike 8.6:99 $k 3 'iterations: 6'
done
for k in 40 1024 4096 504 3456 376 848 4352; do
    frames=$((k < 2000 ? 1000 : 150))
    alike 7.5:64 $k $frames 'iterations: 6'
    alike 7.5:64 $k 3 'iterations: 6'
done
for like in 8.6:99 7.5:64; do
    for k in 496 944 376; do
        alike $like $k 1000 'early_stop: crc, crc: 24b'
        alike $like $k 1000 'early_stop: min-llr'
        alike $like $k 500 'algorithm: log-map, early_stop: crc, crc: 24b'
    done
done

# Blocks of many sizes in one launch.
run env FECRUN_CUDA_LIKE=8.6:99 "$FECRUN" compare "$top_srcdir/conf/turbo-multiuser.yaml" --quiet \
    --a ref --b cuda --accept statistical --set stop.frames=580
is 0 "like 8.6:99: blocks of twelve sizes"

# What finds no room.
link 6144 3 'iterations: 6'
run env FECRUN_CUDA_LIKE=7.5:64 "$FECRUN" explain p.yaml
prints '^turbo.decode: (cuda-paper on cuda:0|simd on host)$' "like 7.5:64: K = 6144: auto takes another backend"
prints '^ *not  cuda: K = 6144: its windows need more shared memory' "explain says why"
run env FECRUN_CUDA_LIKE=7.5:64 "$FECRUN" run p.yaml --quiet
is 0 "and it runs"
run env FECRUN_CUDA_LIKE=7.5:64 "$FECRUN" run p.yaml --quiet --set turbo.decode.backend=cuda
is 3 "cuda is named: refused"
says 'turbo.decode.backend: cuda cannot do what the parameters ask for: K = 6144: its windows' \
    "with the reason"
link 6144 3 'sub_blocks: 192'
run env FECRUN_CUDA_LIKE=8.6:99 "$FECRUN" run p.yaml --quiet --set turbo.decode.backend=cuda
is 0 "like 8.6:99: 192 windows find room"
link 6144 3 'sub_blocks: 64'
run env FECRUN_CUDA_LIKE=8.6:99 "$FECRUN" run p.yaml --quiet --set turbo.decode.backend=cuda
is 0 "64 windows, too"
run env FECRUN_CUDA_LIKE=8.6:32 "$FECRUN" explain p.yaml
prints '^ *not  cuda: .*need more shared memory than a thread block of this device has' \
    "a device that no kernel finds room on"
done_testing
