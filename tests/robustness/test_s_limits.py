"""S03 to S05: little memory, few descriptors, no threads, an empty environment."""
import os
import resource
import subprocess

import pytest
from box import QUICK, X
from rows import row
from support.command import COMMAND, environment, listing, usual_signals

MEGABYTE = 1 << 20
FIT = ["fit", "x.csv", "y.csv", *QUICK, "-q", "-o", "new.json"]
# A search from several starts: with more than one thread it makes some, which QUICK never does.
THREADED = ["--method", "CDA_Q", "--components", "1", "--starts", "8", "--threads", "4"]


def limited(kind, value):
    def before():
        usual_signals()
        resource.setrlimit(kind, (value, value))

    return before


@pytest.fixture
def tables(box):
    box.write("x.csv", X)
    return box


@row("S03")
@pytest.mark.parametrize("shape", ["many rows", "many columns"])
def test_s03_a_table_larger_than_the_memory(box, sanitised, shape):
    if sanitised:
        pytest.skip("a sanitizer needs more address space than that")
    with open(box.path("x.csv"), "w") as file:
        if shape == "many rows":
            file.write("a,b,c\n")
            block = "1.5,2,3\n" * 100_000
            for _ in range(60):
                file.write(block)
        else:
            file.write(",".join(f"c{j}" for j in range(10_000)) + "\n")
            for i in range(700):
                file.write(",".join(str((i * j) % 7) for j in range(10_000)) + "\n")
    before = box.names()
    fit = ["CDA_Q" if word == "CDA_M" else word for word in FIT]  # CDA_M would read the many rows in blocks
    run = box.run(*fit, before=limited(resource.RLIMIT_AS, 100 * MEGABYTE))
    box.path("x.csv").unlink()
    assert run.code == 6 and run.out == "", (run.code, run.err)
    assert "memory" in run.err and run.err.count("\n") == 1
    assert set(before) - set(box.names()) == {"x.csv"}


@row("S03")
def test_s03_a_fit_with_little_memory(box, sanitised):
    """It may find a way that needs less than thousands of columns squared; if not, it says so."""
    if sanitised:
        pytest.skip("a sanitizer needs more address space than that")
    box.write("x.csv", ",".join(f"c{j}" for j in range(4000)) + "\n" + "".join(
        ",".join(str((i * (j + 1) * 7919) % 1013) for j in range(4000)) + "\n" for i in range(30)))  # fmt: skip
    box.write("y.csv", box.path("x.csv").read_text().replace("c", "d"))
    before = listing(box.directory)
    run = box.run(*FIT, "--prepare", "standardise", before=limited(resource.RLIMIT_AS, 100 * MEGABYTE))
    assert run.code in (0, 6) and run.out == "", (run.code, run.err)
    if run.code == 6:
        assert "memory" in run.err and run.err.count("\n") == 1
        assert listing(box.directory) == before


