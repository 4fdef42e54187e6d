#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# `make check-cuda-sanitizer`: every CUDA kernel under compute-sanitizer, with small inputs: memcheck,
# racecheck and initcheck must find nothing. Prints a line a case and tool, as tests do.
#
#     COMPUTE_SANITIZER    the program, if it is not found
#     SANITIZE_TOOLS       those to run (default: memcheck racecheck initcheck)
#     SANITIZE_CASES       only cases whose name matches this (grep -E)
#     SANITIZE_SECONDS     a case may take (default: 60)
. "$top_srcdir/t/lib/counts.sh"
tools=${SANITIZE_TOOLS:-memcheck racecheck initcheck}
seconds=${SANITIZE_SECONDS:-60}

find_sanitizer() {
    for sanitizer in "${COMPUTE_SANITIZER:-compute-sanitizer}" /usr/local/cuda/bin/compute-sanitizer \
        "${CUDA_HOME:-/usr/local/cuda}/compute-sanitizer/compute-sanitizer"; do
        command -v "$sanitizer" >/dev/null 2>&1 && return
    done
    skip_all "no compute-sanitizer; COMPUTE_SANITIZER may name it"
}

# sanitized TOOL COMMAND...: its output in out, 97 as its status if the tool found something
sanitized() {
    sanitized_tool=$1
    shift
    run timeout -k 5 "$seconds" "$sanitizer" --tool "$sanitized_tool" \
        --target-processes "$processes" --error-exitcode 97 --print-limit 10 "$@"
}

# Nothing was found, by a tool that did look: it says so when nothing was started on a device.
is_clean() {
    [ "$status" = 0 ] && grep -Eq 'SUMMARY: 0 (errors|hazards)' out &&
        ! grep -Eq 'SUMMARY: [1-9]|terminated before first instrumented' out err
}

show() {
    [ "$status" != 124 ] && [ "$status" != 137 ] || echo "# stopped after $seconds s"
    cat out err | grep -v '^ok ' | head -n 40 | sed 's/^/# /'
}

# check NAME COMMAND...: with all tools
check() {
    name=$1
    shift
    echo "$name" | grep -Eq -e "${SANITIZE_CASES:-.}" || return 0
    for tool in $tools; do
        sanitized "$tool" "$@"
        tap_n=$((tap_n + 1))
        if is_clean; then
            echo "ok $tap_n - $tool: $name"
        else
            tap_failed=$((tap_failed + 1))
            echo "not ok $tap_n - $tool: $name"
            echo "# $*"
            echo "# its status: $status"
            show
            echo "$tool: $name" >>failed
        fi
    done
}

# decodes NAME FILE SETTING...
decodes() {
    decodes_name=$1 file=$2
    shift 2
    for setting; do
        shift
        set -- "$@" --set "$setting"
    done
    check "$decodes_name" "$FECRUN" run --quiet --threads 2 --backend cuda "$file" "$@"
}

find_sanitizer
need_cuda

# ---- Pipelines ----

cat >frames.yaml <<'END'
fecrun: 1
seed: 5
batch: 17
in_flight: 2
pipeline:
  - source.random:  {bits: 960}
  - conv.encode:    {code: ieee80211, termination: truncated}
  - modem.map:      {scheme: bpsk}
  - channel.awgn:   {esn0_db: 1}
  - modem.demap:    {}
  - llr.quantize:   {type: i8, scale: 1.2, max: 5}
  - viterbi.decode: {code: ieee80211, termination: truncated}
  - sink.errors:    {}
stop: {frames: 40}
END
sed '/quantize/d' frames.yaml >float.yaml
for code in gsm_xcch gsm_tch_hs lte_tbcc dab ccsds umts_r2 cdma_r2 umts_r3 cdma2000_r4 cassini; do
    sed "s/ieee80211/$code/" frames.yaml >$code.yaml
