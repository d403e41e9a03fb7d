#!/usr/bin/env python3
"""Parse a DOT file of 30,000 nodes and 100,000 edges with attributes: dagpart, and other parsers.

Parsers that are not installed are left out; pydot gets a tenth of the edges, since it takes so long.
"""

from __future__ import annotations

import argparse
import importlib
import random
import sys
import time
from collections.abc import Callable

from _table import head, line

from dagpart.io import Source, dot


def make(edges: int) -> str:
    """A random DAG with three nodes for ten edges."""
    draw = random.Random(0)
    n = max(2, 3 * edges // 10)
    lines = [f'  "n{v}" [weight={v % 7 + 1}, label="task {v}"];' for v in range(n)]
    for i in range(edges):
        u = draw.randrange(n - 1)
        lines.append(f'  "n{u}" -> "n{draw.randrange(u + 1, n)}" [weight={i % 5 + 1}, color="red"];')
    return "\n".join(["digraph G {", *lines, "}"])


def with_pygraphviz(library: object, text: str) -> object:
    """Names and weights, as a reader needs them."""
    graph = library.AGraph(string=text)  # type: ignore[attr-defined]
    nodes = [(node, node.attr["weight"]) for node in graph.nodes_iter()]
    return nodes, [(edge[0], edge[1], edge.attr["weight"]) for edge in graph.edges_iter()]


PARSERS: dict[str, tuple[int, Callable[..., object]]] = {
    "pydot": (10, lambda library, text: library.graph_from_dot_data(text)),
    "rustworkx": (1, lambda library, text: library.from_dot(text)),
    "pygraphviz": (1, with_pygraphviz),
}
"""What each parser gets a fraction of, one in so many edges, and how it is called."""


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--edges", type=int, default=100_000, metavar="M", help="default 100000")
    options = parser.parse_args(argv)
    print(head(("parser", "edges", "CPU s")))
    text = make(options.edges).encode()
    started = time.process_time()
    dot.load(Source("made.dot", text))
    print(line(("dagpart", options.edges, f"{time.process_time() - started:.2f}")), flush=True)
    for name, (fraction, parse) in PARSERS.items():
        try:
            library = importlib.import_module(name)
        except ModuleNotFoundError:
            continue
        text = make(options.edges // fraction)
        started = time.process_time()
        parse(library, text)
        print(line((name, options.edges // fraction, f"{time.process_time() - started:.2f}")), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
