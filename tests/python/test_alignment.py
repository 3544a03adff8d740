"""cCDA from Python: the model of the command, and what it says about itself."""
import numpy as np
import pandas
import pytest

import cda

pytestmark = pytest.mark.filterwarnings("ignore::cda.Warning")


@pytest.fixture(scope="module")
def views():
    """The same 200 items in three groups, seen by two instruments."""
    draw = np.random.default_rng(3)
    group = draw.choice(3, size=200, p=[0.5, 0.3, 0.2])
    plane = np.array([[-1.5, -0.3], [0.4, 1.2], [1.8, -0.6]])[group] + draw.normal(size=(200, 2)) * [0.3, 0.15]
    seen = [
        2 * plane @ np.linalg.qr(draw.normal(size=(columns, 2)))[0].T + 0.05 * draw.normal(size=(200, columns))
        for columns in (5, 4)
    ]
    return seen[0], seen[1]


def test_views_come_together(views):
    x, y = views
    model = cda.CDA(n_components=2, method="cCDA").fit(x, y[np.random.default_rng(0).permutation(200)])
    a, b = model.transform(x), model.transform_y(y)
    distances = ((a[:, None] - b[None]) ** 2).sum(2)
    assert (distances < np.diag(distances)[:, None]).mean() < 0.1
    assert model.coupling_["ambiguous"] is False
    assert model.coupling_["alternatives"][0]["weight"] > 0


def test_the_model_is_that_of_the_command(views, command, tmp_path):
    for name, values in zip("xy", views):
        header = ",".join(f"{name}{j}" for j in range(values.shape[1]))
        lines = [",".join(repr(float(value)) for value in row) for row in values]
        (tmp_path / f"{name}.csv").write_text("\n".join([header, *lines]) + "\n")
    command("fit", tmp_path / "x.csv", tmp_path / "y.csv", "--method", "cCDA", "-o", tmp_path / "m.json")
    theirs = cda.load(tmp_path / "m.json")
    assert isinstance(theirs, cda.CDA) and theirs.method.startswith("cCDA:")
    x, y = (pandas.read_csv(tmp_path / f"{name}.csv", float_precision="round_trip") for name in "xy")
    ours = cda.CDA(method="cCDA").fit(x, y)  # rows are drawn by their content, of which names of columns are part
    assert np.array_equal(ours.transform(x), theirs.transform(x))
    assert ours.coupling_ == theirs.coupling_


def test_parameters_that_are_not_for_it_are_refused(views):
    with pytest.raises(cda.UsageError, match="divergence is not for cCDA"):
        cda.CDA(method="cCDA", divergence="energy").fit(*views)
    with pytest.raises(cda.UsageError, match="blur"):
        cda.CDA(method="cCDA:blurr=1").fit(*views)
    with pytest.raises(cda.UsageError, match="rank"):
        cda.CDA(method="cCDA", n_components=9).fit(*views)


def test_other_methods_have_no_coupling(views):
    assert cda.CDA(n_components=1, method="CDA_M").fit(*views).coupling_ is None


def test_columns_that_are_bent_have_no_weights_but_values(views):
    model = cda.CDA(method="cCDA", n_components=2, prepare="log1p+row-l2").fit(*views)
    assert model.transform(views[0]).shape == (200, 2)
