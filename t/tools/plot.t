#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# `fecrun plot`: what of result files is drawn, with which labels; errors. Pictures themselves are looked
# at by people; here gnuplot has to take the commands, where it is installed.
. "$top_srcdir/t/lib/tap.sh"

point() { # SCALE EBN0 FER LO HI BER
    printf '{"type":"point","set":{"llr.quantize.scale":%s,"channel.awgn.ebn0_db":%s},"ebn0_db":%s,"esn0_db":%s,"ber":%s,"fer":%s,"fer_lo":%s,"fer_hi":%s}\n' \
        "$1" "$2" "$2" "$(awk "BEGIN { print $2 - 3.0103 }")" "$6" "$3" "$4" "$5"
}
{
    echo '{"type":"run","pipeline":[{"modem.map":{"scheme":"bpsk"}}]}'
    point 1 3 0.1 0.08 0.12 1e-3
    point 1 2 0.5 0.4 0.6 1e-2
    point 8 2 0.25 0.2 0.3 5e-3
    point 8 3 0.0 0.0 0.004 0.0
    echo '{"type":"end","status":0}'
} >curves.json
sed 's/channel.awgn.ebn0_db/channel.awgn.esn0_db/g; s/"llr.quantize.scale":[18],//; 3,4d' curves.json >other.json
cat >bars.json <<'END'
{"type":"bench","stage":"viterbi.decode","backend":"cuda","batch":1,"device_gbps":0.5,"end_to_end_gbps":0.25,"latency_us":{"p50":50,"p99":60}}
{"type":"bench","stage":"viterbi.decode","backend":"cuda","batch":64,"device_gbps":20,"end_to_end_gbps":null,"latency_us":null}
END

# script FILE... [OPTION...]: gnuplot's commands in gp
script() { run "$FECRUN" plot "$@" --gp gp; }
has() { ok "$1" grep -Fq -e "$2" gp; }

script curves.json
is 0 "commands alone need no gnuplot"
ok "and nothing is drawn" [ ! -s out ]
has "a curve for each other value of the sweep" "title 'llr.quantize.scale = 1'"
has "the second one" "title 'llr.quantize.scale = 8'"
has "the axis" "set xlabel 'Eb/N0, dB'"
ok "points in the order of the axis" \
    [ "$(sed -n '/^\$s0/,/^EOD/p' gp | awk 'NF == 4 { printf "%s ", $1 }')" = "2 3 " ]
has "with their intervals" "2 5.000000e-01 4.000000e-01 6.000000e-01"
has "no errors: the upper end alone" "3 4.000000e-03"
has "which the axis has room for" "set yrange [0.001:1]"
script curves.json --ber --guides
has "bit errors: the interval of their frames" "2 1.000000e-02 8.000000e-03 1.200000e-02"
# Its own interval, where a result has one: each end as it is.
sed 's/"ber":1e-2,/&"ber_lo":2e-3,"ber_hi":1.3e-2,/; s/"ber":0.0,/&"ber_lo":0.0,"ber_hi":3e-3,/' curves.json >ber.json
script ber.json --ber
has "the interval of bit errors, both ends" "2 1.000000e-02 2.000000e-03 1.300000e-02"
has "without errors the upper end" "3 3.000000e-03"
run "$FECRUN" plot ber.json --ber -o ber.tex
ok "in TeX as distances" grep -q '^2 1.000000e-02 3.000000e-03 8.000000e-03$' ber.tex
cat >run.yaml <<'END'
fecrun: 1
pipeline: [source.random: {bits: 200}, conv.encode: {code: ieee80211}, modem.map: {scheme: bpsk},
    channel.awgn: {ebn0_db: 2}, modem.demap: {}, viterbi.decode: {code: ieee80211}, sink.errors: {}]
sweep: {channel.awgn.ebn0_db: [1, 2]}
stop: {frames: 300}
END
without_cuda "$FECRUN" run run.yaml --quiet --json run.json
for what in ber fer; do
    option=
    [ $what = fer ] || option=--ber
    script run.json $option
    sed -n "s/.*\"ebn0_db\":\([0-9.]*\),.*\"$what\":\([^,]*\),.*\"${what}_lo\":\([^,]*\),\"${what}_hi\":\([^,]*\),.*/\1 \2 \3 \4/p" \
        run.json | awk '{ printf "%g %.6e %.6e %.6e\n", $1, $2, $3, $4 }' >want
    sed -n '/^\$s0/,/^EOD/p' gp | awk 'NF == 4 && $1 + 0' >got
    ok "a run: $what, and its interval as the result has it" sh -c '[ "$(wc -l <want)" = 2 ] && cmp want got'
