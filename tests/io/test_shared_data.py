"""Every file of the shared data, and of those that come with the tests, is read rightly, or refused for the
right reason."""

from __future__ import annotations

import csv
import gzip
import json
import math
import re
import warnings
from collections import defaultdict
from xml.etree import ElementTree

import networkx as nx
import pytest
import scipy.io
from _data import CASES, DATASETS, NOT_FOR_SCIPY, REPORTS, sample, shared
from _made import FILES

from dagpart.cli import main
from dagpart.io import read

# File, format, vertices, edges, acyclic.
READ = (
    ("bench_graphs/2mm_10_20_30_40.mtx.gz", "matrix-market", 36500, 62200, True),
    ("bench_graphs/cholesky_48.mtx.gz", "matrix-market", 19600, 55272, True),
    ("bench_graphs/delaunay16_rand.mtx.gz", "matrix-market", 65536, 196569, True),
    ("bench_graphs/delaunay16_x.mtx.gz", "matrix-market", 65536, 196569, True),
    ("bench_graphs/fft_13.mtx.gz", "matrix-market", 114688, 212992, True),
    ("bench_graphs/grid2d_500.mtx.gz", "matrix-market", 250000, 499000, True),
    ("bench_graphs/grid3d_60.mtx.gz", "matrix-market", 216000, 637200, True),
    ("bench_graphs/lap2d_400_perm.mtx.gz", "matrix-market", 160000, 319200, True),
    ("bench_graphs/layered_local_100k.mtx.gz", "matrix-market", 100000, 283636, True),
    ("bench_graphs/layered_rand_100k.mtx.gz", "matrix-market", 100000, 296817, True),
    ("bench_graphs/rgg16_rand.mtx.gz", "matrix-market", 65536, 391443, True),
    ("cases/colon.dot", "dot", 2, 1, True),
    ("cases/metis68.graph", "metis", 2, 1, True),
    ("cases/nist_free_format.mtx", "matrix-market", 5, 3, True),
    ("datasets/cholesky_17.mtx", "matrix-market", 969, 2448, True),
    ("datasets/delaunay_x_1000.mtx", "matrix-market", 1000, 2979, True),
    ("datasets/fft_7.mtx", "matrix-market", 1024, 1792, True),
    ("datasets/grid2d_random_32.mtx", "matrix-market", 1024, 1984, True),
    ("datasets/grid3d_10.mtx", "matrix-market", 1000, 2700, True),
    ("datasets/lap2d_40.mtx", "matrix-market", 1600, 3120, True),
    ("datasets/layered_local_1000.mtx", "matrix-market", 1000, 2591, True),
    ("datasets/rgg_random_1000.mtx", "matrix-market", 1000, 5614, True),
    ("dax/Montage_25.dax.xml", "dax", 25, 45, True),
    ("dot/dagp_2mm_10_20_30_40.dot.gz", "dot", 36500, 62200, True),
    ("dot/dask_cholesky8.dot", "dot", 1748, 2812, True),
    ("dot/dask_fft_rechunk.dot", "dot", 129, 142, True),
    ("dot/dask_matmul8.dot", "dot", 1429, 2388, True),
    ("dot/dask_tsqr_svd16.dot", "dot", 207, 252, True),
    ("dot/empty_graph.dot", "dot", 0, 0, True),
    ("dot/simgrid_dag.dot", "dot", 12, 11, True),
    ("dot/simgrid_dag_with_cycle.dot", "dot", 12, 12, False),
    ("dot/smpl_dot_graph_1.dot", "dot", 11, 10, True),
    ("dot/terraform.dot", "dot", 5, 5, True),
    ("hdag/hyperdagdb_k-means.txt", "hyperdag", 87, 94, True),
    ("hdag/hyperdagdb_spmv_N10_nzP0d3.txt", "hyperdag", 69, 75, True),
    ("hdag/kmeans.hdag", "hyperdag", 40, 45, True),
    ("hdag/spmv_N120.hdag", "hyperdag", 5326, 7629, True),
    ("made/cholesky8_tasks.rec", "starpu", 120, 252, True),
    ("made/clusters.dot", "dot", 30, 39, True),
    ("made/cycle.dot", "dot", 8, 8, False),
    ("made/gates.aag", "aiger", 31, 33, True),
    ("made/gates.aig", "aiger", 31, 33, True),
    ("made/gates.bench", "bench", 30, 30, True),
    ("made/gates.blif", "blif", 30, 30, True),
    ("made/random.hdag", "hyperdag", 40, 45, True),
    ("made/residual.onnx", "onnx", 48, 62, True),
    ("made/terraform.dot", "dot", 5, 5, True),
    ("made/weighted.graph", "metis", 40, 44, True),
    ("made/workflow.dax.xml", "dax", 25, 20, True),
    ("made/workflow.json", "wfformat", 25, 16, True),
    ("matrices/1138_bus.mtx", "matrix-market", 1138, 1458, True),
    ("matrices/add32.mtx.gz", "matrix-market", 4960, 7444, True),
    ("matrices/bcsstk13.mtx.gz", "matrix-market", 2003, 40940, True),
    ("matrices/blckhole.mtx", "matrix-market", 2132, 6370, True),
    ("matrices/bp_____0.mtx", "matrix-market", 822, 2482, True),
    ("matrices/ca-GrQc.mtx", "matrix-market", 5242, 14484, True),
    ("matrices/cage8.mtx", "matrix-market", 1015, 4994, True),
    ("matrices/cryg2500.mtx.gz", "matrix-market", 2500, 4950, True),
    ("matrices/dwt_419.mtx", "matrix-market", 419, 1572, True),
    ("matrices/e20r0000.mtx.gz", "matrix-market", 4241, 64185, True),
    ("matrices/gre__115.mtx", "matrix-market", 115, 204, True),
    ("matrices/luxembourg.mtx.gz", "matrix-market", 114599, 119666, True),
    ("matrices/nos7.mtx", "matrix-market", 729, 1944, True),
    ("matrices/orsreg_1.mtx.gz", "matrix-market", 2205, 5964, True),
    ("matrices/pushpull.mtx.gz", "matrix-market", 4000, 97097, True),
    ("matrices/sherman1.mtx", "matrix-market", 1000, 1375, True),
    ("matrices/west0067.mtx", "matrix-market", 67, 192, True),
    ("matrix_market_quirks/ErdosRenyi_2k_14k_A.mtx", "matrix-market", 2000, 14046, True),
    ("matrix_market_quirks/LFAT5.mtx", "matrix-market", 14, 16, True),
    ("matrix_market_quirks/LFAT5_hypersparse.mtx", "matrix-market", 2000, 16, True),
    ("matrix_market_quirks/add32_no_banner.mtx.gz", "matrix-market", 4960, 7444, True),
    ("matrix_market_quirks/bcspwr01.mtx", "matrix-market", 39, 46, True),
    ("matrix_market_quirks/bcsstk01.mtx", "matrix-market", 48, 176, True),
    ("matrix_market_quirks/btree9.mtx", "matrix-market", 1023, 1022, True),
    ("matrix_market_quirks/cage4.mtx", "matrix-market", 9, 20, True),
    ("matrix_market_quirks/comments_full.mtx", "matrix-market", 3, 3, True),
    ("matrix_market_quirks/comments_west0067.mtx", "matrix-market", 67, 192, True),
    ("matrix_market_quirks/complex.mtx", "matrix-market", 3, 3, True),
    ("matrix_market_quirks/cover_structure.mtx", "matrix-market", 7, 6, True),
    ("matrix_market_quirks/full.mtx", "matrix-market", 3, 3, True),
    ("matrix_market_quirks/full_noheader.mtx", "matrix-market", 3, 3, True),
    ("matrix_market_quirks/karate.mtx", "matrix-market", 34, 78, True),
    ("matrix_market_quirks/ldbc-directed-example.mtx", "matrix-market", 10, 9, True),
    ("matrix_market_quirks/lns__131.mtx", "matrix-market", 131, 254, True),
    ("matrix_market_quirks/matrix_bool.mtx", "matrix-market", 7, 7, True),
    ("matrix_market_quirks/msf3.mtx", "matrix-market", 5, 7, True),
    ("matrix_market_quirks/skew_fp64.mtx", "matrix-market", 6, 10, True),
    ("matrix_market_quirks/tree-example.mtx", "matrix-market", 6, 5, True),
    ("matrix_market_quirks/west0067_jumbled.mtx", "matrix-market", 67, 192, True),
    ("metis/kahip_delaunay_n15.graph.gz", "metis", 32768, 98274, True),
    ("metis/kahip_example_weighted.graph", "metis", 132, 328, True),
    ("metis/metis_4elt.graph.gz", "metis", 15606, 45878, True),
    ("netlists/aiger_cnt1e.aag", "aiger", 5, 6, True),
    ("netlists/aiger_empty.aag", "aiger", 0, 0, True),
    ("netlists/aiger_halfadder.aag", "aiger", 5, 6, True),
    ("netlists/aiger_toggle-re.aag", "aiger", 7, 8, True),
    ("netlists/epfl_adder.blif", "blif", 1276, 2040, True),
    ("netlists/epfl_ctrl.aig", "aiger", 181, 348, True),
    ("netlists/epfl_ctrl.blif", "blif", 182, 348, True),
    ("netlists/epfl_div.blif.gz", "blif", 57375, 114494, True),
    ("netlists/iscas85_c17.bench", "bench", 11, 12, True),
    ("netlists/iscas85_c432.bench", "bench", 196, 336, True),
    ("netlists/iscas85_c6288.bench", "bench", 2448, 4800, True),
    ("onnx/onnx_light_densenet121.onnx", "onnx", 1746, 1803, True),
    ("onnx/onnx_light_inception_v1.onnx", "onnx", 237, 263, True),
    ("onnx/onnx_light_resnet50.onnx", "onnx", 415, 430, True),
    ("starpu/cg_dag.dot.gz", "dot", 1161, 2932, True),
    ("starpu/cg_tasks.rec.gz", "starpu", 961, 5736, True),
    ("starpu/cholesky12_dag.dot", "dot", 364, 858, True),
    ("starpu/cholesky12_tasks.rec", "starpu", 364, 858, True),
    ("starpu/cholesky16_dag.dot.gz", "dot", 816, 2040, True),
    ("starpu/cholesky16_tasks.rec.gz", "starpu", 816, 2040, True),
    ("starpu/cholesky6_nb960_dag.dot", "dot", 56, 105, True),
    ("starpu/cholesky6_nb960_tasks.rec", "starpu", 56, 105, True),
    ("starpu/cholesky6_nb960_tasks_mirage.rec", "starpu", 56, 105, True),
    ("starpu/cholesky8_dag.dot", "dot", 210, 333, True),
    ("starpu/cholesky8_tasks.rec", "starpu", 120, 252, True),
    ("wfcommons/1000genome-chameleon-2ch-100k-001.json", "wfformat", 52, 76, True),
    ("wfcommons/bacass-dirt02-001.json", "wfformat", 11, 14, True),
    ("wfcommons/blast-small-005.json", "wfformat", 43, 120, True),
    ("wfcommons/bwa-chameleon-small-001.json", "wfformat", 104, 400, True),
    ("wfcommons/forkjoin10.json", "wfformat", 10, 16, True),
    ("wfcommons/helloworld-chain-5-chameleon.json", "wfformat", 5, 4, True),
    ("wfcommons/montage-2mass-005d.json", "wfformat", 58, 114, True),
    ("wfcommons/montage-chameleon-dss-05d-001.json", "wfformat", 58, 114, True),
    ("wfcommons/rnaseq-dirt02-001.json.gz", "wfformat", 197, 451, True),
    ("wfcommons/seismology-chameleon-100p-001.json", "wfformat", 101, 100, True),
)

