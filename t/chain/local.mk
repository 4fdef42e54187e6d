# SPDX-License-Identifier: BSD-2-Clause
# Files, modem, channels, CRC.
check_PROGRAMS += \
	%D%/test_cuda \
	%D%/test_cuda_crc \
	%D%/test_cuda_hard \
	%D%/test_cuda_link \
	%D%/test_live \
	%D%/test_noise \
	%D%/test_npy \
	%D%/test_readers \
	%D%/test_schemes \
	%D%/test_seg \
	%D%/test_seg_cuda \
	%D%/test_simd \
	%D%/test_theory
%C%_test_cuda_SOURCES = %D%/test_cuda.c %D%/cuda.h
%C%_test_cuda_LDADD = plugins/chain/libchain.la $(LDADD)
%C%_test_cuda_crc_SOURCES = %D%/test_cuda_crc.c %D%/cuda.h
%C%_test_cuda_crc_LDADD = plugins/chain/libchain.la $(LDADD)
%C%_test_cuda_hard_SOURCES = %D%/test_cuda_hard.c %D%/cuda.h
%C%_test_cuda_hard_LDADD = plugins/chain/libchain.la $(LDADD)
%C%_test_cuda_link_SOURCES = %D%/test_cuda_link.c %D%/link.h
%C%_test_cuda_link_LDADD = plugins/chain/libchain.la $(LDADD)
%C%_test_live_LDADD = plugins/chain/libchain.la $(LDADD)
%C%_test_readers_LDADD = plugins/chain/libchain.la $(LDADD)
%C%_test_npy_LDADD = plugins/chain/libchain.la $(LDADD)
%C%_test_schemes_SOURCES = %D%/test_schemes.c %D%/theory.h
%C%_test_schemes_LDADD = $(LDADD) $(LIBM)
%C%_test_seg_LDADD = plugins/chain/libchain.la $(LDADD)
%C%_test_seg_cuda_LDADD = plugins/chain/libchain.la $(LDADD)
%C%_test_simd_SOURCES = %D%/test_simd.c %D%/link.h
%C%_test_simd_LDADD = plugins/chain/libchain.la $(LDADD)
%C%_test_noise_SOURCES = %D%/test_noise.c %D%/theory.h
%C%_test_noise_LDADD = $(LDADD) $(LIBM)
%C%_test_theory_SOURCES = %D%/test_theory.c %D%/theory.h
%C%_test_theory_LDADD = $(LDADD) $(LIBM)
shell_tests += \
	%D%/crc.t \
	%D%/cuda.t \
	%D%/fading.t \
	%D%/files.t \
	%D%/formats.t \
	%D%/large.t \
	%D%/live.t \
	%D%/quantize.t \
	%D%/recordings.t \
	%D%/schemes.t \
	%D%/seg.t \
	%D%/simd.t \
	%D%/uncoded.t \
	%D%/vectors.t
