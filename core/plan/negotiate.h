/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Chooses for each stage a backend and a form (sample types), so that neighbours fit. Pure: plans
 * in, choices out. The search is exact over the cost
 *
 *     1000 x place in the backends' order of preference + 100 a copy between memory spaces
 *     + 10 a conversion + 5 a stage that runs (so absorbing one is worth it) + place in the forms
 *
 * and conversions are lossless only.
 */
#ifndef FECRUN_PLAN_NEGOTIATE_H
#define FECRUN_PLAN_NEGOTIATE_H

#include "core/plan/shape.h"

/* Memory spaces: 0 is the host, i + 1 the devices of registry provider i. */
#define SPACE_HOST 0

/* One linked input: what the producer leaves and what the consumer wants. */
struct edge {
    int from_stage; /* -1: not linked */
    int from_port;
    uint32_t from_type, to_type; /* enum fecrun_type */
    unsigned from_space, to_space;
};

struct choice {
    int absorbed_by; /* stage whose backend does this one's work; -1: it runs itself */
    const struct registry_backend *backend;
    const struct fecrun_form *form;
    unsigned space;
    unsigned n_absorbed; /* stages right before this one that it does itself */
    struct edge in[FECRUN_MAX_PORTS];
    struct param_set *tune; /* NULL: the backend has no tuning */
};

struct negotiation {
    const struct graph *graph;
    struct choice *choices; /* one a stage */
    unsigned cost;
    unsigned
        space; /* of the device that takes part, of which a pipeline has one; SPACE_HOST: none */
    int device;
};

int negotiate(struct negotiation **negotiation, const struct shape *shape, struct diag *diag);
void negotiation_free(struct negotiation *negotiation);

/* "cuda:1" -> "cuda" and 1, "cuda:all" and "cuda:0,2" -> the first. false: not well-formed. */
bool backend_name_split(const char *text, char *name, size_t size, int *device);
/* Is it one that stands for several devices? */
bool backend_names_several(const char *text);

#define BACKEND_DEVICES 64

/* The devices that it names, of `there` that exist: no more than BACKEND_DEVICES of them. Those of
   a list that are not there, too. */
size_t backend_devices(const char *text, int there, int *devices);

#endif