# File, and what the message says.
REFUSED = (
    ("MANIFEST.csv", "columns called source and target"),
    ("cases/cases.json", "expected a JSON object"),
    ("matrix_market_quirks/empty.mtx", ":4: found a 3 x 4 matrix"),
    ("matrix_market_quirks/lp_afiro.mtx", ":65: found a 27 x 51 matrix"),
    ("matrix_market_quirks/mangled1.mtx", ":1: found 'mangled' in the banner"),
    ("matrix_market_quirks/mangled11.mtx", ":4: found a 3 x 4 matrix"),
    ("matrix_market_quirks/mangled13.mtx", ":4: found a 3 x 4 matrix"),
    ("matrix_market_quirks/mangled14.mtx", ":5: found a 3 x 4 matrix"),
    ("matrix_market_quirks/mangled3.mtx", ":1: found 'mangled' in the banner"),
    ("matrix_market_quirks/mangled5.mtx", ":1: found a banner with both pattern and hermitian"),
    ("matrix_market_quirks/mangled7.mtx", ":5: found 2 fields"),
    ("matrix_market_quirks/mangled9.mtx", ":4: found a 3 x 4 matrix"),
    ("matrix_market_quirks/mangled_format.mtx", ":1: found a banner with both pattern and array"),
    ("matrix_market_quirks/price_1000.mtx", ":3: found row 1, column 0"),
    ("matrix_market_quirks/suitesparse_mangle1.mtx", ":1: found 'junk' in the banner"),
    ("paje/minimal.trace", "neither the suffix nor the first line tells the format"),
    ("polybench_sizes.csv", "columns called source and target"),
    ("starpu/cholesky8_sched_round_robin.rec", ":1: found a record without JobId"),
)

