/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What processes of a job tell each other. All are the same program (HELLO makes sure of it), so
 * messages are structs as they lie in memory.
 *
 *     worker                          rank 0
 *     HELLO who it is          ->
 *                              <-     GIVE a lease, STOP one that nobody wants any more
 *     RESULT, or FAILED        ->
 *                              <-     END; PING now and then
 *     BYE                      ->
 *                              <-     LEAVE together, or each by itself
 */
#ifndef FECRUN_TOOL_CLUSTER_MESSAGE_H
#define FECRUN_TOOL_CLUSTER_MESSAGE_H

#include "run/fleet/lease.h"

enum message_type {
    MESSAGE_HELLO = 1, /* text behind it: JSON, see hello.h */
    MESSAGE_GIVE,
    MESSAGE_STOP,
    MESSAGE_RESULT, /* rows behind it */
    MESSAGE_FAILED, /* text behind it */
    MESSAGE_END,
    MESSAGE_BYE,
    MESSAGE_LEAVE,
    MESSAGE_PING,
};

struct message {
    uint32_t type;
    uint32_t n_rows;      /* RESULT, */
    uint64_t n_data;      /* and bytes behind them for the sink */
    uint64_t point;       /* GIVE, RESULT */
    struct lease lease;   /* GIVE; STOP and RESULT: its first frame */
    struct run_part part; /* RESULT */
    bool together;        /* LEAVE */
};

#define MESSAGE_TEXT 8192

#endif
