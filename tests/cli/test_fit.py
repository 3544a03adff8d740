"""What `cda fit` promises about its result: keys, units, shapes, the same bytes again."""
import math

import numpy
import pytest
from conftest import METHODS, run_cda
from support.command import sanitised

PAIR_KEYS = [
    "x_weights", "x_intercept", "y_weights", "y_intercept", "x_direction", "y_direction", "x_norm", "y_norm", "scale",
    "x_loadings", "y_loadings", "divergence", "objective", "lower_bound", "agreement", "x_contrast", "y_contrast",
    "informative", "components", "agreement_all_columns", "x_kept", "y_kept", "converged", "stopped", "iterations",
    "evaluations", "alternatives", "seconds",
]  # fmt: skip

ROWS = (200, 180) if sanitised() else (1000, 900)


@pytest.fixture(scope="module")
def nonlinear(tmp_path_factory):
    """The paper's third kind of relation, at its size."""
    directory = tmp_path_factory.mktemp("nonlinear")
    run = run_cda("synth", "nonlinear", "--n", ROWS[0], "--k", ROWS[1], "--m", 7, "--l", 5, "-o", ".", cwd=directory)
    assert run.code == 0, run.err
    return directory


def read_columns(path):
    with open(path, encoding="utf-8") as file:
        names = file.readline().rstrip("\n").split(",")
        return names, numpy.loadtxt(file, delimiter=",", ndmin=2)


@pytest.fixture(scope="module")
def fits(nonlinear):
    """Each method fitted once, when first asked for."""
    done = {}

    def fitted(method):
        if method not in done:
            run = run_cda(
                "fit", "X.csv", "Y.csv", "--method", method, "--components", 4, "--threads", 1, "--json",
                "-o", f"{method}.json", cwd=nonlinear,
            )
            assert run.code == 0, run.err
            done[method] = run.json()
        return done[method]

    return fitted


@pytest.mark.parametrize("method", METHODS)
def test_the_json_has_the_keys_of_the_contract(fits, method):
    result = fits(method)
    assert list(result) == ["method", "options", "seed", "x", "y", "warnings", "pairs"]
    assert result["method"] == method and result["seed"] == 0
    assert list(result["x"]) == ["rows", "rank", "components", "described_rows", "columns", "encodings", "passes"]
    assert (result["x"]["rows"], len(result["x"]["columns"])) == (ROWS[0], 7)
    assert (result["y"]["rows"], len(result["y"]["columns"])) == (ROWS[1], 5)
    assert len(result["pairs"]) == 4
    for pair in result["pairs"]:
        assert list(pair) == PAIR_KEYS
        assert -1 <= pair["agreement"] <= 1
        assert list(pair["x_weights"]) == list(pair["x_loadings"]) == result["x"]["columns"]
        assert list(pair["y_weights"]) == list(pair["y_loadings"]) == result["y"]["columns"]
        assert math.isfinite(pair["divergence"])
        assert all(abs(value) <= 1 + 1e-9 for value in pair["x_loadings"].values())


@pytest.mark.parametrize("method", METHODS)
def test_every_pair_converges_and_says_why_it_stopped(fits, method):
    for pair in fits(method)["pairs"]:
        assert pair["converged"] is True, pair["stopped"]
        assert pair["stopped"]


@pytest.mark.parametrize("method", METHODS)
def test_directions_are_unit_vectors_and_orthogonal_where_the_method_demands_it(fits, method):
    pairs = fits(method)["pairs"]
    for side in ("x", "y"):
        directions = numpy.array([pair[f"{side}_direction"] for pair in pairs])
        gram = directions @ directions.T
        assert numpy.allclose(numpy.diag(gram), 1.0, atol=1e-9)
        if "rCDA" not in method:  # reconstruction leaves norms and angles free
            assert numpy.allclose(gram, numpy.eye(len(pairs)), atol=1e-8)
            assert all(abs(pair[f"{side}_norm"] - 1.0) < 1e-12 for pair in pairs)
        else:
            assert all(pair[f"{side}_norm"] > 0.0 for pair in pairs)


