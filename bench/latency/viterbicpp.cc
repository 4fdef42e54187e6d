/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * ViterbiDecoderCpp, its AVX2 decoders: 16 bits, and 8 bits with its own configuration, whose symbols are -3 to 3. It has
 * no tail-biting codes.
 */
#include "decoder.h"

#include "viterbi/viterbi_decoder_core.h"
#include "viterbi/x86/viterbi_decoder_avx_u16.h"
#include "viterbi/x86/viterbi_decoder_avx_u8.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace
{

struct base {
    virtual ~base() = default;
    virtual void load(const int8_t *llrs) = 0;
    virtual void decode() = 0;
    std::vector<uint8_t> packed;
};

/* margin: steps of the largest error that its examples leave for metrics */
template <size_t K, size_t R, typename soft, typename error, typename kernel> struct viterbi : base {
    viterbi(const uint32_t *generators, int high_, int margin)
        : high(high_), symbols(row.llrs), table(generators, soft(high_), soft(-high_)),
          core(table, config(high_, margin))
    {
        packed.resize((size_t)row.bits / 8 + 8);
        core.set_traceback_length((size_t)row.bits);
    }

    static ViterbiDecoder_Config<error> config(int high, int margin)
    {
        ViterbiDecoder_Config<error> c;
        const error most = error(2 * high * (int)R);

        c.soft_decision_max_error = most;
        c.initial_start_error = 0;
        c.initial_non_start_error = error(most * margin);
        c.renormalisation_threshold = error(std::numeric_limits<error>::max() - most * margin);
        return c;
    }

    /* 8 bits have seven values, so that LLRs above 10 are clipped: with a step for them the others would be lost. */
    void load(const int8_t *llrs) override
    {
        const int most = high < 127 && row.max > 10 ? 10 : row.max;

        for (int i = 0; i < row.llrs; i++)
            symbols[(size_t)i] = soft(std::lround(-std::clamp<int>(llrs[i], -most, most) * (double)high / most));
    }

    void decode() override
    {
        core.reset();
        kernel::template update<uint64_t>(core, symbols.data(), symbols.size());
        core.chainback(packed.data(), (size_t)(row.bits + 7) / 8 * 8);
    }

    int high;
    std::vector<soft> symbols;
    ViterbiBranchTable<K, R, soft> table;
    ViterbiDecoder_Core<K, R, error, soft> core;
};

template <size_t K, size_t R> base *make(int variant)
{
    uint32_t generators[R];

    for (size_t i = 0; i < R; i++)
        generators[i] = (uint32_t)row_reversed_generator((int)i);
    if (variant == 16)
        return new viterbi<K, R, int16_t, uint16_t, ViterbiDecoder_AVX_u16<K, R>>(generators, 127, 5);
    return new viterbi<K, R, int8_t, uint8_t, ViterbiDecoder_AVX_u8<K, R>>(generators, 3, 2);
}

void *create(int variant)
{
    const int k = row_number("constraint_length"), r = row_number("outputs");

    if (!row_is("viterbi") || row_number("tail_biting"))
        return nullptr;
    return k == 7 && r == 2 ? make<7, 2>(variant)
           : k == 7 && r == 3 ? make<7, 3>(variant)
           : k == 9 && r == 2 ? make<9, 2>(variant)
                              : nullptr;
}

void load(void *state, const int8_t *llrs, const uint8_t *)
{
    static_cast<base *>(state)->load(llrs);
}

void decode(void *state)
{
    static_cast<base *>(state)->decode();
}

void store(void *state, uint8_t *bits)
{
    const auto &packed = static_cast<base *>(state)->packed;

    for (int i = 0; i < row.bits; i++)
        bits[i] = packed[(size_t)i / 8] >> (7 - i % 8) & 1;
}

} // namespace

extern "C" const struct decoder decoders[] = {
    {"ViterbiDecoderCpp, 16 bits", 16, create, load, decode, store},
    {"ViterbiDecoderCpp, 8 bits", 8, create, load, decode, store},
    {},
};
