"""The names of the formats: all that has to be known of them before there is a file."""

from __future__ import annotations

from collections.abc import Mapping

MODULES: Mapping[str, str] = {
    "matrix-market": "matrix_market",
    "metis": "metis",
    "dagp": "dagp",
    "dot": "dot",
    "hyperdag": "hyperdag",
    "lhdag": "lhdag",
    "dax": "dax",
    "wfformat": "wfformat",
    "stg": "stg",
    "starpu": "starpu",
    "onnx": "onnx_model",
    "bench": "bench",
    "aiger": "aiger",
    "blif": "blif",
    "edge-list": "edge_list",
    "npz": "npz",
    "node-link": "node_link",
}
"""The module of this package that has each format, in the order of the registry."""
