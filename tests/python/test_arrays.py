"""Arrays of every kind come in right, unchanged, and without copies that are not needed."""
import gc
import subprocess
import sys
import tracemalloc

import hypothesis
import numpy as np
import pandas
import pytest
import scipy.sparse
from hypothesis import strategies as some
from hypothesis.extra import numpy as arrays

import cda
from cda import _core, _tables


def through_the_library(array):
    """An array as the library holds it."""
    data = _tables.read(array, "X")
    return _core.Table(data.values, [f"c{j}" for j in range(data.shape[1])], "").values


numbers = arrays.arrays(
    dtype=some.one_of(
        arrays.floating_dtypes(sizes=(16, 32, 64), endianness="?"), arrays.integer_dtypes(endianness="?"), some.just(np.dtype(bool))
    ),
    shape=arrays.array_shapes(min_dims=2, max_dims=2, max_side=70),
    elements={"allow_nan": False, "allow_infinity": False},
)


@hypothesis.settings(deadline=None, max_examples=60, database=None, derandomize=True)
@hypothesis.given(numbers, some.sampled_from("CFrt"), some.booleans())
def test_any_numbers_in_any_order_arrive_as_they_are(array, order, writable):
    array = {
        "C": np.ascontiguousarray,
        "F": np.asfortranarray,
        "r": lambda one: one[::-1, ::-1],
        "t": lambda one: np.repeat(one, 2, axis=1)[:, ::2],
    }[order](array)
    array.flags.writeable = writable and array.flags.writeable
    before = array.copy()
    np.testing.assert_array_equal(through_the_library(array), before.astype(np.float64))
    np.testing.assert_array_equal(array, before)


def test_fields_that_are_not_aligned_are_read():
    packed = np.zeros(5, dtype=[("a", "i1"), ("b", "f8")])
    packed["b"] = np.arange(5.0)
    column = packed["b"][:, np.newaxis]
    assert not column.flags.aligned
    np.testing.assert_array_equal(through_the_library(column), column)


def test_every_order_gives_the_same_model(rng):
    x, y = rng.exponential(size=(50, 4)), rng.exponential(size=(40, 3))
    model = cda.CDA(n_components=2, method="CDA_M").fit(x, y).model_.to_json()
    wide = np.zeros((100, 8))
    wide[::2, ::2] = x
    read_only = x.copy()
    read_only.flags.writeable = False
    for other in (np.asfortranarray(x), wide[::2, ::2], read_only, x.astype(">f8"), x.tolist(), x.astype(object)):
        assert cda.CDA(n_components=2, method="CDA_M").fit(other, y).model_.to_json() == model
    single = x.astype(np.float32)
    first = cda.PCA().fit(single, y).model_.to_json()
    assert first == cda.PCA().fit(single.astype(np.float64), y).model_.to_json()


@pytest.mark.parametrize(
    "wrong, kind, words",
    [
        (np.ones((4, 2)) * 1j, ValueError, "Complex data not supported"),
        (scipy.sparse.eye(4).tocsr(), TypeError, "sparse"),
        (np.asarray([["a", "b"]] * 4), TypeError, "not numbers"),
        (np.asarray([["1", "2"]] * 4), TypeError, "not numbers"),
        (np.asarray([[{}, 1]] * 4, dtype=object), TypeError, "not numbers"),
        (np.zeros((4, 2), dtype="M8[s]"), TypeError, "not numbers"),
        (np.ma.masked_equal(np.eye(4), 0), TypeError, "masked"),
        (np.ones(4), ValueError, "Expected 2D"),
        (np.ones((2, 2, 2)), ValueError, "Expected 2D"),
        (np.full((4, 2), np.inf), ValueError, "infinity"),
        (np.full((4, 2), np.nan), ValueError, "8 missing"),
        (np.ones((1, 3)), ValueError, "n_samples=1"),
        (np.ones((0, 3)), ValueError, "0 sample"),
        (np.ones((3, 0)), ValueError, "0 feature"),
        (None, ValueError, "None"),
        ("text", TypeError, "not numbers"),
        ([[1.0, 2.0], [3.0]], ValueError, ""),
    ],
)
def test_what_is_not_a_table_of_numbers_is_refused(wrong, kind, words, rng):
    with pytest.raises(kind, match=words):
        cda.CDA().fit(wrong, rng.normal(size=(6, 2)))


