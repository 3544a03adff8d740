"""What `cda experiment` promises: a table to read, the same figures as JSON, the same bytes on any number of threads."""
import json
import signal
import time

import pytest
from conftest import listing, start_cda

pytestmark = pytest.mark.slow

SMALL = ["thresholds", "--quick", "--runs", "3"]


def test_help_leads_with_examples_and_names_every_study(cda):
    studies = cda("list", "experiments", "--json").json()["experiments"]
    assert {"recovery", "calibration", "thresholds"} <= {study["name"] for study in studies}
    page = cda("experiment", "--help").out
    assert page.index("Examples:") < page.index("Studies") < page.index("Usage:")
    words = " ".join(page.split())  # long lines are broken
    for study in studies:
        assert f"  {study['name']} " in page and study["summary"] in words


def test_results_are_json_the_same_on_one_and_two_threads(cda, tmp_path):
    first = cda("experiment", *SMALL, "--seed", 5, "--threads", 1, "--json", "-o", "results.json")
    assert first.code == 0, first.err
    result = first.json()
    assert list(result) == ["written_by", "experiment", "title", "seed", "runs", "options", "columns", "rows", "notes", "listing"]
    assert (result["experiment"], result["seed"], result["runs"]) == ("thresholds", 5, 3)
    for row in result["rows"]:
        assert list(row) == [column["name"] for column in result["columns"]]
        assert row["n_t"] == pytest.approx(row["n"] * row["t"])
    assert json.loads((tmp_path / "results.json").read_text()) == result
    assert cda("experiment", *SMALL, "--seed", 5, "--threads", 2, "--json").out == first.out
    assert cda("experiment", *SMALL, "--seed", 6, "--json").json()["rows"] != result["rows"]


def test_more_columns_reach_more_contrast_by_chance(cda):
    rows = cda("experiment", *SMALL, "--json").json()["rows"]
    for n in {row["n"] for row in rows}:
        reached = [row["n_t"] for row in rows if row["n"] == n]
        assert len(reached) > 1 and reached == sorted(reached)


def test_recovery_finds_sources_where_the_paper_methods_find_none(cda):
    rows = cda("experiment", "recovery", "--quick", "--runs", "2", "--json").json()["rows"]
    assert {row["method"] for row in rows} == {
        "iCDA", "true sources", "known shapes", "CDA_Q", "CDA_M", "random pairs"
    }
    count = {}
    for row in rows:
        found = row["recovered"]
        assert row["sources"] == found["of"] and 0 <= found["low"] <= found["share"] <= found["high"] <= 1
        count[row["method"]] = count.get(row["method"], 0) + found["count"]
    assert count["iCDA"] >= 12  # of about 19 planted
    assert min(count["true sources"], count["known shapes"]) >= 16  # nothing has to be searched for
    assert count["CDA_Q"] + count["CDA_M"] + count["random pairs"] <= 2


def test_calibration_reports_shares_and_compares_them(cda):
    result = cda("experiment", "calibration:scenarios=gaussian,surrogates=19,bootstraps=0", "--quick", "--runs", 4, "--json")
    (row,) = result.json()["rows"]
    assert (row["scenario"], row["n"], row["p"]["of"]) == ("gaussian", 300, 4)
    assert row["p"]["share"] == row["p"]["count"] / 4
    assert row["supported"] is None and any("without bootstraps" in note for note in result.json()["notes"])
    assert "above .05" in row["compared"]
    judged = cda("experiment", "calibration:scenarios=shared-1,surrogates=19,bootstraps=2", "--quick", "--runs", 3, "--json")
    (row,) = judged.json()["rows"]
    assert sum(row[verdict]["count"] for verdict in ("supported", "ambiguous", "no_evidence")) == 3
    assert "below .55" in row["compared"]


def test_text_shows_every_row_and_the_rows_to_copy(cda):
    run = cda("experiment", *SMALL)
    assert run.code == 0 and run.err == ""
    result = cda("experiment", *SMALL, "--json").json()
    lines = run.out.splitlines()
    for row in result["rows"]:
        assert any(line.split()[:3] == [str(row["n"]), str(row["d"]), f"{row['n_t']:.3f}"] for line in lines)
    for note in result["notes"]:
        assert f"- {note}" in lines
    assert run.out.endswith(result["listing"])
    for d in {row["d"] for row in result["rows"]}:
        figures = [row["n_t"] for row in result["rows"] if row["d"] == d]
        assert f"{{{d}, {sum(figures) / len(figures):.2f}}},\n" in result["listing"]
    assert cda("experiment", *SMALL, "--quiet").out == ""


@pytest.mark.parametrize(
    "arguments, said",
    [
        (["recovry"], "did you mean recovery?"),
        (["recovery:speed=1"], "there is no option of experiment recovery"),
        (["recovery:rows=400"], "expected one of all, 300, 1000, 2000, 5000"),
        (["calibration:rows=many"], "expected a number"),
        (["calibration:scenarios=shared"], "there is no scenario named"),
        (["recovery", "--runs", "0"], "--runs is \"0\", expected a whole number from 1"),
        (["recovery", "--quick", "--full"], "contradict"),
        (["recovery", "-o", "-", "--json"], "both write to standard output"),
        (["recovery", "-o", "missing/results.json"], "missing"),
        ([], "NAME is required"),
    ],
)
def test_refuses_before_it_computes(cda, tmp_path, arguments, said):
    began = time.monotonic()
    run = cda("experiment", *arguments)
    assert run.code in (2, 4) and said in run.err, run.err
    assert run.out == "" and listing(tmp_path) == {}
    assert time.monotonic() - began < 5


def test_can_be_interrupted(tmp_path):
    process = start_cda("experiment", "calibration", "-o", "results.json", cwd=tmp_path)
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=20)
    assert process.returncode == 130 and out == "" and "interrupted" in err
    assert listing(tmp_path) == {}
