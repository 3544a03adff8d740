"""Figures of a model: what is drawn is what the model holds. Drawn into memory, never on a screen."""
import html
import re

import matplotlib
import numpy as np
import pandas
import pytest
import scipy.stats

import cda

matplotlib.use("Agg")
from matplotlib import pyplot  # noqa: E402


@pytest.fixture(autouse=True)
def _close():
    yield
    pyplot.close("all")


@pytest.fixture(scope="module")
def tested(sources):
    model = cda.CDA(n_components=2).fit(*sources)
    model.test(*sources, surrogates=49, bootstrap=19)
    return model


def test_densities_hold_all_of_both_samples(sources, tested):
    axes = tested.plot.densities(*sources, pair=2)
    x_line, y_line = axes.get_lines()
    for line in (x_line, y_line):
        at, density = line.get_data()
        assert np.trapz(density, at) == pytest.approx(1.0, abs=0.03)
    assert [text.get_text() for text in axes.get_legend().get_texts()] == ["X", "Y"]
    values = tested.transform(sources[0])[:, 1]
    at, density = x_line.get_data()
    low, high = np.quantile(values, [0.25, 0.75])
    width = 0.9 * min(values.std(), (high - low) / 1.349) * len(values) ** -0.2  # Silverman's rule
    expected = scipy.stats.gaussian_kde(values, bw_method=width / values.std(ddof=1))(at)
    np.testing.assert_allclose(density, expected, atol=0.01 * expected.max())  # values are counted in 512 bins


def test_quantiles_are_those_of_the_values(sources, tested):
    axes = tested.plot.qq(*sources)
    x, y = axes.get_lines()[1].get_data()
    assert x[0] == tested.transform(sources[0])[:, 0].min() and y[-1] == tested.transform_y(sources[1])[:, 0].max()
    assert np.all(np.diff(x) >= 0) and np.all(np.diff(y) >= 0)


def test_loadings_are_drawn_strongest_first(tested):
    axes = tested.plot.loadings(most=3)
    widths = [bar.get_width() for bar in axes.patches]
    loadings = tested.x_loadings_[:, 0]
    assert widths[:3] == list(loadings[np.argsort(-abs(loadings))[:3]])
    assert [label.get_text()[:2] for label in axes.get_yticklabels()] == ["X:"] * 3 + ["Y:"] * 3


def test_rows_of_both_tables_stand_in_the_common_space(sources, tested):
    axes = tested.plot.latent(*sources, most=100)
    x_points, y_points = axes.collections
    assert len(x_points.get_offsets()) == len(y_points.get_offsets()) == 100
    np.testing.assert_array_equal(x_points.get_offsets()[0], tested.transform(sources[0])[0])


def test_the_null_shows_where_the_pair_stands(tested):
    axes = tested.plot.null()
    quantiles, mark = axes.get_lines()
    assert list(quantiles.get_xdata()) == list(tested.evidence_.pairs[0].null_quantiles)
    assert mark.get_xdata()[0] == tested.evidence_.pairs[0].statistic


def test_axes_may_be_given(sources, tested):
    _, axes = pyplot.subplots(1, 2)
    assert tested.plot.densities(*sources, ax=axes[1]) is axes[1]
    assert not axes[0].get_lines()


def test_the_tables_of_the_fit_are_used_while_they_are_there(rng):
    x, y = rng.exponential(size=(80, 2)), rng.exponential(size=(70, 2))
    model = cda.CDA(n_components=1, method="CDA_M").fit(x, y)
    assert model.plot.densities().get_lines()
    del x, y
    with pytest.raises(cda.UsageError, match="holds no rows"):
        model.plot.densities()


def test_what_cannot_be_drawn_is_refused(sources, fitted):
    with pytest.raises(cda.UsageError, match="pair must be a whole number from 1 to 2"):
        fitted.plot.qq(*sources, pair=3)
    with pytest.raises(cda.UsageError, match="not tested"):
        fitted.plot.null()
    with pytest.raises(cda.UsageError, match="both tables"):
        fitted.plot.latent(sources[0])


HOSTILE = ["</td><script>alert(1)</script>", "a$b$c", "<img src=x onerror=alert(1)>", "\x1b[31mred\u202e", "n" * 300]


@pytest.fixture(scope="module")
def hostile():
    x, y, _ = cda.synthesise("sources", n=200, k=150, m=5, l=5, seed=2)
    x, y = (pandas.DataFrame(table, columns=HOSTILE) for table in (x, y))
    return cda.CDA(n_components=2).fit(x, y), x, y


def test_the_summary_shows_names_as_text(hostile):
    model, _, _ = hostile
    page = model._repr_html_()
    assert set(re.findall(r"</?([a-z]+)", page)) <= {"div", "p", "code", "table", "thead", "tbody", "tr", "th", "td", "bdi", "ul", "li"}
    assert "\x1b" not in page and "\u202e" not in page and "n" * 100 not in page
    assert model._repr_mimebundle_()["text/html"] == page


def test_the_summary_shows_the_verdicts(tested):
    assert html.escape(tested.evidence_.statement) in tested._repr_html_()
    assert all(pair.verdict.replace("_", " ") in tested._repr_html_() for pair in tested.evidence_.pairs)


def test_names_in_figures_are_text(hostile):
    model, x, y = hostile
    axes = model.plot.loadings(pair=2)
    axes.figure.canvas.draw()  # would fail on a formula that is none
    assert any(r"a\$b\$c" in label.get_text() for label in axes.get_yticklabels())
    assert max(len(label.get_text()) for label in axes.get_yticklabels()) < 60


def test_no_name_is_cut_off(hostile):
    model, _, _ = hostile
    axes = model.plot.loadings()
    axes.figure.canvas.draw()
    inside = axes.figure.bbox
    assert all(label.get_window_extent().x0 >= inside.x0 for label in axes.get_yticklabels())


def test_the_report_is_written_or_said_to_be_missing(fitted, tmp_path):
    try:
        fitted.report(tmp_path / "page.html")
    except cda.UsageError as error:
        assert "report" in str(error)
        assert not (tmp_path / "page.html").exists()
    else:
        page = (tmp_path / "page.html").read_text(encoding="utf-8")
        assert page.lower().startswith("<!doctype html>")
        assert "X: 300 rows, 8 columns. Y: 250 rows, 6 columns." in page