@row("S03")
@pytest.mark.parametrize("command", ["fit", "test", "transform", "match"])
def test_s03_an_allocation_failing_anywhere(tables, shim, sanitised, command):
    if sanitised:
        pytest.skip("a sanitizer brings its own allocator")
    arguments = {
        "fit": FIT,
        "test": ["test", "x.csv", "y.csv", *QUICK, "--surrogates", "3", "--bootstrap", "2", "-q", "-o", "new.json"],
        "transform": ["transform", "model.json", "--x", "x.csv", "-o", "new.json"],
        "match": ["match", "x.csv", "y.csv", "--json"],
    }[command]
    whole = tables.run(*arguments)
    assert whole.code == 0, whole.err
    made = tables.path("new.json").read_bytes() if "-o" in arguments else b""
    tables.path("new.json").unlink(missing_ok=True)
    before = tables.names()
    at, refused = 1, 0
    while True:
        run = tables.run(*arguments, env=shim.env("malloc", at, "ENOMEM"))
        if not shim.fired():
            assert run.code == 0
            break
        assert run.code in (0, 6), (at, run.code, run.err)
        if run.code == 6:
            refused += 1
            assert run.out == "" and run.err.startswith("cda: error: ") or run.err.startswith("{"), run.err
            assert tables.names() == before
        elif "-o" in arguments:  # whoever asked could do without
            assert tables.path("new.json").read_bytes() == made
        tables.path("new.json").unlink(missing_ok=True)
        at += max(1, at // 4)  # all of the first, then ever fewer
    assert refused > 5


@row("S03")
@pytest.mark.parametrize("limit", ["1M", "100K"])
def test_s03_a_limit_of_ones_own(box, limit, sanitised):
    if sanitised:
        pytest.skip("a sanitizer needs more address space than that")
    box.write("x.csv", "a,b,c\n" + "1.5,2,3\n2,5,1\n" * 100_000)
    arguments = ["fit", "x.csv", "y.csv", *QUICK, "-o", "new.json", "--max-memory", limit]
    box.refused(*arguments, code=6, says="(?i)memory|needs|B")


@row("S04")
@pytest.mark.parametrize("number", [16, 8])
def test_s04_few_descriptors(tables, number):
    run = tables.run(*FIT, before=limited(resource.RLIMIT_NOFILE, number))
    assert run.code == 0, run.err


@row("S04")
def test_s04_no_descriptor_left(tables):
    """Four are enough for the loader, none is left to open a table."""
    run = tables.run(*FIT, before=limited(resource.RLIMIT_NOFILE, 3))
    assert run.code in (4, 127) and run.out == "", run.err  # 127: the loader could not even open its libraries


@row("S04")
@pytest.mark.parametrize("at", [1, 2, 3])
def test_s04_no_threads(tables, shim, at):
    arguments = ["fit", "x.csv", "y.csv", *THREADED, "-o", "new.json"]
    assert tables.run(*arguments).code == 0
    made = tables.path("new.json").read_bytes()
    run = tables.run(*arguments, env=shim.env("pthread_create", at, "EAGAIN"))
    assert run.code == 0, run.err
    assert tables.path("new.json").read_bytes() == made
    assert shim.fired() and "fewer threads" in run.err


@row("S04")
def test_s04_no_threads_by_a_limit(tables, as_stranger):
    """The limit binds users without rights; root is above it, so somebody else runs the command."""
    if not as_stranger:
        pytest.skip("needs root: the limit counts all processes of the user, also those outside these tests")
    tables.path("out").mkdir()
    tables.path("out").chmod(0o777)
    arguments = ["fit", "x.csv", "y.csv", *THREADED, "-o", "out/new.json"]
    alone = {"ASAN_OPTIONS": "detect_leaks=0"}  # looking for leaks would take a process of its own
    run = tables.run(*arguments, wrapper=as_stranger, before=limited(resource.RLIMIT_NPROC, 1), env=alone)
    assert run.code == 0 and "fewer threads" in run.err, run.err


BARE = {"PATH": os.environ.get("PATH", "/usr/bin:/bin")}


@row("S05")
@pytest.mark.parametrize(
    "changes",
    [
        {"HOME": None, "TZ": None},
        {"HOME": "/nonexistent"},
        {"HOME": "/proc"},
        {"TERM": "dumb"},
        {"TERM": None},
        {"TZ": "nonsense"},
        {"LC_ALL": "nonsense", "LANG": "xx_YY"},
        {"NO_COLOR": "1", "COLUMNS": "-5"},
        {"TMPDIR": "/nonexistent"},
    ],
    ids=str,
)
def test_s05_the_environment_does_not_matter(tables, changes):
    plain = tables.run("fit", "x.csv", "y.csv", *QUICK)
    run = tables.run("fit", "x.csv", "y.csv", *QUICK, env=changes)
    assert (run.code, run.out, run.err) == (0, plain.out, plain.err)


@row("S05")
def test_s05_an_empty_environment_and_no_terminal(tables):
    plain = tables.run("fit", "x.csv", "y.csv", *QUICK)
    sanitizers = {name: value for name, value in environment().items() if name.endswith("SAN_OPTIONS")}
    run = subprocess.run(
        [COMMAND, "fit", "x.csv", "y.csv", *QUICK], cwd=tables.directory, env=sanitizers, stdin=subprocess.DEVNULL,
        capture_output=True, text=True, start_new_session=True,
    )  # fmt: skip
    assert (run.returncode, run.stdout, run.stderr) == (0, plain.out, plain.err)


@row("S05")
@pytest.mark.parametrize("terminal", ["dumb", "xterm"])
def test_s05_on_a_terminal(tables, terminal):
    """No colour and no progress bar on a dumb one; on any, the run ends as usual."""
    leader, follower = os.openpty()
    process = subprocess.Popen(
        [COMMAND, "fit", "x.csv", "y.csv", *QUICK], cwd=tables.directory, stdin=follower, stdout=follower,
        stderr=follower, env=environment({"TERM": terminal, "NO_COLOR": None}),
    )  # fmt: skip
    os.close(follower)
    shown = b""
    while True:
        try:
            piece = os.read(leader, 65536)
        except OSError:  # the other end is closed
            break
        if not piece:
            break
        shown += piece
    os.close(leader)
    assert process.wait(timeout=60) == 0
    assert b"pair 1" in shown
    assert (b"\x1b" in shown) == (terminal != "dumb")
