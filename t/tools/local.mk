# SPDX-License-Identifier: BSD-2-Clause
# The programs.
check_PROGRAMS += \
	%D%/test_compare \
	%D%/test_forked \
	%D%/test_journal \
	%D%/test_load \
	%D%/test_progress \
	%D%/test_quantile \
	%D%/test_quarantine \
	%D%/test_result \
	%D%/test_serve \
	%D%/test_store \
	%D%/test_terminal
%C%_test_compare_LDADD = tools/fecrun/libreports.la $(LDADD) $(LIBM)
%C%_test_forked_LDADD = tools/quarantine/libquarantine.la $(LDADD)
%C%_test_journal_LDADD = tools/fecrun/libreports.la $(LDADD) $(LIBM)
%C%_test_load_LDADD = tools/fecrun/libreports.la $(LDADD) $(LIBM)
%C%_test_progress_LDADD = tools/fecrun/libreports.la $(LDADD) $(LIBM)
%C%_test_quantile_LDADD = tools/fecrun/libreports.la $(LDADD) $(LIBM)
%C%_test_quarantine_LDADD = tools/quarantine/libquarantine.la $(LDADD)
%C%_test_result_LDADD = tools/fecrun/libreports.la $(LDADD)
%C%_test_serve_LDADD = tools/fecrun/libreports.la $(LDADD) $(LIBM)
%C%_test_store_LDADD = tools/fecrun/libreports.la $(LDADD) $(LIBM)
shell_tests += \
	%D%/bench.t \
	%D%/bench_latency.t \
	%D%/check_words.t \
	%D%/cli.t \
	%D%/compare.t \
	%D%/compare_missing.t \
	%D%/completion.t \
	%D%/crash.t \
	%D%/doctor.t \
	%D%/example.t \
	%D%/faults.t \
	%D%/faults_files.t \
	%D%/full.t \
	%D%/hints.t \
	%D%/journal.t \
	%D%/manual.t \
	%D%/merge.t \
	%D%/mpi.t \
	%D%/mpi_file.t \
	%D%/overwrites.t \
	%D%/plot.t \
	%D%/plot_boxes.t \
	%D%/power.t \
	%D%/preset.t \
	%D%/report.t \
	%D%/restrict.t \
	%D%/shown.t \
	%D%/skips.t \
	%D%/slips.t \
	%D%/slurm.t \
	%D%/stalled.t \
	%D%/stats.t \
	%D%/sync.t \
	%D%/terminal.t
long_tests += \
	%D%/long_faults.t \
	%D%/long_faults_files.t \
	%D%/long_journal.t \
	%D%/long_mpi.t \
	%D%/long_valgrind.t
