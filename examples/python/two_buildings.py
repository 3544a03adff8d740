"""Two office buildings with different meters: which of them tell the same story?

    python examples/python/two_buildings.py [FOLDER]

The folder holds X.csv and Y.csv (without one: the two simulated buildings that come with the project). Prints what is
shared and how sure that is, and learns the use of electricity of one building from the other.
"""
import pathlib
import sys

import pandas

import cda

BUILDINGS = pathlib.Path(__file__).resolve().parent.parent / "buildings"


def strongest(names, loadings, most=3):
    order = sorted(range(len(names)), key=lambda j: -abs(loadings[j]))[:most]
    return ", ".join(f"{names[j]} ({loadings[j]:+.2f})" for j in order)


def main(folder=BUILDINGS, target="electricity_kWh"):
    x, y = (pandas.read_csv(pathlib.Path(folder) / name) for name in ("X.csv", "Y.csv"))
    model = cda.CDA().fit(x, y)
    evidence = model.test(x, y, surrogates=499, bootstrap=19)
    print(evidence.statement)
    for pair, found in enumerate(evidence.pairs):
        print(
            f"pair {pair + 1}: {found.verdict}, p = {found.p:.3f}, held-out agreement {found.agreement_held_out:.2f}, "
            f"found again in {found.stability:.0%} of resamples"
        )
        print("  X", strongest(model.feature_names_in_, model.x_loadings_[:, pair]))
        print("  Y", strongest(model.feature_names_y_, model.y_loadings_[:, pair]))

    # What is predicted must not be among the columns that the space was made from.
    x_rest, y_rest = x.drop(columns=target), y.drop(columns=target)
    space = cda.CDA().fit(x_rest, y_rest)
    errors = cda.evaluate_transfer(
        space, x_rest, y_rest, x[target], y[target], units="z", train_rows=20, runs=10
    )
    print(f"\nmean error of {target} in Y, with 20 of its rows known:")
    for name, text in (
        ("transfer", "learnt from X and those rows, in the common space"),
        ("y_alone", "learnt from those rows alone"),
        ("constant", "always their mean"),
    ):
        print(f"  {errors[name].mean():7.1f}  {text}")


if __name__ == "__main__":
    if len(sys.argv) > 2:
        sys.exit(__doc__)
    main(*sys.argv[1:])
