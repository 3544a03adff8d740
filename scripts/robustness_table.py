"""Runs tests/robustness and writes its table of rows into docs/robustness.md, between the markers.

With a file as argument, such as the one `pytest tests/robustness --robustness-table FILE` wrote, nothing is run.
"""
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "robustness.md"
BEGIN, END = "<!-- begin of the table -->\n", "<!-- end of the table -->\n"


def measured():
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "table.md"
        suite = ["-m", "pytest", "-q", "-p", "no:cacheprovider", "tests/robustness", "--robustness-table", str(path)]
        # The page is checked by the suite and is about to change: that test waits.
        suite += ["--deselect", "tests/robustness/test_rows.py::test_the_document_shows_every_row"]
        code = subprocess.run([sys.executable, *suite], cwd=ROOT).returncode
        if code > 1:
            sys.exit(code)
        return path.read_text()


def main():
    table = pathlib.Path(sys.argv[1]).read_text() if len(sys.argv) > 1 else measured()
    page = PAGE.read_text()
    before, rest = page.split(BEGIN)
    PAGE.write_text(before + BEGIN + table + END + rest.split(END)[1])


main()
