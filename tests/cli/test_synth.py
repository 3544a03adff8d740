"""`cda synth`: tables of the size asked for, the same for the same seed."""
import json

import pytest

KINDS = ["linear", "mixed", "nonlinear", "sources", "buildings"]


def shape(path):
    lines = path.read_text().splitlines()
    return len(lines) - 1, len(lines[0].split(","))


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_writes_two_tables_and_the_truth(cda, tmp_path, kind):
    run = cda("synth", kind, "-o", "new/place")
    assert run.code == 0, run.err
    assert sorted(path.name for path in (tmp_path / "new/place").iterdir()) == ["X.csv", "Y.csv", "truth.json"]
    truth = json.loads((tmp_path / "new/place/truth.json").read_text())
    assert {"x_directions", "y_directions", "sources", "pairs", "seed"} <= set(truth)
    assert truth["seed"] == 0


@pytest.mark.parametrize("kind", KINDS)
def test_the_seed_decides_the_bytes(cda, tmp_path, kind):
    for seed, place in ((3, "a"), (3, "b"), (4, "c")):
        assert cda("synth", kind, "--seed", seed, "-o", place).code == 0
    files = {place: (tmp_path / place / "X.csv").read_bytes() for place in "abc"}
    assert files["a"] == files["b"] != files["c"]


def test_sizes_are_those_asked_for(cda, tmp_path):
    run = cda("synth", "nonlinear", "--n", 120, "--k", 90, "--m", 7, "--l", 5, "-o", "d", "--json")
    assert run.code == 0, run.err
    assert shape(tmp_path / "d/X.csv") == (120, 7)
    assert shape(tmp_path / "d/Y.csv") == (90, 5)
    result = run.json()
    assert result["x"]["rows"] == 120 and len(result["y"]["columns"]) == 5


def test_noise_columns_are_added_to_both_sides(cda, tmp_path):
    assert cda("synth", "linear", "--n", 50, "--k", 50, "--noise-columns", 2, "-o", "d").code == 0
    assert shape(tmp_path / "d/X.csv")[1] == 9
    assert shape(tmp_path / "d/Y.csv")[1] == 7


def test_removal_leaves_rows_out(cda, tmp_path):
    assert cda("synth", "linear", "--n", 200, "--k", 200, "--remove", 0.25, "-o", "d").code == 0
    assert shape(tmp_path / "d/Y.csv")[0] == 150


def test_shuffling_changes_the_order_of_rows_only(cda, tmp_path):
    assert cda("synth", "linear", "--n", 60, "--k", 60, "-o", "a").code == 0
    assert cda("synth", "linear", "--n", 60, "--k", 60, "--no-shuffle", "-o", "b").code == 0
    a, b = ((tmp_path / place / "Y.csv").read_text().splitlines() for place in "ab")
    assert a != b and sorted(a) == sorted(b)


def test_a_file_in_the_way_is_exit_4(cda, tmp_path):
    (tmp_path / "taken").write_text("mine")
    assert cda("synth", "linear", "-o", "taken").code == 4
    assert (tmp_path / "taken").read_text() == "mine"


@pytest.mark.parametrize("arguments", [["lineer"], ["linear", "--n", 1], ["buildings", "--m", 3]], ids=str)
def test_what_cannot_be_made_leaves_no_folder(cda, tmp_path, arguments):
    (tmp_path / "there").mkdir()
    for place in ("new", "new/place", "there/new", "there"):
        assert cda("synth", *arguments, "-o", place).code == 2
        assert [path.name for path in tmp_path.rglob("*")] == ["there"]
