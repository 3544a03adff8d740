"""D01 to D07 and D12 to D16: how much data there is, how much of it varies, and what may be asked of it."""
import numpy
import pytest
from box import QUICK
from data import sample, write
from rows import row
from test_b_bytes import MEGABYTE, peak_memory

METHODS = ["iCDA", "CDA_M", "CDA_Q"]
every_method = pytest.mark.parametrize("method", METHODS)


@pytest.fixture
def tables(box):
    write(box, "x.csv", sample(60, 3, 1))
    write(box, "y.csv", sample(50, 2, 2))
    return box


@row("D01")
@every_method
@pytest.mark.parametrize("side", ["x", "y"])
def test_d01_one_row_is_no_distribution(tables, method, side):
    write(tables, f"{side}.csv", sample(1, 3, 3))
    arguments = ["fit", "x.csv", "y.csv", "--method", method, "-o", "new.json"]
    error = tables.refused(*arguments, code=3, says=f"(?i){side}.* needs at least 2 rows, found 1")
    assert error["file"] == f"{side}.csv"


@row("D01")
def test_d01_rows_that_are_left_count(tables):
    tables.write("x.csv", "a,b\n1,2\nNA,3\n4,NA\n")
    tables.refused("fit", "x.csv", "y.csv", *QUICK, "--missing", "drop-rows", code=3, says="at least 2 rows, found 1")


@row("D02")
@every_method
@pytest.mark.parametrize("rows", [2, 3, 4])
def test_d02_very_few_rows_are_a_warning(tables, method, rows):
    write(tables, "x.csv", sample(rows, 2, 3))
    tables.warned("x.csv", "y.csv", "--method", method, "--components", "1", says=f"{rows} rows are too few")


@row("D03")
@every_method
def test_d03_one_column_each(tables, method):
    write(tables, "x.csv", sample(60, 1, 3))
    write(tables, "y.csv", sample(50, 1, 4))
    pair = tables.fitted("x.csv", "y.csv", "--method", method)["pairs"][0]
    assert pair["x_direction"] == [1.0] and pair["y_direction"] in ([1.0], [-1.0])
    if method != "iCDA":
        assert pair["scale"] == 1.0


@row("D04")
@every_method
@pytest.mark.parametrize("value", [0.0, 5.0, -1e300, 5e-324, 0.1])
def test_d04_a_constant_column_has_no_weight(tables, method, value):
    values = sample(60, 3, 1)
    values[:, 1] = value
    write(tables, "x.csv", values, ["a", "still", "c"])
    says = 'column "still" does not vary'
    result = tables.fitted("x.csv", "y.csv", "--method", method)
    assert any(says in text for text in result["warnings"])
    assert all(pair["x_weights"]["still"] == 0.0 for pair in result["pairs"])
    if value == 5.0:
        tables.warned("x.csv", "y.csv", "--method", method, says=says)


@row("D05")
@every_method
@pytest.mark.parametrize("side", ["x", "y"])
def test_d05_nothing_varies(tables, method, side):
    write(tables, f"{side}.csv", numpy.full((30, 2), 2.5))
    arguments = ["fit", "x.csv", "y.csv", "--method", method, "-o", "new.json"]
    error = tables.refused(*arguments, code=5, says=f"(?i){side}: no column varies")
    assert error["file"] == f"{side}.csv"


@row("D06")
@every_method
def test_d06_mostly_equal_rows(tables, method):
    values = sample(60, 3, 1)
    values[:40] = values[0]
    write(tables, "x.csv", values)
    write(tables, "y.csv", values[::-1, :2])
    result = tables.fitted("x.csv", "y.csv", "--method", method, "--components", "1")
    assert numpy.isfinite(result["pairs"][0]["divergence"])
    tables.warned("x.csv", "y.csv", "--method", method, "--components", "1", says="equal|identical|same row|repeat")


@row("D06")
@pytest.mark.parametrize("method", ["CDA_Q", "CDA_P", "rCDA_Q"])
def test_d06_two_different_rows_only(tables, method):
    write(tables, "x.csv", [[1.0, 2.0]] * 39 + [[2.0, 5.0]])
    result = tables.fitted("x.csv", "y.csv", "--method", method, "--components", "1")
    assert numpy.isfinite(result["pairs"][0]["divergence"])


@row("D07")
@every_method
@pytest.mark.parametrize("kind", ["twice", "sum", "multiple"])
def test_d07_columns_that_depend_on_each_other(tables, method, kind):
    values = sample(60, 3, 1)
    values[:, 2] = {"twice": values[:, 0], "sum": values[:, 0] + values[:, 1], "multiple": -3 * values[:, 1]}[kind]
    write(tables, "x.csv", values)
    write(tables, "y.csv", sample(50, 3, 2))
    result = tables.fitted("x.csv", "y.csv", "--method", method)
    assert result["x"]["rank"] == 2 and result["y"]["rank"] == 3
    assert any("2" in text and "3" in text and "depend" in text for text in result["warnings"])
    arguments = ["fit", "x.csv", "y.csv", "--method", method, "--components", "3", "-o", "new.json"]
    tables.refused(*arguments, code=2, says="2", hint="--pairs")


