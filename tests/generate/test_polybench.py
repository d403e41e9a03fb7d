"""The graphs of the PolyBench kernels are those of the literature, and their numbering is as promised."""

from __future__ import annotations

import csv
import gzip

import numpy as np
import pytest
from _data import shared

from dagpart.generate import polybench
from dagpart.generate.loop_nests import KERNELS


def edges(graph):
    return np.column_stack(graph.to_scipy().tocoo().coords)


@pytest.mark.parametrize("kernel", KERNELS)
def test_sizes_are_those_of_the_literature(kernel):
    with open(shared("data/polybench_sizes.csv"), newline="") as file:
        (row,) = (row for row in csv.DictReader(file) if row["instance"] == kernel)
    assert "x".join(map(str, KERNELS[kernel].sizes)) == row["params"]
    graph = polybench(kernel)
    indegree, outdegree = np.diff(graph.pred_indptr), np.diff(graph.indptr)
    found = {
        "n": graph.n,
        "m": graph.m,
        "sources": np.count_nonzero(indegree == 0),
        "sinks": np.count_nonzero(outdegree == 0),
        "isolated": np.count_nonzero((indegree == 0) & (outdegree == 0)),
        "max_indeg": indegree.max(),
        "max_outdeg": outdegree.max(),
        "longest_path_vertices": graph.levels.max() + 1,
        "hyperedges_producer_nets": np.count_nonzero(outdegree),
    }
    assert found == {name: int(row[name]) for name in found}
    work = polybench(kernel, weights="cost")
    assert work.total_weight == int(row["op_vertices"])
    assert np.array_equal(work.vertex_weights == 0, np.arange(graph.n) < int(row["input_vertices"]))


def test_every_edge_of_2mm_is_that_of_the_reference():
    with gzip.open(shared("data/dot/dagp_2mm_10_20_30_40.dot.gz"), "rt") as file:
        lines = [line.rstrip(" ;\n").split("->") for line in file if "->" in line]
    reference = np.array(lines, dtype=np.int64)
    assert np.array_equal(edges(polybench("2mm")), reference[np.lexsort(reference.T[::-1])])
