"""Clusters in subsets of columns, and few of them."""
from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _core, _parameters, _tables
from ._errors import InputError, warn


@dataclass(frozen=True)
class SubspaceCluster:
    """Rows that lie densely together in some columns, and why they were kept (docs/cluster.md)."""

    columns: list[str]
    rows: NDArray[np.int64]  #: from 0
    density: float  #: of its cores, in multiples of what uniform rows would have
    gain: int  #: rows that no earlier cluster covers
    cost: float
    potential: float
    distance: float | None  #: mean over those kept before, where distances play a part
    why: str


@dataclass(frozen=True)
class SelectionSummary:
    """What one selection comes to, also with as many clusters as every selection has."""

    selection: str
    clusters: int
    coverage: float
    mean_columns: float
    f1: float | None
    first: int  #: the least number of clusters of all selections
    first_coverage: float
    first_f1: float | None


@dataclass(frozen=True)
class Clusters:
    """What :func:`cluster` finds."""

    clusters: list[SubspaceCluster]
    coverage: float
    f1: float | None
    entropy: float | None
    baseline_f1: float | None  #: of one cluster that holds all rows
    null_f1: float | None  #: of the same clusters where classes are dealt to the rows at random
    p: float | None  #: share of those that are as good
    selections: list[SelectionSummary]
    candidates: int
    subspaces: int
    n_rows: int = field(repr=False)

    def membership(self) -> NDArray[np.bool_]:
        """Which row is in which cluster: rows x clusters."""
        members = np.zeros((self.n_rows, len(self.clusters)), dtype=bool)
        for number, one in enumerate(self.clusters):
            members[one.rows, number] = True
        return members

    def to_frame(self) -> Any:
        """One row for every cluster, as a DataFrame."""
        import pandas

        return pandas.DataFrame(
            [[len(one.rows), one.gain, one.density, ", ".join(one.columns), one.why] for one in self.clusters],
            columns=["rows", "gain", "density", "columns", "why"],
        )


def _classes(labels: Any, rows: int) -> list[int]:
    if labels is None:
        return []
    given = np.asarray(labels)
    if given.ndim != 1 or len(given) != rows:
        raise InputError(f"labels must hold one class for each of the {rows} rows", "cluster.classes")
    unknown = [one is None or bool(one != one) for one in given]
    names = sorted({one for one, without in zip(given.tolist(), unknown) if not without}, key=str)
    number = {name: position for position, name in enumerate(names)}
    return [-1 if without else number[one] for one, without in zip(given.tolist(), unknown)]


def cluster(
    X: Any,
    labels: Any = None,
    *,
    selection: str = "plain",
    density: str = "adaptive",
    radius: float = 0.1,
    density_factor: float = 10.0,
    least_density: float = 8.0,
    min_points: int = 8,
    min_size: int | None = None,
    scaled: bool = True,
    redundancy: float | None = None,
    max_columns: int | None = None,
    max_candidates: int = 500_000,
    max_subspaces: int = 2_000_000,
    cost: str = "density-columns",
    least_gain: float = 0.3,
    n_clusters: int | None = None,
    method: str = "rCDA_M",
    divergence: str | None = None,
    compare: bool = False,
    permutations: int = 199,
    random_state: Any = None,
    n_jobs: int | None = None,
) -> Clusters:
    """Rows that belong together in some of the columns: as few clusters as say it all (RESCU).

    Parameters
    ----------
    X : array or DataFrame
        Without missing cells. Columns are brought to [0, 1].
    labels : array, optional
        A class for every row, to score against; None or NaN where there is none.
    selection : {"plain", "paper", "repaired"}
        New rows for the cost; over the sum of CDA's distances from the clusters kept, as printed; or times how much it
        differs from them.
    density : {"adaptive", "subclu"}
        So many times what uniform rows would have (``density_factor``, ``least_density``), or so many neighbours in
        every subspace (``min_points``).
    radius : float
        Rows at most so far apart are neighbours.
    min_size : int, optional
        Rows of a cluster; by default 8, or 1/64 of all rows if that is more.
    scaled : bool
        False: columns and radius as they are, for ``density="subclu"``.
    redundancy : float, optional
        Clusters of which one more column keeps this share are left out; above 1: none. By default 0.5 beyond 12
        columns.
    max_columns, max_candidates, max_subspaces : int
        Limits of the search; where there are more, subspaces of fewer columns are searched, with a warning.
    cost : {"density-columns", "size", "columns", "constant"}
    least_gain : float
        A cluster is redundant where a smaller share of its rows is new.
    n_clusters : int, optional
        Keep so many at most.
    method, divergence : str
        What measures distances of clusters.
    compare : bool
        Run all three selections, for ``selections``.
    permutations : int
        Of the labels, for what chance gives.
    random_state, n_jobs
        As for :class:`CDA`.

    Examples
    --------
    >>> import numpy as np, cda
    >>> rng = np.random.default_rng(0)
    >>> X = rng.uniform(size=(300, 4))
    >>> X[:80, 1:3] = 0.5 + 0.02 * rng.normal(size=(80, 2))
    >>> first = cda.cluster(X).clusters[0]
    >>> {"x2", "x3"} <= set(first.columns), bool((first.rows < 80).mean() > 0.9)
    (True, True)
    """
    check = _parameters
    data = _tables.read(X, "X")
    table, rows = _tables.table(data, "X"), data.shape[0]
    found = _core.cluster(
        table,
        _classes(labels, rows),
        check.text("selection", selection),
        check.text("density", density),
        check.real("radius", radius, 0.0),
        check.real("density_factor", density_factor, 0.0),
        check.real("least_density", least_density, 0.0),
        check.whole("min_points", min_points, 2),
        0 if min_size is None else check.whole("min_size", min_size, 2),
        check.flag("scaled", scaled),
        -1.0 if redundancy is None else check.real("redundancy", redundancy, 0.0),
        0 if max_columns is None else check.whole("max_columns", max_columns, 1),
        check.whole("max_candidates", max_candidates, 1),
        check.whole("max_subspaces", max_subspaces, 1),
        check.text("cost", cost),
        check.real("least_gain", least_gain, 0.0, 1.0),
        0 if n_clusters is None else check.whole("n_clusters", n_clusters, 1),
        check.text("method", method),
        "" if divergence is None else check.text("divergence", divergence),
        check.flag("compare", compare),
        check.whole("permutations", permutations, 1),
        check.seed(random_state),
        check.threads(n_jobs),
    )
    warn(found["warnings"])
    scores = found["scores"] or {}
    return Clusters(
        clusters=[SubspaceCluster(**one) for one in found["clusters"]],
        coverage=found["coverage"],
        f1=scores.get("f1"),
        entropy=scores.get("entropy"),
        baseline_f1=scores.get("baseline_f1"),
        null_f1=scores.get("null_f1"),
        p=scores.get("p"),
        selections=[SelectionSummary(**one) for one in found["selections"]],
        candidates=found["candidates"],
        subspaces=found["subspaces"],
        n_rows=rows,
    )
