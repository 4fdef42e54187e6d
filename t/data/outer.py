#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Words of Reed-Solomon and BCH codes, made with galois and reedsolo: outer/rs.csv, outer/bch.csv.

    pip install galois==0.4.11 reedsolo==1.7.0
    ./outer.py

Messages are bytes x >> 16 & 255 of x = 1103515245 x + 12345 modulo 2^31, which begins with 1; of symbols of less than
8 bits the low bits, of more the next byte in front. Reed-Solomon words of galois and of reedsolo have to be equal.
CCSDS's dual basis is z_i = Tr(u beta^i), beta = alpha^117 (CCSDS 131.0-B annex F). DVB-S2's generators are products
of the polynomials of EN 302 307-1 tables 6a and 6b, written out below, and have to be galois's minimal polynomials.
"""
import galois
import reedsolo


def messages():
    x = 1
    while True:
        x = (1103515245 * x + 12345) % 2**31
        yield x >> 16 & 255


def symbols(count, m):
    source = messages()
    if m <= 8:
        return [next(source) & (1 << m) - 1 for _ in range(count)]
    return [(next(source) << 8 | next(source)) & (1 << m) - 1 for _ in range(count)]


def trace(x):
    total = x
    for _ in range(7):
        x = x * x
        total = total + x
    return int(total)


def dual(field):
    beta = field.primitive_element ** 117
    table = {}
    for u in range(256):
        z = [trace(field(u) * beta**i) for i in range(8)]
        table[u] = int("".join(map(str, z)), 2)
    return table


# Name, or - for a code without one, m, n, k, polynomial, fcr, prim, basis
RS = [
    ("ccsds-255-223", 8, 255, 223, 0x187, 112, 11, "dual"),
    ("ccsds-255-239", 8, 255, 239, 0x187, 120, 11, "dual"),
    ("ccsds-255-223", 8, 255, 223, 0x187, 112, 11, "conventional"),
    ("dvb-204-188", 8, 204, 188, 0x11D, 0, 1, "conventional"),
    ("dvb-h-255-191", 8, 255, 191, 0x11D, 0, 1, "conventional"),
    ("atsc-207-187", 8, 207, 187, 0x11D, 0, 1, "conventional"),
    ("dab-120-110", 8, 120, 110, 0x11D, 0, 1, "conventional"),
    ("g709-255-239", 8, 255, 239, 0x11D, 0, 1, "conventional"),
    ("p25-24-12", 6, 24, 12, 0x43, 1, 1, "conventional"),
    ("p25-24-16", 6, 24, 16, 0x43, 1, 1, "conventional"),
    ("p25-36-20", 6, 36, 20, 0x43, 1, 1, "conventional"),
    ("-", 3, 7, 4, 0xB, 1, 1, "conventional"),
    ("-", 4, 15, 11, 0x13, 0, 7, "conventional"),
    ("-", 5, 31, 20, 0x2F, 30, 3, "conventional"),
    ("-", 7, 100, 81, 0x89, 5, 2, "conventional"),
    ("-", 10, 544, 514, 0x409, 0, 1, "conventional"),
    ("-", 12, 200, 150, 0x1053, 7, 11, "conventional"),
]


def rs_word(m, n, k, polynomial, fcr, prim, basis):
    field = galois.GF(2**m, irreducible_poly=galois.Poly.Int(polynomial), primitive_element=2)
    base = field.primitive_element**prim
    message = symbols(k, m)
    generator = galois.Poly.Roots([base ** (fcr + j) for j in range(n - k)], field=field)
    to_dual = dual(field) if basis == "dual" else {u: u for u in range(1 << m)}
    from_dual = {z: u for u, z in to_dual.items()}
    plain = [from_dual[z] for z in message]
    rest = galois.Poly(plain + [0] * (n - k), field=field) % generator
    parity = [int(c) for c in rest.coefficients(n - k)]
    reedsolo.init_tables(polynomial, 2, m)
    other = [1]
    for j in range(n - k):
        other = reedsolo.gf_poly_mul(other, [1, reedsolo.gf_pow(2, prim * (fcr + j) % ((1 << m) - 1))])
    assert [int(c) for c in generator.coeffs] == list(other)
    _, rest = reedsolo.gf_poly_div(list(plain) + [0] * (n - k), list(other))
    assert list(rest) == parity
    bits = "".join(f"{to_dual[s]:0{m}b}" for s in plain + parity)
    bits += "0" * (-len(bits) % 8)
    return f"{int(bits, 2):0{len(bits) // 4}x}"


def poly(*powers):
    return sum(1 << p for p in powers)


TABLE_6A = [
    poly(0, 2, 3, 5, 16),
    poly(0, 1, 4, 5, 6, 8, 16),
    poly(0, 2, 3, 4, 5, 7, 8, 9, 10, 11, 16),
    poly(0, 2, 4, 6, 9, 11, 12, 14, 16),
    poly(0, 1, 2, 3, 5, 8, 9, 10, 11, 12, 16),
    poly(0, 2, 4, 5, 7, 8, 9, 10, 12, 13, 14, 15, 16),
    poly(0, 2, 5, 6, 8, 9, 10, 11, 13, 15, 16),
    poly(0, 1, 2, 5, 6, 8, 9, 12, 13, 14, 16),
    poly(0, 5, 7, 9, 10, 11, 16),
    poly(0, 1, 2, 5, 7, 8, 10, 12, 13, 14, 16),
    poly(0, 2, 3, 5, 9, 11, 12, 13, 16),
    poly(0, 1, 5, 6, 7, 9, 11, 12, 16),
]
TABLE_6B = [
    poly(0, 1, 3, 5, 14),
    poly(0, 6, 8, 11, 14),
    poly(0, 1, 2, 6, 9, 10, 14),
    poly(0, 4, 7, 8, 10, 12, 14),
    poly(0, 2, 4, 6, 8, 9, 11, 13, 14),
    poly(0, 3, 7, 8, 9, 13, 14),
    poly(0, 2, 5, 6, 7, 10, 11, 13, 14),
    poly(0, 5, 8, 9, 10, 11, 14),
    poly(0, 1, 2, 3, 9, 10, 14),
    poly(0, 3, 6, 9, 11, 12, 14),
    poly(0, 4, 11, 12, 14),
    poly(0, 1, 2, 3, 5, 6, 7, 8, 10, 13, 14),
]

# Tables 5a and 5b: rate, k, n, t
NORMAL = [
    ("1/4", 16008, 16200, 12), ("1/3", 21408, 21600, 12), ("2/5", 25728, 25920, 12), ("1/2", 32208, 32400, 12),
    ("3/5", 38688, 38880, 12), ("2/3", 43040, 43200, 10), ("3/4", 48408, 48600, 12), ("4/5", 51648, 51840, 12),
    ("5/6", 53840, 54000, 10), ("8/9", 57472, 57600, 8), ("9/10", 58192, 58320, 8),
]
SHORT = [
    ("1/4", 3072, 3240, 12), ("1/3", 5232, 5400, 12), ("2/5", 6312, 6480, 12), ("1/2", 7032, 7200, 12),
    ("3/5", 9552, 9720, 12), ("2/3", 10632, 10800, 12), ("3/4", 11712, 11880, 12), ("4/5", 12432, 12600, 12),
    ("5/6", 13152, 13320, 12), ("8/9", 14232, 14400, 12),
]


def times(a, b):
    product = 0
    while b:
        product ^= a if b & 1 else 0
        a <<= 1
        b >>= 1
    return product


def parity_of(message, k, generator):
    """Of k bits, as an integer whose highest bit is sent first."""
    degree = generator.bit_length() - 1
    rest = 0
    for i in range(k - 1, -1, -1):
        rest = rest << 1 | message >> i & 1
        rest ^= generator if rest >> degree else 0
    for _ in range(degree):
        rest <<= 1
        rest ^= generator if rest >> degree else 0
    return rest, degree


def bch_line(name, k, n, t, generator):
    source = messages()
    bits = "".join(f"{next(source):08b}" for _ in range(k // 8 + 1))[:k]
    parity, degree = parity_of(int(bits, 2), k, generator)
    assert degree == n - k
    return f"{name},{k},{n},{t},{generator:x},{parity:0{(degree + 3) // 4}x}"


def bch_lines():
    for frame, m, first, table, sizes in (
        ("normal", 16, 0x1002D, TABLE_6A, NORMAL),
        ("short", 14, 0x402B, TABLE_6B, SHORT),
    ):
        field = galois.GF(2**m, irreducible_poly=galois.Poly.Int(first), primitive_element=2)
        for i, g in enumerate(table):
            assert int((field.primitive_element ** (2 * i + 1)).minimal_poly()) == g, (frame, i + 1)
        for rate, k, n, t in sizes:
            generator = 1
            for g in table[:t]:
                generator = times(generator, g)
            yield bch_line(f"dvbs2,{frame},{rate},{m},{first:x}", k, n, t, generator)
    for m, t, polynomial, shortened in ((4, 3, 0x13, 0), (3, 1, 0xB, 3), (8, 5, 0x187, 10), (10, 40, 0x409, 0), (11, 6, 0x805, 47)):
        field = galois.GF(2**m, irreducible_poly=galois.Poly.Int(polynomial), primitive_element=2)
        code = galois.BCH(2**m - 1, d=2 * t + 1, field=galois.GF(2), extension_field=field)
        name = f"custom,-,-,{m},{polynomial:x}"
        yield bch_line(name, code.k - shortened, code.n - shortened, t, int(code.generator_poly))


with open("outer/rs.csv", "w") as file:
    print("code,symbol_bits,n,k,polynomial,fcr,prim,basis,word", file=file)
    for row in RS:
        name, m, n, k, polynomial, fcr, prim, basis = row
        print(f"{name},{m},{n},{k},{polynomial:x},{fcr},{prim},{basis},{rs_word(*row[1:])}", file=file)
with open("outer/bch.csv", "w") as file:
    print("code,frame,rate,m,polynomial,k,n,t,generator,parity", file=file)
    for line in bch_lines():
        print(line, file=file)
