"""What an estimator is made of: scikit-learn's own base classes, or, where it is not installed, the little of them that
is needed to set parameters and to fit."""
from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:

    class Estimator:
        def get_params(self, deep: bool = True) -> dict[str, Any]: ...
        def set_params(self, **params: Any) -> Estimator: ...
        def set_output(self, *, transform: str | None = None) -> Estimator: ...

    NotFittedError = AttributeError

    def output_asked_for(estimator: Estimator) -> str | None: ...
else:
    try:
        from sklearn import get_config
        from sklearn.base import BaseEstimator, TransformerMixin
        from sklearn.exceptions import NotFittedError

        class Estimator(TransformerMixin, BaseEstimator):
            pass

        def output_asked_for(estimator):
            """What ``set_output`` said, of this estimator or of all ("pandas"); None where nothing was said."""
            said = getattr(estimator, "_sklearn_output_config", {}).get("transform")
            of_all = get_config().get("transform_output")
            return said or (of_all if of_all == "pandas" else None)

    except ImportError:

        class NotFittedError(ValueError, AttributeError):
            """The estimator has not been fitted yet."""

        def output_asked_for(estimator):
            return None

        class Estimator:
            @classmethod
            def _get_param_names(cls):
                return sorted(name for name in inspect.signature(cls.__init__).parameters if name != "self")

            def get_params(self, deep=True):
                return {name: getattr(self, name) for name in self._get_param_names()}

            def set_params(self, **params):
                known = self._get_param_names()
                for name, value in params.items():
                    if name not in known:
                        raise ValueError(f"Invalid parameter {name!r} for estimator {self!r}.")
                    setattr(self, name, value)
                return self

            def __repr__(self):
                defaults = inspect.signature(type(self).__init__).parameters
                changed = (
                    f"{name}={value!r}"
                    for name, value in self.get_params().items()
                    if value is not defaults[name].default and value != defaults[name].default
                )
                return f"{type(self).__name__}({', '.join(changed)})"
