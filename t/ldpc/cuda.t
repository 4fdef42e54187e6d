#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# ldpc.decode on a CUDA device: kernels in registers and the general decoder, in whole pipelines.
. "$top_srcdir/t/lib/counts.sh"
need_cuda

# link Z ROWS BG ESN0 DECODER: a link with the bits of so many rows (QPSK: an even number).
link() {
    k=22
    [ "$3" = 2 ] && k=10
    cat <<END
fecrun: 1
seed: 5
pipeline:
  - source.random: {bits: $((k * $1))}
  - ldpc.encode: {code: nr, bg: $3, z: $1}
  - ldpc.rate_match: {bg: $3, z: $1, e: $(((k + $2 - 2) * $1 / 2 * 2))}
  - modem.map: {scheme: qpsk}
  - channel.awgn: {esn0_db: $4}
  - modem.demap: {}
  - llr.quantize: {type: i8, scale: 4}
  - ldpc.rate_recover: {bg: $3, z: $1}
  - ldpc.decode: {code: nr, bg: $3, z: $1, $5}
  - sink.errors: {}
stop: {frames: 200}
END
}

counts() {
    grep -o '"frames":[0-9]*,"bits":[0-9]*,"bit_errors":[0-9]*,"frame_errors":[0-9]*' out
}

# Without noise to speak of every size decodes, and says so.
for graph in 1 2; do
    most=46
    [ $graph = 2 ] && most=42
    for z in 2 3 7 15 26 44 60 104 144 208 224 240 256 288 320 352 384; do
        for rows in 4 5 9 14 $most; do
            link $z $rows $graph 14 "backend: cuda, tune: {kernel: registers}" >p.yaml
            run "$FECRUN" run p.yaml --json - --quiet
            ok "BG$graph, z = $z, $rows rows" grep -q '"frame_errors":0,.*"undetected":0' out
        done
    done
done

# A frame's result does not depend on its neighbours, nor on whether it has a multiprocessor for itself.
for stop in none syndrome; do
    while read -r z rows graph esn0; do
        link $z $rows $graph $esn0 "early_stop: $stop, backend: cuda" >p.yaml
        first=
        for batch in 64 1 7 33 200; do
            run "$FECRUN" run p.yaml --json - --quiet --set batch=$batch
            [ -n "$first" ] || first=$(counts)
            ok "early_stop $stop, BG$graph, z = $z, $rows rows: batches of $batch give the same" \
                [ -n "$first" ] && [ "$(counts)" = "$first" ]
        done
    done <<'END'
384 46 1 -0.9
13 46 1 -0.9
384 5 1 6.1
384 13 1 3.3
384 42 2 -3.4
384 12 2 1.5
END
done

# Blocks of several classes. A batch that comes again in the same memory is launched as a graph.
cat >users.yaml <<'END'
fecrun: 1
seed: 5
blocks:
  - {user: a, count: 3, bits: 440, bg: 1, z: 20, e: 1320}
  - {user: b, count: 1, bits: 640, bg: 2, z: 64, e: 1280}
  - {user: c, count: 2, bits: 440, bg: 1, z: 20, e: 880}
  - {user: d, count: 1, bits: 8448, bg: 1, z: 384, e: 12672}
  - {user: e, count: 1, bits: 2080, bg: 2, z: 208, e: 3120}
pipeline:
  - source.random: {}
  - ldpc.encode: {code: nr}
  - ldpc.rate_match: {}
  - modem.map: {scheme: qpsk}
  - channel.awgn: {esn0_db: 14}
  - modem.demap: {}
  - llr.quantize: {type: i8, scale: 4}
  - ldpc.rate_recover: {}
  - ldpc.decode: {code: nr, backend: cuda, tune: {kernel: registers}}
  - sink.errors: {}
END
for frames in 7 700 703; do
    run "$FECRUN" run users.yaml --json - --quiet --set stop.frames=$frames
    ok "several classes, $frames frames" grep -q '"frame_errors":0,.*"undetected":0' out
