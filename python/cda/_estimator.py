"""What all estimators here have in common: two tables in, a model, and rows of either table in its space."""
from __future__ import annotations

import os
import weakref
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from . import _core, _parameters, _tables
from ._base import Estimator, NotFittedError, output_asked_for
from ._errors import InputError, warn

if TYPE_CHECKING:
    from .plot import Plots

Self = TypeVar("Self", bound="CommonSpace")
_FIGURES = {
    "x_weights": "x_weights_",
    "y_weights": "y_weights_",
    "x_loadings": "x_loadings_",
    "y_loadings": "y_loadings_",
    "x_intercept": "x_intercept_",
    "y_intercept": "y_intercept_",
    "scale": "scale_",
    "divergence": "divergence_",
    "objective": "objective_",
    "agreement": "agreement_",
    "iterations": "n_iter_",
    "converged": "converged_",
}


class CommonSpace(Estimator):
    """Two tables mapped into one space. Not used by itself: CDA and the methods to compare with derive from it."""

    x_weights_: NDArray[np.float64]
    y_weights_: NDArray[np.float64]
    x_loadings_: NDArray[np.float64]
    y_loadings_: NDArray[np.float64]
    x_intercept_: NDArray[np.float64]
    y_intercept_: NDArray[np.float64]
    scale_: NDArray[np.float64]
    divergence_: NDArray[np.float64]
    objective_: NDArray[np.float64]
    agreement_: NDArray[np.float64]
    n_iter_: NDArray[np.int64]
    converged_: NDArray[np.bool_]
    n_features_in_: int
    n_features_y_: int
    feature_names_in_: NDArray[np.object_]
    feature_names_y_: NDArray[np.object_]
    model_: _core.Model

    # ---- What a subclass says ----

    def _options(self) -> dict[str, Any]:
        """The parameters, checked, as the library takes them."""
        raise NotImplementedError

    # ---- Fitting ----

    def fit(self: Self, X: Any, y: Any = None) -> Self:
        """Finds the pairs of column combinations of two tables.

        Parameters
        ----------
        X : array or DataFrame of shape (n_rows_x, n_features)
            The first table.
        y : array or DataFrame of shape (n_rows_y, n_features_y)
            The second table, which is needed. It need have neither the rows nor the columns of the first; one column
            may be one-dimensional.

        Returns
        -------
        self
        """
        x_data = _tables.read(X, "X", at_least=2)
        y_data = _tables.read(y, "y", one_column=True, at_least=2)
        model = self._fitted(_tables.table(x_data, "X"), _tables.table(y_data, "y"), self._options())
        warn(model.warnings)
        self._adopt(model, x_data.names, y_data.names)
        self._tables_seen = _weakly(X), _weakly(y)
        return self

    def _fitted(self, x: _core.Table, y: _core.Table, options: dict[str, Any]) -> _core.Model:
        return _core.fit(x, y, {name: _parameters.as_text(name, value) for name, value in options.items()})

    def _adopt(self, model: _core.Model, x_names: list[str] | None, y_names: list[str] | None) -> None:
        """Shows what a model holds."""
        self.model_ = model
        pairs = model.figures()
        for figure, attribute in _FIGURES.items():
            values = [pair[figure] for pair in pairs]
            setattr(self, attribute, None if values[0] is None else np.stack(values, axis=-1))
        self.n_features_in_ = len(model.x_columns)
        self.n_features_y_ = len(model.y_columns)
        for attribute, names in (("feature_names_in_", x_names), ("feature_names_y_", y_names)):
            if names is not None:
                setattr(self, attribute, np.asarray(names, dtype=object))
            elif attribute in self.__dict__:
                delattr(self, attribute)

    def fit_transform(self, X: Any, y: Any = None) -> Any:
        """Fits both tables, and maps the rows of the first: ``fit(X, y).transform(X)``."""
        return self.fit(X, y).transform(X)

    # ---- Mapping rows ----

    def transform(self, X: Any) -> Any:
        """Rows of the first table in the common space.

        Parameters
        ----------
        X : array or DataFrame of shape (n_rows, n_features)
            Rows with the columns of the first table, in their order.

        Returns
        -------
        array of shape (n_rows, n_pairs)
            The values of each row, pair by pair; a DataFrame with the same index where ``X`` is one, unless
            ``set_output`` says otherwise.
        """
        return self._mapped(X, y=False)

    def transform_y(self, y: Any) -> Any:
        """Rows of the second table in the common space; see :meth:`transform`."""
        return self._mapped(y, y=True)

    def _mapped(self, rows: Any, y: bool) -> Any:
        self._require_fit()
        side = "y" if y else "X"
        data = _tables.read(rows, side, one_column=y)
        fitted = getattr(self, "feature_names_y_" if y else "feature_names_in_", None)
        _tables.check_names(data, fitted, side, type(self).__name__)
        expected = self.n_features_y_ if y else self.n_features_in_
        if data.shape[1] != expected:
            raise InputError(
                f"{side} has {data.shape[1]} features, but {type(self).__name__} is expecting {expected} features as input",
                "model.columns",
                "were X and y swapped?",
            )
        _tables.check_finite(data, side)
        values = self.model_.transform(y, data.values)
        asked = output_asked_for(self)
        if asked == "default" or (asked is None and data.index is None):
            return values
        import pandas

        return pandas.DataFrame(values, index=data.index, columns=self.get_feature_names_out())

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[np.object_]:
        """The names of the pairs: ``pair1``, ``pair2``, ... as in the files of the command.

        Parameters
        ----------
        input_features : ignored
            There for scikit-learn.
        """
        self._require_fit()
        return np.asarray([f"pair{number}" for number in range(1, self.model_.pairs + 1)], dtype=object)

    def score(self, X: Any, y: Any) -> float:
        """Minus the mean divergence of the pairs on these rows: 0 is perfect, larger is better.

        Each pair's values of both tables are compared by the divergence that the model was fitted with (for the methods
        to compare with, the squared Wasserstein distance). Values of models with different preparations are in different
        units: compare like with like.

        Parameters
        ----------
        X, y : arrays or DataFrames
            Rows of the first and of the second table.
        """
        x_values, y_values = np.asarray(self.transform(X)), np.asarray(self.transform_y(y))
        name = self.model_.options["divergence"]
        values = [
            _core.divergence(name, x_values[:, [pair]], y_values[:, [pair]], False)[0] for pair in range(self.model_.pairs)
        ]
        return -float(np.mean(values))

    # ---- Keeping ----

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the model as JSON: the file that ``cda fit -o`` writes, for ``cda transform`` and :meth:`load`."""
        self._require_fit()
        _core.write_file(os.fspath(path), self.model_.to_json())

    @classmethod
    def load(cls: type[Self], path: str | os.PathLike[str]) -> Self:
        """The estimator of a model file, written here or by the command.

        Parameters
        ----------
        path : path of a file
        """
        return cls._from_model(read_model(path))

    @classmethod
    def _from_model(cls: type[Self], model: _core.Model) -> Self:
        estimator = cls._for_model(model)
        estimator._adopt(model, _given_names("x", model.x_columns), _given_names("y", model.y_columns))
        return estimator

    @classmethod
    def _for_model(cls: type[Self], model: _core.Model) -> Self:
        """An estimator with the parameters that the model was fitted with."""
        raise NotImplementedError

    def _fitted_tables(self) -> tuple[Any, Any]:
        """The tables of the fit where somebody still holds them, else None."""
        x, y = getattr(self, "_tables_seen", (None, None))
        return x and x(), y and y()

    # A pickle holds the parameters, the model as JSON, and the names that columns had.
    def __getstate__(self) -> dict[str, Any]:
        shown = {*_FIGURES.values(), "n_features_in_", "n_features_y_", "_tables_seen"}
        return {name: value for name, value in self.__dict__.items() if name not in shown}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        if self.__sklearn_is_fitted__():
            names = [state.get(name) for name in ("feature_names_in_", "feature_names_y_")]
            self._adopt(state["model_"], *(None if given is None else list(given) for given in names))

    # ---- Showing ----

    @property
    def plot(self) -> Plots:
        """Figures of the fitted model, on matplotlib axes."""
        self._require_fit()
        from .plot import Plots

        return Plots(self)

    def report(self, path: str | os.PathLike[str]) -> None:
        """Writes the full report of the model: one HTML file that needs nothing else."""
        self._require_fit()
        _core.write_file(os.fspath(path), _core.report_html(self.model_))

    def _repr_html_(self) -> str:
        from ._summary import summary_html

        return summary_html(self)

    # ---- scikit-learn ----

    def _repr_mimebundle_(self, **kwargs: Any) -> dict[str, str]:
        return {"text/plain": repr(self), "text/html": self._repr_html_()}

    def _more_tags(self) -> dict[str, Any]:
        return {"requires_y": True}

    def __sklearn_is_fitted__(self) -> bool:
        return "model_" in self.__dict__

    def _require_fit(self) -> None:
        if not self.__sklearn_is_fitted__():
            raise NotFittedError(
                f"This {type(self).__name__} instance is not fitted yet. Call 'fit' with both tables before using it."
            )


def read_model(path: str | os.PathLike[str]) -> _core.Model:
    """The model in a file; remarks about it are warnings."""
    name = os.fspath(path)
    with open(name, "rb") as file:
        content = file.read()
    # What is not text the library says, by what it looks like.
    model, remarks = _core.Model.from_json(content, name)
    warn(remarks)
    return model


def _weakly(table: Any) -> weakref.ref[Any] | None:
    """A way to a table that does not keep it; none for lists."""
    try:
        return weakref.ref(table)
    except TypeError:
        return None


def _given_names(side: str, columns: list[str]) -> list[str] | None:
    """None where the columns have the names that those without are given."""
    return None if columns == _tables.default_names(side, len(columns)) else columns
