"""The package and the command are one: what they write is the same, byte for byte."""
import json

import numpy as np
import pandas
import pytest

import cda
from conftest import BUILDINGS

FILES = BUILDINGS / "X.csv", BUILDINGS / "Y.csv"


def model_in(path):
    """A model file as it is, without what the command alone knows: which files it read, and which of their columns."""
    text = path.read_text(encoding="utf-8")
    model = json.loads(text)
    if "summary" not in model:
        return text
    for side in ("x", "y"):
        for fact in ("name", "sha256"):
            del model["summary"][side][fact]
    del model["sha256"]  # of all of it
    for option in ("x_only", "y_only"):
        model["options"].pop(option, None)
    return json.dumps(model)


@pytest.mark.filterwarnings("ignore::cda.Warning")
@pytest.mark.parametrize(
    "parameters, options",
    [
        ({}, []),
        ({"n_components": 2, "method": "CDA_Q"}, ["--components", "2", "--method", "CDA_Q"]),
        ({"n_components": 1, "method": "rCDA_M"}, ["--components", "1", "--method", "rCDA_M"]),
        ({"n_components": 2, "method": "mCDA_P", "starts": 1, "refined": 1, "scouting_rows": 100, "max_iterations": 5},
         "--components 2 --method mCDA_P --starts 1 --refined 1 --scouting-rows 100 --max-iterations 5".split()),
        ({"max_columns": 2, "random_state": 7}, ["--max-columns", "2", "--seed", "7"]),
        ({"refine": "joint", "few_valued": "keep"}, ["--refine", "joint", "--few-valued", "keep"]),
        (
            {
                "n_components": 1,
                "method": "CDA_M",
                "divergence": "energy",
                "optimiser": "lbfgs",
                "prepare": ["standardise", "pca:3"],
                "scale": 1.5,
                "tolerance": 1e-5,
                "decrease_tolerance": 1e-6,
                "max_iterations": 50,
            },
            "--components 1 --method CDA_M --divergence energy --optimiser lbfgs --prepare standardise+pca:3 --scale 1.5 "
            "--tolerance 1e-5 --decrease-tolerance 1e-6 --max-iterations 50".split(),
        ),
        ({"n_components": 1, "method": "CDA_Q", "as_published": True, "starts": 1, "refined": 1, "max_iterations": 2,
          "scouting_rows": 100},
         "--components 1 --method CDA_Q --as-published --starts 1 --refined 1 --max-iterations 2 --scouting-rows 100".split()),
        ({"n_components": 2, "method": "TCA:kernel=rbf"}, None),
        ({"n_components": 2, "method": "PCA"}, ["--components", "2", "--method", "PCA"]),
    ],
)
def test_a_fit_is_the_commands_fit(parameters, options, command, buildings, tmp_path):
    if options is None:  # needs equal columns
        common = ["electricity_kWh", "heating_kWh"]
        parts = [frame[[name for name in frame.columns if name in common]] for frame in buildings]  # in the files' order
        model = cda.fit(*parts, **parameters)
        options = ["--components", "2", "--method", "TCA:kernel=rbf", "--only", ",".join(common)]
    else:
        model = cda.fit(*buildings, **parameters)
    model.save(tmp_path / "python.json")
    command("fit", *FILES, *options, "-o", tmp_path / "command.json", "-q")
    assert model_in(tmp_path / "python.json") == model_in(tmp_path / "command.json")


def test_the_evidence_is_the_commands_evidence(command, tmp_path):
    command("synth", "sources", "--n", 200, "--k", 150, "--shared", 2, "-o", tmp_path)
    x, y, truth = cda.synthesise("sources", n=200, k=150, shared=2)
    frames = pandas.DataFrame(x, columns=truth["x_names"]), pandas.DataFrame(y, columns=truth["y_names"])
    model = cda.CDA(block_length=2).fit(*frames)
    evidence = model.test(*frames, surrogates=49, bootstrap=39)
    model.save(tmp_path / "python.json")
    command("test", tmp_path / "X.csv", tmp_path / "Y.csv", "--surrogates", 49, "--bootstrap", 39, "--block-length", 2, "-o",
            tmp_path / "command.json", "-q")
    assert model_in(tmp_path / "python.json") == model_in(tmp_path / "command.json")
    told = json.loads((tmp_path / "command.json").read_text())["evidence"]
    assert evidence.global_p == told["global_p"]
    assert [pair.p for pair in evidence.pairs] == [pair["p"] for pair in told["pairs"]]
    with_intervals = [i for i, pair in enumerate(told["pairs"]) if "intervals" in pair]
    assert with_intervals
    for i in with_intervals:
        for name, limits in told["pairs"][i]["intervals"].items():
            np.testing.assert_array_equal(evidence.pairs[i].intervals[name], limits)


