"""How far a fitted pair can be trusted (docs/evidence.md explains each figure)."""
from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class PairEvidence:
    """What speaks for and against one pair. Figures that were not computed are None."""

    verdict: str  #: supported, ambiguous or no_evidence
    statement: str  #: the verdict in words
    notes: list[str]
    p: float | None  #: share of unrelated tables that match this well
    statistic: float | None  #: what they are compared by
    agreement_held_out: float | None  #: of the shapes on rows not used for fitting
    agreement_at_least: float | None  #: its lower bound, at 95 %
    divergence_held_out: float | None
    divergence_of_chance: float | None  #: of two random halves of those rows
    stability: float | None  #: share of bootstraps that find the pair again
    sign: float | None  #: of those, the share with the same relative sign
    null_quantiles: NDArray[np.float64] | None  #: of the statistic among the surrogates, 0 %, 5 %, ... 100 %
    #: 2.5 % and 97.5 % quantiles over bootstraps, one row per column, of x_weights, y_weights, x_loadings, y_loadings
    intervals: dict[str, NDArray[np.float64]] = field(repr=False)


@dataclass(frozen=True, eq=False)
class Evidence:
    """What was found out about all pairs of a model."""

    test: str
    hypothesis: str  #: what a small p speaks against
    statement: str  #: the global answer in words
    global_p: float | None
    surrogates: int
    bootstraps: int
    block_length: int
    warnings: list[str]
    pairs: list[PairEvidence]

    @classmethod
    def from_library(cls, found: dict[str, Any]) -> Evidence:
        """Evidence from the figures that the compiled module hands over."""
        given: list[dict[str, Any]] = [{**pair, "intervals": pair["intervals"] or {}} for pair in found["pairs"]]
        pairs = [PairEvidence(**pair) for pair in given]
        return cls(**{one.name: found[one.name] for one in fields(cls) if one.name != "pairs"}, pairs=pairs)

    def __str__(self) -> str:
        lines = [self.statement] + [pair.statement for pair in self.pairs]
        return "\n".join(line for line in lines if line)
