"""Matrices are fetched from a server, a local one here, once; checked; and never kept by halves."""

from __future__ import annotations

import gzip
import io
import sys
import tarfile
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from dagpart import datasets
from dagpart.cli import main
from dagpart.errors import DagpartError, DownloadError, MissingDependencyError, ParseError
from dagpart.io import load, read, read_parts

pytest.importorskip("pooch")

MATRIX = (
    b"%%MatrixMarket matrix coordinate real general\n4 4 5\n1 1 2.0\n1 2 1.5\n2 3 1.0\n2 4 1.0\n3 4 1.0\n"
)
INDEX = (
    "4\n31-Oct-2023 18:12:37\n"
    "HB,west0479,479,479,1888,1,0,0,0.0,0.0,0.0,chemical process simulation problem,1910\n"
    "HB,west0497,497,497,1721,1,0,0,0.0,0.0,0.0,chemical process simulation problem,1727\n"
    "HB,ash219,219,85,438,1,1,0,0.0,0.0,0.0,least squares problem,438\n"
    "Gset,G1,800,800,38352,1,1,0,0.0,1.0,1.0,undirected random graph,38352\n"
)
ARCHIVE = "/MM/HB/west0479.tar.gz"
NAME = "suitesparse:HB/west0479"


def tarball(files, links=()):
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w:gz") as archive:
        for name, data in files:
            info = tarfile.TarInfo(name)
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
        for name, target in links:
            info = tarfile.TarInfo(name)
            info.type, info.linkname = tarfile.SYMTYPE, target
            archive.addfile(info)
    return out.getvalue()


class Server:
    """What a server has, and what it was asked for."""

    def __init__(self):
        self.files = {
            "/files/ssstats.csv": INDEX.encode(),
            ARCHIVE: tarball([("west0479/west0479_b.mtx", b"other"), ("west0479/west0479.mtx", MATRIX)]),
        }
        self.status = {}
        self.missing_bytes = 0
        self.asked = []


@pytest.fixture
def server(tmp_path, monkeypatch):
    having = Server()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            having.asked.append(self.path)
            data = having.files.get(self.path)
            self.send_response(having.status.get(self.path, 404 if data is None else 200))
            self.send_header("Content-Length", str(len(data or b"") + having.missing_bytes))
            self.end_headers()
            self.wfile.write(data or b"")

        def log_message(self, *_):
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as local:
        thread = threading.Thread(target=local.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        monkeypatch.setenv("DAGPART_SUITESPARSE", f"http://127.0.0.1:{local.server_port}/")
        monkeypatch.setenv("NO_PROXY", "127.0.0.1")
        monkeypatch.setenv("DAGPART_CACHE", str(tmp_path / "cache"))
        monkeypatch.chdir(tmp_path)
        yield having
        local.shutdown()
        thread.join()


@pytest.fixture
def kept(server, tmp_path):
    """The files of the cache, whatever they are, by their paths in it."""

    def look():
        folder = tmp_path / "cache"
        return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}

    return look


INDEX_KEPT = {"suitesparse/files/ssstats.csv", "suitesparse/files/ssstats.csv.sha256"}
MATRIX_KEPT = {f"suitesparse{ARCHIVE}", f"suitesparse{ARCHIVE}.sha256"}


def test_a_matrix_is_fetched_once(server, kept):
    for _ in range(3):
        loaded = load(NAME)
        assert (loaded.graph.n, loaded.graph.m, loaded.reading) == (4, 4, "adjacency")
    assert server.asked == ["/files/ssstats.csv", ARCHIVE]
    assert kept() == INDEX_KEPT | MATRIX_KEPT
    assert datasets.load(NAME, as_="lower", edge_weights="values").m == 0


def test_the_command_line_takes_it(server, capsys):
    assert main(["partition", NAME, "2", "-q"]) == 0
    assert len(read_parts("suitesparse_HB_west0479.part.2", n=4)) == 4
    assert main(["info", NAME, "--as", "lower"]) == 0
    assert "matrix-market" in capsys.readouterr().out
    assert main(["info", "suitesparse:HB/west0478"]) == 2
    assert "there is HB/west04" in capsys.readouterr().err
    assert len(server.asked) == 3


def test_the_list_is_that_of_the_index(server):
    for _ in range(2):
        names = datasets.list("suitesparse")
        assert names == ("suitesparse:HB/west0479", "suitesparse:HB/west0497", "suitesparse:Gset/G1")
    assert server.asked == ["/files/ssstats.csv"]


