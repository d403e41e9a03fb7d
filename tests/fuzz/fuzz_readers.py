"""Coverage-guided fuzzing of the readers: no bytes may do anything to a reader but make it say what is wrong.

Run one reader, or each in turn, with atheris (``pip install atheris``)::

    python tests/fuzz/fuzz_readers.py --seconds 600 dot metis
    python tests/fuzz/fuzz_readers.py --seconds 600

Whatever a reader raises that is no `dagpart.DagpartError`, takes longer than 20 seconds or 2 GB for, or gives
back differently after it was written and read again, is kept under ``tests/fuzz/found``, which
``tests/io/test_found_by_fuzzing.py`` reads.
"""

from __future__ import annotations

import argparse
import gzip
import inspect
import io
import json
import subprocess
import sys
import tempfile
import warnings
import zipfile
from pathlib import Path

import scipy.sparse

HERE = Path(__file__).resolve().parent
FOUND = HERE / "found"
SHARED = HERE.parents[2] / "shared/data"
REPORTS = HERE.parent / "reports/files.json"
_LARGEST_SEED = 20_000
_MEMBERS = (
    "indptr",
    "indices",
    "edge_weights",
    "vertex_weights",
    "names",
    "edges",
    "n",
    "shape",
    "data",
    "format",
)
_CUT = b"|CUT|"
# What the shared data has no file of.
_SEEDS = {
    "dagp": [b"3 2 011\n1 2 5\n1 3 4\n1\n"],
    "stg": [b"2\n0 0 0\n1 3 1 0\n2 4 1 0\n3 0 2 1 2\n# end\n", b"1\n0 0 0\n1 3 1\n0 7\n2 0 1\n1 2\n"],
    "dot": [
        b"strict digraph { a, b:s -> {c d}, -1 [weight=2,key=x]; a -> c [weight=5]; edge [size=3] }",
        b'digraph { rankdir="RL" subgraph S { node [size="9 B"] a } b -> subgraph S {e}, "f" + "g" }',
    ],
    "edge-list": [
        b'source,target,weight\n"a b",c,2\nc,d,\ne,,7\n#1,"#2",3\n',
        b"0 1\n1 2 0.5\n",
        b"% c\n// c\n# FromNodeId\tToNodeId\n0\t1\n",
        b"0 1 {'weight': 3, 'c': 'x'}\n1 2 {}\n",
        b'id_1 ; id_2;kg\n4;5;1\n" 6";"7\n8";2\n',
    ],
    "node-link": [
        b'{"nodes": [{"id": "a", "weight": 2}, {"id": [1]}], "links": [{"source": "a", "target": [1]}]}',
        b'{"nodes": [{"id": 1, "size": 2}, {"id": 2}], "links": [{"source": 1, "target": 2}], "edges": []}',
    ],
    "wfformat": [b'{"schemaVersion": "1.1", "workflow": {"jobs": [{"name": "a"}]}}'],
    "blif": [
        b".model m\n.inputs a b\n.clock c\n.gate DFF_X1 D=z CK=c Q=q QN=n\n.gate FA A=q CI=n CO=z S=s\n",
        b".inputs a\n.subckt m i=a o=x p=\n.end\n.model m\n.inputs i\n.outputs o p\n.blackbox\n.end\n",
    ],
    "matrix-market": [
        b"%%MatrixMarket matrix coordinate real general\n"
        b"% the entry (i, j) is the edge i -> j, its value the weight of the edge\n2 2 2\n1 2 0.5\n2 1 0\n"
    ],
}


def seeds(name: str) -> list[bytes]:
    """Small files of a format: its own, those of the shared data, and what dagpart writes."""
    from dagpart import Dag
    from dagpart.io import FORMATS

    format = next(format for format in FORMATS if format.name == name)
    found = list(_SEEDS.get(name, ()))
    if format.dump is not None:
        found.append(
            format.dump(Dag.from_edges([(0, 1, 2), (0, 2, 3), (1, 3, 1)], vertex_weights=[1, 2, 3, 4]))
        )
    found += [
        case["text"].encode()
        for case in json.loads(REPORTS.read_text())
        if case["suffix"].endswith(format.suffixes)
    ]
    for path in sorted(SHARED.rglob("*")) if SHARED.exists() else ():
        if path.name.removesuffix(".gz").endswith(format.suffixes + format.foreign) and path.is_file():
            data = path.read_bytes()
            data = gzip.decompress(data) if path.suffix == ".gz" else data
            if len(data) <= _LARGEST_SEED:
                found.append(data)
    if name == "onnx":
        found.append(_small_onnx())
    if name == "npz":
        out = io.BytesIO()
        scipy.sparse.save_npz(out, Dag.from_edges([(0, 1), (1, 2)]).to_scipy())
        found.append(out.getvalue())
    return found


