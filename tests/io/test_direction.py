"""Tools whose arrows point from a task to what it needs are told by their names."""

from __future__ import annotations

import pytest

from dagpart.io import load
from dagpart.io._direction import tool_of


@pytest.mark.parametrize(
    ("names", "tool"),
    [
        (["[root] aws_instance.a (expand)", "[root] root"], "Terraform"),
        (["//app:main", "//lib:core", "@absl//strings"], "Bazel"),
        (["@@rules_cc//cc:find", "//x/y:z"], "Bazel"),
        (["serde v1.0.200", "mine v0.1.0 (/home/me/mine)"], "Cargo"),
        (["registry+https://github.com/rust-lang/crates.io-index#syn@2.0.1"], "Cargo"),
        (["load", "solve"], None),
        (["http://a:80", "b"], None),
        (["1.2.3", "v2"], None),
        ([], None),
        ([1, ("a", 2)], None),
        # One label among many is chance.
        (["//a:b", "x", "y", "z"], None),
    ],
)
def test_names(names, tool):
    assert tool_of(names) == tool


TERRAFORM = """digraph G {
  rankdir = "RL";
  node [shape = rect, fontname = "sans-serif"];
  "aws_instance.web[\\"a\\"]" [label="aws_instance.web"];
  "data.aws_ami.linux" [label="data.aws_ami.linux"];
  subgraph "cluster_module.net" { label = "module.net" "module.net.aws_vpc.main" [label="aws_vpc.main"]; }
  "aws_instance.web[\\"a\\"]" -> "data.aws_ami.linux";
  "aws_instance.web[\\"a\\"]" -> "module.net.aws_vpc.main";
}"""


def test_terraform_since_1_7_is_told_by_its_drawing(tmp_path):
    path = tmp_path / "graph.dot"
    path.write_text(TERRAFORM)
    assert "Terraform" in load(path).notes[0]
    assert "--reverse" in load(path).notes[0]
    assert load(path, reverse=True).notes == ()
    for other in ("LR", "TB"):
        path.write_text(TERRAFORM.replace("RL", other))
        assert load(path).notes == ()
    path.write_text('digraph { graph [rankdir=RL]; load -> solve; solve -> "v1.2" }')
    assert load(path).notes == ()


def test_labels_and_names_of_graphs_tell_too(tmp_path):
    path = tmp_path / "deps.dot"
    path.write_text('digraph { 0 [label="serde v1.0.1"]; 1 [label="app v0.1.0"]; 1 -> 0 }')
    assert load(path).notes == (
        "names as Cargo gives them, whose edges point at what is needed: --reverse turns them round",
    )
    assert load(path, reverse=True).notes == ()
    path.write_text('digraph mygraph { "//a:b" -> "x"; "x" -> y -> z }')
    assert "Bazel" in load(path).notes[0]