done
sed 's/code: ieee80211, termination: truncated/code: dvb/
     s/bits: 960/bits: 1680, stream: true/
     s/.*modem.map/  - conv.puncture: {scheme: dvb, rate: 7\/8}\n&/
     s/.*viterbi/  - conv.depuncture: {scheme: dvb, rate: 7\/8}\n&/' frames.yaml >stream.yaml
for channel in 'bsc: {p: 0.03}' 'bec: {p: 0.4}'; do
    sed "/modem/d; s/channel.awgn:.*/channel.$channel/" frames.yaml >${channel%%:*}.yaml
done
sed '/quantize/d; /modem/d; s/channel.awgn:.*/channel.bsc: {p: 0.02}/
     s/.*conv.encode/  - crc.attach: {crc: 24a}\n&/
     s/.*sink.errors/  - crc.check: {crc: 24a}\n&/' frames.yaml >crc.yaml
sed 's/crc: 24a/poly: 0x4820009, width: 40, xor: 0xffffffffff/' crc.yaml >poly.yaml
sed '/conv.encode/d; /demap/d; /quantize/d; s/viterbi.decode: .*/modem.hard: {}/' frames.yaml >hard.yaml
cat >rs.yaml <<'END'
fecrun: 1
seed: 5
batch: 7
pipeline:
  - source.random:      {bits: 8920}
  - rs.encode:          {code: ccsds-255-223, depth: 5}
  - frame.scramble:     {scheme: ccsds}
  - frame.interleave:   {rows: 51}
  - channel.bsc:        {p: 0.006}
  - frame.deinterleave: {}
  - frame.descramble:   {}
  - bits.hard:          {}
  - rs.decode:          {}
  - sink.errors:        {}
stop: {frames: 20}
END
sed 's/bits: 8920/bits: 48408/; s/rs.encode:.*/bch.encode: {code: dvbs2, frame: normal, rate: 3\/4}/
     s/rows: 51/rows: 54/; s/p: 0.006/p: 0.0002/; s/rs.decode/bch.decode/; s/frames: 20/frames: 6/' rs.yaml >bch.yaml
cat >users.yaml <<'END'
fecrun: 1
seed: 5
batch: 17
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
stop: {frames: 60}
END
cat >ldpc-users.yaml <<'END'
fecrun: 1
seed: 5
batch: 7
blocks:
  - {user: a, count: 2, bits: 440, bg: 1, z: 20, fillers: 0, e: 700, qm: 2, rv: 0}
  - {user: b, count: 1, bits: 44, bg: 1, z: 2, fillers: 0, e: 300, qm: 1, rv: 3}
  - {user: c, count: 1, bits: 3801, bg: 2, z: 384, fillers: 39, e: 9000, qm: 6, rv: 2}
pipeline:
  - source.random:     {}
  - ldpc.encode:       {code: nr}
  - ldpc.rate_match:   {}
  - modem.map:         {scheme: bpsk}
  - channel.awgn:      {esn0_db: 0}
  - modem.demap:       {}
  - llr.quantize:      {type: i8, scale: 8}
  - ldpc.rate_recover: {}
  - ldpc.decode:       {code: nr, backend: ref}
  - sink.errors:       {}
