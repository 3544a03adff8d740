"""Fixtures, and the table of rows: `pytest tests/robustness --robustness-table FILE`."""
import os
import pathlib
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from box import QUICK, Box, X, Y  # noqa: E402
from rows import ROWS, WAITING  # noqa: E402
from support.command import run_cda, sanitised as is_sanitised  # noqa: E402
from support.faults import build_shim  # noqa: E402


@pytest.fixture(scope="session")
def model(tmp_path_factory):
    """The text of one small model, fitted once."""
    directory = tmp_path_factory.mktemp("model")
    (directory / "x.csv").write_text(X)
    (directory / "y.csv").write_text(Y)
    run = run_cda("fit", "x.csv", "y.csv", *QUICK, "-o", "model.json", cwd=directory)
    assert run.code == 0, run.err
    return (directory / "model.json").read_bytes()


@pytest.fixture
def box(tmp_path, model):
    return Box(tmp_path, model)


@pytest.fixture(scope="session")
def shim(tmp_path_factory, sanitised):
    """A library that makes system calls fail where it is asked to; see support/faults.py."""
    return build_shim(tmp_path_factory.mktemp("shim"), sanitised)


@pytest.fixture(scope="session")
def sanitised():
    return is_sanitised()


@pytest.fixture
def as_stranger(tmp_path):
    """A command line in front of ours that runs it as somebody without rights; nothing where we have none ourselves.
    The way to the test's directory is opened for that user."""
    if os.geteuid() != 0:
        return []
    for path in [tmp_path, *tmp_path.parents]:
        if path == pathlib.Path("/tmp") or path == path.parent:
            break
        path.chmod(path.stat().st_mode | 0o055)
    return ["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups"]


# ---- The table ----


def pytest_addoption(parser):
    parser.addoption("--robustness-table", metavar="FILE", help="write the result for each row as a Markdown table")


def pytest_configure(config):
    config.addinivalue_line("markers", "row(number): a row of the table of promises")
    config.results = {number: [] for number in ROWS}


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    report = (yield).get_result()
    decides = report.when == "call" or report.outcome != "passed"  # a fixture can fail or skip, too
    if decides:
        reason = report.longrepr[2].removeprefix("Skipped: ") if report.outcome == "skipped" else ""
        for mark in item.iter_markers("row"):
            item.config.results[mark.args[0]].append((report.outcome, reason))


def verdict(number, outcomes):
    """One row's result in words. A test that skipped for want of a right says so in its place."""
    kinds = [outcome for outcome, _ in outcomes]
    absent = [f"not applicable yet: {WAITING[number]}"] if number in WAITING else []
    other = sorted({reason for outcome, reason in outcomes if outcome == "skipped"})
    if not kinds and not absent:
        return "no test"
    if "failed" in kinds:
        return "failed"
    if "passed" not in kinds:
        return "; ".join(absent + other)
    return "; ".join(["passed", *absent, *(f"one part skipped: {reason}" for reason in other)])


def table(results):
    lines = ["| row | given | what happens | tests | result |", "|---|---|---|---|---|"]
    for number, (given, expected) in ROWS.items():
        outcomes = results[number]
        tests = sum(outcome != "skipped" for outcome, _ in outcomes)
        lines.append(f"| {number} | {given} | {expected} | {tests} | {verdict(number, outcomes)} |".replace("\n", " "))
    return "\n".join(lines) + "\n"


def pytest_sessionfinish(session):
    path = session.config.getoption("--robustness-table")
    if path:
        pathlib.Path(path).write_text(table(session.config.results))
