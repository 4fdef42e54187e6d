# SPDX-License-Identifier: BSD-2-Clause
# libfec's functions on top of fecrun.
check_PROGRAMS += \
	%D%/test_fec \
	%D%/test_soft
%C%_test_fec_LDADD = tools/libfec/libfecrun-fec.la core/sdk/libsdk.la $(LIBM)
%C%_test_soft_SOURCES = %D%/test_soft.c tools/libfec/soft.c
%C%_test_soft_LDADD = tools/libfec/libsoft-avx2.la
