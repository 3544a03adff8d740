"""What cCDA, `cda nearest` and the preparations for such data promise on the command line."""
import csv
import json
import os
import pathlib

import numpy
import pytest
from conftest import ROOT
from test_transfer import write_csv


def items(draw, count):
    """Three groups of unequal size in a plane."""
    group = draw.choice(3, size=count, p=[0.5, 0.3, 0.2])
    centre = numpy.array([[-1.5, -0.3], [0.4, 1.2], [1.8, -0.6]])[group]
    return centre + draw.normal(size=(count, 2)) * [0.3, 0.15], group


@pytest.fixture
def views(tmp_path):
    """The same 200 items seen by two instruments, named, with their group."""
    draw = numpy.random.default_rng(3)
    plane, group = items(draw, 200)
    names = [f"item {i}" for i in range(200)]
    for side, columns in (("x", 5), ("y", 4)):
        mixing = numpy.linalg.qr(draw.normal(size=(columns, 2)))[0].T
        seen = plane @ mixing * 2 + 0.05 * draw.normal(size=(200, columns))
        order = numpy.arange(200) if side == "x" else draw.permutation(200)
        table = {"id": [names[i] for i in order], "group": [f"g{group[i]}" for i in order]}
        table.update({f"{side}{j}": seen[order, j] for j in range(columns)})
        write_csv(tmp_path / f"{side}.csv", table)
    return tmp_path


FIT = ["fit", "x.csv", "y.csv", "--exclude", "group", "--index-column", "id", "--method", "cCDA", "--components", 2]


def fitted(cda, *arguments):
    run = cda(*FIT, "-o", "m.json", *arguments)
    assert run.code == 0, run.err
    return run


def test_a_fit_tells_how_far_it_is_determined(cda, views):
    found = json.loads(fitted(cda, "--json").out)
    assert found["method"] == "cCDA" and len(found["pairs"]) == 2
    coupling = found["coupling"]
    assert 0 < coupling["correlation"] <= 1 and coupling["ambiguous"] is False and coupling["overlap"] == 1
    assert coupling["alternatives"] and {"correlation", "sliced", "weight", "cosine"} == set(coupling["alternatives"][0])
    assert sum(other["weight"] for other in coupling["alternatives"]) == pytest.approx(1)
    assert json.loads((views / "m.json").read_text())["coupling"] == coupling
    text = fitted(cda).out
    assert "matrix correlation" in text and "choice=2" in text


def test_the_same_bytes_on_any_number_of_threads_and_in_any_order(cda, views):
    fitted(cda, "--threads", 1)
    one = (views / "m.json").read_bytes()
    fitted(cda, "--threads", 3)
    assert (views / "m.json").read_bytes() == one
    lines = (views / "y.csv").read_text().splitlines()
    (views / "y.csv").write_text("\n".join([lines[0], *reversed(lines[1:])]) + "\n")
    fitted(cda, "--threads", 2)
    ours, theirs = json.loads(one), json.loads((views / "m.json").read_text())
    assert theirs["pairs"] == ours["pairs"] and theirs["coupling"] == ours["coupling"]


def test_an_ambiguous_alignment_says_so(cda, tmp_path):
    draw = numpy.random.default_rng(1)
    for side in "xy":
        write_csv(tmp_path / f"{side}.csv", {f"{side}{j}": draw.normal(size=250) for j in range(4)})
    run = cda("fit", "x.csv", "y.csv", "--method", "ccda", "-o", "m.json", "--json")
    assert run.code == 0
    found = run.json()
    assert found["coupling"]["ambiguous"] is True and len(found["coupling"]["alternatives"]) >= 2
    assert any("ambiguous" in warning for warning in found["warnings"])
    assert cda("fit", "x.csv", "y.csv", "--method", "cCDA", "--strict").code == 5
    near = cda("nearest", "m.json", "--x", "x.csv", "--y", "y.csv", "-o", "n.csv")
    assert near.code == 0 and "ambiguous" in near.err


