# SPDX-License-Identifier: BSD-2-Clause
# What libfecrun does: reading, planning, running.
check_PROGRAMS += \
	%D%/test_api \
	%D%/test_budget \
	%D%/test_conf \
	%D%/test_diag \
	%D%/test_find \
	%D%/test_graph \
	%D%/test_lease \
	%D%/test_limits \
	%D%/test_line \
	%D%/test_loader \
	%D%/test_memory \
	%D%/test_negotiate \
	%D%/test_numa \
	%D%/test_param \
	%D%/test_pipeline \
	%D%/test_plan \
	%D%/test_prepared \
	%D%/test_prepared_device \
	%D%/test_prepared_set \
	%D%/test_prepared_stream \
	%D%/test_registry \
	%D%/test_scratch \
	%D%/test_session \
	%D%/test_shape \
	%D%/test_slot \
	%D%/test_stats \
	%D%/test_sweep
shell_tests += \
	%D%/conf.t \
	%D%/coverage.t \
	%D%/determinism.t \
	%D%/device.t \
	%D%/device_memory.t \
	%D%/devices.t \
	%D%/edges.t \
	%D%/ends.t \
	%D%/errors.t \
	%D%/from.t \
	%D%/hostile.t \
	%D%/layers.t \
	%D%/let.t \
	%D%/mini.t \
	%D%/nodes.t \
	%D%/old_names.t \
	%D%/pace.t \
	%D%/plugins.t \
	%D%/run.t \
	%D%/side.t \
	%D%/sweep.t \
	%D%/takes.t \
	%D%/unfinished.t
EXTRA_PROGRAMS += %D%/mini
check_DATA += %D%/mini$(EXEEXT)
MOSTLYCLEANFILES += %D%/mini$(EXEEXT)
%C%_mini_LDADD = core/libfecruncore.la
%C%_test_numa_LDADD = tools/fecrun/libreports.la $(LDADD)
EXTRA_DIST += %D%/golden.txt %D%/old_names.txt

long_tests += \
	%D%/long_golden.t
