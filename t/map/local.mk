# SPDX-License-Identifier: BSD-2-Clause
# bench/map: cells drawn at random.
check_PROGRAMS += %D%/test_stat
%C%_test_stat_SOURCES = %D%/test_stat.c bench/map/stat.c
%C%_test_stat_LDADD = $(LDADD) $(LIBM)
check_DATA += bench/map/map$(EXEEXT) bench/map/speed/speed$(EXEEXT)
shell_tests += %D%/speed.t
long_tests += %D%/long_map.t
