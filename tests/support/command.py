"""How the command is run in tests: as a person would, with its output and exit code caught."""
import functools
import json
import mmap
import os
import pathlib
import signal
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
COMMAND = str(pathlib.Path(os.environ.get("CDA_COMMAND", ROOT / "build" / "cda")).resolve())

METHODS = ["CDA_M", "CDA_Q", "CDA_P", "rCDA_M", "rCDA_Q", "rCDA_P", "mCDA_P", "mrCDA_P"]


class Run:
    """What a run left behind. Bytes that are not UTF-8 are kept as surrogates, so that a test can see them."""

    def __init__(self, finished):
        self.code = finished.returncode
        self.out = finished.stdout.decode("utf-8", "surrogateescape")
        self.err = finished.stderr.decode("utf-8", "surrogateescape")

    def json(self):
        return json.loads(self.out)

    def error(self):
        """The one JSON object on standard error; standard output has to be empty."""
        assert self.out == ""
        assert len(self.err.splitlines()) == 1, self.err
        return json.loads(self.err)["error"]


def usual_signals():
    """A shell's background jobs ignore SIGINT, Python ignores SIGPIPE and SIGXFSZ: what is started here does not."""
    for number in (signal.SIGINT, signal.SIGPIPE, signal.SIGXFSZ, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)


def environment(changes=None):
    """This process's environment with changes; None takes a variable away."""
    merged = {**os.environ, **(changes or {})}
    return {name: value for name, value in merged.items() if value is not None}


def start_cda(*arguments, cwd=None, env=None, stdin=subprocess.DEVNULL, before=usual_signals):
    """The command under way, for tests that interrupt it."""
    return subprocess.Popen(
        [COMMAND, *map(argument_of, arguments)],
        cwd=cwd,
        env=environment(env),
        stdin=stdin,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=before,
    )


@functools.cache
def sanitised():
    """Is the command built with a sanitizer? Those need memory and allocators of their own, and ten times the time."""
    if not os.path.exists(COMMAND):
        return False
    with open(COMMAND, "rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as program:
        return any(program.find(name) >= 0 for name in (b"__asan_init", b"__tsan_init"))


memory_is_measured = pytest.mark.skipif(sanitised(), reason="a sanitizer takes memory of its own")


def run_cda(*arguments, cwd=None, stdin="", env=None, timeout=300, before=usual_signals, wrapper=()):
    """The command from begin to end. `wrapper` is a command in front of it, such as strace."""
    if arguments[:1] == ("experiment",) and "--runs" in arguments and sanitised():
        pytest.skip("a study takes minutes under a sanitizer, and has its tests in C++")
    return Run(
        subprocess.run(
            [*wrapper, COMMAND, *map(argument_of, arguments)],
            cwd=cwd,
            input=stdin.encode() if isinstance(stdin, str) else stdin,
            env=environment(env),
            capture_output=True,
            timeout=timeout,
            preexec_fn=before,
        )
    )


def argument_of(value):
    return value if isinstance(value, (str, bytes)) else str(value)


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