done
script curves.json --ber --guides
# C = R = 1/2 bit in a real dimension: 2 R Eb/N0 = 2^(2 R) - 1, so 0 dB
has "the Shannon limit of rate 1/2 in real samples: 0 dB" "-0.0000 1.000000e+00"
has "in the legend" "title 'Shannon limit, 0.5 bit a use'"
has "and BPSK without a code" "BPSK without a code"
script curves.json other.json
has "several files: labels begin with theirs" "title 'curves: llr.quantize.scale = 1'"
has "one without another sweep has only that" "title 'other'"
script bars.json
has "bars: what they share is the title" "title 'viterbi.decode cuda'"
has "and the rest their names" "set ytics scale 0 noenhanced ('batch 1' 0, 'batch 64' 1)"
ok "speeds in one panel" [ "$(sed -n '/^\$p0a/,/^EOD/p' gp | grep -c '^[0-9]')" = 2 ]
ok "what was not measured is left out" [ "$(sed -n '/^\$p1a/,/^EOD/p' gp | grep -c '^[0-9]')" = 1 ]
cp curves.json "it's.json"
sed -i 's/"llr.quantize.scale":[18],//; 3,4d' "it's.json"
script "it's.json"
has "quotes in names" "title 'it''s'"

# What other programs print. All bars of AFF3CT's tables, in two versions of them.
cat >bch.txt <<'END'
[metadata]
command=aff3ct -C BCH
title=BCH (127,106)

[trace]
# * Modem -----------------------------------------
#    ** Type                   = BPSK
# ----------|----------||----------|----------|----------|----------|----------||----------|----------
#     Es/N0 |    Eb/N0 ||      FRA |       BE |       FE |      BER |      FER ||  SIM_THR |    ET/RT
#      (dB) |     (dB) ||          |          |          |          |          ||   (Mb/s) | (hhmmss)
# ----------|----------||----------|----------|----------|----------|----------||----------|----------
       1.22 |     2.00 ||     1114 |     6351 |     1010 | 5.38e-02 | 9.07e-01 ||   58.055 | 00h00'00
       3.22 |     4.00 ||     3859 |     4304 |     1006 | 1.05e-02 | 2.61e-01 ||   70.212 | 00h00'00
       5.22 |     6.00 || 1.00e+06 |        0 |        0 | 0.00e+00 | 0.00e+00 ||   77.779 | 00h00'00  x
# End of the simulation.
END
script bch.txt
is 0 "a trace of AFF3CT with a header"
has "its title" "title 'BCH (127,106)'"
has "its points" "4 2.606893e-01"
ok "with the interval of its counts" \
    grep -Eq '^4 2.606893e-01 2\.4[67][0-9]*e-01 2\.7[45][0-9]*e-01$' gp
has "no errors in a million frames: below 3.7e-6" "6 3.688873e-06"
sed '1,5d; 6,8s/.*/#/' bch.txt | sed 's/ |     Eb/ | Eb/' >old.txt
script old.txt curves.json --ber --guides
has "one without, and ours: of the file's name" "title 'old'"
has "its bit error rates" "2 5.380000e-02"
has "the limit of its rate, Es/N0 - Eb/N0" "Shannon limit, 0.836 bit a use"
sed 's/    Es.N0 |    Eb.N0 /       EP |      ROP/; s/^ *[1-5].22/ 0.0&/; s/0\.0  */    0.0/' bch.txt >bsc.txt
script bsc.txt
has "a channel of bits: over p" "set xlabel 'p'"
cat >sinter.csv <<'END'
     shots,    errors,  discards, seconds,decoder,strong_id,json_metadata,custom_counts
      1000,       100,         0,    1.00,pymatching,a1,"{""d"":3,""p"":0.02}",
      1000,        90,         0,    1.00,pymatching,a1,"{""d"":3,""p"":0.02}",
     10100,        50,       100,    1.00,pymatching,a2,"{""p"":0.002,""d"":3}",
      1000,         0,         0,    1.00,pymatching,b1,"{""d"":5,""p"":0.02}",