SEEN = {name for name, *_ in READ + REFUSED}


def files(format):
    """Names of the files of one format."""
    return [name for name, found, *_ in READ if found == format]


def info(name, capsys):
    """Exit code, standard output and error of dagpart info."""
    if name.endswith(".onnx"):
        pytest.importorskip("onnx")
    path = sample(name)
    code = main(["info", str(path), "--json"])
    return code, *capsys.readouterr()


def contents(name):
    data = sample(name).read_bytes()
    return gzip.decompress(data) if name.endswith(".gz") else data


def edges(graph):
    """The edges by name."""
    tail = [u for u in range(graph.n) for _ in range(graph.indptr[u], graph.indptr[u + 1])]
    return {(graph.name(u), graph.name(int(v))) for u, v in zip(tail, graph.indices, strict=True)}


OWN = (CASES.name, DATASETS.name, "made")


def test_no_file_of_the_tests_is_forgotten():
    found = {f"{CASES.name}/{path.name}" for path in CASES.iterdir()}
    found |= {f"{DATASETS.name}/{path.name}" for path in DATASETS.glob("*.mtx")}
    assert found | {f"made/{name}" for name in FILES} == {name for name in SEEN if name.startswith(OWN)}


def test_no_file_is_forgotten():
    root = shared("data")
    found = {path.relative_to(root) for path in root.rglob("*") if path.is_file()}
    # The tests have those of some folders themselves.
    found = {str(name) for name in found if name.parts[0] not in (CASES.name, REPORTS.name)}
    assert found == {name for name in SEEN if not name.startswith(OWN)}


