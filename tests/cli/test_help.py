"""Help pages and the manual: examples first, true, in lines that can be read, with every option."""
import gzip
import os
import re
import shlex
import signal
import subprocess

import numpy
import pytest
from conftest import COMMAND, run_cda, start_cda
from support.command import sanitised

LIMIT = 1800 if sanitised() else 300  # seconds for an example


def commands():
    text = run_cda("--help").out
    return re.findall(r"^  (\w+) ", text[text.index("\nCommands:") :], re.M)


def examples(command):
    """The examples of a help page, without what is said about them: that stands after two spaces or more."""
    text = run_cda(*command, "--help").out
    block = text[text.index("Examples:\n") + 10 : text.index("\nUsage:")].split("\n\n")[0]
    lines = [re.split(r"\s{2,}", line.strip())[0] for line in block.splitlines()]
    return [line for line in lines if re.search(r"\bcda ", line)]


PAGES = [[], *([command] for command in commands())]
ALL = [line for page in PAGES for line in examples(page)]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: " ".join(page) or "cda")
def test_examples_lead_and_lines_are_short(page):
    run = run_cda(*page, "--help")
    assert run.code == 0 and run.err == ""
    lines = run.out.splitlines()
    assert max(map(len, lines)) <= 100, max(lines, key=len)
    assert "Examples:" in lines[:5] and run.out.index("Examples:") < run.out.index("Usage:")
    assert examples(page), "a page shows how it is used"
    assert "\n\n\n" not in run.out


@pytest.mark.slow
@pytest.mark.parametrize("line", sorted(set(ALL)))
def test_examples_are_understood(line, tmp_path):
    """Without the files they name they end at the first that is missing, which is after everything was understood."""
    words = shlex.split(re.sub(r"^source <\((.*)\)$", r"\1", re.split(r" [|>] ", line)[0]))
    assert words[0] == "cda"
    running = start_cda(*words[1:], cwd=tmp_path)
    try:
        _, errors = running.communicate(timeout=1)  # what is not understood is refused at once
    except subprocess.TimeoutExpired:
        running.send_signal(signal.SIGINT)
        _, errors = running.communicate(timeout=60)
        assert running.returncode == 130, errors
    else:
        assert running.returncode in (0, 4), errors


LONG = re.compile(r"experiment|--surrogates|--method CDA_Q --bootstrap|man -l|h5ad|> ~|\| source")


@pytest.fixture(scope="module")
def workplace(tmp_path_factory):
    """Everything the examples name, small."""
    folder = tmp_path_factory.mktemp("examples")
    draw = numpy.random.default_rng(3)
    for name, rows in (("X.csv", 60), ("Y.csv", 60), ("data.csv", 60), ("old.csv", 60), ("new.csv", 50), ("new_rows.csv", 20)):
        names = ["id", "day", "a", "b", "c", "cnt", "type"]
        values = draw.exponential(size=(rows, len(names))) @ (numpy.eye(len(names)) + 0.2)
        values[:, 6] = numpy.arange(rows) % 2
        if name == "Y.csv":
            names[2:5] = ["d", "e", "f"]
        text = [",".join(names)] + [",".join(map(repr, map(float, row))) for row in values]
        if name == "Y.csv":  # some of what is to be predicted is missing
            text[3] = ",".join([*text[3].split(",")[:5], "", ""])
        (folder / name).write_text("\n".join(text) + "\n")
    with gzip.open(folder / "table.csv.gz", "wt") as file:
        file.write("a,b\n1,2\n-999,4\n")
    assert run_cda("synth", "buildings", "-o", "demo", "-q", cwd=folder).code == 0
    assert run_cda("synth", "linear", "--n", 50, "--k", 50, "-o", "d", "-q", cwd=folder).code == 0
    (folder / "bin").mkdir()
    (folder / "bin" / "cda").symlink_to(COMMAND)
    return folder


