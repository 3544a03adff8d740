"""What `cda transfer` promises: predictions of rows of Y learnt from rows of X, and figures that say what they are worth."""
import csv
import io
import json

import numpy
import pytest

ERRORS = ["transfer", "y_alone", "constant", "chance"]


def write_csv(path, columns):
    """A dictionary of columns; None, NaN and empty text are missing cells."""
    lines = [",".join(columns)]
    for row in zip(*columns.values()):
        cells = ["" if cell is None or cell != cell else str(cell) for cell in row]
        lines.append(",".join(cells))
    path.write_text("\n".join(lines) + "\n")


def side(rows, seed, unit=1.0):
    """Columns a, b, c of quite different shapes, a target that follows from them, and a class."""
    draw = numpy.random.default_rng(seed)
    a, b, c = draw.exponential(size=rows), draw.uniform(size=rows), draw.normal(size=rows)
    target = unit * (3 * a - 2 * b + 0.2 * draw.normal(size=rows) + 10)
    kind = numpy.where(a > 1.2, "high", numpy.where(b > 0.5, "low", "middle"))
    return {"a": a, "b": b, "c": c, "target": target, "kind": kind}


@pytest.fixture
def fitted(cda, tmp_path):
    """x.csv and y.csv with target and kind in every row, and a model that does not know these two."""
    write_csv(tmp_path / "x.csv", side(300, 1))
    write_csv(tmp_path / "y.csv", side(120, 2))
    run = cda("fit", "x.csv", "y.csv", "--exclude", "target,kind", "--method", "SCL", "--components", 2, "-o", "m.json")
    assert run.code == 0, run.err
    return tmp_path


def evaluated(cda, *arguments):
    run = cda("transfer", "m.json", "--x", "x.csv", "--y", "y.csv", *arguments, "--json")
    assert run.code == 0, run.err
    return run.json()


def test_regression_is_evaluated_beside_chance_a_constant_and_y_alone(cda, fitted):
    found = evaluated(cda, "--target", "target", "--train-rows", 4, "--runs", 5)
    assert list(found) == [
        "method", "pairs", "task", "column", "target_units", "x", "y", "seed", "train_rows", "tested", "runs", "measure",
        "errors", "warnings",
    ]  # fmt: skip
    assert (found["method"], found["pairs"], found["task"]) == ("SCL", 2, "regression")
    assert (found["x"], found["y"]) == ({"rows": 300, "labelled": 300}, {"rows": 120, "labelled": 120})
    assert (found["train_rows"], found["tested"], found["runs"]) == (4, 116, 5)
    assert list(found["errors"]) == ERRORS
    for errors in found["errors"].values():
        assert len(errors["runs"]) == 5
        assert errors["mean"] == pytest.approx(numpy.mean(errors["runs"]))
        assert errors["sd"] == pytest.approx(numpy.std(errors["runs"], ddof=1))
    mean = {name: errors["mean"] for name, errors in found["errors"].items()}
    assert mean["transfer"] < mean["constant"] < mean["chance"]


def test_the_figures_are_those_of_numpy(cda, fitted):
    """Without rows of Y nothing is drawn but folds: the constant is the mean of X, and chance is over all pairs."""
    found = evaluated(cda, "--target", "target", "--train-rows", 0, "--runs", 1)
    x, y = side(300, 1)["target"], side(120, 2)["target"]
    assert found["errors"]["constant"]["mean"] == pytest.approx(numpy.abs(y - x.mean()).mean(), rel=1e-12)
    assert found["errors"]["y_alone"] is None
    run = cda("transform", "m.json", "--x", "x.csv", "-o", "zx.csv", "--exclude", "kind")
    assert run.code == 0 and cda("transform", "m.json", "--y", "y.csv", "-o", "zy.csv", "--exclude", "kind").code == 0
    zx, zy = (numpy.loadtxt(fitted / f, delimiter=",", skiprows=1) for f in ("zx.csv", "zy.csv"))
    # The target hardly has noise in this space, so that the smallest penalty is chosen: least squares, nearly.
    rule = numpy.linalg.lstsq(numpy.c_[numpy.ones(300), zx], x, rcond=None)[0]
    errors = numpy.abs(y - numpy.c_[numpy.ones(120), zy] @ rule)
    assert found["errors"]["transfer"]["mean"] == pytest.approx(errors.mean(), rel=0.02)


