"""B30 to B36 and B47: sizes, bytes and encodings."""
import resource

import pytest
from box import QUICK, X
from rows import row
from support.command import run_cda

MEGABYTE = 1 << 20


def peak_memory(box, *arguments, **named):
    """The largest resident size of one run, in bytes. The counter is that of the largest child so far, so each run has
    a small process of its own to be the parent."""
    script = (
        "import resource, subprocess, sys; code = subprocess.run(sys.argv[1:]).returncode; "
        "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024, file=sys.stderr); sys.exit(code)"
    )
    run = run_cda(*arguments, cwd=box.directory, wrapper=["/usr/bin/python3", "-c", script], **named)
    return run, int(run.err.splitlines()[-1])


@row("B30")
@pytest.mark.parametrize("field", ["1" * 200_000, "1." + "0" * 5_000, "x" * 200_000], ids=["digits", "zeros", "text"])
def test_b30_a_field_of_enormous_length(box, field):
    error = box.refused_table(f"a,b\n1,2\n3,{field}\n5,6\n", says="longer than 4096 bytes", place=(3, 2))
    assert len(error["message"]) < 400


@row("B30")
def test_b30_a_name_of_enormous_length(box):
    error = box.refused_table("a," + "b" * 200_000 + "\n1,2\n", says="too long", place=(1, 2))
    assert len(error["message"]) < 400


