"""What people see: findings that fit the window they are shown in, and how far long work has come."""
import re
import signal

import numpy
import pytest
from conftest import ROOT, run_cda
from support.command import sanitised
from support.terminal import Terminal, on_terminal, width

BUILDINGS = [ROOT / "examples" / "buildings" / name for name in ("X.csv", "Y.csv")]
FIT = ["fit", *BUILDINGS]
# Some seconds of work, most of it in one loop.
LONG = ["test", *BUILDINGS, "--surrogates", "4000" if sanitised() else "40000", "--bootstrap", "19"]
BAR = re.compile(r"^(\[#*\.*\] )? *\d+ %")


def tables_of(lines):
    """The lines of each pair's table: from the line with X and Y to the first that holds no loading."""
    found = []
    for i, line in enumerate(lines):
        if re.fullmatch(r"  X +Y", line):
            end = next(j for j in range(i + 1, len(lines)) if not re.search(r" [+-]\d\.\d\d\b", lines[j]))
            found.append(lines[i:end])
    return found


def test_off_a_terminal_findings_are_80_columns_of_ascii_whatever_the_window(cda):
    text = cda(*FIT).out
    assert text.isascii() and max(map(len, text.splitlines())) <= 80
    assert cda(*FIT, env={"COLUMNS": "40", "LC_ALL": "C.UTF-8"}).out == text
    assert cda(*FIT, env={"COLUMNS": "200", "LC_ALL": "C", "TERM": "dumb"}).out == text


def test_columns_of_x_stand_beside_those_of_y_with_loading_and_bar(cda):
    result = cda(*FIT, "--json").json()
    lines = cda(*FIT).out.splitlines()
    tables = tables_of(lines)
    assert len(tables) == len(result["pairs"]) == 3
    begin = {table[0].index("Y") for table in tables}
    assert len(begin) == 1, "the columns of Y stand under each other, pair after pair"
    middle = begin.pop()
    for table, pair in zip(tables, result["pairs"]):
        for side, cells in (("x", [line[2:middle] for line in table[1:]]), ("y", [line[middle:] for line in table[1:]])):
            shown = [re.fullmatch(r"(\S+) +([+-]\d\.\d\d) (#*|-*)", cell.rstrip()).groups() for cell in cells if cell.strip()]
            loadings = pair[f"{side}_loadings"]
            strongest = sorted(loadings, key=lambda name: -abs(loadings[name]))
            assert [name for name, _, _ in shown] == strongest[: len(shown)]
            for name, number, bar in shown:
                assert float(number) == pytest.approx(loadings[name], abs=0.0051)
                assert len(bar) == pytest.approx(10 * abs(loadings[name]), abs=0.51)
                assert set(bar) <= ({"#"} if loadings[name] > 0 else {"-"})


def test_evidence_keeps_to_the_width_too(cda):
    run = cda("test", *BUILDINGS, "--surrogates", 99, "--bootstrap", 9, "-v")
    assert run.code == 0 and max(map(len, run.out.splitlines())) <= 80
    assert "Is anything shared?" in run.out and "held-out agreement" in run.out


@pytest.mark.parametrize("columns", [40, 59, 60, 80, 100, 160])
def test_on_a_terminal_findings_fit_its_width(columns, tmp_path):
    shown = on_terminal(*FIT, "-o", "m.json", columns=columns, cwd=tmp_path)
    assert shown.code == 0
    assert max(map(width, shown.lines)) <= columns
    assert "█" in shown.text and "░" in shown.text and "#" not in "".join(shown.lines)
    first = [line for line in shown.lines if "heating_kWh" in line][0]
    if columns < 60:  # X above Y
        assert first.startswith("  X  heating_kWh") and first.count("heating_kWh") == 1
        assert any(line.startswith("  Y  heating_kWh") for line in shown.lines)
    else:
        assert first.count("heating_kWh") == 2


def test_the_variable_columns_decides_and_plain_locales_get_plain_bars(tmp_path):
    narrow = on_terminal(*FIT, columns=120, env={"COLUMNS": "40"}, cwd=tmp_path)
    assert any(line.startswith("  X  heating_kWh") for line in narrow.lines)
    for nonsense in ("0", "-3", "many", ""):
        assert tables_of([re.sub(r"\x1b\[\d*m", "", line) for line in on_terminal(*FIT, columns=90, env={"COLUMNS": nonsense}).lines])
    plain = on_terminal(*FIT, env={"LC_ALL": "C", "NO_COLOR": "1"}, cwd=tmp_path)
    assert plain.text.isascii() and "######" in plain.text and "\x1b[1m" not in plain.text


NAMES = ["温度センサー" * 6, "e\u0301" * 40, "😀" * 30, "a" * 300, "한국어", "bad\x1b[31m\u202ename" * 5]


@pytest.mark.parametrize("columns", [40, 80])
def test_long_and_wide_names_are_cut_by_what_is_seen(columns, tmp_path):
    draw = numpy.random.default_rng(1)
    for file, rows in (("x.csv", 80), ("y.csv", 70)):
        values = draw.exponential(size=(rows, 1)) @ numpy.ones((1, len(NAMES))) + 0.1 * draw.normal(size=(rows, len(NAMES)))
        header = ",".join(f'"{name}"' for name in NAMES)
        numpy.savetxt(tmp_path / file, values, delimiter=",", header=header, comments="", encoding="utf-8")
    fit = ["fit", "x.csv", "y.csv", "--method", "CDA_M", "--components", "3"]
    shown = on_terminal(*fit, columns=columns, cwd=tmp_path)
    assert shown.code == 0
    bars = [line for line in shown.lines if re.search(r" [+-]\d\.\d\d ", line)]
    assert bars and max(map(width, bars)) <= columns
    assert "..." in "".join(bars) and "\x1b[31m" not in shown.text
    for line in bars:  # never an accent without its letter
        assert not re.search(r"[ .]\u0301", line)


