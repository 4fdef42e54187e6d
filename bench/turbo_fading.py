# SPDX-License-Identifier: BSD-2-Clause
"""Wrong blocks of turbo.decode over Rayleigh fading, a known gain for each bit:

    python3 turbo_fading.py FECRUN K ITERATIONS EBN0_DB FRAMES BACKEND...

prints "BACKEND FRAMES WRONG" for each; simd/i16 is simd with that arithmetic, cuda/16 is cuda
with that overlap. The same words and LLRs (8 bits in steps of 1/8) for all.
fecrun has no fading channel, so that the LLRs are made here, of words that turbo.encode wrote.
"""

import subprocess
import sys
import tempfile

import numpy as np

SCALE = 8
TUNE = {"simd": "arithmetic", "cuda": "overlap"}


def run(fecrun, work, stages, frames):
    """A pipeline of these stages, in this order."""
    path = f"{work}/p.yaml"
    with open(path, "w", encoding="ascii") as f:
        f.write("fecrun: 1\nseed: 5\npipeline:\n" + "".join(f"  - {s}\n" for s in stages))
    subprocess.run([fecrun, "run", path, "--quiet", "--set", f"stop.frames={frames}"], check=True)


def main(fecrun, k, iterations, ebn0_db, frames, *backends):
    k, frames = int(k), int(frames)
    random = np.random.default_rng(11)
    with tempfile.TemporaryDirectory() as work:
        source = f"source.random: {{bits: {k}}}"
        run(fecrun, work, [source, f"sink.file: {{path: {work}/sent.npy}}"], frames)
        run(fecrun, work, [source, f"turbo.encode: {{code: lte, k: {k}}}",
                           f"sink.file: {{path: {work}/word.npy}}"], frames)
        sent = np.load(f"{work}/sent.npy").reshape(frames, k)
        word = np.load(f"{work}/word.npy").reshape(frames, -1)
        variance = word.shape[1] / (2 * k * 10 ** (float(ebn0_db) / 10))
        gain = random.rayleigh(np.sqrt(0.5), word.shape)  # mean square 1
        received = gain * (1 - 2.0 * word) + np.sqrt(variance) * random.standard_normal(word.shape)
        llr = np.clip(np.rint(SCALE * 2 * gain * received / variance), -127, 127)
        np.save(f"{work}/llr.npy", llr.astype(np.int8))
        for backend in backends:
            name, _, value = backend.partition("/")
            tune = f", tune: {{{TUNE[name]}: {value}}}" if value else ""
            run(fecrun, work, [f"source.file: {{path: {work}/llr.npy, kind: llr, llr_scale: {SCALE}}}",
                               f"turbo.decode: {{code: lte, k: {k}, iterations: {iterations}, "
                               f"backend: {name}{tune}}}",
                               f"sink.file: {{path: {work}/got.npy}}"], frames)
            got = np.load(f"{work}/got.npy").reshape(frames, k)
            print(backend, frames, int((got != sent).any(axis=1).sum()), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
