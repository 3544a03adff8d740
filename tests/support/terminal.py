"""The command on a terminal of a given width: what it wrote, and what stands on the screen afterwards."""
import fcntl
import os
import pty
import re
import struct
import subprocess
import termios
import unicodedata

from .command import COMMAND, argument_of, environment, usual_signals

SWITCHES = re.compile(r"\x1b\[[0-9;]*m")


def width(text):
    """Columns of the screen."""
    columns = 0
    for character in SWITCHES.sub("", text):
        if not unicodedata.combining(character) and unicodedata.category(character) not in ("Mn", "Me", "Cf"):
            columns += 2 if unicodedata.east_asian_width(character) in "WF" else 1
    return columns


class Shown:
    """Everything written to a terminal. `lines` is what stays on its screen, `drawn` every state of a redrawn line."""

    def __init__(self, text, code, out):
        self.text, self.code, self.out = text, code, out
        self.lines, self.drawn = [], []
        for line in text.replace("\r\n", "\n").split("\n"):
            states = line.split("\r")
            self.drawn += [state.removeprefix("\x1b[K") for state in states[:-1] if state.removeprefix("\x1b[K")]
            # A redraw clears the rest of the line: the last state is what is seen.
            assert all(state.startswith("\x1b[K") for state in states[1:])
            self.lines.append(states[-1].removeprefix("\x1b[K"))


class Terminal:
    """The command under way; its error stream, and its output unless that is piped, go to the terminal."""

    def __init__(self, arguments, columns, cwd=None, env=None, pipe_output=False, pipe_errors=False):
        self.end, inner = pty.openpty()
        fcntl.ioctl(inner, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        settings = {"TERM": "xterm-256color", "LC_ALL": "C.UTF-8", "COLUMNS": None, "NO_COLOR": None, **(env or {})}
        self.process = subprocess.Popen(
            [COMMAND, *map(argument_of, arguments)],
            cwd=cwd,
            env=environment(settings),
            stdin=inner,
            stdout=subprocess.PIPE if pipe_output else inner,
            stderr=subprocess.PIPE if pipe_errors else inner,
            preexec_fn=usual_signals,
        )
        os.close(inner)

    def read(self):
        """Some of what was written; nothing once the other end is closed."""
        try:
            return os.read(self.end, 65536)
        except OSError:
            return b""

    def finish(self, before=b""):
        text = before
        while more := self.read():
            text += more
        os.close(self.end)
        out, errors = self.process.communicate(timeout=300)
        piped = ((out or b"") + (errors or b"")).decode("utf-8", "surrogateescape")
        return Shown(text.decode("utf-8", "surrogateescape"), self.process.returncode, piped)


def on_terminal(*arguments, columns=80, **named):
    return Terminal(arguments, columns, **named).finish()
