"""Files as other tools write them, made without dagpart, where there are none from practice."""

from __future__ import annotations

import functools
import json
import random
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest


def _dag(n: int, seed: int) -> dict[int, list[int]]:
    """Predecessors of each vertex of a random DAG: up to two, as gates have them."""
    rng = random.Random(seed)
    return {v: sorted(rng.sample(range(v), min(v, rng.randint(0, 2)))) for v in range(n)}


def dot() -> str:
    """Names in quotes, clusters, chains, ports, attributes and comments."""
    lines = ["/* made */ strict digraph made {", "  node [shape=box]; rankdir=LR"]
    lines += [f'  subgraph cluster_{c} {{ label="{c}"; "task {c}.0" -> "task {c}.1":s; }}' for c in range(3)]
    edges = [(u, v) for v, tails in _dag(30, 1).items() for u in tails]
    lines += [f'  "task {u % 3}.1" -> t{v} [label="{u}, {v}"];' for u, v in edges]
    return "\n".join([*lines, "  t1 -> t2 -> t3 // a chain", "  {t4 t5} -> {t6; t7}", "}", ""])


def cycle() -> str:
    """A cycle, and an edge out of it."""
    return "digraph { 0 -> 1 -> 2 -> 3 -> 4 -> 5 -> 6 -> 1; 4 -> 7 }\n"


def terraform() -> str:
    """What `terraform graph` prints: an edge runs from what waits to what it waits for."""
    names = ["root", 'provider[\\"x/y\\"] (close)', "a.one (expand)", "b.two (expand)", 'provider[\\"x/y\\"]']
    edges = [(0, 1), (1, 2), (1, 3), (2, 4), (3, 4)]
    said = [f'\t\t"[root] {names[u]}" -> "[root] {names[v]}"' for u, v in edges]
    return "\n".join(["digraph {", '\tcompound = "true"', '\tsubgraph "root" {', *said, "\t}", "}", ""])


def metis() -> str:
    """Weights of vertices and edges, and a comment."""
    found = {(u, v): 1 + (u + v) % 5 for v, tails in _dag(40, 2).items() for u in tails}
    beside: dict[int, list[tuple[int, int]]] = {v: [] for v in range(40)}
    for (u, v), weight in found.items():
        beside[u].append((v + 1, weight))
        beside[v].append((u + 1, weight))
    lines = [" ".join(map(str, [v % 7, *(x for pair in beside[v] for x in pair)])) for v in beside]
    return "\n".join([f"40 {len(found)} 011", *lines, ""])


def hyperdag() -> str:
    """A hyperedge for each vertex with successors; its first pin is that vertex."""
    readers: dict[int, list[int]] = {}
    for v, tails in _dag(40, 3).items():
        for u in tails:
            readers.setdefault(u, []).append(v)
    pins = [(edge, node) for edge, u in enumerate(readers) for node in (u, *readers[u])]
    lines = [f"{len(readers)} 40 {len(pins)}", "% hyperedges"]
    lines += [f"{edge} {edge % 4} 1" for edge in range(len(readers))]
    lines += ["% nodes", *(f"{v} {1 + v % 3} 1" for v in range(40))]
    return "\n".join([*lines, "% pins", *(f"{edge} {node}" for edge, node in pins), ""])


def dax() -> str:
    """A workflow of Pegasus; every job writes one file, which its successors read."""
    before = _dag(25, 4)
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', '<adag xmlns="http://pegasus.isi.edu/schema/DAX">']
    for v, tails in before.items():
        lines.append(f'  <job id="ID{v:05}" name="job" runtime="{1 + v / 4}">')
        lines += [f'    <uses file="f{u}" link="input" size="{100 + u}"/>' for u in tails]
        lines += [f'    <uses file="f{v}" link="output" size="{100 + v}"/>', "  </job>"]
    for v, tails in before.items():
        parents = "".join(f'<parent ref="ID{u:05}"/>' for u in tails)
        lines += [f'  <child ref="ID{v:05}">{parents}</child>'] if tails else []
    return "\n".join([*lines, "</adag>", ""])


def wfformat() -> str:
    """An instance of WfCommons, schema 1.5."""
    before = _dag(25, 5)
    tasks = [
        {
            "name": "job",
            "id": f"job_{v}",
            "parents": [f"job_{u}" for u in tails],
            "children": [f"job_{w}" for w in before if v in before[w]],
            "inputFiles": [f"f{u}" for u in tails],
            "outputFiles": [f"f{v}"],
        }
        for v, tails in before.items()
    ]
    files = [{"id": f"f{v}", "sizeInBytes": 1000 + v} for v in before]
    runs = [{"id": f"job_{v}", "runtimeInSeconds": 0.5 + v} for v in before]
    workflow = {"specification": {"tasks": tasks, "files": files}, "execution": {"tasks": runs}}
    return json.dumps({"name": "made", "schemaVersion": "1.5", "workflow": workflow}, indent=1)


