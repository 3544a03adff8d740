"""Inputs and outputs: refused early, written whole or not at all, never confused."""
import json
import os
import signal
import subprocess
import time

import pytest
from conftest import COMMAND, listing, run_cda, start_cda, write_table

FAST = ["--method", "CDA_M", "--components", "1"]


def test_a_missing_input_is_exit_4(cda, tables):
    run = cda("fit", "x.csv", "nowhere.csv")
    assert run.code == 4
    assert "nowhere.csv" in run.err and "No such file" in run.err


def test_a_directory_as_input_is_exit_4(cda, tables):
    (tables / "folder").mkdir()
    assert cda("fit", "folder", "y.csv").code == 4
    assert cda("transform", "folder", "--x", "x.csv").code == 4


@pytest.mark.parametrize("output", ["nowhere/model.json", "folder"])
def test_an_output_that_cannot_be_written_is_refused_before_the_inputs_are_read(cda, tables, output):
    (tables / "folder").mkdir()
    (tables / "bad.csv").write_text("not,a\ntable\n")
    run = cda("fit", "bad.csv", "y.csv", "-o", output)
    assert run.code == 4, run.err  # 3 would mean that reading came first


@pytest.mark.parametrize("link", [None, os.symlink, os.link])
def test_an_output_that_is_an_input_is_refused(cda, tables, link):
    output = "x.csv"
    if link:
        link(tables / "x.csv", tables / "linked")
        output = "linked"
    before = listing(tables)
    run = cda("fit", "x.csv", "y.csv", "-o", output, *FAST)
    assert run.code == 2
    assert "also an input" in run.err
    assert listing(tables) == before


def test_a_model_is_not_overwritten_by_its_own_values(cda, tables):
    assert cda("fit", "x.csv", "y.csv", "-o", "model.json", *FAST).code == 0
    before = listing(tables)
    assert cda("transform", "model.json", "--x", "x.csv", "-o", "model.json").code == 2
    assert cda("transform", "model.json", "--x", "x.csv", "-o", "x.csv").code == 2
    assert listing(tables) == before


@pytest.mark.parametrize(
    "arguments",
    [
        ["fit", "x.csv", "y.csv", *FAST, "-o", "o.json", "--report", "./o.json"],
        ["fit", "x.csv", "y.csv", *FAST, "-o", "linked", "--report", "folder/../folder/new"],
        ["fit", "x.csv", "y.csv", *FAST, "-o", "/dev/stdout", "--report", "/dev/fd/1"],
        ["cluster", "x.csv", "-o", "c", "--candidates", "c"],
        ["cluster", "x.csv", "-o", "c", "--report", "folder/../c"],
        ["cluster", "x.csv", "--candidates", "./c", "--report", "c"],
        ["experiment", "recovery", "--quick", "-o", "r", "--report", ".//r"],
    ],
    ids=" ".join,
)
def test_two_outputs_of_one_name_are_refused(cda, tables, arguments):
    """Also where nothing is there yet, and before the inputs are read: one of them would be lost."""
    (tables / "folder").mkdir()
    os.symlink("folder/new", tables / "linked")
    for name in ("x.csv", "y.csv"):
        (tables / name).write_text("no,table\nat all\n")
    before = listing(tables)
    run = cda(*arguments, "--json")
    assert run.code == 2 and listing(tables) == before
    assert run.error()["code"] == "io.same-output"


@pytest.mark.parametrize(
    "arguments, option",
    [
        (["fit", "x.csv", "y.csv", *FAST, "-o", ""], "--output"),
        (["fit", "x.csv", "y.csv", *FAST, "--report", ""], "--report"),
        (["cluster", "x.csv", "-o", ""], "--output"),
        (["cluster", "x.csv", "--candidates", ""], "--candidates"),
        (["match", "x.csv", "y.csv", "-o", ""], "--output"),
        (["experiment", "recovery", "--quick", "-o", ""], "--output"),
        (["transform", "m.json", "--x", "x.csv", "-o", ""], "--output"),
        (["transfer", "m.json", "--x", "x.csv", "--y", "y.csv", "--target", "t", "-o", ""], "--output"),
        (["score", "m.json", "--x", "x.csv", "--y", "y.csv", "--paired", "-o", ""], "--output"),
        (["score", "m.json", "--x", "x.csv", "--y", "y.csv", "--paired", "--label", ""], "--label"),
        (["synth", "linear", "-o", ""], "--output"),
        (["fit", "x.csv", "y.csv", *FAST, "--x-index-column", ""], "--x-index-column"),
    ],
)
def test_an_empty_text_is_not_an_option_that_was_left_out(cda, tables, arguments, option):
    before = listing(tables)
    run = cda(*arguments)
    assert run.code == 2 and run.out == ""
    assert f"{option} is followed by an empty text" in run.err
    assert listing(tables) == before


@pytest.mark.parametrize("name, says", [("o.npy", "written as CSV"), ("o.parquet", ""), ("o.csv.gz", "compressed"), ("o.xlsx", "spreadsheet")])
@pytest.mark.parametrize(
    "arguments",
    [
        ["nearest", "m.json", "--x", "x.csv", "--y", "y.csv"],
        ["transfer", "m.json", "--x", "x.csv", "--y", "y.csv", "--target", "t"],
        ["match", "x.csv", "y.csv"],
        ["cluster", "x.csv"],
    ],
    ids=lambda arguments: arguments[0],
)
def test_csv_is_not_written_under_the_name_of_another_format(cda, tables, arguments, name, says):
    before = listing(tables)
    run = cda(*arguments, "-o", name)
    assert run.code == 2 and run.out == "" and says in run.err, run.err
    assert listing(tables) == before


