"""compare(): one record for each method and seed, whatever happens to it."""

from __future__ import annotations

import csv
import io
import json
import os
import signal
import time
from dataclasses import fields

import networkx as nx
import numpy as np
import pytest
from _plain import Plain, plain_volume

from dagpart import Dag, compare, generate
from dagpart.baselines import BASELINES
from dagpart.comparing import METHODS, Record
from dagpart.errors import DagpartError, InfeasibleError, NotADagError
from dagpart.options import PRESETS

# Vertex weights and edges of a ladder.
LADDER = Plain(
    8,
    [(i, i + 2, 1 + i % 3) for i in range(6)] + [(i, i + 1, 2) for i in range(0, 8, 2)],
    [1, 2, 1, 2, 1, 2, 1, 2],
)


def alternating(graph, k, *, imbalance, seed):
    """Balanced, and cyclic on most graphs."""
    return np.arange(graph.n) % k


def in_order(graph, k, *, imbalance, seed):
    return (np.arange(graph.n) + seed) * k // (graph.n + seed)


def all_in_one(graph, k, *, imbalance, seed):
    return np.zeros(graph.n, dtype=int)


def crash(graph, k, *, imbalance, seed):
    os.kill(os.getpid(), signal.SIGSEGV)


def hang(graph, k, *, imbalance, seed):
    time.sleep(600)


def complain(graph, k, *, imbalance, seed):
    raise DagpartError("out of luck")


def nonsense(graph, k, *, imbalance, seed):
    return [k] * graph.n


def measured(graph: Plain, labels, k):
    loads = graph.loads(labels, k)
    longest = nx.DiGraph()
    for v, w in enumerate(graph.vertex_weights):
        longest.add_edge(("in", v), ("out", v), weight=w)
    for u, v, w in graph.edges:
        longest.add_edge(("out", u), ("in", v), weight=0 if labels[u] == labels[v] else w)
    return {
        "edge_cut": graph.cut(labels),
        "comm_volume": plain_volume(graph.edges, labels),
        "critical_path": nx.dag_longest_path_length(longest),
        "imbalance": pytest.approx(max(loads) * k / sum(loads) - 1),
        "acyclic": nx.is_directed_acyclic_graph(graph.quotient(labels, k)),
    }


def test_measures_of_known_labels():
    extra = {"alternating": alternating, "in order": in_order, "all in one": all_in_one}
    records = compare(LADDER.dag(), 2, extra, imbalance=0, extra=extra)
    assert [record.method for record in records] == ["dagpart", *extra]
    for record, labels in zip(records[1:], ([0, 1] * 4, [0, 0, 0, 0, 1, 1, 1, 1], [0] * 8), strict=True):
        expected = measured(LADDER, labels, 2)
        assert {name: record.to_dict()[name] for name in expected} == expected
        assert (record.error, record.seed) == (None, 0)
        assert record.seconds >= 0
        assert record.megabytes > 10
    ours, alternate, ordered, single = records
    # Two prefixes of a ladder weigh the same; nothing else does.
    assert ordered.repaired_cut == ordered.edge_cut == ours.edge_cut == ours.repaired_cut
    # What is cyclic, or out of balance, is repaired.
    assert (alternate.acyclic, single.acyclic, single.edge_cut) == (True, True, 0)
    assert single.repaired_cut == ours.edge_cut
    least = min(record.repaired_cut for record in records)
    assert [record.best for record in records] == [record.repaired_cut == least for record in records]


def test_whatever_happens_is_a_record():
    extra = {"crash": crash, "complain": complain, "nonsense": nonsense, "in order": in_order}
    seen = []
    records = compare(LADDER.dag(), 2, extra, extra=extra, progress=seen.append)
    errors = {record.method: record.error for record in records}
    assert errors == {
        "dagpart": None,
        "crash": "crashed (SIGSEGV)",
        "complain": "out of luck",
        "nonsense": "label 2 of vertex 0 is not below k=2; parts are counted from 0",
        "in order": None,
    }
    for record in records:
        if record.error is not None:
            assert (record.edge_cut, record.repaired_cut, record.best) == (None, None, False)
    assert [record.method for record in seen] == list(errors)
    assert any(record.best for record in records)


def test_what_hangs_is_killed():
    # On a busy machine so short a limit may be too short for anyone.
    records = compare(LADDER.dag(), 2, ["hang"], extra={"hang": hang}, time_limit=2)
    assert records[-1].method == "hang"
    assert records[-1].error == "no answer within 2 s"


def test_a_balance_that_cannot_be_had_is_told():
    uneven = Dag.from_edges([(0, 1), (1, 2), (2, 3)], vertex_weights=[3, 5, 5, 3])
    # The cap is 5 for three parts: only {0}, {1}, {2}, {3} would do.
    ours, one = compare(uneven, 3, ["one"], imbalance=0, extra={"one": all_in_one})
    for record in (ours, one):
        assert record.edge_cut is not None
        assert record.repaired_cut is None
        assert record.error.startswith("repair: parts weigh")
        assert not record.best


def test_methods_that_are_installed():
    pytest.importorskip("pymetis")
    records = compare(generate.grid2d(12), 4, ["metis", "metis:recursive"], seeds=[0, 7])
    assert [(record.method, record.seed) for record in records] == [
        (method, seed) for method in ("dagpart", "metis", "metis:recursive") for seed in (0, 7)
    ]
    for record in records:
        assert record.error is None
        assert 12 <= record.repaired_cut <= 48


def test_names():
    assert {"dagpart", "metis", "kahip:strong", "dagpart:strong"} <= set(METHODS)
    variants = sum(1 + len(baseline.variants) for baseline in BASELINES.values())
    assert len(METHODS) == 1 + len(PRESETS) + variants


def test_what_is_refused():
    dag = LADDER.dag()
    with pytest.raises(DagpartError, match="no method 'best'; choose from dagpart, "):
        compare(dag, 2, ["best"])
    with pytest.raises(NotADagError):
        compare([(0, 1), (1, 0)], 2)
    with pytest.raises(InfeasibleError):
        compare(dag, 9)
    with pytest.raises(DagpartError, match="imbalance"):
        compare(dag, 2, imbalance=-1)
    with pytest.raises(DagpartError, match="time_limit"):
        compare(dag, 2, time_limit=0)
    with pytest.raises(DagpartError, match="seed"):
        compare(dag, 2, seeds=[-1])


def test_records_are_plain():
    record = Record("metis", 3, edge_cut=5, acyclic=False)
    row = record.to_dict()
    assert list(row) == [field.name for field in fields(Record)]
    assert json.loads(json.dumps(row)) == row
    out = io.StringIO()
    csv.DictWriter(out, list(row)).writerow(row)
    assert out.getvalue().startswith("metis,3,5,")


def test_costs_are_in_the_callers_unit():
    chain = Dag.from_edges([(0, 1, 0.5), (1, 2, 0.25), (2, 3, 0.5)])
    [record] = compare(chain, 2, ["dagpart"])
    assert record.error is None
    assert (record.edge_cut, record.comm_volume, record.repaired_cut) == (0.25, 0.25, 0.25)
    assert record.critical_path == 4.25