@pytest.mark.parametrize(("name", "format", "n", "m", "acyclic"), READ)
def test_read(name, format, n, m, acyclic, capsys):
    code, out, err = info(name, capsys)
    said = json.loads(out)
    found = said["format"], said["vertices"], said["edges"], said["acyclic"]
    assert (code, err, found) == (0, "", (format, n, m, acyclic))


@pytest.mark.parametrize(("name", "message"), REFUSED)
def test_refused(name, message, capsys):
    code, out, err = info(name, capsys)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert name in err
    assert message in err


@pytest.mark.parametrize("name", ["made/cycle.dot", "dot/simgrid_dag_with_cycle.dot"])
def test_a_cycle_is_shown_and_never_partitioned(name, capsys):
    path = str(sample(name))
    assert main(["info", path]) == 0
    assert "1 -> 2 -> 3 -> 4 -> 5 -> 6 -> 1" in capsys.readouterr().out
    assert main(["partition", path, "2", "-o", "-"]) == 1
    assert "1 -> 2 -> 3 -> 4 -> 5 -> 6 -> 1" in capsys.readouterr().err


# ---------------------------------------------------------------------- what the manifest says


def manifest():
    with shared("data/MANIFEST.csv").open(newline="") as file:
        return {row["file"]: row["note"] for row in csv.DictReader(file)}


