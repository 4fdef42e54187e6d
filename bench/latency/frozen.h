/* SPDX-License-Identifier: BSD-2-Clause */
/* The frozen positions of a polar code, from words of it: words=FILE, a byte a bit. */
#ifndef LATENCY_FROZEN_H
#define LATENCY_FROZEN_H

#include "decoder.h"

#include <algorithm>
#include <cstdio>
#include <vector>

inline void transform(std::vector<uint8_t> &word)
{
    for (size_t step = 1; step < word.size(); step *= 2)
        for (size_t i = 0; i < word.size(); i++)
            if (!(i & step))
                word[i] ^= word[i + step];
}

/* The positions that are 0 in all words before the last step of the encoder. */
inline std::vector<bool> find_frozen(int n)
{
    std::vector<bool> frozen((size_t)n, true);
    std::vector<uint8_t> word((size_t)n);
    FILE *file = fopen(row_text("words"), "rb");

    if (!file)
        die("words=FILE: cannot be read");
    while (fread(word.data(), 1, word.size(), file) == word.size()) {
        transform(word);
        for (size_t i = 0; i < word.size(); i++)
            if (word[i])
                frozen[i] = false;
    }
    fclose(file);
    if (std::count(frozen.begin(), frozen.end(), false) != row.bits)
        die("words=FILE: too few words to find the frozen positions");
    return frozen;
}

#endif
