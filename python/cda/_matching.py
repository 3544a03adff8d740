"""Which column could be which, and tables whose truth is known."""
from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _core, _parameters, _tables
from ._errors import warn


@dataclass(frozen=True)
class ColumnMatch:
    """A column of X and the column of Y that it could be (docs/match.md explains the figures)."""

    x: str
    y: str
    sign: int  #: -1: Y is coded the other way round
    similarity: float
    verdict: str  #: clear, ambiguous, poor or not distinctive
    frequency: float  #: share of resamples in which these two are partners
    sign_frequency: float
    sampling: float
    as_similar: float | None
    margin: float | None
    other_x: tuple[str, float, float] | None  #: the best other column of X for this of Y: name, similarity, margin
    other_y: tuple[str, float, float] | None
    notes: list[str]


@dataclass(frozen=True)
class Matches:
    """What :func:`match` finds."""

    matches: list[ColumnMatch]
    unmatched_x: list[tuple[str, str]]  #: column and reason
    unmatched_y: list[tuple[str, str]]

    def to_frame(self) -> Any:
        """One row for every match, as a DataFrame."""
        import pandas

        columns = ["x", "y", "sign", "similarity", "verdict", "frequency", "margin"]
        return pandas.DataFrame([[getattr(one, name) for name in columns] for one in self.matches], columns=columns)


def match(
    X: Any,
    Y: Any,
    *,
    units: str = "standardised",
    bootstrap: int = 99,
    random_state: Any = None,
    n_jobs: int | None = None,
) -> Matches:
    """Which column of one table could be which column of another, by the shapes of their distributions alone.

    Parameters
    ----------
    X, Y : arrays or DataFrames
        Missing cells (NaN) are left out, each for its own column only.
    units : {"standardised", "raw"}
        Whether offset, unit and sign of every column are forgotten, or values are compared as they stand.
    bootstrap : int
        Resamples of both tables, at least 19.
    random_state, n_jobs
        As for :class:`CDA`.

    Examples
    --------
    >>> import numpy as np, cda
    >>> rng = np.random.default_rng(0)
    >>> X = np.column_stack([rng.exponential(size=500), rng.normal(size=500)])
    >>> Y = np.column_stack([rng.normal(size=400), -rng.exponential(size=400)])
    >>> [(one.x, one.y, one.sign) for one in cda.match(X, Y).matches if one.verdict == "clear"]
    [('x1', 'y2', -1)]
    """
    x, y = (_tables.table(_tables.read(data, side), side, gaps_allowed=True) for data, side in ((X, "X"), (Y, "Y")))
    found = _core.match(
        x,
        y,
        _parameters.text("units", units),
        _parameters.whole("bootstrap", bootstrap, 19, 1_000_000),
        _parameters.seed(random_state),
        _parameters.threads(n_jobs),
    )
    warn(found["warnings"])
    matches = [ColumnMatch(**one) for one in found["matches"]]
    return Matches(matches, found["unmatched_x"], found["unmatched_y"])


def synthesise(
    kind: str = "linear",
    *,
    n: int = 0,
    k: int = 0,
    m: int = 0,
    l: int = 0,  # noqa: E741 - the paper's letter
    shuffle: bool = True,
    remove: float = 0.0,
    noise: float = 0.5,
    shared: int = 3,
    own: int = 0,
    seed: int = 0,
) -> tuple[NDArray[np.float64], NDArray[np.float64], dict[str, Any]]:
    """A pair of tables whose truth is known; the tables of ``cda synth``.

    Parameters
    ----------
    kind : {"linear", "mixed", "nonlinear", "sources", "buildings"}
    n, k : int
        Rows of X and of Y (0: the kind's own).
    m, l : int
        Columns of X and of Y (0: the kind's own).
    shuffle : bool
        Destroy the order of Y's rows.
    remove : float
        Share of Y's rows left out.
    noise : float
        Variance of the relations' noise terms.
    shared, own : int
        Sources that both tables contain, and that each has of its own.
    seed : int

    Returns
    -------
    X, Y : arrays
    truth : dict
        ``x_names``, ``y_names``, ``x_directions``, ``y_directions`` and ``sources``.

    Examples
    --------
    >>> import cda
    >>> X, Y, truth = cda.synthesise("buildings", n=100, k=80)
    >>> X.shape, Y.shape, "co2_ppm" in truth["y_names"]
    ((100, 9), (80, 7), True)
    """
    check = _parameters
    made = _core.synthesise(
        check.text("kind", kind),
        check.whole("n", n, 0),
        check.whole("k", k, 0),
        check.whole("m", m, 0),
        check.whole("l", l, 0),
        check.flag("shuffle", shuffle),
        check.real("remove", remove, 0.0, 1.0),
        check.real("noise", noise, 0.0),
        check.whole("shared", shared, 0),
        check.whole("own", own, 0),
        check.seed(seed),
    )
    return made.pop("x"), made.pop("y"), made
