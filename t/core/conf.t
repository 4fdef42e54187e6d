#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# The pipelines of conf/ run as they are, with fewer frames, and do what their comments say.
. "$top_srcdir/t/lib/counts.sh"

# Some write beside themselves, some read t/data.
mkdir conf t
cp "$CONF"/*.yaml "$CONF"/*.sigmf-meta conf
chmod u+w conf/*
ln -s "$T_DATA" t/data

# Of a .npy file: what stands behind the header.
payload() { tail -c "+$(($(od -An -j8 -N2 -tu2 "$1") + 11))" "$1"; }
llrs=t/data/noisy/conv_k7_r12_llr.npy
msg=t/data/noisy/conv_k7_r12_msg.npy

# works FILE OPTION...: run as a user would, with pipe.yaml's input on hand; it counts frames.
works() {
    file=conf/$1
    shift
    tap_last="fecrun run $file $*"
    payload $llrs | "$FECRUN" run "$file" --json result --quiet "$@" >out 2>err
    status=$?
    [ "$status" = 0 ] && fields frames <result | awk '$1 < 1 { bad = 1 } END { exit bad || !NR }' &&
        grep -q '^{"type":"end","status":0}' result
    tap_check $? "$tap_last"
}

# try FILE: `stop` is what an example with a source without end has.
try() {
    run "$FECRUN" check "conf/$1" --quiet
    is 0 "fecrun check conf/$1"
    if grep -q '^stop:' "conf/$1"; then
        works "$1" --set stop.frames=32
    else
        works "$1"
    fi
}

for file in dvb-stream-make.yaml dvb-stream-truth.yaml recording-make.yaml; do
    try $file
done
for path in conf/*.yaml; do
    case $path in
    *-make.yaml | *-truth.yaml) ;;
    *) try "${path#conf/}" ;;
    esac
done

# ---- What the comments say ----

for rate in 2/3 5/6; do
    works ieee80211a.yaml --set conv.puncture.rate=$rate --set conv.depuncture.rate=$rate \
        --set stop.frames=8
done
for scheme in bpsk qpsk 16qam; do
    works ieee80211a.yaml --set modem.map.scheme=$scheme --set stop.frames=8
done
for e in 72 288 576; do
    works lte-tbcc.yaml --set conv.rate_match.e=$e --set stop.frames=8
done

same "noisy-frames.yaml: 64 frames without an error" \
    "$(run_fields "frames bit_errors" conf/noisy-frames.yaml)" "64 0"

payload $llrs | "$FECRUN" run --quiet conf/pipe.yaml --set sink.file.dtype=u1 >bits
payload $msg | cmp - bits
tap_check $? "pipe.yaml: the noisy frames' bits"

# The same frames as libfec's bytes: 128 minus the LLR. LC_ALL=C is set.
payload $llrs | od -An -v -tu1 -w1 | awk '{ x = ($1 < 128 ? $1 : $1 - 256); printf "\\%03o", 128 - x }' >escapes
printf "$(cat escapes)" >libfec
"$FECRUN" run --quiet conf/soft-bytes.yaml --set sink.file.dtype=u1 <libfec >bits
payload $msg | cmp - bits
tap_check $? "soft-bytes.yaml: the noisy frames' bits from bytes that are large for 1"
{ printf HEADER; cat libfec; } | "$FECRUN" run --quiet conf/soft-bytes.yaml --set sink.file.dtype=u1 \
    --set source.file.skip=16414 --set source.file.count=8204 >bits
payload $msg | tail -c +8193 | head -c 4096 | cmp - bits
tap_check $? "soft-bytes.yaml: the third frame, after a header of six bytes"
"$FECRUN" run --quiet conf/soft-bytes.yaml --set sink.file.dtype=u1 --set source.file.invert=false <libfec >bits
ok "soft-bytes.yaml: not those if the sign is wrong" sh -c '[ -s bits ] && ! tail -c 262144 "$0" | cmp -s - bits' $msg

same "galileo-fnav.yaml: the page's CRC holds" "$(run_fields "frames failed" conf/galileo-fnav.yaml)" "1 0"

"$FECRUN" run --quiet --json result conf/galileo-inav.yaml >bits
same "galileo-inav.yaml: the CRC over both parts holds" "$(fields "frames failed" <result)" "1 0"

# wrong FILE SETTING...: with each of them a run warns that all frames failed.
wrong() {
    file=$1
    shift
    for setting in "$@"; do
        run "$FECRUN" run conf/$file --set source.file.$setting
        is 0 "$file: with $setting"
        says "all frames failed" "is reported"
    done
}
wrong galileo-inav.yaml invert=false swap=true
"$FECRUN" run --quiet --json result conf/ccsds-telemetry.yaml >bits
same "ccsds-telemetry.yaml: the two transfer frames" \
    "$(head -c 2230 bits | cksum)" "$(cksum <t/data/frame/ccsds_msg.bin)"
same "and the end, which fails" "$(fields "frames failed" <result)" "3 1"
"$FECRUN" run --quiet conf/ccsds-telemetry.yaml --set source.file.invert=true >turned
same "the same if all symbols are inverted" "$(head -c 2230 turned | cksum)" "$(cksum <t/data/frame/ccsds_msg.bin)"
wrong ccsds-telemetry.yaml skip=1 swap=true
"$FECRUN" run --quiet conf/gps-cnav.yaml >bits
same "gps-cnav.yaml: the five messages" "$(head -c 175 bits | cksum)" "$(cksum <t/data/frame/cnav_msg.bin)"
"$FECRUN" run --quiet conf/gps-cnav.yaml --set source.file.invert=true >turned
same "the same if all symbols are inverted" "$(head -c 175 turned | cksum)" "$(cksum <t/data/frame/cnav_msg.bin)"
wrong gps-cnav.yaml skip=1 swap=true

# transport FILE PACKETS LAST: the transport packets from symbols; the outer code's errors and what fails without it.
transport() {
    "$FECRUN" run --quiet --json result conf/$1.yaml >ts 2>err
    same "$1.yaml: $2 transport packets" \
        "$(head -c $(($2 * 188)) ts | cksum)" "$(head -c $(($2 * 188)) t/data/frame/dvb_msg.bin | cksum)"
    same "and the last eleven, which are not complete, fail" "$(fields "blocks block_errors" <result)" "$3 11"
    # The inner code leaves three wrong bits a packet.
    sed 's/^  - viterbi.decode:.*/&\n  - channel.bsc: {p: 0.002}\n  - bits.hard: {}/; s/tolerance: 0/tolerance: 1/' \
        conf/$1.yaml >conf/wrong.yaml
    "$FECRUN" run --quiet conf/wrong.yaml >ts
    ok "$1.yaml: the outer code corrects them" \
        sh -c "head -c $(($2 * 188)) t/data/frame/dvb_msg.bin >want; head -c $(($2 * 188)) ts | cmp want -"
    sed 's/rs.decode:.*/frame.remove: {count: 128}/' conf/wrong.yaml >conf/without.yaml
    "$FECRUN" run --quiet conf/without.yaml >ts
    # shellcheck disable=SC2016 # sh's
    ok "$1.yaml: which it has to" sh -c '[ "$(cmp -l want ts 2>/dev/null | wc -l)" -gt 15 ]'
}
transport dvb-s 9 20
wrong dvb-s.yaml skip=0 swap=true invert=true
transport dvb-t 16 30
wrong dvb-t.yaml skip=2 invert=true

