
_fecrun() {
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} verb=${COMP_WORDS[1]}

    COMPREPLY=()
    if ((COMP_CWORD == 1)); then
        COMPREPLY=($(compgen -W '@VERBS@ --help --version' -- "$word"))
        return
    fi
    case $before in
    --backend | --a | --b) COMPREPLY=($(compgen -W 'auto ref simd cuda' -- "$word")) && return ;;
    --accept) COMPREPLY=($(compgen -W 'exact statistical' -- "$word")) && return ;;
    --plugin-dir | --journal | --dump | --restrict) COMPREPLY=($(compgen -d -- "$word")) && return ;;
    --set | --sweep | --threads | --stage | --batches | --fer | --shard | --replay) return ;;
    esac
    if [[ $word == -* ]]; then
        COMPREPLY=($(compgen -W "$(_fecrun_options "$verb")" -- "$word"))
    elif [[ $verb == describe ]]; then
        COMPREPLY=($(compgen -W "$("${COMP_WORDS[0]}" list 2>/dev/null |
            sed -n '/^stages/,/^devices/s/^  \([a-z]*\.[a-z_]*\) .*/\1/p')" -- "$word"))
    else
        COMPREPLY=($(compgen -f -- "$word"))
    fi
}
complete -o filenames -F _fecrun fecrun
