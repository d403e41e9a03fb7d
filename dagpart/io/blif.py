"""Berkeley logic interchange (.blif): one flat model of gates and latches.

The format is that of "Berkeley Logic Interchange Format (BLIF)", University of California, 1992. What the
gates compute is passed over. BLIF does not say which pins of a library's cell are outputs, nor which cells
hold a value: what is taken for which is in `_outputs`. `blifparser` 2.0.1 keeps each line of a truth table as
an object, and has had no release since 2023.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from dagpart._files import Source
from dagpart._text import Text, show
from dagpart.io._netlist import Netlist, Weights
from dagpart.io.formats import Format, Loaded

_PASSED_OVER = frozenset(
    [
        "area",
        "delay",
        "wire_load_slope",
        "wire",
        "gate_delay",
        "default_input_arrival",
        "default_output_required",
        "input_arrival",
        "output_required",
        "input_drive",
        "output_load",
        "default_input_drive",
        "default_output_load",
        "max_input_load",
        "default_max_input_load",
        "latch_order",
        "code",
        "wire_load",
        "start_kiss",
        "i",
        "o",
        "p",
        "s",
        "r",
        "end_kiss",
        "attr",
        "param",
        "cname",
        "default_max_input_load",
        "search",
    ]
)
_COVER = re.compile(r"[01-]*\s*[01xX-]")
# Names of flip-flops and latches in the libraries of Yosys, ABC, NanGate, SkyWater, IHP, GlobalFoundries,
# ASAP7, AMS, TSMC, Xilinx, Lattice and Synopsys.
_STORAGE = re.compile(
    r"""dff | latch | flip.?flop | flop
    | (?<![a-z])[jkdtrs]{0,2}ff(?![a-z])
    | (?<![a-z])[se]{0,2}df[a-z]{0,5}(?=_?x?\d|_|$)
    | (?<![a-z])(?:dl(?:[hlrx][a-z]{0,3}|q)?|dhl|t?lat[a-z]{0,3})(?=_?x?\d|_|$)
    | ^f[dl]\d[ps]\d | ^[fl]d[cprse]{0,3}(?:_1)?$ | ^gtech_(?:fd|fj|ld) | ^\$_sr_""",
    re.IGNORECASE | re.VERBOSE,
)
_TRUE = re.compile(r"q\d*(?:\[\d+\])?", re.IGNORECASE)
_INVERTED = re.compile(r"(?:nq|q_?(?:n|b|bar|not|z))\d*(?:\[\d+\])?", re.IGNORECASE)
_CLOCKS = frozenset(("ck", "clk", "cp", "clock", "ckn", "clkn", "cpn"))
_BARE_REGISTERS = ({"c", "d", "q"}, {"g", "d", "q"}, {"e", "d", "q"})
_CARRIES, _SUMS = frozenset(("co", "cout", "con")), frozenset(("s", "sum", "sn"))


def load(source: Source, *, weights: Weights = "all") -> Loaded:
    """Read a BLIF model: inputs, gates and latches are the vertices, named by the nets they drive.

    A cell of a library (``.gate``) drives the net at its last pin. It is a register where its name says so,
    as ``DFF_X1`` does, or its pins do: Q beside QN, or Q beside D and a clock; then Q and QN are what it
    drives. A cell with a carry and a sum drives both. A ``.subckt`` is a cell where the file has a
    ``.blackbox`` model of it, which tells its outputs, or where it is a register.

    Parameters
    ----------
    source : Source
        The file.
    weights : {"all", "gates"}
        1 for each vertex, or 0 for inputs of the circuit.

    Raises
    ------
    ParseError
        The file is damaged, or has several models that use each other; names the line.

    Examples
    --------
    >>> text = b".model m\\n.inputs a b\\n.outputs y\\n.names a b y\\n11 1\\n.end\\n"
    >>> load(Source("and.blif", text)).graph
    Dag(n=3, m=2)
    """
    text = Text.of(source)
    text.decoded()
    statements = list(_statements(text))
    if not statements:
        raise text.error(text.last_line, "an empty file", "a model: .model, .inputs, .outputs, .names")
    own, boxes = _split_models(text, statements)
    netlist = Netlist(text)
    in_cover = False
    for line, words in own:
        word, operands = words[0], words[1:]
        if not word.startswith("."):
            if not in_cover or not _COVER.fullmatch(" ".join(words)):
                raise text.error(line, show(" ".join(words).encode()), "a statement such as .names")
            continue
        in_cover = word == ".names"
        if word == ".inputs":
            for net in operands:
                netlist.input(net, line)
        elif word == ".clock":
            for net in operands:
                netlist.clock(net)
        elif word == ".names":
            _need(text, line, words, 1)
            netlist.gate(operands[-1:], operands[:-1], line)
        elif word == ".latch":
            _need(text, line, words, 2)
            netlist.register([operands[1]], line)
        elif word in (".gate", ".mlatch", ".subckt"):
            _cell(text, line, words, netlist, boxes)
        elif word[1:] not in _PASSED_OVER:
            raise text.error(line, show(word.encode()), "a statement of BLIF, such as .names")
    return Loaded(netlist.graph(weights), FORMAT.name, notes=netlist.notes())


def _split_models(
    text: Text, statements: list[tuple[int, list[str]]]
) -> tuple[list[tuple[int, list[str]]], dict[str, set[str]]]:
    """The statements of the first model, and the outputs of the black boxes that stand behind it."""
    own = list[tuple[int, list[str]]]()
    boxes = dict[str, set[str]]()
    models = 0
    box: tuple[int, str] | None = None
    for line, words in statements:
        word = words[0]
        if word == ".exdc" and (models or own):
            # A don't-care network comes last.
            break
        if word in (".model", ".exdc"):
            _refuse_model(text, box)
            models += 1
            box = (line, words[1] if len(words) > 1 else "") if models > 1 else None
            if box is not None:
                boxes.setdefault(box[1], set())
        elif models < 2:
            own.append((line, words))
        elif box is not None and word in (".outputs", ".output"):
            boxes[box[1]].update(words[1:])
        elif word == ".blackbox":
            box = None
        elif box is not None and word not in (".inputs", ".clock", ".attr", ".param"):
            _refuse_model(text, box)
    _refuse_model(text, box)
    return [(line, words) for line, words in own if words[0] not in (".end", ".outputs", ".output")], boxes


def _refuse_model(text: Text, box: tuple[int, str] | None) -> None:
    """Refuse a further model that is no black box."""
    if box is not None:
        raise text.error(box[0], "a second model", "one flat model: flatten the hierarchy first")


def _statements(text: Text) -> Iterator[tuple[int, list[str]]]:
    """Lines with those that continue them, without comments, as words."""
    first, words, goes_on = 0, list[str](), False
    for line, _, content in text.lines():
        statement = content.decode().partition("#")[0].rstrip()
        if not goes_on:
            if words:
                yield first, words
            first, words = line, []
        goes_on = statement.endswith("\\")
        words += statement.removesuffix("\\").split()
    if words:
        yield first, words


def _need(text: Text, line: int, words: list[str], count: int) -> None:
    if len(words) <= count:
        raise text.error(line, show(" ".join(words).encode()), f"{words[0]} and at least {count} nets")


def _cell(text: Text, line: int, words: list[str], netlist: Netlist, boxes: dict[str, set[str]]) -> None:
    """A cell of a library: its pins with their nets."""
    kind, name = words[0], words[1] if len(words) > 1 else ""
    pairs = [word.partition("=") for word in words[2:] if "=" in word]
    pins = [(pin, net) for pin, _, net in pairs]
    if not pins or not all(net for _, net in pins):
        if kind == ".subckt" and pins and name in boxes:
            # Yosys writes pins that are not connected.
            pins = [(pin, net) for pin, net in pins if net]
        else:
            wanted = f"a cell and its pins, as in {kind} nand2 a=x b=y o=z"
            raise text.error(line, show(" ".join(words).encode()), wanted)
    register, driven = _outputs(name, [pin for pin, _ in pins])
    if kind == ".subckt" and name in boxes:
        driven = [i for i, (pin, _) in enumerate(pins) if pin in boxes[name]]
    elif kind == ".subckt" and not register:
        wanted = (
            "one flat model: flatten the hierarchy first, or add a .blackbox model that tells its outputs"
        )
        raise text.error(line, f"a model inside the model, {show(name.encode())}", wanted)
    outputs = [pins[i][1] for i in driven]
    if not outputs:
        netlist.idle += 1
        return
    if register or kind == ".mlatch":
        netlist.register(outputs, line)
        return
    inputs = [pin for i, pin in enumerate(pins) if i not in driven]
    places = [f"the pin {pin} of {name}" for pin, _ in inputs]
    netlist.gate(outputs, [net for _, net in inputs], line, places)


def _outputs(name: str, pins: list[str]) -> tuple[bool, list[int]]:
    """Whether a cell is a register, and the places of the pins that it drives."""
    lower = [pin.lower() for pin in pins]
    true = [i for i, pin in enumerate(pins) if _TRUE.fullmatch(pin)]
    inverted = [i for i, pin in enumerate(pins) if _INVERTED.fullmatch(pin)]
    clocked = bool(true) and "d" in lower and not _CLOCKS.isdisjoint(lower)
    named = _STORAGE.search(name) is not None
    if named or clocked or (true and inverted) or set(lower) in _BARE_REGISTERS:
        return True, true + inverted or [len(pins) - 1]
    carries = [i for i, pin in enumerate(lower) if pin in _CARRIES]
    sums = [i for i, pin in enumerate(lower) if pin in _SUMS]
    return False, carries + sums if carries and sums else [len(pins) - 1]


FORMAT = Format(
    "blif",
    (".blif",),
    load,
    signature=lambda start: re.match(rb"(#[^\n]*\n|\s)*+\.(model|inputs)\b", start) is not None,
)
