# SPDX-License-Identifier: BSD-2-Clause
# Instances and launches of the CUDA backends beside the decoders.
noinst_LTLIBRARIES += %D%/libgpu.la
%C%_libgpu_la_SOURCES = %D%/apart.c %D%/apart.h %D%/bits.h %D%/by_class.c %D%/by_class.h %D%/frames.h %D%/gpu.c %D%/gpu.h %D%/load.h
%C%_libgpu_la_CPPFLAGS = $(FAMILY_CPPFLAGS)
EXTRA_DIST += %D%/apart.cuh %D%/chunks.cuh %D%/encode.cuh %D%/flat.h
