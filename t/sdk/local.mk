# SPDX-License-Identifier: BSD-2-Clause
# Helpers for plugins.
check_PROGRAMS += \
	%D%/test_apart \
	%D%/test_device \
	%D%/test_facts \
	%D%/test_gpu \
	%D%/test_read \
	%D%/test_replace \
	%D%/test_rng \
	%D%/test_sample \
	%D%/test_stage \
	%D%/test_thread \
	%D%/test_upload
# CUDA's runtime is in the test itself.
%C%_test_apart_CPPFLAGS = -I$(srcdir)/%D%/runtime $(AM_CPPFLAGS)
%C%_test_gpu_CPPFLAGS = -I$(srcdir)/%D%/runtime $(AM_CPPFLAGS)
%C%_test_upload_CPPFLAGS = -I$(srcdir)/%D%/runtime $(AM_CPPFLAGS)
shell_tests += %D%/warnings.t
EXTRA_DIST += %D%/runtime
