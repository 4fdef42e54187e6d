#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# The CUDA backends of the chain: the same counts and the same bytes as the references, which run
# the same files. Sizes are odd ones: groups of threads end inside of frames.
. "$top_srcdir/t/lib/counts.sh"

run "$FECRUN" list
if ! grep -q '^  source.random .* cuda' out; then
    why=$(sed -n '/^  source.random /,/^  [a-z]/s/^    cuda is not available: //p' out)
    case ,${FECRUN_REQUIRE:-}, in
    *,cuda,*) ok "FECRUN_REQUIRE=cuda, but $why" false && done_testing ;;
    *) skip_all "$why" ;;
    esac
fi

# The reference needs no device, and starts faster where it finds none. In $(...) only. Options
# --set=STAGE.backend=cuda are left out.
run_ref() {
    without_cuda
    for ref_option; do
        shift
        case $ref_option in
        --set=*.backend=cuda) ;;
        *) set -- "$@" "$ref_option" ;;
        esac
    done
    "$@" --backend ref
}

# ran FILE OPTION...: what it wrote to $file, as a checksum
ran() {
    rm -f "$file"
    tap_last="fecrun run $*"
    status=0
    timeout 120 "$FECRUN" run --quiet "$@" >/dev/null 2>err || status=$?
    if [ "$status" = 0 ]; then cksum <"$file"; else echo "status $status: $(cat err)"; fi
}

# bytes WHAT FILE OPTION...: those that the file writes are the reference's
bytes() {
    bytes_what=$1
    shift
    want=$(run_ref ran "$@")
    case $want in
    status*) ok "$bytes_what: the reference runs: $want" false ;;
    *) same "$bytes_what" "$(ran "$@" --backend cuda)" "$want" ;;
    esac
}

# both WHAT FILE OPTION...: so are the counts
both() {
    both_what=$1
    shift
    want=$(run_ref counts "$@")
    case $want in
    status* | '') ok "$both_what: the reference runs: $want" false ;;
    *) same "$both_what" "$(counts "$@" --backend cuda)" "$want" ;;
    esac
}

# ---- Stage by stage: bytes ----

file=bits.raw
pipeline 'source.random: {bits: 1}' 'sink.file: {path: bits.raw, dtype: packed}' \
    'stop: {frames: 41}' | sed 's/^  - stop/stop/' >source.yaml
pipeline 'source.random: {bits: 1}' 'conv.encode: {code: ieee80211, backend: ref}' \
    'sink.file: {path: bits.raw}' 'stop: {frames: 41}' | sed 's/^  - stop/stop/' >bytes.yaml
for bits in 1 127 4096 4103; do
    bytes "source.random: $bits bits" source.yaml --set source.random.bits=$bits --set batch=16
    bytes "source.random: $bits bits, a byte each" bytes.yaml --set source.random.bits=$bits
done
pipeline 'source.random: {bits: 4104, stream: true}' \
    'sink.file: {path: bits.raw, dtype: packed}' 'stop: {frames: 41}' |
    sed 's/^  - stop/stop/' >stream.yaml
bytes "source.random: a stream" stream.yaml --set batch=7

# chain LAST...: a modem and a channel of awgn, and what comes then
chain() {
    pipeline 'source.random: {bits: 1}' 'modem.map: {scheme: bpsk}' 'channel.awgn: {esn0_db: 7}' \
        "$@" 'stop: {frames: 23}' | sed 's/^  - stop/stop/'
}
file=out.raw
chain 'sink.file: {path: out.raw}' >awgn.yaml
sed '/awgn/d' awgn.yaml >map.yaml
chain 'modem.demap: {}' 'sink.file: {path: out.raw, dtype: f4}' >demap.yaml
chain 'modem.demap: {type: f16}' 'sink.file: {path: out.raw, dtype: f2}' >halves.yaml
for type in i8 i16 i4; do
    chain 'modem.demap: {}' "llr.quantize: {type: $type, scale: 1.7}" \
        'sink.file: {path: out.raw}' >quantize-$type.yaml
