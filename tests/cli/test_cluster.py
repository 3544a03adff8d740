"""What `cda cluster` promises: planted clusters found, the same bytes, scores beside what chance gives, and an answer
to tables that hold nothing to find."""
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import time

import numpy
import pytest
from conftest import start_cda

pytestmark = pytest.mark.slow

DATA = pathlib.Path(os.environ.get("CDA_DATA", pathlib.Path(__file__).resolve().parents[3] / "shared" / "data"))
CLUSTER_KEYS = ["columns", "rows", "density", "gain", "cost", "potential", "distance", "why"]


def write_csv(path, values, names=None, labels=None):
    names = list(names or [f"c{j}" for j in range(values.shape[1])])
    lines = [",".join(names + (["kind"] if labels is not None else []))]
    for i, row in enumerate(values):
        cells = [repr(float(value)) for value in row] + ([str(labels[i])] if labels is not None else [])
        lines.append(",".join(cells))
    path.write_text("\n".join(lines) + "\n")


def planted(rows=300, seed=0):
    """Two clusters of 80 rows, in the columns 0, 1, 2 and 2, 3; the other rows are uniform. In units of their own."""
    draw = numpy.random.default_rng(seed)
    values = draw.uniform(size=(rows, 5))
    values[:80, :3] = 0.2 + 0.02 * draw.normal(size=(80, 3))
    values[80:160, 2:4] = 0.7 + 0.01 * draw.normal(size=(80, 2))
    labels = ["first"] * 80 + ["second"] * 80 + ["neither"] * (rows - 160)
    return values * [1, 1000, 1e-6, 5, 40] + [0, -300, 2, 7, 0], labels


def refused(run, code):
    assert run.code == code, run.err
    return run


@pytest.fixture
def table(tmp_path):
    values, labels = planted()
    write_csv(tmp_path / "data.csv", values, labels=labels)
    return tmp_path


def test_planted_clusters_are_found_with_their_columns_and_rows(cda, table):
    result = cda("cluster", "data.csv", "--label", "kind", "--json").json()
    first = result["clusters"][0]
    assert list(first) == CLUSTER_KEYS
    for columns, rows in ((["c0", "c1", "c2"], range(80)), (["c2", "c3"], range(80, 160))):
        # A further column may look dense by chance; the rows may not be others.
        best = max(result["clusters"], key=lambda one: len(set(one["rows"]) & set(rows)))
        assert set(columns) <= set(best["columns"])
        common = len(set(best["rows"]) & set(rows))
        assert common >= 50 and common >= 0.85 * len(best["rows"])
    assert first["gain"] == len(first["rows"]) and first["density"] > 10
    assert result["f1"] > result["null"]["f1"] and result["null"]["p"] <= 0.01
    assert result["f1"] > result["baseline_f1"]
    assert 0 < result["coverage"] <= 1 and 0 <= result["entropy"] <= 1
    covered = set()
    for one in result["clusters"]:
        assert one["gain"] == len(set(one["rows"]) - covered)
        covered |= set(one["rows"])
    assert result["coverage"] == pytest.approx(len(covered) / 300)


def test_selections_stand_beside_each_other_at_equal_numbers(cda, table):
    result = cda("cluster", "data.csv", "--label", "kind", "--json").json()
    assert [one["selection"] for one in result["selections"]] == ["plain", "paper", "repaired"]
    fewest = min(one["clusters"] for one in result["selections"])
    assert all(one["first"]["clusters"] == fewest for one in result["selections"])
    for name in ("paper", "repaired"):
        alone = cda("cluster", "data.csv", "--label", "kind", "--json", "--selection", name, "--no-comparison").json()
        beside = next(one for one in result["selections"] if one["selection"] == name)
        assert (alone["f1"], len(alone["clusters"])) == (beside["f1"], beside["clusters"])
        assert alone["clusters"][0]["distance"] is None
        assert all(numpy.isfinite(one["distance"]) for one in alone["clusters"][1:])


def test_the_same_bytes_on_any_number_of_threads(cda, table):
    arguments = ["cluster", "data.csv", "--label", "kind", "--json", "--selection", "repaired"]
    outputs = {cda(*arguments, "--threads", threads).out for threads in ("1", "2", "3")}
    assert len(outputs) == 1


def test_text_names_columns_rows_and_reason(cda, table):
    text = cda("cluster", "data.csv", "--label", "kind", "--no-comparison").out
    assert re.search(r"columns\s+c\d, c\d", text)
    assert re.search(r"rows\s+\d+", text) and "Rows count from 0" in text
    assert "times as dense as uniform rows" in text
    assert "F1 of a single cluster of all rows" in text


