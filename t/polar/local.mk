# SPDX-License-Identifier: BSD-2-Clause
# Polar codes.
check_PROGRAMS += \
	%D%/test_chain_cuda \
	%D%/test_codes \
	%D%/test_decode \
	%D%/test_encode \
	%D%/test_ensemble \
	%D%/test_fit \
	%D%/test_frame \
	%D%/test_simd \
	%D%/test_small
%C%_test_chain_cuda_LDADD = plugins/polar/libpolar.la $(LDADD) $(LIBM)
%C%_test_codes_LDADD = plugins/polar/libpolar.la $(LDADD) $(LIBM)
%C%_test_decode_LDADD = plugins/polar/libpolar.la $(LDADD) $(LIBM)
%C%_test_encode_LDADD = plugins/polar/libpolar.la $(LDADD) $(LIBM)
%C%_test_ensemble_LDADD = plugins/polar/libpolar.la $(LDADD) $(LIBM)
%C%_test_fit_LDADD = plugins/polar/libpolar.la $(LDADD) $(LIBM)
%C%_test_frame_LDADD = plugins/polar/libpolar.la $(LDADD) $(LIBM)
%C%_test_simd_LDADD = plugins/polar/libpolar.la $(LDADD) $(LIBM)
%C%_test_small_LDADD = plugins/polar/libpolar.la $(LDADD) $(LIBM)
shell_tests += \
	%D%/cuda.t \
	%D%/curves.t \
	%D%/ends.t \
	%D%/errors.t \
	%D%/side.t \
	%D%/small.t \
	%D%/status.t \
	%D%/uci.t \
	%D%/vectors.t
long_tests += \
	%D%/long_curves.t
EXTRA_DIST += \
	%D%/trial.h

# The kernels of the CUDA decoders, which are templates: as in t/ldpc.
%C%_test_bp_cuda_LDADD = %D%/bp_emulate.o %D%/bp_emulate_apart.o plugins/polar/libpolar.la $(LDADD) $(LIBM)
%C%_test_cuda_LDADD = %D%/cuda_emulate.o plugins/polar/libpolar.la $(LDADD) $(LIBM)
%C%_test_cuda_mixed_LDADD = %D%/cuda_emulate.o plugins/polar/libpolar.la $(LDADD) $(LIBM)
EXTRA_DIST += %D%/bp_cuda.h %D%/bp_emulate.cc %D%/bp_emulate_apart.cc %D%/cuda.h %D%/cuda_emulate.cc %D%/cuda_trial.h
MOSTLYCLEANFILES += %D%/bp_emulate.o %D%/bp_emulate.d %D%/bp_emulate_apart.o %D%/bp_emulate_apart.d %D%/cuda_emulate.o %D%/cuda_emulate.d
%D%/bp_emulate.o: %D%/bp_emulate.cc
%D%/bp_emulate_apart.o: %D%/bp_emulate_apart.cc
%D%/cuda_emulate.o: %D%/cuda_emulate.cc
%D%/bp_emulate.o %D%/bp_emulate_apart.o %D%/cuda_emulate.o:
	$(AM_V_GEN)$(MKDIR_P) $(@D)
	$(AM_V_at)$(CC) -x c++ -std=gnu++17 $(AM_CPPFLAGS) $(CPPFLAGS) -Wall -Wextra \
	    -Wno-unknown-pragmas $(EMULATE_SANITIZER_CFLAGS) $(CFLAGS) -O1 -g0 -ffp-contract=off \
	    -fno-strict-aliasing -fno-exceptions -fno-rtti -fno-threadsafe-statics \
	    -MD -MT $@ -MF $(@:.o=.d) -c -o $@ $(srcdir)/$(@:.o=.cc)
-include %D%/bp_emulate.d
-include %D%/bp_emulate_apart.d
-include %D%/cuda_emulate.d
