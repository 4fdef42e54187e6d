# SPDX-License-Identifier: BSD-2-Clause
# bash: what `fecrun --complete` offers for the words up to the cursor.
_fecrun() {
    local line=${COMP_LINE:0:COMP_POINT} last=${COMP_WORDS[COMP_CWORD]} words offered

    read -ra words <<<"$line"
    [[ $line == *[[:space:]] ]] && words+=("")
    mapfile -t offered < <("${words[0]}" --complete "${words[@]:1}" 2>/dev/null)
    case ${offered[0]} in
    :files | :dirs)
        mapfile -t COMPREPLY < <(compgen "-${offered[0]:1:1}" -- "$last")
        compopt -o filenames 2>/dev/null
        ;;
    *)
        # bash splits at = and :, and wants only what comes after them.
        [[ $last == [=:] ]] && last=
        offered=("${offered[@]%%$'\t'*}")
        COMPREPLY=("${offered[@]#"${words[-1]%"$last"}"}")
        [[ ${COMPREPLY[0]} == *[=.] ]] && compopt -o nospace 2>/dev/null
        ;;
    esac
}
complete -F _fecrun fecrun
