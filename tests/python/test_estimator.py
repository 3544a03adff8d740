"""CDA and the methods it is compared with, as estimators of scikit-learn's kind."""
import copy
import inspect
import pickle
import subprocess
import sys
import warnings

import numpy as np
import pandas
import pytest
from sklearn import config_context
from sklearn.base import clone
from sklearn.compose import ColumnTransformer
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import check_estimator

import cda
from cda import baselines

pytestmark = pytest.mark.filterwarnings("ignore::cda.Warning")


class CanonicalCorrelations(cda.CCA):
    """scikit-learn's checks take whatever is named CCA for their own."""


CHECKED = [cda.CDA(), cda.CDA(method="CDA_M"), cda.CDA(method="cCDA"), cda.PCA(), CanonicalCorrelations(), cda.SSC(), cda.LSCCA(iterations=5)]


@pytest.mark.parametrize(
    "estimator, check",
    [(estimator, check) for estimator in CHECKED for _, check in check_estimator(estimator, generate_only=True)],
    ids=lambda value: getattr(getattr(value, "func", value), "__name__", type(value).__name__),
)
def test_passes_the_checks_of_scikit_learn(estimator, check):
    check(clone(estimator))


def test_the_checks_are_all_there():
    assert len(list(check_estimator(cda.CDA(), generate_only=True))) >= 35


# ---- What a fit shows ----


def test_shows_what_the_model_holds(sources):
    x, y = sources
    model = cda.CDA(n_components=2).fit(x, y)
    assert model.x_weights_.shape == (x.shape[1], 2) and model.y_weights_.shape == (y.shape[1], 2)
    assert model.x_loadings_.shape == (x.shape[1], 2) and model.y_loadings_.shape == (y.shape[1], 2)
    for figure in (model.scale_, model.divergence_, model.n_iter_, model.converged_, model.agreement_):
        assert figure.shape == (2,)
    assert model.converged_.dtype == bool and model.n_iter_.dtype.kind == "i"
    assert model.n_features_in_ == x.shape[1] and not hasattr(model, "feature_names_in_")
    np.testing.assert_allclose(model.transform(x), x @ model.x_weights_ + model.x_intercept_, atol=1e-9)
    np.testing.assert_allclose(model.transform_y(y), y @ model.y_weights_ + model.y_intercept_, atol=1e-9)


def test_loadings_are_correlations(sources, fitted):
    x, _ = sources
    values = fitted.transform(x)
    expected = np.corrcoef(x.T, values.T)[: x.shape[1], x.shape[1] :]
    np.testing.assert_allclose(fitted.x_loadings_, expected, atol=1e-9)


def test_default_seed_and_threads_do_not_change_the_answer(sources):
    first = cda.CDA(n_components=1).fit(*sources).model_.to_json()
    assert cda.CDA(n_components=1, random_state=0, n_jobs=1).fit(*sources).model_.to_json() == first
    assert cda.CDA(n_components=1, n_jobs=3).fit(*sources).model_.to_json() == first
    drawn = [cda.CDA(1, "CDA_M", random_state=np.random.RandomState(4)).fit(*sources).model_.seed for _ in range(2)]
    assert drawn[0] == drawn[1] != 0


def test_y_may_have_other_rows_and_one_dimension(rng):
    x, y = rng.exponential(size=(60, 3)), rng.exponential(size=41)
    model = cda.CDA(n_components=1, method="CDA_Q").fit(x, y)
    np.testing.assert_array_equal(model.transform_y(y), model.transform_y(y[:, np.newaxis]))


def test_a_table_of_few_values_is_used_with_a_warning(rng):
    x, y = rng.exponential(size=(80, 3)), rng.integers(0, 2, size=60)
    with pytest.warns(cda.Warning, match="8 values or fewer"):
        cda.CDA().fit(x, y)
    with pytest.raises(cda.NumericalError, match="8 values or fewer"):
        cda.CDA(few_valued="drop").fit(x, y)


# ---- DataFrames and names ----


def test_frames_in_frames_out(buildings):
    x, y = (frame.iloc[:300].set_index(frame.index[:300] + 1000) for frame in buildings)
    model = cda.CDA(n_components=2).fit(x, y)
    assert list(model.feature_names_in_) == list(x.columns) and list(model.feature_names_y_) == list(y.columns)
    for mapped, frame in ((model.transform(x), x), (model.transform_y(y), y)):
        assert list(mapped.columns) == ["pair1", "pair2"]
        assert mapped.index.equals(frame.index)
    with pytest.warns(UserWarning, match="does not have valid feature names"):
        assert isinstance(model.transform(x.to_numpy()), np.ndarray)


