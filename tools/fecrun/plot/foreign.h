/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads results of other programs as lines of results. */
#ifndef FECRUN_TOOL_FOREIGN_H
#define FECRUN_TOOL_FOREIGN_H

#include "core/base/diag.h"

#include <jansson.h>
#include <stdio.h>

/*
 * What AFF3CT prints (also with the header of its database of references), and the CSV of sinter.
 * line(): gets {"type":"run"} with a modem.map, if one is known, and {"type":"point"} with `set`,
 * `ebn0_db`, `esn0_db`, `fer`, `ber` and the interval, as far as the file has them, and with `label`
 * if it names its curve. Not 0 from line(): stop, and return that. 1: the file is neither of them.
 */
int foreign_read(FILE *file, const char *path, int (*line)(void *data, json_t *line), void *data,
                 struct diag *diag);

#endif
