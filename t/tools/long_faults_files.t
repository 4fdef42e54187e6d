# SPDX-License-Identifier: BSD-2-Clause
# Every call of those of which faults_files.t takes a sample.
FAULTS_ALL=1
. "$top_srcdir/t/tools/faults_files.t"