def test_set_output_decides(sources):
    x, y = sources
    frames = pandas.DataFrame(x), pandas.DataFrame(y)
    model = cda.CDA(n_components=2, method="CDA_M").fit(x, y)
    for output, kind in (("pandas", pandas.DataFrame), ("default", np.ndarray)):
        model.set_output(transform=output)
        for tables in ((x, y), frames):
            mapped = model.transform(tables[0]), model.transform_y(tables[1]), model.fit_transform(*tables)
            assert [type(one) for one in mapped] == [kind] * 3
    with config_context(transform_output="pandas"):
        assert list(cda.PCA(2).fit(x, y).transform_y(y).columns) == ["pair1", "pair2"]


def test_the_second_table_is_asked_for(sources):
    for call in (lambda model: model.fit(sources[0]), lambda model: model.fit_transform(sources[0])):
        with pytest.raises(cda.InputError, match="it is the second table"):
            call(cda.PCA())


def test_names_of_y_are_checked_too(buildings):
    x, y = (frame.iloc[:200] for frame in buildings)
    model = cda.CDA(n_components=1).fit(x, y)
    with pytest.raises(cda.InputError, match="same order"):
        model.transform_y(y[y.columns[::-1]])


def test_columns_of_numbers_in_any_type_are_taken(rng):
    frame = pandas.DataFrame(
        {
            "float32": rng.normal(size=40).astype(np.float32),
            "int": rng.integers(0, 99, size=40),
            "nullable": pandas.array(rng.integers(0, 99, size=40), dtype="Int64"),
            "object": rng.normal(size=40).astype(object),
            "bool": rng.integers(0, 2, size=40).astype(bool),
        }
    )
    model = cda.PCA(n_components=2).fit(frame, frame)
    again = cda.PCA(n_components=2).fit(frame.astype(float), frame.astype(float))
    assert model.model_.to_json() == again.model_.to_json()


def test_text_missing_cells_and_double_names_are_refused(buildings):
    x, y = buildings
    with pytest.raises(TypeError, match="'when', 'who'"):
        cda.CDA().fit(x.assign(when=pandas.Timestamp(0), who="me"), y)
    with pytest.raises(cda.InputError, match="2 missing"):
        gaps = x.copy()
        gaps.iloc[[1, 4], 0] = np.nan
        cda.CDA().fit(gaps, y)
    with pytest.raises(cda.InputError, match="several columns named 'a'"):
        cda.CDA().fit(x.set_axis(["a", "a", *x.columns[2:]], axis=1), y)


# ---- Parameters ----


@pytest.mark.parametrize(
    "parameters, words",
    [
        ({"n_components": 0}, "n_components must be a whole number from 1"),
        ({"n_components": 2.5}, "n_components"),
        ({"n_components": 99}, "99 pairs asked for"),
        ({"method": "CDA_X"}, "CDA_"),
        ({"divergence": "wassrstein"}, "did you mean wasserstein"),
        ({"divergence": 3}, "divergence must be a text"),
        ({"prepare": 3}, "prepare must be"),
        ({"scale": -1}, "scale must be a number from 0"),
        ({"refine": "maybe"}, "refine must be 'none' or 'joint'"),
        ({"few_valued": "yes"}, "few_valued must be"),
        ({"tolerance": float("nan")}, "tolerance must be"),
        ({"as_published": 1}, "as_published must be True or False"),
        ({"random_state": -1}, "random_state must be"),
        ({"random_state": "0"}, "random_state must be"),
        ({"n_jobs": 0}, "n_jobs must be"),
        ({"bandwidth": "median"}, "leave out bandwidth"),
        ({"method": "CDA_Q", "refine": "joint"}, "leave out refine"),
    ],
)
def test_a_wrong_parameter_is_named_when_fitting(parameters, words, sources):
    estimator = cda.CDA(**parameters)  # storing is not checking
    with pytest.raises(cda.UsageError, match=words) as raised:
        estimator.fit(*sources)
    assert raised.value.code and "--" not in str(raised.value)
    assert not hasattr(estimator, "model_")


