#!/usr/bin/env python3
"""cCDA against its NumPy prototype, on the same tables, in one run, by processor time.

    python3 benchmarks/coupling.py X.csv Y.csv [--command build/cda] [--exclude label] [--every 1]

The prototype is the algorithm in its first form: 14 sign starts on three subsamples of 300 rows, 20 alternations of
Sinkhorn's method for each plan, three turns of every optimum on 600 common rows, and the largest RV wins. The command
does more (six subsamples, sums that are right, judging on both halves of the rows): its time is given as it is, and
once more with three subsamples and three turns. Reading, PCA and writing are part of every time; Python's start is not.
"""
import argparse
import itertools
import os
import resource
import subprocess
import sys
import tempfile
import time

for library in ("OMP", "OPENBLAS", "MKL"):
    os.environ[f"{library}_NUM_THREADS"] = "1"
import numpy  # noqa: E402: after the number of threads is set

EMPHASIS, DIMENSIONS, BLUR, LEADING = 0.5, 20, 0.1, 3
SUBSAMPLES, SEARCHED, JUDGING, TURNS, ALTERNATIONS, POLISH = 3, 300, 600, 12, 20, 3
transports = {}  # rows of a plan: how many, and the time they took


def table(path, excluded, every):
    with open(path) as file:
        names = file.readline().strip().split(",")
    columns = [i for i, name in enumerate(names) if name not in excluded and not (name == "0" and "0" in names[:i])]
    return numpy.loadtxt(path, delimiter=",", skiprows=1, usecols=columns)[::every]


def cloud(rows):
    """Scores of variance one, and the same by the share of the spread that each component has."""
    left, values, _ = numpy.linalg.svd(rows - rows.mean(0), full_matrices=False)
    count = min(DIMENSIONS, int((values > 1e-6 * values[0]).sum()))
    white = left[:, :count] * numpy.sqrt(len(rows))
    return white, white * (values[:count] / values[0]) ** EMPHASIS


def sinkhorn(x, moment, y):
    started = time.process_time()
    cost = -(x @ moment @ y.T)
    cost /= cost.std()
    kernel = numpy.exp(numpy.maximum(-(cost - cost.min(1, keepdims=True)) / BLUR, -60))
    u, v = numpy.ones(len(x)), numpy.ones(len(y))
    for _ in range(ALTERNATIONS):
        u = 1 / len(x) / (kernel @ v)
        v = 1 / len(y) / (kernel.T @ u)
    plan = u[:, None] * kernel * v
    total = transports.setdefault(len(x), [0, 0.0])
    total[0] += 1
    total[1] += time.process_time() - started
    return plan


def cosine(a, b):
    return (a * b).sum()  # both of norm one


def unit(moment):
    return moment / numpy.linalg.norm(moment)


def ascend(x_white, y_white, x, y, start, known):
    moment = start
    plan = sinkhorn(x_white, moment, y_white)
    for turn in range(TURNS):
        following = unit(x.T @ plan @ y)
        arrived = turn > 2 and cosine(moment, following) > 0.9995
        moment = following
        if arrived:
            break
        if any(cosine(moment, other) > 0.995 for other in known):
            return None
        plan = sinkhorn(x, moment, y)
    return moment


def fit(x_rows, y_rows, seed=0):
    draw = numpy.random.default_rng(seed)
    (x_white, x), (y_white, y) = cloud(x_rows), cloud(y_rows)

    def some(count):
        return [draw.permutation(len(rows))[:count] for rows in (x, y)]

    pool = []
    for _ in range(SUBSAMPLES):
        i, j = some(SEARCHED)
        known = []
        for leading in range(1, min(LEADING, x.shape[1], y.shape[1]) + 1):
            for signs in itertools.product((1, -1), repeat=leading):
                start = numpy.zeros((x.shape[1], y.shape[1]))
                start[range(leading), range(leading)] = signs
                moment = ascend(x_white[i], y_white[j], x[i], y[j], unit(start), known)
                if moment is not None:
                    known.append(moment)
        pool += [one for one in known if all(cosine(one, other) < 0.9 for other in pool)]
    i, j = some(JUDGING)
    judged = []
    for moment in pool:
        for _ in range(POLISH):
            product = x[i].T @ sinkhorn(x[i], moment, y[j]) @ y[j]
            moment = unit(product)
        judged.append(((product**2).sum(), moment))
    best = max(judged, key=lambda one: one[0])
    return best[1], best[0] / (numpy.linalg.norm(x.T @ x / len(x)) * numpy.linalg.norm(y.T @ y / len(y)))


def spent(*command):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([str(part) for part in command], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("x")
    parser.add_argument("y")
    parser.add_argument("--command", default="build/cda")
    parser.add_argument("--exclude", default="label")
    parser.add_argument("--every", type=int, default=1, help="of the rows, this one")
    asked = parser.parse_args()
    started = time.process_time()
    tables = [table(path, asked.exclude.split(","), asked.every) for path in (asked.x, asked.y)]
    _, correlation = fit(*tables)
    prototype = time.process_time() - started
    print(f"{tables[0].shape} against {tables[1].shape}")
    print(f"prototype                        {prototype:7.3f} s   RV {correlation:.3f}")
    for rows, (count, seconds) in sorted(transports.items()):
        print(f"  {count:4d} transports of {rows:4d} rows  {1e3 * seconds / count:7.3f} ms each")
    with tempfile.TemporaryDirectory() as folder:
        paths = [os.path.join(folder, name) for name in ("x.csv", "y.csv")]
        for path, rows in zip(paths, tables):
            numpy.savetxt(path, rows, delimiter=",", fmt="%.9g", comments="",
                          header=",".join(f"c{i}" for i in range(rows.shape[1])))
        for method in ("cCDA", "cCDA:subsamples=3,polish=3,judging=600", "PCA"):
            seconds = min(spent(asked.command, "fit", *paths, "--method", method, "--threads", 1, "-o",
                                os.path.join(folder, "m.json")) for _ in range(3))
            print(f"{method:32} {seconds:7.3f} s   {prototype / seconds:6.1f} times as fast")
    return 0


if __name__ == "__main__":
    sys.exit(main())
