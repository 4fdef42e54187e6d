# SPDX-License-Identifier: BSD-2-Clause
# Tests speak TAP. A C test is one word here: t/test_NAME is made of t/test_NAME.c and the core.
check_PROGRAMS += \
	%D%/test_batch \
	%D%/test_chain_cuda \
	%D%/test_conf \
	%D%/test_conv_cuda \
	%D%/test_convert \
	%D%/test_corpus_alist \
	%D%/test_corpus_conf \
	%D%/test_corpus_npy \
	%D%/test_corpus_qc \
	%D%/test_cuda_convert \
	%D%/test_cuda_provider \
	%D%/test_diag \
	%D%/test_ldpc_chain_cuda \
	%D%/test_ldpc_codes \
	%D%/test_ldpc_rate \
	%D%/test_ldpc_decode \
	%D%/test_ldpc_document \
	%D%/test_ldpc_erasures \
	%D%/test_ldpc_files \
	%D%/test_ldpc_order \
	%D%/test_ldpc_simd \
	%D%/test_ldpc_takes \
	%D%/test_loader \
	%D%/test_negotiate \
	%D%/test_npy \
	%D%/test_param \
	%D%/test_pipeline \
	%D%/test_result \
	%D%/test_rng \
	%D%/test_space \
	%D%/test_stats \
	%D%/test_viterbi_core \
	%D%/test_viterbi_cuda \
	%D%/test_viterbi_ml \
	%D%/test_viterbi_range

# Those that test parts of a plugin need its library, too.
%C%_test_conv_cuda_LDADD = plugins/viterbi/libviterbi.la $(LDADD)
%C%_test_chain_cuda_LDADD = plugins/chain/libchain.la $(LDADD)
%C%_test_corpus_alist_LDADD = plugins/ldpc/libldpc.la $(LDADD)
%C%_test_corpus_npy_LDADD = plugins/chain/libchain.la $(LDADD)
%C%_test_ldpc_chain_cuda_LDADD = plugins/ldpc/libldpc.la $(LDADD)
%C%_test_ldpc_codes_LDADD = plugins/ldpc/libldpc.la $(LDADD)
%C%_test_ldpc_rate_LDADD = plugins/ldpc/libldpc.la $(LDADD)
%C%_test_corpus_qc_LDADD = plugins/ldpc/libldpc.la $(LDADD)
%C%_test_ldpc_decode_LDADD = plugins/ldpc/libldpc.la $(LDADD)
%C%_test_ldpc_document_LDADD = plugins/ldpc/libldpc.la $(LDADD)
%C%_test_ldpc_erasures_LDADD = plugins/ldpc/libldpc.la $(LDADD)
%C%_test_ldpc_files_LDADD = plugins/ldpc/libldpc.la $(LDADD)
%C%_test_ldpc_order_LDADD = plugins/ldpc/libldpc.la $(LDADD)
%C%_test_ldpc_simd_LDADD = plugins/ldpc/libldpc.la $(LDADD)
%C%_test_ldpc_takes_LDADD = plugins/ldpc/libldpc.la $(LDADD)
%C%_test_npy_LDADD = plugins/chain/libchain.la $(LDADD)
%C%_test_viterbi_core_LDADD = plugins/viterbi/libviterbi.la $(LDADD)
%C%_test_viterbi_cuda_LDADD = plugins/viterbi/libviterbi.la $(LDADD)
%C%_test_viterbi_range_LDADD = plugins/viterbi/libviterbi.la $(LDADD)
%C%_test_viterbi_ml_LDADD = plugins/viterbi/libviterbi.la $(LDADD)

# The threads of the fast CUDA decoder, compiled for the CPU: nothing is unrolled, and -O1 will do.
if HAVE_CUDA
check_PROGRAMS += %D%/test_viterbi_fast
endif
%C%_test_viterbi_fast_SOURCES =
%C%_test_viterbi_fast_LDADD = %D%/test_viterbi_fast.lo plugins/viterbi/libviterbi.la $(LDADD)
EXTRA_DIST += %D%/test_viterbi_fast.cu
MOSTLYCLEANFILES += %D%/test_viterbi_fast.lo %D%/test_viterbi_fast.o
%D%/test_viterbi_fast.lo: %D%/test_viterbi_fast.cu
	$(AM_V_GEN)$(MKDIR_P) $(@D)
	$(AM_V_at)$(LIBTOOL) $(AM_V_lt) --tag=CC $(AM_LIBTOOLFLAGS) $(LIBTOOLFLAGS) --mode=compile \
	    $(filter-out -O%,$(NVCC_COMPILE)) -O1 -Wno-unknown-pragmas -I$(top_srcdir) -I$(top_srcdir)/t \
	    -MD -MT $@ -MF $(@:.lo=.cu.d) -c -o $@ $(srcdir)/%D%/test_viterbi_fast.cu