def test_baselines_have_the_options_of_the_library():
    for part in cda.parts()["baselines"]:
        if part["name"] == "ccda":  # not one to compare with: cda.CDA(method="cCDA")
            continue
        estimator = baselines.ESTIMATORS[part["name"].upper()]()
        assert tuple(part["options"]) == estimator._own
        for name, (value, _) in part["options"].items():
            assert baselines._typed(getattr(estimator, name), value) == getattr(estimator, name), (part["name"], name)
        parameters = list(inspect.signature(type(estimator)).parameters)
        assert parameters == ["n_components", *estimator._own, "prepare", "random_state", "n_jobs"]


@pytest.mark.parametrize("name", list(baselines.ESTIMATORS))
def test_baselines_fit_and_are_found_again(name, sources, tmp_path):
    x, y = (table[:200, :5] for table in sources)
    own = {"iterations": 5} if name == "LSCCA" else {}
    model = baselines.ESTIMATORS[name](n_components=2, **own).fit(x, y)
    assert model.transform(x).shape == (200, 2) and np.isfinite(model.score(x, y))
    model.save(tmp_path / "model.json")
    loaded = cda.load(tmp_path / "model.json")
    assert type(loaded) is type(model)
    np.testing.assert_array_equal(loaded.transform_y(y), model.transform_y(y))
    assert loaded.fit(x, y).model_.to_json() == model.model_.to_json()
    with pytest.raises(cda.UsageError, match="cda.load"):
        next(other for other in baselines.ESTIMATORS.values() if other is not type(model)).load(tmp_path / "model.json")


def test_the_kernel_map_has_no_weights(sources):
    x, y = (table[:, :5] for table in sources)
    model = cda.TCA(n_components=2, kernel="rbf").fit(x, y)
    assert model.x_weights_ is None and model.transform(x).shape == (len(x), 2)
    assert "pair" in model._repr_html_()


# ---- Keeping ----


@pytest.mark.parametrize("how", [lambda model: pickle.loads(pickle.dumps(model)), copy.deepcopy])
def test_pickling_goes_through_the_model_file(how, buildings):
    x, y = (frame.iloc[:200] for frame in buildings)
    model = cda.CDA(n_components=2).fit(x, y)
    again = how(model)
    assert again.model_.to_json() == model.model_.to_json()
    assert again.get_params() == model.get_params()
    assert list(again.feature_names_in_) == list(x.columns)
    pandas.testing.assert_frame_equal(again.transform(x), model.transform(x), check_exact=True)
    np.testing.assert_array_equal(again.x_weights_, model.x_weights_)
    assert model.model_.to_json().encode() in pickle.dumps(model)


def test_a_loaded_model_can_be_tested(sources, tmp_path):
    model = cda.CDA(n_components=2).fit(*sources)
    model.save(tmp_path / "model.json")
    loaded = cda.CDA.load(tmp_path / "model.json")
    assert str(loaded.test(*sources, surrogates=19, bootstrap=0)) == str(model.test(*sources, surrogates=19, bootstrap=0))
    with pytest.raises(cda.UsageError, match="tables that were fitted"):
        loaded.test(sources[0][:-1], sources[1])
    with pytest.raises(cda.UsageError, match="another model"):
        cda.load(tmp_path / "model.json").test(sources[0][::-1] * 1.001**np.arange(300)[:, np.newaxis], sources[1])


def test_columns_that_are_called_as_those_without_names_come_back(sources, tmp_path):
    x, y = (pandas.DataFrame(table).add_prefix(side).rename(columns=lambda name: f"{name[0]}{int(name[1:]) + 1}")
            for table, side in zip(sources, "xy"))
    model = cda.PCA(n_components=1).fit(x, y)
    assert list(model.feature_names_y_)[:2] == ["y1", "y2"]
    model.save(tmp_path / "model.json")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        pandas.testing.assert_frame_equal(cda.load(tmp_path / "model.json").transform_y(y), model.transform_y(y))


