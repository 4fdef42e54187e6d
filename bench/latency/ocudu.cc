/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * OCUDU, which was srsRAN Project: polar without a list, and NR LDPC stopped by the checks of its high-rate rows. Its
 * LLRs are at most 120; 127 means a bit that is known.
 */
#include "decoder.h"

#include "ocudu/phy/upper/channel_coding/channel_coding_factories.h"

#include <algorithm>
#include <vector>

using namespace ocudu;

namespace
{

void put(std::vector<log_likelihood_ratio> &to, const int8_t *llrs)
{
    for (int i = 0; i < row.llrs; i++)
        to[(size_t)i] = std::clamp<int>(llrs[i], -120, 120);
}

struct base {
    virtual ~base() = default;
    virtual void load(const int8_t *llrs) = 0;
    virtual void decode() = 0;
    virtual void store(uint8_t *bits) = 0;
};

struct polar : base {
    polar()
        : factory(create_polar_factory_sw()), code(factory->create_code()), llrs((size_t)row.llrs), out(1024),
          allocated((size_t)row.bits), message((size_t)row.bits), interleave(row_number("input_interleave"))
    {
        code->set((unsigned)row.bits, (unsigned)row.llrs, row_number("n") == 1024 ? 10 : 9,
                  polar_code_ibil::not_present);
        decoder = factory->create_decoder(code->get_n());
        dematcher = factory->create_rate_dematcher();
        deallocator = factory->create_deallocator();
        interleaver = factory->create_interleaver();
        word.resize(code->get_N());
    }

    void load(const int8_t *from) override
    {
        put(llrs, from);
        if (llrs.size() == word.size())
            word = llrs;
    }

    void decode() override
    {
        span<uint8_t> u = span<uint8_t>(out).first(code->get_N());

        if (llrs.size() != word.size())
            dematcher->rate_dematch(word, llrs, *code);
        decoder->decode(u, word, *code);
        deallocator->deallocate(allocated, u, *code);
        if (interleave)
            interleaver->interleave(message, allocated, polar_interleaver_direction::rx);
    }

    void store(uint8_t *bits) override
    {
        const auto &from = interleave ? message : allocated;

        std::copy(from.begin(), from.end(), bits);
    }

    std::shared_ptr<polar_factory> factory;
    std::unique_ptr<polar_code> code;
    std::unique_ptr<polar_decoder> decoder;
    std::unique_ptr<polar_rate_dematcher> dematcher;
    std::unique_ptr<polar_deallocator> deallocator;
    std::unique_ptr<polar_interleaver> interleaver;
    std::vector<log_likelihood_ratio> llrs, word;
    std::vector<uint8_t> out, allocated, message;
    bool interleave;
};

struct ldpc_code : base {
    explicit ldpc_code(const char *isa)
        : decoder(create_ldpc_decoder_factory_sw(isa, {false, true})->create()), llrs((size_t)row.llrs),
          out((unsigned)row.bits)
    {
        config.base_graph = ldpc_base_graph_type::BG1;
        config.lifting_size = (ldpc::lifting_size_t)row_number("z");
        config.nof_crc_bits = 24;
        config.max_iterations = (unsigned)row_number("iterations");
    }

    void load(const int8_t *from) override { put(llrs, from); }

    void decode() override { decoder->decode(out, llrs, nullptr, config); }

    void store(uint8_t *bits) override
    {
        for (int i = 0; i < row.bits; i++)
            bits[i] = out.extract((unsigned)i, 1);
    }

    std::unique_ptr<ldpc_decoder> decoder;
    ldpc_decoder::configuration config;
    std::vector<log_likelihood_ratio> llrs;
    dynamic_bit_buffer out;
};

void *create(int variant)
{
    if (variant == 0)
        return row_is("polar") && *row_text("nr_order") ? static_cast<base *>(new polar) : nullptr;
    return row_is("ldpc") ? static_cast<base *>(new ldpc_code(variant == 512 ? "avx512" : "avx2")) : nullptr;
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
    static_cast<base *>(state)->store(bits);
}

} // namespace

extern "C" const struct decoder decoders[] = {
    {"OCUDU, no list", 0, create, load, decode, store},
    {"OCUDU, AVX-512", 512, create, load, decode, store},
    {"OCUDU, AVX2", 2, create, load, decode, store},
    {},
};
