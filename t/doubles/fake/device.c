/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A device made of host memory that is as unforgiving as a real one: its pointers are shifted to
 * where no memory is, so that the host crashes on them; work waits until sync(), so that results
 * which nobody waited for are missing; fresh memory holds rubbish.
 *
 * FAKE_FAIL=alloc, stream, copy, fill, run, create, probe, memory, event or sync makes just that
 * fail; absorb and bits go wrong silently; run:N (alloc:N, ...) only the N-th, from 0; sticky:N:
 * from the N-th sync on all of them fail. FAKE_DEAD=DEVICE:N: from the N-th sync of that device on
 * all of its syncs fail. FAKE_DEVICES says how many there are (default 1),
 * FAKE_MEMORY how many bytes each has (no limit), FAKE_OLD which one fake.choosy refuses, FAKE_SMALL
 * which one has less room for it. FAKE_LOG is a file to which the process appends a line of counts when it ends, FAKE_PROBES one that gets a line for each probe. FAKE_STARTED says
 * that the program has used the device before. FAKE_BUS=ADDRESS,... are the devices' places, and
 * FAKE_CPUS is a file that gets a line for each wait: "DEVICE: CPU ...", those that the thread may use.
 *
 * Its parts are in device/: count.c (failures, counts), stream.c, provider.c, instance.c (how
 * backends run), and the stages.
 */
#include "t/doubles/fake/device/device.h"

static const struct fecrun_stage *const stages[] = {
    /* device/llr.c */ &fake_negate,
    &fake_scale,
    &fake_widen,
    /* device/bits.c */ &fake_flip,
    &fake_reverse,
    &fake_ragged,
    /* device/window.c */ &fake_window,
    &fake_window_llr,
    /* device/absorb.c */ &fake_map,
    &fake_dither,
    &fake_slice,
    &fake_halve,
    /* device/choosy.c */ &fake_choosy,
    /* device/ends.c */ &fake_ramp,
    &fake_count,
    /* device/bound.c */ &fake_input,
    &fake_output,
    NULL,
};

static const struct fecrun_provider *const providers[] = {&fake_provider, NULL};

PLUGIN("fake", .stages = stages, .providers = providers);
