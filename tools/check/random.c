/* SPDX-License-Identifier: BSD-2-Clause */
/* Random numbers: splitmix64. */
#include "tools/check/check.h"

#include "tools/check/check_impl.h"

#include <math.h>

uint64_t check_random(struct check_random *random)
{
    uint64_t z = random->state += 0x9e3779b97f4a7c15u;

    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

uint64_t check_random_below(struct check_random *random, uint64_t n)
{
    return check_random(random) % n;
}

double check_random_unit(struct check_random *random)
{
    return (double)(check_random(random) >> 11) * 0x1p-53;
}

double check_random_gauss(struct check_random *random)
{
    double u = 1 - check_random_unit(random), v = check_random_unit(random);

    return sqrt(-2 * log(u)) * cos(6.283185307179586 * v);
}

struct check_random check_random_for(uint64_t seed, const char *text, uint64_t number)
{
    struct check_random random = {seed ^ number << 40};

    for (; *text; text++) {
        random.state ^= (uint8_t)*text;
        check_random(&random);
        random.state *= 0x100000001b3u;
    }
    return random;
}