def test_classes_of_text_are_learnt(cda, fitted):
    found = evaluated(cda, "--label", "kind", "--train-rows", 6, "--runs", 4)
    assert found["classes"] == ["high", "low", "middle"] and "target_units" not in found
    assert found["measure"] == "classification error"
    mean = {name: errors["mean"] for name, errors in found["errors"].items()}
    assert mean["transfer"] < 0.8 * mean["chance"]


def test_what_is_missing_in_y_is_predicted(cda, fitted):
    known = side(120, 2)
    hidden = dict(known, target=[value if i < 10 else None for i, value in enumerate(known["target"])])
    hidden["a"] = [None if i == 50 else value for i, value in enumerate(hidden["a"])]
    hidden["name"] = [f"=row {i}" for i in range(120)]
    write_csv(fitted / "y.csv", hidden)
    run = cda("transfer", "m.json", "--x", "x.csv", "--y", "y.csv", "--target", "target", "--y-index-column", "name",
              "-o", "out.csv", "--json", "--exclude", "kind")
    assert run.code == 0, run.err
    found = run.json()
    assert found["trained"] == {"x": 300, "y": 10} and found["predicted"] == 109 and found["parameter"] > 0
    assert found["warnings"] == ["y.csv: 1 of 120 rows have missing cells and are left out"]
    rows = list(csv.reader(io.StringIO((fitted / "out.csv").read_text())))
    assert rows[0] == ["name", "target", "prediction"] and len(rows) == 121
    for i, (name, value, prediction) in enumerate(rows[1:]):
        assert name == f"'=row {i}"
        assert (value == "") == (i >= 10) and (prediction == "") == (i < 10 or i == 50)
    errors = [abs(float(rows[i + 1][2]) - known["target"][i]) for i in range(10, 120) if i != 50]
    assert numpy.mean(errors) < 0.8 * numpy.abs(known["target"] - known["target"].mean()).mean()


def test_a_table_without_the_column_is_predicted_whole(cda, fitted):
    columns = {name: values for name, values in side(30, 3).items() if name not in ("target", "kind")}
    write_csv(fitted / "y.csv", columns)
    run = cda("transfer", "m.json", "--x", "x.csv", "--y", "y.csv", "--label", "kind", "--x-exclude", "target")
    assert run.code == 0 and "all its rows are predicted" in run.err
    rows = list(csv.reader(io.StringIO(run.out)))
    assert rows[0] == ["kind", "prediction"] and len(rows) == 31
    assert {row[0] for row in rows[1:]} == {""} and {row[1] for row in rows[1:]} <= {"high", "low", "middle"}


def test_z_units_overcome_another_unit_of_the_target(cda, fitted):
    write_csv(fitted / "y.csv", side(120, 2, unit=24.0))
    arguments = ["--target", "target", "--train-rows", 30, "--runs", 3]
    as_is = evaluated(cda, *arguments)["errors"]
    z = evaluated(cda, *arguments, "--target-units", "z")["errors"]
    assert as_is["transfer"]["mean"] > as_is["constant"]["mean"]
    assert z["transfer"]["mean"] < z["constant"]["mean"]
    assert as_is["constant"] == z["constant"] and as_is["y_alone"] == z["y_alone"]


def test_text_says_what_helps(cda, fitted):
    run = cda("transfer", "m.json", "--x", "x.csv", "--y", "y.csv", "--target", "target", "--train-rows", 4, "--runs", 3)
    assert run.code == 0
    for said in ["transfer: X and 4 rows of Y", "no transfer: 4 rows of Y alone", "always the mean", "chance:",
                 "Transfer is better in", "The common space"]:
        assert said in run.out, said
    quiet = cda("transfer", "m.json", "--x", "x.csv", "--y", "y.csv", "--target", "target", "--train-rows", 4, "--quiet",
                "--runs", 1)
    assert quiet.code == 0 and quiet.out == ""


def test_the_same_bytes_on_any_number_of_threads_and_another_seed_draws_other_rows(cda, fitted):
    arguments = ["--label", "kind", "--train-rows", 5, "--runs", 4]
    first = evaluated(cda, *arguments, "--threads", 1)
    assert evaluated(cda, *arguments, "--threads", 3) == first
    assert evaluated(cda, *arguments, "--seed", 1)["errors"] != first["errors"]


