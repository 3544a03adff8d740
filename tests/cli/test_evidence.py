"""`cda test`: what is planted is supported, what is not there is called so, and every figure has its key."""
import json
import signal
import time

import numpy
import pytest
from conftest import ROOT, run_cda, start_cda

BUILDINGS = [ROOT / "examples" / "buildings" / name for name in ("X.csv", "Y.csv")]
EVIDENCE_KEYS = {
    "p", "agreement", "agreement_held_out", "agreement_at_least", "divergence_held_out", "divergence_of_chance",
    "stability", "sign", "intervals", "verdict", "statement", "notes",
}  # fmt: skip


def write(path, values, prefix):
    names = ",".join(f"{prefix}{j + 1}" for j in range(values.shape[1]))
    numpy.savetxt(path, values, delimiter=",", header=names, comments="")


def smooth(draw, rows, columns):
    """Columns that follow each other in time, mixed, one of them in two groups."""
    noise = draw.normal(size=(rows + 50, columns))
    kernel = numpy.exp(-numpy.arange(50) / 10)
    values = numpy.column_stack([numpy.convolve(noise[:, j], kernel, "valid")[:rows] for j in range(columns)])
    values[:, 0] = numpy.where(values[:, 0] > 0, 4, -4) + 0.5 * draw.normal(size=rows)
    return values @ draw.normal(size=(columns, columns))


@pytest.fixture(scope="module")
def buildings(tmp_path_factory):
    directory = tmp_path_factory.mktemp("buildings")
    run = run_cda("test", *BUILDINGS, "--surrogates", 499, "--bootstrap", 39, "-o", "model.json", "--json", cwd=directory)
    assert run.code == 0, run.err
    return directory, run.json()


def test_what_drives_both_buildings_is_found_and_supported(buildings):
    _, result = buildings
    assert result["global"]["p"] <= 0.05
    assert (result["x"]["components"], result["y"]["components"]) == (3, 3)
    strongest = lambda loadings: max(loadings, key=lambda name: abs(loadings[name]))  # noqa: E731
    found = {(strongest(pair["x_loadings"]), strongest(pair["y_loadings"])): pair for pair in result["pairs"]}
    assert set(found) == {
        ("occupancy_percent", "ventilation_m3_per_h"),
        ("hot_water_litres", "water_litres"),
        ("heating_kWh", "heating_kWh"),
    }
    for pair in found.values():
        assert pair["verdict"] == "supported", pair["statement"]
        assert pair["p"] <= 0.05 and pair["agreement_held_out"] >= 0.8 and pair["stability"] >= 0.9
        assert "does not link individual rows" in pair["statement"]
    season = found["heating_kWh", "heating_kWh"]
    assert season["sign"] < 0.9 and any("cannot be determined" in note for note in season["notes"])
    assert any(other["kind"] == "mirrored" for other in season["alternatives"])


def test_the_json_has_the_keys_of_the_contract(buildings):
    _, result = buildings
    assert {"p", "test", "hypothesis", "statement", "surrogates", "bootstraps", "block_length"} == set(result["global"])
    for pair in result["pairs"]:
        assert EVIDENCE_KEYS <= set(pair)
        assert len(pair["null_quantiles"]) == 21 and pair["null_quantiles"] == sorted(pair["null_quantiles"])
        assert set(pair["intervals"]) == {"x_weights", "y_weights", "x_loadings", "y_loadings"}
        for side in ("x", "y"):
            for kind in ("weights", "loadings"):
                for name, (low, high) in pair["intervals"][f"{side}_{kind}"].items():
                    assert low <= high
                    spread = high - low
                    assert low - spread <= pair[f"{side}_{kind}"][name] <= high + spread


def test_the_model_keeps_the_evidence_and_still_transforms(buildings):
    directory, result = buildings
    assert '"evidence"' in (directory / "model.json").read_text()
    run = run_cda("transform", "model.json", "--x", BUILDINGS[0], cwd=directory)
    assert run.code == 0 and run.out.splitlines()[0] == "pair1,pair2,pair3"
    assert len(run.out.splitlines()) == 2001
    damaged = (directory / "model.json").read_text().replace('"supported"', '"proven"')
    (directory / "damaged.json").write_text(damaged)
    refused = run_cda("transform", "damaged.json", "--x", BUILDINGS[0], cwd=directory)
    assert refused.code == 3 and "verdict" in refused.err


def test_pure_noise_is_called_so(cda, tmp_path):
    draw = numpy.random.default_rng(5)
    write(tmp_path / "x.csv", draw.normal(size=(400, 5)) @ draw.normal(size=(5, 5)), "a")
    write(tmp_path / "y.csv", draw.normal(size=(300, 4)) @ draw.normal(size=(4, 4)), "b")
    result = cda("test", "x.csv", "y.csv", "--bootstrap", 9, "--json").json()
    assert result["global"]["p"] == 1
    assert [pair["verdict"] for pair in result["pairs"]] == ["no_evidence"]
    assert "bell curve" in result["pairs"][0]["statement"]
    text = cda("test", "x.csv", "y.csv", "--bootstrap", 9)
    assert text.code == 0 and "Nothing shared can be shown" in text.out


