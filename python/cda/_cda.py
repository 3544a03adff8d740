"""Canonical Divergence Analysis as an estimator of scikit-learn's kind."""
from __future__ import annotations

from typing import Any

from . import _core, _parameters, _tables
from ._errors import Error, UsageError, warn
from ._estimator import CommonSpace
from .evidence import Evidence


class CDA(CommonSpace):
    """Finds what in one table is distributed like what in another that shares neither rows nor columns with it.

    ``fit(X, y)`` takes both tables; ``y`` is the second one, under the name that lets scikit-learn pass it through. What
    comes out are pairs of column combinations, one of ``X`` and one of ``y``, whose values have the same distribution.

    Parameters
    ----------
    n_components : int, optional
        How many pairs. Without: the informative ones for iCDA, else the smaller rank, at most 10.
    method : str, default="iCDA"
        A preset of parts: ``iCDA``, or the paper's ``CDA_M``, ``CDA_Q``, ``CDA_P``, ``rCDA_M``, ``rCDA_Q``, ``rCDA_P``,
        ``mCDA_P``, ``mrCDA_P``, in any case; or ``cCDA``, which lays two views of one population on each other as wholes
        and has options of its own: ``"cCDA:blur=0.05"``.
    divergence, formulation, optimiser : str, optional
        Parts instead of the method's own, with options: ``"extended_mallows:order=1"``. :func:`cda.parts` lists them.
    prepare : str or list of str, optional
        What is done to the columns first, in order: ``"minmax+pca:3"``, ``["standardise"]``, ``"none"``.
    scale : str or float, optional
        Of Y against X: ``"lemma"``, ``"optimised"`` or a value.
    bandwidth : str or float, optional
        For divergences that smooth: a rule's name or a value.
    refine : {"none", "joint"}, optional
        iCDA: follow matched components together.
    few_valued : {"drop", "keep"}, optional
        iCDA: columns of 8 values or fewer, which match easily and mean little. Without: they are dropped, unless a table
        has no others; then they are kept, with a warning.
    max_columns : int, optional
        At most so many columns of each side in a pair.
    as_published : bool, default=False
        The paper to the letter where this library departs from it.
    block_length : int, default=1
        Rows that follow each other in time and belong together.
    starts, refined, scouting_rows : int, optional
        How hard to search: random starting points, how many of them are followed to their optimum, and on how many rows
        that is done first (0: all).
    max_iterations : int, default=2000
        Of the optimiser, per start.
    tolerance : float, default=1e-7
        Stop when the gradient is this small.
    decrease_tolerance : float, default=1e-7
        Stop when the relative decrease is this small, ``decrease_times`` times in a row.
    decrease_times : int, default=5
    time_limit : float, optional
        Seconds after which a fit ends with the best found so far, and a warning.
    random_state : int or generator, optional
        Which random starting points. None is the seed 0: the same input gives the same bytes every time.
    n_jobs : int, optional
        Threads. None and -1 are all that this process may use; the result does not depend on it.

    Attributes
    ----------
    x_weights_, y_weights_ : arrays of shape (n_features, n_pairs) and (n_features_y, n_pairs)
        Values are ``intercept + columns @ weights``, in the columns' own units; the scale is included on the Y side.
    x_intercept_, y_intercept_ : arrays of shape (n_pairs,)
    x_loadings_, y_loadings_ : arrays
        Correlation of each column with the values of each pair.
    scale_, divergence_, objective_, agreement_ : arrays of shape (n_pairs,)
        Of every pair: beta; the divergence of its two sides; what was minimised; how far the shapes beyond the bell curve
        agree on the fitted rows.
    n_iter_ : array of int
    converged_ : array of bool
    n_features_in_, n_features_y_ : int
    feature_names_in_, feature_names_y_ : arrays of str
        Where the tables are DataFrames whose columns have names.
    coupling_ : dict
        Of ``cCDA``: ``correlation``, ``coherence``, ``halves``, ``overlap``, ``ambiguous`` and ``alternatives``.
    model_ : Model
        The library's own model.

    Examples
    --------
    >>> from cda import CDA, synthesise
    >>> X, Y, truth = synthesise("sources", n=400, k=300, shared=2, seed=1)
    >>> model = CDA(n_components=2).fit(X, Y)
    >>> model.transform(X).shape, model.transform_y(Y).shape
    ((400, 2), (300, 2))
    >>> model.get_feature_names_out()
    array(['pair1', 'pair2'], dtype=object)
    """

    def __init__(
        self,
        n_components: int | None = None,
        method: str = "iCDA",
        *,
        divergence: str | None = None,
        formulation: str | None = None,
        optimiser: str | None = None,
        prepare: str | list[str] | None = None,
        scale: str | float | None = None,
        bandwidth: str | float | None = None,
        refine: str | None = None,
        few_valued: str | None = None,
        max_columns: int | None = None,
        as_published: bool = False,
        block_length: int = 1,
        starts: int | None = None,
        refined: int | None = None,
        scouting_rows: int | None = None,
        max_iterations: int = 2000,
        tolerance: float = 1e-7,
        decrease_tolerance: float = 1e-7,
        decrease_times: int = 5,
        time_limit: float | None = None,
        random_state: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        self.n_components = n_components
        self.method = method
        self.divergence = divergence
        self.formulation = formulation
        self.optimiser = optimiser
        self.prepare = prepare
        self.scale = scale
        self.bandwidth = bandwidth
        self.refine = refine
        self.few_valued = few_valued
        self.max_columns = max_columns
        self.as_published = as_published
        self.block_length = block_length
        self.starts = starts
        self.refined = refined
        self.scouting_rows = scouting_rows
        self.max_iterations = max_iterations
        self.tolerance = tolerance
        self.decrease_tolerance = decrease_tolerance
        self.decrease_times = decrease_times
        self.time_limit = time_limit
        self.random_state = random_state
        self.n_jobs = n_jobs

    def _options(self) -> dict[str, Any]:
        check = _parameters
        options: dict[str, Any] = {
            "method": check.text("method", self.method),
            "as_published": check.flag("as_published", self.as_published),
            "block_length": check.whole("block_length", self.block_length, 1),
            "max_iterations": check.whole("max_iterations", self.max_iterations, 1),
            "tolerance": check.real("tolerance", self.tolerance, 0.0, 1.0),
            "decrease_tolerance": check.real("decrease_tolerance", self.decrease_tolerance, 0.0, 1.0),
            "decrease_times": check.whole("decrease_times", self.decrease_times, 1),
            "seed": check.seed(self.random_state),
            "threads": check.threads(self.n_jobs),
        }
        for name in ("divergence", "formulation", "optimiser"):
            if getattr(self, name) is not None:
                options[name] = check.text(name, getattr(self, name))
        for name in ("scale", "bandwidth"):
            if getattr(self, name) is not None:
                options[name] = check.text_or_number(name, getattr(self, name))
        for name, lowest in (("max_columns", 1), ("starts", 0), ("refined", 1), ("scouting_rows", 0)):
            if getattr(self, name) is not None:
                options[name] = check.whole(name, getattr(self, name), lowest)
        if self.n_components is not None:
            options["pairs"] = check.whole("n_components", self.n_components, 1)
        if self.prepare is not None:
            options["prepare"] = check.parts("prepare", self.prepare)
        if self.refine is not None:
            options["refine"] = check.choice("refine", self.refine, ("none", "joint"))
        if self.few_valued is not None:
            options["few_valued"] = check.choice("few_valued", self.few_valued, ("drop", "keep"))
        if self.time_limit is not None:
            options["time_limit"] = check.real("time_limit", self.time_limit, 0.0, 1e9)
        return options

    def _fitted(self, x: _core.Table, y: _core.Table, options: dict[str, Any]) -> _core.Model:
        try:
            return super()._fitted(x, y, options)
        except Error as error:
            if error.code != "data.few_valued" or self.few_valued is not None:
                raise
            warn([f"{error.message}: they are used all the same, but their shapes mean little"])
            return super()._fitted(x, y, {**options, "few_valued": "keep"})

    @classmethod
    def _for_model(cls, model: _core.Model) -> CDA:
        options = model.options
        prepare = options["prepare"].split() or ["none"]
        if "formulation" not in options:  # one to compare with, which has no parts
            return cls(n_components=model.pairs, method=options["method"], prepare=prepare, random_state=model.seed)
        return cls(
            n_components=model.pairs,
            method=model.method,
            divergence=options["divergence"],
            formulation=options["formulation"],
            optimiser=options["optimiser"],
            prepare=prepare,
            scale=options["scale"],
            few_valued="keep" if options["few_valued"] == "keep" else "drop",
            max_columns=int(options["max_columns"]) or None,
            as_published=options["as_published"] == "yes",
            block_length=int(options["block_length"]),
            starts=int(options["starts"]) if "starts" in options else None,
            refined=int(options["refined"]) if "refined" in options else None,
            scouting_rows=int(options["scouting_rows"]) if "scouting_rows" in options else None,
            max_iterations=int(options["iterations"]),
            tolerance=float(options["gradient_tolerance"]),
            decrease_tolerance=float(options["decrease_tolerance"]),
            decrease_times=int(options.get("decrease_times", 5)),
            random_state=model.seed,
        )

    # ---- Evidence ----

    def test(
        self,
        X: Any,
        y: Any,
        *,
        surrogates: int | None = None,
        bootstrap: int | None = None,
        null: str = "automatic",
    ) -> Evidence:
        """What speaks for and against each pair; the same as ``cda test``.

        Parameters
        ----------
        X, y : arrays or DataFrames
            The tables that were fitted.
        surrogates : int, optional
            Unrelated tables that pairs are compared with; 0: no test. Without: 999, or 99 where each is a fit.
        bootstrap : int, optional
            Refits on resampled rows, for stability and intervals; 0: none. Without: 99.
        null : {"automatic", "components", "refitting", "gaussian"}
            Which unrelated tables.

        Returns
        -------
        Evidence
            Also kept with the model, and saved with it.

        Examples
        --------
        >>> import cda
        >>> X, Y, truth = cda.synthesise("sources", n=400, k=300, seed=1)
        >>> model = cda.CDA(n_components=1).fit(X, Y)
        >>> evidence = model.test(X, Y, surrogates=99, bootstrap=0)
        >>> evidence.pairs[0].p == model.evidence_.pairs[0].p
        True
        """
        self._require_fit()
        counts = {"surrogates": surrogates, "bootstrap": bootstrap}
        how = {name: str(_parameters.whole(name, value, 0)) for name, value in counts.items() if value is not None}
        how["null"] = _parameters.text("null", null)
        x_data = _tables.read(X, "X", at_least=2)
        y_data = _tables.read(y, "y", one_column=True, at_least=2)
        x, y_table, options = _tables.table(x_data, "X"), _tables.table(y_data, "y"), self._test_options()
        model = self._model_of(x, y_table, options)
        model = _core.examined(model, x, y_table, how, options["threads"])
        found = model.evidence()
        assert found is not None
        evidence = Evidence.from_library(found)
        warn(evidence.warnings)
        self.model_ = model
        return evidence

    def bootstrap(self, X: Any, y: Any, n: int = 99) -> Evidence:
        """Stability, signs and intervals from refits on resampled rows, without a test; see :meth:`test`.

        Parameters
        ----------
        X, y : arrays or DataFrames
            The tables that were fitted.
        n : int
            How many refits.

        Examples
        --------
        >>> import cda
        >>> X, Y, truth = cda.synthesise("sources", n=400, k=300, seed=1)
        >>> model = cda.CDA(n_components=1).fit(X, Y)
        >>> 0.0 <= model.bootstrap(X, Y, n=3).pairs[0].stability <= 1.0
        True
        """
        return self.test(X, y, surrogates=0, bootstrap=_parameters.whole("n", n, 1))

    @property
    def evidence_(self) -> Evidence:
        """The evidence that was computed for this model, here or by ``cda test``."""
        self._require_fit()
        found = self.model_.evidence()
        if found is None:
            raise AttributeError("there is no evidence yet: call test(X, y) with the tables that were fitted")
        return Evidence.from_library(found)

    @property
    def coupling_(self) -> dict[str, Any] | None:
        """Of ``cCDA``: how far its alignment is determined, and the alternatives with their scores; else None."""
        self._require_fit()
        return self.model_.coupling()

    def _test_options(self) -> dict[str, Any]:
        options = self._options()
        options.pop("time_limit", None)
        options["seed"] = self.model_.seed
        options["few_valued"] = self.model_.options["few_valued"]
        return options

    def _model_of(self, x: _core.Table, y: _core.Table, options: dict[str, Any]) -> _core.Model:
        """The fitted model with all that a test needs: of one from a file, some of it is worked out again."""
        if list(x.names) != self.model_.x_columns or list(y.names) != self.model_.y_columns:
            raise UsageError("test needs the tables that were fitted; these have other columns", "evidence.tables")
        if x.rows != self.model_.x_rows or y.rows != self.model_.y_rows:
            raise UsageError("test needs the tables that were fitted; these have other rows", "evidence.tables")
        if self.model_.testable:
            return self.model_
        again = self._fitted(x, y, options)
        if _objectives(again) != _objectives(self.model_):
            raise UsageError(
                "test needs the tables and the parameters of the fit; these lead to another model",
                "evidence.tables",
                "set the parameters of the fit (set_params), or fit again",
            )
        return again


def _objectives(model: _core.Model) -> list[float]:
    return [pair["objective"] for pair in model.figures()]
