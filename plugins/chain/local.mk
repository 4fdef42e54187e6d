# SPDX-License-Identifier: BSD-2-Clause
# All of the plugin, also for the unit tests of its parts.
noinst_LTLIBRARIES += %D%/libchain.la
%C%_libchain_la_SOURCES = \
	%D%/chain.c %D%/chain.h \
	%D%/channel_awgn.c \
	%D%/channel_bits.c \
	%D%/convert.c %D%/convert.h \
	%D%/crc.c \
	%D%/file.h \
	%D%/infile.c \
	%D%/llr_quantize.c \
	%D%/modem.c %D%/modem.h \
	%D%/modem_demap.c \
	%D%/modem_map.c \
	%D%/npy.c %D%/npy.h \
	%D%/outfile.c \
	%D%/sink_errors.c \
	%D%/sink_file.c \
	%D%/sink_null.c \
	%D%/source_file.c \
	%D%/source_random.c
%C%_libchain_la_CPPFLAGS = $(PLUGIN_CPPFLAGS)
%C%_libchain_la_CFLAGS = $(AM_CFLAGS) $(VECTOR_CFLAGS)

pluginexec_LTLIBRARIES += %D%/chain.la
%C%_chain_la_SOURCES =
%C%_chain_la_LIBADD = %D%/libchain.la $(PLUGIN_LIBS)
%C%_chain_la_LDFLAGS = $(PLUGIN_LDFLAGS)

BUILT_PLUGINS += lib/fecrun/1/chain.so
lib/fecrun/1/chain.so: %D%/chain.la
	$(COPY_PLUGIN)