def test_the_target_must_not_be_a_column_of_the_model(cda, fitted):
    cda("fit", "x.csv", "y.csv", "--exclude", "kind", "--method", "CDA_M", "-o", "knows.json")
    run = cda("transfer", "knows.json", "--x", "x.csv", "--y", "y.csv", "--target", "target", "--train-rows", 4, "--json")
    assert run.code == 3
    error = run.error()
    assert error["code"] == "transfer.column-in-model" and error["hint"] == "fit again with --exclude target"


@pytest.mark.parametrize("owner, other", ["xy", "yx"])
def test_the_hint_about_a_column_of_the_model_names_the_table_that_has_it(cda, fitted, owner, other):
    """An --exclude for both tables would be refused, since the other one has no such column."""
    names = {owner: "the target", other: "target"}
    for table, seed in (("x", 1), ("y", 2)):
        columns = side(100, seed)
        columns[names[table]] = columns.pop("target")
        write_csv(fitted / f"{table}.csv", columns)
    how = ["--exclude", "kind", "--method", "CDA_M", "--components", 1]
    assert cda("fit", "x.csv", "y.csv", *how, "-o", "knows.json").code == 0
    transfer = ["transfer", "knows.json", "--x", "x.csv", "--y", "y.csv", "--target", "the target", "--train-rows", 4]
    error = cda(*transfer, "--json").error()
    assert error["hint"] == f"fit again with --{owner}-exclude 'the target'"
    assert cda("fit", "x.csv", "y.csv", *how, f"--{owner}-exclude", "kind,the target", "-o", "m.json").code == 0


@pytest.mark.parametrize(
    "arguments, code, said",
    [
        ([], 2, "either --target COLUMN"),
        (["--target", "target", "--label", "kind"], 2, "either --target COLUMN"),
        (["--target", "targt"], 3, 'X has no column "targt"'),
        (["--target", "kind"], 3, "holds text"),
        (["--target", "target"], 2, "nothing to predict"),
        (["--target", "target", "--train-rows", "120"], 2, "cannot join the training"),
        (["--target", "target", "--train-rows", "-1"], 2, "--train-rows"),
        (["--target", "target", "--train-rows", "5", "--runs", "0"], 2, "--runs"),
        (["--target", "target", "--train-rows", "5", "-o", "out.csv"], 2, "writes no predictions"),
        (["--target", "target", "--train-rows", "1", "--target-units", "z"], 5, "z units need two labelled rows of Y"),
        (["--target", "target", "--target-units", "y"], 2, "unit of targets"),
        (["--target", "target", "-o", "out.npy"], 2, "written as CSV"),
        (["--target", "target", "-o", "x.csv"], 2, "x.csv"),
        (["--target", "target", "--missing", "drop-columns"], 2, "drop-columns"),
        (["--target", "target", "--index-column", "target"], 2, "cannot name the rows"),
    ],
)
def test_refuses_what_makes_no_sense(cda, fitted, arguments, code, said):
    before = {path.name: path.read_bytes() for path in fitted.iterdir()}
    run = cda("transfer", "m.json", "--x", "x.csv", "--y", "y.csv", *arguments)
    assert run.code == code and said in run.err, run.err
    assert run.out == "" and {path.name: path.read_bytes() for path in fitted.iterdir()} == before


def test_refuses_one_class_and_rows_without_labels(cda, fitted):
    columns = side(50, 4)
    write_csv(fitted / "one.csv", dict(columns, kind=["high"] * 50))
    run = cda("transfer", "m.json", "--x", "one.csv", "--y", "one.csv", "--label", "kind", "--train-rows", 5)
    assert run.code == 3 and "nothing to tell apart" in run.err
    write_csv(fitted / "none.csv", dict(columns, target=[None] * 50))
    run = cda("transfer", "m.json", "--x", "none.csv", "--y", "y.csv", "--target", "target", "--train-rows", 5)
    assert run.code == 3 and "no complete row of X" in run.err
    run = cda("transfer", "m.json", "--x", "x.csv", "--y", "none.csv", "--target", "target", "--train-rows", 5)
    assert run.code == 2 and "it has 0 labelled ones" in run.err
    json.loads((fitted / "m.json").read_text())
