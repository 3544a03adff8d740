"""The methods that CDA is compared with, as estimators of the same shape (docs/baselines.md tells about each)."""
from __future__ import annotations

from typing import Any

from . import _core, _parameters
from ._errors import UsageError
from ._estimator import CommonSpace


def _setting(value: Any) -> str:
    """An option's value as it is typed on the command line."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return value if isinstance(value, str) else repr(value)


class Baseline(CommonSpace):
    """A method to compare with. Not used by itself."""

    n_components: int | None
    prepare: str | list[str] | None
    random_state: Any
    n_jobs: int | None
    _method: str
    _own: tuple[str, ...] = ()

    def _options(self) -> dict[str, Any]:
        settings = ",".join(f"{name}={_setting(getattr(self, name))}" for name in self._own)
        options: dict[str, Any] = {
            "method": f"{self._method}:{settings}",
            "seed": _parameters.seed(self.random_state),
            "threads": _parameters.threads(self.n_jobs),
        }
        if self.n_components is not None:
            options["pairs"] = _parameters.whole("n_components", self.n_components, 1)
        if self.prepare is not None:
            options["prepare"] = _parameters.parts("prepare", self.prepare)
        return options

    @classmethod
    def _for_model(cls, model: _core.Model) -> Baseline:
        """The estimator with the parameters that the model was fitted with."""
        method, _, settings = model.options.get("method", model.method).partition(":")
        if method != cls._method:
            raise UsageError(f"this model was fitted by {method}, not {cls.__name__}", "model.method", "use cda.load")
        own = dict(setting.split("=", 1) for setting in settings.split(",") if setting)
        estimator = cls()
        typed = {name: _typed(getattr(estimator, name), text) for name, text in own.items()}
        prepare = model.options["prepare"].split() or ["none"]
        estimator.set_params(n_components=model.pairs, prepare=prepare, random_state=model.seed, **typed)
        return estimator


def _typed(default: Any, text: str) -> Any:
    if isinstance(default, bool):
        return text == "yes"
    if isinstance(default, str):
        return text
    return type(default)(text)


class PCA(Baseline):
    """Whitened principal components of each table by itself, paired by rank.

    Parameters
    ----------
    n_components : int, optional
        How many pairs. Without: the smaller rank, at most 10.
    sign : str, default="skewness"
        What makes a component positive: ``"skewness"`` or ``"energy"``.
    prepare : str or list of str, optional
        What is done to the columns first, instead of the method's own.
    random_state, n_jobs
        As for :class:`CDA`.

    Examples
    --------
    >>> import cda
    >>> X, Y, truth = cda.synthesise("sources", n=200, k=150)
    >>> cda.PCA(n_components=2).fit(X, Y).transform_y(Y).std(axis=0).round(6)
    array([1., 1.])
    """

    _method = "PCA"
    _own = ("sign",)

    def __init__(
        self,
        n_components: int | None = None,
        *,
        sign: str = "skewness",
        prepare: str | list[str] | None = None,
        random_state: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        self.n_components = n_components
        self.sign = sign
        self.prepare = prepare
        self.random_state = random_state
        self.n_jobs = n_jobs


class CCA(Baseline):
    """Canonical correlations of rows that belong together.

    Row i of both tables has to belong together.

    Parameters
    ----------
    n_components : int, optional
        How many pairs. Without: the smaller rank, at most 10.
    kappa : float, default=1e-8
        Added to every variance, relative to their mean; 0: none.
    prepare : str or list of str, optional
        What is done to the columns first, instead of the method's own.
    random_state, n_jobs
        As for :class:`CDA`.

    Examples
    --------
    >>> import numpy as np, cda
    >>> rng = np.random.default_rng(0)
    >>> X = rng.exponential(size=(100, 3))
    >>> Y = X @ rng.normal(size=(3, 2)) + 0.1 * rng.normal(size=(100, 2))
    >>> model = cda.CCA(n_components=1).fit(X, Y)
    >>> bool(np.corrcoef(model.transform(X)[:, 0], model.transform_y(Y)[:, 0])[0, 1] > 0.95)
    True
    """

    _method = "CCA"
    _own = ("kappa",)

    def __init__(
        self,
        n_components: int | None = None,
        *,
        kappa: float = 1e-8,
        prepare: str | list[str] | None = None,
        random_state: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        self.n_components = n_components
        self.kappa = kappa
        self.prepare = prepare
        self.random_state = random_state
        self.n_jobs = n_jobs


class LSCCA(Baseline):
    """Subspaces of rows that belong together with the largest squared-loss mutual information.

    Row i of both tables has to belong together.

    Parameters
    ----------
    n_components : int, optional
        How many pairs. Without: the smaller rank, at most 10.
    starts : int, default=10
        Random starts beside that of CCA.
    centres : int, default=200
        Kernels of the density ratio.
    constant : bool, default=True
        A constant in the density ratio.
    scouts : int, default=400
        Rows on which starts are compared.
    refined : int, default=2
        Starts that are refined on all rows.
    iterations : int, default=200
        Steps on all rows, at most.
    round : int, default=10
        Steps between choices of sigma and lambda.
    optimiser : str, default="lbfgs"
        The steps: any optimiser of the list.
    prepare : str or list of str, optional
        What is done to the columns first, instead of the method's own.
    random_state, n_jobs
        As for :class:`CDA`.

    Examples
    --------
    >>> import numpy as np, cda
    >>> rng = np.random.default_rng(0)
    >>> X = rng.exponential(size=(100, 3))
    >>> Y = X @ rng.normal(size=(3, 2)) + 0.1 * rng.normal(size=(100, 2))
    >>> model = cda.LSCCA(n_components=1, starts=2, iterations=3).fit(X, Y)
    >>> bool(np.corrcoef(model.transform(X)[:, 0], model.transform_y(Y)[:, 0])[0, 1] > 0.95)
    True
    """

    _method = "LSCCA"
    _own = ("starts", "centres", "constant", "scouts", "refined", "iterations", "round", "optimiser")

    def __init__(
        self,
        n_components: int | None = None,
        *,
        starts: int = 10,
        centres: int = 200,
        constant: bool = True,
        scouts: int = 400,
        refined: int = 2,
        iterations: int = 200,
        round: int = 10,
        optimiser: str = "lbfgs",
        prepare: str | list[str] | None = None,
        random_state: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        self.n_components = n_components
        self.starts = starts
        self.centres = centres
        self.constant = constant
        self.scouts = scouts
        self.refined = refined
        self.iterations = iterations
        self.round = round
        self.optimiser = optimiser
        self.prepare = prepare
        self.random_state = random_state
        self.n_jobs = n_jobs


class SCL(Baseline):
    """Structural correspondence learning, for tables with the same columns.

    Both tables need the same columns.

    Parameters
    ----------
    n_components : int, optional
        How many pairs. Without: the smaller rank, at most 10.
    pivots : int, default=0
        How many columns are pivots, those most alike in both; 0: all.
    prepare : str or list of str, optional
        What is done to the columns first, instead of the method's own.
    random_state, n_jobs
        As for :class:`CDA`.

    Examples
    --------
    >>> import numpy as np, pandas, cda
    >>> rng = np.random.default_rng(0)
    >>> X = pandas.DataFrame(rng.exponential(size=(100, 3)), columns=["a", "b", "c"])
    >>> Y = pandas.DataFrame(rng.exponential(size=(80, 3)) + [0.0, 0.0, 2.0], columns=["a", "b", "c"])
    >>> model = cda.SCL(n_components=2).fit(X, Y)
    >>> model.transform(X).shape, model.transform_y(Y).shape
    ((100, 2), (80, 2))
    """

    _method = "SCL"
    _own = ("pivots",)

    def __init__(
        self,
        n_components: int | None = None,
        *,
        pivots: int = 0,
        prepare: str | list[str] | None = None,
        random_state: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        self.n_components = n_components
        self.pivots = pivots
        self.prepare = prepare
        self.random_state = random_state
        self.n_jobs = n_jobs


class DAC(Baseline):
    """Domain adaptation with coupled subspaces, for tables with the same columns.

    Both tables need the same columns.

    Parameters
    ----------
    n_components : int, optional
        How many pairs. Without: the smaller rank, at most 10.
    pivots : int, default=0
        How many columns are pivots, those most alike in both; 0: all.
    prepare : str or list of str, optional
        What is done to the columns first, instead of the method's own.
    random_state, n_jobs
        As for :class:`CDA`.

    Examples
    --------
    >>> import numpy as np, pandas, cda
    >>> rng = np.random.default_rng(0)
    >>> X = pandas.DataFrame(rng.exponential(size=(100, 3)), columns=["a", "b", "c"])
    >>> Y = pandas.DataFrame(rng.exponential(size=(80, 3)) + [0.0, 0.0, 2.0], columns=["a", "b", "c"])
    >>> model = cda.DAC(n_components=2).fit(X, Y)
    >>> model.transform(X).shape, model.transform_y(Y).shape
    ((100, 2), (80, 2))
    """

    _method = "DAC"
    _own = ("pivots",)

    def __init__(
        self,
        n_components: int | None = None,
        *,
        pivots: int = 0,
        prepare: str | list[str] | None = None,
        random_state: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        self.n_components = n_components
        self.pivots = pivots
        self.prepare = prepare
        self.random_state = random_state
        self.n_jobs = n_jobs


class TCA(Baseline):
    """Transfer components: a common space in which means agree, for tables with the same columns.

    Both tables need the same columns.

    Parameters
    ----------
    n_components : int, optional
        How many pairs. Without: the smaller rank, at most 10.
    kernel : str, default="linear"
        ``"linear"``, ``"rbf"`` or ``"laplace"``; with the last two the map is not linear, and there are no weights.
    mu : float, default=1
        Weight of the size of the map against the distance of means.
    width : str or float, default="median"
        Of the kernel: the median distance of rows, or a value.
    cost : str, default="coefficients"
        What ``mu`` weighs: ``"coefficients"`` of rows, or ``"directions"``.
    prepare : str or list of str, optional
        What is done to the columns first, instead of the method's own.
    random_state, n_jobs
        As for :class:`CDA`.

    Examples
    --------
    >>> import numpy as np, pandas, cda
    >>> rng = np.random.default_rng(0)
    >>> X = pandas.DataFrame(rng.exponential(size=(100, 3)), columns=["a", "b", "c"])
    >>> Y = pandas.DataFrame(rng.exponential(size=(80, 3)) + [0.0, 0.0, 2.0], columns=["a", "b", "c"])
    >>> model = cda.TCA(n_components=2).fit(X, Y)
    >>> model.transform(X).shape, model.transform_y(Y).shape
    ((100, 2), (80, 2))
    """

    _method = "TCA"
    _own = ("kernel", "mu", "width", "cost")

    def __init__(
        self,
        n_components: int | None = None,
        *,
        kernel: str = "linear",
        mu: float = 1.0,
        width: str | float = "median",
        cost: str = "coefficients",
        prepare: str | list[str] | None = None,
        random_state: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        self.n_components = n_components
        self.kernel = kernel
        self.mu = mu
        self.width = width
        self.cost = cost
        self.prepare = prepare
        self.random_state = random_state
        self.n_jobs = n_jobs


class SSC(Baseline):
    """Canonical correlations and a one-to-one matching of rows, each given the other in turn.

    Parameters
    ----------
    n_components : int, optional
        How many pairs. Without: the smaller rank, at most 10.
    kappa : float, default=0.05
        Added to every variance, relative to their mean.
    iterations : int, default=50
        Turns per start, at most.
    starts : int, default=10
        Random matchings to start from, beside eight of components.
    scouts : int, default=500
        Rows of each half that starts are run and judged on.
    many_to_one : bool, default=False
        Each row of X with the nearest of Y, however often.
    weighted : bool, default=False
        Pairs with weak correlations count less in the matching.
    prepare : str or list of str, optional
        What is done to the columns first, instead of the method's own.
    random_state, n_jobs
        As for :class:`CDA`.

    Examples
    --------
    >>> import numpy as np, cda
    >>> rng = np.random.default_rng(0)
    >>> X = rng.exponential(size=(100, 3))
    >>> Y = X @ rng.normal(size=(3, 2)) + 0.1 * rng.normal(size=(100, 2))
    >>> model = cda.SSC(n_components=1).fit(X, Y)
    >>> bool(np.corrcoef(model.transform(X)[:, 0], model.transform_y(Y)[:, 0])[0, 1] > 0.95)
    True
    """

    _method = "SSC"
    _own = ("kappa", "iterations", "starts", "scouts", "many_to_one", "weighted")

    def __init__(
        self,
        n_components: int | None = None,
        *,
        kappa: float = 0.05,
        iterations: int = 50,
        starts: int = 10,
        scouts: int = 500,
        many_to_one: bool = False,
        weighted: bool = False,
        prepare: str | list[str] | None = None,
        random_state: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        self.n_components = n_components
        self.kappa = kappa
        self.iterations = iterations
        self.starts = starts
        self.scouts = scouts
        self.many_to_one = many_to_one
        self.weighted = weighted
        self.prepare = prepare
        self.random_state = random_state
        self.n_jobs = n_jobs


_ALL: tuple[type[Baseline], ...] = (PCA, CCA, LSCCA, SCL, DAC, TCA, SSC)
ESTIMATORS = {one._method: one for one in _ALL}
