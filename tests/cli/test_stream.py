"""Tables read in blocks: the same answer, in memory that does not grow with the rows."""
import gzip
import json
import re
import subprocess

import numpy
import pytest
from support.command import COMMAND, memory_is_measured, run_cda

MEGABYTE = 1 << 20
ROWS = 80_000


def write_table(path, rows, columns, seed, prefix):
    random = numpy.random.default_rng(seed)
    values = random.normal(size=(rows, columns))
    values[:, ::3] **= 2
    values[:, 1:] += 0.4 * values[:, :-1]
    header = ",".join(f"{prefix}{j}" for j in range(columns))
    numpy.savetxt(path, values, fmt="%.12g", delimiter=",", header=header, comments="")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("stream")
    write_table(path / "x.csv", ROWS, 6, 1, "x")
    write_table(path / "y.csv", ROWS + 1, 5, 2, "y")
    return path


def fit(folder, *arguments, x="x.csv", y="y.csv"):
    return run_cda("fit", x, y, "--method", "CDA_M", "--components", "2", *arguments, cwd=folder)


def found(run):
    assert run.code == 0, run.err
    result = json.loads(run.out)
    for pair in result["pairs"]:
        pair.pop("seconds", None)
    return result


def test_the_answer_is_the_same_as_in_memory(folder):
    assert found(fit(folder, "--stream", "--json")) == found(fit(folder, "--json"))


def test_the_answer_is_that_of_compressed_files(folder):
    for name in ("x", "y"):
        (folder / f"{name}.csv.gz").write_bytes(gzip.compress((folder / f"{name}.csv").read_bytes(), 1))
    packed = fit(folder, "--stream", "--json", x="x.csv.gz", y="y.csv.gz")
    assert found(packed)["pairs"] == found(fit(folder, "--json"))["pairs"]


def test_rows_that_stand_for_all_are_counted(folder):
    run = fit(folder, "--stream", "-o", "model.json", "--report", "page.html")
    assert run.code == 0, run.err
    assert "shapes of 20000 rows" in run.out
    model = json.loads((folder / "model.json").read_text())
    assert model["x"]["rows"] == ROWS and model["x"]["described_rows"] == 20_000
    mapped = run_cda("transform", "model.json", "--x", "x.csv", "-o", "-", cwd=folder)
    assert mapped.code == 0 and mapped.out.count("\n") == ROWS + 1


@pytest.mark.parametrize(
    "arguments, says",
    [
        (["--method", "iCDA"], "rows"),
        (["--method", "CDA_Q"], "quadratic"),
        (["--max-columns", "2"], "limit"),
        (["--prepare", "whiten"], "whiten"),
        (["--surrogates", "9"], "evidence"),
        (["--missing", "mean"], "filled"),
        (["--encode", "x0"], "text"),
    ],
)
def test_what_needs_rows_is_refused(folder, arguments, says):
    method = [] if "--method" in arguments else ["--method", "CDA_M"]
    run = run_cda("fit", "x.csv", "y.csv", *method, *arguments, "--stream", cwd=folder)
    assert run.code == 2 and says in run.err, run.err


def test_evidence_is_refused(folder):
    run = run_cda("test", "x.csv", "y.csv", "--method", "CDA_M", "--stream", cwd=folder)
    assert run.code == 2 and "evidence" in run.err


def test_faults_are_told_as_ever(folder):
    text = (folder / "x.csv").read_text().splitlines()
    text[70_000] = "1,2,3,oops,5,6"
    (folder / "bad.csv").write_text("\n".join(text))
    whole, streamed = fit(folder, x="bad.csv"), fit(folder, "--stream", x="bad.csv")
    assert whole.code == streamed.code == 3
    assert "bad.csv:70001:4" in streamed.err and streamed.err == whole.err


def test_missing_cells_are_counted_or_their_rows_left_out(folder):
    text = (folder / "x.csv").read_text().splitlines()
    text[5], text[60_000] = ",1,2,3,4,5", "1,2,3,NA,5,6"
    (folder / "gaps.csv").write_text("\n".join(text))
    run = fit(folder, "--stream", x="gaps.csv")
    assert run.code == 3 and "2 cells are missing" in run.err
    run = fit(folder, "--stream", "--missing", "drop-rows", "--json", x="gaps.csv")
    assert found(run)["x"]["rows"] == ROWS - 2


def peak_memory(folder, *arguments):
    """Of the command alone: a process of its own is the parent, and counts its largest child."""
    script = (
        "import resource, subprocess, sys; code = subprocess.run(sys.argv[1:]).returncode; "
        "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024, file=sys.stderr); sys.exit(code)"
    )
    run = subprocess.run(
        ["/usr/bin/python3", "-c", script, COMMAND, *arguments], cwd=folder, capture_output=True, text=True
    )
    return run, int(run.stderr.splitlines()[-1])


@pytest.fixture(scope="module")
def large(tmp_path_factory):
    """Two tables of 120 MB of text and 64 MB of numbers each."""
    path = tmp_path_factory.mktemp("large")
    for name, seed in (("x", 3), ("y", 4)):
        write_table(path / f"{name}.csv", 10_000, 8, seed, name)
        header, *lines = (path / f"{name}.csv").read_text().splitlines(keepends=True)
        # The same rows again and again, a little longer each time, so that they are quickly made and yet differ.
        with open(path / f"{name}.csv", "w") as file:
            file.write(header)
            for i in range(100):
                file.write("".join(f"{i}{line}" if line[0] != "-" else f"-{i}{line[1:]}" for line in lines))
    return path


@memory_is_measured
def test_a_limit_far_below_the_tables_is_kept_by_reading_in_blocks(large):
    text = sum((large / name).stat().st_size for name in ("x.csv", "y.csv"))
    limit = 120 * MEGABYTE
    assert text + 2 * 10**6 * 8 * 8 > 2 * limit
    run, peak = peak_memory(
        large, "fit", "x.csv", "y.csv", "--method", "CDA_M", "--components", "1", "--max-memory", str(limit)
    )
    assert run.returncode == 0, run.stderr
    assert "reading in blocks" in run.stderr
    assert peak < limit
    refused, _ = peak_memory(large, "fit", "x.csv", "y.csv", "--method", "CDA_Q", "--max-memory", str(limit))
    assert refused.returncode == 6, refused.stderr


@memory_is_measured
def test_a_limit_below_what_blocks_need_is_refused_with_both_figures(large):
    run = run_cda(
        "fit", "x.csv", "y.csv", "--method", "CDA_M", "--stream", "--max-memory", "20M", cwd=large
    )
    assert run.code == 6, run.err
    assert "memory" in run.err


def test_the_estimate_is_told_to_who_asks(folder):
    run = fit(folder, "-v")
    assert re.search(r"the fit needs about [\d.]+ MiB \(\d+ bytes\) of memory", run.err), run.err
    assert "memory" not in fit(folder).err
