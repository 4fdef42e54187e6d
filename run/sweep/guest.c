/* SPDX-License-Identifier: BSD-2-Clause */
#include "run/sweep/guest.h"

/* NULL behind the last one. */
static const struct fecrun_provider *provider_of(const struct registry *registry, size_t i)
{
    return i < registry->n_providers && i < GUEST_PROVIDERS ? registry->providers[i].provider
                                                            : NULL;
}

static bool can_choose(const struct fecrun_provider *provider)
{
    return provider->chosen && provider->choose;
}

void guest_enter(struct guest *guest, const struct registry *registry)
{
    const struct fecrun_provider *provider;

    for (size_t i = 0; (provider = provider_of(registry, i)); i++)
        guest->chosen[i] = can_choose(provider) ? provider->chosen() : NULL;
}

void guest_leave(const struct guest *guest, const struct registry *registry)
{
    const struct fecrun_provider *provider;

    for (size_t i = 0; (provider = provider_of(registry, i)); i++)
        if (can_choose(provider))
            provider->choose(guest->chosen[i]);
}
