# SPDX-License-Identifier: BSD-2-Clause
"""__init__.pyi has the names, arguments and fields of the package."""

import ast
import dataclasses
import inspect
import pathlib

import fecrun

STUB = ast.parse((pathlib.Path(fecrun.__file__).parent / "__init__.pyi").read_text())


def arguments(function):
    """(name, kind, has a default) of what inspect or the stub has."""
    if isinstance(function, ast.FunctionDef):
        a = function.args
        positional = [(arg.arg, "positional", i >= len(a.args) - len(a.defaults)) for i, arg in enumerate(a.args)]
        named = [(arg.arg, "named", default is not None) for arg, default in zip(a.kwonlyargs, a.kw_defaults)]
        return positional + named + ([(a.kwarg.arg, "rest", False)] if a.kwarg else [])
    kinds = {inspect.Parameter.POSITIONAL_OR_KEYWORD: "positional", inspect.Parameter.KEYWORD_ONLY: "named",
             inspect.Parameter.VAR_KEYWORD: "rest"}
    return [(p.name, kinds[p.kind], p.default is not p.empty) for p in inspect.signature(function).parameters.values()
            if not p.name.startswith("_")]


def test_names():
    there = {node.name for node in STUB.body if isinstance(node, (ast.ClassDef, ast.FunctionDef))}
    assert there == set(fecrun.__all__)


def test_functions():
    seen = 0
    for node in STUB.body:
        for function in node.body if isinstance(node, ast.ClassDef) else [node]:
            if not isinstance(function, ast.FunctionDef) or function.decorator_list or function.name == "__getattr__":
                continue
            owner = getattr(fecrun, node.name) if function is not node else fecrun
            assert arguments(function) == arguments(getattr(owner, function.name)), (node.name, function.name)
            seen += 1
    assert seen > 30


def test_fields_and_public_methods():
    for node in STUB.body:
        if not isinstance(node, ast.ClassDef):
            continue
        kind = getattr(fecrun, node.name)
        fields = [part.target.id for part in node.body if isinstance(part, ast.AnnAssign)]
        if dataclasses.is_dataclass(kind):
            assert fields == [field.name for field in dataclasses.fields(kind)]
        elif hasattr(kind, "_fields"):
            assert fields == list(kind._fields)
        for part in node.body:
            assert not isinstance(part, ast.FunctionDef) or hasattr(kind, part.name) or part.name == "__getattr__"
