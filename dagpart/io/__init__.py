"""Graphs in files: one module a format, one registry."""

from typing import TYPE_CHECKING

from dagpart._lazy import on_demand

if TYPE_CHECKING:
    from dagpart.io.formats import Format, Labelled, Loaded
    from dagpart.io.parts import (
        read_named_weights,
        read_parts,
        read_weights,
        write_parts,
        write_weights,
    )
    from dagpart.io.registry import (
        FORMATS,
        Source,
        format_of,
        load,
        quotient_writer,
        read,
        write,
        write_quotient,
        writer,
    )
    from dagpart.io.results import partition_writer, read_partition, write_partition
else:
    __getattr__, __dir__ = on_demand(
        __name__,
        {
            "formats": ("Format", "Labelled", "Loaded"),
            "parts": (
                "read_named_weights",
                "read_parts",
                "read_weights",
                "write_parts",
                "write_weights",
            ),
            "registry": (
                "FORMATS",
                "Source",
                "format_of",
                "load",
                "quotient_writer",
                "read",
                "write",
                "write_quotient",
                "writer",
            ),
            "results": ("partition_writer", "read_partition", "write_partition"),
        },
    )

__all__ = [
    "FORMATS",
    "Format",
    "Labelled",
    "Loaded",
    "Source",
    "format_of",
    "load",
    "partition_writer",
    "quotient_writer",
    "read",
    "read_named_weights",
    "read_partition",
    "read_parts",
    "read_weights",
    "write",
    "write_partition",
    "write_parts",
    "write_quotient",
    "write_weights",
    "writer",
]
