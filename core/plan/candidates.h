/* SPDX-License-Identifier: BSD-2-Clause */
/* Negotiation, first half: what each stage could do, given types, availability and wishes. */
#ifndef FECRUN_OPTIONS_H
#define FECRUN_OPTIONS_H

#include "negotiate.h"

#define MAX_OPTIONS 128

struct option {
    const struct registry_backend *backend; /* NULL: let a later stage absorb this one */
    const struct fecrun_form *form;
    unsigned space;
    int device;
    unsigned n_absorbed;
    unsigned cost; /* of its own: preference, form, running */
};

struct options {
    size_t n;
    bool full; /* there would be more */
    const struct registry_backend *refuser; /* the first that fits, but does not take the codes; */
    struct fecrun_error why;                /* NULL: none */
    struct option option[MAX_OPTIONS];
};

/* All options of stage s. None: an error that says which wish or type rules them out. */
int options_list(struct options *options, const struct plan *plan, size_t s, struct diag *diag);

/* An error if the user named two devices. */
int options_one_device(const struct graph *graph, struct diag *diag);

/* Can the backend do what plan() made ordered? If not, why: */
bool options_in_order(const struct plan *plan, size_t s, const struct fecrun_backend *backend);
#define OPTIONS_FILES "it reads and writes no files"

/*
 * Do the frames fit a form of stage s's backend number b, but does it take the codes in none? Then
 * its reason is in why.
 */
bool options_refused(const struct plan *plan, size_t s, size_t b, struct fecrun_error *why);

/* The backend that the user asked for on this stage, or NULL for "choose". */
const char *options_wish(const struct graph *graph, size_t s);

#endif
