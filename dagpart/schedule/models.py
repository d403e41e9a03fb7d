"""Models of communication: what a message between two processors costs, and what it has to wait for.

- ``"none"``: data are everywhere at once.
- ``"delay"``: an edge between two processors costs latency and size times gap; any number at a time.
- ``"duplex"``: duplex single-port [1]_. A processor sends at most one message at a time and receives at most
  one, both while it computes. A message starts when its producer has ended, or later, and holds the sender's
  send port and the receiver's receive port for its whole time.
- ``"bsp"``: supersteps of computation, then communication, then synchronisation [2]_. Which supersteps cost
  the time of a synchronisation is a matter of the platform, `Platform.barriers`.

References
----------
.. [1] M. Y. Ozkaya, A. Benoit, B. Ucar, J. Herrmann and U. V. Catalyurek, "A scalable clustering-based task
   scheduler for homogeneous processors using DAG partitioning", IPDPS 2019, section III.
.. [2] L. G. Valiant, "A bridging model for parallel computation", Communications of the ACM 33(8), 1990.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

from dagpart._core.scheduling.in_order import in_order
from dagpart._core.scheduling.supersteps import in_supersteps

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from dagpart._core.scheduling.machine import Machine, Outcome

__all__ = ["COMMUNICATION", "DEFAULT_MODEL", "MODELS", "Model", "ModelName", "Timing", "names_of", "words"]

ModelName = Literal["none", "delay", "duplex", "bsp"]

Timing: TypeAlias = "Callable[[Machine, NDArray[np.int32], NDArray[np.int32]], Outcome]"
"""From a machine, the processors of the tasks and a topological order to the times of tasks and messages."""


@dataclass(frozen=True)
class Model:
    """A model of communication: an entry of `COMMUNICATION`.

    What else there is to a model: `dagpart._core.scheduling` times its messages, and
    `dagpart.schedule.validation` checks them.

    Attributes
    ----------
    name : str
    summary : str
        What it counts, in a few words.
    links : str
        How messages share the links while tasks are placed: a key of ``machine.LINKS``.
    timing : callable
        Gives tasks on given processors in a given order their times.
    has_ports : bool
        Whether messages queue at ports, so that plans may say in which order these serve them.
    has_supersteps : bool
        Whether tasks run in supersteps, each of which ends with a synchronisation. List schedulers then
        decide as if a message were a delay of its own, before the plan becomes supersteps.

    Examples
    --------
    >>> COMMUNICATION["duplex"].has_ports, COMMUNICATION["none"].is_free
    (True, True)
    """

    name: ModelName
    summary: str
    links: Literal["free", "unlimited", "ports"]
    timing: Timing
    has_ports: bool = False
    has_supersteps: bool = False

    @property
    def is_free(self) -> bool:
        """Whether messages take no time, so that there are none."""
        return self.links == "free"

    @property
    def adds_up(self) -> bool:
        """Whether several messages between two processors take as long as all of them one after the other."""
        return self.has_ports or self.has_supersteps


COMMUNICATION: dict[str, Model] = {
    model.name: model
    for model in (
        Model("none", "free", "free", in_order),
        Model("delay", "any number of messages at a time", "unlimited", in_order),
        Model(
            "duplex",
            "a processor sends and receives one message at a time",
            "ports",
            in_order,
            has_ports=True,
        ),
        Model("bsp", "supersteps", "unlimited", in_supersteps, has_supersteps=True),
    )
}
"""Models of communication by name."""

MODELS: tuple[ModelName, ...] = tuple(model.name for model in COMMUNICATION.values())
"""Their names."""

DEFAULT_MODEL: ModelName = "duplex"


def words() -> str:
    """What each model counts, and its name.

    Examples
    --------
    >>> words().startswith("free (none), any number of messages at a time (delay)")
    True
    """
    default = {DEFAULT_MODEL: ", the default"}
    return ", ".join(f"{m.summary} ({m.name}{default.get(m.name, '')})" for m in COMMUNICATION.values())


def names_of(which: Callable[[Model], bool]) -> str:
    """The names of some models for a message, in quotes.

    Examples
    --------
    >>> names_of(lambda model: model.is_free or model.has_supersteps)
    '"none" or "bsp"'
    """
    return " or ".join(f'"{model.name}"' for model in COMMUNICATION.values() if which(model))
