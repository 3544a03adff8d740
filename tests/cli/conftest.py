"""How the command is run in these tests: as a person would, with its output and exit code caught."""
import json
import os
import pathlib
import signal
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
COMMAND = str(pathlib.Path(os.environ.get("CDA_COMMAND", ROOT / "build" / "cda")).resolve())

METHODS = ["CDA_M", "CDA_Q", "CDA_P", "rCDA_M", "rCDA_Q", "rCDA_P", "mCDA_P", "mrCDA_P"]


class Run:
    def __init__(self, finished):
        self.code = finished.returncode
        self.out = finished.stdout
        self.err = finished.stderr

    def json(self):
        return json.loads(self.out)

    def error(self):
        """The one JSON object on standard error; standard output has to be empty."""
        assert self.out == ""
        assert len(self.err.splitlines()) == 1, self.err
        return json.loads(self.err)["error"]


def start_cda(*arguments, cwd=None):
    """The command under way, for tests that interrupt it. A shell's background jobs ignore SIGINT: not this one."""
    return subprocess.Popen(
        [COMMAND, *map(str, arguments)],
        cwd=cwd,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )


def run_cda(*arguments, cwd=None, stdin="", env=None, timeout=300):
    return Run(
        subprocess.run(
            [COMMAND, *map(str, arguments)],
            cwd=cwd,
            input=stdin,
            env={**os.environ, **(env or {})},
            capture_output=True,
            text=True,
            timeout=timeout,
        )
    )


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


def write_table(path, names, rows, seed):
    import numpy

    values = numpy.random.default_rng(seed).normal(size=(rows, len(names)))
    values[:, 0] = numpy.exp(values[:, 0])
    lines = [",".join(names)] + [",".join(repr(float(value)) for value in row) for row in values]
    path.write_text("\n".join(lines) + "\n")
    return values


def listing(directory):
    """Every file below a directory with its bytes, to show that nothing was touched."""
    return {
        str(path.relative_to(directory)): path.read_bytes() for path in sorted(directory.rglob("*")) if path.is_file()
    }
