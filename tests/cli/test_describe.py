"""What `cda describe` says of a table."""
import json


def write(folder):
    (folder / "x.csv").write_text("id,a,b,colour\nr1,1,7,red\nr2,,7,blue\nr3,3,7,red\nr4,4,7,\n")


def test_numbers_text_and_missing_cells_are_told_apart(cda, tmp_path):
    write(tmp_path)
    found = cda("describe", "x.csv", "--json").json()
    assert (found["format"], found["rows"]) == ("csv", 4)
    columns = {column["name"]: column for column in found["columns"]}
    assert list(columns) == ["id", "a", "b", "colour"]
    assert columns["a"]["kind"] == "number" and columns["a"]["missing"] == 1 and columns["a"]["distinct"] == 3
    assert (columns["a"]["min"], columns["a"]["median"], columns["a"]["max"]) == (1, 3, 4)
    assert sum(columns["a"]["histogram"]) == 3
    assert columns["b"]["constant"] is True
    assert columns["colour"]["kind"] == "text" and columns["colour"]["missing"] == 1
    assert columns["colour"]["frequent"][0] == {"text": "red", "count": 2}


def test_the_text_shows_each_column(cda, tmp_path):
    write(tmp_path)
    run = cda("describe", "x.csv")
    assert run.code == 0 and run.err == ""
    assert "4 rows, 4 columns (2 of numbers, 2 of text), 2 missing cells" in run.out
    assert "constant" in run.out and "red (2), blue (1)" in run.out


def test_a_pipe_is_read_once_and_its_text_columns_are_named(cda):
    found = cda("describe", "-", "--json", stdin="id,a\nr1,1\nr2,2\n").json()
    assert [column["name"] for column in found["columns"]] == ["a", "id"]
    assert (found["columns"][1]["name"], found["columns"][1]["kind"]) == ("id", "text")


def test_missing_cells_of_columns_that_were_not_read_are_not_claimed_to_be_none(cda):
    assert "0 missing cells in columns that were read" in cda("describe", "-", stdin="id,a\nr1,1\n,2\n").out


def test_a_table_without_numbers_is_described_too(cda, tmp_path):
    (tmp_path / "x.csv").write_text("name,city\nann,rome\nbob,oslo\n")
    run = cda("describe", "x.csv")
    assert run.code == 0 and "2 rows, 2 columns (0 of numbers, 2 of text)" in run.out and "rome (1)" in run.out
    only = cda("describe", "x.csv", "--only-numeric", "--json")
    assert only.code == 0 and only.json()["columns"] == [] and "left out column" in only.err + only.out


def test_columns_that_cannot_be_read_are_named(cda, tmp_path):
    import numpy

    records = numpy.zeros(3, dtype=[("a", "f8"), ("day", "M8[D]")])
    records["a"] = [1, 2, 3]
    numpy.save(tmp_path / "x.npy", records)
    run = cda("describe", "x.npy")
    assert run.code == 0 and "day: not read: " in run.out and "dates or durations" in run.out
    found = cda("describe", "x.npy", "--json").json()["columns"]
    assert [(column["name"], column["kind"]) for column in found] == [("a", "number"), ("day", "other")]


def test_text_that_resembles_another_notation_is_text(cda, tmp_path):
    (tmp_path / "x.csv").write_text("a,place\n1,52.5 13.2\n2,48.1 11.6\n")
    found = cda("describe", "x.csv", "--json").json()["columns"]
    assert [(column["name"], column["kind"]) for column in found] == [("a", "number"), ("place", "text")]


def test_reading_options_apply(cda, tmp_path):
    (tmp_path / "x.csv").write_text("a;b\n1,5;-999\n2,5;3\n")
    columns = cda("describe", "x.csv", "--decimal", ",", "--na", "-999", "--exclude", "a", "--json").json()["columns"]
    assert [(column["name"], column["missing"]) for column in columns] == [("b", 1)]


def test_hostile_names_and_texts_are_escaped(cda, tmp_path):
    (tmp_path / "x.csv").write_text('"\x1b[31ma",c\n1,"\x1b]0;x"\n2,y\n')
    run = cda("describe", "x.csv")
    assert run.code == 0 and "\x1b" not in run.out


def test_what_cannot_be_read_is_refused(cda, tmp_path):
    (tmp_path / "x.csv").write_text("a,b\n1\n")
    run = cda("describe", "x.csv", "--json")
    assert run.code == 3 and run.error()["code"] == "csv.ragged"
    assert json.loads(cda("describe", "none.csv", "--json").err)["error"]["code"] == "io.read"
