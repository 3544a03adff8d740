"""Learning in the common space of a model, and how good that space is."""
from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _core, _parameters, _tables
from ._errors import InputError, UsageError
from ._estimator import CommonSpace
from .baselines import PCA

Numbers = NDArray[np.float64]


class _Targets:
    """What is known of rows, as the library takes it: numbers, or numbers of classes; NaN where nothing is."""

    def __init__(self, x: Any, y: Any, classes: bool | None) -> None:
        of_x, of_y = (None if known is None else np.asarray(known) for known in (x, y))
        for side, known in (("x_target", of_x), ("y_target", of_y)):
            if known is not None and known.ndim != 1:
                raise InputError(f"{side} must be one-dimensional: one value for every row", "transfer.targets")
        kinds = {known.dtype.kind for known in (of_x, of_y) if known is not None}
        self.by_class = bool(kinds - set("iuf")) if classes is None else classes
        self.names: list[Any] = []
        if self.by_class:
            given = [one for known in (of_x, of_y) if known is not None for one in known if not _unknown(one)]
            self.names = sorted(set(given))
        self.x, self.y = self._numbers(of_x), self._numbers(of_y)

    def _numbers(self, known: NDArray[Any] | None) -> Numbers | None:
        if known is None or not self.by_class:
            return None if known is None else known.astype(np.float64)
        number = {name: float(position) for position, name in enumerate(self.names)}
        return np.asarray([np.nan if _unknown(one) else number[one] for one in known], dtype=np.float64)

    def named(self, predictions: Numbers) -> NDArray[Any]:
        if not self.by_class:
            return predictions
        unknown: Any = None
        return np.asarray(
            [unknown if np.isnan(number) else self.names[int(number)] for number in predictions],
            dtype=None if not np.isnan(predictions).any() else object,
        )


def _unknown(one: Any) -> bool:
    return one is None or one is np.ma.masked or bool(one != one)


def _rows(known: Numbers | None, rows: int, side: str) -> Numbers:
    if known is None:
        return np.full(rows, np.nan)
    if len(known) != rows:
        raise InputError(f"{side}_target has {len(known)} values, but the table has {rows} rows", "transfer.targets")
    return known


def transfer(
    model: CommonSpace,
    X: Any,
    Y: Any,
    x_target: Any,
    y_target: Any = None,
    *,
    classes: bool | None = None,
    units: str = "as-is",
    random_state: Any = None,
) -> NDArray[Any]:
    """Learns from rows of X, in the common space of a model, what rows of Y are like.

    Parameters
    ----------
    model : fitted estimator
        Its columns must not contain the target.
    X, Y : arrays or DataFrames
        Rows of both tables.
    x_target : array of shape (n_rows_x,)
        What is known of the rows of X: numbers, or classes of any kind; NaN or None where nothing is.
    y_target : array of shape (n_rows_y,), optional
        What is known of some rows of Y; those rows join the training.
    classes : bool, optional
        Whether targets are classes. Without: where they are not numbers.
    units : {"as-is", "z"}
        Numbers: whether both tables use the same unit, or each its own.
    random_state
        Which folds choose the parameter.

    Returns
    -------
    array of shape (n_rows_y,)
        A prediction for every row of Y: by ridge regression, or by a linear support vector machine.

    Examples
    --------
    >>> import numpy as np, cda
    >>> rng = np.random.default_rng(0)
    >>> X, Y = (np.column_stack([rng.exponential(size=n), rng.uniform(size=n)]) for n in (300, 200))
    >>> mixed = Y @ [[1.0, 0.2], [-0.3, 2.0]]  # the same two causes, seen by other instruments
    >>> model = cda.CDA(n_components=2).fit(X, mixed)
    >>> predicted = cda.transfer(model, X, mixed, np.where(X[:, 0] > 0.7, "high", "low"))
    >>> truth = np.where(Y[:, 0] > 0.7, "high", "low")
    >>> bool(np.mean(predicted == truth) > 0.8)
    True
    """
    x_rows, y_rows = np.asarray(model.transform(X)), np.asarray(model.transform_y(Y))
    known = _Targets(x_target, y_target, classes)
    predictions, _, _, _ = _core.transfer(
        x_rows,
        _rows(known.x, len(x_rows), "x"),
        y_rows,
        _rows(known.y, len(y_rows), "y"),
        known.by_class,
        _parameters.text("units", units),
        _parameters.seed(random_state),
    )
    return known.named(predictions)


