#!/usr/bin/env python3
"""Make the data sets: matrices and task graphs of any size, as Matrix Market files.

    python datasets/make.py                      lists the families
    python datasets/make.py lap2d_40 fft_13      makes these two, in the current folder
    python datasets/make.py --size 100k -o big   makes one of about 100,000 vertices of every family
    python datasets/make.py --committed          makes the files that the repository holds, beside this script

A data set is called FAMILY_PARAMETER, with any parameter: grid2d_500 is a grid of 500 x 500. The same
name always gives the same file. A matrix (lap2d, lap3d) is symmetric with real values, as a solver
holds it; a graph is a strictly upper triangular pattern whose entry (i, j) is the edge i -> j.
"""

from __future__ import annotations

import argparse
import gzip
import io
import sys
from pathlib import Path

import scipy.io

from dagpart._files import atomic_writer
from dagpart.dag import Dag
from dagpart.datasets.families import FAMILIES, find

HERE = Path(__file__).resolve().parent
COMMITTED = (
    "lap2d_40",
    "grid2d_random_32",
    "grid3d_10",
    "delaunay_x_1000",
    "rgg_random_1000",
    "fft_7",
    "cholesky_17",
    "layered_local_1000",
)
SIZES = ("1k", "10k", "100k", "1M")


def content(name: str) -> bytes:
    """The Matrix Market file of a data set.

    Raises
    ------
    DagpartError
        If there is no such family, or the parameter is no number that it takes.
    """
    family, number = find(name)
    made = family.make(number)
    out = io.BytesIO()
    if isinstance(made, Dag):
        comment = f"{name}: {family.what}; the entry (i, j) is the edge i -> j"
        scipy.io.mmwrite(out, made.to_scipy(), comment=comment, field="pattern", symmetry="general")
    else:
        scipy.io.mmwrite(out, made, comment=f"{name}: {family.what}", symmetry="symmetric")
    return out.getvalue()


def write(name: str, folder: Path, compress: bool) -> Path:
    """Write a data set, whole or not at all."""
    data = content(name)
    path = folder / f"{name}.mtx{'.gz' if compress else ''}"
    folder.mkdir(parents=True, exist_ok=True)
    with atomic_writer(path) as file:
        # A time in the gzip header would make every run differ.
        file.write(gzip.compress(data, mtime=0) if compress else data)
    return path


def listing() -> str:
    rows: list[tuple[str, ...]] = [("family", "number is", *SIZES, "")]
    rows += [(name, f.parameter, *map(str, f.sized), f.what) for name, f in FAMILIES.items()]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows
    )


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter, add_help=True
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help="data sets to make, as FAMILY_NUMBER")
    parser.add_argument("--size", choices=SIZES, help="one of every family, of about this many vertices")
    parser.add_argument("--committed", action="store_true", help="the files that the repository holds")
    parser.add_argument("-o", "--output", type=Path, metavar="DIR", help="folder to write to")
    parser.add_argument("--gz", action="store_true", help="compress")
    options = parser.parse_args(argv)
    names = list(options.names)
    if options.size:
        names += [f"{name}_{f.sized[SIZES.index(options.size)]}" for name, f in FAMILIES.items()]
    folder = options.output or Path()
    if options.committed:
        names += COMMITTED
        folder = options.output or HERE
    if not names:
        print(listing())
        return 0
    for name in names:
        try:
            print(write(name, folder, options.gz))
        except (ValueError, OSError) as error:
            print(f"make.py: {error}", file=sys.stderr)
            return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
