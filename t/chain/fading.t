#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# channel.fading and modem.demap's state: error rates, distribution and autocorrelation against closed forms; the same gains
# with any instruction set, batch and piece; what is refused.
. "$top_srcdir/t/lib/counts.sh"
without_cuda

# ---- Error rates without a code ----

# link SCHEME FADING ESN0 [DEMAP]: bit error rate over 300,000 bits, each with a gain of its own.
link() {
    { printf 'seed: 2\nstop: {frames: 250}\n'
        pipeline 'source.random: {bits: 1200}' "modem.map: {scheme: $1}" "channel.fading: {$2}" "channel.awgn: {esn0_db: $3}" \
            "modem.demap: {state: channel.fading.state$4}" 'bits.hard: {}' 'sink.errors: {}'; } | run_fields bit_errors -
}

# Mean of Q(sqrt(2 x |h|^2)) over gains. Rayleigh: closed. Rician of factor K: Craig's integral over its moments.
means='function rayleigh(x) { return (1 - sqrt(x / (1 + x))) / 2 }
    function rician(x, K,   i, n, s, t) {
        n = 20000
        for (i = 0; i < n; i++) {
            s = sin((i + .5) / n * 1.5707963267948966)
            t = x / (s * s)
            sum += (1 + K) / (1 + K + t) * exp(-K * t / (1 + K + t)) / n
        }
        return sum / 2
    }'
# rate WHAT ERRORS EXPRESSION: within four standard deviations of 300,000 bits. x: Es/N0, not in decibels.
rate() {
    tap_last="$2 errors, expected $(awk "$means BEGIN { x = $4; print 300000 * ($3) }")"
    awk -v got="$2" "$means BEGIN { x = $4; p = $3; d = got - 300000 * p; exit !(d * d < 16 * 300000 * p) }"
    tap_check $? "$1"
}
for db in 0 10 20; do
    ten="10 ^ ($db / 10)"
    rate "bpsk, Rayleigh, $db dB" "$(link bpsk 'block: 1' $db)" 'rayleigh(x)' "$ten"
    rate "... magnitudes" "$(link bpsk 'block: 1, gain: magnitude' $db)" 'rayleigh(x)' "$ten"
    rate "qpsk" "$(link qpsk 'block: 1' $db)" 'rayleigh(x / 2)' "$ten"
    # Gray labels: 3/4 Q(d) + 1/2 Q(3 d) - 1/4 Q(5 d), d^2 = Es / (5 N0)
    rate "16qam, whose amplitudes count" "$(link 16qam 'block: 1' $db)" \
        '3/4 * rayleigh(x / 10) + rayleigh(9 * x / 10) / 2 - rayleigh(25 * x / 10) / 4' "$ten"
done
rate "bpsk, Rician, 6 dB, at 5 dB" "$(link bpsk 'model: rician, k_db: 6, block: 1' 5)" 'rician(x, 10 ^ .6)' '10 ^ .5'
rate "bpsk, Rician, -3 dB, at 12 dB" "$(link bpsk 'model: rician, k_db: -3, block: 1' 12)" 'rician(x, 10 ^ -.3)' '10 ^ 1.2'
rate "qpsk, Rician, 3 dB, at 9 dB" "$(link qpsk 'model: rician, k_db: 3, block: 1' 9)" 'rician(x / 2, 10 ^ .3)' '10 ^ .9'
# A table of the same points, and halves, decide alike.
same "a table of QPSK's points" \
    "$(link 'points, points: [[1, 1], [1, -1], [-1, 1], [-1, -1]]' 'block: 1' 10)" "$(link qpsk 'block: 1' 10)"
same "LLRs of 16 bits" "$(link 16qam 'block: 1' 10 ', type: f16')" "$(link 16qam 'block: 1' 10)"
# Errors come together where a gain stays: some frames of 1200 symbols have none, though one bit of 40 is wrong.
{ printf 'seed: 2\nstop: {frames: 250}\n'
    pipeline 'source.random: {bits: 1200}' 'modem.map: {scheme: bpsk}' 'channel.fading: {}' 'channel.awgn: {esn0_db: 10}' \
        'modem.demap: {state: channel.fading.state}' 'bits.hard: {}' 'sink.errors: {}'; } >slow.yaml
