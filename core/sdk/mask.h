/* SPDX-License-Identifier: BSD-2-Clause */
/* Masks of a CRC that come with frames: an input of values, one for each frame. Header only. */
#ifndef FECRUN_SDK_MASK_H
#define FECRUN_SDK_MASK_H

#include <fecrun/sdk/params.h>

/* For plan(): is this what such an input has to be? name: of the port; given: is there a mask of all frames,
   too? port: NULL where it is not linked, and `value` what the user wrote. */
static inline int fecrun_mask_port(const char *name, const struct fecrun_frame *port, int given,
                                   const struct fecrun_value *value, struct fecrun_error *err)
{
    if (!port && value->given == 2)
        return fecrun_fail(
            err, name, "%s is no stage of this file: a source.file of `kind: values` is", value->s);
    if (port && (port->items != 1 || port->stream))
        return fecrun_fail(err, name, "has %llu values a frame, and a mask is one",
                           (unsigned long long)port->items);
    if (port && given)
        return fecrun_fail(err, "mask",
                           "is one for all frames, and %s gives each its own: leave "
                           "one of them out",
                           name);
    return 0;
}

/* What a frame's number says: a whole one of at most `width` bits; those of 16 bits may come from a file of
   i2 as negative ones. -1, and 0 as the mask: it is none. */
static inline int fecrun_mask_read(const void *row, unsigned width, uint32_t *mask)
{
    float value;
    int32_t whole;

    *mask = 0;
    memcpy(&value, row, sizeof value);
    if (!(value >= -32768 && value < 16777216))
        return -1;
    whole = (int32_t)value;
    if ((float)whole != value)
        return -1;
    whole += whole < 0 ? 65536 : 0;
    if ((uint32_t)whole >> width)
        return -1;
    *mask = (uint32_t)whole;
    return 0;
}

#endif
