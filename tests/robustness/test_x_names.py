"""X01 to X08: names and paths meant to do harm are shown, never obeyed."""
import csv
import html.parser
import io
import json
import os

import numpy
import pytest
from box import QUICK, X, harmless
from rows import row
from support.command import listing

MARKUP = ["</script><script>alert(1)</script>", "<img src=x onerror=alert(1)>", '"><svg onload=alert(1)>',
          "<!-- <script>", "\u2028", "{{7*7}}", "${x}"]  # fmt: skip
STEERING = ["\x1b[31mred", "\x1b]0;title\x07", "\x9b2J", "a\rb", "a\bb", "turned\u202enrut", "\u2066isolated\u2069",
            "z\u200bero", "\ufeffmark", "line\u2028end", "\x7f", "\u061c"]  # fmt: skip
FORMULAS = ["=1+2", "=cmd|' /C calc'!A0", "+1", "-x", "@sum", "\tx", "\rx"]
PATHS = ["../../etc/x", "a/b", "CON", "x" * 300, "..", "/etc/passwd", "nul.txt", "~root"]


def quoted(name):
    return '"' + name.replace('"', '""') + '"'


def with_name(name):
    return X.replace("a,b,c", f"{quoted(name)},b,c", 1)


@row("X01")
@pytest.mark.parametrize("name", MARKUP)
def test_x01_markup_in_names_stays_text_in_json_and_models(box, name):
    box.write("x.csv", with_name(name))
    assert box.fitted("x.csv", "y.csv", *QUICK, "-o", "new.json")["x"]["columns"][0] == name
    assert json.loads(box.path("new.json").read_text())["x"]["columns"][0] == name


class Elements(html.parser.HTMLParser):
    """What a browser would make of a page: its elements with their attributes, and its text."""

    def __init__(self, page):
        super().__init__()
        self.elements, self.text = [], ""
        self.feed(page)

    def handle_starttag(self, tag, attributes):
        self.elements.append((tag, sorted(name for name, _ in attributes)))

    def handle_data(self, data):
        self.text += data


@row("X01")
@pytest.mark.parametrize("name", MARKUP)
def test_x01_markup_in_names_makes_no_element_of_a_report(box, name):
    pages = []
    for column in (name, "a" * len(name)):
        box.write("x.csv", with_name(column))
        run = box.run("fit", "x.csv", "y.csv", *QUICK, "--report", "page.html", "-q")
        assert run.code == 0, run.err
        pages.append(box.path("page.html").read_text(encoding="utf-8"))
    hostile, plain = (Elements(page) for page in pages)
    assert hostile.elements == plain.elements
    assert name == "\u2028" or name in hostile.text  # as text; that no script runs is seen in a browser, web/tests
    assert "\u2028" not in pages[0]


@row("X02")
@pytest.mark.parametrize("name", STEERING, ids=ascii)
def test_x02_names_cannot_steer_the_terminal(box, name):
    box.write("x.csv", with_name(name))
    for arguments in (["fit", "x.csv", "y.csv", *QUICK, "-v"], ["match", "x.csv", "y.csv"]):
        run = box.run(*arguments)
        assert run.code == 0, run.err
        assert harmless(run.out + run.err), ascii(run.out + run.err)
    result = box.fitted("x.csv", "y.csv", *QUICK)
    assert result["x"]["columns"][0] == name


@row("X02")
@pytest.mark.parametrize("name", STEERING, ids=ascii)
def test_x02_messages_cannot_steer_the_terminal(box, name):
    table = with_name(name).splitlines(keepends=True)
    broken = "".join([*table[:-1], "oops,1,2\n"])
    if "\r" in name:  # splitlines() has split there, too
        broken = with_name(name).replace("\n0.5,", "\noops,", 1)
    box.refused_table(broken, says="oops")
    box.refused_table(f"a,b\n1,{quoted(name)}\n", says="")
    box.refused_table(f"{quoted(name)},b\nday 1,2\nday 2,3\n", says="day 1")
    box.refused_table(X, "--x-exclude", name, code=2, says="there is no column")
    box.refused_table(X, "--method", name, code=2, says="")
    box.write("x.csv", with_name(name))
    constant = box.write("c.csv", f"{quoted(name)},b\n" + "".join(f"1,{i % 9}\n" for i in range(30)))
    run = box.run("fit", constant, "y.csv", *QUICK)
    assert harmless(run.out + run.err), ascii(run.out + run.err)