def test_each_maps_rows_by_the_others_model(command, buildings, tmp_path):
    x, y = buildings
    command("fit", *FILES, "-o", tmp_path / "model.json", "-q")
    model = cda.load(tmp_path / "model.json")
    for side, frame, mapped in (("--x", FILES[0], model.transform(x)), ("--y", FILES[1], model.transform_y(y))):
        command("transform", tmp_path / "model.json", side, frame, "-o", tmp_path / "mapped.csv")
        written = pandas.read_csv(tmp_path / "mapped.csv", float_precision="round_trip")
        pandas.testing.assert_frame_equal(written, mapped, check_exact=True)


def test_matches_are_the_commands(command, buildings):
    told = json.loads(command("match", *FILES, "--json"))
    found = cda.match(*buildings)
    assert [(one["x"], one["y"], one["similarity"]) for one in told["matches"]] == [
        (one.x, one.y, one.similarity) for one in found.matches
    ]
    assert len(found.to_frame()) == len(found.matches)


def test_clusters_are_the_commands(command, buildings):
    x, _ = buildings
    labels = ["warm" if value > x["outdoor_temperature_C"].median() else "cold" for value in x["outdoor_temperature_C"]]
    told = json.loads(command("cluster", FILES[0], "--no-comparison", "--selection", "repaired", "--clusters", 3, "--json"))
    found = cda.cluster(x, labels, selection="repaired", n_clusters=3)
    assert [(one["columns"], one["rows"], one["density"], one["why"]) for one in told["clusters"]] == [
        (one.columns, one.rows.tolist(), one.density, one.why) for one in found.clusters
    ]
    assert (told["coverage"], told["candidates"], told["f1"]) == (found.coverage, found.candidates, None)
    assert found.membership().any(axis=1).mean() == pytest.approx(found.coverage)
    assert found.f1 > found.null_f1 and 0 < found.baseline_f1 < 1
    assert len(found.to_frame()) == len(found.clusters) == 3
    with pytest.raises(cda.InputError, match="one class for each"):
        cda.cluster(x, labels[1:])
    with pytest.raises(cda.UsageError, match="plain"):
        cda.cluster(x, selection="plane")


@pytest.mark.filterwarnings("ignore::cda.Warning")
def test_scores_and_errors_of_transfer_are_the_commands(command, buildings, tmp_path):
    x, y = buildings
    target = "electricity_kWh"
    model = cda.fit(x.drop(columns=target), y.drop(columns=target))
    model.save(tmp_path / "maps.json")
    told = json.loads(
        command("transfer", tmp_path / "maps.json", "--x", FILES[0], "--y", FILES[1], "--target", target, "--target-units",
                "z", "--train-rows", 20, "--runs", 3, "--json")
    )
    arguments = model, x.drop(columns=target), y.drop(columns=target), x[target], y[target]
    found = cda.evaluate_transfer(*arguments, units="z", train_rows=20, runs=3)
    for name, errors in found.items():
        assert list(errors) == told["errors"][name]["runs"], name

    half = len(y) // 2
    x_label, y_label = (["high" if value > one.median() else "low" for value in one] for one in (x[target], y[target]))
    x.assign(label=x_label).drop(columns=target).to_csv(tmp_path / "x.csv", index=False)
    y.assign(label=y_label).drop(columns=target).to_csv(tmp_path / "y.csv", index=False)
    told = json.loads(
        command("score", tmp_path / "maps.json", "--x", tmp_path / "x.csv", "--y", tmp_path / "y.csv", "--label", "label",
                "--json")
    )
    scored = cda.score(*arguments[:3], x_labels=x_label, y_labels=y_label)
    for way in ("x_to_y", "y_to_x"):
        expected = told["label_transfer"][way]
        assert scored["label_transfer"][way]["accuracy"] == pytest.approx(expected["accuracy"], abs=1e-12)
        assert scored["label_transfer"][way]["pca"]["accuracy"] == pytest.approx(expected["pca"]["accuracy"], abs=1e-12)

    known = np.asarray(y_label, dtype=object)
    known[half:] = None
    predicted = cda.transfer(*arguments[:3], x_label, known)
    y.assign(label=known).drop(columns=target).to_csv(tmp_path / "some.csv", index=False)
    command("transfer", tmp_path / "maps.json", "--x", tmp_path / "x.csv", "--y", tmp_path / "some.csv", "--label", "label",
            "-o", tmp_path / "predicted.csv")
    written = pandas.read_csv(tmp_path / "predicted.csv")
    assert list(written.iloc[half:, -1]) == list(predicted[half:])


def test_tables_that_are_made_are_the_commands(command, tmp_path):
    command("synth", "sources", "--n", 50, "--k", 40, "--shared", 2, "--own", 1, "--seed", 5, "-o", tmp_path)
    x, y, truth = cda.synthesise("sources", n=50, k=40, shared=2, own=1, seed=5)
    for values, names, file in ((x, truth["x_names"], "X.csv"), (y, truth["y_names"], "Y.csv")):
        written = pandas.read_csv(tmp_path / file, float_precision="round_trip")
        assert list(written.columns) == names
        np.testing.assert_array_equal(written.to_numpy(), values)
    assert json.loads((tmp_path / "truth.json").read_text())["sources"] == truth["sources"]