"$FECRUN" run --quiet conf/dvb-s2.yaml >bits
same "dvb-s2.yaml: the two baseband frames" "$(cksum <bits)" "$(cksum <t/data/frame/dvb_s2_msg.bin)"
wrong dvb-s2.yaml invert=true
"$FECRUN" run --quiet --json result conf/ft8.yaml >bits
same "ft8.yaml: ft8_lib's 40 messages" "$(cksum <bits)" "$(cksum <t/data/frame/ft8_msg.bin)"
same "whose CRCs hold" "$(fields "frames failed" <result)" "40 0"
wrong ft8.yaml invert=false swap=true

"$FECRUN" run --quiet conf/gsm-afs.yaml >bits
same "gsm-afs.yaml: the four blocks" "$(cksum <bits)" "$(cksum <t/data/frame/gsm_afs_msg.bin)"
"$FECRUN" run --quiet conf/gsm-xcch.yaml >bits
same "gsm-xcch.yaml: the messages" \
    "$(cksum <bits)" "$(cksum <t/data/frame/gsm_xcch_msg.bin)"

"$FECRUN" run --quiet --json result conf/m17-lsf.yaml >bits
same "m17-lsf.yaml: the four frames" "$(head -c 112 bits | cksum)" "$(cksum <t/data/frame/m17_lsf_msg.bin)"
for piece in 384 1536; do
    "$FECRUN" run --quiet conf/m17-lsf.yaml --set source.file.piece=$piece --set batch=1 >bits
    same "m17-lsf.yaml: in pieces of $piece" "$(head -c 112 bits | cksum)" "$(cksum <t/data/frame/m17_lsf_msg.bin)"