@pytest.mark.parametrize("damage", [lambda d: b"", lambda d: d[:-1], lambda d: bytes([d[0] ^ 1]) + d[1:]])
def test_a_damaged_copy_is_fetched_again(server, tmp_path, damage):
    read(NAME)
    path = tmp_path / "cache" / "suitesparse" / ARCHIVE[1:]
    whole = path.read_bytes()
    path.write_bytes(damage(whole))
    assert read(NAME).m == 4
    assert path.read_bytes() == whole
    assert server.asked.count(ARCHIVE) == 2


def test_another_file_than_the_one_fetched_first_is_refused(server, tmp_path, kept):
    read(NAME)
    path = tmp_path / "cache" / "suitesparse" / ARCHIVE[1:]
    path.unlink()
    server.files[ARCHIVE] = tarball([("west0479/west0479.mtx", MATRIX.replace(b"3 4", b"1 4"))])
    with pytest.raises(DownloadError, match="another hash than when it was fetched first") as caught:
        read(NAME)
    assert kept() == INDEX_KEPT | {f"suitesparse{ARCHIVE}.sha256"}
    # The message names the file to remove for taking the new one.
    record = path.with_name(f"{path.name}.sha256")
    assert str(record) in str(caught.value)
    record.unlink()
    assert read(NAME).indices.tolist() == [1, 3, 2, 3]


@pytest.mark.parametrize("record", [None, "", "junk", "\xff", "0" * 63])
def test_a_copy_without_its_hash_is_fetched_again(server, tmp_path, record):
    read(NAME)
    path = tmp_path / "cache" / "suitesparse" / f"{ARCHIVE[1:]}.sha256"
    whole = path.read_text()
    if record is None:
        path.unlink()
    else:
        path.write_text(record, encoding="latin-1")
    assert read(NAME).m == 4
    assert path.read_text() == whole
    assert server.asked.count(ARCHIVE) == 2


def test_a_file_that_is_not_there(server, kept):
    del server.files[ARCHIVE]
    with pytest.raises(DownloadError, match=r"west0479.tar.gz: the server has no such file"):
        read(NAME)
    assert kept() == INDEX_KEPT


def test_a_server_that_refuses(server, kept):
    server.status[ARCHIVE] = 503
    with pytest.raises(DownloadError, match=r"the server refuses \(503\)"):
        read(NAME)
    assert kept() == INDEX_KEPT


def test_a_download_that_breaks_off(server, kept):
    datasets.list("suitesparse")
    server.missing_bytes = 100
    with pytest.raises(DownloadError, match="broke off; try again"):
        read(NAME)
    assert kept() == INDEX_KEPT
    server.missing_bytes = 0
    assert read(NAME).m == 4


WHOLE = tarball([("west0479/west0479.mtx", MATRIX * 100)])


