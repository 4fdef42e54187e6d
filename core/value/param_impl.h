/* SPDX-License-Identifier: BSD-2-Clause */
/* Declarations shared by param.c and param_value.c. */
#ifndef FECRUN_VALUE_PARAM_IMPL_H
#define FECRUN_VALUE_PARAM_IMPL_H

#include "core/value/param.h"

struct param_set {
    const struct fecrun_param *const *schema;
    size_t count;
    char *label;
    const struct conf_place *place;
    const char *const *skip; /* keys of the map that are not parameters, or NULL */
    struct mark mark;
    struct fecrun_value *values; /* strings and lists in them are malloc'ed, s of CHOICE too */
    struct mark *marks;          /* where the user wrote each */
    const struct fecrun_value **table;
    struct fecrun_values view;
};

/* Why a node is no value for a parameter; the place is that of the node or list item at fault. */
struct param_problem {
    struct mark mark;
    char text[512];
};

/* A node to a new value; on failure the value is empty. */
int param_value_read(const struct fecrun_param *param, const struct conf_place *place,
                     const struct conf_node *node, struct fecrun_value *value,
                     struct param_problem *problem);
/* Is a value that was read for another parameter of the type one of this, too? A choice's index
   becomes this one's. */
bool param_value_fits(const struct fecrun_param *param, struct fecrun_value *value);
int param_value_copy(struct fecrun_value *value, const struct fecrun_value *from);
void param_value_clear(struct fecrun_value *value);

#endif
