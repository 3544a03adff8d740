"""Divergences between arrays, and divergences written in Python."""
import numpy as np
import pandas
import pytest
import scipy.stats

import cda

pytestmark = pytest.mark.filterwarnings("ignore::cda.Warning")
NAMES = [part["name"] for part in cda.parts()["divergences"]]


def steps(x, y):
    """Where the quantile functions of two samples are constant: the mass of each piece, and both positions."""
    ends = np.union1d(np.arange(1, len(x) + 1) * len(y), np.arange(1, len(y) + 1) * len(x))
    mass = np.diff(ends, prepend=0) / (len(x) * len(y))
    return mass, (ends - 1) // len(y), (ends - 1) // len(x)


def transport(x, y, gradient):
    """The squared Wasserstein distance, which the library has too."""
    mass, i, j = steps(x, y)
    gap = x[i] - y[j]
    value = float(mass @ gap**2)
    if not gradient:
        return value
    dx, dy = np.zeros(len(x)), np.zeros(len(y))
    np.add.at(dx, i, 2 * mass * gap)
    np.add.at(dy, j, -2 * mass * gap)
    return value, dx, dy


@pytest.fixture(scope="module", autouse=True)
def _added():
    cda.add_divergence("transport", transport, summary="a test")


# ---- Values and gradients ----


def test_values_agree_with_scipy(rng):
    x, y = rng.normal(size=60), rng.exponential(size=45)
    assert cda.divergence(x, y, "energy") == pytest.approx(scipy.stats.energy_distance(x, y) ** 2, rel=1e-9)
    assert cda.divergence(x, y, "wasserstein:order=1") == pytest.approx(scipy.stats.wasserstein_distance(x, y), rel=1e-9)
    expected = np.mean((x[:, np.newaxis] - y) ** 2)
    assert cda.divergence(x, y, "extended_mallows") == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("shape", [(), (1,), (3,)])
def test_gradients_have_the_shapes_of_the_samples(name, shape, rng):
    x, y = rng.normal(size=(30, *shape)), rng.normal(size=(20, *shape))
    value, dx, dy = cda.divergence(x, y, name, gradient=True)
    assert value == cda.divergence(x, y, name)
    assert dx.shape == x.shape and dy.shape == y.shape
    # Shifting both samples alike changes nothing.
    np.testing.assert_allclose(dx.sum(axis=0) + dy.sum(axis=0), 0.0, atol=1e-8)


@pytest.mark.parametrize(
    "name",  # with bandwidths that do not depend on the data: those that do are held fixed
    ["wasserstein", "wasserstein:order=1", "energy", "extended_mallows", "mmd:bandwidth=0.7", "quadratic:bandwidth=0.4", "transport"],
)
@pytest.mark.parametrize("shape", [(), (2,)])
def test_gradients_are_those_of_finite_differences(name, shape, rng):
    x, y = rng.gamma(2.0, size=(9, *shape)), rng.normal(size=(7, *shape)) + 1.0
    found = cda.divergence(x, y, name, gradient=True)
    for sample, gradient, value in (
        (x, found.x, lambda changed: cda.divergence(changed, y, name)),
        (y, found.y, lambda changed: cda.divergence(x, changed, name)),
    ):
        for place in np.ndindex(sample.shape):
            step = np.zeros(sample.shape)
            step[place] = 1e-6
            slope = (value(sample + step) - value(sample - step)) / 2e-6
            assert gradient[place] == pytest.approx(slope, rel=1e-5, abs=1e-8), place


def test_descending_the_gradient_brings_samples_together(rng):
    x, y = rng.normal(size=80) + 3.0, rng.exponential(size=60)
    first = cda.divergence(x, y, "wasserstein")
    for _ in range(50):
        x = x - 10.0 * cda.divergence(x, y, "wasserstein", gradient=True).x
    assert cda.divergence(x, y, "wasserstein") < 1e-3 * first


def test_series_frames_and_lists_are_samples(rng):
    x, y = rng.normal(size=(20, 2)), rng.normal(size=(15, 2))
    assert cda.divergence(pandas.DataFrame(x), pandas.DataFrame(y)) == cda.divergence(x, y)
    assert cda.divergence(pandas.Series(x[:, 0]), list(y[:, 0])) == cda.divergence(x[:, 0], y[:, 0])


