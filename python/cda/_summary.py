"""A fitted model on a few lines of HTML, for notebooks."""
from __future__ import annotations

import html
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from ._estimator import CommonSpace

_MOST_PAIRS = 20
_MOST_COLUMNS = 3


def _strongest(loadings: Any, names: list[str]) -> str:
    if loadings is None:
        return ""
    order = np.argsort(-np.abs(loadings), kind="stable")[:_MOST_COLUMNS]
    shown = [f"<bdi>{html.escape(_short(names[j]))}</bdi> ({loadings[j]:+.2f})" for j in order if loadings[j] != 0.0]
    return ", ".join(shown)


def _short(name: str, limit: int = 60) -> str:
    printable = "".join(letter if letter.isprintable() else "\ufffd" for letter in name)
    return printable if len(printable) <= limit else printable[: limit - 1] + "\u2026"


def _place(column: int) -> str:
    """Text begins at the left: notebooks would put all cells to the right, as is right for numbers."""
    return ' style="text-align:left"' if column in (1, 2, 6) else ""


def summary_html(estimator: CommonSpace) -> str:
    """What was fitted, and for every pair the columns that go with its values most."""
    title = html.escape(repr(estimator))
    if not estimator.__sklearn_is_fitted__():
        return f"<div><code>{title}</code>, not fitted</div>"
    model = estimator.model_
    found = model.evidence()
    head = ["pair", "X", "Y", "agreement", "divergence"] + (["p", "verdict"] if found else [])
    rows = []
    for pair in range(min(model.pairs, _MOST_PAIRS)):
        x_loadings = None if estimator.x_loadings_ is None else estimator.x_loadings_[:, pair]
        y_loadings = None if estimator.y_loadings_ is None else estimator.y_loadings_[:, pair]
        cells = [
            str(pair + 1),
            _strongest(x_loadings, model.x_columns),
            _strongest(y_loadings, model.y_columns),
            f"{estimator.agreement_[pair]:.2f}",
            f"{estimator.divergence_[pair]:.4g}",
        ]
        if found:
            evidence = found["pairs"][pair]
            p = evidence["p"]
            cells += ["" if p is None else f"{p:.3g}", html.escape(evidence["verdict"].replace("_", " "))]
        rows.append("<tr>" + "".join(f"<td{_place(number)}>{cell}</td>" for number, cell in enumerate(cells)) + "</tr>")
    more = f"<p>and {model.pairs - _MOST_PAIRS} more pairs</p>" if model.pairs > _MOST_PAIRS else ""
    warned = "".join(f"<li>{html.escape(text)}</li>" for text in model.warnings)
    return (
        f"<div><p><code>{title}</code>: {model.x_rows} rows of {len(model.x_columns)} columns and {model.y_rows} rows of "
        f"{len(model.y_columns)}; in brackets, a column's correlation with the pair's values</p>"
        + (f"<p>{html.escape(found['statement'])}</p>" if found else "")
        + f"<table><thead><tr>{''.join(f'<th{_place(number)}>{cell}</th>' for number, cell in enumerate(head))}</tr></thead>"
        f"<tbody>{''.join(rows)}</tbody></table>{more}"
        + (f"<p>Warnings</p><ul>{warned}</ul>" if warned else "")
        + "</div>"
    )
