# SPDX-License-Identifier: BSD-2-Clause
# The vtable of decoders and the batch manager, a folder a layer: each may use those before it
# (t/core/layers.t). The archive needs nothing but libc, libyaml and libdl.
noinst_LTLIBRARIES += %D%/libfecruncore.la
%C%_libfecruncore_la_SOURCES = \
	%D%/base/array.h \
	%D%/base/cpu.c %D%/base/cpu.h \
	%D%/base/diag.c %D%/base/diag.h \
	%D%/base/printable.c %D%/base/printable.h \
	%D%/base/sanitized.h \
	%D%/value/conf.c %D%/value/conf.h \
	%D%/value/conf_text.c \
	%D%/value/param.c %D%/value/param.h \
	%D%/value/param_impl.h \
	%D%/value/param_value.c \
	%D%/plugin/calling.c %D%/plugin/calling.h \
	%D%/plugin/loader.c %D%/plugin/loader.h \
	%D%/plugin/probe.c %D%/plugin/probe.h \
	%D%/plugin/registry.c %D%/plugin/registry.h \
	%D%/plugin/search.c %D%/plugin/search.h \
	%D%/plan/candidates.c %D%/plan/candidates.h \
	%D%/plan/graph.c %D%/plan/graph.h \
	%D%/plan/negotiate.c %D%/plan/negotiate.h \
	%D%/plan/pipeline.h \
	%D%/plan/plan.c %D%/plan/plan.h \
	%D%/plan/shape.c %D%/plan/shape.h \
	%D%/plan/share.c %D%/plan/share.h \
	%D%/plan/wish.c \
	%D%/batch/call.c \
	%D%/batch/edge.c \
	%D%/batch/exec.c %D%/batch/exec.h \
	%D%/batch/line.c %D%/batch/line.h \
	%D%/batch/memory.c %D%/batch/memory.h \
	%D%/batch/ragged.c \
	%D%/batch/scratch.c %D%/batch/scratch.h \
	%D%/batch/slot.c %D%/batch/slot.h \
	%D%/batch/times.h
%C%_libfecruncore_la_LIBADD = %D%/sdk/libsdk.la $(YAML_LIBS) $(DL_LIBS) $(LIBM)

fecrunincludedir = $(includedir)/fecrun
fecruninclude_HEADERS = \
	%D%/include/fecrun/fecrun.h \
	%D%/include/fecrun/plugin.h \
	%D%/include/fecrun/sim.h

pkgconfigdir = $(libdir)/pkgconfig
nodist_pkgconfig_DATA = %D%/fecrun.pc %D%/fecrun-plugin.pc
