"""What `cda match` promises: columns found again in other rows, the same bytes, honest verdicts."""
import csv
import io
import signal
import time

import numpy
import pytest
from conftest import run_cda, start_cda

MATCH_KEYS = [
    "x", "y", "sign", "sign_frequency", "similarity", "sampling", "runner_up", "margin", "frequency", "as_similar",
    "verdict", "notes",
]  # fmt: skip


def write_columns(path, columns):
    """A dictionary of columns, missing cells as NaN."""
    lines = [",".join(columns)]
    for row in zip(*columns.values()):
        lines.append(",".join("" if numpy.isnan(value) else repr(float(value)) for value in row))
    path.write_text("\n".join(lines) + "\n")


def customers(rows, seed):
    """A table as databases have them: amounts, counts, ages, shares, flags."""
    draw = numpy.random.default_rng(seed)
    return {
        "revenue": numpy.exp(1.2 * draw.normal(size=rows) + 4),
        "age": numpy.clip(18 + 60 * draw.beta(1.5, 3, rows), 18, 90).round(),
        "orders": draw.geometric(0.08, rows).astype(float),
        "share_online": draw.beta(0.4, 0.4, rows),
        "temperature": numpy.where(draw.uniform(size=rows) < 0.35, 4, 21) + 3 * draw.normal(size=rows),
        "satisfaction": 10 * draw.beta(6, 1.5, rows),
        "member": (draw.uniform(size=rows) < 0.2).astype(float),
    }


RENAMED = {
    "c1": "share_online", "c2": "member", "c3": "revenue", "c4": "satisfaction", "c5": "orders", "c6": "temperature",
    "c7": "age",
}  # fmt: skip


@pytest.fixture
def databases(tmp_path):
    """One table cut into two: other rows, other names, another order, and two columns in another coding."""
    whole = customers(1600, 1)
    write_columns(tmp_path / "old.csv", {name: values[:900] for name, values in whole.items()})
    renamed = {new: whole[old][900:] for new, old in RENAMED.items()}
    renamed["c7"] = 2024 - renamed["c7"]  # the year of birth instead of the age
    renamed["c6"] = 32 + 1.8 * renamed["c6"]  # Fahrenheit
    write_columns(tmp_path / "new.csv", renamed)
    return tmp_path


def test_renamed_columns_are_found_again_in_other_rows(cda, databases):
    result = cda("match", "old.csv", "new.csv", "--json").json()
    assert list(result) == [
        "units", "seed", "bootstrap", "x", "y", "matches", "unmatched_x", "unmatched_y", "warnings"
    ]  # fmt: skip
    assert (result["units"], result["seed"], result["bootstrap"]) == ("standardised", 0, 99)
    assert result["x"] == {"rows": 900, "columns": list(customers(1, 1))}
    assert result["y"] == {"rows": 700, "columns": list(RENAMED)}
    assert [match["x"] for match in result["matches"]] == result["x"]["columns"]
    for match in result["matches"]:
        assert list(match) == MATCH_KEYS
        assert match["x"] == RENAMED[match["y"]]
        assert match["verdict"] == "clear", match
        assert match["sign"] == (-1 if match["x"] == "age" else 1)
        runner_up = match["runner_up"]
        assert list(runner_up) == ["y", "x"]
        assert runner_up["y"]["column"] in result["y"]["columns"] and runner_up["y"]["column"] != match["y"]
        assert runner_up["x"]["column"] in result["x"]["columns"] and runner_up["x"]["column"] != match["x"]
        assert match["margin"] == min(runner_up["x"]["margin"], runner_up["y"]["margin"]) > 0
        assert abs(match["similarity"] - runner_up["y"]["similarity"] - runner_up["y"]["margin"]) < 1e-12
        assert 0 <= match["as_similar"] < 0.3
    assert result["unmatched_x"] == result["unmatched_y"] == []
    assert result["warnings"] == ['columns with fewer than 10 distinct values match easily: "member" of X; "c2" of Y']


