"""B54 and B55: writing, interrupted or refused at every single step. A file is the old one or the new one, whole."""
import errno
import os
import random
import re
import signal
import subprocess
import time

import pytest
from box import QUICK, X
from rows import row
from support.command import COMMAND, start_cda

FIT = ["fit", "x.csv", "y.csv", *QUICK, "-q", "-o", "out.json"]
TRANSFORM = ["transform", "model.json", "--x", "x.csv", "-o", "out.json"]
TEMPORARY = re.compile(r"^\.out\.json\.tmp\.\d+(\.\d+)?$")


@pytest.fixture
def overwriting(box, request):
    """A directory with an old out.json, and the content that the command would put in its place."""
    box.write("x.csv", X)
    box.arguments = request.param
    run = box.run(*box.arguments)
    assert run.code == 0, run.err
    box.whole = box.path("out.json").read_bytes()
    box.write("out.json", "older")
    return box


both_writers = pytest.mark.parametrize("overwriting", [FIT, TRANSFORM], ids=["fit", "transform"], indirect=True)


def temporaries(box):
    return [name for name in box.names() if TEMPORARY.match(name)]


def check(box, run, left_over_allowed=False):
    """After a run in which something failed: the file is whole, and success was only claimed for the new one."""
    content = box.path("out.json").read_bytes()
    assert content in (b"older", box.whole)
    assert run.code != 0 or content == box.whole
    if not left_over_allowed:
        assert temporaries(box) == []
    box.write("out.json", "older")


@row("B54")
@both_writers
@pytest.mark.parametrize("call", ["open", "write", "fsync", "close", "rename"])
def test_b54_killed_at_each_step(overwriting, shim, call):
    fired = 0
    for at in range(1, 40):
        run = overwriting.run(*overwriting.arguments, env=shim.env(call, at, "kill"))
        if not shim.fired():
            assert run.code == 0, run.err
            break
        fired += 1
        assert run.code == -signal.SIGKILL
        check(overwriting, run, left_over_allowed=True)
    else:
        pytest.fail("the command never came to its end")
    assert fired > 0
    # What was left behind is in nobody's way.
    run = overwriting.run(*overwriting.arguments)
    assert run.code == 0, run.err
    assert overwriting.path("out.json").read_bytes() == overwriting.whole


@row("B54")
@both_writers
def test_b54_killed_between_writing_and_renaming_by_the_kernel(overwriting, tracing):
    run = overwriting.run(
        *overwriting.arguments, wrapper=[*tracing, "-e", "inject=?rename,?renameat,?renameat2:signal=KILL:when=1"]
    )
    assert run.code in (-signal.SIGKILL, 128 + signal.SIGKILL)
    check(overwriting, run, left_over_allowed=True)
    assert overwriting.run(*overwriting.arguments).code == 0


@row("B54")
@pytest.mark.parametrize("overwriting", [FIT], ids=["fit"], indirect=True)
def test_b54_killed_at_fifty_random_moments(overwriting):
    began = time.monotonic()
    assert overwriting.run(*FIT).code == 0
    whole_run = time.monotonic() - began
    moments = random.Random(54)
    overwriting.write("out.json", "older")
    killed = 0
    for _ in range(50):
        process = start_cda(*FIT, cwd=overwriting.directory)
        time.sleep(moments.uniform(0, 1.3 * whole_run))
        process.send_signal(signal.SIGKILL)
        process.communicate(timeout=60)
        killed += process.returncode == -signal.SIGKILL
        content = overwriting.path("out.json").read_bytes()
        assert content in (b"older", overwriting.whole)
        assert process.returncode != 0 or content == overwriting.whole
        overwriting.write("out.json", "older")
    assert killed > 0
    run = overwriting.run(*FIT)
    assert run.code == 0 and overwriting.path("out.json").read_bytes() == overwriting.whole


FAULTS = [("write", "ENOSPC"), ("write", "EIO"), ("fsync", "EIO"), ("close", "EIO"), ("rename", "EIO"),
          ("rename", "EACCES"), ("open", "EMFILE"), ("read", "EIO")]  # fmt: skip


