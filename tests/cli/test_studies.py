"""`cda experiment` is a program beside the command: what the command says where it is not there."""
import json
import pathlib
import shutil
import subprocess

import pytest
from conftest import COMMAND


@pytest.fixture(scope="module")
def alone(tmp_path_factory):
    """The command without what stands beside it."""
    program = tmp_path_factory.mktemp("alone") / "cda"
    shutil.copy(pathlib.Path(COMMAND).resolve(), program)
    return lambda *words: subprocess.run([program, *words], capture_output=True, text=True)


def test_it_is_missed_with_a_hint_how_to_add_it(alone):
    run = alone("experiment", "recovery", "--quick", "-o", "r.json")
    assert run.returncode == 2 and run.stdout == ""
    assert run.stderr.startswith("cda: error: the studies are not installed") and "scripts/add studies" in run.stderr
    error = json.loads(alone("experiment", "all", "--json").stderr)["error"]
    assert error["code"] == "studies.missing" and "scripts/add studies" in error["hint"]


@pytest.mark.parametrize("words", [["experiment", "--help"], ["man"], ["list", "experiments"]], ids=lambda words: words[0])
def test_what_tells_of_studies_is_short_and_says_what_is_missing(alone, words):
    run = alone(*words)
    assert run.returncode == 0 and run.stderr == ""
    assert "The studies are not installed (scripts/add studies)" in run.stdout.replace("\n", " ")
    assert "recovery:" not in run.stdout and "--runs" not in run.stdout


def test_lists_for_programs_are_empty_and_completion_knows_the_command_alone(alone):
    assert json.loads(alone("list", "experiments", "--json").stdout) == {"experiments": []}
    commands, studies = alone("__complete", ""), alone("__complete", "experiment", "")
    assert commands.returncode == 0 and "experiment\t" in commands.stdout
    assert studies.returncode == 0 and "thresholds" not in studies.stdout


def test_the_program_is_the_command_by_another_name():
    program = pathlib.Path(COMMAND).resolve().with_name("cda-experiment")
    for words in (["thresholds", "--quick", "--runs", "2", "--json"], ["recovry"], ["--help"]):
        of_both = [subprocess.run([*start, *words], capture_output=True) for start in ([COMMAND, "experiment"], [program])]
        assert len({(run.returncode, run.stdout, run.stderr) for run in of_both}) == 1
