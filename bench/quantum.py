#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""fecrun.qec.BpOsd beside PyPI's `ldpc` on the same shots: CPU time, logical errors, corrections that differ.

    taskset -c 1 bench/quantum.py [CASE=SHOTS ...]       # of surface7 surface11 gross1 gross3 surface7ps gross3ps,
                                                         # each in five parts; ps: sum-product

Both are called in turn, part by part, by one thread; a figure is the median of five. Needs stim, ldpc and scipy.
Surface codes are stim's rotated memory Z, d rounds, p = 0.003. The gross code [[144,12,12]] is measured in 12 rounds of
the seven layers of CNOTs of Bravyi et al. (arXiv 2308.07915), Z detectors only, p = 0.001 or 0.003.
"""

import sys
import time

import numpy
import stim
from ldpc import BpOsdDecoder
from scipy.sparse import csr_matrix

from fecrun.qec import BpOsd
from fecrun.sinter import _columns

L, M = 12, 6
N = L * M
A, B = ((3, 0), (0, 1), (0, 2)), ((0, 3), (1, 0), (2, 0))
X_LAYERS, Z_LAYERS = (None, 1, 4, 3, 5, 0, 2), (3, 5, 0, 1, 2, 4, None)


def surface(d, p=0.003):
    return stim.Circuit.generated("surface_code:rotated_memory_z", rounds=d, distance=d, after_clifford_depolarization=p,
                                  before_measure_flip_probability=p, after_reset_flip_probability=p,
                                  before_round_data_depolarization=p)


def moved(k, by, sign):
    return (k // M + sign * by[0]) % L * M + (k % M + sign * by[1]) % M


def neighbour(k, layer, z):
    """The data qubit, 0 to 2 N - 1, that check k meets there."""
    first, second, sign = (B, A, -1) if z else (A, B, 1)
    return moved(k, first[layer], sign) if layer < 3 else N + moved(k, second[layer - 3], sign)


def independent(rows, more):
    """Those of `more` that are no sums of rows and of each other."""
    pivots, found = {}, []
    for number, row in enumerate([*rows, *more]):
        word = int("".join(map(str, row)), 2)
        for bit, pivot in pivots.items():
            word ^= pivot if word >> bit & 1 else 0
        if word:
            bit = word.bit_length() - 1
            pivots = {b: p ^ word if p >> bit & 1 else p for b, p in pivots.items()} | {bit: word}
            if number >= len(rows):
                found.append(row)
    return found


def logicals(hx, hz):
    """Logical Z: the kernel of hx without the rows of hz."""
    h, pivots = hx.copy(), []
    for col in range(2 * N):
        at = len(pivots)
        ones = at + numpy.flatnonzero(h[at:, col])
        if len(ones):
            h[[at, ones[0]]] = h[[ones[0], at]]
            for row in numpy.flatnonzero(h[:, col]):
                h[row] ^= h[at] if row != at else 0
            pivots.append(col)
    kernel = []
    for col in sorted(set(range(2 * N)) - set(pivots)):
        v = numpy.zeros(2 * N, numpy.uint8)
        v[col] = 1
        v[pivots] = h[:len(pivots), col]
        kernel.append(v)
    return independent(hz, kernel)


def gross_round(p):
    xs, zs, data = range(N), range(3 * N, 4 * N), range(N, 3 * N)
    circuit = stim.Circuit()
    for x, z in zip(X_LAYERS, Z_LAYERS):
        pairs = []
        for k in range(N):
            if x is not None:
                pairs += [k, N + neighbour(k, x, False)]
            if z is not None:
                pairs += [N + neighbour(k, z, True), 3 * N + k]
        circuit.append("CX", pairs)
        circuit.append("DEPOLARIZE2", pairs, p)
        idle = sorted(set(data) - set(pairs))
        if idle:
            circuit.append("DEPOLARIZE1", idle, p)
        circuit.append("TICK")
    circuit.append("H", xs)
    circuit.append("DEPOLARIZE1", xs, p)
    circuit.append("X_ERROR", [*xs, *zs], p)
    circuit.append("MR", [*xs, *zs])
    circuit.append("X_ERROR", [*xs, *zs], p)
    circuit.append("DEPOLARIZE1", data, p)
    circuit.append("H", xs)
    circuit.append("DEPOLARIZE1", xs, p)
    return circuit


def gross(p, rounds=12):
    hx, hz = numpy.zeros((N, 2 * N), numpy.uint8), numpy.zeros((N, 2 * N), numpy.uint8)
    for k in range(N):
        for layer in range(6):
            hx[k, neighbour(k, layer, False)] = hz[k, neighbour(k, layer, True)] = 1
    circuit = stim.Circuit()
    circuit.append("R", range(4 * N))
    circuit.append("X_ERROR", range(4 * N), p)
    circuit.append("H", range(N))
    circuit.append("DEPOLARIZE1", range(N), p)
    for t in range(rounds):
        circuit += gross_round(p)
        for k in range(N):
            seen = [-N + k] + ([-3 * N + k] if t else [])
            circuit.append("DETECTOR", [stim.target_rec(i) for i in seen])
    circuit.append("X_ERROR", range(N, 3 * N), p)
    circuit.append("M", range(N, 3 * N))
    for k in range(N):
        seen = [int(q) - 2 * N for q in numpy.flatnonzero(hz[k])] + [k - 3 * N]
        circuit.append("DETECTOR", [stim.target_rec(i) for i in seen])
    for i, word in enumerate(logicals(hx, hz)):
        circuit.append("OBSERVABLE_INCLUDE", [stim.target_rec(int(q) - 2 * N) for q in numpy.flatnonzero(word)], i)
    return circuit


ZERO, SWEEP = dict(osd_method="OSD_0", osd_order=0), dict(osd_method="OSD_CS", osd_order=7)
EXACT = dict(bp_method="product_sum")
CASES = {"surface7": (lambda: surface(7), ZERO, 1500), "surface7ps": (lambda: surface(7), ZERO | EXACT, 1500),
         "gross3ps": (lambda: gross(0.003), ZERO | EXACT, 100), "surface11": (lambda: surface(11), ZERO, 200),
         "gross1": (lambda: gross(0.001), SWEEP, 60), "gross3": (lambda: gross(0.003), SWEEP, 30)}


def timed(work):
    start = time.process_time()
    result = work()
    return result, time.process_time() - start


def case(name, shots):
    circuit, options, usual = CASES[name]
    circuit, part = circuit(), max(1, (shots or usual) // 5)
    found = _columns(circuit.detector_error_model())
    priors = numpy.array(list(found.values()))
    at = [[(i, j) for j, key in enumerate(found) for i in key[side]] for side in range(2)]
    h, flips = (csr_matrix((numpy.ones(len(ones), numpy.uint8), tuple(zip(*ones))), (n, len(found)))
                for ones, n in zip(at, (circuit.num_detectors, circuit.num_observables)))
    options = dict(max_iter=30, bp_method="minimum_sum", ms_scaling_factor=0.625, schedule="parallel") | options
    theirs = BpOsdDecoder(h, error_channel=list(priors), **options)
    ours = BpOsd(h, priors, **options)
    weight = numpy.log((1 - priors) / priors)
    sampler = circuit.compile_detector_sampler(seed=1)
    times, errors, same, equal = [], numpy.zeros(2, int), 0, 0
    ours.decode(numpy.zeros(h.shape[0], numpy.uint8))
    for _ in range(5):
        seen, truth = sampler.sample(part, separate_observables=True)
        seen = seen.astype(numpy.uint8)
        a, slow = timed(lambda: numpy.array([theirs.decode(shot) for shot in seen]))
        b, fast = timed(lambda: ours.decode_batch(seen))
        times.append((part / slow, part / fast, slow / fast))
        for i, e in enumerate((a, b)):
            assert (h @ e.T % 2 == seen.T).all(), "a syndrome is not met"
            errors[i] += ((flips @ e.T % 2).T != truth).any(axis=1).sum()
        same += (a == b).all(axis=1).sum()
        equal += (abs(a @ weight - b @ weight) < 1e-3).sum()
    slow, fast, times_as_fast = numpy.median(times, axis=0)
    print(f"| {name} {h.shape[0]} x {h.shape[1]} | {slow:.4g} | {fast:.4g} | {times_as_fast:.3g} | "
          f"{5 * part} | {errors[0]} / {errors[1]} | {same} / {equal} |", flush=True)


def main():
    print("| case | ldpc, shots/s | fecrun | times | shots | logical errors | same / equal weight |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for word in sys.argv[1:] or CASES:
        name, _, shots = word.partition("=")
        case(name, int(shots or 0))


if __name__ == "__main__":
    main()
