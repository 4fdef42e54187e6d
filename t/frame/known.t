#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# frame.insert and frame.remove: places in frames of all types, shortened and punctured codes beside the same ones made by
# other means, what is refused.
. "$top_srcdir/t/lib/vectors.sh"
without_cuda

# through KIND DTYPE FRAME BYTES STAGE: what comes out of a file of those bytes (octal digits of printf), in hexadecimal
through() {
    # shellcheck disable=SC2059 # the format is the bytes
    printf "$4" >in
    pipeline "source.file: {path: in, kind: $1, dtype: $2, frame: $3}" "$5" "sink.file: {path: out, dtype: $2}" >through.yaml
    run "$FECRUN" run --quiet through.yaml
    hex <out
}
same "bits, zeros in front" "$(through bits u1 3 '\1\0\1\1\1\0' 'frame.insert: {count: 2, at: 0}')" 00000100010000010100
same "bits, ones behind" "$(through bits u1 3 '\1\0\1\1\1\0' 'frame.insert: {count: 1, value: 1}')" 0100010101010001
same "bits, in the middle" "$(through bits u1 3 '\1\0\1\1\1\0' 'frame.insert: {count: 1, at: 1}')" 0100000101000100
same "bits, taken out" "$(through bits u1 3 '\1\0\1\1\1\0' 'frame.remove: {count: 1, at: 1}')" 01010100
same "bits, the last ones" "$(through bits u1 3 '\1\0\1\1\1\0' 'frame.remove: {count: 2}')" 0101
same "i1, zeros" "$(through llr int8 2 '\1\2\3\4' 'frame.insert: {count: 1, at: 1}')" 017f02037f04
same "i1, ones" "$(through llr int8 2 '\1\2\3\4' 'frame.insert: {count: 1, value: 1}')" 010281030481
same "i2, unknown" "$(through llr int16 1 '\1\2\3\4' 'frame.insert: {count: 1, value: unknown}')" 0102000003040000
same "i2, ones" "$(through llr int16 1 '\1\2' 'frame.insert: {count: 1, value: 1}')" 01020180
same "f4, zeros are 2^20" "$(through llr float32 1 '\1\2\3\4' 'frame.insert: {count: 1, at: 0}')" 0000804901020304
# Half a byte holds no LLR that is much surer than the others.
printf '\036' >in
pipeline 'source.file: {path: in, kind: llr, dtype: int4, frame: 2}' 'frame.insert: {count: 1}' 'sink.file: {path: out, dtype: int8}' >half.yaml
run "$FECRUN" run --quiet half.yaml
same "half a byte becomes one" "$(hex <out)" 01fe7f
same "f4, taken out" "$(through llr float32 2 '\1\2\3\4\5\6\7\10' 'frame.remove: {count: 1, at: 0}')" 05060708

# ---- A shortened and punctured code of NR: what fillers and ldpc.rate_match make of it ----
# Four fillers are the last of K = 40; the first 8 columns are not sent by either.
chain() {
    printf 'seed: 3\nstop: {frames: 40}\n'
    pipeline 'source.random: {bits: 36}' "$@" 'sink.errors: {}'
}
encode() {
    printf 'seed: 3\nstop: {frames: 40}\n'
    pipeline 'source.random: {bits: 36}' "$@" 'sink.file: {path: sent, dtype: u1}'
}
encode 'ldpc.encode: {code: nr, bg: 2, z: 4, fillers: 4}' 'ldpc.rate_match: {e: 100}' >rate.yaml
encode 'frame.insert: {id: s1, count: 4}' 'ldpc.encode: {code: nr, bg: 2, z: 4}' 'frame.remove: {id: s2, count: 4, at: 28}' \
    'frame.remove: {id: s3, count: 96}' >known.yaml
run "$FECRUN" run --quiet rate.yaml
cp sent by_fillers
run "$FECRUN" run --quiet known.yaml
same "4000 bits of fillers and rate matching" "$(wc -c <by_fillers)" 4000
ok "are those of known and removed bits" cmp sent by_fillers

# The same LLRs come to the decoder, so it makes the same mistakes.
noise='channel.bsc: {p: 0.1}'
got=$(chain 'frame.insert: {id: s4, count: 4}' 'ldpc.encode: {code: nr, bg: 2, z: 4}' 'frame.remove: {id: s5, count: 4, at: 28}' \
    'frame.remove: {id: s6, count: 96}' "$noise" 'frame.insert: {id: s7, count: 96, value: unknown}' 'frame.insert: {id: s8, count: 4, at: 28}' \
    'ldpc.decode: {backend: ref, alpha: 0.8, rows: 42}' 'frame.remove: {id: s9, count: 4}' | counts -)
want=$(chain 'ldpc.encode: {code: nr, bg: 2, z: 4, fillers: 4}' 'ldpc.rate_match: {e: 100}' "$noise" \
    'ldpc.rate_recover: {}' 'ldpc.decode: {backend: ref, alpha: 0.8, rows: 42}' | counts -)
same "both make the same mistakes in 40 frames" "$got" "$want"
echo "# $got"
ok "and some" test "${got##* }" -gt 0