@pytest.mark.parametrize(
    ("archive", "message"),
    [
        (WHOLE[: len(WHOLE) // 2], "damaged"),
        (WHOLE[:-1], "damaged"),
        (WHOLE[:-8] + bytes([WHOLE[-8] ^ 1]) + WHOLE[-7:], "damaged"),
        (gzip.compress(b"no archive" * 100), "damaged"),
        (b"<html>please log in</html>", "damaged"),
        (b"", "damaged|no west0479"),
        (tarball([("west0479/README", MATRIX)]), "no west0479/west0479.mtx"),
        (tarball([], links=[("west0479/west0479.mtx", "/etc/passwd")]), "no file in the archive"),
    ],
    # The same in every process of a test run: archives hold the time at which they were made.
    ids=["half", "a byte less", "a wrong checksum", "no tar", "a page", "nothing", "others", "a link"],
)
def test_what_is_no_archive_of_the_matrix_is_not_kept(server, kept, archive, message):
    server.files[ARCHIVE] = archive
    with pytest.raises(DownloadError, match=f"not what was asked for: .*({message})"):
        read(NAME)
    assert kept() == INDEX_KEPT


def test_members_that_want_to_go_elsewhere_go_nowhere(server, tmp_path, kept):
    before = set(tmp_path.rglob("*"))
    outside = ["../evil", "../../../evil", str(tmp_path / "evil"), "west0479/../../evil"]
    files = [(name, b"evil") for name in outside]
    server.files[ARCHIVE] = tarball([*files, ("west0479/west0479.mtx", MATRIX)], links=[("west0479/x", "..")])
    assert read(NAME).m == 4
    assert kept() == INDEX_KEPT | MATRIX_KEPT
    after = set(tmp_path.rglob("*"))
    assert all(path == tmp_path / "cache" or tmp_path / "cache" in path.parents for path in after - before)


def test_a_damaged_matrix_in_a_sound_archive(server):
    server.files[ARCHIVE] = tarball([("west0479/west0479.mtx", MATRIX.replace(b"4 4 5", b"4 4 6"))])
    with pytest.raises(ParseError, match=r"suitesparse:HB/west0479:.*found 5 entries"):
        read(NAME)


@pytest.mark.parametrize(
    "name",
    [
        "suitesparse",
        "suitesparse:",
        "suitesparse:west0479",
        "suitesparse:HB/",
        "suitesparse:/west0479",
        "suitesparse:../HB/west0479",
        "suitesparse:HB/../west0479",
        "suitesparse:../west0479",
        "suitesparse:HB/west0479/b",
        "suitesparse:HB\\west0479",
        "suitesparse:HB/west0479?x",
        "suitesparse:HB/west0479\n",
    ],
)
def test_names_of_no_matrix_ask_nobody(server, name):
    with pytest.raises(DagpartError, match="GROUP/NAME"):
        datasets.load(name)
    assert server.asked == []


def test_a_matrix_that_the_collection_does_not_have(server):
    with pytest.raises(DagpartError, match=r"no matrix HB/west0478; there is HB/west\d+, HB/west\d+$"):
        read("suitesparse:HB/west0478")
    # The index was asked for again, as the matrix might have been new.
    assert server.asked == ["/files/ssstats.csv"] * 2
    with pytest.raises(DagpartError, match=r"no matrix Zz/zzz$"):
        read("suitesparse:Zz/zzz")


def test_a_matrix_that_is_newer_than_the_index(server):
    datasets.list("suitesparse")
    server.files["/files/ssstats.csv"] = (INDEX.replace("4\n", "5\n", 1) + "New,one,4,4,5\n").encode()
    server.files["/MM/New/one.tar.gz"] = tarball([("one/one.mtx", MATRIX)])
    assert read("suitesparse:New/one").m == 4
    assert "suitesparse:New/one" in datasets.list("suitesparse")
    assert server.asked.count("/files/ssstats.csv") == 2


def test_a_matrix_that_is_not_square_is_not_fetched(server):
    with pytest.raises(DagpartError, match="HB/ash219 is a 219 x 85 matrix; only a square one"):
        read("suitesparse:HB/ash219")
    assert server.asked == ["/files/ssstats.csv"]


@pytest.mark.parametrize(
    "index",
    [
        "",
        "<html>\n</html>\n<p>\n",
        "x\ny\n",
        INDEX.replace("4\n", "5\n", 1),
        INDEX + "HB,short\n",
        INDEX.replace("479,479", "479,x"),
    ],
)
def test_a_damaged_index_is_not_kept(server, kept, index):
    server.files["/files/ssstats.csv"] = index.encode()
    with pytest.raises(DownloadError, match=r"ssstats.csv: what came is not what was asked for"):
        datasets.list("suitesparse")
    assert kept() == set()


def test_an_index_that_is_no_text(server, kept):
    server.files["/files/ssstats.csv"] = b"\xff\xfe\x00"
    with pytest.raises(DownloadError, match="not what was asked for"):
        datasets.list("suitesparse")
    assert kept() == set()


def test_without_a_connection(server, monkeypatch, kept):
    server_url = "http://127.0.0.1:9"
    monkeypatch.setenv("DAGPART_SUITESPARSE", server_url)
    with pytest.raises(DownloadError, match=f"{server_url}/files/ssstats.csv: .*connection to the internet"):
        read(NAME)
    assert kept() == set()


def test_what_is_there_needs_no_connection_and_no_package(server, monkeypatch):
    read(NAME)
    monkeypatch.setenv("DAGPART_SUITESPARSE", "http://127.0.0.1:9")
    monkeypatch.setitem(sys.modules, "pooch", None)
    assert read(NAME).m == 4


def test_without_the_package(server, monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "pooch", None)
    with pytest.raises(MissingDependencyError, match=r'pip install "dagpart\[datasets\]"'):
        read(NAME)
    assert main(["info", NAME]) == 2
    assert "pooch" in capsys.readouterr().err
    assert server.asked == []