stop: {frames: 14}
END
sed '/blocks/d; /user/d; s/random: *{/random: {bits: 8437/; s/code: nr/code: nr, bg: 1, z: 384, fillers: 11/
     s/rate_match: *{/&bg: 1, z: 384, fillers: 11, e: 14400/; s/rate_recover: *{/&bg: 1, z: 384, fillers: 11/' \
    ldpc-users.yaml >ldpc-match.yaml
sed '/rate_/d; /blocks/d; /user/d; s/code: nr/code: dvbs2, frame: short, rate: 1\/2/
     s/random: *{/random: {bits: 7200/' ldpc-users.yaml >dvbs2.yaml
sed 's/, backend: ref//; s/ldpc.decode: *{/&iterations: 3, /' ldpc-users.yaml >ldpc-many.yaml
sed 's/, backend: ref//; s/ldpc.decode: *{/&iterations: 2, /' dvbs2.yaml >dvbs2-decode.yaml
cat >ldpc.yaml <<'END'
fecrun: 1
seed: 5
batch: 5
in_flight: 2
pipeline:
  - source.random:     {bits: 440}
  - ldpc.encode:       {code: nr, bg: 1, z: 20}
  - ldpc.rate_match:   {bg: 1, z: 20, e: 1320}
  - modem.map:         {scheme: bpsk}
  - channel.awgn:      {esn0_db: 2}
  - modem.demap:       {}
  - llr.quantize:      {type: i8, scale: 8}
  - ldpc.rate_recover: {}
  - ldpc.decode:       {iterations: 3, early_stop: none}
  - sink.errors:       {}
stop: {frames: 10}
END
sed '/quantize/d' ldpc.yaml >ldpc-float.yaml
sed '/rate_/d; s/code: nr, bg: 1, z: 20/code: wifi, n: 648, rate: 5\/6/; s/bits: 440/bits: 540/' \
    ldpc.yaml >wifi.yaml
pipeline 'source.random: {bits: 1001}' 'sink.file: {path: truth.npy, dtype: u1}' >truth.yaml
echo 'stop: {frames: 40}' >>truth.yaml
pipeline 'source.random: {bits: 1001}' 'sink.errors: {reference: truth.npy}' >compare.yaml
printf 'seed: 9\nstop: {frames: 40}\n' >>compare.yaml
without_cuda "$FECRUN" run --quiet truth.yaml

# ---- What the sanitizer must follow ----

# Probes run in children of their own, which need not be looked at. Where hiding from those hides
# CUDA from them, too, all processes are followed.
for processes in application-only all; do
    sanitized memcheck "$FECRUN" run --quiet --backend cuda frames.yaml
    case $status in 0 | 97) break ;; esac
    cat out err >"first.$processes"
done
case $status in
0 | 97) ok "compute-sanitizer runs fecrun, --target-processes $processes" true ;;
*)
    ok "compute-sanitizer runs fecrun" false
    cat first.* | head -n 60 | sed 's/^/# /'
    done_testing
    ;;
esac

# ---- The provider, the chain, conv.* ----

check "provider: memory, copies, conversions" "$top_builddir/t/cuda/test_provider" nofault
for scheme in bpsk qpsk 16qam 64qam 256qam; do
    decodes "chain, $scheme" frames.yaml modem.map.scheme=$scheme
    decodes "chain, $scheme, each stage alone" frames.yaml modem.map.scheme=$scheme \
        modem.map.backend=cuda modem.demap.backend=cuda
done
decodes "chain, i16" frames.yaml llr.quantize.type=i16 modem.demap.backend=cuda
decodes "chain, i4" frames.yaml llr.quantize.type=i4
decodes "chain, float" float.yaml
decodes "chain, halves" float.yaml modem.demap.type=f16
decodes "chain, float, each stage alone" float.yaml modem.map.backend=cuda channel.awgn.backend=cuda
for scheme in bpsk 64qam; do
    decodes "chain, decided, $scheme" hard.yaml modem.map.scheme=$scheme
done
decodes "chain, decided by itself" hard.yaml channel.awgn.backend=cuda
decodes "channel.bsc" bsc.yaml
decodes "channel.bec" bec.yaml
decodes "crc" crc.yaml
decodes "crc of a polynomial" poly.yaml
decodes "RS, interleaved and scrambled" rs.yaml
decodes "BCH, interleaved and scrambled" bch.yaml
decodes "a reference in a file" compare.yaml
decodes "rate matching, tail-biting, users" users.yaml
decodes "users, each stage alone" users.yaml modem.map.backend=cuda channel.awgn.backend=cuda modem.demap.backend=cuda
decodes "users, halves" users.yaml modem.demap.type=f16 modem.demap.backend=cuda
for type in i8 i16; do
    decodes "LDPC: rate matching, users, $type" ldpc-users.yaml llr.quantize.type=$type
done
for qm in 4 6 8; do
    decodes "LDPC: rate matching, qm = $qm" ldpc-match.yaml ldpc.rate_match.qm=$qm ldpc.rate_recover.qm=$qm
done
decodes "LDPC: DVB-S2" dvbs2.yaml
decodes "LDPC: users, decoded" ldpc-many.yaml
decodes "conv.depuncture alone" stream.yaml conv.depuncture.backend=cuda

# ---- ldpc.decode ----

L=ldpc.decode
# nr NAME FILE BG Z ROWS SETTING...: what reaches so many rows is sent
nr() {
    nr_name=$1 nr_file=$2 nr_bg=$3 nr_z=$4 nr_rows=$5
    shift 5
    decodes "LDPC, $nr_name: BG$nr_bg, z = $nr_z, $nr_rows rows" "$nr_file" \
        source.random.bits=$(((34 - 12 * nr_bg) * nr_z)) ldpc.encode.bg=$nr_bg \
        ldpc.encode.z=$nr_z ldpc.rate_match.bg=$nr_bg ldpc.rate_match.z=$nr_z \
        ldpc.rate_match.e=$(((nr_rows + 32 - 12 * nr_bg) * nr_z)) "$@"
}
# A kernel for each of plugins/ldpc/cuda/registers/kernels/bg*.cu, one and several code blocks side by side.
for code in 1:384:5 1:384:13 1:384:34 1:384:46 1:352:46 1:256:46 1:208:9 1:208:18 1:208:24 \
    1:208:34 1:208:46 1:144:46 1:16:13 2:384:42 2:208:12 2:208:42 2:104:20; do
    rest=${code#*:}
    nr registers ldpc.yaml ${code%%:*} ${rest%:*} ${rest#*:} $L.tune.kernel=registers
done
# More code blocks than multiprocessors: the others of z = 384 were decoded one by one.
for code in 1:384:5 1:384:34 2:384:12; do
    rest=${code#*:}
    nr "registers, pairs" ldpc.yaml ${code%%:*} ${rest%:*} ${rest#*:} $L.tune.kernel=registers \
        batch=290 stop.frames=290 in_flight=1 $L.iterations=2
done
nr "registers, early stop" ldpc.yaml 1 208 9 $L.tune.kernel=registers $L.early_stop=syndrome
nr "registers, fillers" ldpc.yaml 2 104 20 $L.tune.kernel=registers ldpc.encode.fillers=40 \
    ldpc.rate_match.fillers=40 source.random.bits=1000
for code in 1:384:46 1:384:5 1:208:13 2:384:42; do
    rest=${code#*:}
    case ${FECRUN_CUDA_LIKE:-}:$code in *:99:1:384:46) continue ;; esac # needs more, and is refused in words
    nr flooding ldpc.yaml ${code%%:*} ${rest%:*} ${rest#*:} $L.schedule=flooding
done
nr "flooding, early stop" ldpc.yaml 1 384 13 $L.schedule=flooding $L.early_stop=syndrome
nr general ldpc.yaml 1 208 13 $L.tune.kernel=general
nr "general, float" ldpc-float.yaml 2 104 20
nr "general, oms" ldpc.yaml 2 20 42 $L.check_rule=offset-min-sum
decodes "LDPC, Wi-Fi" wifi.yaml
decodes "LDPC, DVB-S2" dvbs2-decode.yaml
for setting in arithmetic=half arithmetic=i16 messages=shared messages=global threshold=0 threads=64; do
    nr "document, $setting" ldpc.yaml 2 52 20 $L.backend=cuda-general $L.tune.$setting
done
for launch in one per-class; do
    decodes "LDPC, users, document, launch: $launch" ldpc-many.yaml $L.backend=cuda-general \
        $L.tune.launch=$launch
done

# ---- viterbi.decode: tiles in registers ----

D=viterbi.decode
registers=$D.tune.kernel=registers
traced="$D.tile.f=256 $D.tile.v1=48 $D.tile.v2=54 $D.tile.f0=8 $D.traceback_start=any"
any="$D.tile.f=256 $D.tile.v1=40 $D.tile.v2=38 $D.tile.f0=16 $D.traceback_start=any"
stored="$D.tile.f=256 $D.tile.v1=40 $D.tile.v2=38 $D.tile.f0=24 $D.traceback_start=stored"
tiles="$D.tile.f=256 $D.tile.v1=40 $D.tile.v2=40"
large="llr.quantize.max=127 llr.quantize.scale=20"
for tile in traced any stored tiles; do
    eval "set -- \$$tile"
    decodes "registers, $tile" frames.yaml $registers "$@"
    decodes "registers, $tile, nibbles" frames.yaml $registers "$@" llr.quantize.type=i4
    decodes "registers, $tile, large LLRs" frames.yaml $registers "$@" $large
    decodes "registers, $tile, punctured stream" stream.yaml $registers "$@"
    decodes "registers, $tile, punctured stream, large LLRs" stream.yaml $registers "$@" $large
done
decodes "registers, whole frames" frames.yaml $registers
for code in gsm_xcch gsm_tch_hs lte_tbcc dab ccsds; do
    memory=6
    [ $code != gsm_xcch ] || memory=4
    decodes "registers, $code" $code.yaml $registers $D.tile.f=256 $D.tile.v1=40 \
        $D.tile.v2=$((memory + 48)) $D.tile.f0=8 $D.traceback_start=any
done

# K = 9: a ring for v2 = 56; 8-bit metrics up to 8, 5 and 4
for code in umts_r2:8 cdma_r2:8 umts_r3:5 cdma2000_r4:4; do
    for max in ${code#*:} 127; do
        decodes "registers, ${code%:*}, |LLR| <= $max" ${code%:*}.yaml $registers $D.tile.f=256 \
            $D.tile.v1=40 $D.tile.v2=56 $D.tile.f0=8 $D.traceback_start=any llr.quantize.max=$max
    done
done
decodes "registers, K = 9, stored" umts_r2.yaml $registers $D.tile.f=256 $D.tile.v1=40 \
    $D.tile.v2=40 $D.tile.f0=24 $D.traceback_start=stored
# LLRs of a continuous stream begin where the lean loop wants them.
sed 's/truncated/continuous/; s/bits: 960/bits: 1920, stream: true/' umts_r2.yaml >umts_stream.yaml
for bytes in 1 2; do
    decodes "registers, K = 9, a stream, traces of $bytes bytes" umts_stream.yaml $registers \
        $D.tile.f=384 $D.tile.v1=64 $D.tile.v2=$((64 - 8 * bytes)) $D.tile.f0=$((8 * bytes)) \
        $D.traceback_start=stored
done
decodes "registers, K = 9, whole frames" umts_r2.yaml $registers

# ---- viterbi.decode: the general decoder ----

general=$D.tune.kernel=general
decodes "general, tiles" frames.yaml $general $tiles
decodes "general, sub-frames" frames.yaml $general $stored
decodes "general, punctured stream" stream.yaml $general $tiles
decodes "general, nibbles" frames.yaml $general $tiles llr.quantize.type=i4
decodes "general, float" float.yaml $general $tiles
decodes "general, K = 9" umts_r2.yaml $general $tiles
decodes "general, K = 15" cassini.yaml $general source.random.bits=40 stop.frames=6
for form in state warp; do
    for survivors in shared global; do
        decodes "document, form $form, $survivors memory" frames.yaml $D.backend=cuda-general \
            $D.tune.form=$form $D.tune.survivors=$survivors $stored
    done
done
decodes "document, round tail-biting frames" users.yaml $D.backend=cuda-general

# ---- turbo.decode ----

cat >turbo.yaml <<'END'
fecrun: 1
seed: 5
batch: 6
in_flight: 2
pipeline:
  - source.random: {bits: 488}
  - crc.attach:    {crc: 24b}
  - turbo.encode:  {k: 512}
  - modem.map:     {scheme: bpsk}
  - channel.awgn:  {esn0_db: -4}
  - modem.demap:   {}
  - llr.quantize:  {type: i8, scale: 8}
  - turbo.decode:  {iterations: 2, early_stop: none}
  - crc.check:     {crc: 24b}
  - sink.errors:   {}
stop: {frames: 12}
END
sed 's/crc.check:.*/sink.file:     {path: bits, dtype: packed}/
     s/sink.errors:.*/sink.file:     {id: llrs, path: llrs, from: turbo.decode.llr}/' turbo.yaml >turbo-llr.yaml
T=turbo.decode
# turbo NAME K SETTING...
turbo() {
    turbo_name=$1 turbo_k=$2
    shift 2
    decodes "turbo, $turbo_name: K = $turbo_k" turbo.yaml source.random.bits=$((turbo_k - 24)) turbo.encode.k=$turbo_k "$@"
}
# A block a multiprocessor at most: the kernel for few. More: windows. Short blocks are several in a thread block.
turbo "few blocks" 6144
turbo "few blocks" 2048
for k in 40 512 1504 6144; do
    turbo windows $k batch=300 stop.frames=300 in_flight=1 $T.iterations=1
done
turbo "windows, a stop" 512 batch=300 stop.frames=300 in_flight=1 $T.early_stop=crc $T.crc=24b
turbo "windows, log-map" 1024 batch=300 stop.frames=300 in_flight=1 $T.algorithm=log-map $T.iterations=1
turbo "no overlap" 1024 $T.tune.overlap=0
decodes "turbo, LLRs" turbo-llr.yaml
for type in i8 i16; do
    turbo "document, $type" 512 $T.backend=cuda-paper llr.quantize.type=$type $T.iterations=1
done

# ---- polar.decode ----

cat >polar.yaml <<'END'
fecrun: 1
seed: 5
batch: 70
in_flight: 2
pipeline:
  - source.random: {bits: 240}
  - crc.attach:    {crc: 16}
  - polar.encode:  {code: plain, n: 512, k: 256}
  - modem.map:     {scheme: bpsk}
  - channel.awgn:  {esn0_db: -1}
  - modem.demap:   {}
  - llr.quantize:  {type: i8, scale: 8}
  - polar.decode:  {crc: 16, algorithm: sc}
  - crc.check:     {crc: 16}
  - sink.errors:   {}
stop: {frames: 140}
END
P=polar.decode
# polar NAME N SETTING...
polar() {
    polar_name=$1 polar_n=$2
    shift 2
    decodes "polar, $polar_name: N = $polar_n" polar.yaml source.random.bits=$((polar_n / 2 - 16)) \
        polar.encode.n=$polar_n polar.encode.k=$((polar_n / 2)) polar.encode.construction=ga "$@"
}
for n in 64 256 1024; do
    polar sc $n
    polar "list 8" $n $P.algorithm=scl
done
polar "sc by a list" 2048 batch=20 stop.frames=20
for list in 2 32; do
    polar "list $list" 512 $P.algorithm=scl $P.list=$list
done
polar "list 8" 4096 $P.algorithm=scl batch=10 stop.frames=10
polar "one frame, list 8" 1024 $P.algorithm=scl batch=1 stop.frames=2
polar adaptive 512 $P.algorithm=scl $P.adaptive=true
for n in 64 256 1024 4096; do
    polar bp $n $P.algorithm=bp $P.iterations=3
done
polar "bp, a stop" 1024 $P.algorithm=bp $P.iterations=8 $P.early_stop=gmatrix
polar "document" 256 $P.algorithm=bp $P.backend=cuda-paper $P.iterations=3
decodes "polar, classes" "$top_srcdir/conf/polar-pdcch.yaml" stop.frames=40 batch=20

# ---- Summary ----

echo "# compute-sanitizer: $tap_n checks, $tap_failed failed ($tools)"
[ ! -s failed ] || sed 's/^/# failed: /' failed
done_testing
