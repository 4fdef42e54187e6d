/* SPDX-License-Identifier: BSD-2-Clause */
int not_fecrun_plugin;
