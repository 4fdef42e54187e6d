/* SPDX-License-Identifier: BSD-2-Clause */
/* Names of backends: NAME, NAME:DEVICE, NAME:all, NAME:DEVICE,DEVICE,... */
#include "core/plan/negotiate.h"

#include <stdlib.h>
#include <string.h>

#define DEVICE_MOST 1024

/* Reads a number at *text and moves behind it; -1: there is none. */
static int read_device(const char **text)
{
    char *end;
    unsigned long number;

    if (**text < '0' || **text > '9')
        return -1;
    number = strtoul(*text, &end, 10);
    *text = end;
    return number <= DEVICE_MOST ? (int)number : -1;
}

/* The devices of a list, at most BACKEND_DEVICES; 0: it is not well-formed, or names one twice. */
static size_t read_list(const char *text, int *devices)
{
    size_t n = 0;

    do {
        const int device = n < BACKEND_DEVICES ? read_device(&text) : -1;
        for (size_t i = 0; i < n; i++)
            if (devices[i] == device)
                return 0;
        if (device < 0)
            return 0;
        devices[n++] = device;
    } while (*text++ == ',');
    return text[-1] ? 0 : n;
}

bool backend_name_split(const char *text, char *name, size_t size, int *device)
{
    const char *colon = strchr(text, ':');
    const size_t n = colon ? (size_t)(colon - text) : strlen(text);
    const char *at = colon ? colon + 1 : "0";
    int devices[BACKEND_DEVICES] = {0};

    if (!n || n >= size || (strcmp(at, "all") && !read_list(at, devices)))
        return false;
    memcpy(name, text, n);
    name[n] = 0;
    *device = devices[0];
    return true;
}

bool backend_names_several(const char *text)
{
    const char *colon = strchr(text, ':');

    return colon && (!strcmp(colon + 1, "all") || strchr(colon, ','));
}

size_t backend_devices(const char *text, int there, int *devices)
{
    const char *at = strchr(text, ':');
    size_t n = 0;

    at = at ? at + 1 : "0";
    if (strcmp(at, "all"))
        return read_list(at, devices);
    for (; n < BACKEND_DEVICES && (int)n < there; n++)
        devices[n] = (int)n;
    return n;
}
