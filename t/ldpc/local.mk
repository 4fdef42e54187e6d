# SPDX-License-Identifier: BSD-2-Clause
# LDPC codes.
check_PROGRAMS += \
	%D%/test_chain_cuda \
	%D%/test_codes \
	%D%/test_compile \
	%D%/test_decode \
	%D%/test_erasures \
	%D%/test_files \
	%D%/test_forms \
	%D%/test_general \
	%D%/test_lane_order \
	%D%/test_order \
	%D%/test_quantize \
	%D%/test_rate \
	%D%/test_row_text \
	%D%/test_simd \
	%D%/test_syndrome \
	%D%/test_syndrome_simd \
	%D%/test_takes
%C%_test_chain_cuda_LDADD = plugins/ldpc/libldpc.la $(LDADD)
%C%_test_codes_LDADD = plugins/ldpc/libldpc.la $(LDADD)
%C%_test_compile_LDADD = plugins/ldpc/libldpc.la $(LDADD)
%C%_test_decode_LDADD = plugins/ldpc/libldpc.la $(LDADD)
%C%_test_erasures_LDADD = plugins/ldpc/libldpc.la $(LDADD)
%C%_test_files_LDADD = plugins/ldpc/libldpc.la $(LDADD)
%C%_test_forms_LDADD = plugins/ldpc/libldpc.la $(LDADD)
%C%_test_general_LDADD = plugins/ldpc/libldpc.la $(LDADD)
%C%_test_lane_order_LDADD = plugins/ldpc/libldpc.la $(LDADD)
%C%_test_order_LDADD = plugins/ldpc/libldpc.la $(LDADD)
%C%_test_quantize_LDADD = plugins/ldpc/libldpc.la $(LDADD) $(LIBM)
%C%_test_rate_LDADD = plugins/ldpc/libldpc.la $(LDADD)
%C%_test_row_text_LDADD = plugins/ldpc/libldpc.la $(LDADD) $(LIBM)
%C%_test_simd_LDADD = plugins/ldpc/libldpc.la $(LDADD)
%C%_test_syndrome_LDADD = plugins/ldpc/libldpc.la $(LDADD)
%C%_test_syndrome_simd_LDADD = plugins/ldpc/libldpc.la $(LDADD)
%C%_test_takes_LDADD = plugins/ldpc/libldpc.la $(LDADD)
shell_tests += \
	%D%/chain_cuda.t \
	%D%/cuda.t \
	%D%/decode.t \
	%D%/ends.t \
	%D%/errors.t \
	%D%/harq.t \
	%D%/library.t \
	%D%/limit.t \
	%D%/graph.t \
	%D%/loss.t \
	%D%/missing.t \
	%D%/soft.t \
	%D%/detectors.t \
	%D%/syndrome.t \
	%D%/vectors.t \
	%D%/verdict.t
long_tests += \
	%D%/long_curves.t
EXTRA_DIST += \
	%D%/codes.h \
	%D%/random_code.h \
	%D%/ref.h \
	%D%/registers.h \
	%D%/registers_check.h \
	%D%/registers_machine.h \
	%D%/registers_others.h \
	%D%/registers_plain.h \
	%D%/registers_trial.h \
	%D%/matrices.h \
	%D%/shared_codes.h \
	%D%/shared_machine.h

# The kernels in registers of the CUDA decoder, which are templates: -O1 as in t/viterbi, and without
# debug information, which takes longer to write than the code.
%C%_test_registers_LDADD = %D%/registers_emulate.o plugins/ldpc/libldpc.la $(LDADD) $(LIBM)
%C%_test_registers_code_LDADD = %D%/registers_emulate_code.o plugins/ldpc/libldpc.la $(LDADD) \
	$(LIBM)
# The same kernels as devices before compute capability 9.0 have them.
%C%_test_registers_old_LDADD = %D%/registers_emulate_old.o plugins/ldpc/libldpc.la $(LDADD) \
	$(LIBM)
%C%_test_shared_LDADD = %D%/shared_emulate.o plugins/ldpc/libldpc.la $(LDADD) $(LIBM)
EXTRA_DIST += %D%/registers_emulate.cc %D%/registers_emulate_code.cc %D%/shared_emulate.cc
MOSTLYCLEANFILES += %D%/registers_emulate.o %D%/registers_emulate.d \
	%D%/registers_emulate_code.o %D%/registers_emulate_code.d %D%/registers_graphs.inc \
	%D%/registers_emulate_old.o %D%/registers_emulate_old.d \
	%D%/shared_emulate.o %D%/shared_emulate.d %D%/shared_graphs.inc
EMULATE_REGISTERS = $(CC) -x c++ -std=gnu++17 $(AM_CPPFLAGS) $(CPPFLAGS) -I%D% -Wall -Wextra \
	-Wno-unknown-pragmas $(EMULATE_SANITIZER_CFLAGS) $(CFLAGS) -O1 -g0 -ffp-contract=off \
	-fno-strict-aliasing -fno-exceptions -fno-rtti -fno-threadsafe-statics
%D%/registers_emulate.o: %D%/registers_emulate.cc
	$(AM_V_GEN)$(MKDIR_P) $(@D)
	$(AM_V_at)$(EMULATE_REGISTERS) -MD -MT $@ -MF $(@:.o=.d) -c -o $@ $(srcdir)/%D%/registers_emulate.cc
%D%/registers_emulate_code.o: %D%/registers_emulate_code.cc %D%/registers_graphs.inc
	$(AM_V_GEN)$(MKDIR_P) $(@D)
	$(AM_V_at)$(EMULATE_REGISTERS) -MD -MT $@ -MF $(@:.o=.d) -c -o $@ \
	    $(srcdir)/%D%/registers_emulate_code.cc
%D%/registers_emulate_old.o: %D%/registers_emulate_code.cc %D%/registers_graphs.inc
	$(AM_V_GEN)$(MKDIR_P) $(@D)
	$(AM_V_at)$(EMULATE_REGISTERS) -DLDPC_OLD_DEVICE -MD -MT $@ -MF $(@:.o=.d) -c -o $@ \
	    $(srcdir)/%D%/registers_emulate_code.cc
%D%/shared_emulate.o: %D%/shared_emulate.cc %D%/shared_graphs.inc
	$(AM_V_GEN)$(MKDIR_P) $(@D)
	$(AM_V_at)$(EMULATE_REGISTERS) -MD -MT $@ -MF $(@:.o=.d) -c -o $@ \
	    $(srcdir)/%D%/shared_emulate.cc
-include %D%/shared_emulate.d
-include %D%/registers_emulate.d
-include %D%/registers_emulate_code.d
-include %D%/registers_emulate_old.d

# The sources of those kernels, as the plugin writes them.
EXTRA_PROGRAMS += %D%/registers_graphs
%C%_registers_graphs_SOURCES = %D%/registers_graphs.c
%C%_registers_graphs_LDADD = plugins/ldpc/libldpc.la $(LDADD) $(LIBM)
%D%/registers_graphs.inc: %D%/registers_graphs$(EXEEXT)
	$(AM_V_GEN)%D%/registers_graphs >$@.tmp && mv -f $@.tmp $@

EXTRA_PROGRAMS += %D%/shared_graphs
%C%_shared_graphs_SOURCES = %D%/shared_graphs.c
%C%_shared_graphs_LDADD = plugins/ldpc/libldpc.la $(LDADD) $(LIBM)
%D%/shared_graphs.inc: %D%/shared_graphs$(EXEEXT)
	$(AM_V_GEN)%D%/shared_graphs >$@.tmp && mv -f $@.tmp $@
