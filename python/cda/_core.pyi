"""The library, as the module that is compiled shows it."""
from typing import Any, Callable, Sequence

import numpy as np
from numpy.typing import NDArray

_Numbers = NDArray[np.float64]

class Table:
    def __init__(self, values: NDArray[Any], names: Sequence[str], source: str) -> None: ...
    @property
    def rows(self) -> int: ...
    @property
    def columns(self) -> int: ...
    @property
    def names(self) -> list[str]: ...
    @property
    def values(self) -> _Numbers: ...

class Model:
    @staticmethod
    def from_json(text: bytes, source: str) -> tuple[Model, list[str]]: ...
    def to_json(self) -> str: ...
    def figures(self) -> list[dict[str, Any]]: ...
    def evidence(self) -> dict[str, Any] | None: ...
    def coupling(self) -> dict[str, Any] | None: ...
    def transform(self, y: bool, rows: NDArray[Any]) -> _Numbers: ...
    @property
    def method(self) -> str: ...
    @property
    def options(self) -> dict[str, str]: ...
    @property
    def seed(self) -> int: ...
    @property
    def warnings(self) -> list[str]: ...
    @property
    def stopped(self) -> str: ...
    @property
    def pairs(self) -> int: ...
    @property
    def x_columns(self) -> list[str]: ...
    @property
    def y_columns(self) -> list[str]: ...
    @property
    def x_rows(self) -> int: ...
    @property
    def y_rows(self) -> int: ...
    @property
    def testable(self) -> bool: ...

def gaps(values: NDArray[Any]) -> tuple[int, int]: ...
def fit(x: Table, y: Table, options: dict[str, Any]) -> Model: ...
def examined(model: Model, x: Table, y: Table, how: dict[str, str], threads: int) -> Model: ...
def report_html(model: Model) -> str: ...
def version() -> str: ...
def write_file(path: str, content: str) -> None: ...
def parts() -> dict[str, list[dict[str, Any]]]: ...
def divergence(
    name: str, x: NDArray[Any], y: NDArray[Any], gradient: bool
) -> tuple[float, _Numbers | None, _Numbers | None]: ...
def add_divergence(
    name: str, function: Callable[..., Any], summary: str, zero_on_itself: bool, symmetric: bool, costly: bool
) -> None: ...
def match(x: Table, y: Table, units: str, bootstrap: int, seed: int, threads: int) -> dict[str, Any]: ...
def cluster(
    table: Table,
    classes: list[int],
    selection: str,
    density: str,
    radius: float,
    density_factor: float,
    least_density: float,
    min_points: int,
    min_size: int,
    scaled: bool,
    redundancy: float,
    max_columns: int,
    max_candidates: int,
    max_subspaces: int,
    cost: str,
    least_gain: float,
    clusters: int,
    method: str,
    divergence: str,
    compare: bool,
    permutations: int,
    seed: int,
    threads: int,
) -> dict[str, Any]: ...
def synthesise(
    kind: str,
    n: int,
    k: int,
    m: int,
    l: int,
    shuffle: bool,
    remove: float,
    noise: float,
    shared: int,
    own: int,
    seed: int,
) -> dict[str, Any]: ...
def transfer(
    x: NDArray[Any],
    x_targets: NDArray[Any],
    y: NDArray[Any],
    y_targets: NDArray[Any],
    classes: bool,
    units: str,
    seed: int,
) -> tuple[_Numbers, float, int, int]: ...
def evaluate_transfer(
    x: NDArray[Any],
    x_targets: NDArray[Any],
    y: NDArray[Any],
    y_targets: NDArray[Any],
    y_columns: NDArray[Any],
    classes: bool,
    units: str,
    train_rows: int,
    runs: int,
    seed: int,
    threads: int,
) -> dict[str, Any]: ...
def partners(x: NDArray[Any], y: NDArray[Any], threads: int) -> dict[str, float]: ...
def label_transfer(
    rows: NDArray[Any],
    truth: NDArray[Any],
    labelled_rows: NDArray[Any],
    known: NDArray[Any],
    neighbours: int,
    threads: int,
) -> dict[str, Any]: ...
