# SPDX-License-Identifier: BSD-2-Clause
# Reports, results and the bench: also for the tests of them.
noinst_LTLIBRARIES += %D%/libreports.la
%C%_libreports_la_SOURCES = \
	%D%/cmd_compare_defects.c %D%/cmd_compare_files.h \
	%D%/cmd_compare_print.c \
	%D%/cmd_compare_read.c \
	%D%/cmd_compare_stats.c %D%/cmd_compare_stats.h \
	%D%/numa.c %D%/numa.h \
	%D%/print_journal.c %D%/print_journal.h \
	%D%/progress.c %D%/progress.h \
	%D%/report.c %D%/report.h \
	%D%/report_devices.c %D%/report_devices.h \
	%D%/report_plan.c \
	%D%/restrict.c %D%/restrict.h \
	%D%/result.c %D%/result.h \
	%D%/result_csv.c \
	%D%/result_file.c \
	%D%/result_found.c \
	%D%/result_impl.h \
	%D%/result_page.c \
	%D%/result_rows.c \
	%D%/result_table.c \
	%D%/run_stats.c %D%/run_stats.h \
	%D%/warnings.c %D%/warnings.h \
	%D%/wrap.c %D%/wrap.h \
	%D%/bench/bench.c %D%/bench/bench.h \
	%D%/bench/bench_impl.h \
	%D%/bench/device.c \
	%D%/bench/ends.c \
	%D%/bench/host.c \
	%D%/bench/latency.c \
	%D%/bench/load.c %D%/bench/load.h \
	%D%/bench/reference.c \
	%D%/bench/slots.c \
	%D%/bench/time.c \
	%D%/doctor/channel.c %D%/doctor/doctor.h \
	%D%/doctor/doctor.c \
	%D%/doctor/measure.c \
	%D%/doctor/verdict.c \
	%D%/journal/identity.c %D%/journal/identity.h \
	%D%/journal/journal.c %D%/journal/journal.h \
	%D%/journal/line.c %D%/journal/line.h \
	%D%/cluster/cluster.c %D%/cluster/cluster.h \
	%D%/cluster/hello.c \
	%D%/cluster/members.c %D%/cluster/members.h \
	%D%/cluster/message.h \
	%D%/cluster/serve.c %D%/cluster/serve.h \
	%D%/cluster/transport.h \
	%D%/cluster/worker.c \
	%D%/frames/replay.c %D%/frames/replay.h \
	%D%/frames/twin.c %D%/frames/twin.h \
	%D%/json/counts.c %D%/json/counts.h \
	%D%/json/objects.c %D%/json/objects.h \
	%D%/journal/ranges.c %D%/journal/ranges.h \
	%D%/journal/renamed.c %D%/journal/renamed.h \
	%D%/journal/heads.c %D%/journal/heads.h \
	%D%/journal/seal.c %D%/journal/seal.h \
	%D%/journal/sha256.c %D%/journal/sha256.h \
	%D%/journal/store.c %D%/journal/store.h \
	%D%/journal/store_impl.h \
	%D%/journal/store_write.c \
	%D%/journal/summary.c \
	%D%/journal/versions.c %D%/journal/versions.h \
	%D%/html/html.h \
	%D%/html/page.c \
	%D%/html/read.c \
	%D%/plot/figure.c %D%/plot/figure.h \
	%D%/plot/foreign.c %D%/plot/foreign.h \
	%D%/plot/gnuplot.c \
	%D%/plot/pgfplots.c \
	%D%/plot/read.c
nodist_%C%_libreports_la_SOURCES = include/report_page.h
%C%_libreports_la_LIBADD = $(JANSSON_LIBS) $(LIBM)