# The kernels in registers of the CUDA LDPC decoder, which are templates: -O1 as above, and without
# debug information, which takes longer to write than the code.
if HAVE_CXX
check_PROGRAMS += %D%/test_ldpc_fast
endif
%C%_test_ldpc_fast_LDADD = %D%/ldpc_fast_emulate.o plugins/ldpc/libldpc.la $(LDADD) $(LIBM)
EXTRA_DIST += %D%/ldpc_fast.h %D%/ldpc_fast_emulate.cc %D%/ldpc_fast_plain.h \
	%D%/ldpc_fast_trial.h
MOSTLYCLEANFILES += %D%/ldpc_fast_emulate.o %D%/ldpc_fast_emulate.d
%D%/ldpc_fast_emulate.o: %D%/ldpc_fast_emulate.cc
	$(AM_V_GEN)$(MKDIR_P) $(@D)
	$(AM_V_at)$(CC) -x c++ -std=gnu++17 $(AM_CPPFLAGS) $(CPPFLAGS) -Wall -Wextra \
	    -Wno-unknown-pragmas $(SANITIZER_CFLAGS) $(CFLAGS) -O1 -g0 -ffp-contract=off \
	    -fno-strict-aliasing -fno-exceptions -fno-rtti -fno-threadsafe-statics \
	    -MD -MT $@ -MF $(@:.o=.d) -c -o $@ $(srcdir)/%D%/ldpc_fast_emulate.cc
-include %D%/ldpc_fast_emulate.d

shell_tests = \
	%D%/bench.t \
	%D%/check.t \
	%D%/cli.t \
	%D%/conf.t \
	%D%/cuda_provider.t \
	%D%/cuda_registers.t \
	%D%/cuda_conv.t \
	%D%/cuda_ldpc.t \
	%D%/cuda_ldpc_chain.t \
	%D%/cuda_viterbi.t \
	%D%/cuda_chain.t \
	%D%/curves.t \
	%D%/determinism.t \
	%D%/device.t \
	%D%/device_memory.t \
	%D%/errors.t \
	%D%/files.t \
	%D%/from.t \
	%D%/harq.t \
	%D%/install.t \
	%D%/ldpc_curves.t \
	%D%/ldpc_decode.t \
	%D%/ldpc_errors.t \
	%D%/ldpc_vectors.t \
	%D%/plugins.t \
	%D%/run.t \
	%D%/takes.t \
	%D%/vectors.t

# `make check-long` only.
long_tests = \
	%D%/long_curves.t \
	%D%/long_ldpc_curves.t \
	%D%/long_stream.t

# Plugins that must be refused, or parts of them: t/bad/NAME.c becomes BADDIR/NAME.so, linked with
# the variable LIBS_NAME.
bad_plugins = \
	%D%/bad/bad_name.so \
	%D%/bad/check_faulty.so \
	%D%/bad/in_dependency.so \
	%D%/bad/libdep.so \
	%D%/bad/no_backends.so \
	%D%/bad/no_symbol.so \
	%D%/bad/null_run.so \
	%D%/bad/old_abi.so \
	%D%/bad/probe_crash.so \
	%D%/bad/probe_exit.so \
	%D%/bad/probe_refuse.so \
	%D%/bad/short_backend.so \
	%D%/bad/short_plugin.so \
	%D%/bad/short_stage.so \
	%D%/bad/undefined.so \
	%D%/bad/unknown_type.so
%D%/bad/in_dependency.so: %D%/bad/libdep.so
LIBS_in_dependency = -L%D%/bad -l:libdep.so -Wl,-rpath,'$$ORIGIN'

# Plugins that work, for tests: a device made of host memory, ports, streams, stages that do nothing.
fake_sources = \
	%D%/fake/cuda/row.c \
	%D%/fake/device.c \
	%D%/fake/future.c \
	%D%/fake/null.c \
	%D%/fake/past.c \
	%D%/fake/ports.c
fake_plugins = $(fake_sources:.c=.so)

# What shell tests call.
EXTRA_PROGRAMS = %D%/json_lines %D%/many_runs
%C%_json_lines_SOURCES = %D%/json_lines.c
%C%_many_runs_SOURCES = %D%/many_runs.c
%C%_many_runs_LDADD = $(LDADD) $(DL_LIBS)
check_DATA += %D%/json_lines$(EXEEXT) %D%/many_runs$(EXEEXT)
CLEANFILES += %D%/json_lines$(EXEEXT) %D%/many_runs$(EXEEXT)

# Not tests: what they read and share; a directory is taken whole.
EXTRA_DIST += \
	%D%/bad/stage.h \
	%D%/fake/fake.h \
	%D%/fake/fake_absorb.h \
	%D%/fake/fake_choosy.h \
	%D%/fake/fake_ends.h \
	%D%/fake/fake_event.h \
	%D%/fake/fake_window.h \
	%D%/corpus \
	%D%/corpus.h \
	%D%/counts.sh \
	%D%/cuda_frames.h \
	%D%/cuda_emulate.h \
	%D%/data \
	%D%/ldpc_codes.h \
	%D%/ldpc_ref.h \
	%D%/fuzz_ldpc.h \
	%D%/memory.h \
	%D%/outoftree \
	%D%/tap.h \
	%D%/tap.sh \
	%D%/viterbi.h \
	%D%/viterbi_fast.cuh

