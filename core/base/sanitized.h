/* SPDX-License-Identifier: BSD-2-Clause */
/* Says whether the program is compiled for a sanitizer, by macros of GCC and features of clang. */
#ifndef FECRUN_BASE_SANITIZED_H
#define FECRUN_BASE_SANITIZED_H

#if defined __has_feature
#if __has_feature(address_sanitizer)
#define SANITIZED_ADDRESS 1
#endif
#if __has_feature(thread_sanitizer)
#define SANITIZED_THREAD 1
#endif
#endif
#if defined __SANITIZE_ADDRESS__ && !defined SANITIZED_ADDRESS
#define SANITIZED_ADDRESS 1
#endif
#if defined __SANITIZE_THREAD__ && !defined SANITIZED_THREAD
#define SANITIZED_THREAD 1
#endif
#if defined SANITIZED_ADDRESS || defined SANITIZED_THREAD
#define SANITIZED 1
#endif

#endif
