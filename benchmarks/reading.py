#!/usr/bin/env python3
"""CSV against pandas' C reader: the same files in the same run, turn by turn, the fastest of several rounds.

    cmake -B build -DCDA_WITH_BENCHMARKS=ON && cmake --build build --target benchmark_reading
    /usr/bin/python3 benchmarks/reading.py [--rows 400000] [--columns 50] [--program build/benchmarks/reading]

Two files: numbers in full (17 digits, what programs write) and rounded to four places (what people write). pandas reads
with engine="c" twice: as it does by default, which may be off by a unit in the last place, and with
float_precision="round_trip", which is exact, as ours is. A ratio of 2 means: twice as fast as pandas.
"""

import argparse
import json
import subprocess
import tempfile
import time
from pathlib import Path

import numpy
import pandas


def written(folder, rows, columns):
    values = numpy.random.default_rng(0).normal(size=(rows, columns))
    names = [f"c{j}" for j in range(columns)]
    for name, table in (("full", values), ("short", numpy.round(100 * values, 4))):
        path = folder / f"{name}.csv"
        pandas.DataFrame(table, columns=names).to_csv(path, index=False)
        yield name, path


def by_pandas(path, precision):
    wall, cpu = time.perf_counter(), time.process_time()
    table = pandas.read_csv(path, engine="c", float_precision=precision)
    return {"wall": time.perf_counter() - wall, "cpu": time.process_time() - cpu, "sum": float(table.to_numpy().sum())}


def ours(program, path, threads):
    done = subprocess.run([program, path, str(threads), "1"], check=True, capture_output=True, text=True)
    return json.loads(done.stdout)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rows", type=int, default=400_000)
    parser.add_argument("--columns", type=int, default=50)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--program", default="build/benchmarks/reading")
    asked = parser.parse_args()
    readers = {
        "pandas": lambda path: by_pandas(path, None),
        "pandas, exact": lambda path: by_pandas(path, "round_trip"),
        "ours, 1 thread": lambda path: ours(asked.program, path, 1),
        "ours, 2 threads": lambda path: ours(asked.program, path, 2),
    }
    with tempfile.TemporaryDirectory() as folder:
        for name, path in written(Path(folder), asked.rows, asked.columns):
            best = {}
            for _ in range(asked.rounds):
                for reader, read in readers.items():
                    taken = read(path)
                    kept = best.setdefault(reader, taken)
                    for key in ("wall", "cpu"):
                        kept[key] = min(kept[key], taken[key])
            size = path.stat().st_size
            print(f"{name}: {asked.rows} x {asked.columns}, {size / 1e6:.0f} MB")
            print(f"  {'':16} {'wall s':>8} {'MB/s':>6} {'ratio':>6} {'CPU s':>8} {'ratio':>6}")
            for reader, taken in best.items():
                print(
                    f"  {reader:16} {taken['wall']:8.2f} {size / 1e6 / taken['wall']:6.0f}"
                    f" {best['pandas']['wall'] / taken['wall']:6.2f}"
                    f" {taken['cpu']:8.2f} {best['pandas']['cpu'] / taken['cpu']:6.2f}"
                )
            exact = best["pandas, exact"]["sum"]
            if abs(best["ours, 1 thread"]["sum"] - exact) > 1e-9 * size:
                raise SystemExit(f"other numbers than pandas: {best}")


if __name__ == "__main__":
    main()