def test_numbers_of_the_manifest():
    notes, counted = manifest(), 0
    for name, _, n, m, acyclic in READ:
        note = notes.get(name, "")
        if found := re.search(r"simple edges=(\d+) self=0 comps=\d+ (DAG|CYCLIC)", note):
            assert (m, acyclic) == (int(found[1]), found[2] == "DAG"), name
        elif found := re.search(r"METIS header (\d+) (\d+)", note):
            assert (n, m) == (int(found[1]), int(found[2])), name
        elif found := re.search(r"(\d+) hyperedges (\d+) nodes (\d+) pins", note):
            assert (n, m) == (int(found[2]), int(found[3]) - int(found[1])), name
        elif found := re.search(r"tasks listed=(\d+)", note):
            assert n == int(found[1]), name
        elif found := re.search(r"header aag (\d+) (\d+) (\d+) \d+ (\d+)", note):
            assert n == sum(map(int, found.groups()[1:])), name
        elif found := re.search(r"(\d[\d,]*)-node CNN", note):
            assert n == int(found[1].replace(",", "")), name
        elif found := re.search(r"(\d[\d,]*)-gate DAG, longest path (\d[\d,]*)", note):
            gates, depth = (int(number.replace(",", "")) for number in found.groups())
            graph = read(sample(name))
            assert gates == contents(name).count(b".names"), name
            assert depth == int(graph.levels.max()), name
        elif found := re.search(r"offdiag=(\d+) upper=(\d+) lower=(\d+)( dup=0 zeros=0;)?", note):
            offdiag, upper, lower = (int(number) for number in found.groups()[:3])
            if "zeros=" not in note or found[4]:
                assert m in (offdiag, max(upper, lower)) or name.endswith("matrix_bool.mtx"), name
        else:
            continue
        counted += 1
    assert counted == 50


# ---------------------------------------------------------------------- independent readers


@pytest.mark.parametrize("name", files("dot"))
def test_dot_as_graphviz_reads_it(name):
    pygraphviz = pytest.importorskip("pygraphviz")
    expected = pygraphviz.AGraph(string=contents(name).decode())
    graph = read(sample(name))
    assert {str(graph.name(v)) for v in range(graph.n)} == set(expected.nodes())
    assert {(str(u), str(v)) for u, v in edges(graph)} == set(expected.edges())


@pytest.mark.parametrize("name", files("metis"))
def test_metis_line_by_line(name):
    header, *lines = contents(name).decode().splitlines()
    code = ([*header.split(), "0"])[2].zfill(3)
    graph = read(sample(name))
    weights, found = [], {}
    for v, line in enumerate(lines[: graph.n]):
        numbers = [int(field) for field in line.split()]
        weights.append(numbers.pop(0) if code[1] == "1" else 1)
        pairs = zip(numbers[::2], numbers[1::2], strict=True) if code[2] == "1" else ((u, 1) for u in numbers)
        found |= {(v, u - 1): weight for u, weight in pairs if u - 1 > v}
    assert graph.vertex_weights.tolist() == weights
    assert edges(graph) == set(found)
    assert graph.edge_weights.tolist() == [found[edge] for edge in sorted(found)]