def test_the_answer_is_the_same_bytes_for_any_threads_and_order_of_rows(cda, databases):
    first = cda("match", "old.csv", "new.csv", "--json", "--threads", "1")
    assert first.code == 0
    assert cda("match", "old.csv", "new.csv", "--json", "--threads", "2").out == first.out
    for name in ("old.csv", "new.csv"):
        header, *rows = (databases / name).read_text().splitlines()
        order = numpy.random.default_rng(3).permutation(len(rows))
        (databases / name).write_text("\n".join([header, *(rows[i] for i in order)]) + "\n")
    assert cda("match", "old.csv", "new.csv", "--json").out == first.out


def test_the_csv_says_what_the_json_says(cda, databases):
    result = cda("match", "old.csv", "new.csv", "--json", "-o", "matches.csv").json()
    rows = list(csv.DictReader(io.StringIO((databases / "matches.csv").read_text())))
    assert len(rows) == len(result["matches"]) == 7
    for row, match in zip(rows, result["matches"]):
        assert (row["x"], row["y"], int(row["sign"]), row["verdict"]) == (
            match["x"], match["y"], match["sign"], match["verdict"]
        )  # fmt: skip
        for key in ("similarity", "sampling", "frequency", "as_similar", "sign_frequency"):
            assert float(row[key]) == match[key]
        assert row["runner_up_y"] == match["runner_up"]["y"]["column"]
        assert float(row["margin_x"]) == match["runner_up"]["x"]["margin"]
        assert row["notes"] == "; ".join(match["notes"])


def test_people_get_a_table_and_the_csv_may_go_to_standard_output(cda, databases):
    run = cda("match", "old.csv", "new.csv", "-v")
    assert run.code == 0
    assert "7 matches by shape, 7 of them clear" in run.out
    line = next(line for line in run.out.splitlines() if line.strip().startswith("age "))
    assert line.split()[:3] == ["age", "c7", "-"] and "clear" in line
    assert "member ~ c2: 2 and 2 distinct values" in run.out
    piped = cda("match", "old.csv", "new.csv", "-o", "-")
    assert piped.out.startswith("x,y,sign,") and piped.out.count("\n") == 8
    assert "7 matches" in piped.err
    quiet = cda("match", "old.csv", "new.csv", "-q", "-o", "quiet.csv")
    assert quiet.code == 0 and quiet.out == ""
    assert (databases / "quiet.csv").read_text() == piped.out


def test_raw_units_tell_equal_shapes_apart(cda, tmp_path):
    draw = numpy.random.default_rng(4)
    places = {"kitchen": 21.0, "cellar": 12.0, "roof": 30.0}
    write_columns(tmp_path / "x.csv", {name: mean + draw.normal(size=300) for name, mean in places.items()})
    write_columns(tmp_path / "y.csv", {f"{name}2": places[name] + draw.normal(size=200) for name in sorted(places)})
    raw = cda("match", "x.csv", "y.csv", "--units", "raw", "--json").json()
    assert all(match["y"] == match["x"] + "2" and match["verdict"] == "clear" for match in raw["matches"])
    forgotten = cda("match", "x.csv", "y.csv", "--json").json()
    assert {match["verdict"] for match in forgotten["matches"]} == {"not_distinctive"}


def test_missing_cells_count_for_their_column_only_unless_told_otherwise(cda, databases):
    table = customers(900, 7)
    for shift, values in enumerate(table.values()):
        values[shift::7] = numpy.nan  # every row has a missing cell
    write_columns(databases / "holes.csv", table)
    run = cda("match", "holes.csv", "new.csv")
    assert run.code == 0
    assert "holes.csv: 900 missing cells are left out, each for its own column only" in run.err
    result = cda("match", "holes.csv", "new.csv", "--json").json()
    assert all(match["x"] == RENAMED[match["y"]] for match in result["matches"])
    refused = cda("match", "holes.csv", "new.csv", "--missing", "refuse")
    assert refused.code == 3 and "900 cells are missing" in refused.err
    assert cda("match", "holes.csv", "new.csv", "--missing", "drop-rows").code == 3  # none is left
    assert cda("match", "holes.csv", "new.csv", "--x-missing", "mean").code == 0