def test_rows_and_clusters_as_csv(cda, table):
    cda("cluster", "data.csv", "--exclude", "kind", "--no-comparison", "-o", "rows.csv", "-q")
    lines = [line.split(",") for line in (table / "rows.csv").read_text().splitlines()]
    result = cda("cluster", "data.csv", "--exclude", "kind", "--no-comparison", "--json").json()
    assert lines[0] == ["row"] + [f"cluster{i + 1}" for i in range(len(result["clusters"]))]
    assert len(lines) == 301
    members = [int(line[0]) for line in lines[1:] if line[1] == "1"]
    assert members == result["clusters"][0]["rows"]
    assert result["f1"] is None and result["baseline_f1"] is None


def test_a_page_shows_the_clusters(cda, table):
    cda("cluster", "data.csv", "--label", "kind", "--report", "page.html", "-q")
    page = (table / "page.html").read_text()
    assert "columns of each cluster" in page and "c0, c1, c2" in page and "times as dense" in page
    assert "cda cluster data.csv --label kind" in page


def test_subclu_in_the_units_of_the_columns(cda, tmp_path):
    draw = numpy.random.default_rng(3)
    write_csv(tmp_path / "data.csv", numpy.vstack([draw.normal(50, 0.5, (40, 2)), draw.uniform(0, 100, (60, 2))]))
    arguments = ["--density", "subclu", "--min-points", "8", "--json", "--no-comparison", "--cost", "density-columns"]
    result = cda("cluster", "data.csv", "--units", "as-is", "--radius", "2", *arguments).json()
    assert result["clusters"][0]["columns"] == ["c0", "c1"]
    assert len(set(result["clusters"][0]["rows"]) & set(range(40))) >= 38
    run = refused(cda("cluster", "data.csv", "--units", "as-is"), 2)
    assert "subclu" in run.err


# ---- What is not as it should be ----


def test_no_cluster_is_an_answer(cda, tmp_path):
    write_csv(tmp_path / "data.csv", numpy.random.default_rng(0).uniform(size=(60, 3)))
    result = cda("cluster", "data.csv", "--json").json()
    assert result["clusters"] == [] and result["coverage"] == 0
    assert "No cluster" in cda("cluster", "data.csv").out
    cda("cluster", "data.csv", "--report", "page.html", "-o", "rows.csv", "-q")
    assert "no cluster" in (tmp_path / "page.html").read_text()
    assert (tmp_path / "rows.csv").read_text().startswith("row\n0\n")


def test_a_constant_column_is_left_out_with_a_warning(cda, table):
    values, labels = planted()
    write_csv(table / "data.csv", numpy.column_stack([values, numpy.full(300, 3.0)]), labels=labels)
    result = cda("cluster", "data.csv", "--label", "kind", "--json", "--no-comparison").json()
    assert any("c5" in warning for warning in result["warnings"])
    assert all("c5" not in one["columns"] for one in result["clusters"]) and result["clusters"]


def test_columns_that_are_all_constant_hold_no_cluster(cda, tmp_path):
    write_csv(tmp_path / "data.csv", numpy.ones((30, 2)))
    result = cda("cluster", "data.csv", "--json").json()
    assert result["clusters"] == [] and any("no column varies" in warning for warning in result["warnings"])


def test_rows_that_repeat_are_a_cluster(cda, tmp_path):
    values = numpy.random.default_rng(1).uniform(size=(100, 3))
    values[:30] = values[0]
    write_csv(tmp_path / "data.csv", values)
    for selection in ("plain", "paper", "repaired"):
        result = cda("cluster", "data.csv", "--json", "--selection", selection, "--no-comparison").json()
        assert set(range(30)) <= set(result["clusters"][0]["rows"])
        assert result["clusters"][0]["columns"] == ["c0", "c1", "c2"]


def test_one_row_is_refused(cda, tmp_path):
    write_csv(tmp_path / "data.csv", numpy.ones((1, 3)))
    assert "at least 2 rows, found 1" in refused(cda("cluster", "data.csv"), 3).err


