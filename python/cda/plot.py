"""Figures of a fitted model, on matplotlib axes: given ones, or new ones.

A model holds no rows. Figures of values take the tables; where they are left out, those of the fit are used, as long as
somebody else still holds them (in a notebook: the variables that were fitted).
"""
from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from . import _parameters
from ._errors import UsageError

if TYPE_CHECKING:
    from ._estimator import CommonSpace

Numbers = NDArray[np.float64]
# Told apart by line and marker as well as by colour.
_X = {"color": "#0b6e99", "linestyle": "-", "label": "X"}
_Y = {"color": "#b3541e", "linestyle": "--", "label": "Y"}


def _new_axes(ax: Any, height: float = 4.8) -> Any:
    if ax is not None:
        return ax
    import matplotlib.pyplot

    # Constrained: names of columns may be long, and are not to be cut off.
    return matplotlib.pyplot.subplots(figsize=(6.4, height), layout="constrained")[1]


def _plain(text: str, limit: int = 40) -> str:
    """A name as it is, or its beginning: matplotlib would take what stands between two $ for a formula."""
    printable = "".join(letter if letter.isprintable() else "\ufffd" for letter in text)
    short = printable if len(printable) <= limit else printable[: limit - 1] + "\u2026"
    return short.replace("$", r"\$")


def _density(values: Numbers, at: Numbers) -> Numbers:
    """Bell curves of Silverman's width on counts in fine bins, so that the cost does not grow with the rows."""
    spread = min(float(values.std()), float(np.subtract(*np.quantile(values, [0.75, 0.25]))) / 1.349 or np.inf)
    width = 0.9 * spread * len(values) ** -0.2
    if not width > 0.0:
        width = 1e-3 * max(1.0, float(np.abs(values).max()))
    counts, edges = np.histogram(values, bins=512)
    centres = (edges[:-1] + edges[1:]) / 2
    bells = np.exp(-0.5 * ((at[:, np.newaxis] - centres) / width) ** 2) / (width * np.sqrt(2 * np.pi))
    density: Numbers = bells @ counts / len(values)
    return density


