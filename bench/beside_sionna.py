# SPDX-License-Identifier: BSD-2-Clause
"""Sionna's LDPC5GDecoder beside fecrun's, on the same noise and GPU: python3 bench/beside_sionna.py.

Wants Sionna 2 and the package fecrun. Words of Sionna's encoder are compared with ours first. Prints a
row of bench/results/ldpc.md for each code, number of iterations and decoder.
"""

import math
import time

import torch
from sionna.phy.fec.ldpc import LDPC5GDecoder, LDPC5GEncoder

import fecrun
import fecrun.torch

DEVICE = "cuda:0"
CODES = [(4224, 8448, 1.35, 2000), (1000, 3000, 0.55, 2000), (6000, 8000, 2.35, 1000)]


def same_words(encoder, bits, words):
    code = {"bg": int(encoder._bg[2]), "z": encoder.z, "fillers": encoder.k_filler}
    send = fecrun.Coder([("ldpc.encode", {**code, "code": "nr"}), ("ldpc.rate_match", {**code, "e": encoder.n})])
    return torch.equal(send(bits.to(torch.uint8)).to(words.dtype), words)


def measured(decoder, logits, bits, calls):
    decoder(logits)
    torch.cuda.synchronize()
    start = time.perf_counter()
    for _ in range(calls):
        decided = decoder(logits)
    torch.cuda.synchronize()
    wrong = (decided != bits)
    return wrong.any(1).float().mean().item(), bits.numel() * calls / (time.perf_counter() - start) / 1e9


def main():
    torch.manual_seed(1)
    for k, n, ebn0_db, frames in CODES:
        encoder = LDPC5GEncoder(k=k, n=n, device=DEVICE)
        bits = torch.randint(0, 2, (frames, k), device=DEVICE).float()
        words = encoder(bits)
        assert same_words(encoder, bits, words)
        variance = 1 / (2 * k / n * 10 ** (ebn0_db / 10))
        logits = 2 / variance * (2 * words - 1 + math.sqrt(variance) * torch.randn_like(words))
        for iterations in (10, 20):
            rows = [("Sionna, boxplus-phi, flooding", 1, LDPC5GDecoder(encoder, num_iter=iterations, device=DEVICE)),
                    ("fecrun", 10, fecrun.torch.LDPC5GDecoder(encoder, num_iter=iterations, early_stop=False)),
                    ("fecrun, early stop", 10, fecrun.torch.LDPC5GDecoder(encoder, num_iter=iterations))]
            for name, calls, decoder in rows:
                with torch.no_grad():
                    bler, gbps = measured(decoder, logits, bits, calls)
                print(f"| ({n}, {k}), {ebn0_db} dB, {frames} | {iterations} | {name} | {bler:.4f} | {gbps:.3f} |",
                      flush=True)


if __name__ == "__main__":
    main()
