"""`cda transform`: one line per row, whatever the row holds."""
import json

import pytest


@pytest.fixture
def model(cda, tables):
    run = cda("fit", "x.csv", "y.csv", "--method", "CDA_M", "--components", "2", "-o", "model.json")
    assert run.code == 0, run.err
    return tables


def lines_of(run):
    assert run.code == 0, run.err
    return [line.split(",") for line in run.out.splitlines()]


def test_standard_output_is_the_default(cda, model):
    lines = lines_of(cda("transform", "model.json", "--x", "x.csv"))
    assert lines[0] == ["pair1", "pair2"] and len(lines) == 41
    assert lines == lines_of(cda("transform", "model.json", "--x", "x.csv", "-o", "-"))


def test_rows_with_missing_cells_stay_as_empty_cells(cda, model):
    (model / "new.csv").write_text("a,b,c\n1,2,3\n1,,3\n4,5,6\n")
    lines = lines_of(cda("transform", "model.json", "--x", "new.csv"))
    assert len(lines) == 4
    assert lines[2] == ["", ""]
    assert "" not in lines[1] + lines[3]


def test_the_index_column_comes_first(cda, model):
    (model / "new.csv").write_text('day,a,b,c\nmonday,1,2,3\n"tue, day",1,2,3\n')
    run = cda("transform", "model.json", "--x", "new.csv", "--index-column", "day")
    assert run.code == 0, run.err
    lines = run.out.splitlines()
    assert lines[0] == "day,pair1,pair2"
    assert lines[1].startswith("monday,") and lines[2].startswith('"tue, day",')
    assert lines[1].split(",")[1:] == lines[2].split(",")[2:]


def test_columns_are_found_by_name(cda, model):
    (model / "one.csv").write_text("a,b,c\n1,2,3\n")
    (model / "other.csv").write_text("c,a,b\n3,1,2\n")
    one = cda("transform", "model.json", "--x", "one.csv")
    assert one.out == cda("transform", "model.json", "--x", "other.csv").out


def test_further_columns_are_ignored_with_a_warning(cda, model):
    (model / "one.csv").write_text("a,b,c\n1,2,3\n")
    (model / "more.csv").write_text("a,b,c,further\n1,2,3,4\n")
    run = cda("transform", "model.json", "--x", "more.csv")
    assert run.out == cda("transform", "model.json", "--x", "one.csv").out
    assert run.err.count("warning") == 1 and "further" in run.err
    assert cda("transform", "model.json", "--x", "more.csv", "--strict", "-o", "out.csv").code == 5
    assert not (model / "out.csv").exists()


def test_missing_columns_are_listed(cda, model):
    (model / "less.csv").write_text("a\n1\n")
    run = cda("transform", "model.json", "--x", "less.csv")
    assert run.code == 3
    assert "b" in run.err and "c" in run.err


@pytest.mark.parametrize(
    "content", ["", "not json", "{}", "[]", '{"format_version": 999}', "\x80\x04\x95"], ids=lambda text: repr(text[:12])
)
def test_what_is_not_a_model_is_refused(cda, model, content):
    (model / "broken.json").write_bytes(content.encode("latin-1"))
    run = cda("transform", "broken.json", "--x", "x.csv", "-o", "out.csv")
    assert run.code == 3, run.err
    assert "broken.json" in run.err
    assert not (model / "out.csv").exists()


def test_a_truncated_model_is_refused(cda, model):
    text = (model / "model.json").read_text()
    (model / "half.json").write_text(text[: len(text) // 2])
    assert cda("transform", "half.json", "--x", "x.csv").code == 3


def test_json_reports_what_was_written(cda, model):
    run = cda("transform", "model.json", "--x", "x.csv", "-o", "out.csv", "--json")
    assert json.loads(run.out) == {"rows": 40, "pairs": 2, "warnings": []}
