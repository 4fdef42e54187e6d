#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# With --backend cuda every stage of every file of conf/ is on the device, except files and pipes. A plan needs no
# device: plugins are told that there is one (t/doubles/fault/cuda.c).
. "$top_srcdir/t/lib/tap.sh"

[ "${FECRUN_SANITIZER:-no}" = no ] || skip_all "what is preloaded comes before a sanitizer"
double=$top_builddir/t/doubles/fault/cuda.so

# Sinks and sources that read or write the host's files, and the sink that stands for one.
files='source.file sink.file sink.null'

# Stages that have no CUDA form yet. One that gets it has to leave this list.
missing='frame.sync source.detectors ldpc.syndrome ldpc.observables'

# Files whose code or channel has no CUDA form: refused in words. One that gets it has to leave this list.
refused='turbo-ccsds.yaml turbo-umts.yaml gsm-afs.yaml fading.yaml nr-dci-blind.yaml nr-pbch.yaml'

# Files that others of conf/ read.
mkdir t
cp -R "$CONF" conf
ln -s "$(cd "$top_srcdir/t/data" && pwd -P)" t/data
for file in dvb-stream-make dvb-stream-truth recording-make; do
    run without_cuda "$FECRUN" run conf/$file.yaml --quiet --set stop.frames=1
    is 0 "$file.yaml makes its file"
done

# host FILE: names of its stages that explain finds on the host; in `all` those of all stages. Status 1: a stage is on no device.
host() {
    LD_PRELOAD=$double "$FECRUN" explain "$1" --backend cuda --json - >out 2>err || return 1
    grep -o '"name":"[a-z_]*\.[a-z_]*"\|"space":"[^"]*"' out | sed 's/"name":"\(.*\)"/\1/' >all
    grep -q '^"space":"cuda:0"$' all || return 1
    sed -n '/^"space":"host"$/{ x; p; d; }; /^"/!h' all
}

: >used
for file in conf/*.yaml; do
    name=${file#conf/}
    why=
    case " $refused " in
    *" $name "*)
        run env LD_PRELOAD="$double" "$FECRUN" explain "$file" --backend cuda
        is 3 "$name is refused"
        says 'backend: cuda cannot do what the parameters ask for: .*on the host alone|backend: cuda has no port `[a-z]*`, which is' "with the reason"
        continue
        ;;
    esac
    stages=$(host "$file") || why="no plan: $(cat err)"
    for stage in $stages; do
        case " $files " in *" $stage "*) continue ;; esac
        case " $missing " in *" $stage "*) echo "$stage" >>used && continue ;; esac
        why="$why $stage"
    done
    tap_last="fecrun explain $file: on the host:$why"
    ok "$name: only files on the host" [ -z "$why" ]
done

for stage in $missing; do
    tap_last="$stage is in no file's host stages"
    ok "$stage is missing still" grep -qx "$stage" used
done
done_testing
