# SPDX-License-Identifier: BSD-2-Clause
# The Python package, which pip builds (see README.md there); make only packs and tests it.
EXTRA_DIST += \
	%D%/README.md \
	%D%/examples/decode.py \
	%D%/examples/own_matrix.py \
	%D%/examples/torch_loop.py \
	%D%/examples/waterfall.py \
	%D%/fecrun/__init__.py \
	%D%/fecrun/__init__.pyi \
	%D%/fecrun/_arrays.py \
	%D%/fecrun/_called.py \
	%D%/fecrun/_cdef.py \
	%D%/fecrun/_cuda.py \
	%D%/fecrun/_errors.py \
	%D%/fecrun/_library.py \
	%D%/fecrun/_program.py \
	%D%/fecrun/_routes.py \
	%D%/fecrun/_session.py \
	%D%/fecrun/_stages.py \
	%D%/fecrun/coder.py \
	%D%/fecrun/pipeline.py \
	%D%/fecrun/prepared.py \
	%D%/fecrun/py.typed \
	%D%/fecrun/reports.py \
	%D%/fecrun/result.py \
	%D%/fecrun/torch.py \
	%D%/notebooks/arrays.ipynb \
	%D%/notebooks/curves.ipynb \
	%D%/notebooks/receiver.ipynb \
	%D%/pyproject.toml \
	%D%/setup.py \
	%D%/tests/conftest.py \
	%D%/tests/test_decode.py \
	%D%/tests/test_examples.py \
	%D%/tests/test_gpu.py \
	%D%/tests/test_kinds.py \
	%D%/tests/test_library.py \
	%D%/tests/test_notebooks.py \
	%D%/tests/test_pipeline.py \
	%D%/tests/test_reports.py \
	%D%/tests/test_safety.py \
	%D%/tests/test_stubs.py \
	%D%/tests/test_torch.py \
	%D%/tests/test_wheel.py
