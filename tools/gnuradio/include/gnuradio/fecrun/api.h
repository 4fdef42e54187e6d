/* SPDX-License-Identifier: BSD-2-Clause */
/* What libgnuradio-fecrun shows. */
#ifndef GNURADIO_FECRUN_API_H
#define GNURADIO_FECRUN_API_H

#include <gnuradio/attributes.h>

#ifdef gnuradio_fecrun_EXPORTS
#define FECRUN_RADIO_API __GR_ATTR_EXPORT
#else
#define FECRUN_RADIO_API __GR_ATTR_IMPORT
#endif

#endif