def test_files_that_are_no_models_are_refused(tmp_path):
    (tmp_path / "m.json").write_text("{}")
    with pytest.raises(cda.InputError, match="m.json"):
        cda.load(tmp_path / "m.json")
    (tmp_path / "m.pickle").write_bytes(pickle.dumps({"a": 1}))
    with pytest.raises(cda.InputError, match="pickle"):
        cda.load(tmp_path / "m.pickle")
    with pytest.raises(FileNotFoundError):
        cda.load(tmp_path / "nowhere.json")
    model = cda.PCA().fit(np.eye(4)[:, :2], np.eye(4)[:, :2])
    with pytest.raises(cda.FileError, match="nowhere"):
        model.save(tmp_path / "nowhere" / "model.json")


# ---- In scikit-learn ----


def test_pipelines_and_searches_work(sources):
    x, y = sources
    x = x[: len(y)]
    pipeline = make_pipeline(StandardScaler(), cda.CDA(n_components=2, method="CDA_M"))
    assert pipeline.fit(x, y).transform(x).shape == (len(x), 2)
    assert list(pipeline.get_feature_names_out()) == ["pair1", "pair2"]
    search = GridSearchCV(cda.CDA(method="CDA_M"), {"n_components": [1, 2]}, cv=2).fit(x, y)
    assert search.best_params_["n_components"] in (1, 2)
    columns = ColumnTransformer([("cda", cda.CDA(n_components=1), [0, 1, 2])])
    assert columns.fit(x, y).transform(x).shape == (len(x), 1)
    assert clone(cda.CDA(n_components=2, scale=1.5)).get_params()["scale"] == 1.5


def test_score_is_minus_the_mean_divergence(sources, fitted):
    x, y = sources
    values = [cda.divergence(fitted.transform(x)[:, j], fitted.transform_y(y)[:, j], "wasserstein") for j in range(2)]
    assert fitted.score(x, y) == pytest.approx(-np.mean(values), rel=1e-12)
    np.testing.assert_allclose(values, fitted.divergence_, rtol=1e-9)


def test_before_a_fit_everything_says_so(sources):
    model = cda.CDA()
    for call in (lambda: model.transform(sources[0]), lambda: model.save("x"), lambda: model.plot, lambda: model.evidence_,
                 lambda: model.test(*sources), model.get_feature_names_out):
        with pytest.raises(NotFittedError):
            call()
    assert "not fitted" in model._repr_html_()


def test_evidence_is_kept_with_the_model(sources):
    model = cda.CDA(n_components=1).fit(*sources)
    with pytest.raises(AttributeError, match="no evidence yet"):
        model.evidence_
    found = model.bootstrap(*sources, n=3)
    assert found.bootstraps == 3 and found.surrogates == 0 and found.pairs[0].p is None
    assert model.evidence_.pairs[0].stability == found.pairs[0].stability
    with pytest.raises(cda.UsageError, match="n must be"):
        model.bootstrap(*sources, n=0)


def test_warnings_of_a_fit_are_warnings_here(rng):
    x = rng.exponential(size=(60, 3))
    x[:, 1] = 4.0
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        model = cda.CDA(n_components=1).fit(x, rng.exponential(size=(50, 2)))
    assert [str(one.message) for one in caught if one.category is cda.Warning] == model.model_.warnings
    assert any("x2" in str(one.message) for one in caught)
    assert all(one.filename == __file__ for one in caught if one.category is cda.Warning)
    assert model.x_weights_[1, 0] == 0.0


def test_a_time_limit_ends_with_what_there_is(sources):
    with pytest.warns(cda.Warning, match="time limit"):
        model = cda.CDA(method="CDA_P", n_components=3, time_limit=0.0).fit(*sources)
    assert model.model_.stopped == "time limit" and model.model_.pairs >= 1


def test_works_without_scikit_learn_and_pandas(tmp_path):
    code = """
import sys
for name in ("sklearn", "pandas", "matplotlib", "scipy"):
    sys.modules[name] = None
import cda, pickle, numpy
x, y, _ = cda.synthesise("sources", n=100, k=80)
model = cda.CDA(n_components=2, method="CDA_M")
try:
    model.transform(x)
except AttributeError as error:
    assert isinstance(error, ValueError)
assert model.fit_transform(x, y).shape == (100, 2)
assert repr(model) == "CDA(method='CDA_M', n_components=2)", repr(model)
assert model.set_params(n_components=1).get_params()["n_components"] == 1
assert (pickle.loads(pickle.dumps(model)).transform_y(y) == model.transform_y(y)).all()
assert "pair" in model._repr_html_()
"""
    subprocess.run([sys.executable, "-W", "ignore", "-c", code], check=True)