ok "a gain a frame: most frames are without an error" test "$(run_fields frame_errors slow.yaml)" -lt 160

# ---- Gains ----

# state BITS FRAMES FADING OPTION...: gains as raw pairs of floats.
state() {
    { printf 'seed: 4\nstop: {frames: %s}\n' "$2"
        pipeline "source.random: {bits: $1}" 'modem.map: {scheme: bpsk}' "channel.fading: {$3}" 'sink.null: {}' \
            'sink.file: {id: gains, from: channel.fading.state, path: state, format: raw}'; } >state.yaml
    shift 3
    rm -f state
    run "$FECRUN" run --quiet state.yaml "$@"
}
# Jakes: the mean of h(0) h*(k) over 4000 frames is J0(2 pi .02 k), its imaginary part 0; each within 4 of 1/sqrt(4000).
state 64 4000 'doppler: 0.02'
od -An -v -tf4 -w512 state >frames
awk 'function j0(x,   k, t, s) { t = s = 1; for (k = 1; k < 60; k++) { t *= -(x * x / 4) / (k * k); s += t } return s }
    { for (k = 0; k < 64; k++) { re[k] += $1 * $(2 * k + 1) + $2 * $(2 * k + 2); im[k] += $1 * $(2 * k + 2) - $2 * $(2 * k + 1) }
      weak += $1 * $1 + $2 * $2 < .1; fades += $41 * $41 + $42 * $42 < .01 }
    END { for (k = 0; k < 64; k++) {
            want = j0(6.283185307179586 * .02 * k)
            if ((re[k] / NR - want) ^ 2 > .004 || (im[k] / NR) ^ 2 > .004) print "lag " k ": " re[k] / NR " " im[k] / NR ", J0 " want }
        print NR, (weak / NR > .077 && weak / NR < .113), (fades / NR > .004 && fades / NR < .016) }' frames >jakes
same "Jakes: autocorrelation J0, and 1 - exp(-x) of the powers are below x" "$(cat jakes)" "4000 1 1"
# Crossings of a level r times the mean amplitude, downwards: sqrt(2 pi) fd r exp(-r^2) a symbol; of 400 frames of 2000.
state 2000 400 'doppler: 0.01'
od -An -v -tf4 -w8 state | awk '{ p = $1 * $1 + $2 * $2 } (NR - 1) % 2000 && was >= .25 && p < .25 { n++ } { was = p }
    END { want = 2.5066 * .01 * .5 * exp(-.25) * 800000; print n, want; exit !(n > .95 * want && n < 1.05 * want) }' >crossings
ok "Jakes: it crosses a level as often as it should: $(cat crossings)" awk '{ exit !($1 > .95 * $2 && $1 < 1.05 * $2) }' crossings
# Rician: the mean of the gains is the direct path, sqrt(K / (K + 1)), the power 1.
state 1000 200 'model: rician, k_db: 0, block: 1'
od -An -v -tf4 -w8 state | awk '{ a += $1; b += $2; p += $1 * $1 + $2 * $2 } END { print (a / NR - sqrt(.5)) ^ 2 < 1e-4,
    (b / NR) ^ 2 < 1e-4, (p / NR - 1) ^ 2 < 1e-4 }' >rician
same "Rician: mean and power" "$(cat rician)" "1 1 1"
state 100 3 'block: 30'
same "blocks: four gains a frame, the last one shorter" "$(od -An -v -tx4 -w8 state | uniq -c | awk '{ printf "%s ", $1 }')" \
    "30 30 30 10 30 30 30 10 30 30 30 10 "

# ---- The same everywhere ----
state 3000 6 'doppler: 0.003, model: rician, k_db: 3'
same "gains are these on every machine" "$(cksum <state)" "3211163569 144000"
cp state jakes_state
for how in '--backend ref' '--set batch=1' '--threads 2'; do
    # shellcheck disable=SC2086 # several words
    state 3000 6 'doppler: 0.003, model: rician, k_db: 3' $how
    ok "the same with $how" cmp jakes_state state
