"""B18 to B29: what is a number, what is missing, and which columns hold text."""
import os
import subprocess

import numpy
import pytest
from box import QUICK, X
from rows import row

LINES = X.splitlines()


def with_cell(cell, line=3, column=2):
    """X with one cell replaced; line and column count as in messages."""
    lines = [text.split(",") for text in LINES]
    lines[line - 1][column - 1] = cell
    return "\n".join(",".join(fields) for fields in lines) + "\n"


@row("B18")
@pytest.mark.parametrize("token", ["NaN", "nan", "NA", "N/A", "null", "NULL", "", '""', ".", "  "])
def test_b18_missing_cells_are_counted_not_guessed(box, token):
    text = with_cell(token)
    box.refused_table(text, says='1 cell is missing: 1 in "b"', hint="--missing")
    fit = ["x.csv", "y.csv", *QUICK]
    assert box.fitted(*fit, "--missing", "drop-rows")["x"]["rows"] == len(LINES) - 2
    assert box.fitted(*fit, "--missing", "drop-columns")["x"]["columns"] == ["a", "c"]
    kept = box.fitted(*fit, "--missing", "mean")
    assert kept["x"]["rows"] == len(LINES) - 1
    assert kept["options"]["x_missing"] == "mean"


@row("B18")
def test_b18_the_count_is_per_column(box):
    text = with_cell("NA").splitlines()
    text[5] = "NA,NA," + text[5].split(",")[2]
    box.refused_table("\n".join(text) + "\n", says='3 cells are missing: 1 in "a", 2 in "b"')


@row("B18")
@pytest.mark.parametrize("token", ["-999", "missing", "n.d.", "#N/A"])
def test_b18_further_tokens_are_named(box, token):
    box.write("x.csv", with_cell(token))
    fit = ["x.csv", "y.csv", *QUICK, "--na", token]
    assert box.fitted(*fit, "--missing", "drop-rows")["x"]["rows"] == len(LINES) - 2
    box.refused("fit", *fit, code=3, says="1 cell is missing")


def as_format(folder, name, values):
    if name == "x.npy":
        numpy.save(folder / name, values)
    elif name == "x.npz":
        numpy.savez(folder / name, x=values)
    elif name == "x.h5":
        with pytest.importorskip("h5py").File(folder / name, "w") as file:
            file["x"] = values
    elif name == "x.mat":
        pytest.importorskip("scipy.io").savemat(folder / name, {"x": values})
    else:
        lines = [",".join(map(str, line)) for line in values]
        head = "a,b" if name == "x.csv" else "@relation r\n@attribute a numeric\n@attribute b numeric\n@data"
        (folder / name).write_text("\n".join([head, *lines]) + "\n")


@row("B18")
@pytest.mark.parametrize("name", ["x.csv", "x.arff", "x.npy", "x.npz", "x.h5", "x.mat"])
def test_b18_further_tokens_mean_missing_in_every_format(box, name):
    values = numpy.array([[1, 2], [3, -999], [5, 7], [-999, 8]])
    as_format(box.directory, name, values)
    run = box.run("describe", name, "--na", "-999", "--json")
    assert run.code == 0, run.err
    assert [column["missing"] for column in run.json()["columns"]] == [1, 1]
    assert [column["min"] for column in run.json()["columns"]] == [1, 2]


@row("B19")
@pytest.mark.parametrize("cell", ["inf", "-inf", "Infinity", "-Infinity", "+INF", "1.#INF", "-1.#INF00"])
def test_b19_infinities_are_refused_at_their_cell(box, cell):
    error = box.refused_table(with_cell(cell), says="(?i)inf", place=(3, 2))
    assert cell in error["message"]


@row("B20")
@pytest.mark.parametrize("cell", ["1e400", "-1e400", "1e999999999999", "9" * 400, "1.8e308"])
def test_b20_what_a_double_cannot_hold(box, cell):
    box.refused_table(with_cell(cell), says="too large for a double", place=(3, 2))


@row("B21")
@pytest.mark.parametrize(
    "cell, same",
    [("1e-400", "0"), ("-1e-400", "-0"), ("4.9e-324", "5e-324"), ("0." + "0" * 400 + "1", "0"), ("1e-999999999", "0")],
)
def test_b21_what_is_too_small_is_zero_and_the_smallest_is_kept(box, cell, same):
    box.reads_as(with_cell(cell), with_cell(same))
    big = "1e300"  # the smallest double times anything is nothing; the reading is shown by the sum next to it
    box.reads_as(with_cell(big), with_cell("1" + "0" * 300))


@row("B22")
@pytest.mark.parametrize(
    "cell, same",
    [("+1", "1"), (".5", "0.5"), ("5.", "5"), ("1E5", "100000"), ("-0", "0"), ("1e+2", "100"), ("007", "7"),
     (" 4\t", "4"), ('"6"', "6"), ('" 6 "', "6"), ("-.5e1", "-5")],
)  # fmt: skip
def test_b22_usual_ways_to_write_numbers(box, cell, same):
    box.reads_as(with_cell(cell), with_cell(same))


@row("B23")
@pytest.mark.parametrize(
    "cell",
    ["0x10", "1_000", "1d5", "１２", "1e", "1e5x", "--1", "+-1", "1 2", "1.2.3", "e5", "nan(0x1)", "１.5", "½",
     "1e5.5", "5-", "TRUE"],
)  # fmt: skip
def test_b23_what_is_no_number(box, cell):
    error = box.refused_table(with_cell(cell), says="expected a number in column", place=(3, 2))
    assert cell in error["message"]


@row("B23")
def test_b23_a_typographic_minus_gets_a_hint(box):
    box.refused_table(with_cell("\u22125"), says="expected a number", hint="U.2212", place=(3, 2))


