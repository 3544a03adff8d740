"""What `cda experiment` promises of the studies that compare methods, and what `cda fit` promises of those methods."""
import json
import signal
import subprocess
import sys
import time

import pytest
from conftest import ROOT, run_cda, start_cda, write_table

pytestmark = pytest.mark.slow

PEERS = ["CCA", "DAC", "LSCCA", "PCA", "SCL", "SSC", "TCA"]


@pytest.fixture
def same_columns(tmp_path):
    """Two tables that every method takes: the same columns, as many rows."""
    write_table(tmp_path / "x.csv", ["a", "b", "c"], 40, 1)
    write_table(tmp_path / "y.csv", ["a", "b", "c"], 40, 2)
    return tmp_path


@pytest.mark.parametrize("method", PEERS + ["TCA:kernel=rbf", "tca:laplace"])
def test_every_method_to_compare_with_fits_and_transforms(cda, same_columns, method):
    fit = cda("fit", "x.csv", "y.csv", "--method", method, "--components", 2, "--json", "-o", "model.json")
    assert fit.code == 0, fit.err
    result = fit.json()
    assert result["method"] == method.split(":")[0].upper()
    assert result["options"]["objective"] and len(result["pairs"]) == 2
    kernel = ":" in method
    assert (result["pairs"][0]["x_weights"] is None) == kernel
    assert set(result["pairs"][0]["x_loadings"]) == {"a", "b", "c"}
    rows = cda("transform", "model.json", "--y", "y.csv").out.splitlines()
    assert rows[0] == "pair1,pair2" and len(rows) == 41
    if not kernel:
        pair, line = result["pairs"][0], (same_columns / "y.csv").read_text().splitlines()[1].split(",")
        by_hand = pair["y_intercept"] + sum(pair["y_weights"][name] * float(line[i]) for i, name in enumerate("abc"))
        assert float(rows[1].split(",")[0]) == pytest.approx(by_hand, rel=1e-9, abs=1e-12)


def test_rows_that_are_no_pairs_and_columns_that_differ_are_refused(cda, tables):
    rows = cda("fit", "x.csv", "y.csv", "--method", "CCA")
    assert rows.code == 3 and "needs rows that belong together, but X has 40 rows and Y 30" in rows.err
    columns = cda("fit", "x.csv", "y.csv", "--method", "TCA")
    assert columns.code == 3 and "needs the same columns in both tables; X has 3, Y 2" in columns.err
    assert cda("test", "x.csv", "y.csv", "--method", "PCA").code == 2
    option = cda("fit", "x.csv", "y.csv", "--method", "PCA", "--divergence", "energy")
    assert option.code == 2 and "--divergence is not for PCA" in option.err


def test_methods_to_compare_with_are_listed_with_their_options(cda):
    listed = cda("list", "baselines", "--json").json()["baselines"]
    assert [part["name"] for part in listed] == ["cCDA", *sorted(PEERS, key=str.lower)]  # our own first
    assert "kernel=linear" in cda("list", "baselines").out


@pytest.fixture(scope="module")
def table1():
    run = run_cda("experiment", "table1:methods=fast,rows=60", "--runs", 2, "--json")
    assert run.code == 0, run.err
    return run.json()


def test_table1_has_a_row_for_each_setting_relation_and_method_with_chance_beside_it(table1):
    rows = table1["rows"]
    key = [(row["setting"], row["relation"], row["method"]) for row in rows]
    assert len(set(key)) == len(key)
    assert {row["setting"] for row in rows} == {"paired", "shuffled", "removed"}
    assert {row["relation"] for row in rows} == {"linear", "mixed", "nonlinear"}
    for row in rows:
        assert row["rank_x"] == (4 if row["relation"] == "linear" else 5) and row["rank_y"] == 4
        if row["method"] in ("CDA_Q", "random"):
            assert row["chance_x"] == pytest.approx(0.753 if row["rank_x"] == 4 else 0.84, abs=0.01)
            assert (row["error"] is None) == (row["rank_x"] != row["rank_y"])
        if row["method"] == "CCA":
            assert row["runs"] == (0 if row["setting"] == "removed" else 2)
    linear = {row["method"]: row for row in rows if row["setting"] == "paired" and row["relation"] == "linear"}
    assert linear["random"]["chance"] == pytest.approx(0.546, abs=0.005)  # of four directions in 7 and 5 columns
    assert linear["CCA"]["error"] < 0.4 < linear["CDA_Q"]["error"]  # of 60 rows only


def test_table1_says_what_lscca_makes_of_pairs_of_rows_beside_cca(cda):
    result = cda("experiment", "table1:methods=paper,rows=40", "--runs", 1, "--json", timeout=300).json()
    errors = {row["method"]: row for row in result["rows"] if (row["setting"], row["relation"]) == ("paired", "nonlinear")}
    (note,) = [note for note in result["notes"] if "LSCCA comes" in note]
    for side in ("error_x", "error_y"):
        assert f"({errors['LSCCA'][side]:.3f} against {errors['CCA'][side]:.3f})" in note
    assert "no p of 1 runs can be below 1" in " ".join(result["notes"])