def starpu(tiles: int = 8) -> str:
    """The trace of a tiled Cholesky factorization: its tasks, and records that are none."""
    writer: dict[tuple[int, int], int] = {}
    records: list[str] = []

    def task(model: str, reads: list[tuple[int, int]], tile: tuple[int, int]) -> None:
        number = len(records) + 1
        before = {writer[other] for other in [*reads, tile] if other in writer}
        if len(before) > 1 and number % 5 == 0:
            # What waits for several may wait for a record in between.
            job = 100_000 + number
            records.append(f"Name: sync\nJobId: {job}\nDependsOn: {' '.join(map(str, sorted(before)))}\n")
            before, number = {job}, number + 1
        handles = [f"h{i}_{j}" for i, j in [*reads, tile]]
        fields = {
            "Name": model,
            "Model": model,
            "JobId": number,
            "SubmitOrder": number,
            "Priority": tiles - tile[1],
            "DependsOn": " ".join(map(str, sorted(before))),
            "Footprint": "a0",
            "WorkerId": number % 3,
            "StartTime": f"{number * 0.25:.6f}",
            "EndTime": f"{number * 0.25 + len(handles):.6f}",
            "GFlop": f"{0.002 * len(handles):.6f}",
            "Handles": " ".join(handles),
            "Modes": " ".join(["R"] * len(reads) + ["RW"]),
            "Sizes": " ".join(str(8 * (64 + i)) for i, _ in [*reads, tile]),
        }
        records.append("".join(f"{name}: {value}\n" for name, value in fields.items() if value != ""))
        writer[tile] = number

    for k in range(tiles):
        task("potrf", [], (k, k))
        for i in range(k + 1, tiles):
            task("trsm", [(k, k)], (i, k))
        for i in range(k + 1, tiles):
            task("syrk", [(i, k)], (i, i))
            for j in range(k + 1, i):
                task("gemm", [(i, k), (j, k)], (i, j))
        job, order = 200_000 + k, 900_000 + k
        records.append(f"Control: WontUse\nJobId: {job}\nSubmitOrder: {order}\nHandles: h{k}_{k}\n")
    return "\n".join(records)


def onnx(blocks: int = 16) -> bytes:
    """A network of residual blocks, with a name for each node; needs the library onnx."""
    from onnx import TensorProto, helper

    def value(name: str) -> object:
        return helper.make_tensor_value_info(name, TensorProto.FLOAT, [4, 8])

    weight = helper.make_tensor("w", TensorProto.FLOAT, [8, 8], [0.5] * 64)
    nodes, last = [], "x"
    for b in range(blocks):
        layers = [("MatMul", [last, "w"], "m"), ("Relu", [f"m{b}"], "r"), ("Add", [f"r{b}", last], "y")]
        nodes += [helper.make_node(kind, reads, [f"{out}{b}"], f"{kind}{b}") for kind, reads, out in layers]
        last = f"y{b}"
    graph = helper.make_graph(nodes, "made", [value("x")], [value(last)], [weight])
    data: bytes = helper.make_model(graph).SerializeToString()
    return data


def bench() -> str:
    """A circuit as those of ISCAS-85."""
    lines = ["# made"]
    for v, tails in _dag(30, 6).items():
        reads = ", ".join(f"N{u}" for u in tails)
        lines.append(f"N{v} = {'NAND' if len(tails) == 2 else 'NOT'}({reads})" if tails else f"INPUT(N{v})")
    return "\n".join([*lines, "", "OUTPUT(N29)", ""])


def blif() -> str:
    """The circuit of `bench`, its list of inputs over two lines."""
    before = _dag(30, 6)
    inputs = [f"N{v}" for v, tails in before.items() if not tails]
    lines = [".model made", f".inputs {inputs[0]} \\\n {' '.join(inputs[1:])}", ".outputs N29"]
    for v, tails in before.items():
        if tails:
            lines += [" ".join([".names", *(f"N{u}" for u in tails), f"N{v}"]), "1" * len(tails) + " 0"]
    return "\n".join([*lines, ".end", ""])


def aiger(binary: bool) -> bytes:
    """A circuit of gates with two inputs each, its negations by parity."""
    before = {v: tails for v, tails in _dag(40, 7).items() if len(tails) != 1}
    inputs = [v for v, tails in before.items() if not tails]
    literal = {v: 2 * (i + 1) for i, v in enumerate(inputs)}
    gates = []
    for v, tails in before.items():
        if tails:
            reads = sorted((literal.get(u, 2) + (u + v) % 2 for u in tails), reverse=True)
            literal[v] = 2 * (len(inputs) + len(gates) + 1)
            gates.append((literal[v], *reads))
    count = len(inputs) + len(gates)
    head = f"{'aig' if binary else 'aag'} {count} {len(inputs)} 0 1 {len(gates)}\n"
    output = f"{gates[-1][0]}\n"
    if not binary:
        said = [*(f"{literal[v]}\n" for v in inputs), output]
        return "".join([head, *said, *(f"{a} {b} {c}\n" for a, b, c in gates)]).encode()
    # Differences of literals, seven bits a byte, the lowest first.
    packed = bytearray()
    for a, b, c in gates:
        for number in (a - b, b - c):
            while number >= 128:
                packed.append(number % 128 + 128)
                number //= 128
            packed.append(number)
    return f"{head}{output}".encode() + bytes(packed)


FILES: dict[str, Callable[[], str | bytes]] = {
    "clusters.dot": dot,
    "cycle.dot": cycle,
    "terraform.dot": terraform,
    "weighted.graph": metis,
    "random.hdag": hyperdag,
    "workflow.dax.xml": dax,
    "workflow.json": wfformat,
    "cholesky8_tasks.rec": starpu,
    "residual.onnx": onnx,
    "gates.bench": bench,
    "gates.blif": blif,
    "gates.aag": lambda: aiger(binary=False),
    "gates.aig": lambda: aiger(binary=True),
}


@functools.cache
def _folder() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix="dagpart-made-")


def made(name: str) -> Path:
    """The file of this name in `FILES`, in a folder that goes with the process."""
    if name.endswith(".onnx"):
        pytest.importorskip("onnx")
    path = Path(_folder().name, name)
    if not path.exists():
        data = FILES[name]()
        path.write_bytes(data if isinstance(data, bytes) else data.encode())
    return path
