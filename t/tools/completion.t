#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# fecrun --complete, and the files with which bash, zsh and fish ask it.
. "$top_srcdir/t/lib/tap.sh"
without_cuda
unset FECRUN_ISA

# offers WHAT EXPECTED WORD...: the words that are offered, in one line
offers() {
    offers_what=$1 offers_wanted=$2
    shift 2
    run "$FECRUN" --complete "$@"
    cut -f 1 out | tr '\n' ' ' | sed 's/ $//' >got
    [ "$status" = 0 ] && [ "$(cat got)" = "$offers_wanted" ] && [ ! -s err ]
    tap_check $? "$offers_what"
}

settings="seed= batch= in_flight= latency= backend= stop.frame_errors= stop.frames= stop.seconds="
cat >link.yaml <<END
fecrun: 1
pipeline:
  - source.random: {bits: 100}
  - conv.encode: {id: outer, code: ccsds}
  - conv.encode: {id: inner, code: ccsds}
  - viterbi.decode: {code: ccsds}
  - sink.null: {}
stop: {frames: 1}
END
offers "verbs" compare co
offers "options of a verb" "--sweep-batch --sweep" bench --sw
offers "... not those of another" "--size" plot --si
for verb in $("$FECRUN" --help | awk '/^$/ { part++ } part == 1 && NF { print $1 }'); do
    run "$FECRUN" --complete "$verb" -
    cut -f 1 out | sort >got
    "$FECRUN" "$verb" --help | sed -n 's/^  \(--*[a-z-]*\).*/\1/p' | grep -v '^--version' | sort >wanted
    ok "$verb: all of its options" cmp -s wanted got
    ok "... each with a word or more" sh -c '! grep -vP "\t[^ \t].*" out'
done
offers "stages" turbo.decode describe turbo.d
offers "backends" simd run --backend s
offers "ids of stages, in the file's order" "$settings source.random. outer. inner. viterbi.decode. sink.null." run link.yaml --set seed=1 --set ""
offers "ids that begin so" "in_flight= inner." run link.yaml --set in
offers "parameters" outer.code= run link.yaml --set outer.cod
offers "parameters in a sweep" outer.code= run --quiet link.yaml --sweep outer.cod
offers "words of a choice" "viterbi.decode.termination=tail-biting" run link.yaml --set viterbi.decode.termination=ta
offers "a stage's backends" "viterbi.decode.backend=ref" run link.yaml --set viterbi.decode.backend=r
offers "settings" "stop.frame_errors= stop.frames=" run link.yaml --set stop.f
offers "what a preset has" channel.awgn. run --preset dvb-s-1/2 --set ch
offers "presets" "wifi-he-mcs-1 wifi-he-mcs-10 wifi-he-mcs-11" run --preset wifi-he-mcs-1
offers "examples" "polar-csi" example polar-c
offers "rules" statistical compare --accept s
offers "files" :files run ""
for option in $("$FECRUN" run --help | sed -n 's/^  \(--*[a-z-]*\) FILE .*/\1/p'); do
    offers "files: $option" :files run link.yaml "$option" ""
done
offers "files of pages" :files run --html ""
for option in $("$FECRUN" run --help | sed -n 's/^  \(--*[a-z-]*\) DIR .*/\1/p'); do
    offers "directories: $option" :dirs run "$option" ""
done
offers "files behind a short option" :files plot -o ""
offers "nothing where numbers stand" "" run --threads ""
offers "nothing of a file that is not there" "" run none.yaml --set vi
echo "pipeline: [" >bad.yaml
offers "nothing of one that is wrong, and no message" "" run bad.yaml --set vi
offers "nothing after a wrong verb" "" rum ""
run "$FECRUN" --complete
is 0 "no word at all"

# Each preset that is offered is one.
run "$FECRUN" --complete run --preset ""
cp out presets
for name in $(grep -c . presets) $(sed -n '1p;6p;35p;64p;$p' presets); do
    case $name in
    [0-9]*) ok "73 or more presets: $name" [ "$name" -ge 73 ] && continue ;;
    esac
    run "$FECRUN" check --preset "$name"
    is 0 "$name"
done

# ---- The shells ----
PATH=$(dirname "$FECRUN"):$PATH
shells=$top_srcdir/tools/manual/completion
# bashes LINE: what bash would put in the place of the last word
bashes() {
    run bash -c '. "$1"; COMP_LINE=$2 COMP_POINT=${#2}
        eval "COMP_WORDS=(${2//=/ = })"; [[ $2 == *" " ]] && COMP_WORDS+=("")
        COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _fecrun; printf "%s\n" "${COMPREPLY[@]}"' bash "$shells.bash" "$1"
}
mkdir -p dir/deep
if command -v bash >/dev/null 2>&1; then
    bashes "fecrun co"
    ok "bash: verbs" [ "$(cat out)" = compare ]
    bashes "fecrun run lin"
    ok "bash: files" [ "$(cat out)" = link.yaml ]
    bashes "fecrun run link.yaml --set viterbi.decode.termination=ta"
    ok "bash: after the equals sign, which ends a word there" [ "$(cat out)" = tail-biting ]
    bashes "fecrun run --journal d"
    ok "bash: directories" [ "$(cat out)" = dir ]
else
    skip 4 "no bash"
fi
# zshes LINE: words that the function hands to _describe, their descriptions behind a colon
zshes() {
    run zsh -fc '_describe() { for a in whole begun; do print -l -- ${(P)a}; done }
        _files() { print files "$@" }
        ask() { local -a words; words=("${(@s: :)1}"); local CURRENT=$#words PREFIX=$words[-1]; . "$2" }
        ask "$2" "$1"' zsh "$shells.zsh" "$1"
}
if command -v zsh >/dev/null 2>&1; then
    zshes "fecrun co"
    prints '^compare:the same frames' "zsh: verbs and what they are"
    zshes "fecrun run link.yaml --set viterbi.decode.termination=ta"
    prints '^viterbi.decode.termination=tail-biting' "zsh: parameters"
    zshes "fecrun run --journal d"
    prints '^files -/$' "zsh: directories"
    run zsh -fc 'autoload -U compinit; compinit -u -d dump; cp "$1" _fecrun; fpath=($PWD $fpath)
        compinit -u -d dump2; print $_comps[fecrun]' zsh "$shells.zsh"
    prints '^_fecrun$' "zsh: found by its name"
else
    skip 4 "no zsh"
fi
# fishes LINE: what fish shows
fishes() { run env HOME="$T" fish --no-config -c 'source $argv[1]; complete -C $argv[2]' "$shells.fish" "$1"; }
if command -v fish >/dev/null 2>&1; then
    fishes "fecrun co"
    prints '^compare	the same frames' "fish: verbs and what they are"
    fishes "fecrun run link.yaml --set viterbi.decode.termination=ta"
    prints '^viterbi.decode.termination=tail-biting' "fish: parameters"
    fishes "fecrun run lin"
    prints '^link.yaml' "fish: files"
else
    skip 3 "no fish"
fi
done_testing
