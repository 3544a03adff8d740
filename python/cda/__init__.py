"""Canonical Divergence Analysis: what in one table behaves like what in another.

>>> from cda import CDA, synthesise
>>> X, Y, truth = synthesise("sources", n=300, k=250, seed=0)
>>> model = CDA(n_components=3).fit(X, Y)
>>> Z = model.transform(X)
>>> Z.shape
(300, 3)
"""
from ._cda import CDA
from ._clustering import Clusters, SelectionSummary, SubspaceCluster, cluster
from ._core import version as _version
from ._divergences import Gradient, add_divergence, divergence
from ._errors import (
    Error,
    FileError,
    InputError,
    InternalError,
    NumericalError,
    ResourceError,
    UsageError,
    Warning,
)
from ._functions import fit, load, parts
from ._matching import ColumnMatch, Matches, match, synthesise
from ._transfer import evaluate_transfer, score, transfer
from .baselines import CCA, DAC, LSCCA, PCA, SCL, SSC, TCA
from .evidence import Evidence, PairEvidence

__version__ = _version()
__all__ = [
    "CCA",
    "CDA",
    "Clusters",
    "ColumnMatch",
    "DAC",
    "Error",
    "Evidence",
    "FileError",
    "Gradient",
    "InputError",
    "InternalError",
    "LSCCA",
    "Matches",
    "NumericalError",
    "PCA",
    "PairEvidence",
    "ResourceError",
    "SCL",
    "SSC",
    "SelectionSummary",
    "SubspaceCluster",
    "TCA",
    "UsageError",
    "Warning",
    "add_divergence",
    "cluster",
    "divergence",
    "evaluate_transfer",
    "fit",
    "load",
    "match",
    "parts",
    "score",
    "synthesise",
    "transfer",
]