END
script sinter.csv
is 0 "sinter's CSV"
has "over p, whatever its place" "set xlabel 'p'"
has "a decade of which is as long as another" "set logscale x"
has "lines of one task are added up" "0.02 9.500000e-02"
has "what was discarded is no shot" "0.002 5.000000e-03"
has "a curve of each other metadata" "title 'd = 3, decoder = pymatching'"
sed '/"point"/s/"set":{[^}]*}/"set":{"channel.bsc.p":0.01}/; s/"e[bs]n0_db":[^,]*,/"x":1,/g' curves.json | head -n 2 >ours.json
script ours.json sinter.csv bsc.txt
is 0 "all kinds in one picture"
has "with the first one's name of the axis" "set xlabel 'channel.bsc.p'"
run "$FECRUN" plot ours.json sinter.csv -o a.tex
ok "both axes in decades, in TeX too" grep -q 'begin{loglogaxis}' a.tex
refuses 2 'sinter.csv: its axis is p, that of the others Eb/N0' plot curves.json sinter.csv
refuses 2 'sinter.csv: a point has no bit error rate' plot sinter.csv --ber
sed 's/,json_metadata//' sinter.csv >bad.csv
refuses 2 'bad.csv:1: has no column json_metadata' plot bad.csv
sed '3s/pymatching.*//' sinter.csv >bad.csv
refuses 2 'bad.csv:3: a row has fewer columns' plot bad.csv
sed '2s/"{.*}"/[1]/' sinter.csv >bad.csv
refuses 2 'bad.csv:2: json_metadata is no object' plot bad.csv
sed '/4.00/s/ ||  *70.*//' bch.txt >bad.txt
refuses 2 'bad.txt:13: a row has fewer columns' plot bad.txt

# ---- Counts that cannot be ----
sed '3s/"fer":0.5/"frames":10,"frame_errors":11,&/' curves.json >bad.json
refuses 2 'bad.json:3: frame_errors is 11: must be 0 to 10, which is frames' plot bad.json
refuses 2 'bad.json:3: frame_errors is 11: must be 0 to 10, which is frames' plot curves.json bad.json --ber
(echo && sed 's/,"ber"/\n&/' bad.json) >lines.json
refuses 2 'lines.json:6: frame_errors is 11' plot lines.json
sed '3s/"fer":0.5/"bits":1000,"bit_errors":1001,&/' curves.json >bad.json
refuses 2 'bad.json:3: bit_errors is 1001: must be 0 to 1000, which is bits' plot bad.json
sed '4s/"ber":5e-3/"ber":1.5/' curves.json >bad.json
refuses 2 'bad.json:4: ber is 1.5: must be 0 to 1' plot bad.json --ber
sed '2s/"fer_lo":0.08/"fer_lo":-0.08/' curves.json >bad.json
refuses 2 'bad.json:2: fer_lo is -0.08: must be 0 to 1' plot bad.json
sed '/3.22/s/ 1006 / 3860 /' bch.txt >bad.txt
refuses 2 'bad.txt:13: 3860 of 3859 frames are wrong: must be 0 to 3859' plot bad.txt
sed '/3.22/s/1.05e-02/1.05e+02/' bch.txt >bad.txt
refuses 2 'bad.txt:13: ber is 105: must be 0 to 1' plot bad.txt --ber
sed '3s/  90,/1001,/' sinter.csv >bad.csv
refuses 2 'bad.csv:3: 1001 of 1000 frames are wrong: must be 0 to 1000' plot bad.csv

# ---- Axes ----
sed 's/"fer":[^,]*,"fer_lo":[^,]*,"fer_hi":[^}]*/"fer":1,"fer_lo":0.99,"fer_hi":1/' curves.json >ones.json
script ones.json
has "all frames wrong: a decade below" "set yrange [0.1:1]"
sed -n 1,2p curves.json >one.json
script one.json
has "a point alone stands in the middle" "set xrange [2:4]"
# Eb/N0 is given, but only the scale varies.
sed -n '1p;3p;4p' curves.json >scales.json
script scales.json
has "x is what varies" "set xlabel 'llr.quantize.scale'"
has "and the rest names the curve" "title 'channel.awgn.ebn0_db = 2'"
sed '2s/"fer":[^,]*,"fer_lo":[^,]*,"fer_hi":[^}]*/"fer":0,"fer_lo":0,"fer_hi":0.004/' curves.json >none.json
script none.json
# Two curves have no errors at 3 dB: each arrow is drawn at a place of its own, half a step aside.
sed -n '/^\$z/,/^EOD/p' gp | awk '/^[0-9]/ { print $1 }' >places
ok "arrows at one place stand side by side" \
    awk '{ x[NR] = $1 } END { exit !(NR == 2 && x[1] < 3 && x[2] > 3 && x[1] > 2.98 && x[2] < 3.02) }' places

