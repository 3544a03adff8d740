"""What `cda score` promises: figures by their definitions, beside principal components and chance."""
import json

import numpy
import pytest
from test_transfer import write_csv


@pytest.fixture
def paired(cda, tmp_path):
    """The same 150 things seen by two instruments, with a class, and a model of both."""
    draw = numpy.random.default_rng(5)
    a, b = draw.exponential(size=150), draw.uniform(size=150)
    noise = lambda: 0.05 * draw.normal(size=150)  # noqa: E731
    kind = numpy.where(a > 0.7, "big", "small")
    write_csv(tmp_path / "x.csv", {"a": a + noise(), "b": b + noise(), "c": draw.normal(size=150), "kind": kind})
    write_csv(tmp_path / "y.csv", {"p": 2 * a + b + noise(), "q": a - 3 * b + noise(), "kind": kind})
    run = cda("fit", "x.csv", "y.csv", "--exclude", "kind", "--method", "iCDA", "--components", 2, "-o", "m.json")
    assert run.code == 0, run.err
    return tmp_path


def scored(cda, *arguments, model="m.json"):
    run = cda("score", model, "--x", "x.csv", "--y", "y.csv", *arguments, "--json")
    assert run.code == 0, run.err
    return run.json()


def mapped(cda, directory):
    for side in "xy":
        assert cda("transform", "m.json", f"--{side}", f"{side}.csv", "--exclude", "kind", "-o", f"z{side}.csv").code == 0
    return [numpy.loadtxt(directory / f"z{side}.csv", delimiter=",", skiprows=1) for side in "xy"]


def test_partners_are_scored_as_defined(cda, paired):
    found = scored(cda, "--paired", "--exclude", "kind")["foscttm"]
    assert list(found) == ["x_to_y", "y_to_x", "mean", "chance", "pca"] and found["chance"] == 0.5
    x, y = mapped(cda, paired)
    distances = ((x[:, None] - y[None]) ** 2).sum(2)
    own = numpy.diag(distances)
    assert found["x_to_y"] == pytest.approx((distances < own[:, None]).sum() / (150 * 149), abs=1e-12)
    assert found["y_to_x"] == pytest.approx((distances < own[None]).sum() / (150 * 149), abs=1e-12)
    assert found["mean"] == pytest.approx((found["x_to_y"] + found["y_to_x"]) / 2)
    assert list(found["pca"]) == ["x_to_y", "y_to_x", "mean"] and 0 <= found["pca"]["mean"] <= 1


def test_labels_are_voted_on_by_five_neighbours(cda, paired):
    found = scored(cda, "--label", "kind")["label_transfer"]
    assert (found["column"], found["classes"], found["neighbours"]) == ("kind", ["big", "small"], 5)
    x, y = mapped(cda, paired)
    kind = numpy.array([line.split(",")[-1] for line in (paired / "x.csv").read_text().splitlines()[1:]])
    for key, rows, others in [("x_to_y", y, x), ("y_to_x", x, y)]:
        nearest = ((rows[:, None] - others[None]) ** 2).sum(2).argsort(1)[:, :5]
        big = (kind[nearest] == "big").sum(1) >= 3
        truth = kind == "big"
        assert found[key]["accuracy"] == pytest.approx((big == truth).mean(), abs=1e-12)
        assert found[key]["chance"] == pytest.approx(
            big.mean() * truth.mean() + (1 - big.mean()) * (1 - truth.mean()), abs=1e-12
        )
        assert found[key]["majority"] == pytest.approx(max(truth.mean(), 1 - truth.mean()), abs=1e-12)
        assert list(found[key]["pca"]) == ["accuracy", "chance"] and found[key]["rows"] == 150


