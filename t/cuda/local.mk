# SPDX-License-Identifier: BSD-2-Clause
# The device provider.
check_PROGRAMS += \
	%D%/test_arrays \
	%D%/test_convert \
	%D%/test_provider
shell_tests += \
	%D%/conf.t \
	%D%/machine_code.t \
	%D%/ports.t \
	%D%/provider.t \
	%D%/registers.t \
	%D%/sizes.t \
	%D%/uploads.t

# Kernels that read what was just uploaded.
if HAVE_CUDA
check_PROGRAMS += %D%/test_stale
endif
%C%_test_stale_SOURCES =
%C%_test_stale_LDADD = %D%/test_stale.lo $(LDADD) $(CUDA_LIBS)
EXTRA_DIST += %D%/test_stale.cu
MOSTLYCLEANFILES += %D%/test_stale.lo %D%/test_stale.o

# Kernels under compute-sanitizer, on a machine with a CUDA device.
check-cuda-sanitizer: all
	$(MAKE) $(AM_MAKEFLAGS) %D%/test_provider$(EXEEXT)
	@$(AM_TESTS_ENVIRONMENT) $(SHELL) $(srcdir)/%D%/sanitize.sh
.PHONY: check-cuda-sanitizer
EXTRA_DIST += %D%/sanitize.sh

# Decoders as other devices have them.
check-cuda-likes: all
	@$(AM_TESTS_ENVIRONMENT) $(SHELL) $(srcdir)/%D%/likes.sh
.PHONY: check-cuda-likes
EXTRA_DIST += %D%/likes.sh
