"""Fixtures of the tests of the command line. How the command is run is shared with tests/robustness."""
import pathlib
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from support.command import COMMAND, METHODS, ROOT, Run, listing, run_cda, start_cda, write_table  # noqa: E402,F401


def pytest_configure(config):
    config.addinivalue_line("markers", "slow: takes seconds, and is left out by ./test quick")


@pytest.fixture
def cda(tmp_path):
    """The command, run in a fresh directory."""
    return lambda *arguments, **named: run_cda(*arguments, **{"cwd": tmp_path, **named})


@pytest.fixture
def tables(tmp_path):
    """Two small tables, x.csv with three columns and y.csv with two, that any method can be fitted to quickly."""
    write_table(tmp_path / "x.csv", ["a", "b", "c"], 40, 1)
    write_table(tmp_path / "y.csv", ["d", "e"], 30, 2)
    return tmp_path
