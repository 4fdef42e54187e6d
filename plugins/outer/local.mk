# SPDX-License-Identifier: BSD-2-Clause
# All of the plugin, also for the unit tests of its parts.
noinst_LTLIBRARIES += %D%/libouter.la
%C%_libouter_la_SOURCES = \
	%D%/batch.c %D%/batch.h \
	%D%/bch_decode.c \
	%D%/bch_encode.c \
	%D%/code/bch.c %D%/code/bch.h \
	%D%/code/bits.h \
	%D%/code/field.c %D%/code/field.h \
	%D%/code/locate.c %D%/code/locate.h \
	%D%/code/rs.c %D%/code/rs.h \
	%D%/code/rs_frame.h \
	%D%/cuda/backend.c \
	%D%/cuda/block.h \
	%D%/cuda/launch.h \
	%D%/cuda/plan.c %D%/cuda/plan.h \
	%D%/cuda/warp.h \
	%D%/plan.c %D%/plan.h \
	%D%/plugin.c %D%/plugin.h \
	%D%/ref/bch_decode.c \
	%D%/ref/bch_encode.c \
	%D%/ref/rs_decode.c \
	%D%/ref/rs_encode.c \
	%D%/rs_decode.c \
	%D%/rs_encode.c \
	%D%/simd/bch.c %D%/simd/bch.h \
	%D%/simd/bch_divide.h \
	%D%/simd/bch_roots.h \
	%D%/simd/bch_tables.c \
	%D%/simd/instance.c %D%/simd/instance.h \
	%D%/simd/rs.c %D%/simd/rs.h \
	%D%/simd/rs_tables.c
%C%_libouter_la_CPPFLAGS = $(FAMILY_CPPFLAGS)
%C%_libouter_la_LIBADD = plugins/common/gpu/libgpu.la %D%/libouter-avx2.la %D%/libouter-gfni.la

# One object an instruction set, as in plugins/viterbi.
noinst_LTLIBRARIES += %D%/libouter-avx2.la %D%/libouter-gfni.la
%C%_libouter_avx2_la_SOURCES = %D%/simd/bch_avx2.c %D%/simd/rs_avx2.c
%C%_libouter_avx2_la_CPPFLAGS = $(FAMILY_CPPFLAGS)
%C%_libouter_avx2_la_CFLAGS = $(SIMD_CFLAGS) $(PCLMUL_CFLAGS)
%C%_libouter_gfni_la_SOURCES = %D%/simd/bch_gfni.c %D%/simd/rs_gfni.c
%C%_libouter_gfni_la_CPPFLAGS = $(FAMILY_CPPFLAGS)
%C%_libouter_gfni_la_CFLAGS = $(SIMD_CFLAGS) $(GFNI_CFLAGS)

outer_kernels = %D%/cuda/kernels.cu
EXTRA_DIST += $(outer_kernels)
if HAVE_CUDA
%C%_libouter_la_LIBADD += $(outer_kernels:.cu=.lo) $(CUDA_LIBS)
endif

pluginexec_LTLIBRARIES += %D%/outer.la
%C%_outer_la_SOURCES =
%C%_outer_la_LIBADD = %D%/libouter.la $(PLUGIN_LIBS)
%C%_outer_la_LDFLAGS = $(PLUGIN_LDFLAGS)

BUILT_PLUGINS += lib/fecrun/$(FECRUN_ABI)/outer.so
lib/fecrun/$(FECRUN_ABI)/outer.so: %D%/outer.la
	$(COPY_PLUGIN)