def test_unrelated_shapes_are_not_supported(cda, tmp_path):
    draw = numpy.random.default_rng(1)
    x, y = draw.normal(size=(500, 5)), draw.normal(size=(500, 5))
    x[:, 0] = draw.exponential(size=500)
    y[:, 0] = draw.uniform(-1.7, 1.7, size=500)
    write(tmp_path / "x.csv", x @ draw.normal(size=(5, 5)), "a")
    write(tmp_path / "y.csv", y @ draw.normal(size=(5, 5)), "b")
    result = cda("test", "x.csv", "y.csv", "--bootstrap", 19, "--json").json()
    assert (result["x"]["components"], result["y"]["components"]) == (1, 1)
    assert [pair["verdict"] for pair in result["pairs"]] == ["no_evidence"]
    assert result["pairs"][0]["p"] > 0.2


def test_the_evidence_does_not_depend_on_threads_or_the_order_of_rows(cda, tmp_path):
    assert cda("synth", "sources", "--n", 200, "--k", 150, "--m", 4, "--l", 3, "--shared", 2, "-o", ".").code == 0
    lines = (tmp_path / "X.csv").read_text().splitlines()
    (tmp_path / "turned.csv").write_text("\n".join([lines[0], *reversed(lines[1:])]) + "\n")
    test = ["--surrogates", 99, "--bootstrap", 9, "-o"]
    for name, more in {"one": ["X.csv", "--threads", 1], "two": ["X.csv", "--threads", 2], "turned": ["turned.csv"]}.items():
        assert cda("test", more[0], "Y.csv", *more[1:], *test, f"{name}.json").code == 0
    assert (tmp_path / "two.json").read_bytes() == (tmp_path / "one.json").read_bytes()
    one, turned = (json.loads((tmp_path / name).read_text()) for name in ("one.json", "turned.json"))
    for model in (one, turned):  # all but what the file itself is called and contains
        del model["sha256"], model["summary"]["x"]["name"], model["summary"]["x"]["sha256"]
    assert turned == one


def test_fit_gives_evidence_when_asked_for_it(cda, tables):
    plain = cda("fit", "x.csv", "y.csv", "--json").json()
    assert "global" not in plain and "p" not in plain["pairs"][0]
    asked = cda("fit", "x.csv", "y.csv", "--surrogates", 99, "--bootstrap", 0, "--json").json()
    assert 0 < asked["global"]["p"] <= 1 and asked["pairs"][0]["stability"] is None


def test_rows_that_follow_each_other_are_noticed_and_can_be_kept_in_blocks(cda, tmp_path):
    draw = numpy.random.default_rng(2)
    write(tmp_path / "x.csv", smooth(draw, 600, 4), "a")
    write(tmp_path / "y.csv", smooth(draw, 500, 3), "b")
    test = ["test", "x.csv", "y.csv", "--surrogates", 199, "--bootstrap", 19, "--json"]
    loose = cda(*test).json()
    assert any("--block-length" in warning for warning in loose["warnings"])
    blocked = cda(*test, "--block-length", 20).json()
    assert not any("--block-length" in warning for warning in blocked["warnings"])
    assert blocked["global"]["block_length"] == 20
    assert blocked["x"]["components"] <= loose["x"]["components"]


def test_few_columns_per_pair_and_what_they_cost(cda):
    result = cda("fit", *BUILDINGS, "--max-columns", 2, "--json").json()
    for pair in result["pairs"]:
        assert sum(weight != 0 for weight in pair["x_weights"].values()) <= 2
        assert sum(weight != 0 for weight in pair["y_weights"].values()) <= 2
        assert pair["agreement_all_columns"] <= 1 and 0 < pair["x_kept"] <= 1
    text = cda("fit", *BUILDINGS, "--max-columns", 2)
    assert "few columns: agreement" in text.out


@pytest.mark.parametrize(
    "arguments, code",
    [
        (["--refine", "sometimes"], "option.value"),
        (["--few-valued", "maybe"], "option.value"),
        (["--null", "nothing"], "option.value"),
        (["--surrogates", "-1"], "option.value"),
        (["--bootstrap", "x"], "option.value"),
        (["--block-length", "0"], "option.value"),
        (["--max-columns", "0"], "option.value"),
        (["--prepare", "minmax"], "option.prepare"),
        (["--scale", "lemma"], "option.scale"),
        (["--method", "CDA_Q", "--refine", "joint"], "option.refine"),
        (["--method", "CDA_Q", "--null", "components"], "option.null"),
    ],
)
def test_requests_that_make_no_sense_are_refused(cda, tables, arguments, code):
    run = cda("test", "x.csv", "y.csv", *arguments, "--json")
    assert run.code == 2 and run.error()["code"] == code


@pytest.mark.slow
def test_it_stops_when_interrupted(tmp_path):
    running = start_cda(
        "test", *BUILDINGS, "--surrogates", 9999, "--bootstrap", 9999, "-o", tmp_path / "model.json"
    )  # fmt: skip
    time.sleep(3)
    running.send_signal(signal.SIGINT)
    asked = time.monotonic()
    running.communicate(timeout=60)
    assert running.returncode == 130
    assert time.monotonic() - asked < 20  # a second, on a machine that is not busy
    assert not (tmp_path / "model.json").exists()
