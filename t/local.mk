# SPDX-License-Identifier: BSD-2-Clause
# Tests speak TAP, a folder an area. A C test is one word in its folder's list: AREA/test_NAME is made
# of AREA/test_NAME.c and the core; a shell test is AREA/NAME.t.
shell_tests =
long_tests =

# Tests that take longest, or wait longest, begin.
first_tests = \
	%D%/tools/check_plugins.t \
	%D%/tools/check.t \
	%D%/map/map.t \
	%D%/core/devices_file.t \
	%D%/turbo/curves.t \
	%D%/core/golden.t \
	%D%/viterbi/curves.t \
	%D%/ldpc/curves.t \
	%D%/turbo/apriori.t \
	%D%/core/rows.t

# What takes longest comes first, so that no core waits for the other at the end: objects of these programs a
# minute to build with a sanitizer, the installation and Python half a minute.
if HAVE_CXX
check_PROGRAMS += \
	%D%/ldpc/test_registers_code \
	%D%/ldpc/test_registers_old \
	%D%/ldpc/test_shared \
	%D%/ldpc/test_registers \
	%D%/polar/test_cuda \
	%D%/polar/test_cuda_mixed \
	%D%/polar/test_bp_cuda \
	%D%/turbo/test_windows
endif
include %D%/install/local.mk
include %D%/python/local.mk
include %D%/lib/local.mk
include %D%/doc/local.mk
include %D%/frame/local.mk
include %D%/doubles/local.mk
include %D%/core/local.mk
include %D%/sdk/local.mk
include %D%/common/local.mk
include %D%/tools/local.mk
include %D%/chain/local.mk
include %D%/cuda/local.mk
include %D%/viterbi/local.mk
include %D%/ldpc/local.mk
include %D%/outer/local.mk
include %D%/polar/local.mk
include %D%/turbo/local.mk
include %D%/map/local.mk
include %D%/libfec/local.mk
include %D%/bbdev/local.mk
include %D%/gnuradio/local.mk
include %D%/fuzz/local.mk

TESTS += $(first_tests) $(check_PROGRAMS) $(shell_tests)

# What an unpacked archive must pass besides building, installing and cleaning, after all tests have run
# here: a test of each kind, and those that read most files.
few_programs = \
	%D%/core/test_pipeline \
	%D%/fuzz/replay_conf \
	%D%/viterbi/test_core
few_tests = $(few_programs) \
	%D%/core/plugins.t \
	%D%/core/run.t \
	%D%/install/install.t \
	%D%/tools/cli.t \
	%D%/viterbi/vectors.t
AM_DISTCHECK_CONFIGURE_FLAGS = --without-cuda CFLAGS=-O1
distcheck-few:
	$(MAKE) $(AM_MAKEFLAGS) distcheck check_PROGRAMS='$(few_programs)' TESTS='$(few_tests)'
.PHONY: distcheck-few

# After each change: something of all parts in less than a minute, once all is built. t/README.md says what else.
quick_programs = \
	%D%/chain/test_seg \
	%D%/core/test_lease \
	%D%/core/test_pipeline \
	%D%/core/test_slot \
	%D%/viterbi/test_core
quick_tests = $(quick_programs) \
	%D%/core/conf.t \
	%D%/core/errors.t \
	%D%/core/let.t \
	%D%/core/mini.t \
	%D%/core/unfinished.t \
	%D%/doc/links.t \
	%D%/doc/readme.t \
	%D%/ldpc/ends.t \
	%D%/ldpc/errors.t \
	%D%/ldpc/vectors.t \
	%D%/polar/ends.t \
	%D%/polar/errors.t \
	%D%/tools/compare_missing.t \
	%D%/tools/merge.t \
	%D%/turbo/ends.t \
	%D%/turbo/errors.t \
	%D%/turbo/vectors.t \
	%D%/viterbi/ends.t
