# SPDX-License-Identifier: BSD-2-Clause
# libfecrun's own code, a folder a layer: each may use those before it (t/core/layers.t).
noinst_LTLIBRARIES += %D%/libfecruncore.la
%C%_libfecruncore_la_SOURCES = \
	%D%/base/cpu.c %D%/base/cpu.h \
	%D%/base/diag.c %D%/base/diag.h \
	%D%/base/limits.c %D%/base/limits.h \
	%D%/base/numa.c %D%/base/numa.h \
	%D%/base/printable.c %D%/base/printable.h \
	%D%/base/sanitized.h \
	%D%/base/stats.c %D%/base/stats.h \
	%D%/base/thread.c %D%/base/thread.h \
	%D%/input/conf.c %D%/input/conf.h \
	%D%/input/conf_text.c \
	%D%/input/param.c %D%/input/param.h \
	%D%/input/param_impl.h \
	%D%/input/param_path.c \
	%D%/input/param_text.c \
	%D%/input/param_value.c \
	%D%/input/pipeline.c %D%/input/pipeline.h \
	%D%/input/pipeline_auto.c \
	%D%/input/pipeline_blocks.c \
	%D%/input/pipeline_impl.h \
	%D%/input/pipeline_let.c \
	%D%/input/pipeline_own.c \
	%D%/input/pipeline_set.c \
	%D%/input/pipeline_setting.c \
	%D%/input/pipeline_sweep.c \
	%D%/input/pipeline_values.c \
	%D%/plugin/calling.c %D%/plugin/calling.h \
	%D%/plugin/forked.c %D%/plugin/forked.h \
	%D%/plugin/loader.c %D%/plugin/loader.h \
	%D%/plugin/probe.c %D%/plugin/probe.h \
	%D%/plugin/quarantine.c %D%/plugin/quarantine.h \
	%D%/plugin/registry.c %D%/plugin/registry.h \
	%D%/plugin/search.c %D%/plugin/search.h \
	%D%/plan/candidates.c %D%/plan/candidates.h \
	%D%/plan/graph.c %D%/plan/graph.h \
	%D%/plan/negotiate.c %D%/plan/negotiate.h \
	%D%/plan/numbers.c %D%/plan/numbers.h \
	%D%/plan/paths.c %D%/plan/paths.h \
	%D%/plan/plan.c %D%/plan/plan.h \
	%D%/plan/shape.c %D%/plan/shape.h \
	%D%/plan/share.c %D%/plan/share.h \
	%D%/plan/wish.c \
	%D%/run/call.c \
	%D%/run/count.c \
	%D%/run/edge.c \
	%D%/run/exec.c %D%/run/exec.h \
	%D%/run/lease.c %D%/run/lease.h \
	%D%/run/lease_impl.h \
	%D%/run/lease_merge.c \
	%D%/run/margin.c \
	%D%/run/memory.c %D%/run/memory.h \
	%D%/run/part.c \
	%D%/run/ragged.c %D%/run/ragged.h \
	%D%/run/schedule.c %D%/run/schedule.h \
	%D%/run/slot.c %D%/run/slot.h \
	%D%/run/times.c %D%/run/times.h \
	%D%/run/turn.c %D%/run/turn.h \
	%D%/session/api.c \
	%D%/session/api_impl.h \
	%D%/session/api_prepared.c \
	%D%/session/budget.c %D%/session/budget.h \
	%D%/session/capture.c %D%/session/capture.h \
	%D%/session/devices.c %D%/session/devices.h \
	%D%/session/find.c %D%/session/find.h \
	%D%/session/fleet.c %D%/session/fleet.h \
	%D%/session/fleet_device.c \
	%D%/session/fleet_impl.h \
	%D%/session/fleet_remote.c \
	%D%/session/guest.c %D%/session/guest.h \
	%D%/session/look.c %D%/session/look.h \
	%D%/session/notes.c %D%/session/notes.h \
	%D%/session/point.c \
	%D%/session/prepared.c %D%/session/prepared.h \
	%D%/session/replay.c %D%/session/replay.h \
	%D%/session/seekable.c \
	%D%/session/serve.c %D%/session/serve.h \
	%D%/session/session.c %D%/session/session.h \
	%D%/session/sweep.c %D%/session/sweep.h \
	%D%/session/sweep_impl.h \
	%D%/session/twin.c %D%/session/twin.h \
	%D%/session/walk.c %D%/session/walk.h
%C%_libfecruncore_la_LIBADD = $(YAML_LIBS) $(DL_LIBS) $(LIBM)

# Host API for other programs: what fecrun.h marks FECRUN_EXPORT, and of that only fecrun_*.
lib_LTLIBRARIES += %D%/libfecrun.la
%C%_libfecrun_la_SOURCES =
%C%_libfecrun_la_LIBADD = %D%/libfecruncore.la %D%/sdk/libsdk.la
%C%_libfecrun_la_LDFLAGS = $(AM_LDFLAGS) -version-info 0:0:0 $(NO_UNDEFINED) \
	-export-symbols-regex '^fecrun_'

fecrunincludedir = $(includedir)/fecrun
fecruninclude_HEADERS = \
	%D%/include/fecrun/fecrun.h \
	%D%/include/fecrun/plugin.h

pkgconfigdir = $(libdir)/pkgconfig
nodist_pkgconfig_DATA = %D%/fecrun.pc %D%/fecrun-plugin.pc
