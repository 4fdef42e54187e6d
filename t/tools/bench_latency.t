#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# `fecrun bench --latency`: single frames that arrive at a rate, on the host and on a device that is made of host memory.
# Rates are so low that any machine serves them, or so high that none does: nothing depends on time.
. "$top_srcdir/t/lib/tap.sh"
without_cuda
fake="--plugin-dir $FAKEDIR"

# link FILE STAGE...: with these stages behind the quantizer
link() {
    link_file=$1
    shift
    {
        printf 'fecrun: 1\nseed: 7\nbatch: 16\npipeline:\n  - source.random: {bits: 200}\n'
        printf '  - conv.encode: {code: ieee80211}\n  - modem.map: {scheme: bpsk}\n'
        printf '  - channel.awgn: {ebn0_db: 2}\n  - modem.demap: {}\n'
        printf '  - llr.quantize: {type: i8, scale: 2, max: 10}\n'
        printf '  - %s\n' "$@"
        printf '  - sink.errors: {}\n'
    } >"$link_file"
}
link host.yaml 'viterbi.decode: {code: ieee80211}'
link device.yaml 'fake.negate: {}' 'fake.scale: {factor: -1}' 'viterbi.decode: {code: ieee80211}' 'fake.flip: {}' \
    'fake.reverse: {}' 'fake.reverse: {id: back}' 'fake.flip: {id: again}'

# latency OPTION...: of the file on the host, as JSON
latency() {
    run timeout 100 "$FECRUN" bench host.yaml --latency --json - "$@"
}

# field NAME: of the last row
field() {
    grep '"type":"latency"' out | tail -n 1 | sed "s/.*\"$1\":{*\([^,}]*\)[,}].*/\1/"
}

# in_order NAME...: fields that do not fall
in_order() {
    for name; do
        field "$name"
    done | awk '$1 !~ /^[0-9.e+-]+$/ || $1 + 0 < last { bad = 1 } { last = $1 + 0 } END { exit bad || NR == 0 }'
}

# quantiles NAME...: they do not fall; a machine that is too busy for the rate has none
quantiles() {
    if [ "$(field overloaded)" = true ]; then
        skip 1 "this machine does not serve the rate now"
    else
        ok "$(echo "$@" | sed 's/ / <= /g')" in_order "$@"
    fi
}

# ---- A rate that is served ----
latency --rate 500 --seconds 2
is 0 "500 frames a second"
ok "1000 of 1000 are served" [ "$(field arrivals) $(field served)" = "1000 1000" ]
quantiles p50 p90 p99 p999 max
ok "the output is the reference's" [ "$(field checked_frames)" -gt 0 ]
ok "1000 different frames are checked" [ "$(field frames)" = 1000 ]
if [ "$(field overloaded)" = true ]; then
    skip 1 "this machine does not serve the rate now"
else
    ok "load is the share of the time" awk "BEGIN { d = $(field service_us) * 500e-6 - $(field load); exit d * d > 1e-12 }"
fi
latency --rate 500 --seconds 0.2
quantiles p50 p90 p99 max
prints '"p999":null' "... and no p99.9"
latency --rate 99 --seconds 1
prints '"p99":null,"p999":null' "of 99 frames there is no p99"
latency --rate 1 --seconds 1
ok "one frame" [ "$(field arrivals) $(field served)" = "1 1" ]
prints '"p50":null' "has no median"
run "$FECRUN" bench host.yaml --latency --rate 2000,500 --seconds 0.5
prints ' frames/s +load +served +call us +p50 us +p99 us +p99.9 us +max us +BER +FER +checked$' "a table"
prints '^ +2000 .* 1000 ' "with a row"
prints '^ +500 .* 250 ' "for each rate"
run "$FECRUN" bench host.yaml --latency --seconds 0.01 --json -
ok "by default 10, 50 and 90 percent of what single calls reach" [ "$(grep -c '"type":"latency"' out)" = 3 ]
run "$FECRUN" bench host.yaml --latency --rate 10%,1000% --seconds 0.01 --json -
ok "percentages are rates" sh -c 'grep "\"type\":\"latency\"" out | sed "s/.*\"rate\":\([0-9.e+]*\),.*/\1/" |
    awk "\$1 <= last { bad = 1 } { last = \$1 } END { exit bad || NR != 2 }"'
run "$FECRUN" bench host.yaml --latency --rate 200 --seconds 0.1 --csv -
ok "--csv: a header and a row" [ "$(grep -c , out)" = 2 ]
prints 'latency_us.p999' "with all columns"

# ---- One that is not ----
latency --rate 1e7 --seconds 1
is 0 "10^7 frames a second"
ok "are too many" [ "$(field overloaded)" = true ]
ok "and the load ends early" [ "$(field served)" -lt "$(field arrivals)" ]
prints '"latency_us":\{"p50":null,"p90":null,"p99":null,"p999":null,"max":null\}' "without a latency"
ok "but checked" [ "$(field frames)" -gt 0 ]
run "$FECRUN" bench host.yaml --latency --rate 1e7 --seconds 1
prints '^overload: (1e.07 frames/s arrive and [0-9.e+]+ can be served, so latency has no bound|a frame has waited)' "the table says so"