@row("X02")
@pytest.mark.parametrize("name", ["\x1b[31mred.json", "turned\u202enrut.json", "a\nb.json"], ids=ascii)
def test_x02_paths_of_models_cannot_either(box, name):
    box.write("x.csv", X)
    for content in ("not a model", "{}"):
        box.write(name, content)
        run = box.run("transform", name, "--x", "x.csv")
        assert run.code == 3
        assert harmless(run.err) and run.err.count("\n") == 1, ascii(run.err)
    run = box.run("transform", name + ".none", "--x", "x.csv")
    assert run.code == 4 and harmless(run.err) and run.err.count("\n") == 1, ascii(run.err)


@row("X03")
@pytest.mark.parametrize("name", FORMULAS, ids=ascii)
def test_x03_formulas_in_csv_output(box, name):
    rows = X.splitlines()
    text = "\n".join([f"{quoted(name)},{rows[0]}"] + [f"{quoted(name)},{line}" for line in rows[1:]]) + "\n"
    box.write("x.csv", text)
    run = box.run("transform", "model.json", "--x", "x.csv", "--index-column", name)
    assert run.code == 0, run.err
    lines = list(csv.reader(io.StringIO(run.out)))
    assert lines[0][0] == "'" + name and lines[1][0] == "'" + name
    run = box.run("transform", "model.json", "--x", "x.csv", "--index-column", name, "--excel-safe", "no")
    lines = list(csv.reader(io.StringIO(run.out)))
    assert lines[0][0] == name and lines[1][0] == name


@row("X03")
def test_x03_numbers_stay_numbers(box):
    box.write("x.csv", X)
    for value in box.projected("x.csv").splitlines()[1:]:
        float(value)


@row("X04")
@pytest.mark.parametrize("name", PATHS, ids=lambda name: name[:12])
def test_x04_files_are_never_named_after_data(box, name):
    box.path("inner").mkdir()
    box.write("inner/x.csv", with_name(name))
    before = listing(box.directory)
    run = box.run("fit", "inner/x.csv", "y.csv", *QUICK, "-o", "inner/new.json")
    assert run.code == 0, run.err
    assert set(listing(box.directory)) - set(before) == {"inner/new.json"}


@row("X04")
def test_x04_synthetic_tables_have_fixed_names(box):
    run = box.run("synth", "linear", "--n", "20", "--k", "20", "-o", "made/../made")
    if run.code == 4:  # a folder has to be there before one can go up from it
        run = box.run("synth", "linear", "--n", "20", "--k", "20", "-o", "made")
    assert run.code == 0, run.err
    assert sorted(os.listdir(box.path("made"))) == ["X.csv", "Y.csv", "truth.json"]


@row("X05")
@pytest.mark.parametrize("kind", ["relative", "absolute", "chain", "to nothing yet"])
def test_x05_a_link_is_followed_and_kept(box, kind):
    box.write("x.csv", X)
    box.path("real").mkdir()
    target = box.path("real/model.json")
    if kind != "to nothing yet":
        target.write_text("older")
        target.chmod(0o640)
    link = box.path("link.json")
    os.symlink(target if kind == "absolute" else "real/model.json", box.path("hop") if kind == "chain" else link)
    if kind == "chain":
        os.symlink("hop", link)
    run = box.run("fit", "x.csv", "y.csv", *QUICK, "-q", "-o", "link.json")
    assert run.code == 0, run.err
    assert link.is_symlink() and json.loads(target.read_text())["format"] == "cda-model"
    assert os.listdir(box.path("real")) == ["model.json"]
    if kind != "to nothing yet":
        assert target.stat().st_mode & 0o777 == 0o640


@row("X05")
@pytest.mark.parametrize("path", ["real/../new.json", "./new.json", "real/../real/../new.json"])
def test_x05_dots_in_a_path(box, path):
    box.write("x.csv", X)
    box.path("real").mkdir()
    assert box.run("fit", "x.csv", "y.csv", *QUICK, "-q", "-o", path).code == 0
    assert box.path("new.json").exists() and os.listdir(box.path("real")) == []


@row("X06")
def test_x06_a_report_of_a_million_rows_is_small(box, sanitised):
    rows = 100_000 if sanitised else 1_000_000
    draw = numpy.random.default_rng(0)
    numpy.save(box.path("x.npy"), draw.exponential(size=(rows, 2)))
    numpy.save(box.path("y.npy"), draw.normal(size=(rows, 2)))
    run = box.run("fit", "x.npy", "y.npy", "--method", "CDA_M", "--report", "page.html", "-q", timeout=300)
    assert run.code == 0, run.err
    assert box.path("page.html").stat().st_size < 1_500_000
