"""What can go wrong, as exceptions and warnings.

Every error of the library is a :class:`Error`, which is a ``ValueError``; its subclass says whose move it is, as the exit
codes of the command do.
"""
from __future__ import annotations

import builtins
import re
import sys
import warnings
from typing import Iterable

# Options of the command whose parameters have other names here.
_PARAMETERS = {"pairs": "n_components", "seed": "random_state", "threads": "n_jobs", "beta": "scale"}


class Error(ValueError):
    """Something the library refuses or cannot do.

    Attributes
    ----------
    code : str
        A stable name for programs, for example ``"data.constant"``.
    message : str
        One sentence.
    hint : str
        What to do about it, or an empty string.
    """

    def __init__(self, message: str, code: str = "python", hint: str = "") -> None:
        super().__init__(f"{message} (hint: {hint})" if hint else message)
        self.code = code
        self.message = message
        self.hint = hint

    def __reduce__(self) -> tuple[type[Error], tuple[str, str, str]]:
        return type(self), (self.message, self.code, self.hint)


class UsageError(Error):
    """The request makes no sense: an unknown name, a parameter out of range."""


class InputError(Error):
    """The content of a table or file is wrong."""


class FileError(Error, OSError):
    """The system refused: a missing file, no permission, a full disk."""


class NumericalError(Error, ArithmeticError):
    """The data are degenerate, or the method has no answer for them."""


class ResourceError(Error, MemoryError):
    """It would need more memory than there is."""


class InternalError(Error):
    """A bug of ours."""


class Warning(UserWarning):
    """Something a fit wants to be known about its data or its result."""


_FAULTS = {1: InternalError, 2: UsageError, 3: InputError, 4: FileError, 5: NumericalError, 6: ResourceError}


def as_parameters(text: str) -> str:
    """Names of options of the command, ``--block-length``, as parameters, ``block_length``."""

    def parameter(match: re.Match[str]) -> str:
        name = match[1].replace("-", "_")
        return _PARAMETERS.get(name, name)

    return re.sub(r"--([a-z][a-z-]*[a-z])", parameter, text)


def from_library(fault: int, code: str, message: str, hint: str, file: str, line: int, column: int) -> Error:
    """The exception that stands for an error of the library."""
    place = ":".join([file, *(str(number) for number in (line, column) if number > 0)]) if file else ""
    text = as_parameters(message)
    return _FAULTS.get(fault, InternalError)(f"{place}: {text}" if place else text, code, as_parameters(hint))


def warn(texts: Iterable[str]) -> None:
    """Issues each text as a :class:`Warning` of the line outside this package that led here."""
    level, frame = 1, sys._getframe()
    while frame.f_back is not None and frame.f_globals.get("__name__", "").split(".")[0] in ("cda", "sklearn"):
        level, frame = level + 1, frame.f_back
    category: type[builtins.Warning] = Warning
    for text in texts:
        warnings.warn(as_parameters(text), category, stacklevel=level)