# ---- The normal approximation, by hand: at 0 dB a real dimension C = 1/2 and V = 3/8 log2(e)^2 = 0.780514 ----
finite() { # K EBN0: the point nearest to Eb/N0 that is drawn for K bits in 1024 uses
    awk -v k="$1" -v eb="$2" 'BEGIN {
        print "{\"type\":\"run\",\"pipeline\":[{\"modem.map\":{\"scheme\":\"bpsk\"}}]}"
        for (i = -1; i < 2; i++)
            printf "{\"type\":\"point\",\"set\":{},\"ebn0_db\":%g,\"esn0_db\":%.10g,\"frames\":100,\"bits\":%d,\"fer\":0.1,\"fer_lo\":0.08,\"fer_hi\":0.12}\n",
                eb + i, eb + i + 10 * log(k / 1024) / log(10), 100 * k }' >finite.json
    run "$FECRUN" plot finite.json --guides --gp gp --yrange 1e-5:1
    sed -n '/^\$n0/,/^EOD/p' gp | awk -v eb="$2" 'NF == 2 && $1 + 0 <= eb { x = $1; y = $2 }
        NF == 2 && $1 + 0 > eb { print exp(log(y) + (log($2) - log(y)) * (eb - x) / ($1 - x)); exit }'
}
# n C - k + log2(n) / 2 = 0: one half. Eb/N0 = 10 log10(1 / (2 k / n)).
ok "517 bits in 1024 uses at -0.0416 dB: 0.5" \
    awk -v y="$(finite 517 -0.041637)" 'BEGIN { exit !(y > 0.48 && y < 0.52) }'
# 87 bits less are 3.0773 deviations of 28.271: Q(3.0773) = 1.0444e-3
ok "430 bits at 0.758 dB: 1.04e-3" \
    awk -v y="$(finite 430 0.758383)" 'BEGIN { exit !(y > 0.00099 && y < 0.00110) }'
has "named" "title 'normal approximation, 430 bits in 1024 uses'"
run "$FECRUN" plot finite.json --guides -o a.tex
ok "in TeX too" grep -q 'addlegendentry{normal approximation, 430 bits in 1024 uses}' a.tex
ok "with the limit" grep -q 'addlegendentry{Shannon limit' a.tex

# ---- How it looks ----
script curves.json other.json --label 'the first' --label second --title "it's" --xrange 1:2.5 --yrange 1e-4:0.5
has "a title" "set title 'it''s'"
has "names of files" "title 'the first: llr.quantize.scale = 1'"
has "in turn" "title 'second'"
has "the range of x" "set xrange [1:2.5]"
has "and of y" "set yrange [0.0001:0.5]"
script curves.json --group scale
ok "a colour for each value of a parameter" [ "$(grep -o "lc rgb '#[0-9A-F]*' lw 1.6" gp | sort -u | wc -l)" = 2 ]
sed 's/"llr.quantize.scale":\([18]\)/&,"a.b":"\1"/; 3s/"a.b":"1"/"a.b":"2"/' curves.json >groups.json
script groups.json --group scale
ok "and one for all of its curves" [ "$(grep -o "linespoints lc rgb '#[0-9A-F]*'" gp | sort | uniq -c | awk '{ printf "%s ", $1 }')" = "2 1 " ]
script curves.json --size 40x12
has "letters" "size 40,12"
run "$FECRUN" plot curves.json -o a.tex --size 12x8 --title 50% --yrange 0.01:1
ok "TeX: size, title, range" sh -c 'grep -q "ymin=0.01, ymax=1, title={50.%}, width=12cm, height=8cm" a.tex'
refuses 2 'xrange 3: must be LOW:HIGH' plot curves.json --xrange 3
refuses 2 'xrange 3:2: LOW must be less' plot curves.json --xrange 3:2
refuses 2 'yrange 0:1: LOW must be more than 0' plot curves.json --yrange 0:1
refuses 2 'size 1x2: must be WIDTHxHEIGHT, each 3 to 100 cm' plot curves.json -o a.tex --size 1x2
refuses 2 'size 800: must be WIDTHxHEIGHT, each 40 to 8000 pixels' plot curves.json -o a.svg --size 800
refuses 2 'label b: there are 1 result files' plot curves.json --label a --label b
refuses 2 'group rate: curves.json does not sweep it' plot curves.json --group rate
refuses 2 '[-]-group: is for curves' plot bars.json --group rate

