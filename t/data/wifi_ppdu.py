#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Makes frame/wifi_ppdu*: coded bits of 802.11n (HT) data fields as soft decisions, by the text of IEEE Std 802.11-2020

wifi_ppdu.py LENGTH CBPS DBPS LINES SIGMA NAME: a PSDU of LENGTH bytes (the verse of Annex I and an FCS, 9.2.4.8) in OFDM
symbols of CBPS coded and DBPS data bits; LINES times, with other scrambler seeds (17.3.5.5), SERVICE in front (19.3.11.3).
Sizes, shortening, puncturing and repetition are 19.3.11.7.5, steps a to g. The matrix is that of tables/wifi_ldpc.csv; parity
comes from elimination, so nothing here is fecrun's. Writes NAME.i1, bytes that are positive for 0, with noise of SIGMA times the
signal, and NAME_msg.bin, the PSDUs.
"""
import csv
import math
import os
import random
import sys
import zlib

VERSE = b"Joy, bright spark of divinity,\nDaughter of Elysium,\nFire-insired we tread\nThy sanctuary.\n"
HERE = os.path.dirname(os.path.abspath(__file__))


def plan(pld, cbps, dbps):
    """N_avbits, N_CW, L, N_shrt, N_punc, N_rep; the rate is 1/2"""
    av = cbps * math.ceil(pld / dbps)
    if av <= 648:
        cw, size = 1, 1296 if av >= pld + 912 * 0.5 else 648
    elif av <= 1296:
        cw, size = 1, 1944 if av >= pld + 1464 * 0.5 else 1296
    elif av <= 1944:
        cw, size = 1, 1944
    elif av <= 2592:
        cw, size = 2, 1944 if av >= pld + 2916 * 0.5 else 1296
    else:
        cw, size = math.ceil(pld / (1944 * 0.5)), 1944
    shrt = max(0, cw * size // 2 - pld)
    punc = max(0, cw * size - av - shrt)
    parity = cw * size // 2
    if (punc > 0.1 * parity and shrt < 1.2 * punc) or punc > 0.3 * parity:
        av += cbps
        punc = max(0, cw * size - av - shrt)
    return av, cw, size, shrt, punc, max(0, av - parity - pld)


def matrix(size):
    """rows of H as integers, bit i of a row is column i"""
    z = size // 24
    rows = [0] * (12 * z)
    with open(os.path.join(HERE, "tables", "wifi_ldpc.csv"), newline="") as file:
        for line in csv.DictReader(file):
            if int(line["n"]) == size and line["rate"] == "1/2":
                for column in range(24):
                    shift = int(line["c%d" % column])
                    for i in range(z if shift >= 0 else 0):
                        rows[int(line["row"]) * z + i] |= 1 << (column * z + (i + shift) % z)
    return rows


def encode(rows, size, message):
    """parity bits by elimination over the last half of the columns"""
    k = size // 2
    equations = []
    for row in rows:
        right = sum(message[i] for i in range(k) if row >> i & 1) & 1
        equations.append((row >> k) | right << k)
    for column in range(k):
        pivot = next(i for i in range(column, k) if equations[i] >> column & 1)
        equations[column], equations[pivot] = equations[pivot], equations[column]
        for i in range(k):
            if i != column and equations[i] >> column & 1:
                equations[i] ^= equations[column]
    return [equation >> k & 1 for equation in equations]


def share(total, words):
    """of each code word: the first ones have one more"""
    return [total // words + (i < total % words) for i in range(words)]


def scramble(bits, seed):
    state = [seed >> (6 - i) & 1 for i in range(7)]  # x7 first
    out = []
    for bit in bits:
        fed = state[0] ^ state[3]
        state = state[1:] + [fed]
        out.append(bit ^ fed)
    return out


def coded(psdu, cbps, dbps, seed):
    bits = [0] * 16 + [byte >> i & 1 for byte in psdu for i in range(8)]
    av, cw, size, shrt, punc, rep = plan(len(bits), cbps, dbps)
    bits = scramble(bits, seed)
    rows, out, used = matrix(size), [], 0
    for short, hole, again in zip(share(shrt, cw), share(punc, cw), share(rep, cw)):
        message = bits[used:used + size // 2 - short]
        used += len(message)
        parity = encode(rows, size, message + [0] * short)
        word = message + parity[:len(parity) - hole]
        out += word + [word[i % len(word)] for i in range(again)]
    assert len(out) == av and used == len(bits)
    return out


def main():
    length, cbps, dbps, lines = (int(x) for x in sys.argv[1:5])
    sigma = float(sys.argv[5])
    noise = random.Random(11)
    with open(sys.argv[6] + ".i1", "wb") as soft, open(sys.argv[6] + "_msg.bin", "wb") as messages:
        for line in range(lines):
            head = (b"%d " % line + VERSE * 9)[:length - 4]
            psdu = head + zlib.crc32(head).to_bytes(4, "little")
            messages.write(psdu)
            for bit in coded(psdu, cbps, dbps, 0x5d):
                x = round(24 * ((1 - 2 * bit) + noise.gauss(0, sigma)))
                soft.write((max(-127, min(127, x)) & 255).to_bytes(1, "little"))
    print(plan(8 * length + 16, cbps, dbps), file=sys.stderr)


main()
