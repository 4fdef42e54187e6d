# SPDX-License-Identifier: BSD-2-Clause
"""Builds a wheel that holds the library, its plugins and the program.

They are taken from a build of the tree that this directory lies in: FECRUN_BUILD, else build/ beside
python/, which is made with `./bootstrap build` if it is not there. FECRUN_BUILD=none leaves them out:
the package then finds an installed libfecrun. A build with CUDA kernels gives the version a "+cuda".
wheels.sh builds all three kinds.
"""

import os
import pathlib
import re
import shutil
import subprocess

from setuptools import Distribution, setup
from setuptools.command.build_py import build_py

try:
    from setuptools.command.bdist_wheel import bdist_wheel
except ImportError:  # before 70.1, as distributions have it
    from wheel.bdist_wheel import bdist_wheel

HERE = pathlib.Path(__file__).resolve().parent
TREE = HERE.parent


def version():
    text = (TREE / "configure.ac").read_text()
    number, build = re.search(r"AC_INIT\(\[fecrun\], \[([^]]+)\]\)", text)[1], build_dir()
    return number + ("+cuda" if build and has_kernels(build) else "")


def has_kernels(build):
    """Has a plugin of that build a section of device code?"""
    return any(b".nv_fatbin" in plugin.read_bytes() for plugin in (build / "lib" / "fecrun").glob("*/ldpc.so"))


def build_dir():
    named = os.environ.get("FECRUN_BUILD")
    if named:
        return None if named == "none" else pathlib.Path(named).resolve()
    if not (TREE / "build" / "run" / ".libs" / "libfecrun.so.0").exists():
        subprocess.run([str(TREE / "bootstrap"), "build"], check=True)
    return TREE / "build"


class WithLibrary(build_py):
    """libfecrun.so.0 goes to fecrun/lib, and beside it fecrun/3/*.so, where it looks for plugins, as does bin/fecrun."""

    def run(self):
        super().run()
        build = build_dir()
        if build is None:
            return
        to = pathlib.Path(self.build_lib) / "fecrun" / "lib"
        shutil.rmtree(to, ignore_errors=True)
        to.mkdir(parents=True)
        shutil.copy2(build / "run" / ".libs" / "libfecrun.so.0", to)
        for plugin in sorted((build / "lib" / "fecrun").glob("*/*.so")):
            (to / "fecrun" / plugin.parent.name).mkdir(parents=True, exist_ok=True)
            shutil.copy2(plugin, to / "fecrun" / plugin.parent.name)
        program = to.parent / "bin" / "fecrun"
        program.parent.mkdir(exist_ok=True)
        shutil.copy2(build / "fecrun", program)


class Platform(Distribution):
    """Not of one Python, but of one machine."""

    def has_ext_modules(self):
        return os.environ.get("FECRUN_BUILD") != "none"


class AnyPython(bdist_wheel):
    def get_tag(self):
        tag = super().get_tag()
        return ("py3", "none", tag[2])


setup(version=version(), distclass=Platform,
      cmdclass={"build_py": WithLibrary, "bdist_wheel": AnyPython})