@row("B55")
@both_writers
@pytest.mark.parametrize("call, fault", FAULTS)
def test_b55_each_call_failing_once(overwriting, shim, call, fault):
    reported = 0
    for at in range(1, 40):
        run = overwriting.run(*overwriting.arguments, env=shim.env(call, at, fault))
        if not shim.fired():
            assert run.code == 0, run.err
            break
        assert run.code in (0, 4), (at, run.code, run.err)
        if run.code == 4:
            reported += 1
            assert os.strerror(getattr(errno, fault)) in run.err or call in ("write", "open")
        check(overwriting, run)
    else:
        pytest.fail("the command never came to its end")
    assert reported > 0


@row("B55")
@both_writers
def test_b55_writes_are_finished_after_interruptions(overwriting, shim):
    for at in range(1, 6):
        run = overwriting.run(*overwriting.arguments, env=shim.env("write", at, "EINTR"))
        assert run.code == 0, run.err
        assert overwriting.path("out.json").read_bytes() == overwriting.whole


@pytest.fixture
def tracing():
    """strace, where this system lets a process trace its child."""
    probe = subprocess.run(["strace", "-f", "-o", "/dev/null", "true"], capture_output=True)
    if probe.returncode != 0:
        pytest.skip("needs the right to trace (ptrace)")
    return ["strace", "-f", "-q", "-o", "/dev/null", "-E", "ASAN_OPTIONS=detect_leaks=0"]


@row("B55")
@both_writers
@pytest.mark.parametrize("call, fault", [("write", "ENOSPC"), ("fsync", "EIO"), ("rename", "EIO"), ("close", "EIO")])
def test_b55_each_call_failing_once_in_the_kernel(overwriting, tracing, sanitised, call, fault):
    calls = "?rename,?renameat,?renameat2" if call == "rename" else call
    counted = subprocess.run(
        [*tracing[:-3], "/dev/stdout", *tracing[-2:], "-e", f"trace={calls}", COMMAND, *overwriting.arguments],
        cwd=overwriting.directory, capture_output=True, text=True,
    )  # fmt: skip
    assert counted.returncode == 0, counted.stderr
    number = sum(call in line for line in counted.stdout.splitlines())
    overwriting.write("out.json", "older")
    reported = 0
    # A sanitizer makes hundreds of such calls before ours.
    for at in range(max(1, number - 30) if sanitised else 1, number + 1):
        run = overwriting.run(
            *overwriting.arguments, wrapper=[*tracing, "-e", f"inject={calls}:error={fault}:when={at}"]
        )
        if sanitised and "CHECK failed: sanitizer_" in run.err:  # a call of the sanitizer's own, which it cannot do without
            continue
        loading = run.code == 127 and "loading shared libraries" in run.err  # it was not our call yet
        assert run.code in (0, 4) or loading, (at, run.code, run.err)
        reported += run.code == 4
        check(overwriting, run)
    assert reported > 0


@row("B55")
@pytest.mark.parametrize("output", ["out.json", "-"])
@pytest.mark.parametrize("call, fault", [("write", "ENOSPC"), ("fsync", "EIO"), ("close", "EIO"), ("open", "EMFILE")])
def test_b55_of_two_outputs_both_are_written_or_none(box, shim, output, call, fault):
    """A folder is synced when what it holds has been renamed: then both are new."""
    box.write("x.csv", X)
    fit = ["fit", "x.csv", "y.csv", *QUICK, "-q", "-o", output, "--report", "page.html"]

    def state(run):
        return [run.out.encode() if output == "-" else box.path(output).read_bytes(), box.path("page.html").read_bytes()]

    whole = box.run(*fit)
    assert whole.code == 0, whole.err
    new = state(whole)
    old = [b"" if output == "-" else b"older", b"older"]
    reported = 0
    for at in range(1, 60):
        for name in {output, "page.html"} - {"-"}:
            box.write(name, "older")
        run = box.run(*fit, env=shim.env(call, at, fault))
        if not shim.fired():
            assert run.code == 0, run.err
            break
        if run.code == 0:
            assert state(run) == new
        else:
            assert run.code == 4, (at, run.err)
            reported += 1
            assert state(run) == old or call == "fsync" and state(run) == new
        assert not [name for name in box.names() if ".tmp." in name]
    else:
        pytest.fail("the command never came to its end")
    assert reported > 0