@pytest.mark.slow
@pytest.mark.parametrize("method", METHODS)
def test_the_model_is_the_same_bytes_for_any_number_of_threads(fits, nonlinear, method):
    fits(method)
    first = (nonlinear / f"{method}.json").read_bytes()
    for threads in (2, 3):
        name = f"{method}-{threads}.json"
        run = run_cda(
            "fit", "X.csv", "Y.csv", "--method", method, "--components", 4, "--threads", threads, "--quiet",
            "-o", name, cwd=nonlinear,
        )
        assert run.code == 0 and run.out == "", run.err
        assert (nonlinear / name).read_bytes() == first, f"{threads} threads"


@pytest.mark.parametrize("method", METHODS)
def test_transform_gives_intercept_plus_weights_times_columns(fits, nonlinear, method):
    result = fits(method)
    for side in ("x", "y"):
        names, values = read_columns(nonlinear / f"{side.upper()}.csv")
        run = run_cda("transform", f"{method}.json", f"--{side}", f"{side.upper()}.csv", "-o", "out.csv", cwd=nonlinear)
        assert run.code == 0, run.err
        header, projected = read_columns(nonlinear / "out.csv")
        assert header == ["pair1", "pair2", "pair3", "pair4"]
        assert projected.shape == (len(values), 4)
        for number, pair in enumerate(result["pairs"]):
            weights = numpy.array([pair[f"{side}_weights"][name] for name in names])
            expected = pair[f"{side}_intercept"] + values @ weights
            scale = numpy.abs(values) @ numpy.abs(weights) + abs(pair[f"{side}_intercept"])
            assert numpy.all(numpy.abs(projected[:, number] - expected) <= 1e-11 * scale)


def test_a_method_may_be_written_in_any_case(nonlinear):
    run = run_cda("fit", "X.csv", "Y.csv", "--method", "cda_m", "--components", 1, "--json", cwd=nonlinear)
    assert run.json()["method"] == "CDA_M"


def test_cda_m_comes_with_a_bound_it_attains(fits):
    for pair in fits("CDA_M")["pairs"]:
        assert "lower_bound" in pair
        assert pair["objective"] <= pair["lower_bound"] + 1e-8 * max(1.0, abs(pair["lower_bound"]))


def test_the_paper_to_the_letter_collapses_and_that_is_said(nonlinear):
    run = run_cda(
        "fit", "X.csv", "Y.csv", "--method", "rCDA_M", "--as-published", "-o", "collapsed.json", cwd=nonlinear
    )
    assert run.code == 5, run.out
    assert "collapse" in run.err
    assert run.out == ""
    assert not (nonlinear / "collapsed.json").exists()


def test_options_in_force_are_recorded(nonlinear):
    run = run_cda(
        "fit", "X.csv", "Y.csv", "--method", "CDA_Q", "--divergence", "wasserstein", "--prepare", "standardise",
        "--scale", "1.5", "--components", 1, "--seed", 7, "--json", cwd=nonlinear,
    )
    assert run.code == 0, run.err
    result = run.json()
    assert result["seed"] == 7
    text = " ".join(map(str, result["options"].values()))
    assert "wasserstein" in text and "standardise" in text and "1.5" in text
    assert result["pairs"][0]["scale"] == 1.5


def test_preparations_are_the_same_however_they_are_written(nonlinear):
    def model(*prepare):
        arguments = [word for part in prepare for word in ("--prepare", part)]
        run = run_cda("fit", "X.csv", "Y.csv", "--method", "CDA_M", "--components", 1, *arguments, "-o", "-", cwd=nonlinear)
        assert run.code == 0, run.err
        return run.out

    assert model("standardise", "pca:3") == model("standardise+pca:3") == model("standardise pca:3")
    assert model("standardise") != model("minmax")


def test_too_few_iterations_is_a_warning_and_with_strict_exit_5(cda, tables):
    limited = ["fit", "x.csv", "y.csv", "--method", "CDA_Q", "--components", "1", "--max-iterations", "1",
               "--tolerance", "0", "--decrease-tolerance", "0"]  # fmt: skip
    result = cda(*limited, "--json").json()
    assert result["pairs"][0]["converged"] is False
    assert result["warnings"]
    run = cda(*limited)
    assert run.code == 0 and "NOT converged" in run.out and "warning" in run.err
    strict = cda(*limited, "--strict", "-o", "model.json")
    assert strict.code == 5 and strict.out == ""
    assert not (tables / "model.json").exists()