done
# A batch that comes again in the same memory is launched from a record. With all rows of a run in one batch nothing
# comes again.
# once N FILE: the pipeline with its rows N times
once() {
    sed '/^  - {user/d; /^pipeline/,$d' "$2"
    for n in $(seq "$1"); do
        grep '^  - {user' "$2"
    done
    sed -n '/^pipeline/,$p' "$2"
}

# A class for each number of rows, 80 in all.
sed 's/esn0_db: 14/esn0_db: 1.5/' users.yaml >bad.yaml
sed '/llr.quantize/d' bad.yaml >f32.yaml
{
    sed '/^  - {user/d; /^pipeline/,$d' bad.yaml
    for rows in $(seq 5 46); do
        echo "  - {user: r$rows, count: 1, bits: 440, bg: 1, z: 20, e: $((20 * (20 + rows)))}"
    done
    for rows in $(seq 5 42); do
        echo "  - {user: s$rows, count: 1, bits: 200, bg: 2, z: 20, e: $((20 * (8 + rows)))}"
    done
    sed -n '/^pipeline/,$p' bad.yaml
} >rows.yaml
while read -r file batches frames option; do
    once "$batches" $file.yaml >once.yaml
    for name in $file once; do
        run "$FECRUN" run $name.yaml --json - --quiet --set batch=1 --set stop.frames=$frames \
            --set ldpc.decode.$option
        counts | head -n 1 >$name.counts # of all rows together
    done
    ok "$file, $option: $frames frames, wrong bits" \
        grep -q "\"frames\":$frames,.*\"bit_errors\":[1-9]" $file.counts
    ok "$file, $option: the same bits from launches that are recorded" cmp $file.counts once.counts
done <<'END'
bad 88 704 early_stop=syndrome
bad 88 704 early_stop=none
bad 88 704 check_rule=offset-min-sum
bad 88 704 schedule=flooding
f32 88 704 early_stop=syndrome
f32 88 704 early_stop=none
rows 20 1600 early_stop=syndrome
END

# Codes of other families have kernels that are compiled for them, and kept.
# other BITS CODE DECODER
other() {
    cat <<END
fecrun: 1
seed: 5
pipeline:
  - source.random: {bits: $1}
  - ldpc.encode: {$2}
  - modem.map: {scheme: bpsk}
  - channel.awgn: {ebn0_db: 5}
  - modem.demap: {}
  - llr.quantize: {type: i8, scale: 8}
  - ldpc.decode: {$2, $3}
  - sink.errors: {}
stop: {frames: 1000}
END
}

XDG_CACHE_HOME=$PWD/cache
export XDG_CACHE_HOME
run "$FECRUN" list
nvrtc=$(grep ', NVRTC [0-9]' out)
if [ "$nvrtc" ]; then
    while read -r bits code; do
        for stop in none syndrome; do
            other "$bits" "$code" "early_stop: $stop, backend: cuda, tune: {kernel: registers}" \
                >p.yaml
            for batch in 1000 77; do
                run "$FECRUN" run p.yaml --json - --quiet --set batch=$batch
                ok "$code, early_stop $stop, batches of $batch" \
                    grep -q '"frame_errors":0,.*"undetected":0' out
            done
        done
        run "$FECRUN" explain p.yaml
        prints 'a kernel in registers, compiled for this code$' "explain says so"
    done <<'END'
