/* SPDX-License-Identifier: BSD-2-Clause */
/* Where lanes of columns are in shared memory, for the kernels in registers of one lifting size. */
#ifndef LDPC_CUDA_REGISTERS_LANES_CUH
#define LDPC_CUDA_REGISTERS_LANES_CUH

#include "plugins/ldpc/cuda/registers/ptx.cuh"

namespace ldpc_registers
{

/* As decoder<>, in row.cuh. */
template <int Z, int LANES, bool HALVED> struct lanes {
    static constexpr int COLUMN = 4 * LANES;        /* bytes */
    static constexpr int PAIRS = Z ? LANES / Z : 0; /* of code blocks at a time; 0: any number */
    static constexpr uint32_t MIDDLE = Z / 2;

    uint32_t t4; /* 4 t */

    FECRUN_MEMBER uint32_t lane_address(uint32_t lane) const
    {
        const uint32_t shift = 4 * PAIRS * lane, x = t4 + shift;

        return shift ? __viaddmin_u32(x, (uint32_t)(-COLUMN), x) : t4;
    }

    /* HALVED: index t + lane never wraps if the lane is at most the middle. */
    static constexpr bool is_low(uint32_t lane)
    {
        return HALVED && lane <= MIDDLE;
    }

    /* Of the two places of a lane the one that wraps, as an index for thread 0. */
    static constexpr uint32_t wrapping(uint32_t lane)
    {
        return is_low(lane) ? lane + MIDDLE : lane;
    }

    /* `at`: the address of the place that wraps, or of the only one. */
    template <int C, uint32_t LANE> FECRUN_MEMBER uint32_t load_at(uint32_t at) const
    {
        if constexpr (is_low(LANE))
            return load<COLUMN * C + 4 * (int)LANE>(t4);
        else
            return load<COLUMN * C>(at);
    }

    template <int C, uint32_t LANE> FECRUN_MEMBER void store_at(uint32_t at, uint32_t llr) const
    {
        if constexpr (!HALVED) {
            store<COLUMN * C>(at, llr);
        } else {
            const uint32_t exchanged = permute(llr, llr, 0x1032);
            constexpr bool low = is_low(LANE);
            constexpr int straight = COLUMN * C + 4 * (int)(low ? LANE : LANE - MIDDLE);

            store<straight>(t4, low ? llr : exchanged);
            if constexpr (LANE % MIDDLE == 0)
                store<COLUMN * C + (LANE ? 0 : 4 * (int)MIDDLE)>(t4, exchanged);
            else
                store<COLUMN * C>(at, low ? exchanged : llr);
        }
    }

    /* The same with an address that is made for it. */
    template <int C, uint32_t LANE> FECRUN_MEMBER uint32_t load_lane() const
    {
        if constexpr (is_low(LANE))
            return load_at<C, LANE>(0);
        else
            return load_at<C, LANE>(lane_address(LANE));
    }

    template <int C, uint32_t LANE> FECRUN_MEMBER void store_lane(uint32_t llr) const
    {
        store_at<C, LANE>(lane_address(wrapping(LANE)), llr);
    }
};

} // namespace ldpc_registers

#endif