@row("B30")
def test_b30_a_line_without_end_is_not_taken_into_memory(box, sanitised):
    with open(box.path("x.csv"), "wb") as file:
        file.write(b"a,b\n")
        for _ in range(4):
            file.write(b"1," * (100 * MEGABYTE // 2))
    run, peak = peak_memory(box, "fit", "x.csv", "y.csv", *QUICK)
    box.path("x.csv").unlink()
    assert run.code == 3 and run.out == ""
    assert "x.csv" in run.err and "a line is longer than 64 MB" in run.err
    assert sanitised or peak < 300 * MEGABYTE


@row("B30")
def test_b30_a_stream_without_end_is_given_up(box):
    with open("/dev/zero", "rb") as endless:
        del endless  # the device is there
    run = box.run("fit", "/dev/zero", "y.csv", *QUICK, timeout=60)
    assert run.code == 3 and run.out == "", run.err


@row("B31")
def test_b31_very_many_columns_are_read(box):
    names = ",".join(f"c{j}" for j in range(100_000))
    rows = "".join(",".join(str((i * 7 + j * j) % 101) for j in range(100_000)) + "\n" for i in range(3))
    box.write("x.csv", names + "\n" + rows)
    fit = ["fit", "x.csv", "y.csv", *QUICK, "--x-only", "c0,c99999", "--json"]
    run = box.run(*fit, timeout=120)
    assert run.code == 0, run.err[:500]
    assert run.json()["x"]["columns"] == ["c0", "c99999"]


@row("B31")
def test_b31_messages_about_them_stay_short(box):
    names = ",".join(f"a rather long column name, number {j}".replace(",", "") for j in range(100_000))
    error = box.refused_table(names + "\n" + "x," * 99_999 + "x\n", says="100000 columns hold text")
    assert len(error["message"]) < 1500 and len(error["hint"]) < 1500
    error = box.refused_table(names + "\n1,2\n", says="row has 2 fields, header has 100000", place=(2, 0))
    assert len(error["message"]) < 400


@row("B32")
@pytest.mark.parametrize(
    "content, line",
    [(b"a,b\n1,2\n3,\x004\n", 3), (b"a,b\n1,2\n3,4\n\x00", 4), (b"a\x00,b\n1,2\n", 1), (b"a,b\r\n1,2\r\n\x00,4", 3)],
)
def test_b32_a_nul_byte(box, content, line):
    error = box.refused_table(content, says="NUL byte|binary")
    assert str(content.index(b"\x00") + 1) in error["message"]
    assert error["line"] in (line, None)


@row("B32")
def test_b32_a_nul_byte_far_into_the_file(box):
    content = b"a,b\n" + b"1,2\n" * 5000 + b"1,\x002\n" + b"1,2\n" * 10
    box.refused_table(content, says="NUL byte at byte 20007", place=(5002, 0))


@row("B33")
@pytest.mark.parametrize(
    "head, named",
    [
        (b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR", "PNG"),
        (b"\x7fELF\x02\x01\x01" + bytes(9), "ELF"),
        (b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n", "PDF"),
        (b"\xff\xd8\xff\xe0\x00\x10JFIF", "JPEG"),
        (b"BZh91AY&SY\x00", "bzip2"),
        (b"\xfd7zXZ\x00", "xz"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "xls"),
        (bytes(range(256)) * 20, "binary"),
        (bytes(5000), "binary"),
    ],
    ids=lambda value: value if isinstance(value, str) else "bytes",
)
def test_b33_binary_files_are_recognised(box, head, named):
    box.refused_table(head + bytes(range(256)), says="(?i)looks like .*" + named)


@row("B33")
@pytest.mark.parametrize(
    "text, named",
    [
        ("<!DOCTYPE html>\n<html><title>404 Not Found</title></html>\n", "web page"),
        ("\n <HTML>\n<body>1,2</body></HTML>\n", "web page"),
        ('<?xml version="1.0"?>\n<Error>\n</Error>\n', "XML"),
        ('{"a": [1, 2],\n "b": [3, 4]}\n', "JSON"),
        ('[\n  {"a": 1, "b": 2},\n  {"a": 3, "b": 4}\n]\n', "JSON"),
    ],
)
def test_b33_other_text_is_recognised(box, text, named):
    box.refused_table(text, says="looks like .*" + named)
    box.refused_table("\ufeff" + text, says="looks like .*" + named)


@row("B33")
def test_b33_a_model_in_place_of_a_table(box):
    error = box.refused("fit", "model.json", "y.csv", *QUICK, code=3, says="looks like JSON")
    assert "it is a model" in error["hint"]


@row("B33")
def test_b33_names_that_only_begin_like_that_are_names(box):
    box.write("x.csv", X.replace("a,b,c", "<a>,{b},[c]"))
    assert box.fitted("x.csv", "y.csv", *QUICK)["x"]["columns"] == ["<a>", "{b}", "[c]"]


@row("B34")
def test_b34_latin_1_in_a_name(box):
    text = X.replace("a,b,c", "a,größe,c").encode("latin-1")
    box.refused_table(text, says="not UTF-8", hint="--encoding latin1", place=(1, 2))
    result = box.fitted("x.csv", "y.csv", *QUICK, "--x-encoding", "latin1")
    assert result["x"]["columns"] == ["a", "größe", "c"]


@row("B34")
def test_b34_latin_1_in_a_cell_is_no_number(box):
    box.refused_table("a,b\n1,2\n3,4°\n".encode("latin-1"), says=r"expected a number.*\\xb0", place=(3, 2))


@row("B34")
def test_b34_an_unknown_encoding(box):
    box.write("x.csv", X)
    box.refused("fit", "x.csv", "y.csv", *QUICK, "--encoding", "klingon", code=2, says="klingon.*(utf-8|latin1)")


@row("B35")
@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be", "utf-32-le"])
@pytest.mark.parametrize("mark", ["\ufeff", ""], ids=["with mark", "without"])
def test_b35_utf_16_is_recognised(box, encoding, mark):
    says = "UTF-(16|32)" if mark else "UTF-(16|32)|NUL byte|binary"
    box.refused_table((mark + X).encode(encoding), says=says)


@row("B36")
@pytest.mark.parametrize(
    "name",
    [
        b"\xff", b"\xc0\xaf", b"\xe0\x80\xaf", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\xc3", b"ok\x80",
        b"\xf8\x88\x80\x80\x80",
    ],  # fmt: skip
    ids=["byte", "overlong 2", "overlong 3", "surrogate", "beyond Unicode", "cut short", "continuation", "five bytes"],
)
def test_b36_broken_names_are_refused_and_never_printed(box, name):
    box.refused_table(X.encode().replace(b"a,b,c", b"a," + name + b",c"), says="not UTF-8", place=(1, 2))


@row("B36")
def test_b36_broken_row_names_are_refused(box):
    box.write("x.csv", b"day,a,b,c\n1,1,2,3\n\xe0\x80,4,5,6\n")
    arguments = ["transform", "model.json", "--x", "x.csv", "--index-column", "day", "-o", "out.csv"]
    box.refused(*arguments, code=3, says="not UTF-8", place=(3, 1))


@row("B47")
@pytest.mark.parametrize("fault", ["grow", "shrink"])
@pytest.mark.parametrize("at", [1, 2])
def test_b47_a_file_that_changes_while_it_is_read(box, shim, fault, at):
    box.write("x.csv", "a,b\n" + "1.5,2.5\n" * 300_000)  # more than one block
    run = box.run("fit", "x.csv", "y.csv", *QUICK, "-o", "new.json", env=shim.env("read", at, fault))
    assert shim.fired()
    assert run.code == 3 and run.out == "", run.err
    assert "x.csv" in run.err and ("changed while" in run.err or at == 1)
    assert not box.path("new.json").exists()


def test_the_memory_of_a_run_can_be_measured(box):
    box.write("x.csv", X)
    run, peak = peak_memory(box, "list")
    assert run.code == 0 and MEGABYTE < peak < 8 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
