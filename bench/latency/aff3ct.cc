/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * AFF3CT, its polar decoders of 8 bits with vectors along a frame: SC, and the adaptive list with a CRC. They decode
 * systematic words. So a frame gets the signs of the systematic word of the same bits, with the same noise. words=FILE:
 * words of the code, a byte a bit, from which the frozen positions are found.
 */
#include "frozen.h"

#include "Module/CRC/Polynomial/CRC_polynomial_fast.hpp"
#include "Module/Decoder/Polar/ASCL/Decoder_polar_ASCL_fast_CA_sys.hpp"
#include "Module/Decoder/Polar/SC/Decoder_polar_SC_fast_sys.hpp"
#include "Tools/Code/Polar/API/API_polar_dynamic_intra.hpp"

#include <memory>
#include <vector>

using namespace aff3ct;

namespace
{

using B = int8_t;
using R = int8_t;
using api = tools::API_polar_dynamic_intra<B, R>;

/* The decoder without the checks and bindings around a call. */
template <class D> struct direct : D {
    using D::D;
    void run(const R *in, B *out) { this->_decode_siho(in, out, 0); }
};

template <class D> struct polar {
    /* The word of these bits, and the systematic one. */
    void words(const uint8_t *bits, std::vector<uint8_t> &plain, std::vector<uint8_t> &systematic)
    {
        for (size_t i = 0, b = 0; i < frozen.size(); i++)
            plain[i] = frozen[i] ? 0 : bits[b++];
        systematic = plain;
        transform(plain);
        transform(systematic);
        for (size_t i = 0; i < frozen.size(); i++)
            if (frozen[i])
                systematic[i] = 0;
        transform(systematic);
    }

    void load(const int8_t *from, const uint8_t *bits)
    {
        std::vector<uint8_t> plain(frozen.size()), systematic(frozen.size());

        words(bits, plain, systematic);
        for (size_t i = 0; i < frozen.size(); i++)
            llrs[i] = (R)(plain[i] == systematic[i] ? from[i] : -from[i]);
    }

    std::vector<bool> frozen;
    mipp::vector<R> llrs;
    mipp::vector<B> out;
    std::unique_ptr<direct<D>> decoder;
};

using sc = module::Decoder_polar_SC_fast_sys<B, R, api>;
using ascl = module::Decoder_polar_ASCL_fast_CA_sys<B, R, api>;

template <class D> polar<D> *start()
{
    auto *s = new polar<D>;

    s->frozen = find_frozen(row.llrs);
    s->llrs.resize((size_t)row.llrs);
    s->out.resize((size_t)row.bits);
    return s;
}

void *create_sc(int)
{
    if (!row_is("polar") || !*row_text("words") || row_number("list"))
        return nullptr;
    auto *s = start<sc>();
    s->decoder.reset(new direct<sc>(row.bits, row.llrs, s->frozen));
    return s;
}

void *create_ascl(int)
{
    if (!row_is("polar") || !*row_text("words") || !row_number("list") || !row_number("adaptive"))
        return nullptr;
    auto *s = start<ascl>();
    const int bits = row_number("crc_bits");
    module::CRC_polynomial_fast<B> crc(row.bits - bits, row_text("crc_polynomial"), bits);
    s->decoder.reset(new direct<ascl>(row.bits, row.llrs, row_number("list"), s->frozen, crc));
    return s;
}

template <class D> void load(void *state, const int8_t *llrs, const uint8_t *bits)
{
    static_cast<polar<D> *>(state)->load(llrs, bits);
}

template <class D> void decode(void *state)
{
    auto *s = static_cast<polar<D> *>(state);

    s->decoder->run(s->llrs.data(), s->out.data());
}

template <class D> void store(void *state, uint8_t *bits)
{
    const auto &out = static_cast<polar<D> *>(state)->out;

    for (int i = 0; i < row.bits; i++)
        bits[i] = out[(size_t)i] != 0;
}

} // namespace

extern "C" const struct decoder decoders[] = {
    {"AFF3CT, 8 bits", 0, create_sc, load<sc>, decode<sc>, store<sc>},
    {"AFF3CT, 8 bits, adaptive", 0, create_ascl, load<ascl>, decode<ascl>, store<ascl>},
    {},
};
