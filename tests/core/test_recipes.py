"""The recipes for a phase, followed outside the package: compiled against what is installed, then named."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess
import sys
import sysconfig
import textwrap
from pathlib import Path

import pytest

import dagpart

HERE = Path(__file__).resolve().parent
SOURCES = HERE.parents[1] / "dagpart" / "_core"
INSTALLED = Path(dagpart.__file__).parent / "_core"
# Links a module of C++ as this interpreter wants it; absent where its own compiler is another family's.
LINK = shlex.split(sysconfig.get_config_var("LDCXXSHARED") or "")


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def toys(tmp_path_factory):
    """Folder of the compiled module `toy_phases`."""
    if not LINK or shutil.which(LINK[0]) is None:
        pytest.skip("there is no C++ compiler")
    folder = tmp_path_factory.mktemp("toys")
    code = folder / "toy_phases.cpp"
    # From a folder of its own, where no sources of the package are found instead of what is installed.
    site = INSTALLED.parents[1]
    cython = [sys.executable, "-P", "-m", "cython", "-3", "--cplus", "-I", str(site)]
    run(*cython, str(HERE / "toy_phases.pyx"), "-o", str(code))
    module = folder / f"toy_phases{sysconfig.get_config_var('EXT_SUFFIX')}"
    headers = f"-I{sysconfig.get_path('include')}"
    run(*LINK, "-std=c++17", "-O0", "-fPIC", headers, str(code), "-o", str(module))
    return folder


def in_a_process(toys, script):
    """What a script prints as JSON, where the toys are registered; nothing of it is left in this process."""
    environment = {**os.environ, "PYTHONPATH": str(toys)}
    command = [sys.executable, "-P", "-c", textwrap.dedent(script)]
    done = subprocess.run(command, env=environment, cwd=toys, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return json.loads(done.stdout)


def test_what_a_phase_is_compiled_against_is_installed():
    ours = {path.relative_to(SOURCES) for path in SOURCES.rglob("*.pxd")}
    assert len(ours) > 20
    assert ours == {path.relative_to(INSTALLED) for path in INSTALLED.rglob("*.pxd")}


def test_a_refiner_is_called_and_its_moves_are_in_the_labels(toys):
    # Every cut of a path costs 1: FM and flow leave the boundary where it is, the toy moves it up to the cap.
    found = in_a_process(
        toys,
        """
        import json
        import dagpart
        import toy_phases

        n = 40
        path = dagpart.Dag.from_edges([(v, v + 1) for v in range(n - 1)], n=n)
        out = {}
        for names in (("fm",), ("fm", "toy")):
            before = toy_phases.calls()["refiner"]
            result = dagpart.partition(path, 2, imbalance=0.4, preset=dagpart.Options(refiners=names))
            calls = toy_phases.calls()["refiner"] - before
            out["+".join(names)] = [result.labels.tolist(), result.cap, calls]
        print(json.dumps(out))
        """,
    )
    labels, cap, calls = found["fm"]
    assert calls == 0
    assert labels.count(0) < cap == 28
    labels, cap, calls = found["fm+toy"]
    assert calls > 0
    assert labels == [0] * cap + [1] * (40 - cap)


def test_a_clusterer_and_a_start_take_part(toys):
    found = in_a_process(
        toys,
        """
        import json
        import dagpart
        import numpy as np
        import toy_phases
        from dagpart._core import testing

        n = 400
        path = dagpart.Dag.from_edges([(v, v + 1) for v in range(n - 1)], n=n)
        options = dagpart.Options(phases=("scan", "multilevel", "toy_start"), clusterers=("toy",))
        cut = dagpart.partition(path, 4, preset=options).edge_cut
        calls = toy_phases.calls()
        alone = testing.Phases(path.indptr, path.indices, path.edge_weights, path.vertex_weights)
        names = testing.clusterer_names(), testing.start_names(), testing.refiner_names()
        clusters = alone.cluster("toy")[0].tolist()
        labels = alone.start("toy_start", [n, n]).labels.tolist()
        print(json.dumps([cut, calls, names, clusters, labels]))
        """,
    )
    cut, calls, names, clusters, labels = found
    assert cut == 3
    assert min(calls["clusterer"], calls["start"]) > 0
    assert [kind[-1] for kind in names] == ["toy", "toy_start", "toy"]
    assert clusters == [v // 2 for v in range(400)]
    assert labels == [0] * 200 + [1] * 200


def test_without_the_module_the_names_are_unknown():
    with pytest.raises(dagpart.errors.DagpartError, match="there is no refiner 'toy'"):
        dagpart.partition([(0, 1), (1, 2)], 2, preset=dagpart.Options(refiners=("fm", "toy")))