def test_sixty_columns_are_searched_as_deep_as_the_limits_allow(cda, tmp_path):
    draw = numpy.random.default_rng(2)
    values = draw.uniform(size=(100, 60))
    values[:40, :30] = 0.5 + 0.01 * draw.normal(size=(40, 30))
    write_csv(tmp_path / "data.csv", values)
    result = cda("cluster", "data.csv", "--json", "--no-comparison", "--max-subspaces", "40000").json()
    assert result["options"]["max_columns"] == 3
    assert any("at most 3 of 60 columns" in warning and "--max-subspaces" in warning for warning in result["warnings"])
    assert set(range(38)) <= set(result["clusters"][0]["rows"])
    run = refused(cda("cluster", "data.csv", "--max-subspaces", "10"), 6)
    assert "--max-subspaces" in run.err


def test_a_label_that_is_not_there_lists_the_near_ones(cda, table):
    run = refused(cda("cluster", "data.csv", "--label", "kinds"), 2)
    assert "kinds" in run.err and "kind" in run.err


def test_missing_cells_are_refused_or_dropped_with_their_labels(cda, table):
    lines = (table / "data.csv").read_text().splitlines()
    lines[1] = "," + lines[1].split(",", 1)[1]
    (table / "data.csv").write_text("\n".join(lines) + "\n")
    assert "missing" in refused(cda("cluster", "data.csv", "--label", "kind"), 3).err
    result = cda("cluster", "data.csv", "--label", "kind", "--missing", "drop-rows", "--json", "--no-comparison").json()
    assert result["rows"] == 299 and result["f1"] > 0.5


@pytest.mark.parametrize(
    "arguments",
    [
        ["--radius", "0"],
        ["--radius", "wide"],
        ["--selection", "best"],
        ["--cost", "nothing"],
        ["--min-points", "1"],
        ["--min-size", "1"],
        ["--least-gain", "2"],
        ["--method", "PCA", "--selection", "paper"],
        ["--method", "xCDA"],
        ["--divergence", "nothing"],
        ["--noise", "-1"],
        ["--json", "-o", "-"],
    ],
)
def test_what_makes_no_sense_is_refused(cda, table, arguments):
    refused(cda("cluster", "data.csv", "--exclude", "kind", *arguments), 2)


def test_known_clusters_are_compared(cda, table):
    rows = " ".join(map(str, range(80)))
    (table / "data.true").write_text(f"two\n1 1 1 0 0 80 {rows}\n0 0 1 1 0 80 {' '.join(map(str, range(80, 160)))}\n")
    result = cda("cluster", "data.csv", "--label", "kind", "--known", "data.true", "--json", "--clusters", "2").json()
    assert 0.3 < result["ce"] <= result["rnia"] <= 1
    (table / "data.true").write_text("two\n1 1 1 0 0 2 0\n")
    run = refused(cda("cluster", "data.csv", "--label", "kind", "--known", "data.true"), 3)
    assert "data.true:2" in run.err


def test_ctrl_c_ends_a_search_and_leaves_nothing(tmp_path):
    draw = numpy.random.default_rng(5)
    write_csv(tmp_path / "data.csv", 0.5 + 0.02 * draw.normal(size=(400, 24)))
    process = start_cda("cluster", "data.csv", "-o", "rows.csv", "--max-subspaces", "100000000",
                        "--max-candidates", "100000000", cwd=tmp_path)  # fmt: skip
    time.sleep(2)
    process.send_signal(signal.SIGINT)
    _, talk = process.communicate(timeout=20)
    assert process.returncode == 130 and "interrupted" in talk
    assert [path.name for path in tmp_path.iterdir()] == ["data.csv"]


# ---- The study ----


@pytest.mark.skipif(not (DATA / "subspace_real").is_dir(), reason="OpenSubspace's data are not here")
def test_the_study_compares_selections_at_equal_numbers_of_clusters(cda):
    result = cda("experiment", "subspace:clusters=4,looked_at=3", "--quick", "--runs", 1, "--json").json()
    plain = {row["data"]: row for row in result["rows"] if row["selection"] == "plain"}
    assert set(plain) == {"glass", "liver"}
    assert plain["glass"]["baseline_f1"] == pytest.approx(0.087, abs=0.01)
    for row in result["rows"]:
        if row["data"] in plain and row["selection"] != "plain":
            assert row["k"] == plain[row["data"]]["k"]
            assert row["gain"] == pytest.approx(row["f1_at_k"] - plain[row["data"]]["f1_at_k"])
    assert len([note for note in result["notes"] if "F1 at equal numbers" in note]) == 5


def test_the_study_without_its_data_says_where_they_come_from(cda):
    run = cda("experiment", "subspace:data=nowhere", "--quick", "--json")
    assert run.code == 0 and run.json()["rows"] == []
    assert any("OpenSubspace" in note for note in run.json()["notes"])


