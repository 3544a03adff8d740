"""B50 to B53: results are written whole or not at all, never over an input, and never computed for nothing."""
import os
import resource
import subprocess

import pytest
from box import QUICK, X, Y
from rows import row
from support.command import COMMAND, environment, listing, usual_signals


@pytest.fixture
def tables(box):
    box.write("x.csv", X)
    return box


FIT = ["fit", "x.csv", "y.csv", *QUICK]
TRANSFORM = ["transform", "model.json", "--x", "x.csv"]
WRITERS = {"fit": [*FIT, "-q"], "transform": TRANSFORM, "synth": ["synth", "linear", "--n", "300", "--k", "300"]}


@row("B50")
@pytest.mark.parametrize("command", ["fit", "transform"])
def test_b50_a_full_device_as_output(tables, command):
    before = listing(tables.directory)
    run = tables.run(*WRITERS[command], "-o", "/dev/full")
    assert run.code == 4 and run.out == ""
    assert "No space left on device" in run.err and run.err.count("\n") == 1
    assert listing(tables.directory) == before


@row("B50")
@pytest.mark.parametrize("command", ["fit", "transform", "synth"])
@pytest.mark.parametrize("limit", [0, 1, 100])
@pytest.mark.parametrize("there", [True, False], ids=["over an old file", "new"])
def test_b50_no_room_for_the_file(tables, command, limit, there):
    """The twin that needs no rights: a limit on the size of files, which fails like a full disk."""
    output = "out" if command == "synth" else "out.file"
    if command == "synth":
        tables.path("out").mkdir()
    if there:
        tables.write("out/X.csv" if command == "synth" else output, "older")
    before = listing(tables.directory)

    def limited():
        usual_signals()
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

    run = tables.run(*WRITERS[command], "-o", output, before=limited)
    assert run.code == 4 and run.out == "", (run.code, run.err)
    assert "File too large" in run.err and run.err.count("\n") == 1
    assert listing(tables.directory) == before


PAIRS = {
    "fit": ["fit", "x.csv", "y.csv", *QUICK, "-q", "-o", "{}", "--report", "{}"],
    "cluster": ["cluster", "x.csv", "--no-comparison", "-q", "-o", "{}", "--candidates", "{}"],
}


def pair_of_outputs(command, *outputs):
    given = iter(outputs)
    return [next(given) if word == "{}" else word for word in PAIRS[command]]


@row("B50")
@pytest.mark.parametrize("command", PAIRS)
@pytest.mark.parametrize("other", ["-", "/dev/stdout", "old.file", "new.file"])
def test_b50_one_of_two_outputs_is_a_full_device(tables, command, other):
    tables.write("old.file", "older")
    before = listing(tables.directory)
    run = tables.run(*pair_of_outputs(command, other, "/dev/full"))
    assert run.code == 4 and run.out == "", (run.code, run.err)
    assert "No space left on device" in run.err
    assert listing(tables.directory) == before


@row("B50")
def test_b50_tables_of_which_one_has_no_room(tables):
    """X.csv would still have, Y.csv has not."""
    tables.path("out").mkdir()
    tables.write("out/X.csv", "older")
    before = listing(tables.directory)

    def limited():
        usual_signals()
        resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))

    run = tables.run("synth", "linear", "--n", "100", "--k", "3000", "-o", "out", before=limited)
    assert run.code == 4 and "File too large" in run.err, (run.code, run.err)
    assert listing(tables.directory) == before


@row("B50")
@pytest.mark.parametrize("there", [True, False], ids=["over an old file", "new"])
def test_b50_a_file_system_that_is_full(tables, there):
    """A file system of 1 MB, filled but for less than the model needs."""
    own = [] if os.geteuid() == 0 else ["--map-root-user"]
    script = """
        mount -t tmpfs -o size=1m none "$1" || { echo no-mount; exit 0; }
        cd "$1" && cp ../x.csv ../y.csv .
        [ "$2" = True ] && printf older > model.json
        head -c 2000000 /dev/zero > filler 2>/dev/null
        truncate -s -4096 filler
        [ "$2" = True ] || truncate -s -4096 filler
        "$3" fit x.csv y.csv --method CDA_M -q -o model.json
        echo "exit $?"
        ls -A
        cat model.json 2>/dev/null
    """
    tables.path("disk").mkdir()
    # A model that is larger than the room left: many columns.
    names = ",".join(f"c{j}" for j in range(60))
    rows = "".join(",".join(str((i * (j + 3) * 7919) % 1009) for j in range(60)) + "\n" for i in range(80))
    tables.write("x.csv", names + "\n" + rows)
    shell = ["unshare", "--mount", *own, "sh", "-c", script, "sh", str(tables.path("disk")), str(there), COMMAND]
    run = subprocess.run(shell, capture_output=True, text=True, env=environment(), timeout=120)
    if "no-mount" in run.stdout or (run.returncode != 0 and "unshare" in run.stderr):
        pytest.skip("needs the right to mount (CAP_SYS_ADMIN, or user namespaces)")
    assert "exit 4" in run.stdout, (run.stdout, run.stderr)
    assert "No space left on device" in run.stderr
    files = run.stdout.split("exit 4\n")[1]
    assert files == ("filler\nmodel.json\nx.csv\ny.csv\nolder" if there else "filler\nx.csv\ny.csv\n")


