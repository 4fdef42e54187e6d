# SPDX-License-Identifier: BSD-2-Clause
# Host: everything but the verbs. Internal to the build; libfecrun and the programs are made of it.
noinst_LTLIBRARIES += %D%/libfecruncore.la
%C%_libfecruncore_la_SOURCES = \
	%D%/batch.c %D%/batch.h \
	%D%/bench.c %D%/bench.h \
	%D%/bench_device.c \
	%D%/bench_ends.c \
	%D%/bench_host.c \
	%D%/bench_impl.h \
	%D%/bench_reference.c \
	%D%/bench_slots.c \
	%D%/bench_time.c \
	%D%/budget.c %D%/budget.h \
	%D%/conf.c %D%/conf.h \
	%D%/conf_text.c \
	%D%/convert.c %D%/convert.h \
	%D%/cpu.c %D%/cpu.h \
	%D%/diag.c %D%/diag.h \
	%D%/edges.c \
	%D%/exec.c %D%/exec.h \
	%D%/exec_call.c %D%/exec_call.h \
	%D%/fecrun.c \
	%D%/graph.c %D%/graph.h \
	%D%/halo.c %D%/halo.h \
	%D%/loader.c %D%/loader.h \
	%D%/negotiate.c %D%/negotiate.h \
	%D%/options.c %D%/options.h \
	%D%/param.c %D%/param.h \
	%D%/param_impl.h \
	%D%/param_text.c \
	%D%/param_value.c \
	%D%/pipeline.c %D%/pipeline.h \
	%D%/pipeline_blocks.c \
	%D%/pipeline_impl.h \
	%D%/pipeline_set.c \
	%D%/pipeline_sweep.c \
	%D%/plan.c %D%/plan.h \
	%D%/probe.c %D%/probe.h \
	%D%/ragged.c %D%/ragged.h \
	%D%/registry.c %D%/registry.h \
	%D%/report.c %D%/report.h \
	%D%/report_plan.c \
	%D%/result.c %D%/result.h \
	%D%/result_csv.c \
	%D%/result_file.c \
	%D%/result_impl.h \
	%D%/result_table.c \
	%D%/run.c %D%/run.h \
	%D%/session.c %D%/session.h \
	%D%/shape.c %D%/shape.h \
	%D%/space.c %D%/space.h \
	%D%/stats.c %D%/stats.h \
	%D%/sweep.c %D%/sweep.h \
	%D%/tally.c %D%/tally.h
%C%_libfecruncore_la_LIBADD = $(YAML_LIBS) $(JANSSON_LIBS) $(DL_LIBS) $(LIBM)

# Host API for other programs: what fecrun.h marks FECRUN_EXPORT, and of that only fecrun_*.
lib_LTLIBRARIES += %D%/libfecrun.la
%C%_libfecrun_la_SOURCES =
%C%_libfecrun_la_LIBADD = %D%/libfecruncore.la %D%/sdk/libsdk.la
%C%_libfecrun_la_LDFLAGS = -version-info 0:0:0 $(NO_UNDEFINED) -export-symbols-regex '^fecrun_'

bin_PROGRAMS += fecrun fecrun-check
fecrun_SOURCES = \
	%D%/cli.c %D%/cli.h \
	%D%/cmd_bench.c %D%/cmd_bench.h \
	%D%/cmd_bench_print.c \
	%D%/cmd_check.c \
	%D%/cmd_describe.c \
	%D%/cmd_explain.c \
	%D%/cmd_list.c \
	%D%/cmd_run.c \
	%D%/main.c \
	%D%/signals.c %D%/signals.h
fecrun_check_SOURCES = \
	%D%/check.h \
	%D%/check_absorb.c \
	%D%/check_backend.c \
	%D%/check_bench.c \
	%D%/check_case.c \
	%D%/check_child.c \
	%D%/check_compare.c \
	%D%/check_impl.h \
	%D%/check_input.c \
	%D%/check_main.c \
	%D%/check_memory.c \
	%D%/check_meta.c \
	%D%/check_more.c \
	%D%/check_options.c \
	%D%/check_plan.c \
	%D%/check_ragged.c \
	%D%/check_run.c \
	%D%/check_stage.c \
	%D%/check_table.c \
	%D%/check_tap.c \
	%D%/check_variant.c

fecrunincludedir = $(includedir)/fecrun
fecruninclude_HEADERS = \
	%D%/include/fecrun/fecrun.h \
	%D%/include/fecrun/plugin.h

pkgconfigdir = $(libdir)/pkgconfig
nodist_pkgconfig_DATA = %D%/fecrun.pc %D%/fecrun-plugin.pc
