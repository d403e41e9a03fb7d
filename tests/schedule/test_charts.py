"""Pictures of schedules: what is drawn where."""

from __future__ import annotations

import builtins

import numpy as np
import pytest
from _reference import planned, random_schedule

from dagpart import Dag, DagpartError, MissingDependencyError, generate
from dagpart.schedule import Messages, Platform, Problem, Schedule, gantt


def fork(model="duplex", platform=2):
    graph = Dag.from_edges([("a", "b", 2), ("a", "c", 2)])
    return planned(Problem.of(graph, platform, model=model), [0, 1, 1], [0, 1, 2])


@pytest.fixture(autouse=True)
def _matplotlib():
    pytest.importorskip("matplotlib")


def rectangles(axes):
    """Left, right and middle of each bar, collection by collection."""
    return [
        [
            (
                path.vertices[:, 0].min(),
                path.vertices[:, 0].max(),
                round(float(path.vertices[:4, 1].mean()), 6),
            )
            for path in collection.get_paths()
        ]
        for collection in axes.collections
    ]


def test_bars_are_where_tasks_run():
    (axes,) = gantt(fork()).axes
    assert rectangles(axes) == [[(0, 1, 0), (3, 4, 1), (5, 6, 1)]]
    assert [text.get_text() for text in axes.texts] == ["a", "b", "c"]
    assert [label.get_text() for label in axes.get_yticklabels()] == ["0", "1"]
    assert axes.get_title() == "reference, duplex: makespan 6"


def test_ports_are_lanes():
    (axes,) = gantt(fork(), ports=True).axes
    tasks, sends, receives = rectangles(axes)
    assert tasks == [(0, 1, 0), (3, 4, 3), (5, 6, 3)]
    assert sends == [(1, 3, 1), (3, 5, 1)]
    assert receives == [(1, 3, 5), (3, 5, 5)]
    labels = [label.get_text() for label in axes.get_yticklabels()]
    assert labels == ["0", "send 0", "receive 0", "1", "send 1", "receive 1"]


def test_supersteps_are_marked():
    (axes,) = gantt(fork("bsp", Platform.bsp(2, L=5))).axes
    at = [line.get_xdata()[0] for line in axes.lines]
    # The makespan, and where the second superstep starts: after 1, 4 of messages and 5.
    assert at == [17.0, 10.0]


def test_parts_have_colours():
    (axes,) = gantt(fork(), labels=[0, 0, 1]).axes
    first, second, third = axes.collections[0].get_facecolor().tolist()
    assert first == second != third


@pytest.mark.parametrize("suffix", ["png", "svg", "pdf"])
def test_files(tmp_path, suffix):
    path = tmp_path / f"run.{suffix}"
    gantt(fork(), path)
    assert path.read_bytes()[:4] in (b"\x89PNG", b"<?xm", b"%PDF")


def test_a_name_that_looks_like_a_formula(tmp_path):
    graph = Dag.from_edges([("$x^{", "b_$")])
    gantt(planned(Problem.of(graph, 1), [0, 0], [0, 1]), tmp_path / "odd.png")
    assert (tmp_path / "odd.png").stat().st_size > 1000


def test_wrong_arguments(tmp_path):
    with pytest.raises(DagpartError, match="one whole number for each of 3 tasks"):
        gantt(fork(), labels=[0, 1])
    with pytest.raises(DagpartError, match=r"run\.txt: pictures end with"):
        gantt(fork(), tmp_path / "run.txt")
    with pytest.raises(OSError, match="No such file"):
        gantt(fork(), tmp_path / "no" / "run.png")
    assert not list(tmp_path.iterdir())


def test_nothing_to_draw(tmp_path):
    empty = np.zeros(0)
    made = Schedule(
        Problem.of(Dag.from_edges([], n=0), 2), np.zeros(0, np.int32), empty, empty, Messages.none()
    )
    gantt(made, tmp_path / "empty.png", ports=True)
    assert (tmp_path / "empty.png").exists()


def test_many_processors_and_tasks(tmp_path):
    made = random_schedule(Problem.of(generate.random_dag(3000, seed=1), 200), seed=1)
    figure = gantt(made, ports=True)
    assert len(figure.axes[0].texts) == 0
    assert len(figure.axes[0].get_yticklabels()) <= 64
    assert figure.get_size_inches()[1] <= 40


def test_without_matplotlib(monkeypatch):
    original = builtins.__import__

    def hidden(name, *rest, **options):
        if name.partition(".")[0] == "matplotlib":
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
        return original(name, *rest, **options)

    monkeypatch.setattr("importlib.import_module", lambda name: hidden(name))
    with pytest.raises(MissingDependencyError, match=r"dagpart\[plot\]"):
        gantt(fork())