class Plots:
    """``model.plot``: one method for each figure. Each returns the axes that it drew on.

    Examples
    --------
    >>> import cda
    >>> X, Y, truth = cda.synthesise("sources", n=300, k=250)
    >>> model = cda.fit(X, Y, n_components=2)
    >>> model.plot.densities(pair=2).get_title()
    'pair 2'
    """

    def __init__(self, estimator: CommonSpace) -> None:
        self._estimator = estimator

    def _pair(self, pair: int) -> int:
        return _parameters.whole("pair", pair, 1, self._estimator.model_.pairs) - 1

    def _values(self, X: Any, y: Any) -> tuple[Numbers, Numbers]:
        if (X is None) != (y is None):
            raise UsageError("give both tables, or neither", "plot.tables")
        if X is None:
            X, y = self._estimator._fitted_tables()
            if X is None or y is None:
                raise UsageError("a model holds no rows: give the tables, as in plot.densities(X, y)", "plot.tables")
        return np.asarray(self._estimator.transform(X)), np.asarray(self._estimator.transform_y(y))

    def densities(self, X: Any = None, y: Any = None, *, pair: int = 1, ax: Any = None) -> Any:
        """The smoothed distributions of both sides of a pair, one over the other.

        Parameters
        ----------
        X, y : arrays or DataFrames, optional
            Rows of both tables; without: those of the fit.
        pair : int
            From 1.
        ax : matplotlib axes, optional
        """
        column = self._pair(pair)
        x_values, y_values = (values[:, column] for values in self._values(X, y))
        ax = _new_axes(ax)
        low, high = np.quantile(np.concatenate([x_values, y_values]), [0.002, 0.998])
        margin = 0.1 * (high - low) or 1.0
        at = np.linspace(low - margin, high + margin, 256)
        for values, style in ((x_values, _X), (y_values, _Y)):
            ax.plot(at, _density(values, at), **style)
        ax.set(title=f"pair {pair}", xlabel="value", ylabel="density")
        ax.legend()
        return ax

    def qq(self, X: Any = None, y: Any = None, *, pair: int = 1, ax: Any = None) -> Any:
        """Quantiles of one side of a pair against those of the other: equal distributions lie on the diagonal.

        Parameters
        ----------
        X, y, pair, ax
            As for :meth:`densities`.
        """
        column = self._pair(pair)
        x_values, y_values = (values[:, column] for values in self._values(X, y))
        ax = _new_axes(ax)
        levels = np.linspace(0.0, 1.0, min(101, len(x_values), len(y_values)))
        x_quantiles, y_quantiles = np.quantile(x_values, levels), np.quantile(y_values, levels)
        ends = min(x_quantiles[0], y_quantiles[0]), max(x_quantiles[-1], y_quantiles[-1])
        ax.plot(ends, ends, color="0.6", linewidth=1)
        ax.plot(x_quantiles, y_quantiles, "o", markersize=3, color=_X["color"])
        ax.set(title=f"pair {pair}", xlabel="quantiles of X", ylabel="quantiles of Y")
        return ax

    def loadings(self, *, pair: int = 1, most: int = 10, ax: Any = None) -> Any:
        """Correlation of columns with the values of a pair, the strongest of each table, with intervals where known.

        Parameters
        ----------
        pair : int
            From 1.
        most : int
            Columns of each table, at most.
        ax : matplotlib axes, optional
        """
        column = self._pair(pair)
        most = _parameters.whole("most", most, 1)
        model = self._estimator.model_
        found = model.evidence()
        intervals = (found["pairs"][column]["intervals"] if found else None) or {}
        rows = min(most, len(model.x_columns)) + min(most, len(model.y_columns))
        ax = _new_axes(ax, height=max(3.0, 1.2 + 0.24 * rows))
        names: list[str] = []
        for side, all_names, loadings, style in (
            ("X", model.x_columns, self._estimator.x_loadings_[:, column], _X),
            ("Y", model.y_columns, self._estimator.y_loadings_[:, column], _Y),
        ):
            order = np.argsort(-np.abs(loadings), kind="stable")[:most]
            at = len(names) + np.arange(len(order))
            limits = intervals.get(f"{side.lower()}_loadings")
            bars = None
            if limits is not None:
                bars = np.abs(limits[order].T - loadings[order])
            ax.barh(at, loadings[order], xerr=bars, color=style["color"], hatch=None if side == "X" else "//", label=side)
            names += [f"{side}: {_plain(all_names[j])}" for j in order]
        ax.set_yticks(np.arange(len(names)), names)
        ax.invert_yaxis()
        ax.axvline(0.0, color="0.6", linewidth=1)
        ax.set(title=f"pair {pair}", xlabel="correlation with the pair's values", xlim=(-1.05, 1.05))
        ax.legend()
        return ax

    def latent(self, X: Any = None, y: Any = None, *, pairs: tuple[int, int] = (1, 2), most: int = 2000, ax: Any = None) -> Any:
        """Rows of both tables in the common space of two pairs.

        Parameters
        ----------
        X, y, ax
            As for :meth:`densities`.
        pairs : two int
            Which pairs, from 1.
        most : int
            Rows of each table that are drawn, evenly spread, at most.
        """
        first, second = (self._pair(pair) for pair in pairs)
        most = _parameters.whole("most", most, 1)
        ax = _new_axes(ax)
        for values, style, marker in zip(self._values(X, y), (_X, _Y), ("o", "x")):
            rows = np.linspace(0, len(values) - 1, min(most, len(values))).astype(int)
            ax.scatter(
                values[rows, first], values[rows, second], s=8, marker=marker, color=style["color"], label=style["label"], alpha=0.5
            )
        ax.set(xlabel=f"pair {pairs[0]}", ylabel=f"pair {pairs[1]}")
        ax.legend()
        return ax

    def null(self, *, pair: int = 1, ax: Any = None) -> Any:
        """How unrelated tables match, as the distribution of the test's statistic, and where this pair stands.

        Parameters
        ----------
        pair, ax
            As for :meth:`loadings`. The model needs evidence: ``model.test(X, y)``.
        """
        column = self._pair(pair)
        found = self._estimator.model_.evidence()
        evidence = found["pairs"][column] if found else None
        if evidence is None or evidence["null_quantiles"] is None or evidence["statistic"] is None:
            raise UsageError("this pair was not tested", "plot.evidence", "call test(X, y) first")
        ax = _new_axes(ax)
        quantiles = evidence["null_quantiles"]
        levels = np.linspace(0.0, 1.0, len(quantiles))
        ax.plot(quantiles, levels, color="0.4", label="unrelated tables")
        ax.axvline(evidence["statistic"], color=_X["color"], linestyle="--", label="this pair")
        ax.set(title=f"pair {pair}: p = {evidence['p']:.3g}", xlabel="statistic", ylabel="share of unrelated tables below")
        ax.legend()
        return ax
