# SPDX-License-Identifier: BSD-2-Clause
"""A link in PyTorch with a decoder of fecrun in it: python torch_loop.py. On a GPU if there is one."""

import torch

import fecrun
import fecrun.torch

K, N = 1408, 66 * 64
DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
encode = fecrun.torch.Coder(("ldpc.encode", {"code": "nr", "bg": 1, "z": 64}), K, torch.uint8)
decode = fecrun.torch.Coder(("ldpc.decode", {"code": "nr", "bg": 1, "z": 64}), N, torch.int8)


def simulate(frames, ebn0_db, generator):
    device = generator.device
    bits = torch.randint(0, 2, (frames, K), generator=generator, device=device, dtype=torch.uint8)
    sigma = (2 * K / N * 10 ** (ebn0_db / 10)) ** -0.5
    noise = sigma * torch.randn(frames, N, generator=generator, device=device)
    llr = 2 / sigma**2 * (1 - 2 * encode(bits).float() + noise)
    return bits, decode((8 * llr).round().clamp(-127, 127).to(torch.int8))


if __name__ == "__main__":
    points = [0.0, 0.5, 1.0]
    ber, bler = fecrun.torch.sim_ber(simulate, points, 200, max_batches=5)
    for point in zip(points, ber.tolist(), bler.tolist()):
        print("Eb/N0 {:.1f} dB: BER {:.2e}, BLER {:.3f}".format(*point))
