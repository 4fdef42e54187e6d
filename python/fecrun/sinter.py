# SPDX-License-Identifier: BSD-2-Clause
"""A decoder for sinter, which samples circuits of stim and counts logical errors.

    import fecrun.sinter, sinter
    sinter.collect(tasks=..., num_workers=8, max_shots=1_000_000, decoders=["fecrun"],
                   custom_decoders={"fecrun": fecrun.sinter.Decoder(osd_method="OSD_CS", osd_order=7)})

`python3 -m pip install sinter stim` installs what it needs.
"""

import numpy
import sinter

from .qec import Syndromes, _method, _relay

_TURNED = numpy.packbits(numpy.unpackbits(numpy.arange(256, dtype=numpy.uint8)[:, None], axis=1)[:, ::-1], axis=1)[:, 0]
_ODD = numpy.array([bin(byte).count("1") & 1 for byte in range(256)], numpy.uint8)


class Decoder(sinter.Decoder):
    """Belief propagation and ordered statistics for sinter; its arguments are those of fecrun.qec.BpOsd.

    Errors of a model with the same detectors and observables become one column. Each worker of sinter has one thread.
    """

    def __init__(self, max_iter=30, bp_method="minimum_sum", ms_scaling_factor=0.625, osd_method="OSD_0", osd_order=0,
                 *, backend=None):
        self._params = _method(max_iter, bp_method, ms_scaling_factor, "parallel", osd_method, osd_order)
        self._backend = backend

    def compile_decoder_for_dem(self, *, dem):
        return Compiled(dem, self._params, self._backend)


class RelayDecoder(Decoder):
    """Relay belief propagation for sinter; its arguments are those of fecrun.qec.RelayBp."""

    def __init__(self, alpha=1.0, gamma0=0.1, pre_iter=80, num_sets=60, set_max_iter=60, gamma_dist_interval=(-0.24, 0.66),
                 stop_nconv=1, *, seed=0, osd_method="off", osd_order=0, backend=None):
        self._params = _relay(alpha, gamma0, pre_iter, num_sets, set_max_iter, gamma_dist_interval, stop_nconv, seed,
                              osd_method, osd_order)
        self._backend = backend


class Compiled(sinter.CompiledDecoder):
    """A decoder for one detector error model."""

    def __init__(self, dem, params, backend):
        self._observables = dem.num_observables
        found = _columns(dem)
        self._sure = numpy.zeros(self._observables, numpy.uint8)  # flips that no detector sees, likelier than not
        for (detectors, observables), p in found.items():
            if not detectors and p > 0.5:
                self._sure[list(observables)] ^= 1
        columns = [(*key, p) for key, p in found.items() if key[0]]
        self._decoder = self._seen = None
        if not columns:
            return
        rows = numpy.array([d for detectors, _, _ in columns for d in detectors], numpy.int64)
        cols = numpy.array([j for j, column in enumerate(columns) for _ in column[0]], numpy.int64)
        seen = numpy.unique(rows)
        if len(seen) < dem.num_detectors:  # the others never fire
            self._seen = seen
            rows = numpy.searchsorted(seen, rows)
        priors = numpy.clip([p for _, _, p in columns], 1e-12, 1 - 1e-12)
        self._decoder = Syndromes(rows, cols, len(seen), priors, params, backend=backend, packed=True)
        self._flips = self._masks([observables for _, observables, _ in columns])

    def _masks(self, observables):
        """For each observable: the bytes of errors that flip it, and which of their bits."""
        of_twin = [observables[col] for col in self._decoder.twin]
        flips = numpy.zeros((self._observables, len(observables) + len(of_twin)), numpy.uint8)
        for j, flipped in enumerate(observables + of_twin):
            flips[list(flipped), j] = 1
        masks = numpy.packbits(flips, axis=1)
        return [(numpy.flatnonzero(mask), mask[mask != 0]) for mask in masks]

    def decode_shots_bit_packed(self, *, bit_packed_detection_event_data):
        shots = len(bit_packed_detection_event_data)
        flipped = numpy.repeat(self._sure[None], shots, axis=0)
        if self._decoder is not None and shots:
            if self._seen is None:
                bits = _TURNED[bit_packed_detection_event_data]
            else:
                bits = numpy.unpackbits(bit_packed_detection_event_data, axis=1, bitorder="little")
                bits = numpy.packbits(bits[:, self._seen], axis=1)
            errors = self._decoder(bits)
            for k, (at, mask) in enumerate(self._flips):
                flipped[:, k] ^= _ODD[numpy.bitwise_xor.reduce(errors[:, at] & mask, axis=1)]
        return numpy.packbits(flipped, axis=1, bitorder="little")


def _columns(dem):
    """(detectors, observables) of each error, and the probability that an odd number of such errors happens."""
    found = {}
    for instruction in dem.flattened():
        if instruction.type != "error":
            continue
        p, targets = instruction.args_copy()[0], instruction.targets_copy()
        detectors, observables = set(), set()
        for target in targets:
            if target.is_relative_detector_id():
                detectors ^= {target.val}
            elif target.is_logical_observable_id():
                observables ^= {target.val}
        key = tuple(sorted(detectors)), tuple(sorted(observables))
        before = found.get(key, 0.0)
        if p > 0:
            found[key] = before * (1 - p) + p * (1 - before)
    return found