# ---- Copies ----


def allocated_by_numpy(call):
    """The most that NumPy, which tells tracemalloc, held at any time during the call."""
    gc.collect()
    tracemalloc.start()
    try:
        result = call()
        return tracemalloc.get_traced_memory()[1], result
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("order", "CF")
def test_float64_is_read_where_it_is(order):
    array = np.asarray(np.random.default_rng(0).normal(size=(20000, 10)), order=order)
    data = _tables.read(array, "X")
    assert np.shares_memory(data.values, array)
    most, _ = allocated_by_numpy(lambda: _tables.table(_tables.read(array, "X"), "X"))
    assert most < array.nbytes / 10


def test_a_frame_of_float64_is_read_where_it_is(rng):
    frame = pandas.DataFrame(rng.normal(size=(50, 3)))
    assert np.shares_memory(_tables.read(frame, "X").values, frame.to_numpy())


def test_results_are_the_librarys_own_memory():
    x, y = np.random.default_rng(0).normal(size=(20000, 10)), np.random.default_rng(1).normal(size=(100, 10))
    model = cda.PCA(n_components=5).fit(x, y)
    most, values = allocated_by_numpy(lambda: model.transform(x))
    assert most < values.nbytes / 10
    assert values.flags.writeable and values.flags.f_contiguous and not values.flags.owndata


MEASURED = """
import resource, numpy, cda
from cda import _core
most = lambda: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024  # what this process has ever touched at once
rows = numpy.random.default_rng(0).exponential(size=(1_000_000, 16))
model = cda.PCA(n_components=1).fit(rows[:300], rows[300:500])
"""


def grown(code):
    """By how many tables a process grows that runs this, measured from outside."""
    code = f"{MEASURED}before = most()\n{code}\nprint((most() - before) / rows.nbytes)"
    return float(subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout)


def test_rows_are_mapped_where_they_are():
    """Zero-copy: nothing grows but the one column of results, 1/16 of a table."""
    assert grown("values = model.transform(rows)") < 0.2


def test_columns_are_mapped_where_they_are_too():
    assert grown("values = model.transform(rows.reshape(16, -1).T)") < 0.2
    assert grown("values = model.transform_y(rows[::2, ::-1][:, ::-1])") < 0.2


def test_a_table_that_is_kept_is_one_copy():
    assert 0.9 < grown("table = _core.Table(rows, [str(j) for j in range(16)], '')") < 1.2


@pytest.mark.parametrize("rows", [1, 2, 1023, 1024, 1025, 2047, 2048, 2049, 5000])
def test_rows_in_any_order_and_number_map_to_the_same_bits(rows, rng):
    x, y = rng.normal(size=(5000, 6)), rng.exponential(size=(40, 3))
    model = cda.PCA(n_components=2).fit(x[:50], y)
    part = x[:rows]
    expected = model.transform(part)
    np.testing.assert_allclose(expected, part @ model.x_weights_ + model.x_intercept_, atol=1e-9)
    for same in (np.asfortranarray(part), np.repeat(np.repeat(part, 2, 0), 3, 1)[::2, ::3], part[::-1].copy()[::-1], part.tolist()):
        np.testing.assert_array_equal(model.transform(same), expected)
    one = np.broadcast_to(part[:1], (rows, 6))  # steps of zero
    np.testing.assert_allclose(model.transform(one), np.repeat(expected[:1], rows, 0), atol=1e-12)


def test_results_live_on_without_the_model(rng):
    x, y = rng.normal(size=(30, 3)), rng.normal(size=(20, 2))
    model = cda.PCA(n_components=2).fit(x, y)
    values, weights = model.transform(x), model.x_weights_
    expected = values.copy(), weights.copy()
    del model
    gc.collect()
    rng.normal(size=(1000, 100))
    np.testing.assert_array_equal(values, expected[0])
    np.testing.assert_array_equal(weights, expected[1])
