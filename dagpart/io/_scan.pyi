from typing import Any

from numpy.typing import NDArray

def scan_entries(
    text: bytes, start: int, valued: bool, row: NDArray[Any], column: NDArray[Any], value: NDArray[Any]
) -> int: ...
