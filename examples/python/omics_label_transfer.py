"""Two kinds of measurements on different cells of one tissue: do the labels of one carry over to the other?

    python examples/python/omics_label_transfer.py pbmc_atac.csv pbmc_rna.csv

Each file is a table of cells with a column `label`. No cell was measured twice and no column is common, so cells can
only be compared by how their values are distributed. The labels are not shown to the fit: they only judge it, beside
what chance and whitened principal components reach.
"""
import sys

import pandas

import cda


def main(x_file, y_file, label="label", leading=10):
    x, y = pandas.read_csv(x_file), pandas.read_csv(y_file)
    x_labels, y_labels = x.pop(label), y.pop(label)
    x, y = x.iloc[:, :leading].add_prefix("x_"), y.iloc[:, :leading].add_prefix("y_")  # principal components, in order
    model = cda.CDA().fit(x, y)
    print(f"{len(x)} cells x {x.shape[1]} and {len(y)} cells x {y.shape[1]}: {model.model_.pairs} pairs")

    evidence = model.test(x, y, surrogates=199, bootstrap=0)
    print(evidence.statement)

    scores = cda.score(model, x, y, x_labels=x_labels, y_labels=y_labels)["label_transfer"]
    for way, text in (("x_to_y", "labels of Y by X"), ("y_to_x", "labels of X by Y")):
        found = scores[way]
        print(
            f"{text}: {found['accuracy']:.3f} right; chance {found['chance']:.3f}, always the most frequent "
            f"{found['majority']:.3f}, principal components {found['pca']['accuracy']:.3f}"
        )

    predicted = cda.transfer(model, x, y, x_labels, classes=True)  # the labels are numbers here
    print(f"a linear rule learnt on X is right for {(predicted == y_labels).mean():.3f} of the cells of Y")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
