"""The table itself: every row has tests, what is called absent is absent, and the document shows the rows."""
import pathlib
import re

from rows import ROWS, WAITING
from support.command import ROOT


def test_every_row_has_a_test():
    text = "".join(path.read_text() for path in pathlib.Path(__file__).parent.glob("test_*.py"))
    tested = set(re.findall(r'@row\("([A-Z]\d\d)"\)', text))
    assert sorted(set(ROWS) - tested - set(WAITING)) == []


def test_the_name_of_a_test_begins_with_its_row(request):
    for item in request.session.items:
        for mark in item.iter_markers("row"):
            assert item.name.startswith(f"test_{mark.args[0].lower()}_"), item.name


def test_what_is_waited_for_is_absent():
    """As soon as it arrives, tests for its rows have to be written."""
    assert "MPI" not in WAITING.values() or "CDA_WITH_MPI" not in (ROOT / "CMakeLists.txt").read_text()


def test_the_document_shows_every_row():
    page = ROOT / "docs" / "robustness.md"
    lines = [line for line in page.read_text().splitlines() if re.match(r"\| [A-Z]\d\d ", line)]
    shown = {line.split("|")[1].strip(): line for line in lines}
    assert list(shown) == list(ROWS), "scripts/robustness_table.py writes the table"
    for number, (given, expected) in ROWS.items():
        assert f"| {given} | {expected} |" in shown[number], "scripts/robustness_table.py writes the table"
    assert not [line for line in shown.values() if "failed" in line or "no test" in line]
