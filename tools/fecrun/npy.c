/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/fecrun/npy.h"

#include "tools/fecrun/result_impl.h"

#include <fecrun/sdk/sample.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int npy_append(struct npy_array *array, const struct line_port *port, struct diag *diag)
{
    const uint64_t items = port->frame->items, more = items * port->pieces;
    size_t size;
    char *data;

    array->type = port->type == FECRUN_PACKED ? FECRUN_U8
                  : port->type == FECRUN_I4   ? FECRUN_I8
                                              : port->type;
    size = fecrun_type_bits(array->type) / 8;
    data = realloc(array->data, (array->n + more) * size + 1);
    if (!data)
        return diag_no_memory(diag);
    array->data = data;
    data += array->n * size;
    for (uint64_t p = 0; p < port->pieces; p++)
        fecrun_convert(port->type, array->type, (const char *)port->data + p * port->stride,
                       data + p * items * size, items);
    array->n += more;
    return 0;
}

static const char *descr_of(uint32_t type)
{
    switch (type) {
    case FECRUN_U8:
        return "|u1";
    case FECRUN_I8:
        return "|i1";
    case FECRUN_I16:
        return "<i2";
    case FECRUN_F16:
        return "<f2";
    case FECRUN_F32:
        return "<f4";
    default:
        return "<c8";
    }
}

/* Version 1.0: magic, version, length of the text, which ends with a newline at a multiple of 64. */
int npy_write(const char *path, const struct npy_array *array, uint64_t rows, struct diag *diag)
{
    char head[128] = "\x93NUMPY\x01", text[118];
    const size_t bytes = (size_t)(array->n * fecrun_type_bits(array->type) / 8);
    struct output output = {0};
    int status = output_open_own(&output, path, diag);

    snprintf(text, sizeof text,
             "{'descr': '%s', 'fortran_order': False, 'shape': (%" PRIu64 ", %" PRIu64 "), }",
             descr_of(array->type), rows, array->n / rows);
    head[8] = sizeof head - 10;
    snprintf(head + 10, sizeof head - 10, "%-117.117s", text);
    head[sizeof head - 1] = '\n';
    if (!status) { /* what goes wrong is found by the flush */
        fwrite(head, 1, sizeof head, output.stream);
        fwrite(array->data, 1, bytes, output.stream);
        status = output_flush(&output, diag);
    }
    return output_close(&output, "", diag) ? -1 : status;
}
