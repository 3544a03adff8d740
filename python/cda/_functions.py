"""Fitting and finding one's way, as functions."""
from __future__ import annotations

import os
from typing import Any

from . import _core
from ._cda import CDA
from ._estimator import CommonSpace, read_model
from .baselines import ESTIMATORS


def fit(X: Any, Y: Any, **parameters: Any) -> CDA:
    """``CDA(**parameters).fit(X, Y)``.

    Parameters
    ----------
    X, Y : arrays or DataFrames
        Two tables; they need have neither rows nor columns in common.
    **parameters
        Those of :class:`CDA`.

    Examples
    --------
    >>> import cda
    >>> X, Y, truth = cda.synthesise("sources", n=300, k=250, seed=0)
    >>> cda.fit(X, Y, n_components=2, method="CDA_M").divergence_.shape
    (2,)
    """
    return CDA(**parameters).fit(X, Y)


def load(path: str | os.PathLike[str]) -> CommonSpace:
    """The estimator of a model file: :class:`CDA`, or the method to compare with that wrote it.

    Parameters
    ----------
    path : path of a file
        Written by :meth:`CDA.save` or by ``cda fit -o``.

    Examples
    --------
    >>> import cda, pathlib, tempfile
    >>> X, Y, truth = cda.synthesise("sources", n=200, k=150)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     cda.PCA(n_components=2).fit(X, Y).save(pathlib.Path(folder) / "model.json")
    ...     cda.load(pathlib.Path(folder) / "model.json").transform(X).shape
    (200, 2)
    """
    model = read_model(path)
    return ESTIMATORS.get(model.method, CDA)._from_model(model)


def parts() -> dict[str, list[dict[str, Any]]]:
    """What there is to choose from: methods, divergences, formulations, optimisers, preparations and baselines.

    Examples
    --------
    >>> import cda
    >>> [part["name"] for part in cda.parts()["preparations"]]
    ['centre', 'log1p', 'minmax', 'pca', 'rank_gauss', 'row_l2', 'standardise', 'whiten', 'winsorise']
    """
    return _core.parts()
