"""Parameters of estimators and functions, checked when they are used, with their names in the message."""
from __future__ import annotations

import math
import numbers
import os
import re
from typing import Sequence

import numpy as np

from ._errors import UsageError

_MOST = 2**31 - 1


def _wrong(name: str, value: object, expected: str) -> UsageError:
    return UsageError(f"{name} must be {expected}, not {value!r}", "option.value")


def whole(name: str, value: object, lowest: int, highest: int = _MOST) -> int:
    if isinstance(value, numbers.Integral) and not isinstance(value, bool) and lowest <= int(value) <= highest:
        return int(value)
    above = "" if highest == _MOST else f" to {highest}"
    raise _wrong(name, value, f"a whole number from {lowest}{above}")


def real(name: str, value: object, lowest: float, highest: float = math.inf) -> float:
    if isinstance(value, numbers.Real) and not isinstance(value, bool) and lowest <= float(value) <= highest:
        return float(value)
    raise _wrong(name, value, f"a number from {lowest:g}" + ("" if highest == math.inf else f" to {highest:g}"))


def flag(name: str, value: object) -> bool:
    if isinstance(value, (bool, np.bool_)):
        return bool(value)
    raise _wrong(name, value, "True or False")


def text(name: str, value: object) -> str:
    if isinstance(value, str):
        return value
    raise _wrong(name, value, "a text")


def choice(name: str, value: object, allowed: Sequence[str]) -> str:
    if isinstance(value, str) and value in allowed:
        return value
    raise _wrong(name, value, " or ".join(repr(one) for one in allowed))


def text_or_number(name: str, value: object) -> str:
    """Rules that may also be a value: ``"median"``, ``0.2``."""
    return value if isinstance(value, str) else repr(real(name, value, 0.0))


def parts(name: str, value: object) -> list[str]:
    """``"minmax+pca:3"`` or ``["minmax", "pca:3"]``; a + before a digit belongs to a number."""
    if isinstance(value, str):
        return [part for part in re.split(r"\s+|\+(?!\d)", value) if part]
    if isinstance(value, (list, tuple)):
        return [text(name, part) for part in value]
    raise _wrong(name, value, "a text or a list of texts")


def seed(value: object) -> int:
    """The seed in force: 0 for None, a draw from a generator, or the number itself."""
    if value is None:
        return 0
    if isinstance(value, np.random.RandomState):
        return int(value.randint(0, _MOST))
    if isinstance(value, np.random.Generator):
        return int(value.integers(0, _MOST))
    if isinstance(value, numbers.Integral) and not isinstance(value, bool) and 0 <= int(value) < 2**64:
        return int(value)
    raise _wrong("random_state", value, "None, a whole number from 0 or a random generator of NumPy")


def threads(value: object) -> int:
    """How many threads: None and -1 are all that this process may use, -2 one fewer, and so on."""
    if value is None:
        return 0
    if not isinstance(value, numbers.Integral) or isinstance(value, bool) or int(value) == 0 or int(value) > 4096:
        raise _wrong("n_jobs", value, "None, a number of threads, or -1 for all")
    if int(value) > 0:
        return int(value)
    return max(1, len(os.sched_getaffinity(0)) + 1 + int(value))


def as_text(name: str, value: object) -> object:
    """The value as the library reads it, in the form in which it is typed after an option of the command."""
    if name in ("threads", "time_limit"):
        return value
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return " ".join(value) or "none"
    return value if isinstance(value, str) else repr(value)
