#!/usr/bin/env python3
"""The overlap that cCDA estimates, on groups of which it is known which are in both tables.

    python3 benchmarks/overlap.py [--command build/cda] [--draws 5]

Five groups in four dimensions, of which each table has some in equal shares; 900 rows seen through 12 columns, 700 through
9, with noise. The true overlap is the sum of the smaller share of each group. Beside it: the estimate for several `reach`,
its mean and range over the draws, and the share of rows of common groups that find their group among the rows of the
other table (`cda score`), since an estimate can only be as good as the alignment.
"""
import argparse
import json
import pathlib
import subprocess
import tempfile

import numpy

COMPOSITIONS = ["01234 01234", "01234 0123", "01234 012", "0123 1234", "012 234"]
REACHES = [0.1, 0.3, 1.0]


def two_tables(groups, draw, folder):
    random = numpy.random.default_rng(draw)
    centres = 2 * random.normal(size=(5, 4)) * [2.0, 1.4, 0.9, 0.6]
    for name, members, rows, columns in (("x", groups[0], 900, 12), ("y", groups[1], 700, 9)):
        instrument = numpy.linalg.qr(random.normal(size=(columns, 4)))[0].T
        labels = random.choice([int(group) for group in members], rows)
        items = centres[labels] + 0.3 * random.normal(size=(rows, 4))
        seen = items @ instrument + 0.1 * random.normal(size=(rows, columns))
        with open(folder / f"{name}.csv", "w") as file:
            print(*(f"c{i}" for i in range(columns)), "group", sep=",", file=file)
            for values, label in zip(seen, labels):
                print(*(f"{value:.6g}" for value in values), f"g{label}", sep=",", file=file)


def run(command, folder, *arguments):
    return json.loads(subprocess.run([command, *arguments], cwd=folder, check=True, capture_output=True).stdout)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--command", default="build/cda")
    parser.add_argument("--draws", type=int, default=5)
    options = parser.parse_args()
    command = str(pathlib.Path(options.command).resolve())
    print("| groups of x, of y | overlap |", " | ".join(f"reach {reach:g} | labels" for reach in REACHES), "|")
    print("|---" * (2 + 2 * len(REACHES)) + "|")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for composition in COMPOSITIONS:
            x, y = composition.split()
            common = set(x) & set(y)
            line = [f"{x}, {y}", f"{len(common) * min(1 / len(x), 1 / len(y)):.2f}"]
            for reach in REACHES:
                found, labels = [], []
                for draw in range(options.draws):
                    two_tables((x, y), draw, folder)
                    fit = ["fit", "x.csv", "y.csv", "--exclude", "group", "-o", "model.json", "--json", "-q"]
                    fitted = run(command, folder, *fit, "--method", f"cCDA:reach={reach}")
                    found.append(fitted["coupling"]["overlap"])
                    request = ["score", "model.json", "--x", "x.csv", "--y", "y.csv", "--label", "group", "--json"]
                    scored = run(command, folder, *request)["label_transfer"]
                    right = [scored[way]["accuracy"] * len(side) / len(common) for way, side in (("x_to_y", y), ("y_to_x", x))]
                    labels.append(numpy.mean(right))
                line.append(f"{numpy.mean(found):.2f} ({min(found):.2f} to {max(found):.2f})")
                line.append(f"{numpy.mean(labels):.2f}")
            print("|", " | ".join(line), "|")


if __name__ == "__main__":
    main()