def test_constant_empty_and_left_over_columns_are_listed(cda, databases):
    table = customers(500, 9)
    table["version"] = numpy.full(500, 3.0)
    table["unused"] = numpy.full(500, numpy.nan)
    write_columns(databases / "wide.csv", table)
    result = cda("match", "wide.csv", "new.csv", "--y-exclude", "c5", "--json").json()
    assert [(entry["column"], entry["reason"]) for entry in result["unmatched_x"]] == [
        ("orders", "left over"), ("version", "constant"), ("unused", "empty"),
    ]  # fmt: skip
    assert result["unmatched_x"][0]["nearest"] in RENAMED and 0 < result["unmatched_x"][0]["similarity"] < 1
    assert result["unmatched_x"][1]["nearest"] is None
    (databases / "constant.csv").write_text("a\n1\n1\n1\n")
    run = cda("match", "constant.csv", "new.csv", "--json")
    assert run.code == 5 and run.error()["code"] == "match.constant"


def test_five_hundred_columns_on_either_side(tmp_path):
    draw = numpy.random.default_rng(11)
    for name in ("x", "y"):
        values = draw.gamma(draw.uniform(0.2, 5, 500), size=(40, 500))
        numpy.savetxt(
            tmp_path / f"{name}.csv", values, delimiter=",", comments="", header=",".join(f"c{j}" for j in range(500))
        )
    run = run_cda("match", "x.csv", "y.csv", "--json", "--bootstrap", "19", cwd=tmp_path)
    assert run.code == 0, run.err
    matches = run.json()["matches"]
    assert len(matches) == 500 and len({match["y"] for match in matches}) == 500


def test_the_same_file_and_strictness(cda, databases):
    run = cda("match", "old.csv", "old.csv", "--json")
    assert run.code == 0
    assert "the same file" in run.json()["warnings"][0]
    strict = cda("match", "old.csv", "new.csv", "--strict", "-o", "matches.csv")
    assert strict.code == 5 and "distinct values" in strict.err
    assert not (databases / "matches.csv").exists()


@pytest.mark.parametrize(
    "arguments, said",
    [
        (["--units", "rw"], "did you mean raw?"),
        (["--bootstrap", "18"], "--bootstrap"),
        (["--bootstrap", "many"], "--bootstrap"),
        (["--seed", "-1"], "--seed"),
        (["--threads", "0"], "--threads"),
        (["--bootstraps", "50"], "did you mean --bootstrap?"),
        (["--missing", "ignore"], "ignore"),
        (["-o", "old.csv"], "old.csv"),
        (["-o", "-", "--json"], "standard output"),
    ],
)
def test_wrong_requests_are_refused_before_anything_is_read(cda, databases, arguments, said):
    before = (databases / "old.csv").read_bytes()
    run = cda("match", "old.csv", "new.csv", *arguments)
    assert run.code == 2 and run.out == ""
    assert said in run.err
    assert (databases / "old.csv").read_bytes() == before


def test_help_leads_with_examples(cda):
    run = cda("match", "--help")
    assert run.code == 0 and run.err == ""
    assert run.out.index("Examples:") < run.out.index("Usage:")
    for option in "--units --bootstrap --seed --threads --output --json --missing --only-numeric".split():
        assert option in run.out
    assert "cda match" in cda("--help").out


def test_a_signal_ends_the_work_within_a_second(databases):
    process = start_cda("match", "old.csv", "new.csv", "--bootstrap", 1000000, "-o", "matches.csv", cwd=databases)
    time.sleep(1.0)
    assert process.poll() is None, "the work was over before it could be interrupted"
    asked = time.monotonic()
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=20)
    assert time.monotonic() - asked < 1.5  # one second, and slack for a busy machine
    assert process.returncode == 130
    assert out == "" and "interrupted" in err
    assert not (databases / "matches.csv").exists()
