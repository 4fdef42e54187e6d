#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Prints bounds.csv: union bounds of the frame error rates of maximum-likelihood decoding over BPSK
and white noise, from weights counted in the trellis. bounds.py >bounds.csv

Error events of (133, 171) and its punctured codes are counted from every step of a puncturing
period; the counts, and those of their bit errors, are compared with published ones (D. Haccoun and
G. Begin, "High-rate punctured convolutional codes for Viterbi and sequential decoding", IEEE Trans.
Commun. 37, 1989). Tail-biting codewords of (133, 171, 165) are counted whole. Eb/N0 counts tail
bits as a loss, as fecrun does. The last column is how many frames show the rate well.
"""
import math

SPECTRA = {  # rate: patterns of 133 and 171, events and their bit errors from the free distance on
    "1/2": ("1", "1", 10, [11, 0, 38, 0, 193, 0, 1331], [36, 0, 211, 0, 1404, 0, 11633]),
    "2/3": ("11", "10", 6, [1, 16, 48, 158, 642], [3, 70, 285, 1276, 6160, 27128]),
    "3/4": ("110", "101", 5, [8, 31, 160, 892], [42, 201, 1492, 10469]),
    "5/6": ("11010", "10101", 4, [14, 69, 654, 4996], [92, 528, 8694, 79453]),
    "7/8": ("1111010", "1000101", 3, [2, 46, 499, 5291], [9, 500, 7437, 105707]),
}
TERMS = 15  # weights that are summed up
BITS = 4096  # of a frame
POINTS = {"1/2": [4.5, 5], "2/3": [5, 5.5], "3/4": [5.5, 6], "5/6": [6, 6.5], "7/8": [6.5, 7]}
FRAMES = [200000, 400000]
TAIL_BITING = (40, 4, 4000000)  # bits of a frame, Eb/N0, frames


def parity(x):
    return bin(x).count("1") & 1


def q(x):
    return 0.5 * math.erfc(x / math.sqrt(2))


def events(patterns, most):
    """Events of each weight and their bit errors, for a start in each step of a period."""
    period = len(patterns[0])

    def weight(register, step):
        return sum(parity(register & g) for g, p in zip((0o133, 0o171), patterns)
                   if p[step % period] == "1")

    count, errors = [0] * (most + 1), [0] * (most + 1)
    for start in range(period):
        alive = {(32, weight(64, start)): (1, 1)}
        step = start
        while alive:
            step += 1
            after = {}
            for (state, w), (n, e) in alive.items():
                for bit in (0, 1):
                    register = bit << 6 | state
                    v = w + weight(register, step)
                    if v > most:
                        continue
                    if register == 1:  # back at zero
                        count[v] += n
                        errors[v] += e
                        continue
                    key = (register >> 1, v)
                    n0, e0 = after.get(key, (0, 0))
                    after[key] = (n0 + n, e0 + e + bit * n)
            alive = after
    return count, errors


def tail_biting(bits):
    """Codewords of each weight of the LTE code."""
    total = [0] * (3 * bits + 1)
    for start in range(64):
        alive = {(start, 0): 1}
        for _ in range(bits):
            after = {}
            for (state, w), n in alive.items():
                for bit in (0, 1):
                    register = bit << 6 | state
                    v = w + sum(parity(register & g) for g in (0o133, 0o171, 0o165))
                    key = (register >> 1, v)
                    after[key] = after.get(key, 0) + n
            alive = after
        for (state, w), n in alive.items():
            if state == start:
                total[w] += n
    assert sum(total) == 2 ** bits and total[0] == 1
    return total


def bound(count, esn0):
    return sum(n * q(math.sqrt(2 * d * esn0)) for d, n in enumerate(count) if d)


def main():
    print("rate,bits,ebn0_db,fer,frames")
    for rate, (p133, p171, free, count, errors) in SPECTRA.items():
        n, e = events((p133, p171), free + TERMS - 1)
        assert not any(n[:free])
        assert n[free:free + len(count)] == count and e[free:free + len(errors)] == errors, rate
        period = len(p133)
        sent = sum(p[t % period] == "1" for p in (p133, p171) for t in range(BITS + 6))
        for ebn0, frames in zip(POINTS[rate], FRAMES):
            fer = BITS / period * bound(n, 10 ** (ebn0 / 10) * BITS / sent)
            print("%s,%d,%g,%.4e,%d" % (rate, BITS, ebn0, fer, frames))
    bits, ebn0, frames = TAIL_BITING
    fer = bound(tail_biting(bits), 10 ** (ebn0 / 10) / 3)
    print("1/3,%d,%g,%.4e,%d" % (bits, ebn0, fer, frames))


if __name__ == "__main__":
    main()