BAD_OUTPUTS = {
    "missing folder": ("nowhere/out.json", "No such file or directory"),
    "a folder": ("folder", "(?i)is a directory"),
    "a folder with slash": ("folder/", "(?i)directory"),
    "below a file": ("y.csv/out.json", "Not a directory"),
    "a dangling link": ("dangling", "No such file or directory"),
    "a loop": ("loop", "(?i)symbolic links"),
    "a long name": ("a" * 300, "(?i)name too long"),
}


@row("B51")
@pytest.mark.parametrize("kind", BAD_OUTPUTS)
@pytest.mark.parametrize("command", ["fit", "transform"])
def test_b51_an_output_that_cannot_be_written_is_refused_first(tables, kind, command):
    tables.path("folder").mkdir()
    os.symlink("nowhere/else", tables.path("dangling"))
    os.symlink("loop", tables.path("loop"))
    tables.write("x.csv", "no,table\nat all\n")  # exit 3 would mean that reading came first
    output, says = BAD_OUTPUTS[kind]
    tables.refused(*WRITERS[command], "-o", output, code=4, says=says)


@row("B51")
def test_b51_tables_that_cannot_be_written_are_not_made(tables):
    """The request makes no sense either, which is found by making the tables: that would be exit 2."""
    os.makedirs(tables.path("out/Y.csv"))
    tables.refused("synth", "linear", "--n", "1", "-o", "out", code=4, says="(?i)is a directory")
    assert tables.run("synth", "linear", "--n", "1", "-o", "other").code == 2


@row("B51")
@pytest.mark.parametrize("closed", ["folder", "file"])
def test_b51_without_the_right_to_write(tables, as_stranger, closed):
    tables.path("folder").mkdir()
    tables.write("folder/old.json", "older")
    tables.path("folder/old.json").chmod(0o444)
    tables.path("folder").chmod(0o555 if closed == "folder" else 0o777)
    tables.write("x.csv", "no,table\nat all\n")
    output = "folder/new.json" if closed == "folder" else "folder/old.json"
    try:
        run = tables.run(*FIT, "-o", output, wrapper=as_stranger)
    finally:
        tables.path("folder").chmod(0o755)
    assert run.code == 4 and run.out == "", run.err
    assert "Permission denied" in run.err
    assert listing(tables.path("folder")) == {"old.json": b"older"}


@row("B51")
def test_b51_a_read_only_file_system(tables):
    run = tables.run(*FIT, "-o", "/proc/cda-model.json")
    assert run.code == 4 and run.out == "", run.err


@row("B52")
@pytest.mark.parametrize(
    "arguments", [["list"], ["--help"], ["--version"], FIT, [*FIT, "--json"], TRANSFORM], ids=" ".join
)
def test_b52_standard_output_that_is_full(tables, arguments):
    before = listing(tables.directory)
    with open("/dev/full", "wb") as full:
        finished = subprocess.run([COMMAND, *arguments], cwd=tables.directory, stdout=full, stderr=subprocess.PIPE)
    assert finished.returncode == 4
    assert b"No space left on device" in finished.stderr
    assert listing(tables.directory) == before