def test_long_names_leave_room_for_whole_bars_in_a_wide_window(tmp_path):
    draw = numpy.random.default_rng(1)
    for file, rows in (("x.csv", 80), ("y.csv", 70)):
        values = draw.exponential(size=(rows, 1)) @ numpy.ones((1, 2)) + 0.01 * draw.normal(size=(rows, 2))
        numpy.savetxt(tmp_path / file, values, delimiter=",", header="a" * 300 + ",b", comments="")
    shown = on_terminal("fit", "x.csv", "y.csv", "--method", "PCA", "--components", "1", columns=150, cwd=tmp_path)
    assert shown.code == 0
    bars = [line for line in shown.lines if re.search(r" [+-]1\.00 ", line)]
    assert bars and all(width(line) <= 150 for line in bars)
    assert all(line.count("█") + line.count("░") == 20 for line in bars), "loadings of 1 on both sides: ten each"


def test_matches_become_blocks_where_the_table_does_not_fit(tmp_path):
    match = ["match", *BUILDINGS, "--bootstrap", "19"]
    wide = on_terminal(*match, columns=160, cwd=tmp_path)
    narrow = on_terminal(*match, columns=50, cwd=tmp_path)
    assert any("similarity  runner-up" in line for line in wide.lines)
    assert not any("similarity  runner-up" in line for line in narrow.lines)
    at = next(i for i, line in enumerate(narrow.lines) if line == "  electricity_kWh ~ electricity_kWh")
    assert narrow.lines[at + 1].startswith("    sign +   similarity 0.")
    for line in narrow.lines:  # names of two tables with nothing to break between may be wider
        assert width(line) <= 50 or len(line.split()) <= 3, line
    piped = run_cda(*match, cwd=tmp_path)
    assert "similarity  runner-up" in piped.out


# ---- Progress ----


@pytest.mark.slow
@pytest.mark.parametrize("columns", [40, 100])
def test_progress_is_one_line_that_fits_and_goes(columns, tmp_path):
    shown = on_terminal(*LONG, "-o", "m.json", columns=columns, cwd=tmp_path)
    assert shown.code == 0
    assert len(shown.drawn) >= 3, shown.text
    for state in shown.drawn:
        assert BAR.match(state), state
        assert len(state) < columns and ("left" in state or "estimating" in state)
    percent = [int(re.search(r"(\d+) %", state)[1]) for state in shown.drawn]
    phases = sum(after < before for before, after in zip(percent, percent[1:]))
    assert phases <= 1, "a bar for the fit and one for the evidence; neither goes back"
    assert not any(BAR.match(line) for line in shown.lines), "nothing is left behind"


@pytest.mark.slow
def test_progress_has_no_colour_and_needs_no_output_terminal(tmp_path):
    shown = on_terminal(*LONG, "--json", columns=80, cwd=tmp_path, pipe_output=True, env={"NO_COLOR": "1"})
    assert shown.code == 0 and shown.drawn
    assert re.sub(r"\r(\x1b\[K)?", "", shown.text).find("\x1b") == -1
    assert shown.out.startswith("{") and "\x1b" not in shown.out


@pytest.mark.slow
@pytest.mark.parametrize(
    "how",
    [{"env": {"TERM": "dumb"}}, {"pipe_errors": True}, {"more": ["--quiet"]}],
    ids=["a dumb terminal", "errors are not on a terminal", "quiet"],
)
def test_otherwise_there_is_no_progress(how, tmp_path):
    how = dict(how)
    shown = on_terminal(*LONG, *how.pop("more", []), columns=80, cwd=tmp_path, **how)
    assert shown.code == 0
    assert not shown.drawn and "\x1b[K" not in shown.text + shown.out and " left" not in shown.text + shown.out


@pytest.mark.parametrize("times", [1, 2])
def test_an_interrupted_command_leaves_no_bar_behind(times, tmp_path):
    running = Terminal(["test", *BUILDINGS, "--surrogates", "9999", "--bootstrap", "99999"], 80, cwd=tmp_path)
    text = b""
    while b"%" not in text:
        more = running.read()
        assert more, text
        text += more
    for _ in range(times):
        running.process.send_signal(signal.SIGINT)
    shown = running.finish(text)
    assert shown.code == 130
    assert [line for line in shown.lines if line] == ["cda: error: interrupted"]


def test_all_studies_show_which_one_is_under_way(tmp_path):
    running = Terminal(["experiment", "all", "--quick", "-o", "results"], 120, cwd=tmp_path)
    text = b""
    while not re.search(rb"study \d+ of \d+, [a-z0-9_]+: ", text):
        more = running.read()
        assert more, text
        text += more
    running.process.send_signal(signal.SIGINT)
    shown = running.finish(text)
    assert shown.code == 130
    assert all(len(state) < 120 for state in shown.drawn)
