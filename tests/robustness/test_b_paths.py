"""B42 to B49: where tables come from."""
import os
import threading

import pytest
from box import QUICK, X
from rows import row
from support.command import listing


@row("B42")
@pytest.mark.parametrize("missing", ["x", "y", "model", "x of transform"])
def test_b42_a_path_that_does_not_exist(box, missing):
    box.write("x.csv", X)
    arguments = {
        "x": ["fit", "nowhere.csv", "y.csv", *QUICK, "-o", "new.json"],
        "y": ["fit", "x.csv", "nowhere.csv", *QUICK, "-o", "new.json"],
        "model": ["transform", "nowhere.csv", "--x", "x.csv", "-o", "new.csv"],
        "x of transform": ["transform", "model.json", "--x", "nowhere.csv", "-o", "new.csv"],
    }[missing]
    box.refused(*arguments, code=4, says='cannot open "nowhere.csv": No such file or directory')


@row("B42")
@pytest.mark.parametrize("typed", ["temperatures.cvs", "temperature.csv", "./temperatures.csv.", "Temperatures.csv"])
def test_b42_near_names_are_offered(box, typed):
    box.write("temperatures.csv", X)
    box.refused("fit", typed, "y.csv", *QUICK, code=4, says="No such file", hint="did you mean .*temperatures.csv")


@row("B42")
@pytest.mark.parametrize("typed", ["nowhere/x.csv", "y.csv/x.csv", "", "a" * 300, "loop"])
def test_b42_paths_that_lead_nowhere(box, typed):
    os.symlink("loop", box.path("loop"))
    run = box.run("fit", typed, "y.csv", *QUICK)
    assert run.code in (2, 4) and run.out == "", run.err
    assert run.err.startswith("cda: error: ") and run.err.count("\n") == 1


@row("B43")
@pytest.mark.parametrize("path", ["folder", ".", "/", "folder/"])
def test_b43_a_directory_as_a_table(box, path):
    box.path("folder").mkdir()
    box.refused("fit", path, "y.csv", *QUICK, code=4, says="(?i)is a directory")
    box.refused("transform", "model.json", "--x", path, "-o", "new.csv", code=4, says="(?i)is a directory")


@row("B43")
def test_b43_a_directory_as_a_model(box):
    box.path("folder").mkdir()
    box.write("x.csv", X)
    box.refused("transform", "folder", "--x", "x.csv", "-o", "new.csv", code=4, says="(?i)is a directory")


@row("B44")
@pytest.mark.parametrize("what", ["table", "folder", "model"])
def test_b44_without_the_right_to_read(box, as_stranger, what):
    box.path("closed").mkdir()
    box.write("closed/x.csv", X)
    box.write("x.csv", X)
    closed = {"table": "closed/x.csv", "folder": "closed", "model": "model.json"}[what]
    box.path(closed).chmod(0)
    table = "x.csv" if what == "model" else "closed/x.csv"
    try:
        run = box.run("transform", "model.json", "--x", table, wrapper=as_stranger)
    finally:
        box.path(closed).chmod(0o755)
    assert run.code == 4 and run.out == "", run.err
    assert "Permission denied" in run.err and run.err.count("\n") == 1


@row("B45")
@pytest.mark.parametrize("path", ["-", "/dev/stdin", "/proc/self/fd/0"])
def test_b45_standard_input(box, path):
    box.write("plain.csv", X)
    assert box.projected(path, stdin=X) == box.projected("plain.csv")


@row("B45")
def test_b45_a_named_pipe_is_read_once(box):
    os.mkfifo(box.path("pipe"))
    box.write("plain.csv", X)
    text = X.encode()

    def feed():
        with open(box.path("pipe"), "wb", buffering=0) as pipe:
            for begin in range(0, len(text), 37):  # in pieces that end in the middle of fields
                pipe.write(text[begin : begin + 37])

    writer = threading.Thread(target=feed)
    writer.start()
    try:
        assert box.projected("pipe", timeout=60) == box.projected("plain.csv")
    finally:
        writer.join(60)


