#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Searches an order of base rows with which ldpc.decode needs few iterations.

    bench/row_order.py FILE.yaml --rows 13 --set channel.awgn.esn0_db=9.4

FILE has no sweep, and ldpc.decode is its decoder. The search begins with the rows in reverse and moves rows; all
orders of a round decode the same frames, so that small differences show. The best move is kept if on twice as many
other frames, too, the mean number of iterations is less and no more frames are lost. The end compares forward, reverse and the order found on frames of
another seed.
"""

import argparse
import json
import os
import random
import re
import subprocess
import sys
import tempfile


def measure(options, orders, seed, frames):
    """(mean iterations, FER) of each order, on the same frames."""
    with open(options.file, encoding="utf-8") as file:
        text = re.sub(r"(?m)^(seed|stop):.*\n", "", file.read())
    values = ", ".join('"[%s]"' % ", ".join(map(str, order)) for order in orders)
    text += f"seed: {seed}\nstop: {{frames: {frames}}}\nsweep: {{{options.decoder}.row_order: [{values}]}}\n"
    folder = os.path.dirname(os.path.abspath(options.file))
    with tempfile.NamedTemporaryFile("w", suffix=".yaml", dir=folder, delete=False) as file:
        file.write(text)
    try:
        sets = [word for value in options.set for word in ("--set", value)]
        done = subprocess.run([options.fecrun, "run", file.name, "--quiet", "--json", "-", *sets], text=True,
                              stdout=subprocess.PIPE, check=True)
    finally:
        os.unlink(file.name)
    points = [json.loads(line) for line in done.stdout.splitlines() if '"type":"point"' in line]
    return [(point["iterations_mean"], point["frame_errors"] / point["frames"]) for point in points]


def moved(order, draw):
    """One row elsewhere, or two exchanged."""
    order = list(order)
    if draw.random() < 0.5:
        i, j = draw.sample(range(len(order)), 2)
        order[i], order[j] = order[j], order[i]
    else:
        row = order.pop(draw.randrange(len(order)))
        order.insert(draw.randrange(len(order) + 1), row)
    return order


def search(options):
    draw = random.Random(options.seed)
    best = list(range(options.rows))[::-1]
    for number in range(options.rounds):
        orders = [best, *(moved(best, draw) for _ in range(options.moves))]
        results = measure(options, orders, 1000 + number, options.frames)
        own = results[0]
        fit = [(result, order) for result, order in zip(results, orders) if result[1] <= own[1] and result[0] < own[0]]
        if not fit:
            continue
        own, other = measure(options, [best, min(fit)[1]], 900000 + number, 2 * options.frames)
        if other[0] < own[0] and other[1] <= own[1]:
            best = min(fit)[1]
            print(f"round {number}: {own[0]:.3f} -> {other[0]:.3f} iterations", file=sys.stderr)
    return best


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("file")
    parser.add_argument("--rows", type=int, required=True, help="base rows in use, as `fecrun explain` shows them")
    parser.add_argument("--set", action="append", default=[], help="as of fecrun run")
    parser.add_argument("--decoder", default="ldpc.decode", help="the decoder's id")
    parser.add_argument("--rounds", type=int, default=200)
    parser.add_argument("--moves", type=int, default=24, help="orders a round")
    parser.add_argument("--frames", type=int, default=400, help="of each order in a round")
    parser.add_argument("--check", type=int, default=20000, help="frames of the comparison at the end")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--fecrun", default="fecrun")
    options = parser.parse_args()
    best, forward = search(options), list(range(options.rows))
    for name, (iterations, fer) in zip(("forward", "reverse", "found"), measure(
            options, [forward, forward[::-1], best], 7, options.check)):
        print(f"{name:8} {iterations:6.3f} iterations  FER {fer:.2e}")
    print("row_order: [%s]" % ", ".join(map(str, best)))


if __name__ == "__main__":
    main()
