/* SPDX-License-Identifier: BSD-2-Clause */
/* Finds impossible counts in lines of results and journals. */
#ifndef FECRUN_TOOL_COUNTS_H
#define FECRUN_TOOL_COUNTS_H

#include <jansson.h>
#include <stdbool.h>

/*
 * Does the object, a point of results or a line of a journal, have more of something than there was?
 * frames: the member that holds the number of frames, "frames" or "n". Members that are missing, null or
 * no numbers are not compared. true: text says which member is wrong and what is allowed.
 */
bool counts_wrong(const json_t *object, const char *frames, char *text, size_t size);

#endif
