# SPDX-License-Identifier: BSD-2-Clause
# All of the plugin, also for the unit tests of its parts.
noinst_LTLIBRARIES += %D%/libldpc.la
%C%_libldpc_la_SOURCES = \
	%D%/code.h \
	%D%/code_params.h \
	%D%/decode.h \
	%D%/ldpc.c %D%/ldpc.h
%C%_libldpc_la_CPPFLAGS = $(PLUGIN_CPPFLAGS)
%C%_libldpc_la_LIBADD =

# CUDA kernels; what the C side of them does without CUDA: see <fecrun/sdk/cuda.h>.
ldpc_kernels =
EXTRA_DIST += $(ldpc_kernels)
if HAVE_CUDA
%C%_libldpc_la_LIBADD += $(ldpc_kernels:.cu=.lo) $(CUDA_LIBS)
endif

pluginexec_LTLIBRARIES += %D%/ldpc.la
%C%_ldpc_la_SOURCES =
%C%_ldpc_la_LIBADD = %D%/libldpc.la $(PLUGIN_LIBS)
%C%_ldpc_la_LDFLAGS = $(PLUGIN_LDFLAGS)

BUILT_PLUGINS += lib/fecrun/1/ldpc.so
lib/fecrun/1/ldpc.so: %D%/ldpc.la
	$(COPY_PLUGIN)
