"""X07: however one of several ranks ends, all end, soon, with one message and the right exit code, and nothing is written.

The promise is ten seconds. A loaded machine may take longer to start anything at all, so the tests print what it took."""
import os
import signal
import time

import pytest
from rows import row
from support.command import listing, write_table
from support.ranks import LAUNCHERS

FIT = ["fit", "x.csv", "y.csv", "--method", "CDA_Q", "-o", "model.json"]
LONG = [  # enough to be met at work
    "--scouting-rows", "0", "--starts", "100000", "--threads", "1",
]


@pytest.fixture(params=LAUNCHERS, ids=lambda launcher: launcher.name)
def launcher(request, sanitised):
    if request.param.missing():
        pytest.skip(request.param.missing())
    if sanitised:
        pytest.skip("a sanitizer sees what MPI itself leaves behind")
    return request.param


@pytest.fixture
def place(tmp_path):
    write_table(tmp_path / "x.csv", ["a", "b", "c"], 400, 1)
    write_table(tmp_path / "y.csv", ["d", "e"], 300, 2)
    (tmp_path / "bad.csv").write_text("a,b,c\n1,2,3\n4,five,6\n")
    (tmp_path / "model.json").write_text("older")
    return tmp_path


def ended(launcher, place, *parts, env=None):
    """Runs it; whatever came, there is one message, no output, and every file is as it was."""
    before = listing(place)
    began = time.monotonic()
    run = launcher.run(*parts, cwd=place, env=env)
    print(f"{launcher.name}: ended after {time.monotonic() - began:.1f} s")
    assert run.out == ""
    assert run.err.count("cda: error:") == 1, run.err
    assert len(run.err.splitlines()) == 1, run.err
    assert listing(place) == before
    return run


@row("X07")
def test_x07_a_bad_file_on_every_rank(launcher, place):
    run = ended(launcher, place, (3, ["fit", "bad.csv", *FIT[2:]]))
    assert run.code == 3
    assert "bad.csv:3:2" in run.err


@row("X07")
def test_x07_a_bad_file_on_rank_1_alone(launcher, place):
    run = ended(launcher, place, (1, FIT), (1, ["fit", "bad.csv", *FIT[2:]]), (1, FIT))
    assert run.code == 3
    assert "bad.csv:3:2" in run.err


@row("X07")
def test_x07_a_file_that_rank_1_does_not_have(launcher, place):
    run = ended(launcher, place, (1, FIT), (1, ["fit", "nowhere.csv", *FIT[2:]]))
    assert run.code == 4
    assert "nowhere.csv" in run.err


@row("X07")
def test_x07_rank_1_runs_out_of_memory_in_the_middle(launcher, place, shim):
    """The others wait for it in a sum, and would do so for ever."""
    write_table(place / "x.csv", ["a", "b"], 40000, 1)
    request = ["fit", "x.csv", "y.csv", "--method", "CDA_Q", "--scouting-rows", "100", "-o", "model.json"]
    preload = [f"{name}={value}" for name, value in shim.env("malloc", at=100, fault="ENOMEM", least=100000).items()]
    run = ended(launcher, place, (1, request), (1, request, ["env", *preload]))
    assert shim.fired()
    assert run.code == 6


@row("X07")
def test_x07_rank_1_fails_when_the_others_are_done(launcher, place):
    """With --strict a warning is an error, here on rank 1 alone, after the fit: the others wait, and nothing is written."""
    lines = (place / "x.csv").read_text().splitlines()
    (place / "x.csv").write_text("\n".join([lines[0] + ",same"] + [line + ",1" for line in lines[1:]]) + "\n")
    request = ["fit", "x.csv", "y.csv", "--method", "CDA_M", "-o", "model.json"]
    run = ended(launcher, place, (1, request), (1, [*request, "--strict"]))
    assert run.code == 5
    assert "does not vary" in run.err


@row("X07")
def test_x07_numbers_without_an_answer(launcher, place):
    (place / "flat.csv").write_text("a\n" + "1\n" * 3000)
    assert ended(launcher, place, (2, ["fit", "flat.csv", *FIT[2:]])).code == 5


@row("X07")
def test_x07_an_output_that_rank_0_cannot_write(launcher, place):
    request = [*FIT[:-1], place / "missing" / "model.json"]
    assert ended(launcher, place, (2, request)).code == 4


@row("X07")
def test_x07_a_rank_that_is_killed(launcher, place):
    before = listing(place)
    job = launcher.start((3, [*FIT, *LONG]), cwd=place)
    victim = None
    while victim is None and job.poll() is None:
        time.sleep(0.2)
        victim = launcher.process_of(1, job)
    time.sleep(1.0)
    assert job.poll() is None
    began = time.monotonic()
    os.kill(victim, signal.SIGKILL)
    out, err = job.communicate(timeout=120)
    print(f"{launcher.name}: ended after {time.monotonic() - began:.1f} s")
    assert job.returncode == {"openmpi": 128 + signal.SIGKILL, "mpich": signal.SIGKILL}[launcher.name]
    assert b"pairs between" not in out  # what is there is the launcher's
    assert b"cda: error" not in err
    assert launcher.process_of(0, job) is None
    assert listing(place) == before