def _small_onnx() -> bytes:
    from onnx import TensorProto, helper

    x, y = (helper.make_tensor_value_info(name, TensorProto.FLOAT, [1, 4]) for name in "xy")
    nodes = [helper.make_node("Relu", ["x"], ["h"]), helper.make_node("Add", ["h", "x"], ["y"])]
    data: bytes = helper.make_model(helper.make_graph(nodes, "g", [x], [y])).SerializeToString()
    return data


def pack(name: str, data: bytes) -> bytes:
    """The file that fuzzed bytes stand for; an archive would break at its checksums before it is read."""
    if name != "npz":
        return data
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for member, content in zip(_MEMBERS, data.split(_CUT), strict=False):
            if content:
                archive.writestr(f"{member}.npy", content)
    return out.getvalue()


def unpack(name: str, data: bytes) -> bytes:
    """The bytes that `pack` makes into a file."""
    if name != "npz":
        return data
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        there = set(archive.namelist())
        parts = [archive.read(f"{m}.npy") if f"{m}.npy" in there else b"" for m in _MEMBERS]
    return _CUT.join(parts)


class Finding(Exception):
    """A reader or writer did what it should not."""


def try_bytes(name: str, data: bytes) -> None:
    """Read, and where that works and the format is written, write and read again."""
    from dagpart import DagpartError
    from dagpart.io import FORMATS, Source

    format = next(format for format in FORMATS if format.name == name)
    options = inspect.signature(format.load).parameters
    try:
        if "weights" in options:
            format.load(Source("input", data), weights="gates")
        if "edge_weights" in options:
            format.load(Source("input", data), edge_weights="unit")
        graph = format.load(Source("input", data)).graph
    except DagpartError as error:
        if len(str(error).splitlines()) != 1:
            raise Finding(f"a message that is not one line: {error}") from None
        return
    if format.dump is None or "direction" not in format.keeps:
        return
    try:
        again = format.load(Source("again", format.dump(graph))).graph
    except DagpartError as error:
        # Some names cannot be written; that is said before anything is.
        if not any(words in str(error) for words in ("cannot write", "no way to write", "holds names")):
            raise Finding(f"what was written is not read: {error}") from None
        return
    if (again.n, again.m) != (graph.n, graph.m):
        raise Finding(f"{graph} became {again} when it was written and read again")


def fuzz(name: str, arguments: list[str]) -> None:
    """Never comes back: libFuzzer ends the process."""
    import atheris

    readers = ["dagpart.io", "dagpart._files", "dagpart._json", "dagpart._text"]
    with atheris.instrument_imports(include=readers):
        import dagpart.io.registry  # noqa: F401

    warnings.simplefilter("ignore")
    atheris.Setup([sys.argv[0], *arguments], lambda data: try_bytes(name, pack(name, data)))
    atheris.Fuzz()


def main() -> int:
    """Fuzz each reader in a process of its own, and say what was found."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("formats", nargs="*", metavar="FORMAT", help="default: all")
    parser.add_argument("--seconds", type=int, default=600, help="for each reader (default 600)")
    parser.add_argument("--one", metavar="FORMAT", help=argparse.SUPPRESS)
    options, rest = parser.parse_known_args()
    if options.one:
        fuzz(options.one, rest)
    from dagpart.io import FORMATS

    names = options.formats or [format.name for format in FORMATS]
    for name in names:
        with tempfile.TemporaryDirectory() as folder:
            for i, seed in enumerate(seeds(name)):
                Path(folder, f"seed{i}").write_bytes(unpack(name, seed))
            found = FOUND / name
            found.mkdir(parents=True, exist_ok=True)
            command = [sys.executable, __file__, "--one", name, f"-max_total_time={options.seconds}"]
            command += ["-timeout=20", "-rss_limit_mb=2048", "-max_len=20000", "-print_final_stats=1"]
            run = subprocess.run(
                [*command, f"-artifact_prefix={found}/", folder], capture_output=True, text=True
            )
        facts = [line for line in run.stderr.splitlines() if "exec/s" in line or "executed_units" in line]
        print(f"{name}: exit {run.returncode}; {facts[-1].strip() if facts else 'no figures'}", flush=True)
        if run.returncode:
            print(run.stderr[-3000:], flush=True)
        if not any(found.iterdir()):
            found.rmdir()
    return 0


if __name__ == "__main__":
    sys.exit(main())