def test_what_cannot_be_compared_is_refused(rng):
    with pytest.raises(cda.InputError, match="same number of columns"):
        cda.divergence(rng.normal(size=(5, 2)), rng.normal(size=(5, 3)))
    with pytest.raises(cda.InputError, match="finite"):
        cda.divergence([1.0, np.nan], [1.0, 2.0])
    with pytest.raises(cda.UsageError, match="did you mean energy"):
        cda.divergence([1.0], [2.0], "enery")


# ---- Written in Python ----


def test_one_of_ones_own_is_compared_like_any_other(rng):
    x, y = rng.normal(size=(30, 2)), rng.normal(size=(21, 2))
    for shape in ((slice(None), 0), (slice(None), slice(None))):
        own = cda.divergence(x[shape], y[shape], "transport", gradient=True)
        known = cda.divergence(x[shape], y[shape], "wasserstein", gradient=True)
        assert own.value == pytest.approx(known.value, rel=1e-12)
        np.testing.assert_allclose(own.x, known.x, atol=1e-14)
        np.testing.assert_allclose(own.y, known.y, atol=1e-14)
    assert "transport" in [part["name"] for part in cda.parts()["divergences"]]


FAST = {"starts": 2, "refined": 1, "max_iterations": 30}


@pytest.mark.parametrize("formulation", [part["name"] for part in cda.parts()["formulations"]])
def test_one_of_ones_own_works_with_every_formulation(formulation, sources):
    x, y = (table[:100, :3] for table in sources)
    parts = {"prepare": "whiten", "scale": "1"} if formulation == "contrast" else {}
    fits = [
        cda.CDA(1, "CDA_Q", divergence=name, formulation=formulation, optimiser="lbfgs", **parts, **FAST).fit(x, y)
        for name in ("transport", "wasserstein")
    ]
    assert fits[0].divergence_[0] == pytest.approx(fits[1].divergence_[0], rel=1e-3, abs=1e-9)
    assert fits[0].model_.options["divergence"] == "transport"


@pytest.mark.parametrize("optimiser", [part["name"] for part in cda.parts()["optimisers"] if part["name"] != "exact"])
def test_exceptions_of_ones_own_surface_as_they_are(optimiser, sources):
    class Broken(Exception):
        pass

    calls = []

    def breaks(x, y, gradient):
        calls.append(gradient)
        if len(calls) > 20:
            raise Broken("after a while")
        return transport(x, y, gradient)

    cda.add_divergence("breaks", breaks)
    with pytest.raises(Broken, match="after a while"):
        cda.CDA(1, "CDA_Q", divergence="breaks", optimiser=optimiser).fit(*sources)


@pytest.mark.parametrize(
    "answer, gradient, kind, words",
    [
        ("text", False, TypeError, "return a number"),
        (None, False, TypeError, "return a number"),
        (1.0, True, TypeError, r"\(value, dx, dy\)"),
        ((1.0, [1.0, 2.0], [1.0]), True, ValueError, "one number for every value"),
        ((1.0, [1.0, 2.0], "abc"), True, ValueError, "one number for every value"),
        ((1.0, np.ones(2) * 1j, np.ones(3)), True, ValueError, "one number for every value"),
        (("a", [1.0, 2.0], [1.0, 2.0, 3.0]), True, TypeError, "number as its value"),
    ],
)
def test_wrong_answers_are_named(answer, gradient, kind, words):
    cda.add_divergence("wrong", lambda *_: answer)
    with pytest.raises(kind, match=words):
        cda.divergence([1.0, 2.0], [3.0, 4.0, 5.0], "wrong", gradient=gradient)


def test_a_name_may_be_given_again_but_not_taken(rng):
    cda.add_divergence("again", lambda x, y, gradient: 1.0)
    cda.add_divergence("again", lambda x, y, gradient: 2.0)
    assert cda.divergence([1.0], [2.0], "again") == 2.0
    with pytest.raises(cda.UsageError, match="already"):
        cda.add_divergence("energy", transport)
    with pytest.raises(cda.UsageError, match="letters"):
        cda.add_divergence("a:b", transport)
    with pytest.raises(cda.UsageError, match="callable"):
        cda.add_divergence("c", 3)


def test_what_a_divergence_keeps_stays_valid(sources):
    kept = []

    def keeps(x, y, gradient):
        kept.append((x, x.copy()))
        return transport(x, y, gradient)

    cda.add_divergence("keeps", keeps)
    cda.CDA(1, "CDA_Q", divergence="keeps", **FAST).fit(*sources)
    assert kept
    for held, copied in kept:
        np.testing.assert_array_equal(held, copied)
        assert np.all(np.diff(held) >= 0)