done
"$FECRUN" run --quiet --json result conf/m17-lsf.yaml --set source.file.piece=384 >bits
same "m17-lsf.yaml: and two that failed" "$(fields "frames failed" <result)" "6 2"

"$FECRUN" run --quiet --json result conf/m17-stream.yaml >bits
same "m17-stream.yaml: number and payload of the eight frames" \
    "$(head -c 144 bits | cksum)" "$(cksum <t/data/frame/m17_stream_msg.bin)"
same "and what follows, which fails" "$(fields "blocks block_errors" <result)" "9 1"
wrong m17-stream.yaml invert=true
run "$FECRUN" run conf/m17-stream.yaml --set source.file.swap=true
says "not in step" "m17-stream.yaml: swapped is reported"

"$FECRUN" run --quiet --json result conf/lte-pbch.yaml >bits
same "lte-pbch.yaml: both master information blocks" "$(cksum <bits)" "$(cksum <t/data/frame/lte_pbch_msg.bin)"
same "whose CRCs hold" "$(fields "frames failed" <result)" "2 0"
wrong lte-pbch.yaml invert=true swap=true
for setting in crc.check.mask=0 frame.descramble.seed=300; do
    run "$FECRUN" run conf/lte-pbch.yaml --set $setting
    says "all frames failed" "lte-pbch.yaml: $setting is reported"
done

"$FECRUN" run --quiet --json result conf/nr-pbch.yaml >bits
same "nr-pbch.yaml: four blocks, frame number and half frame" "$(cksum <bits)" "$(cksum <t/data/frame/nr_pbch_msg.bin)"
same "whose CRCs hold" "$(fields "frames failed" <result)" "4 0"
wrong nr-pbch.yaml invert=true swap=true
run "$FECRUN" run conf/nr-pbch.yaml --set symbols.seed=501
says "all frames failed" "nr-pbch.yaml: another cell is reported"

# Number, remainder and message of the candidates whose remainder begins with a byte of 0.
"$FECRUN" run --quiet conf/nr-dci-blind.yaml >rntis 2>err
od -An -v -tx1 -w3 rntis >rnti_lines
od -An -v -tx1 -w5 conf/nr-dci.bin | paste -d '' rnti_lines - | awk '$1 == "00" { print NR - 1 ":" $0 }' | tr -d ' ' >found
od -An -v -tx1 -w7 t/data/frame/nr_dci_msg.bin | awk '{ print NR == 1 ? "3:" : "8:", "00", $6, $7, $1, $2, $3, $4, $5 }' | tr -d ' ' >sent
same "nr-dci-blind.yaml: both RNTIs and messages, and no others" "$(cat found)" "$(cat sent)"
same "one of them alone, by its RNTI" \
    "$(run_fields "frames failed" conf/nr-dci-blind.yaml --set crc.check.mask=0x4601 --set crc.check.unknown=0 --set rntis.path=rntis)" "12 11"
