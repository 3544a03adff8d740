"""D23, S02 and X08 of the Python package, whose tests are in tests/python: here they are run for the table."""
import os
import pathlib
import subprocess
import sys

import pytest
from rows import row
from support.command import COMMAND, ROOT


@pytest.fixture
def python_tests(sanitised):
    """Runs tests of the package; nothing of it may fail."""
    package = pathlib.Path(COMMAND).resolve().parent / "python"
    if sanitised:
        pytest.skip("Python itself is not built with a sanitizer")

    def run(file, words):
        suite = ["-m", "pytest", "-q", "-p", "no:cacheprovider", f"tests/python/{file}", "-k", words]
        environment = {**os.environ, "PYTHONPATH": str(package)}
        done = subprocess.run([sys.executable, *suite], cwd=ROOT, env=environment, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr

    return run


@row("D23")
def test_d23_arrays_of_every_kind(python_tests):
    python_tests("test_arrays.py", "any_order or not_aligned or every_order or refused")


@row("S02")
def test_s02_an_interrupt_under_python(python_tests):
    python_tests("test_running.py", "interrupt")


@row("X08")
def test_x08_forks_threads_and_joblib(python_tests):
    python_tests("test_running.py", "forked or threads or joblib")
