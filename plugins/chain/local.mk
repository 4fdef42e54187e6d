# SPDX-License-Identifier: BSD-2-Clause
# Files of samples, for all plugins that read or write them.
noinst_LTLIBRARIES += %D%/libfiles.la
%C%_libfiles_la_SOURCES = \
	%D%/convert.c %D%/convert.h \
	%D%/file.h \
	%D%/infile.c \
	%D%/npy.c %D%/npy.h \
	%D%/outfile.c
%C%_libfiles_la_CPPFLAGS = $(PLUGIN_CPPFLAGS)
%C%_libfiles_la_CFLAGS = $(AM_CFLAGS) $(VECTOR_CFLAGS)

# All of the plugin, also for the unit tests of its parts.
noinst_LTLIBRARIES += %D%/libchain.la
%C%_libchain_la_SOURCES = \
	%D%/chain.c %D%/chain.h \
	%D%/chain_cuda.c %D%/chain_cuda.h \
	%D%/channel_awgn.c \
	%D%/channel_bits.c \
	%D%/channel_cuda.c \
	%D%/codes.h \
	%D%/crc.c \
	%D%/crc_cuda.c \
	%D%/device.h %D%/device_bits.h %D%/device_symbols.h \
	%D%/errors.h \
	%D%/llr_quantize.c \
	%D%/llr_quantize_cuda.c \
	%D%/modem.c %D%/modem.h \
	%D%/modem_cuda.c \
	%D%/modem_demap.c \
	%D%/modem_map.c \
	%D%/sink_errors.c \
	%D%/sink_errors_cuda.c \
	%D%/sink_file.c \
	%D%/sink_null.c \
	%D%/source_file.c \
	%D%/source_random.c \
	%D%/source_random_cuda.c
%C%_libchain_la_CPPFLAGS = $(PLUGIN_CPPFLAGS)
%C%_libchain_la_CFLAGS = $(AM_CFLAGS) $(VECTOR_CFLAGS)
%C%_libchain_la_LIBADD = %D%/libfiles.la
if HAVE_CUDA
%C%_libchain_la_LIBADD += %D%/kernels_bits.lo %D%/kernels_symbols.lo $(CUDA_LIBS)
endif
EXTRA_DIST += %D%/kernels.cuh %D%/kernels_bits.cu %D%/kernels_symbols.cu

pluginexec_LTLIBRARIES += %D%/chain.la
%C%_chain_la_SOURCES =
%C%_chain_la_LIBADD = %D%/libchain.la $(PLUGIN_LIBS)
%C%_chain_la_LDFLAGS = $(PLUGIN_LDFLAGS)

BUILT_PLUGINS += lib/fecrun/1/chain.so
lib/fecrun/1/chain.so: %D%/chain.la
	$(COPY_PLUGIN)
