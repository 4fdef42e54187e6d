# SPDX-License-Identifier: BSD-2-Clause
# The LTE turbo code.
check_PROGRAMS += \
	%D%/test_chain_cuda \
	%D%/test_decode \
	%D%/test_encode \
	%D%/test_floats \
	%D%/test_family \
	%D%/test_rate \
	%D%/test_simd \
	%D%/test_windows_fit
%C%_test_chain_cuda_LDADD = plugins/turbo/libturbo.la $(LDADD)
%C%_test_decode_LDADD = plugins/turbo/libturbo.la $(LDADD) $(LIBM)
%C%_test_encode_LDADD = plugins/turbo/libturbo.la $(LDADD)
%C%_test_floats_LDADD = plugins/turbo/libturbo.la $(LDADD) $(LIBM)
%C%_test_family_LDADD = plugins/turbo/libturbo.la $(LDADD)
%C%_test_rate_LDADD = plugins/turbo/libturbo.la $(LDADD)
%C%_test_simd_LDADD = plugins/turbo/libturbo.la $(LDADD) $(LIBM)
shell_tests += \
	%D%/codes.t \
	%D%/cuda.t \
	%D%/ends.t \
	%D%/errors.t \
	%D%/floor.t \
	%D%/harq.t \
	%D%/latency.t \
	%D%/loss.t \
	%D%/received.t \
	%D%/soft.t \
	%D%/vectors.t \
	%D%/word.t
long_tests += \
	%D%/long_curves.t
EXTRA_DIST += \
	%D%/noise.h \
	%D%/simd_model.h \
	%D%/windows.h \
	%D%/windows_plain.h

# The kernels of the CUDA decoder, which are templates: as in t/ldpc.
turbo_emulated = %D%/windows_emulate.o %D%/windows_emulate_bf16.o \
	%D%/windows_emulate_slim.o %D%/windows_emulate_slimmest.o
%C%_test_windows_LDADD = $(turbo_emulated) plugins/turbo/libturbo.la $(LDADD) $(LIBM)
%C%_test_windows_fit_LDADD = plugins/turbo/libturbo.la $(LDADD) $(LIBM)
EXTRA_DIST += $(turbo_emulated:.o=.cc)
MOSTLYCLEANFILES += $(turbo_emulated) $(turbo_emulated:.o=.d)
%D%/windows_emulate.o: %D%/windows_emulate.cc
%D%/windows_emulate_bf16.o: %D%/windows_emulate_bf16.cc
%D%/windows_emulate_slim.o: %D%/windows_emulate_slim.cc
%D%/windows_emulate_slimmest.o: %D%/windows_emulate_slimmest.cc
$(turbo_emulated):
	$(AM_V_GEN)$(MKDIR_P) $(@D)
	$(AM_V_at)$(CC) -x c++ -std=gnu++17 $(AM_CPPFLAGS) $(CPPFLAGS) -Wall -Wextra \
	    -Wno-unknown-pragmas $(EMULATE_SANITIZER_CFLAGS) $(CFLAGS) -O1 -g0 -ffp-contract=off \
	    -fno-strict-aliasing -fno-exceptions -fno-rtti -fno-threadsafe-statics \
	    -MD -MT $@ -MF $(@:.o=.d) -c -o $@ $(srcdir)/$(@:.o=.cc)
-include %D%/windows_emulate.d
-include %D%/windows_emulate_bf16.d
-include %D%/windows_emulate_slim.d
-include %D%/windows_emulate_slimmest.d