# ---- Against ELKI ----

# Not through the script elki-cli: its class path holds a library whose index the Java of Debian 12 refuses.
ELKI = ["/usr/share/java/elki.jar", "/usr/share/java/trove-3.jar"]
without_elki = pytest.mark.skipif(
    shutil.which("java") is None or not all(map(os.path.exists, ELKI)),
    reason="ELKI is not installed (Debian package elki)",
)


def elki_clusters(values, radius, min_points, folder):
    """SUBCLU of ELKI 0.7.1: sets of (columns, rows), both from 0."""
    numpy.savetxt(folder / "in.txt", values, fmt="%.17g")
    subprocess.run(
        ["java", "-cp", ":".join(ELKI), "de.lmu.ifi.dbs.elki.application.KDDCLIApplication", "-dbc.in", "in.txt", "-algorithm", "clustering.subspace.SUBCLU", "-subclu.epsilon", str(radius),
         "-subclu.minpts", str(min_points), "-evaluator", "NoAutomaticEvaluation", "-resulthandler", "ResultWriter",
         "-out", "out"],
        cwd=folder, check=True, capture_output=True, timeout=300,
    )  # fmt: skip
    found = []
    for path in (folder / "out").glob("*.txt"):
        text = path.read_text()
        columns = re.search(r"Dimensions: \[([\d, ]+)\]", text)
        rows = re.findall(r"^ID=(\d+)", text, re.MULTILINE)
        if columns and rows:
            found.append((tuple(int(c) - 1 for c in columns[1].split(",")), frozenset(int(r) - 1 for r in rows)))
    return found


@without_elki
@pytest.mark.parametrize("columns, radius, min_points", [(4, 6, 8), (5, 10, 12)])
def test_subclu_is_that_of_elki_up_to_border_rows(cda, tmp_path, columns, radius, min_points):
    draw = numpy.random.default_rng(columns)
    values = numpy.round(draw.uniform(0, 100, size=(160, columns)), 3)
    values[:50, :3] = numpy.round(30 + 2 * draw.normal(size=(50, 3)), 3)
    values[50:90, 1:] = numpy.round(70 + 3 * draw.normal(size=(40, columns - 1)), 3)
    write_csv(tmp_path / "data.csv", values)
    candidates(cda, tmp_path, "data.csv", values, radius, min_points)


def candidates(cda, folder, file, values, radius, min_points, *arguments):
    """All clusters of both, compared by their cores."""
    expected = elki_clusters(values, radius, min_points, folder)
    result = cda("cluster", file, *arguments, "--density", "subclu", "--units", "as-is", "--radius", str(radius),
                 "--min-points", str(min_points), "--json", "--no-comparison", "--candidates", "all.json").json()  # fmt: skip
    names = result["columns"]
    ours = {}
    for one in json.loads((folder / "all.json").read_text()):
        ours.setdefault(tuple(names.index(name) for name in one["columns"]), []).append(frozenset(one["rows"]))
    theirs = {}
    for subspace, rows in expected:
        theirs.setdefault(subspace, []).append(rows)
    assert set(ours) == set(theirs)
    for subspace, clusters in ours.items():
        part = values[:, subspace]
        near = numpy.sqrt(((part[:, None, :] - part[None, :, :]) ** 2).sum(-1)) <= radius
        cores = frozenset(numpy.flatnonzero(near.sum(1) >= min_points))
        assert {rows & cores for rows in clusters} == {rows & cores for rows in theirs[subspace] if rows & cores}
    return result


@without_elki
@pytest.mark.skipif(not (DATA / "subspace_real").is_dir(), reason="OpenSubspace's data are not here")
@pytest.mark.parametrize(
    "name, radius, min_points, count",
    [("glass", 2, 8, 388), ("glass", 4, 8, 796), ("liver", 4, 16, 61), ("diabetes", 4, 16, 265), ("vowel", 4, 16, 219)],
)
def test_subclu_on_known_data_is_that_of_elki(cda, tmp_path, name, radius, min_points, count):
    file = DATA / "subspace_real" / f"{name}.arff"
    text = file.read_text().split("@data")[1].strip().splitlines()
    values = numpy.array([[float(cell) for cell in line.split(",")[:-1]] for line in text])
    result = candidates(cda, tmp_path, file, values, radius, min_points, "--label", "class")
    assert result["candidates"] == count