# The verbs.
bin_PROGRAMS += fecrun
fecrun_SOURCES = \
	%D%/cli.c %D%/cli.h \
	%D%/cmd_bench.c %D%/cmd_bench.h \
	%D%/cmd_bench_latency.c \
	%D%/cmd_bench_print.c \
	%D%/cmd_check.c \
	%D%/cmd_compare.c %D%/cmd_compare.h \
	%D%/cmd_compare_dump.c \
	%D%/cmd_compare_files.c \
	%D%/cmd_describe.c \
	%D%/cmd_example.c \
	%D%/cmd_explain.c \
	%D%/cmd_list.c \
	%D%/cmd_merge.c \
	%D%/cmd_new_plugin.c \
	%D%/cmd_plot.c \
	%D%/cmd_report.c \
	%D%/cmd_run.c %D%/cmd_run.h \
	%D%/cmd_run_cluster.c \
	%D%/cmd_run_doctor.c \
	%D%/cmd_run_journal.c \
	%D%/cmd_run_points.c \
	%D%/cmd_run_replay.c \
	%D%/cmd_sync.c \
	%D%/collide.c \
	%D%/complete.c %D%/complete.h \
	%D%/crash.c %D%/crash.h \
	%D%/files.c %D%/files.h \
	%D%/hanging.c %D%/hanging.h \
	%D%/probed.c %D%/probed.h \
	%D%/remember.c %D%/remember.h \
	%D%/main.c \
	%D%/npy.c %D%/npy.h \
	%D%/output.c \
	%D%/preset.c %D%/preset.h \
	%D%/shown.c %D%/shown.h \
	%D%/signals.c %D%/signals.h \
	%D%/sync/look.c \
	%D%/sync/step.c %D%/sync/step.h
nodist_fecrun_SOURCES = include/examples.h include/plugin_templates.h
fecrun_LDADD = %D%/libreports.la tools/quarantine/libquarantine.la $(LDADD)

# What `fecrun new-plugin` writes, as strings in the program.
plugin_templates = \
	%D%/templates/plugin.c \
	%D%/templates/plugin.cu \
	%D%/templates/plugin.h \
	%D%/templates/plugin.mk \
	%D%/templates/plugin.yaml \
	%D%/templates/plugin_cuda.c
EXTRA_DIST += $(plugin_templates)
BUILT_SOURCES += include/plugin_templates.h
CLEANFILES += include/plugin_templates.h
%D%/cmd_new_plugin.$(OBJEXT): include/plugin_templates.h
include/plugin_templates.h: $(plugin_templates)
	$(AM_V_GEN)$(MKDIR_P) $(@D) && for file in $(plugin_templates); do \
	    echo "{\"$${file##*/}\", (const char *const[]){"; \
	    sed 's/[\\"]/\\&/g; s/^/"/; s/$$/",/' "$(srcdir)/$$file"; \
	    echo 'NULL}},'; \
	done >$@.tmp && mv -f $@.tmp $@

# What `fecrun example` lists and copies: the installed files of conf/, as strings, too.
BUILT_SOURCES += include/examples.h
CLEANFILES += include/examples.h
%D%/cmd_example.$(OBJEXT): include/examples.h
include/examples.h: $(dist_pipeline_DATA) conf/local.mk
	$(AM_V_GEN)$(MKDIR_P) $(@D) && for file in $(dist_pipeline_DATA); do \
	    echo "{\"$${file##*/}\", (const char *const[]){"; \
	    sed 's/[\\"]/\\&/g; s/^/"/; s/$$/",/' "$(srcdir)/$$file"; \
	    echo 'NULL}},'; \
	done >$@.tmp && mv -f $@.tmp $@

# The style and scripts of `fecrun report`, as strings in the program.
report_page = \
	%D%/html/chart.js \
	%D%/html/map.js \
	%D%/html/page.css \
	%D%/html/page.js
EXTRA_DIST += $(report_page)
BUILT_SOURCES += include/report_page.h
CLEANFILES += include/report_page.h
%D%/html/page.lo: include/report_page.h
include/report_page.h: $(report_page)
	$(AM_V_GEN)$(MKDIR_P) $(@D) && for file in $(report_page); do \
	    echo "{\"$${file##*/}\", (const char *const[]){"; \
	    sed 's/[\\"]/\\&/g; s/^/"/; s/$$/",/' "$(srcdir)/$$file"; \
	    echo 'NULL}},'; \
	done >$@.tmp && mv -f $@.tmp $@
