# SPDX-License-Identifier: BSD-2-Clause
# Polar codes.
check_PROGRAMS += \
	%D%/test_codes \
	%D%/test_decode \
	%D%/test_simd
%C%_test_codes_LDADD = plugins/polar/libpolar.la $(LDADD) $(LIBM)
%C%_test_decode_LDADD = plugins/polar/libpolar.la $(LDADD) $(LIBM)
%C%_test_simd_LDADD = plugins/polar/libpolar.la $(LDADD) $(LIBM)
shell_tests += \
	%D%/curves.t \
	%D%/errors.t \
	%D%/vectors.t
EXTRA_DIST += \
	%D%/trial.h
