# SPDX-License-Identifier: BSD-2-Clause
"""Frame errors of Sionna's polar decoders (pip install sionna, 2.2) on the (1024, 512) code:

    python3 polar_sionna.py FECRUN EBN0_DB FRAMES DECODER... >>polar_sionna.csv

DECODER: sc, bp (35 iterations) or a list's length. The frozen bits are Sionna's own table of 38.212's
order; words and float LLRs come from FECRUN, its source, encoder, channel and demapper.
"""

import subprocess
import sys
import tempfile

import numpy as np
import torch
from sionna.phy.fec.polar import PolarBPDecoder, PolarSCDecoder, PolarSCLDecoder
from sionna.phy.fec.polar.utils import generate_5g_ranking

N, K, AT_ONCE = 1024, 512, 100
SOURCE = f"source.random: {{bits: {K}}}"


def run(fecrun, stages, frames):
    """What these stages make of the frames."""
    with tempfile.TemporaryDirectory() as work:
        stages = stages + [f"sink.file: {{path: {work}/made.npy}}"]
        with open(f"{work}/p.yaml", "w", encoding="ascii") as f:
            f.write("fecrun: 1\nseed: 60\npipeline:\n" + "".join(f"  - {s}\n" for s in stages))
        subprocess.run([fecrun, "run", f"{work}/p.yaml", "--quiet", "--set",
                        f"stop.frames={frames}"], check=True)
        return np.load(f"{work}/made.npy").reshape(frames, -1)


def decoder_of(name):
    frozen, _ = generate_5g_ranking(K, N)
    if name == "sc":
        return PolarSCDecoder(frozen, N)
    if name == "bp":
        return PolarBPDecoder(frozen, N, num_iter=35)
    return PolarSCLDecoder(frozen, N, list_size=int(name))


def main(fecrun, ebn0_db, frames, *names):
    frames = int(frames)
    sent = run(fecrun, [SOURCE], frames)
    llr = run(fecrun, [SOURCE, f"polar.encode: {{code: plain, n: {N}, k: {K}}}",
                       "modem.map: {scheme: bpsk}", f"channel.awgn: {{ebn0_db: {ebn0_db}}}",
                       "modem.demap: {}"], frames)
    for name in names:
        decode, wrong = decoder_of(name), 0
        for i in range(0, frames, AT_ONCE):
            logits = torch.tensor(-llr[i:i + AT_ONCE], dtype=torch.float32)  # positive: 1
            with torch.no_grad():
                got = decode(logits).numpy()
            wrong += int((got != sent[i:i + AT_ONCE]).any(axis=1).sum())
        print(f"{name},{ebn0_db},{frames},{wrong}", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