same "all others are marked as failed" "$(run_fields "frames failed" conf/nr-dci-blind.yaml --set rntis.path=rntis)" "12 10"

# Standard input in hexadecimal, in one line.
hex() { od -An -v -tx1 | tr -d ' \n'; }
# without_fcs BYTES FILE: of PSDUs of so many bytes
without_fcs() { od -An -v -tx1 -w"$1" "$2" | cut -c "1-$((3 * ($1 - 4)))" | tr -d ' \n'; }
"$FECRUN" run --quiet --json result conf/wifi-ppdu.yaml >bits
same "wifi-ppdu.yaml: the three PSDUs" "$(hex <bits)" "$(without_fcs 100 t/data/frame/wifi_ppdu_msg.bin)"
same "whose checks hold" "$(fields "frames failed" <result)" "3 0"
wrong wifi-ppdu.yaml invert=true swap=true
run "$FECRUN" run conf/wifi-ppdu.yaml --set frame.descramble.seed=3
says "all frames failed" "wifi-ppdu.yaml: another seed is reported"
# Two code words of shares 244 and 192; two with 32 repeated bits each.
sed 's/wifi_ppdu/wifi_ppdu_two/; s/frame: 1664}/frame: 3016}\n  - frame.split: {id: words, frame: 1508}/; s/count: 124/count: 192/; s/count: 156, at: 816/count: 244, at: 728/; s/count: 156/count: 244/
    /unshorten/a\  - frame.join: {}\n  - frame.split: {frame: 1456}' conf/wifi-ppdu.yaml >conf/two.yaml
"$FECRUN" run --quiet --json result conf/two.yaml >bits
same "two code words, shortened and punctured" "$(hex <bits)" "$(without_fcs 180 t/data/frame/wifi_ppdu_two_msg.bin)"
sed 's/wifi_ppdu/wifi_ppdu_repeated/; s/frame: 1664}/frame: 3952}\n  - frame.split: {id: words, frame: 1976}/; s/frame.insert:.*punctured.*/frame.remove: {id: repeated, count: 32}/; /shortened/d
    s/frame.remove:.*unshorten.*/frame.join: {}\n  - frame.split: {frame: 1944}/' conf/wifi-ppdu.yaml >conf/repeated.yaml
"$FECRUN" run --quiet --json result conf/repeated.yaml >bits
same "two code words with repeated bits" "$(hex <bits)" "$(without_fcs 241 t/data/frame/wifi_ppdu_repeated_msg.bin)"
rm conf/two.yaml conf/repeated.yaml

"$FECRUN" run --quiet --json result conf/dab-fic.yaml >bits
same "dab-fic.yaml: the twelve information blocks" "$(cksum <bits)" "$(cksum <t/data/frame/dab_fic_msg.bin)"
same "whose CRCs hold" "$(fields "blocks block_errors" <result)" "12 0"
wrong dab-fic.yaml invert=true swap=true

run "$FECRUN" run --quiet conf/dvb-stream-make.yaml
run "$FECRUN" run --quiet conf/dvb-stream-truth.yaml
counts conf/dvb-stream.yaml >result
ok "dvb-stream.yaml: all bits of the file, about 50 of them wrong" \
    awk '{ n++; if ($2 != 672000 || $3 < 5 || $3 > 150) exit 1 } END { exit n != 1 }' result

# 6 dB hard is worse than 4 dB soft, 7 dB hard is not.
counts conf/soft-vs-hard.yaml --set channel.awgn.ebn0_db=6 --set stop.frames=1000 >result
counts conf/soft-vs-hard.yaml --set channel.awgn.ebn0_db=4 --set stop.frames=1000 >>result
counts conf/soft-vs-hard.yaml --set channel.awgn.ebn0_db=7 --set stop.frames=1000 >>result
ok "soft-vs-hard.yaml: soft decisions are worth 2 to 3 dB" \
    awk '{ e[NR] = $3 } END { exit !(NR == 6 && e[1] > e[4] && e[4] > e[5]) }' result