# ---- Our own CSV ----
without_cuda "$FECRUN" run run.yaml --quiet --json csv.json --csv csv.csv
for option in '' --ber; do
    script csv.json $option
    mv gp want
    script csv.csv $option
    ok "the CSV of a run ${option:-as its JSON}" cmp want gp
done
awk -F, 'NR == 2 { sub(/,frames$/, "") } 1' csv.csv >bad.csv
refuses 2 'bad.csv:2: a row has another number of columns' plot bad.csv
cat >bench.csv <<'CSV'
stage,backend,batch,device_gbps,end_to_end_gbps,latency_us.p50,latency_us.p99
viterbi.decode,cuda,1,0.5,0.25,50,60
viterbi.decode,cuda,64,20,,,
CSV
script bars.json
mv gp want
script bench.csv
ok "and of bench" cmp want gp

refuses 2 'a.gif: must end in .svg, .png, .pdf or .tex' plot curves.json -o a.gif
refuses 2 'cannot read none: No such file' plot none
refuses 2 'results of run and of bench do not go into one picture' plot bars.json curves.json
echo 'fecrun: 1' >bad.json
refuses 2 'bad.json:1: is not a result file of run.* AFF3CT .* sinter' plot bad.json
echo '{"type":"run"}' >bad.json
refuses 2 'bad.json: has nothing to draw' plot bad.json
echo '{"type":"point","set":{"a.b":3},"ber":0.1,"fer":0.1,"fer_lo":0.1,"fer_hi":0.2}' >bad.json
refuses 2 'bad.json: its axis is a.b, that of the others Eb/N0, dB' plot curves.json bad.json
echo '{"type":"point","set":{},"fer":null}' >bad.json
refuses 2 'bad.json: a point has no frame error rate' plot bad.json
refuses 2 'run: --guides belongs to plot' run --guides x.yaml
refuses 2 'needs RESULT.json' plot
PATH=/nowhere run "$FECRUN" plot curves.json
is 3 "without gnuplot: status 3"
says 'gnuplot is not installed' "and why"

run "$FECRUN" plot curves.json -o a.tex
is 0 "pgfplots' text"
ok "with the data" grep -q '^2 5.000000e-01 1.000000e-01 1.000000e-01$' a.tex
ok "and what has no errors as a comment" grep -q '^% no errors at 3: below 4.000e-03$' a.tex
ok "and an arrow" grep -q 'draw.-stealth, fecrun1. (axis cs:3,4.000000e-03) -- (axis cs:3,1.600000e-03);$' a.tex
run "$FECRUN" plot bars.json -o b.tex
ok "bars: speeds with copies too" grep -q 'addlegendentry{with copies}' b.tex

if command -v gnuplot >/dev/null 2>&1; then
    run "$FECRUN" plot curves.json --ber --guides -o a.svg
    is 0 "gnuplot takes the curves"
    ok "the picture is there" grep -q '</svg>' a.svg
    run "$FECRUN" plot bars.json -o b.svg
    is 0 "and the bars"
    echo old >c.svg
    mkdir bin
    printf '#!/bin/sh\nexit 1\n' >bin/gnuplot
    chmod +x bin/gnuplot
    PATH=$PWD/bin:$PATH run "$FECRUN" plot curves.json -o c.svg
    is 1 "a gnuplot that fails"
    ok "leaves the old picture and nothing else" [ "$(cat c.svg)" = old -a -z "$(ls | grep tmp)" ]
    run "$FECRUN" plot curves.json
    ok "on a terminal: text" grep -q 'llr.quantize.scale = 8' out
    ok "of 79 columns where there is none" [ "$(tr -d '\f' <out | awk 'length > 79' | wc -l)" = 0 ]
    if command -v script >/dev/null 2>&1 && command script -qec true /dev/null >/dev/null 2>&1; then
        command script -qec "stty cols 60 rows 25; $FECRUN plot curves.json" /dev/null </dev/null >typescript 2>&1
        ok "else as wide as it is" \
            [ "$(tr -d '\r\f' <typescript | awk '{ if (length > n) n = length } END { print n }')" = 59 ]
    else
        skip 1 "no script(1)"
    fi
    for suffix in svg png pdf; do
        run "$FECRUN" plot bch.txt curves.json --guides -o x.$suffix
        [ -s err ] && status=1
        is 0 "gnuplot says nothing of .$suffix"
        run "$FECRUN" plot bars.json bars.json -o x.$suffix
        [ -s err ] && status=1
        is 0 "nor of bars"
    done
else
    lacks plot 14 "no gnuplot"
fi
done_testing