def test_unpaired_methods_do_not_see_the_order_of_rows(table1):
    rows = table1["rows"]
    by_setting = {}
    for row in rows:
        if row["method"] in ("CDA_Q", "iCDA", "PCA", "TCA"):
            figures = {name: value for name, value in row.items() if name != "setting"}
            by_setting.setdefault(row["setting"], []).append(figures)
    assert by_setting["paired"] == by_setting["shuffled"] != by_setting["removed"]


def test_the_papers_own_rank_leaves_nothing_to_tell_methods_apart(cda):
    result = cda("experiment", "table1:methods=fast,rows=60,rank=paper", "--runs", 1, "--json").json()
    for row in result["rows"]:
        assert row["rank_x"] == row["rank_y"] == 5 and row["error_y"] is None
    assert any("cannot tell methods apart" in note for note in result["notes"])


def test_identifiable_shows_where_a_method_earns_its_place(cda):
    rows = cda("experiment", "identifiable", "--quick", "--runs", 2, "--json").json()["rows"]
    found = {}
    for row in rows:
        count = found.setdefault((row["tables"], row["method"].split(",")[0]), [0, 0])
        count[0] += row["found"]["count"]
        count[1] += row["found"]["of"]
    share = {key: count / of for key, (count, of) in found.items()}
    assert share["shapes", "iCDA"] > 0.8 and share["scales", "CDA with W2"] > 0.7
    assert max(share["shapes", "CDA_Q"], share["shapes", "CDA_M"], share["shapes", "random"]) < 0.2


def results_file(study, effort, runs, version):
    options = {option["name"]: option["value"] for option in study["options"]}
    return {"written_by": version, "experiment": study["name"], "title": "kept", "seed": 0, "runs": runs,
            "options": {**options, "effort": effort}, "columns": [], "rows": [], "notes": ["kept"], "listing": ""}


def test_all_studies_go_to_a_folder_and_only_those_that_are_missing_are_run(cda, tmp_path):
    version = cda("--version").out.strip()
    folder = tmp_path / "results"
    folder.mkdir()
    for study in cda("list", "experiments", "--json").json()["experiments"]:
        if study["name"] != "beta":
            text = json.dumps(results_file(study, "quick", 1, version))
            (folder / f"{study['name']}.json").write_text(text)
    run = cda("experiment", "all", "--quick", "--runs", 1, "-o", "results", timeout=300)
    assert run.code == 0, run.err
    assert "beta" in run.out and "table1: already in" in run.err
    assert len(json.loads((folder / "beta.json").read_text())["rows"]) > 0
    again = cda("experiment", "all", "--quick", "--runs", 1, "-o", "results", "--json")
    studies = again.json()["experiments"]
    assert {"table1", "noise", "beta", "efficiency", "identifiable"} <= {study["experiment"] for study in studies}
    assert not {"recovery", "calibration", "thresholds"} & {study["experiment"] for study in studies}
    page = subprocess.run([sys.executable, ROOT / "scripts/results_page.py", folder], capture_output=True, text=True)
    assert page.returncode == 0 and "cda experiment beta:rows=500 --quick --runs 1 --seed 0" in page.stdout


def keep_all_but(cda, folder, runs, left_out):
    version = cda("--version").out.strip()
    folder.mkdir()
    for study in cda("list", "experiments", "--json").json()["experiments"]:
        if study["name"] != left_out:
            (folder / f"{study['name']}.json").write_text(json.dumps(results_file(study, "quick", runs, version)))


def test_an_interrupted_study_goes_on_where_it_was_and_ends_with_the_same_bytes(cda, tmp_path):
    folder = tmp_path / "results"
    keep_all_but(cda, folder, 2, "noise")
    arguments = ["experiment", "all", "--quick", "--runs", 2, "--threads", 1, "-o", "results"]
    part = folder / "noise.part"
    process = start_cda(*map(str, arguments), cwd=tmp_path)
    while process.poll() is None and not (part.exists() and part.read_bytes().count(b"\n") > 2):
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 130 and "interrupted; what is finished is in results" in err
    kept = part.read_bytes()
    done = kept.count(b"\n") - 1
    assert 2 <= done < 4 and kept.endswith(b"\n") and not (folder / "noise.json").exists()
    part.write_bytes(kept + b'{"replicate": "c = 6: 2", "resu')  # a line that a power cut left
    again = cda(*arguments, timeout=300)
    assert again.code == 0 and f"noise: replicates finished before, in results/noise.part: {done}" in again.err
    assert not part.exists()
    whole = cda("experiment", "noise", "--quick", "--runs", 2, "--json", timeout=300)
    assert (folder / "noise.json").read_text() == whole.out


def test_results_without_their_data_are_no_reason_not_to_run_a_study(cda, tmp_path):
    folder = tmp_path / "results"
    keep_all_but(cda, folder, 1, "bike")
    for _ in range(2):
        run = cda("experiment", "all", "--quick", "--runs", 1, "-o", "results", env={"CDA_DATA": str(tmp_path)})
        assert run.code == 0 and "bike: already in" not in run.err
        assert "nothing was measured: there is no bike_sharing/hour.csv" in run.out
        assert "UCI Machine Learning Repository" in run.out
