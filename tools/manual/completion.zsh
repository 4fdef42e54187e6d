#compdef fecrun
# SPDX-License-Identifier: BSD-2-Clause
# zsh: what `fecrun --complete` offers for the words up to the cursor.
local -a offered whole begun
local line
offered=("${(@f)$("$words[1]" --complete "${(@)words[2,CURRENT-1]}" "$PREFIX" 2>/dev/null)}")
case $offered[1] in
:files) _files ;;
:dirs) _files -/ ;;
*)
    for line in $offered; do
        # A colon in a word would begin its description.
        line=${${line//:/\\:}/$'\t'/:}
        case ${line%%:*} in
        *[=.]) begun+=($line) ;;
        *) whole+=($line) ;;
        esac
    done
    _describe -t words fecrun whole -- begun -S ''
    ;;
esac