@pytest.mark.slow
@pytest.mark.parametrize("line", sorted({line for line in ALL if not LONG.search(line)}))
def test_examples_work(line, workplace):
    x, y = ("demo/X.csv", "demo/Y.csv") if "demo/" in line else ("d/X.csv", "d/Y.csv") if "d/" in line else ("X.csv", "Y.csv")
    known = [] if "/" in line else ["--exclude", "cnt,type,id,day"]
    fit = ["fit", x, y, *known, "--method", "CDA_M", "-q", "-o", "model.json"]
    assert run_cda(*fit, cwd=workplace).code == 0
    if "--y new.csv" in line:
        (workplace / "new.csv").write_text((workplace / "Y.csv").read_text())
    # Rows of Y without a target are there to be predicted; fits and scores need complete ones.
    if re.match(r"cda (fit|test|score|match)", line) and " Y.csv" in line and "--missing" not in line:
        line += " --missing drop-rows" if "score" not in line else ""
    line = line.replace(" T", " cnt")
    settings = {**os.environ, "PATH": f"{workplace / 'bin'}:{os.environ['PATH']}"}
    run = subprocess.run(["bash", "-c", line], cwd=workplace, env=settings, capture_output=True, text=True, timeout=LIMIT)
    assert run.returncode == 0, f"{line}\n{run.stderr}"


# ---- The manual ----


@pytest.fixture(scope="module")
def manual():
    run = run_cda("man")
    assert run.code == 0 and run.err == ""
    return run.out


def shown(manual):
    settings = {**os.environ, "MANWIDTH": "90", "LC_ALL": "C.UTF-8", "MAN_KEEP_FORMATTING": ""}
    run = subprocess.run(["man", "--warnings", "-l", "-"], input=manual, env=settings, capture_output=True, text=True)
    assert run.returncode == 0 and run.stderr == "", run.stderr
    return run.stdout


def test_the_manual_is_faultless_for_man_and_groff(manual):
    run = subprocess.run(["groff", "-man", "-ww", "-z", "-Tutf8"], input=manual, capture_output=True, text=True)
    assert run.returncode == 0 and run.stderr == ""
    assert "NAME\n" in shown(manual)
    assert manual.isascii()


def test_the_manual_has_every_command_and_option(manual):
    text = shown(manual)
    for heading in ("NAME", "SYNOPSIS", "DESCRIPTION", "EXAMPLES", "COMMANDS", "EXIT STATUS", "ENVIRONMENT", "FILES", "SEE ALSO"):
        assert re.search(rf"^{heading}$", text, re.M), heading
    sections = re.split(r"^   cda (\w+)", text[text.index("\nCOMMANDS") :], flags=re.M)
    by_command = dict(zip(sections[1::2], sections[2::2]))
    assert list(by_command) == commands()
    for command, section in by_command.items():
        for option in re.findall(r"(?<![\w-])--[a-z][a-z-]*", run_cda(command, "--help").out.split("\nUsage:")[1]):
            assert option in section, (command, option)
    assert "--x-missing" in by_command["fit"]


def test_what_roff_would_take_for_itself_is_shown_as_it_stands(manual):
    text = shown(manual)
    assert "put a ' before names in CSV" in text
    assert "... so many times in a row" in text  # a line that begins with dots is no request
    assert "`cda list formats`" in re.sub(r"\s+", " ", text)
    assert "--" in text and "\u2010" not in text and "\u2212" not in text  # options can be copied


def test_the_manual_and_the_scripts_are_installed(tmp_path):
    build = os.path.dirname(COMMAND)
    run = subprocess.run(["cmake", "--install", build, "--prefix", tmp_path], capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    for file, arguments in {
        "share/man/man1/cda.1": ["man"],
        "share/bash-completion/completions/cda": ["completion", "bash"],
        "share/zsh/site-functions/_cda": ["completion", "zsh"],
        "share/fish/vendor_completions.d/cda.fish": ["completion", "fish"],
    }.items():
        assert (tmp_path / file).read_text() == run_cda(*arguments).out