def test_a_failed_fit_leaves_an_older_model_alone(cda, tables):
    (tables / "model.json").write_text("older")
    (tables / "constant.csv").write_text("a,b\n" + "1,2\n" * 20)
    run = cda("fit", "constant.csv", "y.csv", "-o", "model.json", *FAST)
    assert run.code == 5
    assert (tables / "model.json").read_text() == "older"
    assert sorted(path.name for path in tables.iterdir()) == ["constant.csv", "model.json", "x.csv", "y.csv"]


def test_without_an_output_no_model_is_kept_and_that_is_said(cda, tables):
    before = listing(tables)
    run = cda("fit", "x.csv", "y.csv", *FAST)
    assert run.code == 0
    assert "-o model.json" in run.out
    assert listing(tables) == before


def test_a_model_on_standard_output_is_the_model_and_nothing_else(cda, tables):
    assert cda("fit", "x.csv", "y.csv", "-o", "model.json", *FAST).code == 0
    run = cda("fit", "x.csv", "y.csv", "-o", "-", *FAST)
    assert run.code == 0
    assert run.out == (tables / "model.json").read_text()
    assert "pair 1" in run.err


def test_one_table_from_standard_input_gives_the_same_model(cda, tables):
    assert cda("fit", "x.csv", "y.csv", "-o", "a.json", *FAST).code == 0
    run = cda("fit", "-", "y.csv", "-o", "b.json", *FAST, stdin=(tables / "x.csv").read_text())
    assert run.code == 0, run.err
    models = [json.loads((tables / name).read_text()) for name in ("a.json", "b.json")]
    for model in models:  # all but what the table is called, and the hash of a file there was none of
        del model["sha256"], model["summary"]["x"]["name"], model["summary"]["x"]["sha256"]
    assert models[0] == models[1]


def test_the_same_file_twice_is_a_warning(cda, tables):
    run = cda("fit", "x.csv", "x.csv", *FAST)
    assert run.code == 0
    assert "same file" in run.err
    assert cda("fit", "x.csv", "x.csv", "--strict", "-o", "model.json", *FAST).code == 5
    assert not (tables / "model.json").exists()


def test_a_full_or_closed_standard_output_is_exit_4(cda, tables):
    with open("/dev/full", "w") as full:
        for arguments in (["list"], ["--help"], ["fit", "x.csv", "y.csv", *FAST]):
            finished = subprocess.run([COMMAND, *arguments], cwd=tables, stdout=full, stderr=subprocess.PIPE, text=True)
            assert finished.returncode == 4, arguments
            assert "No space left on device" in finished.stderr
    # Known beforehand, so nothing is computed and no model is written.
    closed = subprocess.run(
        ["sh", "-c", '"$0" fit x.csv y.csv -o model.json >&-', COMMAND], cwd=tables, stderr=subprocess.PIPE, text=True
    )
    assert closed.returncode == 4
    assert "standard output" in closed.stderr
    assert not (tables / "model.json").exists()


def test_a_reader_that_leaves_early_ends_the_command_quietly(tables):
    finished = subprocess.run(
        ["bash", "-c", 'set -o pipefail; "$0" list --json | head -c 1', COMMAND], capture_output=True, text=True
    )
    assert finished.stderr == ""


def test_paths_with_odd_characters_work(cda, tables):
    odd = tables / "a b'\"[1]*\nc.csv"
    odd.write_bytes((tables / "x.csv").read_bytes())
    run = cda("fit", odd.name, "y.csv", *FAST)
    assert run.code == 0, run.err
    assert "\\u{a}" in run.out
    dashed = tables / "-x.csv"
    dashed.write_bytes((tables / "x.csv").read_bytes())
    assert cda("fit", *FAST, "--", "-x.csv", "y.csv").code == 0


def test_names_cannot_steer_the_terminal(cda, tables):
    write_table(tables / "evil.csv", ["a\x1b[31m", "b\u202e", "c"], 30, 5)
    run = cda("fit", "evil.csv", "y.csv", "-v", *FAST)
    assert run.code in (0, 3)  # a reader may refuse such names; showing them raw is what must not happen
    assert "\x1b" not in run.out + run.err and "\u202e" not in run.out + run.err


@pytest.mark.parametrize("number, code", [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_ends_the_work_within_a_second(tables, number, code):
    run_cda("synth", "nonlinear", "--n", "20000", "--k", "20000", "--m", "30", "--l", "30", "-o", "big", cwd=tables)
    before = sorted(os.listdir(tables))
    process = start_cda(
        "fit", "big/X.csv", "big/Y.csv", "--method", "rCDA_P", "--starts", 100000, "-o", "model.json", cwd=tables
    )
    time.sleep(1.0)
    assert process.poll() is None, "the work was over before it could be interrupted"
    asked = time.monotonic()
    process.send_signal(number)
    out, err = process.communicate(timeout=20)
    assert time.monotonic() - asked < 1.5  # one second, and slack for a busy machine
    assert process.returncode == code
    assert out == "" and "interrupted" in err
    assert sorted(os.listdir(tables)) == before