def test_directions_are_compared_with_the_truth(cda, tmp_path):
    assert cda("synth", "sources", "--shared", 2, "--n", 1500, "--k", 1200, "--seed", 3, "-o", ".").code == 0
    model = cda("fit", "X.csv", "Y.csv", "--components", 2, "-o", "m.json", "--json").json()
    run = cda("score", "m.json", "--x", "X.csv", "--y", "Y.csv", "--truth", "truth.json", "--json")
    assert run.code == 0, run.err
    truth = json.loads((tmp_path / "truth.json").read_text())
    for side, found in run.json()["subspace"].items():
        basis = numpy.linalg.qr(numpy.array(truth[f"{side}_directions"]).T)[0]
        weights = numpy.array([list(pair[f"{side}_weights"].values()) for pair in model["pairs"]])
        own = numpy.linalg.qr(weights.T)[0]
        m = basis.shape[0]
        distance = numpy.linalg.norm(basis @ basis.T - own @ own.T)
        assert found["error"] == pytest.approx(distance / numpy.sqrt(2 * min(2, m - 2)), rel=1e-9)
        cosine = numpy.linalg.svd(basis.T @ own)[1].min()
        assert found["largest_angle"] == pytest.approx(numpy.degrees(numpy.arccos(cosine)), abs=1e-4)
        assert found["error"] < 0.3 < found["chance"]["error"]
        assert (found["columns"], found["true_directions"]) == (m, 2)
        assert list(found["pca"]) == ["error", "largest_angle"]


def test_text_shows_every_figure_beside_pca_and_chance(cda, paired):
    run = cda("score", "m.json", "--x", "x.csv", "--y", "y.csv", "--paired", "--label", "kind", "-o", "scores.json")
    assert run.code == 0, run.err
    assert run.out.splitlines()[0].split() == ["iCDA", "PCA", "chance"]
    for said in ["FOSCTTM, mean", "labels of Y by X", "labels of X by Y", "0 is perfect", "whitened principal components"]:
        assert said in run.out, said
    written = json.loads((paired / "scores.json").read_text())
    assert written == scored(cda, "--paired", "--label", "kind")
    assert f"{written['foscttm']['mean']:.3f}" in run.out


def test_the_same_bytes_on_any_number_of_threads(cda, paired):
    arguments = ["--paired", "--label", "kind"]
    assert scored(cda, *arguments, "--threads", 1) == scored(cda, *arguments, "--threads", 3)


@pytest.mark.parametrize(
    "arguments, code, said",
    [
        ([], 2, "something that is known"),
        (["--label", "kinds"], 3, 'X has no column "kinds"'),
        (["--label", "a"], 3, "among those of X that the model was fitted on"),
        (["--paired", "--neighbours", "0"], 2, "--neighbours"),
        (["--truth", "no.json"], 4, "no.json"),
        (["--truth", "x.csv"], 3, "x.csv:1:1: this is not a file of true directions"),
        (["--truth", "empty.json"], 3, "/x_directions"),
        (["--truth", "other.json"], 3, "the truth is about 2 and 2 columns, the model about 3 and 2"),
        (["--truth", "ragged.json"], 3, "/x_directions/1"),
        (["--paired", "-o", "-", "--json"], 2, "standard output"),
    ],
)
def test_refuses_what_makes_no_sense(cda, paired, arguments, code, said):
    (paired / "empty.json").write_text("{}")
    (paired / "other.json").write_text('{"x_directions": [[1, 0]], "y_directions": [[1, 0]]}')
    (paired / "ragged.json").write_text('{"x_directions": [[1, 0, 0], [1]], "y_directions": [[1, 0]]}')
    run = cda("score", "m.json", "--x", "x.csv", "--y", "y.csv", *arguments)
    assert run.code == code and said in run.err, run.err
    assert run.out == ""


def test_paired_tables_have_as_many_rows(cda, paired):
    lines = (paired / "y.csv").read_text().splitlines()
    (paired / "short.csv").write_text("\n".join(lines[:-1]) + "\n")
    run = cda("score", "m.json", "--x", "x.csv", "--y", "short.csv", "--paired", "--json", "--exclude", "kind")
    assert run.code == 3 and "X has 150 rows and Y has 149" in run.error()["message"]
    write_csv(paired / "one.csv", {"p": [1, 2, 3], "q": [3, 1, 2], "kind": ["", "", ""]})
    run = cda("score", "m.json", "--x", "x.csv", "--y", "one.csv", "--label", "kind")
    assert run.code == 3 and "no complete row of Y" in run.err