@pytest.mark.parametrize("name", files("hyperdag"))
def test_hyperdag_pin_by_pin(name):
    lines = [line.partition("%")[0].split() for line in contents(name).decode().splitlines()]
    rows = [[int(field) for field in line] for line in lines if line]
    (hyperedges, n, pins), body = rows[0], rows[1:]
    first, found = {}, set()
    for edge, node in body[hyperedges + n :]:
        if first.setdefault(edge, node) != node:
            found.add((first[edge], node))
    graph = read(sample(name))
    assert len(body) == hyperedges + n + pins
    assert edges(graph) == found
    if name.endswith("hdag"):
        assert graph.vertex_weights.tolist() == [weight for _, weight, _ in body[hyperedges : hyperedges + n]]


@pytest.mark.parametrize("name", files("dax"))
def test_dax_as_elementtree_reads_it(name):
    root = ElementTree.fromstring(contents(name))
    space = "{http://pegasus.isi.edu/schema/DAX}"
    jobs = {job.get("id"): job for job in root.iter(f"{space}job")}
    pairs = {(p.get("ref"), c.get("ref")) for c in root.iter(f"{space}child") for p in c}
    graph = read(sample(name))
    assert graph.names == tuple(jobs)
    assert edges(graph) == pairs
    runtimes = [float(job.get("runtime")) for job in jobs.values()]
    assert (graph.vertex_weights / graph.vertex_weight_scale).tolist() == runtimes

    def files(job, link):
        return {uses.get("file"): int(uses.get("size")) for uses in jobs[job] if uses.get("link") == link}

    carried = {
        (u, v): sum(size for file, size in files(u, "output").items() if file in files(v, "input"))
        for u, v in pairs
    }
    assert graph.total_edge_weight == sum(carried.values()) * graph.weight_scale


@pytest.mark.parametrize("name", files("wfformat"))
def test_workflows_as_json_has_them(name):
    workflow = json.loads(contents(name))["workflow"]
    tasks = {task["id"]: task for task in workflow["specification"]["tasks"]}
    sizes = {file["id"]: file["sizeInBytes"] for file in workflow["specification"]["files"]}
    runtimes = {run["id"]: run["runtimeInSeconds"] for run in workflow["execution"]["tasks"]}
    pairs = {(task, child) for task in tasks for child in tasks[task]["children"]}
    carried = [
        sum(sizes[file] for file in set(tasks[u]["outputFiles"]) & set(tasks[v]["inputFiles"]))
        for u, v in pairs
    ]
    graph = read(sample(name))
    assert graph.names == tuple(tasks)
    assert edges(graph) == pairs
    assert math.isclose(graph.total_edge_weight / graph.weight_scale, sum(carried), rel_tol=1e-9)
    assert math.isclose(graph.total_weight / graph.vertex_weight_scale, sum(runtimes[task] for task in tasks))


@pytest.mark.parametrize("name", files("starpu"))
def test_starpu_records_contracted_by_networkx(name):
    whole, real, access = nx.DiGraph(), [], {}
    for paragraph in contents(name).decode().split("\n\n"):
        record = dict(line.split(": ", 1) for line in paragraph.splitlines() if ": " in line)
        if "JobId" not in record or "Control" in record:
            continue
        job = record["JobId"]
        whole.add_node(job)
        whole.add_edges_from((other, job) for other in record.get("DependsOn", "").split())
        if "Model" in record:
            real.append(job)
            fields = (record[key].split() for key in ("Handles", "Modes", "Sizes"))
            access[job] = list(zip(*fields, strict=True))
    expected = set()
    for job in real:
        hidden = nx.subgraph_view(whole, filter_node=lambda v, job=job: v == job or v not in access)
        inner = nx.descendants(hidden, job) | {job}
        expected |= {(job, head) for v in inner for head in whole.successors(v) if head in access}
    graph = read(sample(name))
    assert graph.names == tuple(real)
    assert edges(graph) == expected
    total = 0
    for u, v in expected:
        read_here = {handle for handle, mode, _ in access[v] if mode.split("-")[0] in ("R", "RW")}
        total += sum(
            int(size)
            for handle, mode, size in access[u]
            if mode.split("-")[0] in ("W", "RW") and handle in read_here
        )
    assert graph.total_edge_weight == total


