"""From what people have (arrays, DataFrames, lists) to the library's tables.

Nothing is ever changed in place. An array of float64 is read where it is, in any order and with any strides: rows to be
mapped without a copy, a table that is fitted by the one copy that brings it into the library's own order. Other numbers
are converted first. What is not numbers is refused.
"""
from __future__ import annotations

import sys
import warnings
from dataclasses import dataclass
from typing import Any, Sequence

import numpy as np
from numpy.typing import NDArray

from . import _core
from ._errors import InputError

Numbers = NDArray[np.float64]


def is_frame(data: object) -> bool:
    """Whether it is a pandas DataFrame, without importing pandas."""
    pandas = sys.modules.get("pandas")
    return pandas is not None and isinstance(data, pandas.DataFrame)


def is_series(data: object) -> bool:
    pandas = sys.modules.get("pandas")
    return pandas is not None and isinstance(data, pandas.Series)


@dataclass
class Data:
    """A table on its way in: its numbers, and the names of its columns where it has any."""

    values: Numbers
    names: list[str] | None
    index: Any = None

    @property
    def shape(self) -> tuple[int, int]:
        rows, columns = self.values.shape
        return rows, columns


def _names_of(labels: Sequence[object], side: str) -> list[str] | None:
    texts = [label for label in labels if isinstance(label, str)]
    if not texts:
        return None
    if len(texts) < len(labels):
        kinds = sorted({type(label).__name__ for label in labels})
        raise TypeError(
            f"Feature names are only supported if all input features have string names, but the columns of {side} are of "
            f"types {kinds}. Convert them with {side}.columns = {side}.columns.astype(str)."
        )
    twice = sorted({name for name in texts if texts.count(name) > 1}) if len(set(texts)) < len(texts) else []
    if twice:
        raise InputError(f"{side} has several columns named {', '.join(map(repr, twice[:10]))}", "table.names")
    return texts


def _frame_numbers(frame: Any, side: str) -> Numbers:
    if all(isinstance(dtype, np.dtype) and dtype.kind in "biuf" for dtype in frame.dtypes):
        plain: Numbers = frame.to_numpy(dtype=np.float64)  # the frame's own memory where all of it is float64
        return plain
    text = [
        repr(str(frame.columns[position]))
        for position in range(frame.shape[1])
        if not _is_numbers(frame.iloc[:, position])
    ]
    if text:
        more = ", ..." if len(text) > 10 else ""
        raise TypeError(
            f"{side} has columns that are not numbers: {', '.join(text[:10])}{more}; leave them out, or encode them "
            "(pandas.get_dummies)"
        )
    converted: Numbers = frame.to_numpy(dtype=np.float64, na_value=np.nan)
    return converted


def _is_numbers(column: Any) -> bool:
    kind = getattr(column.dtype, "kind", "O")
    if kind != "O":
        return kind in "biuf"
    try:
        column.to_numpy(dtype=np.float64, na_value=np.nan)
    except (TypeError, ValueError):
        return False
    return True


def _array_numbers(data: object, side: str) -> Numbers:
    if hasattr(data, "toarray") and hasattr(data, "nnz"):
        raise TypeError(f"{side} is a sparse matrix; CDA needs dense numbers: use {side}.toarray()")
    if isinstance(data, np.ma.MaskedArray):
        raise TypeError(f"{side} is a masked array; fill it first: {side}.filled(...)")
    array = np.asarray(data)
    kind = array.dtype.kind
    if kind == "c":
        raise InputError(f"Complex data not supported: {side} is {array.dtype}", "data.complex")
    if kind == "O":
        try:
            return array.astype(np.float64)
        except (TypeError, ValueError) as error:
            expected = "argument must be a string or a real number"  # the words of Python, which it does not always use
            reason = str(error) if expected in str(error) else f"{expected} ({error})"
            raise type(error)(f"{side} holds objects that are not numbers: {reason}") from error
    if kind not in "biuf":
        raise TypeError(f"{side} holds {array.dtype}, not numbers")
    # float64 stays where it is; the byte order of this machine is part of the type.
    return array if array.dtype == np.dtype(np.float64) else array.astype(np.float64)


