"""Drift: has a process changed between two periods, and in which columns?

    python examples/python/drift.py [hour.csv]

A model fitted on the first period says how each pair of column combinations is distributed; the divergence of later
values from earlier ones tells what has moved. Without a file the two periods are made here, and in the second one
sensor is off by a constant; with the hourly file of UCI's bike sharing data they are its two years.
"""
import sys

import numpy as np
import pandas

import cda


def made_periods(rows=1500, seed=0):
    """Three hidden causes behind five sensors; in the second period the third sensor reads 1.5 more."""
    rng = np.random.default_rng(seed)
    mixing = rng.normal(size=(3, 5))

    def period():
        causes = np.column_stack([rng.exponential(size=rows), rng.uniform(-2, 2, size=rows), rng.gamma(2.0, size=rows)])
        values = causes @ mixing + 0.1 * rng.normal(size=(rows, 5))
        return pandas.DataFrame(values, columns=[f"sensor{number}" for number in range(1, 6)])

    first, second = period(), period()
    second["sensor3"] += 1.5
    return first, second


def bike_periods(file):
    hours = pandas.read_csv(file)
    columns = ["temp", "hum", "windspeed", "casual", "registered"]
    return tuple(hours.loc[hours["yr"] == year, columns] for year in (0, 1))


def halves(frame, seed):
    order = np.random.default_rng(seed).permutation(len(frame))
    return frame.iloc[order[::2]], frame.iloc[order[1::2]]


def drift_of_columns(first, second, divergence="energy"):
    """For each column: its divergence between the periods, in units of its first spread, and that of two halves of one."""
    found = {}
    for name in first.columns:
        scale = first[name].std()
        between = cda.divergence(first[name] / scale, second[name] / scale, divergence)
        chance = [cda.divergence(*(half[name] / scale for half in halves(first, seed)), divergence) for seed in range(20)]
        found[name] = between, max(chance)
    return found


def main(file=None):
    first, second = made_periods() if file is None else bike_periods(file)
    print(f"{len(first)} and {len(second)} rows")
    print("column by column: divergence between the periods, and the largest of 20 random halves of the first")
    for name, (between, chance) in drift_of_columns(first, second).items():
        print(f"  {name:12} {between:8.4f}  {chance:8.4f}  {'moved' if between > 2 * chance else ''}")

    # The same question of what the columns have in common: fitted on halves of the first period, asked of the second.
    one, other = halves(first, 0)
    model = cda.CDA(n_components=2).fit(one, other)
    before, after = -model.score(one, other), -model.score(one, second)
    print(f"divergence of the model's pairs: {before:.4f} within the first period, {after:.4f} across both")
    return before, after


if __name__ == "__main__":
    if len(sys.argv) > 2:
        sys.exit(__doc__)
    main(*sys.argv[1:])