TESTS += $(check_PROGRAMS) $(shell_tests)
EXTRA_DIST += $(shell_tests) $(long_tests) $(bad_plugins:.so=.c) $(fake_sources)
check_DATA += $(bad_plugins) $(fake_plugins)
CLEANFILES += $(bad_plugins) $(fake_plugins)

%D%/%.so: %D%/%.c
	$(AM_V_CCLD)$(MKDIR_P) $(@D) && $(CC) $(PLUGIN_CPPFLAGS) $(CPPFLAGS) $(AM_CFLAGS) $(CFLAGS) \
	    -fPIC -shared -o $@ $< $(LIBS_$(*F))
$(bad_plugins) $(fake_plugins): $(top_srcdir)/core/include/fecrun/plugin.h
$(bad_plugins) $(fake_plugins): $(srcdir)/%D%/bad/stage.h
$(fake_plugins): $(srcdir)/%D%/fake/fake.h
$(fake_plugins): $(srcdir)/%D%/fake/fake_absorb.h $(srcdir)/%D%/fake/fake_ends.h
$(fake_plugins): $(srcdir)/%D%/fake/fake_choosy.h
$(fake_plugins): $(srcdir)/%D%/fake/fake_event.h
$(fake_plugins): $(srcdir)/%D%/fake/fake.h $(srcdir)/%D%/fake/fake_window.h

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
	T_DATA='$(abs_top_srcdir)/%D%/data'; \
	CONF='$(abs_top_srcdir)/conf'; \
	BADDIR='$(abs_top_builddir)/%D%/bad'; \
	FAKEDIR='$(abs_top_builddir)/%D%/fake'; \
	CC='$(CC)'; \
	ASAN_OPTIONS="exitcode=86:$$ASAN_OPTIONS"; \
	UBSAN_OPTIONS="exitcode=86:print_stacktrace=1:$$UBSAN_OPTIONS"; \
	TSAN_OPTIONS="exitcode=86:die_after_fork=0:$$TSAN_OPTIONS"; \
	LC_ALL=C; \
	export FECRUN FECRUN_CHECK FECRUN_SANITIZER top_srcdir top_builddir T_DATA CONF BADDIR FAKEDIR CC \
	    ASAN_OPTIONS UBSAN_OPTIONS TSAN_OPTIONS LC_ALL; \
	unset FECRUN_PLUGIN_PATH FECRUN_ISA MAKEFLAGS MFLAGS MAKELEVEL;

check-long: all
	test -z '$(long_tests)' || $(MAKE) $(AM_MAKEFLAGS) check TESTS='$(long_tests)'
.PHONY: check-long

# Kernels under compute-sanitizer, on a machine with a CUDA device.
check-cuda-sanitizer: all
	$(MAKE) $(AM_MAKEFLAGS) %D%/test_cuda_provider$(EXEEXT)
	@$(AM_TESTS_ENVIRONMENT) $(SHELL) $(srcdir)/%D%/sanitize_cuda.sh
.PHONY: check-cuda-sanitizer
EXTRA_DIST += %D%/sanitize_cuda.sh

# libFuzzer targets: t/fuzz_NAME is made of t/fuzz_NAME.c and the core. Each needs two lines, and
# a t/test_corpus_NAME above, which replays t/corpus/NAME:
#   fuzz_programs += %D%/fuzz_NAME
#   %C%_fuzz_NAME_LDFLAGS = $(FUZZ_LDFLAGS)
fuzz_programs =
fuzz_programs += %D%/fuzz_conf
%C%_fuzz_conf_LDFLAGS = $(FUZZ_LDFLAGS)
fuzz_programs += %D%/fuzz_npy
%C%_fuzz_npy_LDFLAGS = $(FUZZ_LDFLAGS)
%C%_fuzz_npy_LDADD = plugins/chain/libchain.la $(LDADD)
fuzz_programs += %D%/fuzz_alist
%C%_fuzz_alist_LDFLAGS = $(FUZZ_LDFLAGS)
%C%_fuzz_alist_LDADD = plugins/ldpc/libldpc.la $(LDADD)
fuzz_programs += %D%/fuzz_qc
%C%_fuzz_qc_LDFLAGS = $(FUZZ_LDFLAGS)
%C%_fuzz_qc_LDADD = plugins/ldpc/libldpc.la $(LDADD)
if ENABLE_FUZZERS
noinst_PROGRAMS += $(fuzz_programs)
endif
EXTRA_DIST += $(fuzz_programs:=.c)