def test_partners_are_near(cda, views):
    fitted(cda)
    run = cda("nearest", "m.json", "--x", "x.csv", "--y", "y.csv", "--index-column", "id", "--exclude", "group",
              "-k", 3, "-o", "n.csv")
    assert run.code == 0, run.err
    rows = list(csv.DictReader((views / "n.csv").open()))
    assert list(rows[0]) == ["table", "row", "rank", "nearest", "distance"]
    assert len(rows) == 2 * 200 * 3
    assert [row["table"] for row in rows] == ["x"] * 600 + ["y"] * 600
    assert [row["rank"] for row in rows[:6]] == ["1", "2", "3"] * 2
    # By another way: the mapped rows, and all distances between them.
    place, names = {}, {}
    for side in "xy":
        cda("transform", "m.json", f"--{side}", f"{side}.csv", "--index-column", "id", "--exclude", "group", "-o", "z.csv")
        table = list(csv.reader((views / "z.csv").open()))[1:]
        names[side] = [row[0] for row in table]
        place[side] = numpy.array([[float(value) for value in row[1:]] for row in table])
    distances = numpy.sqrt(((place["x"][:, None] - place["y"][None]) ** 2).sum(2))
    for i in (0, 57, 199):
        nearest = numpy.argsort(distances[i], kind="stable")[:3]
        own = rows[3 * i:3 * i + 3]
        assert [row["row"] for row in own] == [names["x"][i]] * 3
        assert [row["nearest"] for row in own] == [names["y"][j] for j in nearest]
        assert [float(row["distance"]) for row in own] == pytest.approx(distances[i, nearest], rel=1e-12)
    groups = {side: dict((row["id"], row["group"]) for row in csv.DictReader((views / f"{side}.csv").open())) for side in "xy"}
    same = [groups["x"][row["row"]] == groups["y"][row["nearest"]] for row in rows[:600]]
    assert numpy.mean(same) > 0.95


def test_rows_without_names_go_by_their_number(cda, views):
    fitted(cda)
    run = cda("nearest", "m.json", "--x", "x.csv", "--y", "y.csv", "--exclude", "group,id", "-k", 1)
    assert run.code == 0, run.err
    lines = run.out.splitlines()
    assert len(lines) == 401 and lines[1].startswith("x,1,1,") and lines[400].startswith("y,200,1,")


@pytest.mark.parametrize("arguments, code", [
    (["-k", "0"], 2), (["-k", "many"], 2), (["--threads", "0"], 2), (["--json"], 2), (["--x", "none.csv"], 4)])
def test_what_nearest_refuses(cda, views, arguments, code):
    fitted(cda)
    run = cda("nearest", "m.json", *(["--x", "x.csv"] if "--x" not in arguments else []), "--y", "y.csv",
              "--index-column", "id", "--exclude", "group", *arguments)
    assert run.code == code and run.out == ""


def test_score_stands_beside_principal_components_and_chance(cda, views):
    fitted(cda)
    run = cda("score", "m.json", "--x", "x.csv", "--y", "y.csv", "--index-column", "id", "--label", "group", "--json")
    assert run.code == 0, run.err
    found = run.json()["label_transfer"]
    for way in ("x_to_y", "y_to_x"):
        assert found[way]["accuracy"] > 0.95 and found[way]["chance"] < 0.5
        assert 0 <= found[way]["pca"]["accuracy"] <= 1


@pytest.mark.parametrize("steps", ["row-l2", "log1p", "rank-gauss", "winsorise:0.02", "log1p+row-l2+pca:3"])
def test_preparations_are_saved_and_applied_to_new_rows(cda, views, steps):
    run = cda(*FIT, "--prepare", steps, "-o", "m.json", "--json")
    assert run.code == 0, run.err
    saved = json.loads((views / "m.json").read_text())
    kept = [step["part"].split(":")[0].replace("_", "-") for step in saved["x"]["preparation"]["steps"]]
    asked = [step.split(":")[0] for step in steps.split("+")]
    assert kept == (asked if asked[-1] == "pca" else [*asked, "centre"])  # clouds lie about their means
    assert run.json()["pairs"][0]["x_weights"] is None  # columns that are bent have none
    head = (views / "x.csv").read_text().splitlines()[:4]
    (views / "few.csv").write_text("\n".join(head) + "\n")
    whole, few = (
        cda("transform", "m.json", "--x", file, "--index-column", "id", "--exclude", "group").out.splitlines()
        for file in ("x.csv", "few.csv")
    )
    assert len(few) == 4 and whole[:4] == few


