# SPDX-License-Identifier: BSD-2-Clause
# Messages by MPI, in an object of its own that `fecrun run` loads as one process of a job.
EXTRA_DIST += %D%/mpi.c
if HAVE_MPI
clusterexec_LTLIBRARIES += %D%/cluster.la
%C%_cluster_la_SOURCES = %D%/mpi.c
%C%_cluster_la_CPPFLAGS = -iquote $(top_srcdir) $(MPI_CFLAGS)
%C%_cluster_la_CFLAGS = $(AM_CFLAGS)
%C%_cluster_la_LIBADD = $(MPI_LIBS)
%C%_cluster_la_LDFLAGS = -module -avoid-version -shared $(NO_UNDEFINED) \
	-export-symbols-regex '^fecrun_cluster$$'

BUILT_PLUGINS += lib/fecrun/cluster.so
lib/fecrun/cluster.so: %D%/cluster.la
	$(COPY_PLUGIN)
endif
