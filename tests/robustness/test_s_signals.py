"""S01 and S02: the command ends when it is asked to, and leaves nothing behind.

The promise is one second. A loaded machine may take longer to run anything at all, so the tests allow ten and print
what it took."""
import json
import os
import pathlib
import signal
import subprocess
import time

import pytest
from box import X, Y
from rows import row
from support.command import COMMAND, listing, start_cda, usual_signals

ALLOWED = 10.0
LONG = ["--method", "rCDA_P", "--starts", "100000", "--threads", "2"]
JOBS = {
    "fit": ["fit", "x.csv", "y.csv", *LONG, "-o", "new.json"],
    "fit over an old model": ["fit", "x.csv", "y.csv", *LONG, "-o", "old.json"],
    "test": ["test", "x.csv", "y.csv", "--method", "CDA_M", "--surrogates", "1000000", "-o", "new.json"],
    "match": ["match", "x.csv", "y.csv", "--bootstrap", "1000000"],
    "experiment": ["experiment", "recovery", "--full", "--runs", "1000000"],
    "reading a pipe": ["fit", "pipe", "y.csv", *LONG, "-o", "new.json"],
    "writing to a pipe": ["transform", "model.json", "--x", "x.csv", "-o", "pipe"],
    "writing to a pipe and a file": [
        "fit", "x.csv", "y.csv", "--method", "CDA_M", "-q", "-o", "pipe", "--report", "old.json"
    ],
}  # fmt: skip


@pytest.fixture
def busy(box):
    box.write("x.csv", X)
    box.write("old.json", "older")
    os.mkfifo(box.path("pipe"))
    return box


def wait_until_at_work(process):
    """Until it watches for signals, however slowly it starts, and a little longer."""
    watching = 1 << (signal.SIGTERM - 1)
    while process.poll() is None:
        status = pathlib.Path(f"/proc/{process.pid}/status").read_text()
        if int(status.split("SigCgt:")[1].split()[0], 16) & watching:
            break
        time.sleep(0.01)
    time.sleep(0.4)
    assert process.poll() is None


def interrupted(box, arguments, *signals, env=None):
    """Starts, waits until it is at work, sends the signals, and gives what came of it and how long it took."""
    process = start_cda(*arguments, cwd=box.directory, env=env)
    wait_until_at_work(process)
    asked = time.monotonic()
    for number in signals:
        if process.poll() is None:
            process.send_signal(number)
            time.sleep(0.02)
    out, err = process.communicate(timeout=60)
    took = time.monotonic() - asked
    print(f"{arguments[0]}: ended after {took:.2f} s")
    assert took < ALLOWED
    return process.returncode, out, err


@row("S01")
@pytest.mark.parametrize("job", JOBS)
def test_s01_one_ctrl_c(busy, job):
    before = listing(busy.directory)
    code, out, err = interrupted(busy, JOBS[job], signal.SIGINT)
    assert code == 130 and out == ""
    assert err == "cda: error: interrupted\n"
    assert listing(busy.directory) == before


@row("S01")
def test_s01_ctrl_c_with_json(busy):
    code, out, err = interrupted(busy, [*JOBS["fit"], "--json"], signal.SIGINT)
    assert code == 130 and out == ""
    assert json.loads(err)["error"]["code"] == "interrupted"


@row("S01")
@pytest.mark.parametrize("job", ["fit", "test", "reading a pipe"])
def test_s01_ctrl_c_twice(busy, job):
    before = listing(busy.directory)
    code, out, err = interrupted(busy, JOBS[job], signal.SIGINT, signal.SIGINT)
    assert code == 130 and out == "" and "interrupted" in err
    assert listing(busy.directory) == before


@row("S01")
def test_s01_a_partial_result_only_where_it_was_asked_for(busy):
    code, _, err = interrupted(busy, [*JOBS["fit"], "--keep-partial"], signal.SIGINT)
    assert code == 130 and "interrupted" in err
    run = busy.run("transform", "new.json", "--x", "x.csv")
    assert run.code == 0, run.err


@row("S01")
def test_s01_a_second_ctrl_c_ends_at_once_all_the_same(busy):
    before = busy.names()
    code, _, err = interrupted(busy, [*JOBS["fit"], "--keep-partial"], signal.SIGINT, signal.SIGINT)
    assert code == 130 and "interrupted" in err
    assert set(busy.names()) - set(before) <= {"new.json"}


@row("S01")
def test_s01_ignored_where_the_shell_says_so(busy):
    """A job in the background of a shell does not end with what is in front of it."""

    def ignoring():
        usual_signals()
        signal.signal(signal.SIGINT, signal.SIG_IGN)

    process = start_cda(*JOBS["fit"], cwd=busy.directory, before=ignoring)
    wait_until_at_work(process)
    process.send_signal(signal.SIGINT)
    time.sleep(0.5)
    running = process.poll() is None
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=60)
    assert running and process.returncode == 143


@row("S02")
@pytest.mark.parametrize("job", ["fit", "test", "reading a pipe", "writing to a pipe", "writing to a pipe and a file"])
@pytest.mark.parametrize("number, expected", [(signal.SIGTERM, 143), (signal.SIGHUP, 129)], ids=["TERM", "HUP"])
def test_s02_being_ended_by_the_system(busy, job, number, expected):
    before = listing(busy.directory)
    code, out, err = interrupted(busy, JOBS[job], number)
    assert code == expected and out == ""
    assert err == "cda: error: interrupted\n"
    assert listing(busy.directory) == before


@row("S02")
def test_s02_the_end_of_a_terminal(busy):
    """The terminal goes away while a fit runs in it: no process stays, no file either."""
    before = listing(busy.directory)
    leader, follower = os.openpty()
    process = subprocess.Popen(
        [COMMAND, *JOBS["fit"]], cwd=busy.directory, stdin=follower, stdout=follower, stderr=follower,
        start_new_session=True, preexec_fn=lambda: (usual_signals(), controlling_terminal()),
    )  # fmt: skip
    os.close(follower)
    wait_until_at_work(process)
    os.close(leader)
    assert process.wait(timeout=60) == 129
    assert listing(busy.directory) == before


def controlling_terminal():
    import fcntl
    import termios

    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


def test_what_is_interrupted_here_would_run_long(box):
    assert Y == box.path("y.csv").read_text()
