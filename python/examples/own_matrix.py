# SPDX-License-Identifier: BSD-2-Clause
"""An own parity-check matrix, from NumPy to error rates: python own_matrix.py."""

import pathlib
import tempfile

import numpy

import fecrun


def regular(n, column_weight, row_weight, rng):
    """A random regular matrix: rows of the ones of each column, by permutation."""
    rows = n * column_weight // row_weight
    while True:
        sockets = rng.permutation(n * column_weight) // row_weight
        matrix = numpy.zeros((rows, n), int)
        numpy.add.at(matrix, (sockets, numpy.arange(n * column_weight) // column_weight), 1)
        for i, j in numpy.argwhere(matrix > 1):  # double ones are swapped away with another column
            k = rng.integers(n)
            while matrix[i, k] or not (spare := numpy.flatnonzero(matrix[:, k] & (matrix[:, j] == 0))).size:
                k = rng.integers(n)
            matrix[i, j] -= 1
            matrix[i, k] += 1
            matrix[spare[0], k] -= 1
            matrix[spare[0], j] += 1
        if matrix.max() == 1:
            return matrix


def alist(matrix):
    """The text of MacKay's format: sizes, weights, then the places of each column's and row's ones."""
    def places(lines):
        most = int(lines.sum(1).max())
        for line in lines:
            ones = list(numpy.flatnonzero(line) + 1)
            yield " ".join(map(str, ones + [0] * (most - len(ones))))

    rows, columns = matrix.shape
    head = [f"{columns} {rows}", f"{matrix.sum(0).max()} {matrix.sum(1).max()}",
            " ".join(map(str, matrix.sum(0))), " ".join(map(str, matrix.sum(1)))]
    return "\n".join([*head, *places(matrix.T), *places(matrix)]) + "\n"


matrix = regular(1008, 3, 6, numpy.random.default_rng(3))
with tempfile.TemporaryDirectory() as directory:
    path = pathlib.Path(directory) / "own.alist"
    path.write_text(alist(matrix))
    code = {"code": "alist", "path": path}
    bits = numpy.random.default_rng(4).integers(0, 2, (200, 504), dtype=numpy.uint8)
    word = fecrun.encode("ldpc.encode", bits, **code)
    assert not (word @ matrix.T % 2).any(), "not words of the code"
    for ebn0_db in (1.0, 1.5, 2.0, 2.5):
        sigma = (2 * 0.5 * 10 ** (ebn0_db / 10)) ** -0.5
        noise = sigma * numpy.random.default_rng(5).standard_normal(word.shape)
        llr = (2 / sigma**2 * (1 - 2.0 * word + noise)).astype(numpy.float32)
        decoded = fecrun.decode("ldpc.decode", llr, **code, iterations=30, quantize={"type": "i8", "scale": 8})
        print(f"Eb/N0 {ebn0_db} dB: {(decoded != bits).any(1).mean():.3f} of the frames wrong")
