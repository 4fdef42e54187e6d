/* SPDX-License-Identifier: BSD-2-Clause */
/* First half of the negotiation: the backends and forms that each stage could use. */
#ifndef FECRUN_PLAN_CANDIDATES_H
#define FECRUN_PLAN_CANDIDATES_H

#include "core/plan/graph.h"
#include "core/plan/negotiate.h"

struct candidate {
    const struct registry_backend *backend;
    const struct fecrun_form *form;
    unsigned space;
    int device;
    unsigned n_absorbed;
    unsigned cost; /* of its own: preference, form, running */
};

struct candidates {
    size_t n;
    bool failed;                            /* there was no memory for more */
    const struct registry_backend *refuser; /* the first that does not take the codes, or files; */
    struct fecrun_error why;                /* NULL: none */
    struct candidate *option;               /* free() it, also after an error */
};

/* All options of stage s to run itself. None: an error that says which wish or type rules them out. */
int candidates_list(struct candidates *options, const struct shape *shape, size_t s,
                    struct diag *diag);

/* Instances that stage s wants for all classes of frames: one where its form or its order takes
   them together, else one a class. */
size_t options_instances(const struct shape *shape, size_t s, const struct fecrun_form *form);

/* What create() and takes() are told of stage s: its code objects from that class on, and those of
   n_absorbed stages before it. The room is to live as long. */
struct options_room {
    const char *names[GRAPH_MAX_STAGES];
    void *const *codes[GRAPH_MAX_STAGES];
};
struct fecrun_create options_create(const struct shape *shape, size_t s,
                                    const struct fecrun_form *form, unsigned n_absorbed,
                                    size_t class, struct options_room *room);

/* Where nobody says which device, it is the one that was named elsewhere for the same provider. */
int candidates_device(const struct graph *graph, const struct fecrun_provider *provider);

/* An error if the user named two devices. */
int candidates_one_device(const struct graph *graph, struct diag *diag);

/* Adds the options of stage s's backend number b alone, on the one device of its provider that the pipeline may use. */
void candidates_add(struct candidates *options, const struct shape *shape, size_t s, size_t b);

/* A port that is linked here and that the backend lacks, or NULL. */
const char *candidates_missing_port(const struct plan *plan, size_t s,
                                    const struct fecrun_backend *backend);

#endif