@row("B24")
@pytest.mark.parametrize("cell, same", [('"1,234"', "1234"), ('"-12,345,678.5"', "-12345678.5")])
def test_b24_thousands_have_to_be_asked_for(box, cell, same):
    box.refused_table(with_cell(cell), says="expected a number", hint="--x-thousands ,", place=(3, 2))
    box.reads_as(with_cell(cell), with_cell(same), "--thousands", ",")


@row("B24")
@pytest.mark.parametrize("cell", ['"1,23"', '"1,2345"', '",123"', '"1,,234"', '"1.5,000"'])
def test_b24_groups_that_are_none(box, cell):
    box.refused_table(with_cell(cell), "--thousands", ",", says="expected a number", place=(3, 2))


@row("B25")
def test_b25_decimal_commas(box):
    text = X.replace(",", ";").replace(".", ",")
    box.refused_table(text, says="expected a number", hint="--x-decimal ,", place=(2, 1))
    box.reads_as(text, X, "--decimal", ",")
    box.reads_as(text, X, "--decimal", ",", "--delimiter", ";")


@row("B25")
def test_b25_a_point_is_no_number_among_decimal_commas(box):
    text = X.replace(",", ";").replace(".", ",").replace("0,5;", "0.5;", 1)
    box.refused_table(text, "--decimal", ",", says='expected a number.*"0.5"', place=(2, 1))


@pytest.fixture(scope="module")
def german(tmp_path_factory):
    """A locale with decimal commas, made on the spot: a clean system has none."""
    folder = tmp_path_factory.mktemp("locales")
    (folder / "source").write_text('LC_NUMERIC\ndecimal_point ","\nthousands_sep "."\ngrouping 3;3\nEND LC_NUMERIC\n')
    subprocess.run(
        ["localedef", "--force", "-i", "source", "-f", "ANSI_X3.4-1968", "./de_DE"], cwd=folder, capture_output=True
    )
    env = {"LOCPATH": str(folder), "LC_ALL": "de_DE", "LANG": "de_DE", "LANGUAGE": "de"}
    env["ASAN_OPTIONS"] = "detect_leaks=0"  # the C library keeps LOCPATH for good
    shown = subprocess.run(["printf", "%.1f", "1,5"], env={**os.environ, **env}, capture_output=True, text=True)
    assert shown.stdout == "1,5", "the locale was not made"
    return env


@row("B26")
def test_b26_the_locale_changes_nothing(box, german):
    box.write("x.csv", X)
    fit = ["fit", "x.csv", "y.csv", "--method", "CDA_M", "--seed", "3"]
    plain = {"LC_ALL": "C"}
    for options in (["-o", "-"], []):
        one, other = box.run(*fit, *options, env=plain), box.run(*fit, *options, env=german)
        assert one.code == other.code == 0
        assert one.out == other.out
    assert box.projected("x.csv", env=plain) == box.projected("x.csv", env=german)


@row("B27")
@pytest.mark.parametrize("delimiter", ["\t", ";", "|"], ids=["tab", "semicolon", "pipe"])
def test_b27_delimiters_are_found_out(box, delimiter):
    box.reads_as(X.replace(",", delimiter), X)


@row("B27")
@pytest.mark.parametrize("delimiter", [" ", ":", "~"])
def test_b27_others_have_to_be_named(box, delimiter):
    text = X.replace(",", delimiter)
    box.refused_table(text, says="", hint="--x-(delimiter|exclude|index-column)")
    box.reads_as(text, X, "--delimiter", delimiter)


@row("B27")
def test_b27_a_tie_is_asked_about(box):
    box.refused_table("a,b;c\n1,2;3\n4,5;6\n", says="cannot tell", hint="--x-delimiter")


@row("B27")
@pytest.mark.parametrize("name", ["tab", "\\t", "\t"])
def test_b27_the_tabulator_can_be_typed(box, name):
    box.reads_as(X.replace(",", "\t"), X, "--delimiter", name)


@row("B28")
def test_b28_all_text_columns_are_named_at_once(box):
    text = "id,a,date,b,c\n"
    for number, line in enumerate(LINES[1:]):
        first, rest = line.split(",", 1)
        text += f"r{number % 3},{first},2024-01-{number + 10},{rest}\n"
    box.refused_table(text, says='2 columns hold text.*"id", "date"', hint="--x-exclude id,date or --only-numeric", place=(2, 1))
    fit = ["x.csv", "y.csv", *QUICK]
    assert box.fitted(*fit, "--x-exclude", "id,date")["x"]["columns"] == ["a", "b", "c"]
    result = box.fitted(*fit, "--x-only-numeric")
    assert result["x"]["columns"] == ["a", "b", "c"]
    assert sum("left out column" in text for text in result["warnings"]) == 2


@row("B29")
def test_b29_row_names_are_recognised(box):
    text = "\n".join(["day,a,b,c"] + [f"day {n},{line}" for n, line in enumerate(LINES[1:])]) + "\n"
    box.refused_table(text, says='"day"', hint="--x-index-column day", place=(2, 1))
    assert box.fitted("x.csv", "y.csv", *QUICK, "--x-index-column", "day")["x"]["columns"] == ["a", "b", "c"]
    lines = box.projected("x.csv", "--index-column", "day").splitlines()
    assert lines[0] == "day,pair1"
    assert [line.split(",")[0] for line in lines[1:]] == [f"day {n}" for n in range(len(LINES) - 1)]


@row("B29")
def test_b29_names_that_repeat_are_no_row_names(box):
    text = "\n".join(["kind,a,b,c"] + [f"k{n % 2},{line}" for n, line in enumerate(LINES[1:])]) + "\n"
    error = box.refused_table(text, says='"kind"', place=(2, 1))
    assert "index-column" not in error["hint"]
