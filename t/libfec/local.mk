# SPDX-License-Identifier: BSD-2-Clause
# libfec's functions on top of fecrun.
check_PROGRAMS += %D%/test_fec
%C%_test_fec_LDADD = tools/libfec/libfecrun-fec.la core/sdk/libsdk.la $(LIBM)
