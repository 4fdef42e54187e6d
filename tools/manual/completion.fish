# SPDX-License-Identifier: BSD-2-Clause
# fish: what `fecrun --complete` offers for the words up to the cursor.
function __fecrun_complete
    set -l words (commandline -opc) (commandline -ct)
    set -l offered ($words[1] --complete $words[2..-1] 2>/dev/null)
    switch "$offered[1]"
        case :files
            __fish_complete_path $words[-1]
        case :dirs
            __fish_complete_directories $words[-1]
        case '*'
            printf '%s\n' $offered
    end
end
complete -c fecrun -f -a '(__fecrun_complete)'