def test_a_constant_column_is_set_aside_with_weight_zero(cda, tables):
    lines = (tables / "x.csv").read_text().splitlines()
    (tables / "c.csv").write_text("\n".join([lines[0] + ",fixed"] + [line + ",3" for line in lines[1:]]) + "\n")
    result = cda("fit", "c.csv", "y.csv", "--method", "CDA_M", "--json").json()
    assert any("fixed" in warning for warning in result["warnings"])
    assert all(pair["x_weights"]["fixed"] == 0.0 for pair in result["pairs"])


def test_people_read_the_leading_columns_and_a_word_of_caution(cda, tables):
    run = cda("fit", "x.csv", "y.csv", "--method", "CDA_M", "-o", "model.json")
    assert run.code == 0
    assert "is no proof" in run.out and "cda test" in run.out
    assert "pair 1" in run.out and "pair 2" in run.out
    assert "model.json" in run.out
    assert "\x1b" not in run.out + run.err  # no colours and no progress bar off a terminal
    assert cda("fit", "x.csv", "y.csv", "--method", "CDA_M", "--quiet").out == ""


def test_missing_cells_are_refused_counted_or_handled_as_asked(cda, tables):
    lines = (tables / "x.csv").read_text().splitlines()
    lines[3] = ",".join(["NA"] + lines[3].split(",")[1:])
    (tables / "gap.csv").write_text("\n".join(lines) + "\n")
    fit = ["fit", "gap.csv", "y.csv", "--method", "CDA_M", "--json"]
    refused = cda(*fit)
    assert refused.code == 3 and "a" in refused.error()["message"]
    assert cda(*fit, "--missing", "drop-rows").json()["x"]["rows"] == 39
    assert cda(*fit, "--x-missing", "drop-columns").json()["x"]["columns"] == ["b", "c"]
    assert cda(*fit, "--missing", "mean").json()["x"]["rows"] == 40
    assert cda(*fit, "--y-missing", "mean").code == 3  # the other side's option


def test_reading_options_apply_to_both_sides_or_to_one(cda, tables):
    fit = ["fit", "x.csv", "y.csv", "--method", "CDA_M", "--json"]
    result = cda(*fit, "--x-exclude", "a", "--y-only", "e").json()
    assert result["x"]["columns"] == ["b", "c"] and result["y"]["columns"] == ["e"]
    assert cda(*fit, "--x-only", "c,b").json()["x"]["columns"] in (["c", "b"], ["b", "c"])
    run = cda(*fit, "--exclude", "a")  # Y has no such column
    assert run.code == 2 and run.error()["file"] == "y.csv" and "for X alone: --x-exclude" in run.error()["hint"]
    assert "alone" not in cda(*fit, "--y-exclude", "f").error()["hint"]


@pytest.mark.parametrize(
    "asked",
    [
        "--method cCDA --max-iterations 5",
        "--method cCDA --tolerance 0.1",
        "--method cCDA --decrease-times 3",
        "--method cCDA --block-length 4",
        "--method iCDA --as-published",
        "--method CDA_Q --few-valued keep",
        "--method CDA_M --starts 4",
        "--method CDA_M --refined 2",
        "--method CDA_M --scouting-rows 100",
    ],
)
def test_an_option_that_would_do_nothing_is_refused(nonlinear, asked):
    words = asked.split()
    run = run_cda("fit", "X.csv", "Y.csv", *words, cwd=nonlinear)
    assert run.code == 2 and words[2] in run.err, run.err


def test_how_often_a_decrease_must_be_small_is_in_the_model(nonlinear):
    told = {}
    for times in ("1", "50"):
        run = run_cda("fit", "X.csv", "Y.csv", "--method", "rCDA_Q", "--pairs", "1", "--starts", "2", "--refined", "1",
                      "--decrease-times", times, "--json", cwd=nonlinear)  # fmt: skip
        assert run.code == 0, run.err
        told[times] = run.json()["options"]
    assert [told[times]["decrease_times"] for times in told] == ["1", "50"]
    assert told["1"]["pairs"] == "1"