done
for isa in generic avx2 avx512; do
    state 3000 6 "doppler: 0.003, model: rician, k_db: 3, tune: {isa: $isa}, backend: simd"
    if [ "$status" = 0 ]; then
        ok "the same with $isa" cmp jakes_state state
    else
        skip 1 "this CPU has no $isa"
    fi
done
state 3000 6 'block: 7, gain: magnitude'
same "gains of blocks, too" "$(cksum <state)" "3700999056 144000"
for fading in 'block: 7' 'doppler: 0.01'; do
    state '3000, stream: true' 4 "$fading"
    cp state whole
    state '600, stream: true' 20 "$fading"
    ok "a stream has the same gains in pieces of any size: $fading" cmp whole state
done

# ---- What is said ----
refused() {
    pipeline 'source.random: {bits: 600}' 'modem.map: {scheme: qpsk}' "$@" 'sink.null: {}' >bad.yaml
    "$FECRUN" check bad.yaml 2>&1 | sed 's/^fecrun: //' | head -1
}
same "both speeds" "$(refused 'channel.fading: {block: 3, doppler: 0.1}')" \
    'bad.yaml:5:41: channel.fading.doppler: give either block or doppler, not both'
same "no factor" "$(refused 'channel.fading: {model: rician}')" \
    'bad.yaml:5:5: channel.fading.k_db: must be given: how strong the direct path is'
same "a factor without a direct path" "$(refused 'channel.fading: {k_db: 3}')" \
    'bad.yaml:5:28: channel.fading.k_db: rayleigh has no direct path: write `model: rician`'
same "gains of another length" \
    "$(refused 'channel.fading: {}' 'channel.awgn: {esn0_db: 3}' 'source.file: {id: known, path: state, kind: symbols, dtype: c8, frame: 100}' \
        'modem.demap: {from: channel.awgn, state: known}' | sed 's/^[^ ]* //')" \
    'modem.demap.state: gives 100 gains a frame, and the frame has 300 symbols'
same "a state that is not there" "$(refused 'channel.fading: {}' 'channel.awgn: {esn0_db: 3}' 'modem.demap: {state: gains}' | sed 's/^[^ ]* //')" \
    'modem.demap.state: gains is no stage of this file: write channel.fading.state, or a source.file of `kind: symbols`'
for gains in channel.fading modem.map; do
    same "$gains as a state" "$(refused 'channel.fading: {}' 'channel.awgn: {esn0_db: 3}' "modem.demap: {state: $gains}" | sed 's/^[^ ]* //')" \
        "modem.demap.state: $gains gives symbols, and no gains: write channel.fading.state, or a source.file of \`kind: symbols\`"
done
pipeline 'source.random: {bits: 600, stream: true}' 'modem.map: {scheme: qpsk}' 'channel.fading: {}' 'sink.null: {}' >bad.yaml
refuses 2 'channel.fading.block: a stream has no frames: give block or doppler' check bad.yaml
warned() {
    pipeline 'source.random: {bits: 600}' 'modem.map: {scheme: qpsk}' "$@" 'bits.hard: {}' 'sink.null: {}' >said.yaml
    run "$FECRUN" run said.yaml --set stop.frames=1
    cat err
}
ok "a demapper without the state: a warning" sh -c 'case $1 in *"channel.fading changed phase and amplitude"*"state: channel.fading.state"*) ;; *) exit 1;; esac' - \
    "$(warned 'channel.fading: {}' 'channel.awgn: {esn0_db: 3}' 'modem.demap: {}')"
ok "with it: none" sh -c 'case $1 in *warning*) exit 1;; esac' - \
    "$(warned 'channel.fading: {}' 'channel.awgn: {esn0_db: 3}' 'modem.demap: {state: channel.fading.state}')"
ok "noise in front: a warning" sh -c 'case $1 in *"fades, too"*) ;; *) exit 1;; esac' - \
    "$(warned 'channel.awgn: {esn0_db: 3}' 'channel.fading: {}' 'modem.demap: {state: channel.fading.state}')"
done_testing
