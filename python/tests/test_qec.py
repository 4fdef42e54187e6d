# SPDX-License-Identifier: BSD-2-Clause
"""fecrun.qec: corrections that `ldpc` of PyPI gave (t/data/README.md), forms of matrices, what a user can get wrong."""

import pathlib

import numpy
import pytest

from fecrun import PipelineError
from fecrun.qec import BpOsd, RelayBp

DATA = pathlib.Path(__file__).resolve().parents[2] / "t" / "data" / "quantum"


def matrix(path):
    """An alist as an array."""
    lines = path.read_text().splitlines()
    n, m = map(int, lines[0].split())
    dense = numpy.zeros((m, n), numpy.uint8)
    for j, line in enumerate(lines[4:4 + n]):
        dense[[int(row) - 1 for row in line.split() if row != "0"], j] = 1
    return dense


def bits(name, n):
    packed = numpy.fromfile(DATA / f"{name}.bin", numpy.uint8).reshape(-1, -(-n // 8))
    return numpy.unpackbits(packed, axis=1)[:, :n]


@pytest.fixture(scope="module")
def gross():
    return matrix(DATA / "gross.alist")


@pytest.fixture(scope="module")
def syndromes():
    return bits("gross_syndrome", 72)


@pytest.mark.parametrize("name, options", [
    ("gross_ps0", dict(bp_method="product_sum")),
    ("gross_ms0", dict(ms_scaling_factor=0.625)),
    ("gross_cs7", dict(ms_scaling_factor=0.625, osd_method="OSD_CS", osd_order=7)),
    ("gross_e7", dict(ms_scaling_factor=0.625, osd_method="OSD_E", osd_order=7)),
])
def test_corrections(gross, syndromes, name, options):
    decoder = BpOsd(gross, error_rate=0.08, max_iter=30, **options)
    assert (decoder.decode_batch(syndromes) == bits(name, 144)).all()


def test_a_prior_a_column():
    h = matrix(DATA / "surface3.alist")
    priors = [float(p) for p in (DATA / "surface3.p").read_text().split()]
    wanted = bits("surface3_ms0", h.shape[1])
    for given in (dict(error_channel=priors), dict(error_rate=priors)):
        decoder = BpOsd(h, max_iter=30, ms_scaling_factor=0.625, **given)
        assert (decoder.decode_batch(bits("surface3_syndrome", 24)) == wanted).all()


def test_relay(gross, syndromes):
    """Where both meet the syndrome, the corrections of `relay-bp`; elsewhere these are its first leg's."""
    priors = [float(p) for p in (DATA / "gross.p").read_text().split()]
    options = dict(gamma0=0.125, pre_iter=5, num_sets=6, set_max_iter=5, gamma_dist_interval=(-0.24, 0.66), stop_nconv=3,
                   seed=5)
    wanted = bits("gross_relay", 144)
    met = (wanted @ gross.T % 2 == syndromes).all(axis=1)
    for backend in ("ref", "simd"):
        errors, info = RelayBp(gross, priors, backend=backend, **options).decode_batch(syndromes, return_info=True)
        assert (info.failed == ~met).all() and met.sum() == 54
        assert (errors[met] == wanted[met]).all()
    first = RelayBp(gross, priors, **{**options, "stop_nconv": 1}).decode_batch(syndromes)
    assert (first[met] != wanted[met]).any(), "more solutions are lighter for some"
    decoded, info = RelayBp(gross, priors, osd_method="OSD_0", **options).decode_batch(syndromes, return_info=True)
    assert not info.failed.any() and (decoded @ gross.T % 2 == syndromes).all()
    none = RelayBp(gross, priors, gamma0=0.0, num_sets=0, pre_iter=9).decode_batch(syndromes)
    assert (none == BpOsd(gross, priors, max_iter=9, osd_method="off").decode_batch(syndromes)).all()


WRONG_RELAY = [
    (dict(error_priors=0.0), "column 0 is 0"),
    (dict(gamma0=1.5), "gamma0 must be a number from -1 to 1"),
    (dict(gamma_dist_interval=(0.5, 0.2)), "the lower one first"),
    (dict(gamma_dist_interval=(0.5, 1.2)), "gamma_dist_interval must be a number from -1 to 1"),
    (dict(num_sets=3, stop_nconv=5), "stop_nconv must be an integer from 1 to 4"),
    (dict(pre_iter=0), "pre_iter must be an integer from 1"),
    (dict(set_max_iter=2.5), "set_max_iter must be an integer"),
    (dict(seed=-1), "seed must be an integer"),
    (dict(alpha=0), "alpha must be a number from 0.05"),
]


@pytest.mark.parametrize("given, text", WRONG_RELAY, ids=[str(i) for i in range(len(WRONG_RELAY))])
def test_wrong_arguments_of_relay(gross, given, text):
    with pytest.raises(PipelineError) as caught:
        RelayBp(gross, **{"error_priors": 0.1, **given})
    assert text in str(caught.value)


def test_one_shot_info_and_threads(gross, syndromes):
    options = dict(max_iter=30, ms_scaling_factor=0.625)
    errors, info = BpOsd(gross, 0.08, **options).decode_batch(syndromes, return_info=True)
    assert info.checked.all() and not info.failed.any() and 1 <= info.iterations.min() < info.iterations.max() == 30
    left = BpOsd(gross, 0.08, osd_method="off", threads=2, **options).decode_batch(syndromes, return_info=True)[1].failed
    assert left.any() and (info.iterations[left] == 30).all()
    assert (BpOsd(gross, 0.08, **options).decode(syndromes[3]) == errors[3]).all()
    several = BpOsd(gross, 0.08, threads=2, backend="ref", **options).decode_batch(syndromes)
    assert (several == errors).all()


def test_forms_of_the_matrix(gross, syndromes, tmp_path):
    sparse = pytest.importorskip("scipy.sparse")
    io = pytest.importorskip("scipy.io")
    sparse.save_npz(tmp_path / "h.npz", sparse.csr_matrix(gross))
    io.mmwrite(tmp_path / "h.mtx", sparse.coo_matrix(gross.astype(int)))
    wanted = BpOsd(gross, 0.08, max_iter=30).decode_batch(syndromes)
    for form in (sparse.csr_matrix(gross), sparse.csc_matrix(gross), tmp_path / "h.npz", str(tmp_path / "h.mtx"),
                 DATA / "gross.alist"):
        assert (BpOsd(form, 0.08, max_iter=30).decode_batch(syndromes) == wanted).all()


def test_rows_of_one_column():
    """Row 0 says what column 0 is, whatever the others say."""
    h = numpy.array([[1, 0, 0, 0], [1, 1, 0, 0], [0, 1, 1, 1], [0, 0, 0, 1]], numpy.uint8)
    for priors in ([0.1, 0.01, 0.2, 0.05], [1e-15, 0.01, 0.2, 1e-14]):
        decoder = BpOsd(h, priors, max_iter=5)
        for number in range(16):
            syndrome = numpy.array([number >> i & 1 for i in range(4)], numpy.uint8)
            assert (h @ decoder.decode(syndrome) % 2 == syndrome).all()


WRONG = [
    (dict(error_rate=0.0), "column 0 is 0"),
    (dict(error_rate=1.0), "column 0 is 1"),
    (dict(error_channel=[0.1] * 7 + [1.0] + [0.1] * 136), "column 7 is 1"),
    (dict(error_channel=[0.1] * 143), "each of the 144 columns"),
    (dict(), "give error_rate, or error_channel"),
    (dict(error_rate=0.1, error_channel=[0.1] * 144), "give error_rate, or error_channel"),
    (dict(error_rate=0.1, schedule="serial"), "schedule must be 'parallel'"),
    (dict(error_rate=0.1, bp_method="min"), "bp_method must be one of minimum_sum"),
    (dict(error_rate=0.1, osd_method="OSD_7"), "osd_method must be one of"),
    (dict(error_rate=0.1, osd_method="OSD_E", osd_order=17), "osd_order must be 0 to 16"),
    (dict(error_rate=0.1, ms_scaling_factor=0), "ms_scaling_factor must be 0.05 to 1"),
    (dict(error_rate=0.1, max_iter=10001), "max_iter must be 0 to 10000"),
]


@pytest.mark.parametrize("given, text", WRONG, ids=[str(i) for i in range(len(WRONG))])
def test_wrong_arguments(gross, given, text):
    with pytest.raises(PipelineError) as caught:
        BpOsd(gross, **given)
    assert text in str(caught.value)


def test_wrong_matrices_and_syndromes(gross, syndromes):
    for pcm, text in ((numpy.vstack([gross, 0 * gross[:1]]), "row 72 of the matrix is empty"), (2 * gross, "zeros and ones only"),
                      (gross[0], "two dimensions"), ("h.txt", "must end in .npz")):
        with pytest.raises(PipelineError) as caught:
            BpOsd(pcm, 0.1)
        assert text in str(caught.value)
    decoder = BpOsd(gross, 0.1)
    for call, array, text in ((decoder.decode_batch, syndromes[:, :71], r"(shots, 72)"), (decoder.decode, syndromes[0, :71], "72"),
                              (decoder.decode, syndromes, "one dimension"), (decoder.decode, 2 * syndromes[0] + 2, "zeros and ones"),
                              (decoder.decode_batch, syndromes[:0], "no syndrome")):
        with pytest.raises(PipelineError) as caught:
            call(array)
        assert text in str(caught.value)