@row("B52")
@pytest.mark.parametrize(
    "arguments",
    [
        ["list"],
        [*FIT, "-o", "new.json"],
        [*FIT, "--json"],
        TRANSFORM,
        [*TRANSFORM, "-o", "new.csv", "--json"],
        ["report", "model.json", "-o", "new.html", "--json"],
    ],
    ids=" ".join,
)
def test_b52_standard_output_that_is_closed(tables, arguments):
    before = listing(tables.directory)
    finished = subprocess.run(
        ["sh", "-c", 'exec "$@" >&-', "sh", COMMAND, *arguments],
        cwd=tables.directory, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert finished.returncode == 4
    assert "standard output" in finished.stderr
    assert listing(tables.directory) == before  # known beforehand, so nothing is computed or written


@row("B52")
@pytest.mark.parametrize("arguments", [["list", "--json"], TRANSFORM, FIT], ids=" ".join)
def test_b52_a_reader_that_leaves(tables, arguments):
    """The signal ends the command quietly; no message, no trace."""
    reader, writer = os.pipe()
    os.close(reader)
    finished = subprocess.run(
        [COMMAND, *arguments], cwd=tables.directory, stdout=writer, stderr=subprocess.PIPE, preexec_fn=usual_signals
    )
    os.close(writer)
    assert finished.returncode == -13  # SIGPIPE
    assert finished.stderr == b""


@row("B52")
@pytest.mark.parametrize("ignored", [False, True], ids=["signal", "signal ignored"])
@pytest.mark.parametrize("command", PAIRS)
def test_b52_a_reader_that_leaves_takes_the_other_output_with_it(tables, command, ignored):
    """What was written for it beside its place does not stay."""
    tables.write("old.file", "older")
    reader, writer = os.pipe()
    os.close(reader)
    before = listing(tables.directory)
    finished = subprocess.run(
        [COMMAND, *pair_of_outputs(command, "-", "old.file")], cwd=tables.directory, stdout=writer,
        stderr=subprocess.PIPE, preexec_fn=None if ignored else usual_signals, restore_signals=False,
    )  # fmt: skip
    os.close(writer)
    assert finished.returncode == (4 if ignored else -13), finished.stderr
    assert (b"Broken pipe" in finished.stderr) == ignored
    assert listing(tables.directory) == before


@row("B52")
def test_b52_a_broken_pipe_where_the_signal_is_ignored(tables):
    reader, writer = os.pipe()
    os.close(reader)
    finished = subprocess.run(
        [COMMAND, *TRANSFORM], cwd=tables.directory, stdout=writer, stderr=subprocess.PIPE, restore_signals=False
    )
    os.close(writer)
    assert finished.returncode == 4 and b"Broken pipe" in finished.stderr


@row("B52")
def test_b52_standard_error_that_is_closed_or_full_does_no_harm(tables):
    for redirect in ("2>&-", "2>/dev/full"):
        shell = ["sh", "-c", f'exec "$@" {redirect}', "sh", COMMAND]
        good = subprocess.run([*shell, *TRANSFORM], cwd=tables.directory, capture_output=True)
        assert good.returncode == 0 and good.stdout.decode() == tables.projected("x.csv")
        bad = subprocess.run([*shell, "fit", "x.csv", "none"], cwd=tables.directory)
        assert bad.returncode == 4


@row("B53")
@pytest.mark.parametrize("link", [None, os.symlink, os.link], ids=["itself", "symlink", "hardlink"])
@pytest.mark.parametrize(
    "command, source", [("fit", "x.csv"), ("fit", "y.csv"), ("transform", "x.csv"), ("transform", "model.json")]
)
def test_b53_an_output_that_is_an_input(tables, link, command, source):
    output = source
    if link:
        link(tables.path(source), tables.path("linked"))
        output = "linked"
    tables.refused(*WRITERS[command], "-o", output, code=2, says="also an input")


@row("B53")
@pytest.mark.parametrize("link", [None, os.symlink, os.link], ids=["itself", "symlink", "hardlink"])
def test_b53_the_truth_as_an_output(tables, link):
    tables.write("truth.json", '{"x_directions": [[1, 0, 0]], "y_directions": [[1, 0]]}')
    if link:
        link(tables.path("truth.json"), tables.path("linked"))
    score = ["score", "model.json", "--x", "x.csv", "--y", "y.csv", "--truth", "truth.json"]
    tables.refused(*score, "-o", "linked" if link else "truth.json", code=2, says="also an input")
    assert tables.run(*score, "-o", "scores.json").code == 0


@row("B53")
@pytest.mark.parametrize("output", ["./x.csv", "../{name}/x.csv", "folder/../x.csv"])
def test_b53_another_way_to_write_the_same_path(tables, output):
    tables.path("folder").mkdir()
    tables.refused(*FIT, "-o", output.format(name=tables.directory.name), code=2, says="also an input")


@row("B53")
def test_b53_an_input_through_standard_input(tables):
    with open(tables.path("x.csv"), "rb") as table:
        finished = subprocess.run(
            [COMMAND, "fit", "-", "y.csv", *QUICK, "-o", "x.csv"],
            cwd=tables.directory, stdin=table, capture_output=True,
        )  # fmt: skip
    assert finished.returncode == 2 and b"also an input" in finished.stderr
    assert tables.path("x.csv").read_text() == X and tables.path("y.csv").read_text() == Y