# ---- One so slow that not all of the frames have their turn ----
latency --backend ref --set source.random.bits=20000 --rate 1 --seconds 1
is 0 "a slow decoder"
ok "those that were decoded are checked" awk "BEGIN { exit !($(field frames) > 0 && $(field ber) < 0.1) }"

# ---- Ended by a signal ----
"$FECRUN" bench host.yaml --latency --rate 100 --seconds 3600 --json long.json >/dev/null 2>&1 &
pid=$!
sleep 2
kill -TERM $pid
wait $pid
ok "a signal ends an hour's load" [ $? = 1 ]

# ---- Inputs ----
run "$FECRUN" bench host.yaml --latency --rate 100 --seconds 0.1 --sweep channel.awgn.ebn0_db=3,4 --all-points --json -
ok "--all-points: a row for each" [ "$(grep -c '"type":"latency"' out)" = 2 ]
run "$FECRUN" bench host.yaml --latency --rate 100 --seconds 0.1 --stage llr.quantize --json -
prints '"stage":"llr.quantize"' "--stage"
head -c 100 /dev/urandom | od -An -v -tu1 | tr -s ' ' '\n' | awk 'NF { printf "%c", $1 % 2 + 0 }' >bits.raw
printf 'fecrun: 1\npipeline:\n  - source.file: {path: bits.raw, dtype: u1, frame: 20}\n' >short.yaml
printf '  - conv.encode: {code: ieee80211}\n  - modem.map: {scheme: bpsk}\n  - channel.awgn: {ebn0_db: 4}\n' >>short.yaml
printf '  - modem.demap: {}\n  - viterbi.decode: {code: ieee80211}\n  - sink.errors: {}\n' >>short.yaml
head -c 100 /dev/zero >bits.raw
run "$FECRUN" bench short.yaml --latency --rate 100 --seconds 0.1 --json -
is 0 "a file of 5 frames"
ok "they are taken in turn" [ "$(field served) $(field frames)" = "10 5" ]

# ---- A device ----
device() {
    run timeout 100 "$FECRUN" bench device.yaml $fake --backend fake --latency --rate 500 --seconds 2 --json - "$@"
}
for stage in fake.scale fake.flip again; do
    device --stage $stage
    is 0 "$stage on a device"
    prints '"device":"fake:0"' "which is the fake one"
    ok "1000 frames" [ "$(field served)" = 1000 ]
    quantiles p50 p90 p99 p999 max
    ok "the output is the reference's" [ "$(field checked_frames)" = "$(field frames)" ]
done
for fault in 'bits fake.scale: backend fake differs from ref in frame 0, byte 0 of its output; no speed' \
    'sync:1 fake kernel hit an illegal address' 'sync:3000 fake kernel hit an illegal address'; do
    FAKE_FAIL=${fault%% *}
    export FAKE_FAIL
    refuses 1 "${fault#* }" bench device.yaml $fake --backend fake --stage fake.scale --latency --rate 1000 --seconds 1
done
FAKE_FAIL=

# ---- Options ----
refuses 2 '^fecrun: --rate: belongs to --latency' bench host.yaml --rate 100
refuses 2 '^fecrun: --seconds: belongs to --latency' bench host.yaml --seconds 1
for option in '--batches 4' --sweep-batch --stage-only '--threads 1'; do
    refuses 2 "${option%% *}: not with --latency" bench host.yaml --latency $option
done
for rate in 0 -1 x 1e9 0% 2000% 5%% '10;20' nan; do
    refuses 2 "--rate $rate: must be up to 64 frames a second above 0 to 1e\+07, or percentages" \
        bench host.yaml --latency --rate "$rate"
done
refuses 2 '--rate: needs at least one number' bench host.yaml --latency --rate ,
for seconds in 0 -1 x 3601 inf; do
    refuses 2 "--seconds $seconds: must be above 0 to 3600" bench host.yaml --latency --seconds $seconds
done
refuses 2 '--seconds 100: 1e\+08 frames arrive at a rate of 1e\+06 a second, must be 1 to 10000000' \
    bench host.yaml --latency --rate 1e6 --seconds 100
refuses 2 '--seconds 0.001: 0 frames arrive at a rate of 1 a second' bench host.yaml --latency --rate 1 --seconds 0.001
cat host.yaml >blocks.yaml
printf 'blocks:\n  - {count: 2}\n  - {count: 2}\n' >>blocks.yaml
refuses 2 '^fecrun: blocks.yaml:[0-9:]* blocks: their rows are one batch' bench blocks.yaml --latency
done_testing
