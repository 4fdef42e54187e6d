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

/* Are the devices of a list well-formed, and each there once? */
static bool good_list(const char *text)
{
    int seen[BACKEND_DEVICES];

    for (size_t n = 0; n < BACKEND_DEVICES; n++) {
        seen[n] = read_device(&text);
        if (seen[n] < 0)
            return false;
        for (size_t i = 0; i < n; i++)
            if (seen[i] == seen[n])
                return false;
        if (!*text)
            return true;
        if (*text++ != ',')
            return false;
    }
    return false;
}

bool backend_name_split(const char *text, char *name, size_t size, int *device)
{
    const char *colon = strchr(text, ':');
    const size_t n = colon ? (size_t)(colon - text) : strlen(text);
    const char *at = colon ? colon + 1 : "0";

    if (!n || n >= size || (strcmp(at, "all") && !good_list(at)))
        return false;
    memcpy(name, text, n);
    name[n] = 0;
    *device = strcmp(at, "all") ? read_device(&at) : 0;
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
    if (!strcmp(at, "all")) {
        while (n < BACKEND_DEVICES && (int)n < there) {
            devices[n] = (int)n;
            n++;
        }
        return n;
    }
    while (n < BACKEND_DEVICES && (devices[n] = read_device(&at)) >= 0) {
        n++;
        at += *at == ',';
    }
    return n;
}