324 code: wifi, n: 648, rate: 1/2
1620 code: wifi, n: 1944, rate: 5/6
288 code: wimax, n: 576, rate: 1/2
1728 code: wimax, n: 2304, rate: 3/4B
END
    ok "a kernel of each is in the cache" [ "$(ls cache/fecrun | wc -l)" = 4 ]
    for kernel in cache/fecrun/*; do
        echo x >"$kernel"
    done
    run "$FECRUN" run p.yaml --json - --quiet
    ok "what is in the cache is broken: compiled again" grep -q '"frame_errors":0' out

    # NR's layered nms, too, if that is wanted: rows and lifting sizes that the build has no kernel for.
    for kernel in registers compiled; do
        run "$FECRUN" run bad.yaml --json - --quiet --set stop.frames=704 \
            --set ldpc.decode.tune.kernel=$kernel
        counts >$kernel
        ok "several classes, kernels: $kernel" grep -q '"bit_errors":[1-9]' $kernel
    done
    ok 'bits of the kernels of the build' cmp registers compiled
    run "$FECRUN" explain bad.yaml --set ldpc.decode.tune.kernel=compiled
    prints 'a kernel in registers, compiled for this code$' 'explain says so'
else
    skip 1 "no libnvrtc here"
fi
other 7200 'code: dvbs2, frame: short, rate: 1/2' 'backend: cuda, tune: {kernel: registers}' >p.yaml
refuses 2 'registers: not possible here: two circulants of the code' run p.yaml

# What has no kernel in registers has one in shared memory, compiled for it, or goes to the general decoder.
# alist ROWS: a regular matrix without structure, of rows of 6 and columns of 3: three times all columns, each time
# in another order.
alist() {
    awk -v rows="$1" 'BEGIN {
        cols = 2 * rows; step[0] = 1; step[1] = 155; step[2] = 377
        for (i = 0; i < rows; i++) {
            band = int(i / (rows / 3))
            for (k = 0; k < 6; k++) {
                c = (6 * i + k) * step[band] % cols
                row[i] = row[i] " " c + 1; col[c] = col[c] " " i + 1
            }
        }
        print cols, rows; print 3, 6
        for (c = 0; c < cols; c++) printf "3 "; print ""
        for (i = 0; i < rows; i++) printf "6 "; print ""
        for (c = 0; c < cols; c++) print col[c]
        for (i = 0; i < rows; i++) print row[i]
    }'
}

# shared DECODER: the pipeline p.yaml in shared memory.
shared() {
    for stop in none syndrome; do
        for batch in 1000 77; do
            run "$FECRUN" run p.yaml --json - --quiet --set batch=$batch --set stop.frames=300 \
                --set ldpc.decode.early_stop=$stop --set ldpc.decode.tune.kernel=shared
            ok "$1, early_stop $stop, batches of $batch" grep -q '"frame_errors":0,.*"undetected":0' out
        done
    done
}

run "$FECRUN" list
if grep -q ', NVRTC [0-9]' out; then
    alist 504 >m.alist
    while read -r bits code; do
        other "$bits" "$code" 'backend: cuda' >p.yaml
        run "$FECRUN" explain p.yaml
        prints 'a kernel in shared memory, compiled for this code; those in registers are faster: ' \
            "$code: explain says so"
        shared "$code"
        sed -i '/llr.quantize/d' p.yaml
        shared "$code, f32"
    done <<'END'
7200 code: dvbs2, frame: short, rate: 1/2
58320 code: dvbs2, frame: normal, rate: 9/10
506 code: alist, path: m.alist
END
    for option in 'check_rule: offset-min-sum' 'schedule: flooding'; do
        link 384 46 1 5 "backend: cuda, $option" >p.yaml
        shared "$option"
    done
    link 384 46 1 5 "backend: cuda, check_rule: offset-min-sum, tune: {kernel: registers}" >p.yaml
    run "$FECRUN" run p.yaml --json - --quiet
    ok "oms in registers" grep -q '"frame_errors":0' out
    link 16 12 2 5 "schedule: flooding" >p.yaml
    run "$FECRUN" explain p.yaml
    prints 'a kernel in registers, compiled for this code$' "flooding is the device's"
    while read -r z rows graph more; do
        for batch in 200 77; do
            link "$z" "$rows" "$graph" 10 "backend: cuda, schedule: flooding$more, tune: {kernel: registers}" >p.yaml
            run "$FECRUN" run p.yaml --json - --quiet --set batch=$batch
            ok "flooding$more, BG$graph, z = $z, $rows rows, batches of $batch" \
                grep -q '"frame_errors":0,.*"undetected":0' out
        done
    done <<'END'
384 46 1
384 5 1 , early_stop: none
384 42 2
208 24 1
7 9 2
52 13 1 , check_rule: offset-min-sum
208 13 1 , check_rule: sum-product
END
    # Sum-product, and NR's first row first, whose bits do not depend on how LLRs are scaled or neighbours.
    while read -r z rows graph option; do
        link "$z" "$rows" "$graph" 10 "backend: cuda, $option" >p.yaml
        sed '/llr.quantize/d' p.yaml >f32.yaml
        for batch in 200 77; do
            for file in p f32; do
                run "$FECRUN" run $file.yaml --json - --quiet --set batch=$batch
                ok "$option, BG$graph, z = $z, $rows rows, $file, batches of $batch" \
                    grep -q '"frame_errors":0,.*"undetected":0' out
            done
        done
        run "$FECRUN" explain p.yaml
        prints 'a kernel in registers, compiled for this code$' 'explain says so'
    done <<'END'
384 46 1 check_rule: sum-product
208 13 1 check_rule: sum-product, early_stop: none
36 42 2 check_rule: sum-product, order: forward
384 24 1 order: forward
208 5 2 order: forward, early_stop: none
44 46 1 order: forward, check_rule: offset-min-sum
END
else
    skip 1 "no libnvrtc here"
fi
link 384 46 1 5 "backend: cuda, check_rule: offset-min-sum, tune: {kernel: general}" >p.yaml
run "$FECRUN" run p.yaml --json - --quiet
ok "oms with the general decoder" grep -q '"frame_errors":0' out

# LLRs out, of words that all decode: signs are the bits, those of the word are what was encoded, and in units of the
# input they are near the reference's.
# soft LINK DECODER FILE [SED]: lines "bit LLR" to FILE, LLRs of the word to FILE.word, its bits to `sent`; LINK: link's
# arguments
soft() {
    { link $1 "id: dec, iterations: 3, early_stop: none, $2" |
          sed "/sink.errors/d; /^stop/d; s/ldpc.encode: {/&id: code, /; ${4-}"
      echo '  - sink.file: {id: a, from: dec, path: bits.raw, dtype: u1}'
      echo '  - sink.file: {id: b, from: dec.llr, path: llr.raw, dtype: f4}'
      echo '  - sink.file: {id: c, from: dec.code_llr, path: word.raw, dtype: f4}'
      echo '  - sink.file: {id: d, from: code, path: sent.raw, dtype: u1}'
      echo 'stop: {frames: 20}'; } >p.yaml
    run "$FECRUN" run p.yaml --quiet
    od -An -v -w1 -tu1 bits.raw >bits
    od -An -v -w4 -tf4 llr.raw | paste -d ' ' bits - >"$3"
    od -An -v -w4 -tf4 word.raw >"$3.word"
    od -An -v -w1 -tu1 sent.raw >sent
}

# near_ref WHAT: of the files `wanted` and `got`
near_ref() {
    ok "$1: an LLR for each bit, whose sign it is" \
        awk '{ bad += NF != 2 || $1 != ($2 < 0) } END { exit !(NR && !bad) }' got
    same "$1: as many as ref has" "$(wc -l <got; wc -l <got.word)" "$(wc -l <wanted; wc -l <wanted.word)"
    # of what some row reaches each sign is known; other roundings leave other magnitudes
    paste -d ' ' sent wanted.word got.word | awk '
        { sure += $2 == 1048576 && $3 != $2 }
        $2 < 1048576 { x += $2 * $2; y += $3 * $3; xy += $2 * $3; wrong += $2 != 0 && $1 != ($3 < 0) }
        END { print "# correlation with ref " xy / sqrt(x * y) ", slope " xy / x ", wrong signs " wrong + 0
              exit !(!sure && !wrong && xy / sqrt(x * y) > 0.9 && xy / x > 0.75 && xy / x < 1.25) }'
    tap_check $? "$1: LLRs of the word like those of ref"
}

# several BATCH DECODER: counts by size of a second decoder that has only the LLRs of the first one
several() {
    { cat <<END
fecrun: 1
seed: 5
batch: $1
blocks:
  - {count: 2, z: 384, bits: 3840}
  - {count: 1, z: 52, bits: 520}
  - {count: 3, z: 208, bits: 2080}
END
      pipeline 'source.random: {}' 'ldpc.encode: {code: nr, bg: 2}' 'modem.map: {scheme: bpsk}' \
          'channel.awgn: {esn0_db: -6.5}' 'modem.demap: {}' 'llr.quantize: {type: i8, scale: 8}' \
          "ldpc.decode: {id: dec, code: nr, bg: 2, iterations: 3, $2}" \
          'llr.quantize: {id: again, from: dec.code_llr, type: i8, scale: 1}' \
          'ldpc.decode: {code: nr, bg: 2, iterations: 2, backend: ref}' 'sink.errors: {}' | sed 1d
      echo 'stop: {frames: 2400}'; } >p.yaml
    run "$FECRUN" run p.yaml --json - --quiet
    counts
}

# Several pairs a thread block and one, own columns of some rows or of all, no frame that ends early and all.
for shape in '52 20 2 3' '384 46 1 2' '384 5 1 9.5'; do
    soft "$shape" 'backend: ref' wanted
    while read -r kernel decoder; do
        case $nvrtc$kernel in
        compiled) ;;
        *)
            soft "$shape" "$decoder" got
            near_ref "$shape, $decoder"
            ;;
        esac
    done <<'END'
built backend: cuda-general
built backend: cuda-general, tune: {arithmetic: i16}
built backend: cuda, tune: {kernel: general}
compiled backend: cuda
compiled backend: cuda, tune: {kernel: registers}
compiled backend: cuda, tune: {kernel: shared}
END
done
if [ "$nvrtc" ]; then
    for kernel in registers shared; do
        soft '52 20 2 3' 'backend: ref, schedule: flooding' wanted
        soft '52 20 2 3' "backend: cuda, schedule: flooding, tune: {kernel: $kernel}" got
        near_ref "$kernel, flooding"
        soft '52 20 2 3' 'backend: ref' wanted '/llr.quantize/d'
        soft '52 20 2 3' "backend: cuda, tune: {kernel: $kernel}" got '/llr.quantize/d'
        near_ref "$kernel, f32"
    done
    # blocks of several sizes: launches side by side, recorded from the second batch in a place on
    for decoder in 'backend: cuda' 'backend: cuda, early_stop: none' 'backend: cuda, tune: {kernel: shared}'; do
        several 7 "$decoder" >few
        several 120 "$decoder" >many
        same "several sizes, $decoder: LLRs do not depend on the batch" "$(cat many)" "$(cat few)"
        ok 'and there are some' grep -q '"frames":2400' many
    done
    soft '104 13 1 6' 'backend: cuda' one
    soft '104 13 1 6' 'backend: cuda' two 's/early_stop: none, //'
    ok "an early stop has the LLRs of its iteration" test "$(cksum <one.word)" != "$(cksum <two.word)"
    run "$FECRUN" explain p.yaml
    prints 'a kernel in registers, compiled for this code$' 'explain says so'
fi

# explain names the kernel that create() takes on this device, also on smaller ones that are pretended.
# names LIKE PATTERN: of the link in p.yaml
names() {
    FECRUN_CUDA_LIKE=$1
    export FECRUN_CUDA_LIKE
    run "$FECRUN" explain p.yaml
    prints "$2" "like $1: $2"
    if grep -q 'a kernel in registers' out; then
        run "$FECRUN" run p.yaml --quiet --set ldpc.decode.tune.kernel=registers
        is 0 "like $1: it can be insisted on"
    else
        refuses 2 'registers: not possible here' run p.yaml --set ldpc.decode.tune.kernel=registers
    fi
    run "$FECRUN" run p.yaml --json - --quiet
    ok "like $1: it decodes" grep -q '"frame_errors":0,.*"undetected":0' out
    unset FECRUN_CUDA_LIKE
}
for rows in 5 46; do
    link 384 $rows 1 14 "backend: cuda" >p.yaml
    names '' 'a kernel in registers$'
    names 8.6:99 'the general kernel, which is slower: compute capability 9.0 is needed'
    names 7.5:64 'the general kernel, which is slower: compute capability 9.0 is needed'
    names 9.0:99 'a kernel in registers$|: too little shared memory'
    names 9.0:64 'a kernel in registers$|: too little shared memory'
done

link 384 46 1 5 "backend: cuda, check_rule: sum-product, tune: {kernel: general}" >p.yaml
refuses 1 'ldpc.decode.check_rule: no kernel for sum-product: `tune` says general$' run p.yaml
done_testing