def test_starpu_traces_and_drawings_of_one_run_agree():
    for size in ("cholesky12", "cholesky6_nb960"):
        trace = read(shared(f"data/starpu/{size}_tasks.rec"))
        drawn = read(shared(f"data/starpu/{size}_dag.dot"))
        assert edges(drawn) == {(f"task_{u}", f"task_{v}") for u, v in edges(trace)}


@pytest.mark.parametrize("name", files("onnx"))
def test_onnx_node_by_node(name):
    onnx = pytest.importorskip("onnx")
    nodes = onnx.load_model_from_string(contents(name)).graph.node
    maker = {output: i for i, node in enumerate(nodes) for output in node.output}
    expected = {(maker[name], i) for i, node in enumerate(nodes) for name in node.input if name in maker}
    graph = read(sample(name))
    assert {(graph.index(u), graph.index(v)) for u, v in edges(graph)} == expected


@pytest.mark.parametrize("name", files("bench"))
def test_bench_gate_by_gate(name):
    found = defaultdict(set)
    for net, reads in re.findall(r"(\w+) *= *\w+\(([^)]*)\)", contents(name).decode()):
        found[net] = {other.strip() for other in reads.split(",")}
    assert edges(read(sample(name))) == {(u, v) for v, reads in found.items() for u in reads}


@pytest.mark.parametrize("name", files("blif"))
def test_blif_gate_by_gate(name):
    joined = contents(name).decode().replace("\\\n", " ")
    gates = [line.split()[1:] for line in joined.splitlines() if line.startswith(".names")]
    assert edges(read(sample(name))) == {(u, gate[-1]) for gate in gates for u in gate[:-1]}


def test_aiger_in_text_and_in_binary_of_one_circuit():
    text, binary = (read(sample(f"made/gates.{suffix}")) for suffix in ("aag", "aig"))
    assert text == binary
    lines = [line.split() for line in contents("made/gates.aag").decode().splitlines()]
    gates = [[int(literal) // 2 * 2 for literal in line] for line in lines if len(line) == 3]
    assert edges(text) == {(str(other), str(gate[0])) for gate in gates for other in gate[1:]}


def test_aiger_and_blif_of_one_circuit():
    """The BLIF was made from the same circuit: gates with the same numbers of readers, but for a constant."""
    binary, blif = (read(shared(f"data/netlists/epfl_ctrl.{suffix}")) for suffix in ("aig", "blif"))
    assert (binary.n, binary.m) == (blif.n - 1, blif.m)
    assert binary.levels.max() == blif.levels.max()


FOR_SCIPY = [
    name
    for name in files("matrix-market")
    if not name.startswith("bench_graphs") and name.rpartition("/")[2] not in NOT_FOR_SCIPY
]


@pytest.mark.filterwarnings("ignore::dagpart.errors.DirectionWarning")
@pytest.mark.parametrize("name", FOR_SCIPY)
def test_matrices_as_scipy_reads_them(name):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        matrix = scipy.sparse.coo_array(scipy.io.mmread(sample(name)))
    entries = {
        (int(i), int(j))
        for i, j, value in zip(matrix.row, matrix.col, matrix.data, strict=True)
        if value and i != j
    }
    above = {(i, j) for i, j in entries if i < j}
    below = {(j, i) for i, j in entries if i > j}
    digraph = nx.DiGraph(list(entries))
    expected = (
        entries if nx.is_directed_acyclic_graph(digraph) else above if len(above) >= len(below) else below
    )
    assert edges(read(sample(name))) == expected
