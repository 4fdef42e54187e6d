/* SPDX-License-Identifier: BSD-2-Clause */
/* The probabilities of single errors: one number, or a file with one for each column. */
#include <locale.h>
#include <math.h>
#include <stdlib.h>

#include "plugins/ldpc/code/read/lines.h"
#include "plugins/ldpc/syndrome/syndrome.h"

static void set(struct ldpc_syndrome *d, uint32_t j, double p)
{
    const double llr = log((1 - p) / p);

    d->prior[j] = (float)llr;
    d->weight[j] = llrint(llr * LDPC_SYNDROME_WEIGHT);
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

/* The next probability of the line: 1; 0: there is none; -1: what stands there is none. */
static int next(struct ldpc_text *t, double *p)
{
    char word[64], *end;
    size_t n = 0;

    while (t->at < t->stop && is_blank(*t->at))
        t->at++;
    for (; t->at + n < t->stop && !is_blank(t->at[n]); n++) {
        if (n + 1 == sizeof word)
            return ldpc_text_fail(t, "column %zu: has more than %zu characters",
                                  (size_t)(t->at - t->start) + 1, sizeof word - 1);
        word[n] = t->at[n];
    }
    word[n] = 0;
    if (!n)
        return 0;
    *p = strtod(word, &end);
    if (*end || !(*p > 0 && *p < 1))
        return ldpc_text_fail(t,
                              "column %zu: must be a probability above 0 and below 1 (leave out "
                              "columns that never fail)",
                              (size_t)(t->at - t->start) + 1);
    t->at += n;
    return 1;
}

static int read_all(struct ldpc_syndrome *d, struct ldpc_text *t)
{
    uint32_t n = 0;
    double p = 0;
    int got;

    while (ldpc_text_more(t))
        while ((got = next(t, &p))) {
            if (got < 0)
                return -1;
            if (n == d->cols)
                return ldpc_text_fail(t, "more than %u probabilities; the matrix has %u columns",
                                      d->cols, d->cols);
            set(d, n++, p);
        }
    if (n < d->cols)
        return ldpc_text_fail(t, "the file ends after %u probabilities; the matrix has %u columns",
                              n, d->cols);
    return 0;
}

/* With points in numbers, whatever the locale of the program around us has. */
static int parse(struct ldpc_syndrome *d, struct ldpc_text *t)
{
    const locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0), before = uselocale(c);
    const int status = read_all(d, t);

    uselocale(before);
    if (c)
        freelocale(c);
    return status;
}

/* The reader of lines serves the parameter `path`; these errors are those of `priors`. */
static int name_priors(struct fecrun_error *err)
{
    if (!strcmp(err->param, "path"))
        snprintf(err->param, sizeof err->param, "priors");
    return -1;
}

static int read_file(struct ldpc_syndrome *d, const char *path, struct fecrun_error *err)
{
    struct ldpc_text text;
    size_t size;
    char *data = ldpc_text_read(path, &size, err);
    int status;

    if (!data)
        return name_priors(err);
    ldpc_text_start(&text, data, size, err);
    status = parse(d, &text);
    free(data);
    if (!status)
        return 0;
    ldpc_text_name(err, path);
    return name_priors(err);
}

static int allocate(struct ldpc_syndrome *d, struct fecrun_error *err)
{
    d->prior = calloc(d->cols, sizeof *d->prior);
    d->weight = calloc(d->cols, sizeof *d->weight);
    return d->prior && d->weight ? 0 : fecrun_no_memory(err);
}

int ldpc_syndrome_priors(struct ldpc_syndrome *d, const char *path, double p,
                         struct fecrun_error *err)
{
    if (allocate(d, err))
        return -1;
    if (path)
        return read_file(d, path, err);
    for (uint32_t j = 0; j < d->cols; j++)
        set(d, j, p);
    return 0;
}

int ldpc_syndrome_priors_of(struct ldpc_syndrome *d, const double *p, struct fecrun_error *err)
{
    if (allocate(d, err))
        return -1;
    for (uint32_t j = 0; j < d->cols; j++)
        set(d, j, fmin(fmax(p[j], 1e-12), 1 - 1e-12));
    return 0;
}