# ---- CCSDS: C2 as it is sent, (8160, 7136) ----
c2() {
    printf 'seed: 1\nstop: {frames: 20}\n'
    pipeline 'source.random: {bits: 7136}' 'frame.insert: {id: s10, count: 18, at: 0}' 'ldpc.encode: {code: ccsds, n: 8176}' \
        'frame.remove: {id: s11, count: 18, at: 0}' 'frame.insert: {id: s12, count: 2}' 'modem.map: {scheme: bpsk}' \
        "channel.awgn: {ebn0_db: $1}" 'modem.demap: {}' 'llr.quantize: {type: i8, scale: 8}' 'frame.remove: {id: s13, count: 2}' \
        "frame.insert: {id: s14, count: 18, at: 0, value: $2}" 'ldpc.decode: {iterations: 20}' 'frame.remove: {id: s15, count: 18, at: 0}' \
        'sink.errors: {}'
}
same "C2: 20 frames at 4.4 dB" "$(c2 4.4 0 | counts -)" '20 142720 0 0'
ok "C2: most are lost with ones for the zeros in front" test "$(c2 4.4 1 | run_fields frame_errors -)" -gt 10

# ---- Shortened codes of the other families ----
# shorter ENCODER COUNT AT SEND SENT: bits of the shortened word of ENCODER, of which SENT begin at SEND.
shorter() {
    pipeline 'source.random: {bits: 184}' "frame.insert: {id: k1, count: $2, at: $3}" "$1" "frame.remove: {id: k3, count: $2, at: $4}" \
        'sink.file: {path: sent, dtype: u1}'
    printf 'seed: 5\nstop: {frames: 10}\n'
}
shorter 'rs.encode: {n: 255, k: 223}' 1600 0 0 >rs.yaml
run "$FECRUN" run --quiet rs.yaml
cp sent rs
pipeline 'source.random: {bits: 184}' 'rs.encode: {n: 255, k: 223, shortened: 200}' 'sink.file: {path: sent, dtype: u1}' >rs.yaml
printf 'seed: 5\nstop: {frames: 10}\n' >>rs.yaml
run "$FECRUN" run --quiet rs.yaml
ok "RS: 200 symbols of known zeros are shortened: 200" cmp sent rs
shorter 'bch.encode: {m: 8, t: 5}' 31 0 0 >bch.yaml
run "$FECRUN" run --quiet bch.yaml
cp sent bch
pipeline 'source.random: {bits: 184}' 'bch.encode: {m: 8, t: 5, shortened: 31}' 'sink.file: {path: sent, dtype: u1}' >bch.yaml
printf 'seed: 5\nstop: {frames: 10}\n' >>bch.yaml
run "$FECRUN" run --quiet bch.yaml
ok "BCH: 31 bits of known zeros are shortened: 31" cmp sent bch

# Known bits that a decoder knows help it, and bits that are known wrongly spoil its frames.
while IFS='|' read -r family encoder count decoder fix place; do
    noise='modem.map: {scheme: bpsk}|channel.awgn: {esn0_db: '$fix'}|modem.demap: {}'
    for value in none 0 1; do
        IFS='|' && set -- $noise && unset IFS
        { printf 'seed: 5\nstop: {frames: 40}\n'
            if [ $value = none ]; then
                pipeline 'source.random: {bits: 184}' "frame.insert: {id: k1, count: $count}" "$encoder" "$@" "$decoder" \
                    "frame.remove: {id: k2, count: $count}" 'sink.errors: {}'
            else
                pipeline 'source.random: {bits: 184}' "frame.insert: {id: k1, count: $count}" "$encoder" \
                    "frame.remove: {id: k3, count: $count, at: $place}" "$@" \
                    "frame.insert: {id: k4, count: $count, at: $place, value: $value}" "$decoder" \
                    "frame.remove: {id: k2, count: $count}" 'sink.errors: {}'
            fi; } >family.yaml
        eval "v_$value=\$(run_fields frame_errors family.yaml)"
    done
    # shellcheck disable=SC2154 # set by eval
    echo "# $family: frames lost of 40: received $v_none, known $v_0, known wrongly $v_1"
    ok "$family: known bits help, wrong ones spoil" test "$v_0" -lt "$v_none" -a "$v_1" -gt "$v_none"
done <<END
LDPC|ldpc.encode: {code: wifi, n: 648, rate: 1/2}|140|ldpc.decode: {}|-1.5|184
turbo|turbo.encode: {k: 264}|80|turbo.decode: {}|-4.5|184
END

# ---- Refused ----
frames() {
    pipeline "source.random: {bits: 8}" "$1" 'sink.null: {}'
}
refused_stage() {
    frames "$1" >p.yaml
    same "$1" "$("$FECRUN" check p.yaml 2>&1 | sed 's/^fecrun: //' | head -1)" "$2"
}
refused_stage 'frame.remove: {count: 8}' 'p.yaml:4:27: frame.remove.count: is 8: that is all of a frame'
refused_stage 'frame.remove: {count: 9}' 'p.yaml:4:27: frame.remove.count: is 9, but a frame has 8 items'
refused_stage 'frame.remove: {count: 3, at: 6}' 'p.yaml:4:34: frame.remove.at: is 6; 3 items of 8 begin at 0 to 5'
refused_stage 'frame.insert: {count: 3, at: 9}' 'p.yaml:4:34: frame.insert.at: is 9; 3 items of 11 begin at 0 to 8'
refused_stage 'frame.insert: {count: 3, value: unknown}' \
    'p.yaml:4:37: frame.insert.value: a bit is 0 or 1; LLRs may be unknown'
refused_stage 'frame.insert: {at: 3}' 'p.yaml:4:5: frame.insert.count: must be given: how many, one after the other'
printf 'fecrun: 1\npipeline:\n  - source.random: {bits: 8, stream: true}\n  - frame.insert: {count: 1}\n  - sink.null: {}\n' >p.yaml
same "a stream" "$("$FECRUN" check p.yaml 2>&1 | sed 's/^fecrun: //' | head -1)" 'p.yaml:4:5: frame.insert: takes frames, not a stream'
done_testing