@row("B45")
def test_b45_nothing_on_standard_input(box):
    box.refused("fit", "-", "y.csv", *QUICK, code=3, says="empty", stdin="")
    box.refused("fit", "/dev/null", "y.csv", *QUICK, code=3, says="empty")


@row("B45")
def test_b45_standard_input_is_closed(box):
    run = box.run("fit", "-", "y.csv", *QUICK, before=lambda: os.close(0))
    assert run.code in (3, 4) and run.out == "", run.err


@row("B46")
@pytest.mark.parametrize(
    "x, y", [("-", "-"), ("-", "/dev/stdin"), ("/dev/stdin", "/dev/stdin"), ("/proc/self/fd/0", "-")]
)
def test_b46_one_stream_cannot_be_both_tables(box, x, y):
    box.refused("fit", x, y, *QUICK, code=2, says="cannot be read twice", stdin=X)


@row("B46")
def test_b46_one_named_pipe_cannot_be_both_tables(box):
    os.mkfifo(box.path("pipe"))
    box.refused("fit", "pipe", "pipe", *QUICK, code=2, says="cannot be read twice", timeout=60)


ODD = [b"a b.csv", b"it's.csv", b'"q".csv', b"new\nline.csv", b"\xff\xfe.csv", b"*[1]?.csv", b"$(x);`y`.csv",
       b"~.csv", "größe °C.csv".encode(), b"\x1b[31mred.csv", "\u202eturned.csv".encode(), b"%s%n.csv", b"-",
       b"--json"]  # fmt: skip


@row("B48")
@pytest.mark.parametrize("name", ODD)
def test_b48_odd_paths_work_and_are_shown_escaped(box, name):
    path = b"./" + name if name.startswith(b"-") else name
    box.write(name, X)
    run = box.run(b"fit", path, b"y.csv", *QUICK, b"-o", path + b".json")
    assert run.code == 0, run.err
    assert box.names().count(os.fsdecode(name) + ".json") == 1
    for text in (run.out, run.err):
        assert not set(text) & set("\x1b\u202e") and "\udcff" not in text
    box.write(name, "a,b\n1,oops\n")
    run = box.run(b"fit", path, b"y.csv", *QUICK)
    assert run.code == 3
    assert not set(run.err) & set("\x1b\u202e") and "\udcff" not in run.err
    assert run.err.count("\n") == 1
    run = box.run(b"fit", path, b"y.csv", *QUICK, b"--json")
    assert run.error()["line"] == 2


@row("B48")
@pytest.mark.parametrize("option", [[b"--x-part", b"caf\xe9.csv"], [b"--na", b"\xff"]])
def test_b48_bytes_that_are_no_text_in_an_option(box, option):
    """The model notes what was asked for; it could not be saved after the whole fit."""
    box.write("x.csv", X)
    box.write(b"caf\xe9.csv", X)
    run = box.run(b"fit", b"x.csv", b"y.csv", *QUICK, *option, b"-o", b"new.json")
    assert run.code == 0, run.err
    box.path("new.json").read_text(encoding="utf-8")
    assert box.run("transform", "new.json", "--x", "x.csv").code == 0


@row("B48")
def test_b48_a_leading_dash_after_two_dashes(box):
    box.write("-x.csv", X)
    run = box.run("fit", *QUICK, "--", "-x.csv", "y.csv")
    assert run.code == 0, run.err


@row("B49")
@pytest.mark.parametrize("link", [None, os.symlink, os.link])
def test_b49_one_file_as_both_tables(box, link):
    box.write("x.csv", X)
    other = "x.csv"
    if link:
        link(box.path("x.csv"), box.path("other.csv"))
        other = "other.csv"
    result = box.warned("x.csv", other, "--method", "CDA_Q", "--components", "1", says="same file")
    assert abs(result["pairs"][0]["divergence"]) < 1e-6
    before = listing(box.directory)
    assert box.run("fit", "x.csv", other, *QUICK).code == 0
    assert listing(box.directory) == before