@row("D12")
@pytest.mark.parametrize("method", ["iCDA", "CDA_M"])
def test_d12_more_columns_than_rows(tables, method, sanitised):
    write(tables, "x.csv", numpy.random.default_rng(7).normal(size=(20, 5000)))
    run, peak = peak_memory(tables, "fit", "x.csv", "y.csv", "--method", method, "--components", "1", "--json")
    assert run.code in (0, 6), run.err[:500]
    assert sanitised or peak < 300 * MEGABYTE  # 5000 x 5000 numbers alone would be 200 MB


def tall(box, name, rows):
    """A long table, written quickly: two columns of different shapes."""
    random = numpy.random.default_rng(rows)
    values = numpy.column_stack([random.exponential(size=rows), random.normal(size=rows)])
    numpy.savetxt(box.path(name), values, fmt="%.5g", delimiter=",", header="p,q", comments="")


@row("D13")
@pytest.mark.parametrize("method", ["iCDA", "CDA_Q"])
def test_d13_ten_rows_against_very_many(tables, method, sanitised):
    write(tables, "x.csv", sample(10, 2, 5))
    tall(tables, "y.csv", 20_000 if sanitised else 50_000)
    search = ["--components", "1", "--starts", "4", "--refined", "1"]
    run, peak = peak_memory(tables, "fit", "x.csv", "y.csv", "--method", method, *search, "--json")
    assert run.code == 0, run.err[:500]
    assert sanitised or peak < 300 * MEGABYTE  # a square of the rows would be 20 GB


@row("D14")
def test_d14_many_rows_on_both_sides(tables, sanitised):
    tall(tables, "x.csv", 20_000 if sanitised else 200_000)
    tall(tables, "y.csv", 20_000 if sanitised else 200_001)
    run, peak = peak_memory(tables, "fit", "x.csv", "y.csv", *QUICK, "--json")
    assert run.code == 0, run.err[:500]
    assert sanitised or peak < 500 * MEGABYTE


@row("D14")
def test_d14_the_memory_allowed_is_respected(tables, sanitised):
    if sanitised:
        pytest.skip("a sanitizer needs more address space than that")
    tall(tables, "x.csv", 50_000)
    tall(tables, "y.csv", 50_001)
    arguments = ["fit", "x.csv", "y.csv", *QUICK, "-o", "new.json", "--max-memory"]
    tables.refused(*arguments, "1M", code=6, says="(?i)needs|memory")
    assert tables.run(*arguments, "2G").code == 0


@row("D15")
@every_method
@pytest.mark.parametrize("number", ["3", "0", "-1", "1e9", "1000000000", "99999999999999999999", "2.5", "two", ""])
def test_d15_impossible_numbers_of_components(tables, method, number):
    arguments = ["fit", "x.csv", "y.csv", "--method", method, "--pairs", number, "-o", "new.json"]
    tables.refused(*arguments, code=2, says="--pairs")


@row("D15")
def test_d15_the_allowed_range_is_said(tables):
    tables.refused("fit", "x.csv", "y.csv", "--components", "3", code=2, says="1 to 2")


NUMBERS = {
    "--tolerance": ["nan", "-1", "abc", "1e999", "2"],
    "--decrease-tolerance": ["nan", "-0.5", "inf"],
    "--scale": ["nan", "-2", "0", "1e999", "abc"],
    "--bandwidth": ["nan", "-1", "0", "1e999", "widest"],
    "--max-iterations": ["0", "-5", "1.5", "many"],
    "--starts": ["-1", "abc", "1e3"],
    "--refined": ["0", "-1"],
    "--seed": ["-1", "1.5", "99999999999999999999999", "abc"],
    "--threads": ["0", "-1", "100000", "two"],
    "--max-columns": ["0", "-1", "x"],
    "--block-length": ["0", "-3", "day"],
    "--surrogates": ["-1", "x"],
}


@row("D16")
@pytest.mark.parametrize("option, value", [(option, value) for option, values in NUMBERS.items() for value in values])
def test_d16_options_that_are_no_such_numbers(tables, option, value):
    arguments = ["fit", "x.csv", "y.csv", "--method", "CDA_Q", f"{option}={value}", "-o", "new.json"]
    tables.refused(*arguments, code=2, says=option.lstrip("-").replace("-", ".") + "|" + "scale")


@row("D16")
@pytest.mark.parametrize("spec", ["quadratic:bandwidth=nan", "extended_mallows:order=-1", "quadratic:bandwidth=1e999"])
def test_d16_options_of_parts(tables, spec):
    arguments = ["fit", "x.csv", "y.csv", "--method", "CDA_Q", "--divergence", spec, "-o", "new.json"]
    tables.refused(*arguments, code=2, says="bandwidth|order")