def test_log1p_is_what_numpy_makes_of_it(cda, views):
    """The same model whether the command takes the logarithm or the table already holds it."""
    draw = numpy.random.default_rng(2)
    counts = {f"c{j}": draw.poisson(5, size=150).astype(float) for j in range(4)}
    write_csv(views / "counts.csv", counts)
    write_csv(views / "logs.csv", {name: numpy.log1p(values) for name, values in counts.items()})
    by_command = cda("fit", "counts.csv", "counts.csv", "--method", "PCA", "--prepare", "log1p+standardise", "--json").json()
    by_numpy = cda("fit", "logs.csv", "logs.csv", "--method", "PCA", "--prepare", "standardise", "--json").json()
    for ours, theirs in zip(by_command["pairs"], by_numpy["pairs"]):
        assert ours["objective"] == pytest.approx(theirs["objective"], rel=1e-9)


def test_options_that_are_not_for_it_are_refused(cda, views):
    run = cda(*FIT, "--divergence", "energy")
    assert run.code == 2 and "cCDA" in run.err
    run = cda(*FIT[:-4], "--method", "cCDA:blurr=1")
    assert run.code == 2 and "blur" in run.err
    assert cda("test", "x.csv", "y.csv", "--exclude", "group,id", "--method", "cCDA").code == 2


def test_a_time_limit_gives_a_whole_model(cda, views):
    run = cda(*FIT, "--time-limit", 0.001, "-o", "m.json", "--json")
    assert run.code == 0 and run.json()["stopped"] == "time limit"
    assert cda("transform", "m.json", "--x", "x.csv", "--index-column", "id", "--exclude", "group").code == 0


def test_the_study_says_where_its_data_come_from(cda, tmp_path):
    run = cda("experiment", f"alignment:data={tmp_path}", "--quick", "--json")
    assert run.code == 0, run.err
    assert run.json()["rows"] == [] and "scnmt_acc.csv" in run.json()["notes"][0]


def test_the_study_compares_on_the_same_rows_and_on_halves(cda):
    folder = pathlib.Path(os.environ.get("CDA_DATA", ROOT.parent / "shared" / "data"))
    if not (folder / "omics" / "scnmt_acc.csv").exists() or not (folder / "views").exists():
        pytest.skip(f"no data of the study in {folder}")
    run = cda("experiment", f"alignment:tasks=acc-rna,data={folder}", "--quick", "--runs", 1, "--json")
    assert run.code == 0, run.err
    rows = {(row["task"], row["protocol"], row["method"]): row for row in run.json()["rows"]}
    assert len(rows) == 2 * 2 * 7  # one task and the mean over all, two protocols, seven methods
    for protocol in ("same rows", "halves"):
        ours = rows["scnmt acc-rna", protocol, "cCDA"]
        assert ours["accuracy"] > ours["chance"] + 0.1 and ours["runs"] == 1
        assert 0 <= rows["scnmt acc-rna", protocol, "PCA, 2 pairs"]["accuracy"] <= 1
        # Of columns as they are, with other signs.
        assert rows["scnmt acc-rna", protocol, "PCA as is, 2 pairs"]["accuracy"] != \
            rows["scnmt acc-rna", protocol, "PCA, 2 pairs"]["accuracy"]
    assert any("1 of 1 tasks every run" in note for note in run.json()["notes"])


def test_the_study_takes_the_methods_it_is_asked_for(cda):
    folder = pathlib.Path(os.environ.get("CDA_DATA", ROOT.parent / "shared" / "data"))
    if not (folder / "omics" / "scnmt_acc.csv").exists() or not (folder / "views").exists():
        pytest.skip(f"no data of the study in {folder}")
    run = cda("experiment", f"alignment:tasks=acc-rna,methods=as is+none,data={folder}", "--quick", "--runs", 1, "--json")
    assert run.code == 0, run.err
    assert {row["method"] for row in run.json()["rows"]} == {f"PCA as is, {pairs} pairs" for pairs in (2, 3, 5)}
    run = cda("experiment", f"alignment:methods=none,data={folder}", "--quick")
    assert run.code == 2 and "cCDA+PCA" in run.err
