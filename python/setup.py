# SPDX-License-Identifier: BSD-2-Clause
"""Builds a wheel that holds the library and its plugins.

They are taken from a build of the tree that this directory lies in: FECRUN_BUILD, else build/ beside
python/, which is made with `./bootstrap build` if it is not there. FECRUN_BUILD=none leaves them out:
the package then finds an installed libfecrun.
"""

import os
import pathlib
import re
import shutil
import subprocess

from setuptools import Distribution, setup
from setuptools.command.bdist_wheel import bdist_wheel
from setuptools.command.build_py import build_py

HERE = pathlib.Path(__file__).resolve().parent
TREE = HERE.parent


def version():
    text = (TREE / "configure.ac").read_text()
    return re.search(r"AC_INIT\(\[fecrun\], \[([^]]+)\]\)", text)[1]


def build_dir():
    named = os.environ.get("FECRUN_BUILD")
    if named:
        return None if named == "none" else pathlib.Path(named).resolve()
    if not (TREE / "build" / "core" / ".libs" / "libfecrun.so.0").exists():
        subprocess.run([str(TREE / "bootstrap"), "build"], check=True)
    return TREE / "build"


class WithLibrary(build_py):
    """libfecrun.so.0 goes to fecrun/lib, and beside it fecrun/3/*.so, where it looks for plugins."""

    def run(self):
        super().run()
        build = build_dir()
        if build is None:
            return
        to = pathlib.Path(self.build_lib) / "fecrun" / "lib"
        shutil.rmtree(to, ignore_errors=True)
        to.mkdir(parents=True)
        shutil.copy2(build / "core" / ".libs" / "libfecrun.so.0", to)
        for plugin in sorted((build / "lib" / "fecrun").glob("*/*.so")):
            (to / "fecrun" / plugin.parent.name).mkdir(parents=True, exist_ok=True)
            shutil.copy2(plugin, to / "fecrun" / plugin.parent.name)


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