run "$FECRUN" run --quiet --json - conf/lte-multiuser.yaml
same "lte-multiuser.yaml: all frames, then those of each user" \
    "$(grep '"type":"point"' out | tr ',{' '\n\n' | sed -n 's/^"frames"://p' | tr '\n' ' ')" "15000 8000 2000 4000 1000 "

# One batch of all users, each counted.
run "$FECRUN" run --quiet --json - conf/ldpc-multiuser.yaml --set stop.frames=79
same "ldpc-multiuser.yaml: frames of 24 users" \
    "$(grep '"type":"point"' out | tr ',{' '\n\n' | sed -n 's/^"frames"://p' | tr '\n' ' ')" \
    "79 $(sed -n 's/.*count: \([0-9]*\),.*/\1/p' conf/ldpc-multiuser.yaml | tr '\n' ' ')"
same "its users are of 22 classes" \
    "$(sed -n 's/.*\(bg: .*\), *fillers.*\(e: [0-9]*\),.*/\1 \2/p' conf/ldpc-multiuser.yaml |
        sort -u | wc -l)" 22
same "nearly all blocks are received" \
    "$(run_fields "frames frame_errors" conf/ldpc-multiuser.yaml --set stop.frames=790 |
        awk '{ print $1, $2 < 24 }')" "790 1"

run "$FECRUN" run --quiet --json - conf/turbo-multiuser.yaml --set stop.frames=58
same "turbo-multiuser.yaml: frames of 12 users" \
    "$(grep '"type":"point"' out | tr ',{' '\n\n' | sed -n 's/^"frames"://p' | tr '\n' ' ')" \
    "58 $(sed -n 's/.*count: \([0-9]*\),.*/\1/p' conf/turbo-multiuser.yaml | tr '\n' ' ')"
same "most of its blocks are received, but not 0.4 dB below" \
    "$(run_fields "frames frame_errors" conf/turbo-multiuser.yaml --set stop.frames=580 |
        awk '{ print $1, $2 < 58 }') $(run_fields "frame_errors" conf/turbo-multiuser.yaml \
        --set stop.frames=580 --set channel.awgn.esn0_db=1.5 | awk '{ print ($1 > 58) }')" "580 1 1"

for rate in 9504:6.3 12672:3.5 25344:-0.8; do
    same "ldpc-nr.yaml, e = ${rate%:*}: most blocks are received" \
        "$(run_fields "frames frame_errors" conf/ldpc-nr.yaml --set stop.frames=32 --set \
            ldpc.rate_match.e=${rate%:*} --set channel.awgn.esn0_db=${rate#*:} |
            awk '{ print $1, $2 < 12 }')" "32 1"
done

# Codes that ldpc-wifi.yaml names.
grep '^#   {code:.*[0-9] bits$' conf/ldpc-wifi.yaml >others
while read -r _ code; do
    sed "s|{code: wifi[^}]*1/2|${code%%\}*}|; s|bits: 324|bits: $(echo "${code##*\}}" | tr -cd 0-9)|" \
        conf/ldpc-wifi.yaml >conf/other.yaml
    works other.yaml --set stop.frames=8 --set channel.awgn.ebn0_db=6
done <others
same "four of them" "$(wc -l <others)" 4

# At 1 dB, where both together decode 95 %.
same "ldpc-harq.yaml: without its first transmission all is lost" \
    "$(run_fields "frames frame_errors" conf/ldpc-harq.yaml --set noise0.esn0_db=-20 \
        --set noise2.esn0_db=1 --set stop.frames=50)" "50 50"

# At 6 dB, where four transmissions together bring all transport blocks.
for lost in 0 3; do
    same "turbo-transport.yaml: all are received, and none without transmission $lost" \
        "$(run_fields "frames frame_errors" conf/turbo-transport.yaml --set stop.frames=3 \
            --set noise1.esn0_db=6) $(run_fields "frame_errors" conf/turbo-transport.yaml \
            --set stop.frames=3 --set noise1.esn0_db=6 --set noise$lost.esn0_db=-20)" "3 0 3"
done
done_testing
