# SPDX-License-Identifier: BSD-2-Clause
# What plugins share. An object an instruction set, as in plugins/viterbi.
check_PROGRAMS += %D%/test_vec
%C%_test_vec_SOURCES = %D%/test_vec.c %D%/vec.h %D%/vec_generic.c %D%/vec_names.h %D%/vec_portable.c
%C%_test_vec_LDADD = %D%/libvec-avx2.la %D%/libvec-avx512.la core/sdk/libsdk.la $(LDADD)
check_LTLIBRARIES = %D%/libvec-avx2.la %D%/libvec-avx512.la
%C%_libvec_avx2_la_SOURCES = %D%/vec_avx2.c
%C%_libvec_avx2_la_CPPFLAGS = $(AM_CPPFLAGS)
%C%_libvec_avx2_la_CFLAGS = $(AM_CFLAGS) $(AVX2_CFLAGS)
%C%_libvec_avx512_la_SOURCES = %D%/vec_avx512.c
%C%_libvec_avx512_la_CPPFLAGS = $(AM_CPPFLAGS)
%C%_libvec_avx512_la_CFLAGS = $(AM_CFLAGS) $(AVX512_CFLAGS)
