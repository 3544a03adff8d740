"""Small tables of numbers for the rows about data, and how results are compared."""
import math

import numpy


def sample(rows, columns, seed):
    """Correlated, skewed columns, nothing special about any; the same for the same arguments."""
    random = numpy.random.default_rng(seed)
    sources = numpy.column_stack([random.exponential(size=rows), random.normal(size=(rows, columns))])
    mixing = random.normal(size=(columns + 1, columns))
    return sources @ mixing


def write(box, name, values, names=None):
    values = numpy.asarray(values, dtype=float)
    names = names or [f"{name[0]}{j + 1}" for j in range(values.shape[1])]
    lines = [",".join(names)] + [",".join(repr(float(value)) for value in row) for row in values]
    box.write(name, "\n".join(lines) + "\n")
    return values


def angle(first, second):
    """Between two directions, in radians; their signs count."""
    first, second = numpy.asarray(first), numpy.asarray(second)
    cosine = float(first @ second / (numpy.linalg.norm(first) * numpy.linalg.norm(second)))
    sine = numpy.linalg.norm(first / numpy.linalg.norm(first) - second / numpy.linalg.norm(second))
    return min(math.acos(max(-1.0, min(1.0, cosine))), sine)


def weights(pair, side):
    """By column, without the units: as a unit vector."""
    largest = max(abs(value) for value in pair[f"{side}_weights"].values())
    values = {name: value / largest for name, value in pair[f"{side}_weights"].items()}
    length = math.sqrt(sum(value * value for value in values.values()))
    return {name: value / length for name, value in values.items()}


def close(one, other, tolerance):
    """Two numbers, relative to the larger of them or 1."""
    return abs(one - other) <= tolerance * max(1.0, abs(one), abs(other))


def same_pairs(one, other, tolerance=1e-10, turn=1e-6):
    """Two fits of the same things: as many pairs, each with the same objective, and the same loadings column by column
    (other units change weights, and the columns optimised over have an order of their own)."""
    assert len(one["pairs"]) == len(other["pairs"])
    for first, second in zip(one["pairs"], other["pairs"]):
        assert close(first["objective"], second["objective"], tolerance)
        assert close(first["divergence"], second["divergence"], tolerance)
        for side in ("x", "y"):
            one_side, other_side = first[f"{side}_loadings"], second[f"{side}_loadings"]
            assert angle(list(one_side.values()), list(other_side.values())) < turn