check-quick: all
	$(MAKE) $(AM_MAKEFLAGS) check check_PROGRAMS='$(quick_programs)' TESTS='$(quick_tests)'
.PHONY: check-quick

# What more than one thread runs through: under the thread sanitizer all else is only slow. The two that take
# longest begin.
thread_programs = \
	%D%/core/test_api \
	%D%/tools/test_serve \
	%D%/core/test_session \
	%D%/chain/test_readers \
	$(bbdev_thread_programs)
thread_tests = \
	%D%/tools/check.t \
	%D%/tools/check_plugins.t \
	$(thread_programs) \
	%D%/chain/files.t \
	%D%/core/determinism.t \
	%D%/core/device.t \
	%D%/core/from.t \
	%D%/core/pace.t \
	%D%/core/plugins.t \
	%D%/core/run.t \
	%D%/core/takes.t \
	%D%/core/unfinished.t \
	%D%/ldpc/harq.t \
	%D%/tools/bench.t \
	%D%/tools/cli.t \
	%D%/turbo/harq.t
check-threads: all
	$(MAKE) $(AM_MAKEFLAGS) check check_PROGRAMS='$(thread_programs)' TESTS='$(thread_tests)'
.PHONY: check-threads

EXTRA_DIST += $(first_tests) $(shell_tests) $(long_tests) %D%/README.md %D%/data %D%/skips.txt

TEST_EXTENSIONS = .t
LOG_DRIVER = env AM_TAP_AWK='$(AWK)' $(SHELL) $(top_srcdir)/build-aux/tap-driver.sh
T_LOG_DRIVER = $(LOG_DRIVER)
T_LOG_COMPILER = /bin/sh

# Sanitizer reports get a status that fecrun itself never returns.
AM_TESTS_ENVIRONMENT = \
	FECRUN='$(abs_top_builddir)/fecrun'; \
	FECRUN_CHECK='$(abs_top_builddir)/fecrun-check'; \
	FECRUN_SANITIZER='$(SANITIZER)'; \
	top_srcdir='$(abs_top_srcdir)'; \
	top_builddir='$(abs_top_builddir)'; \
	PLUGINS='$(abs_top_builddir)/lib/fecrun/$(FECRUN_ABI)'; \
	T_DATA='$(abs_top_srcdir)/%D%/data'; \
	CONF='$(abs_top_srcdir)/conf'; \
	BADDIR='$(abs_top_builddir)/%D%/doubles/bad'; \
	FAKEDIR='$(abs_top_builddir)/%D%/doubles/fake'; \
	CC='$(CC)'; \
	NVCC='$(NVCC)'; \
	HEADER_CFLAGS='$(YAML_CFLAGS) $(JANSSON_CFLAGS) $(CPPFLAGS)'; \
	DPDK_CFLAGS='$(DPDK_CFLAGS)'; \
	ASAN_OPTIONS="exitcode=86:$$ASAN_OPTIONS"; \
	UBSAN_OPTIONS="exitcode=86:print_stacktrace=1:$$UBSAN_OPTIONS"; \
	TSAN_OPTIONS="exitcode=86:die_after_fork=0:$$TSAN_OPTIONS"; \
	LC_ALL=C; \
	export FECRUN FECRUN_CHECK FECRUN_SANITIZER top_srcdir top_builddir PLUGINS T_DATA CONF BADDIR \
	    FAKEDIR CC NVCC HEADER_CFLAGS DPDK_CFLAGS ASAN_OPTIONS UBSAN_OPTIONS TSAN_OPTIONS LC_ALL; \
	unset FECRUN_PLUGIN_PATH FECRUN_ISA MAKEFLAGS MFLAGS MAKELEVEL;

# `make check-long` only: long_tests.
check-long: all
	test -z '$(long_tests)' || $(MAKE) $(AM_MAKEFLAGS) check TESTS='$(long_tests)'
.PHONY: check-long