done
for scheme in bpsk:1 qpsk:2 16qam:4 64qam:6 256qam:8; do
    for symbols in 3 502; do
        set -- --set modem.map.scheme=${scheme%:*} \
            --set source.random.bits=$((symbols * ${scheme#*:})) --set batch=9
        bytes "map, $scheme x $symbols" map.yaml "$@"
        bytes "map and awgn in one, $scheme x $symbols" awgn.yaml "$@"
        bytes "from bits to floats in one, $scheme x $symbols" demap.yaml "$@"
        bytes "demap, $scheme x $symbols" demap.yaml "$@" --set=channel.awgn.backend=cuda
        bytes "from bits to halves in one, $scheme x $symbols" halves.yaml "$@"
        bytes "demap to halves, $scheme x $symbols" halves.yaml "$@" --set=channel.awgn.backend=cuda
        for type in i8 i16 i4; do
            bytes "from bits to $type in one, $scheme x $symbols" quantize-$type.yaml "$@"
            bytes "demap and quantize to $type in one, $scheme x $symbols" quantize-$type.yaml "$@" \
                --set=channel.awgn.backend=cuda
        done
    done
    set -- --set modem.map.scheme=${scheme%:*} --set source.random.bits=$((333 * ${scheme#*:}))
    for symbols in 1 2052; do
        bytes "from bits to i8 in one, $scheme x $symbols" quantize-i8.yaml \
            --set modem.map.scheme=${scheme%:*} \
            --set source.random.bits=$((symbols * ${scheme#*:}))
    done
    bytes "awgn alone, $scheme" awgn.yaml "$@" --set=modem.map.backend=cuda
    for type in i8 i16 i4; do
        bytes "quantize to $type alone, $scheme" quantize-$type.yaml "$@" \
            --set=modem.demap.backend=cuda
    done
    bytes "from the host's bits, $scheme" quantize-i8.yaml "$@" --set source.random.backend=ref
done

chain 'modem.hard: {}' 'sink.file: {path: out.raw, dtype: packed}' >hard.yaml
chain 'modem.hard: {}' 'sink.file: {path: out.raw, dtype: u1}' >hard-bytes.yaml
for scheme in bpsk:1 qpsk:2 16qam:4 64qam:6 256qam:8; do
    for symbols in 1 3 502; do
        set -- --set modem.map.scheme=${scheme%:*} --set source.random.bits=$((symbols * ${scheme#*:})) --set batch=9
        bytes "from bits to bits in one, $scheme x $symbols" hard.yaml "$@"
        bytes "modem.hard alone, $scheme x $symbols" hard.yaml "$@" --set=channel.awgn.backend=cuda
        bytes "modem.hard alone, a byte a bit, $scheme x $symbols" hard-bytes.yaml "$@" --set=channel.awgn.backend=cuda
    done
done

for channel in 'bsc: {p: 0.11}' 'bsc: {p: 0}' 'bsc: {p: 0.5}' 'bec: {p: 0.3}' 'bec: {p: 0.9}'; do
    for bits in 3 2048; do
        pipeline "source.random: {bits: $bits}" "channel.$channel" \
            'sink.file: {path: out.raw, dtype: f4}' 'stop: {frames: 23}' |
            sed 's/^  - stop/stop/' >bits.yaml
        bytes "channel.$channel, $bits bits" bits.yaml --set batch=5
    done
    pipeline 'source.random: {bits: 1002}' 'conv.encode: {code: ieee80211, backend: ref}' \
        "channel.$channel" 'sink.file: {path: out.raw, dtype: f4}' 'stop: {frames: 23}' |
        sed 's/^  - stop/stop/' >bits.yaml
    bytes "channel.$channel, a byte a bit" bits.yaml
done

# What no receiver should see: NaN, infinities, 1e30, -0, the smallest number.
for word in '\000\000\300\177' '\000\000\200\177' '\000\000\200\377' '\312\362\111\161' \
    '\000\000\000\200' '\001\000\000\000' '\000\000\300\377' '\000\000\200\077' \
    '\064\022\300\377' '\000\000\000\000'; do
    printf "$word"
done >hostile
cat hostile hostile hostile >symbols.c8
for scheme in bpsk qpsk 16qam 64qam 256qam; do
    pipeline 'source.file: {path: symbols.c8, kind: symbols, dtype: c8, frame: 3}' \
        'channel.awgn: {esn0_db: 3}' "modem.demap: {scheme: $scheme, esn0_db: 3}" \
        'sink.file: {path: out.raw, dtype: f4}' >hostile.yaml
    bytes "no numbers, noisy, $scheme" hostile.yaml
    sed '/awgn/d' hostile.yaml >clean.yaml
    bytes "no numbers, $scheme" clean.yaml
    sed '/awgn/d; s/  - sink.file.*/  - llr.quantize: {scale: 3}\n  - sink.file: {path: out.raw}/' \
        hostile.yaml >short.yaml
    bytes "no numbers, quantized, $scheme" short.yaml
done
pipeline 'source.file: {path: hostile, kind: llr, dtype: f4, frame: 5}' 'llr.quantize: {scale: 3}' \
    'sink.file: {path: out.raw}' >short.yaml
bytes "no numbers, quantized alone" short.yaml

# ---- Whole simulations: counts ----

cat >frames.yaml <<'END'
fecrun: 1
seed: 5
pipeline:
  - source.random:  {bits: 1003}
  - conv.encode:    {code: ieee80211}
  - modem.map:      {scheme: bpsk}
  - channel.awgn:   {ebn0_db: 2.5}
  - modem.demap:    {}
  - llr.quantize:   {type: i8, scale: 1.2, max: 10}
  - viterbi.decode: {code: ieee80211}
  - sink.errors:    {}
sweep: {channel.awgn.ebn0_db: [1, 2, 2.5]}
stop: {frames: 500}
END
for options in '' '--set batch=1 --set stop.frames=20' '--set batch=7' '--set batch=1000' \
    '--threads 1' '--threads 4' '--set in_flight=1' '--set in_flight=7' \
    '--set conv.encode.backend=ref' '--set viterbi.decode.backend=ref' \
    '--set modem.demap.backend=ref' '--set sink.errors.backend=ref' \
    '--set=modem.map.backend=cuda --set=modem.demap.backend=cuda' \
    '--set=channel.awgn.backend=cuda'; do
    both "counts of a sweep: $options" frames.yaml $options
done
same "auto counts the same" "$(counts frames.yaml)" "$(run_ref counts frames.yaml)"
both "frames of 40000 bits" frames.yaml --set source.random.bits=40000 --set stop.frames=30
both "frames of 1 bit" frames.yaml --set source.random.bits=1

cat >users.yaml <<'END'
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
  - channel.awgn:      {esn0_db: -1}
  - modem.demap:       {}
  - llr.quantize:      {type: i8, scale: 4}
  - conv.rate_recover: {}
  - viterbi.decode:    {code: lte_tbcc}
  - crc.check:         {crc: 16}
  - sink.errors:       {}
stop: {frames: 600}
END
both "users with frames of different sizes" users.yaml --set batch=31
cat >hard-users.yaml <<'END'
fecrun: 1
seed: 5
blocks:
  - {user: a, count: 3, bits: 48}
  - {user: b, count: 1, bits: 1320}
  - {user: c, count: 2, bits: 24}
pipeline:
  - source.random: {}
  - modem.map:     {scheme: qpsk}
  - channel.awgn:  {esn0_db: -1}
  - modem.hard:    {}
  - sink.errors:   {}
stop: {frames: 600}
END
for scheme in bpsk:-3 qpsk:0 16qam:6 64qam:10 256qam:15; do
    set -- --set batch=31 --set modem.map.scheme=${scheme%:*} --set channel.awgn.esn0_db=${scheme#*:}
    for alone in modem.map channel.awgn modem.demap; do
        both "users, $scheme, $alone by itself" users.yaml "$@" --set=$alone.backend=cuda
    done
    both "users, $scheme, all by themselves" users.yaml "$@" --set=modem.map.backend=cuda \
        --set=channel.awgn.backend=cuda --set=modem.demap.backend=cuda
    both "users, $scheme, decided" hard-users.yaml "$@"
    both "users, $scheme, decided alone" hard-users.yaml "$@" --set=channel.awgn.backend=cuda
done
for channel in 'bsc: {p: 0.03}' 'bec: {p: 0.4}'; do
    sed "/modem/d; /quantize/d; s/channel.awgn:.*/channel.$channel/" users.yaml >bits.yaml
    both "users, channel.$channel" bits.yaml --set batch=31 --set viterbi.decode.backend=ref
done

cat >stream-counts.yaml <<'END'
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
both "a stream" stream-counts.yaml --set batch=13

for channel in 'bsc: {p: 0.03}' 'bec: {p: 0.4}'; do
    sed "/modem/d; /quantize/d; /^sweep/d; s/channel.awgn:.*/channel.$channel/" frames.yaml \
        >bits.yaml
    both "channel.$channel" bits.yaml --set viterbi.decode.backend=ref
done

# ---- crc ----

file=bits.raw
for crc in 24a 24b 24c 16 11 8 6; do
    for bits in 31 8192; do
        pipeline "source.random: {bits: $bits}" "crc.attach: {crc: '$crc', ones: 24, mask: 37}" \
            'sink.file: {path: bits.raw, dtype: packed}' 'stop: {frames: 19}' |
            sed 's/^  - stop/stop/' >crc.yaml
        bytes "crc.attach $crc, $bits bits" crc.yaml --set batch=7
    done
done
for crc in 'poly: 0x5935, width: 16, init: 0xffff' 'poly: 0x4820009, width: 40, xor: 0xffffffffff' \
    'poly: 0x04c11db7, width: 32, init: 0xffffffff, xor: 0xffffffff, reflect: true'; do
    for bits in 24 8192; do
        pipeline "source.random: {bits: $bits}" "crc.attach: {$crc, mask: 37}" \
            'sink.file: {path: bits.raw, dtype: packed}' 'stop: {frames: 19}' |
            sed 's/^  - stop/stop/' >crc.yaml
        bytes "crc.attach $crc, $bits bits" crc.yaml --set batch=7
        sed "s/  - sink.*/  - channel.bsc: {p: 0.02}\n  - llr.quantize: {scale: 1}\n  - bits.hard: {}\n  - crc.check: {$crc, mask: 37}\n  - sink.errors: {}/" \
            crc.yaml >check.yaml
        both "crc.check $crc, $bits bits" check.yaml --set batch=7
    done
done
sed '/quantize/d; /modem/d; /^sweep/d; s/channel.awgn:.*/channel.bsc: {p: 0.06}/
     s/  - conv.encode/  - crc.attach: {crc: 24a}\n&/
     s/  - sink.errors/  - crc.check: {crc: 24a}\n&/' frames.yaml >crc.yaml
same "crc.check: the same frames are found bad" \
    "$(run_fields 'frames bit_errors frame_errors undetected' crc.yaml --backend cuda \
        --set viterbi.decode.backend=ref)" \
    "$(run_ref run_fields 'frames bit_errors frame_errors undetected' crc.yaml)"

# ---- References in files ----

truth() {
    pipeline "source.random: {bits: $1}" 'sink.file: {path: truth.npy, dtype: u1}' \
        "stop: {frames: $2}" | sed 's/^  - stop/stop/' >truth.yaml
    "$FECRUN" run --quiet truth.yaml --backend ref >/dev/null
    pipeline "source.random: {bits: $1}" 'channel.bsc: {p: 0.01}' 'llr.quantize: {scale: 1}' \
        'fake.none: {}' 'sink.errors: {reference: truth.npy}' |
        sed "/quantize/d; /fake/d; /bsc/d; s/^fecrun/seed: 9\n&/" >compare.yaml
    echo "stop: {frames: $2}" >>compare.yaml
}
truth 1001 100
both "a reference in a file" compare.yaml --set batch=17
same "auto counts the same" "$(counts compare.yaml)" "$(run_ref counts compare.yaml)"
refuses 1 'truth.npy has only 100 frames' run compare.yaml --backend cuda --set stop.frames=101
truth 9000000 3
both "a reference of frames that take several pieces" compare.yaml --set batch=2

# ---- Who does what ----

run "$FECRUN" explain frames.yaml --set channel.awgn.ebn0_db=2
prints '^source.random: cuda on cuda:0$' "auto takes the device for source.random"
for stage in modem.map channel.awgn modem.demap; do
    prints "^$stage: absorbed by llr.quantize\$" "llr.quantize does $stage"
done
prints '^sink.errors: cuda on cuda:0$' "auto takes the device for sink.errors"
run "$FECRUN" explain frames.yaml --set channel.awgn.backend=cuda
prints '^modem.map: absorbed by channel.awgn$' "channel.awgn maps"
prints '^modem.demap: absorbed by llr.quantize$' "llr.quantize demaps"
run "$FECRUN" explain frames.yaml --backend ref
prints '^modem.demap: ref on host$' "--backend ref stays on the host"

done_testing
