"""Generators are known by name, and take their parameters as text."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
import pytest

from dagpart import Dag, DagpartError, generate
from dagpart.generate import GENERATORS
from dagpart.generate.registry import Generator


def sample(
    count: int,
    rate: float = 0.5,
    *,
    deep: bool = False,
    name: str = "x",
    kind: Literal["a", "b", 3] = "a",
    seed: int | np.random.Generator = 0,
    shape: int | Sequence[int] = 2,
    side: float | None = None,
    matrix: str | os.PathLike[str] | Any = None,
    function: Any = None,
    **options: int,
) -> Dag:
    """First line.

    More.
    """
    raise NotImplementedError


SAMPLE = Generator.of(sample, "sample")


def test_what_a_signature_says():
    assert SAMPLE.summary == "First line."
    assert list(SAMPLE.parameters) == [
        "count",
        "rate",
        "deep",
        "name",
        "kind",
        "seed",
        "shape",
        "side",
        "matrix",
    ]
    assert [name for name, parameter in SAMPLE.parameters.items() if parameter.required] == ["count"]
    assert SAMPLE.parse({"count": "3"}) == {
        "count": 3,
        "rate": 0.5,
        "deep": False,
        "name": "x",
        "kind": "a",
        "seed": 0,
        "shape": 2,
        "side": None,
        "matrix": None,
    }
    assert [name for name, parameter in SAMPLE.parameters.items() if parameter.is_file] == ["matrix"]


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("count", "-7", -7),
        ("rate", "1e-3", 1e-3),
        ("rate", "2", 2.0),
        ("deep", "yes", True),
        ("deep", "False", False),
        ("name", "a b", "a b"),
        ("kind", "b", "b"),
        ("kind", "3", 3),
        ("seed", "5", 5),
        ("shape", "4", 4),
        ("shape", "4,5,6", [4, 5, 6]),
        ("side", "2.5", 2.5),
        ("matrix", "a/b.mtx", "a/b.mtx"),
    ],
)
def test_texts_that_are_values(name, text, value):
    found = SAMPLE.parse({"count": "1", name: text})[name]
    assert found == value
    assert type(found) is type(value)


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("count", "1.5", "count=1.5: it must be a whole number$"),
        ("count", "", "count=: it must be a whole number$"),
        ("rate", "fast", "rate=fast: it must be a number$"),
        ("deep", "maybe", r"deep=maybe: it must be true \| false$"),
        ("kind", "c", r"kind=c: it must be a \| b \| 3$"),
        ("shape", "4,", r"shape=4,: it must be a whole number \| a whole number,a whole number,...$"),
        ("function", "file", "sample has no parameter function; it has count, rate"),
        ("options", "1", "sample has no parameter options"),
    ],
)
def test_texts_that_are_none(name, text, message):
    with pytest.raises(DagpartError, match=message):
        SAMPLE.parse({"count": "1", name: text})


def test_a_missing_value():
    with pytest.raises(DagpartError, match="sample needs a value for count"):
        SAMPLE.parse({"rate": "1"})


def test_every_generator_of_the_package_is_known():
    # What a matrix or a sequence of decisions is given to cannot be told as text, and is not here.
    assert {name for name in GENERATORS if ":" not in name} <= set(generate.__all__)
    assert {name for name in GENERATORS if ":" in name} == {
        f"polybench:{k}" for k in generate.loop_nests.KERNELS
    }
    for name, generator in GENERATORS.items():
        assert generator.name == name
        assert generator.summary
        assert "weights" in generator.parameters or ":" not in name
