"""The package as it was built: PYTHONPATH leads to build/python, CDA_COMMAND is the command."""
import os
import pathlib
import subprocess

import numpy as np
import pandas
import pytest

import cda

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
BUILDINGS = ROOT / "examples" / "buildings"


@pytest.fixture(scope="session")
def command():
    """Runs the command with these arguments; a failure shows what it said."""
    program = os.environ["CDA_COMMAND"]

    def run(*arguments):
        done = subprocess.run([program, *map(str, arguments)], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout

    return run


@pytest.fixture(scope="session")
def buildings():
    """Two buildings, with the numbers of the files to the last bit."""
    return tuple(pandas.read_csv(BUILDINGS / name, float_precision="round_trip") for name in ("X.csv", "Y.csv"))


@pytest.fixture(scope="session")
def sources():
    """Two small tables with three sources in common."""
    x, y, _ = cda.synthesise("sources", n=300, k=250, seed=3)
    return x, y


@pytest.fixture(scope="session")
def fitted(sources):
    return cda.CDA(n_components=2).fit(*sources)


@pytest.fixture
def rng():
    return np.random.default_rng(0)