def evaluate_transfer(
    model: CommonSpace,
    X: Any,
    Y: Any,
    x_target: Any,
    y_target: Any,
    *,
    train_rows: int = 0,
    runs: int = 10,
    classes: bool | None = None,
    units: str = "as-is",
    random_state: Any = None,
    n_jobs: int | None = None,
) -> dict[str, Numbers]:
    """How well :func:`transfer` works: in each run some rows of Y join the training, and the others are predicted.

    Parameters
    ----------
    model, X, Y, x_target, y_target, classes, units, random_state
        As for :func:`transfer`.
    train_rows : int
        Rows of Y that join the training, drawn anew in every run.
    runs : int
        How often.
    n_jobs : int, optional
        Threads.

    Returns
    -------
    dict
        The errors, one per run: of ``transfer``; of the same rule on those rows of Y alone, by its own columns
        (``y_alone``); of always the same answer (``constant``); of the predictions dealt at random (``chance``).

    Examples
    --------
    >>> import numpy as np, cda
    >>> rng = np.random.default_rng(0)
    >>> X, Y = (np.column_stack([rng.exponential(size=n), rng.uniform(size=n)]) for n in (300, 200))
    >>> mixed = Y @ [[1.0, 0.2], [-0.3, 2.0]]  # the same two causes, seen by other instruments
    >>> model = cda.CDA(n_components=2).fit(X, mixed)
    >>> errors = cda.evaluate_transfer(model, X, mixed, X[:, 0], Y[:, 0], runs=3)
    >>> bool(errors["transfer"].mean() < 0.5 * errors["chance"].mean())
    True
    """
    x_rows, y_rows = np.asarray(model.transform(X)), np.asarray(model.transform_y(Y))
    known = _Targets(x_target, y_target, classes)
    found = _core.evaluate_transfer(
        x_rows,
        _rows(known.x, len(x_rows), "x"),
        y_rows,
        _rows(known.y, len(y_rows), "y"),
        _tables.read(Y, "Y", one_column=True).values,
        known.by_class,
        _parameters.text("units", units),
        _parameters.whole("train_rows", train_rows, 0),
        _parameters.whole("runs", runs, 1, 100_000),
        _parameters.seed(random_state),
        _parameters.threads(n_jobs),
    )
    return {name: found[name] for name in ("transfer", "y_alone", "constant", "chance")}


def score(
    model: CommonSpace,
    X: Any,
    Y: Any,
    *,
    paired: bool = False,
    x_labels: Any = None,
    y_labels: Any = None,
    neighbours: int = 5,
    n_jobs: int | None = None,
) -> dict[str, Any]:
    """How good a common space is where something about the truth is known; the figures of ``cda score``.

    Parameters
    ----------
    model : fitted estimator
    X, Y : arrays or DataFrames
        Rows of both tables.
    paired : bool
        Row i of both belongs together: the share of rows nearer than the true partner (``foscttm``; 0 is perfect).
    x_labels, y_labels : arrays, optional
        Classes of the rows: the share of rows whose label is that of most of their nearest in the other table
        (``label_transfer``; 1 is perfect).
    neighbours : int
        How many vote on a label.
    n_jobs : int, optional
        Threads.

    Returns
    -------
    dict
        Beside every figure stand that of chance and that of whitened principal components (``pca``).

    Examples
    --------
    >>> import numpy as np, cda
    >>> rng = np.random.default_rng(0)
    >>> X, Y = (np.column_stack([rng.exponential(size=n), rng.uniform(size=n)]) for n in (300, 200))
    >>> mixed = Y @ [[1.0, 0.2], [-0.3, 2.0]]  # the same two causes, seen by other instruments
    >>> model = cda.CDA(n_components=2).fit(X, mixed)
    >>> found = cda.score(model, X, mixed, x_labels=X[:, 0] > 0.7, y_labels=Y[:, 0] > 0.7)["label_transfer"]["x_to_y"]
    >>> found["accuracy"] > 0.8, found["chance"] < 0.6
    (True, True)
    """
    if not paired and (x_labels is None or y_labels is None):
        raise UsageError("score needs something that is known: paired=True, or x_labels and y_labels", "usage")
    threads = _parameters.threads(n_jobs)
    whitened = PCA(n_components=model.model_.pairs).fit(X, Y)
    spaces = [(np.asarray(one.transform(X)), np.asarray(one.transform_y(Y))) for one in (model, whitened)]
    result: dict[str, Any] = {"method": model.model_.method, "pairs": model.model_.pairs}
    if paired:
        x_rows, y_rows = (len(rows) for rows in spaces[0])
        if x_rows != y_rows:
            raise InputError(f"paired says that rows belong together, but X has {x_rows} and Y has {y_rows}", "score.rows")
        found, of_pca = (_core.partners(x, y, threads) for x, y in spaces)
        result["foscttm"] = {**found, "pca": of_pca}
    if x_labels is not None and y_labels is not None:
        known = _Targets(x_labels, y_labels, True)
        if len(known.names) < 2:
            raise InputError("the labels do not tell rows apart: there is one class", "transfer.one-class")
        votes = _parameters.whole("neighbours", neighbours, 1, 1000)
        transfers = [_label_transfers(x, y, known, votes, threads) for x, y in spaces]
        result["label_transfer"] = {"classes": known.names, "neighbours": votes}
        for way in ("x_to_y", "y_to_x"):
            result["label_transfer"][way] = {**transfers[0][way], "pca": transfers[1][way]}
    return result


def _label_transfers(x: Numbers, y: Numbers, known: _Targets, votes: int, threads: int) -> dict[str, dict[str, Any]]:
    of_x, of_y = _rows(known.x, len(x), "x"), _rows(known.y, len(y), "y")
    has_x, has_y = np.isfinite(of_x), np.isfinite(of_y)
    x, of_x, y, of_y = x[has_x], of_x[has_x], y[has_y], of_y[has_y]
    return {
        "x_to_y": _core.label_transfer(y, of_y, x, of_x, votes, threads),
        "y_to_x": _core.label_transfer(x, of_x, y, of_y, votes, threads),
    }