def read(data: object, side: str, *, one_column: bool = False, at_least: int = 1) -> Data:
    """The numbers of a table, as they are, and the names of its columns."""
    if data is None:
        raise InputError(
            f"fit requires {side} to be passed, but the target {side} is None: it is the second table"
            if side == "y"
            else f"Expected an array or a DataFrame for {side}, got None",
            "data.none",
        )
    if is_frame(data):
        frame: Any = data
        result = Data(_frame_numbers(frame, side), _names_of(list(frame.columns), side), frame.index)
    elif is_series(data) and one_column:
        return read(data.to_frame(), side, at_least=at_least)  # type: ignore[attr-defined]
    else:
        result = Data(_array_numbers(data, side), None)
    if result.values.ndim == 1 and one_column:
        result.values = result.values[:, np.newaxis]
    if result.values.ndim != 2:
        raise InputError(
            f"Expected 2D array for {side}, got {result.values.ndim}D array instead. Reshape your data: rows are "
            f"observations, columns are variables; {side}.reshape(-1, 1) is one column.",
            "data.shape",
        )
    rows, columns = result.shape
    if columns == 0:
        raise InputError(f"{side} has 0 feature(s) (shape=({rows}, 0)) while a minimum of 1 is required.", "data.columns")
    if rows < at_least:
        raise InputError(
            f"{side} has {rows} sample(s) (n_samples={rows}) while a minimum of {at_least} is required.", "data.rows"
        )
    return result


def table(data: Data, side: str, *, gaps_allowed: bool = False) -> _core.Table:
    """The library's table of it. Columns without names are x1, x2, ... or y1, y2, ..."""
    names = data.names if data.names is not None else default_names(side, data.shape[1])
    check_finite(data, side, gaps_allowed=gaps_allowed)
    return _core.Table(data.values, names, "")


def check_finite(data: Data, side: str, *, gaps_allowed: bool = False) -> None:
    """Refuses infinite cells and, unless they are allowed, missing ones."""
    missing, infinite = _core.gaps(data.values)
    if infinite or (missing and not gaps_allowed):
        raise InputError(
            f"Input {side} contains NaN or infinity: {missing} missing and {infinite} infinite cells",
            "data.not_finite",
            "drop those rows, or fill them (sklearn.impute)",
        )


def default_names(side: str, count: int) -> list[str]:
    return [f"{side.lower()}{number}" for number in range(1, count + 1)]


def check_names(data: Data, fitted: NDArray[np.object_] | None, side: str, estimator: str) -> None:
    """Whether the columns are those of the fit, in their order; the words are scikit-learn's."""
    if fitted is None and data.names is None:
        return
    if fitted is None and data.names == default_names(side, data.shape[1]):
        return  # a model file does not tell columns that are called x1, x2, ... from such without names
    if fitted is None:
        warnings.warn(f"{side} has feature names, but {estimator} was fitted without feature names", stacklevel=4)
        return
    if data.names is None:
        warnings.warn(
            f"{side} does not have valid feature names, but {estimator} was fitted with feature names", stacklevel=4
        )
        return
    known = list(fitted)
    if data.names == known:
        return
    message = "The feature names should match those that were passed during fit.\n"
    unexpected, missing = sorted(set(data.names) - set(known)), sorted(set(known) - set(data.names))

    def listed(title: str, names: list[str]) -> str:
        return title + "".join(f"- {name}\n" for name in names[:5]) + ("- ...\n" if len(names) > 5 else "")

    if unexpected:
        message += listed("Feature names unseen at fit time:\n", unexpected)
    if missing:
        message += listed("Feature names seen at fit time, yet now missing:\n", missing)
    if not unexpected and not missing:
        message += "Feature names must be in the same order as they were in fit.\n"
    raise InputError(message, "model.columns")
