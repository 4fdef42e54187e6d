# SPDX-License-Identifier: BSD-2-Clause
"""fecrun.sinter and fecrun.qec beside stim, sinter and `ldpc` of PyPI; skipped where these are not installed."""

import os
import pathlib
import subprocess
import sys

import numpy
import pytest

import fecrun
from fecrun.qec import BpOsd

try:
    import ldpc
    import sinter
    import stim

    import fecrun.sinter
except ImportError as lacking:
    pytestmark = pytest.mark.skip(reason=f"{lacking.name} of PyPI is not installed")


def surface(distance, rounds, p):
    return stim.Circuit.generated("surface_code:rotated_memory_z", distance=distance, rounds=rounds,
                                  after_clifford_depolarization=p, before_measure_flip_probability=p,
                                  after_reset_flip_probability=p, before_round_data_depolarization=p)


def matrices(dem):
    columns = fecrun.sinter._columns(dem)
    h = numpy.zeros((dem.num_detectors, len(columns)), numpy.uint8)
    flips = numpy.zeros((dem.num_observables, len(columns)), numpy.uint8)
    for j, (detectors, observables) in enumerate(columns):
        h[list(detectors), j] = 1
        flips[list(observables), j] = 1
    return h, flips, numpy.array(list(columns.values()))


@pytest.mark.parametrize("theirs, ours", [
    (dict(bp_method="product_sum", osd_method="OSD_0", osd_order=0), {}),
    (dict(bp_method="minimum_sum", ms_scaling_factor=0.625, osd_method="OSD_0", osd_order=0), {}),
    (dict(bp_method="minimum_sum", ms_scaling_factor=0.625, osd_method="OSD_CS", osd_order=5), dict(backend="ref")),
])
def test_the_corrections_of_ldpc(theirs, ours):
    circuit = surface(3, 3, 0.01)
    h, _, priors = matrices(circuit.detector_error_model())
    shots = circuit.compile_detector_sampler(seed=3).sample(300).astype(numpy.uint8)
    other = ldpc.BpOsdDecoder(h, error_channel=list(priors), max_iter=30, schedule="parallel", **theirs)
    wanted = numpy.array([other.decode(shot) for shot in shots])
    found = BpOsd(h, priors, max_iter=30, **theirs, **ours).decode_batch(shots)
    assert (h @ found.T % 2 == shots.T).all()
    weight = numpy.log((1 - priors) / priors)
    assert numpy.abs(found @ weight - wanted @ weight).max() < 1e-3  # equal ones may differ
    assert (found == wanted).all(axis=1).mean() > 0.98


def test_predictions():
    """The predictions are those of BpOsd and the observables' matrix; fewer are wrong than without a decoder."""
    circuit = surface(5, 5, 0.005)
    dem = circuit.detector_error_model()
    h, flips, priors = matrices(dem)
    shots, observables = circuit.compile_detector_sampler(seed=5).sample(1000, separate_observables=True)
    errors = BpOsd(h, priors, max_iter=30, ms_scaling_factor=0.625).decode_batch(shots.astype(numpy.uint8))
    wanted = errors @ flips.T % 2
    packed = numpy.packbits(shots, axis=1, bitorder="little")
    compiled = fecrun.sinter.Decoder().compile_decoder_for_dem(dem=dem)
    found = compiled.decode_shots_bit_packed(bit_packed_detection_event_data=packed)
    assert found.dtype == numpy.uint8 and found.shape == (1000, 1)
    assert (found == numpy.packbits(wanted, axis=1, bitorder="little")).all()
    assert (found[:, :1] != observables).sum() < 0.2 * observables.sum()
    none = compiled.decode_shots_bit_packed(bit_packed_detection_event_data=packed[:0])
    assert none.shape == (0, 1)


def test_relay():
    """Legs after the first one find solutions for what it leaves."""
    circuit = surface(5, 5, 0.003)
    dem = circuit.detector_error_model()
    shots, observables = circuit.compile_detector_sampler(seed=5).sample(4000, separate_observables=True)
    packed = numpy.packbits(shots, axis=1, bitorder="little")
    wrong = []
    for sets in (0, 20):
        compiled = fecrun.sinter.RelayDecoder(gamma0=0.4, pre_iter=20, num_sets=sets).compile_decoder_for_dem(dem=dem)
        found = compiled.decode_shots_bit_packed(bit_packed_detection_event_data=packed)
        wrong.append((found[:, :1] != observables).sum())
    assert wrong[1] < 0.6 * wrong[0] < 0.1 * observables.sum()


def test_models_with_more():
    """Detectors that never fire, errors that no detector sees, that are sure, of probability 0, and are twice there."""
    dem = stim.DetectorErrorModel("""
        error(0.1) D1 D3 L9
        error(0.1) D1 D3 L9
        error(0.01) D3 L1
        error(0) D0
        error(0.9) L3
        error(0.2) L4
        detector D6
    """)
    found = fecrun.sinter._columns(dem)
    assert found.keys() == {((1, 3), (9,)), ((3,), (1,)), ((), (3,)), ((), (4,))}
    assert abs(found[(1, 3), (9,)] - 0.18) < 1e-12
    data = numpy.zeros((3, 7), bool)
    data[1, [1, 3]] = data[2, 3] = True
    compiled = fecrun.sinter.Decoder(osd_method="OSD_CS", osd_order=0).compile_decoder_for_dem(dem=dem)
    found = compiled.decode_shots_bit_packed(
        bit_packed_detection_event_data=numpy.packbits(data, axis=1, bitorder="little"))
    found = numpy.unpackbits(found, axis=1, bitorder="little")[:, :dem.num_observables]
    assert [list(numpy.flatnonzero(row)) for row in found] == [[3], [3, 9], [1, 3]]


def test_collect():
    """In sinter's processes; its own pymatching on the same circuit has about as many errors."""
    tasks = [sinter.Task(circuit=surface(3, 3, 0.005), json_metadata={"d": 3})]
    stats = sinter.collect(num_workers=2, tasks=tasks, decoders=["fecrun", "pymatching"], max_shots=20000,
                           custom_decoders={"fecrun": fecrun.sinter.Decoder(osd_method="OSD_CS", osd_order=5)})
    errors = {stat.decoder: stat.errors for stat in stats}
    assert all(stat.shots == 20000 for stat in stats)
    assert 0 < errors["fecrun"] < 1.5 * errors["pymatching"]


def test_of_sinter(tmp_path):
    """sinter's tests of decoders, with this one."""
    (tmp_path / "fecrun_decoders.py").write_text(
        "def decoders():\n    import fecrun.sinter\n    return {'fecrun': fecrun.sinter.Decoder()}\n")
    test = pathlib.Path(sinter.__file__).parent / "_decoding" / "_decoding_test.py"
    if not test.exists():
        pytest.skip("this sinter came without its tests")
    env = {**os.environ, "SINTER_PYTEST_CUSTOM_DECODERS": "fecrun_decoders:decoders",
           "PYTHONPATH": os.pathsep.join([str(tmp_path), str(pathlib.Path(fecrun.__file__).parents[1])])}
    done = subprocess.run([sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-k", "fecrun", str(test)],
                          env=env, capture_output=True, text=True)
    assert done.returncode == 0 and " passed" in done.stdout and "failed" not in done.stdout, done.stdout
    assert int(done.stdout.split(" passed")[0].split()[-1]) >= 20
