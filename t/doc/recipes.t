#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# doc/recipes.md: all of its commands, as they stand there, with fewer frames and a Slurm of our own.
. "$top_srcdir/t/lib/tap.sh"
without_cuda

mkdir bin
ln -s "$(cd "$(dirname "$FECRUN")" && pwd)/$(basename "$FECRUN")" bin/fecrun
# Runs the tasks of a job, two at a time, in the order that is worst: the last ones first.
cat >bin/sbatch <<'END'
#!/bin/sh
last=$(sed -n 's/^#SBATCH --array=0-\([0-9]*\)$/\1/p' "$1")
while [ "$last" -ge 0 ]; do
    SLURM_ARRAY_TASK_ID=$last sh "$1" >task.$last 2>&1 &
    [ $((last % 2)) = 1 ] || wait
    last=$((last - 1))
done
wait
END
chmod +x bin/sbatch
PATH=$PWD/bin:$PATH
export PATH

# section TITLE: its commands. Lines that begin with four blanks are typed.
section() {
    awk -v title="## $1" '
        /^## / { here = $0 == title }
        (here || !seen) && /^    / { print substr($0, 5) }
        /^## / { seen = 1 }' "$top_srcdir/doc/recipes.md" |
        sed 's/frame_errors: 100, frames: 20000/frame_errors: 20, frames: 400/
             s/frame_errors: 100, frames: 1e11/frame_errors: 20, frames: 2000/
             s/"4:0.5:7"/"3:0.5:4"/'
}

# recipe TITLE: in a directory of its own
recipe() {
    mkdir "$1"
    cd "$1" || exit 99
    { echo 'set -eu'; section "$1"; } >../commands
    run sh ../commands
    cp out err ..
    is 0 "$1"
}

have_gnuplot=no
command -v gnuplot >/dev/null 2>&1 && have_gnuplot=yes
[ $have_gnuplot = yes ] || {
    printf '#!/bin/sh\nexec cat\n' >bin/gnuplot # what is on the terminal is not looked at here
    chmod +x bin/gnuplot
}

recipe "Choosing a quantisation"
prints 'saturated at i4: scale 8 is' "the doctor says what the recipe says"
ok "a curve of each type" [ "$(grep addlegendentry types.tex | grep -Evc 'limit|approximation')" = 2 ]
cd ..

recipe "Comparing two backends in a script"
prints '^equally good' "the script has a verdict"
ok "a bar of each" grep -q 'ref' speed.tex
cd ..

recipe "A day-long run to FER 1e-8 on a Slurm array"
ok "sixteen tasks ran" [ "$(ls task.* | wc -l)" = 16 ]
ok "no row is incomplete in the end" [ "$(grep -c '"stop":"frame' floor.json)" = 3 ]
"$FECRUN" run floor.yaml --quiet --json alone.json
counts() { sed -n '/^{"type":"point"/s/.*\("frames":.*\)"iterations_mean.*/\1/p' "$1"; }
ok "with the counts of one machine" [ "$(counts alone.json)" = "$(counts floor.json)" ]
cd ..

recipe "Replaying a failing frame"
prints 'bits wrong; a check failed' "the frame fails again"
wrong=$(sed -n 's/^\([0-9]*\) of 324 bits wrong.*/\1/p' out)
ok "and as a recording, with as many wrong bits: $wrong" \
    [ "$(tail -n 1 out | awk '{ print $1, $2, $3 }')" = "1 $wrong 1" ]
cd ..
done_testing
