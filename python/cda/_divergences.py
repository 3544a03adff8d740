"""Divergences between samples, and divergences of one's own."""
from __future__ import annotations

from typing import Any, Callable, NamedTuple

import numpy as np
from numpy.typing import NDArray

from . import _core, _parameters, _tables
from ._errors import UsageError

Numbers = NDArray[np.float64]


class Gradient(NamedTuple):
    """A divergence with its derivative by every value of both samples."""

    value: float
    x: Numbers
    y: Numbers


def _sample(data: Any, side: str) -> tuple[Numbers, bool]:
    """The values as columns, and whether there was one dimension only."""
    if _tables.is_series(data):
        data = data.to_numpy()
    read = _tables.read(data, side, one_column=True)
    return read.values, not _tables.is_frame(data) and np.ndim(data) == 1


def divergence(x: Any, y: Any, name: str = "wasserstein", *, gradient: bool = False) -> Any:
    """How far two samples are from being distributed alike.

    Parameters
    ----------
    x, y : arrays of shape (n,) and (k,), or (n, r) and (k, r)
        Two samples, of any sizes.
    name : str
        ``wasserstein``, ``energy``, ``mmd``, ``quadratic``, ``pearson``, ``extended_mallows``, one of your own
        (:func:`add_divergence`), with options: ``"quadratic:bandwidth=0.2"``.
    gradient : bool
        Whether the derivative by every value is wanted. Bandwidths that the data decide are held fixed in it.

    Returns
    -------
    float, or Gradient
        The value; with ``gradient=True`` the tuple ``(value, x, y)``, whose arrays have the shapes of the samples.

    Examples
    --------
    >>> import numpy as np, cda
    >>> x = np.linspace(0, 1, 5)
    >>> float(round(cda.divergence(x, x + 3.0), 12))
    9.0
    >>> cda.divergence(x, x + 3.0, gradient=True).x
    array([-1.2, -1.2, -1.2, -1.2, -1.2])
    """
    x_values, flat_x = _sample(x, "x")
    y_values, flat_y = _sample(y, "y")
    value, dx, dy = _core.divergence(_parameters.text("name", name), x_values, y_values, bool(gradient))
    if dx is None or dy is None:
        return value
    return Gradient(value, dx[:, 0] if flat_x else dx, dy[:, 0] if flat_y else dy)


def add_divergence(
    name: str,
    function: Callable[..., Any],
    *,
    summary: str = "",
    zero_on_itself: bool = True,
    symmetric: bool = True,
    costly: bool = False,
) -> None:
    """Makes a divergence written in Python available by name, to all methods and functions of this process.

    The values of both samples come in increasing order. In more than one dimension the library averages over fixed
    directions, so one dimension is all that has to be thought of.

    Parameters
    ----------
    name : str
        A name that the library does not use. One that was added before is replaced.
    function : callable
        ``function(x, y, gradient)``: ``x`` and ``y`` are one-dimensional arrays; returns the value, or where ``gradient``
        is true ``(value, dx, dy)`` with the derivatives by the values of ``x`` and of ``y``. It is called from several
        threads, one at a time. What it raises surfaces as it is.
    summary : str
        One line, for :func:`parts`.
    zero_on_itself, symmetric : bool
        What holds for it.
    costly : bool
        Whether to search less: where one call takes milliseconds.

    Examples
    --------
    >>> import numpy as np, cda
    >>> def mean_gap(x, y, gradient):
    ...     gap = x.mean() - y.mean()
    ...     if not gradient:
    ...         return gap**2
    ...     return gap**2, np.full(len(x), 2 * gap / len(x)), np.full(len(y), -2 * gap / len(y))
    >>> cda.add_divergence("mean_gap", mean_gap, summary="squared distance of the means")
    >>> cda.divergence([1.0, 2.0, 3.0], [4.0, 6.0], "mean_gap")
    9.0
    """
    if not callable(function):
        raise UsageError("function must be callable", "option.value")
    if not _parameters.text("name", name).isidentifier():
        raise UsageError(f"name must be made of letters, digits and _, not {name!r}", "option.value")
    _core.add_divergence(
        name,
        function,
        _parameters.text("summary", summary),
        _parameters.flag("zero_on_itself", zero_on_itself),
        _parameters.flag("symmetric", symmetric),
        _parameters.flag("costly", costly),
    )
