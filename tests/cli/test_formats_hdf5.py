"""HDF5, AnnData and MATLAB files as others write them: h5py and SciPy, and MATLAB itself (files that SciPy keeps)."""
import json
import os
import pathlib
import signal
import subprocess
import time

import h5py
import numpy
import pytest
import scipy.io
import scipy.sparse
from conftest import start_cda, write_table

FAST = ["--method", "CDA_M", "--components", "1"]
NAMES = ["a", "b", "c"]


@pytest.fixture
def values(tmp_path):
    """The numbers of x.csv; beside it lies y.csv."""
    write_table(tmp_path / "y.csv", ["d", "e"], 30, 2)
    return write_table(tmp_path / "x.csv", NAMES, 40, 1)


def model_of(cda, tmp_path, name):
    """All of the model but what the file itself is called and contains."""
    run = cda("fit", name, "y.csv", "-o", "model.json", *FAST)
    assert run.code == 0, run.err
    model = json.loads((tmp_path / "model.json").read_text())
    del model["sha256"], model["summary"]["x"]["name"], model["summary"]["x"]["sha256"]
    return model


def write_frame(file, name, index):
    frame = file.create_group(name)
    frame.attrs["encoding-type"] = "dataframe"
    frame.attrs["_index"] = "_index"
    frame.attrs["column-order"] = numpy.array([], dtype="f8")
    frame.create_dataset("_index", data=numpy.array(index, dtype=object), dtype=h5py.string_dtype())


def write_anndata(path, values, kind):
    with h5py.File(path, "w") as file:
        file.attrs["encoding-type"] = "anndata"
        write_frame(file, "obs", [f"cell {i}" for i in range(len(values))])
        write_frame(file, "var", NAMES)
        if kind == "dense":
            file["X"] = values
            return
        matrix = scipy.sparse.csr_matrix(values) if kind == "csr" else scipy.sparse.csc_matrix(values)
        group = file.create_group("X")
        group.attrs["encoding-type"] = f"{kind}_matrix"
        group.attrs["shape"] = matrix.shape
        for part in ("data", "indices", "indptr"):
            group.create_dataset(part, data=getattr(matrix, part), compression="gzip")


@pytest.mark.parametrize("options", [{}, {"chunks": True}, {"compression": "gzip", "shuffle": True, "fletcher32": True}])
@pytest.mark.parametrize("version", ["earliest", "latest"])
def test_a_dataset_written_by_h5py_gives_the_model_of_the_same_csv(cda, tmp_path, values, options, version):
    with h5py.File(tmp_path / "x.h5", "w", libver=version) as file:
        file.create_dataset("group/data", data=values, **options).attrs["columns"] = NAMES
    assert model_of(cda, tmp_path, "x.h5") == model_of(cda, tmp_path, "x.csv")


@pytest.mark.parametrize("kind", ["dense", "csr", "csc"])
def test_anndata_gives_the_model_of_the_same_csv(cda, tmp_path, values, kind):
    write_anndata(tmp_path / "x.h5ad", values, kind)
    assert model_of(cda, tmp_path, "x.h5ad") == model_of(cda, tmp_path, "x.csv")


def test_records_and_booleans_of_numpy_are_read(cda, tmp_path, values):
    records = numpy.zeros(40, dtype=[("a", "<f8"), ("b", ">f4"), ("c", "?")])
    records["a"], records["b"], records["c"] = values[:, 0], values[:, 1], values[:, 2] > 0
    with h5py.File(tmp_path / "x.h5", "w") as file:
        file["records"] = records
    rows = [f"{a!r},{float(b)!r},{int(c)}" for a, b, c in records.tolist()]
    (tmp_path / "x.csv").write_text("a,b,c\n" + "\n".join(rows) + "\n")
    assert model_of(cda, tmp_path, "x.h5") == model_of(cda, tmp_path, "x.csv")


@pytest.mark.parametrize(
    "write, code, message",
    [
        (lambda f: f.create_dataset("d", data=numpy.ones((9, 2)), compression="lzf"), "hdf5.filter", "filter lzf"),
        (lambda f: f.create_dataset("d", data=numpy.ones((9, 2)), scaleoffset=2), "hdf5.filter", "scaleoffset"),
        (lambda f: f.create_dataset("d", shape=(10**6, 10**6)), "hdf5.claims", "1000000 x 1000000"),
        (lambda f: f.create_dataset("d", data=[1 + 2j]), "hdf5.no-table", "complex numbers"),
        (lambda f: f.__setitem__("X", h5py.ExternalLink("y.h5", "/d")), "hdf5.no-table", "external links"),
        (lambda f: f.update(u=numpy.ones((3, 2)), v=numpy.ones(3)), "hdf5.several", '"/u" (float64, 3 x 2), "/v"'),
    ],
)
def test_what_is_not_read_is_named(cda, tmp_path, values, write, code, message):
    with h5py.File(tmp_path / "x.h5", "w") as file:
        write(file)
    run = cda("fit", "x.h5", "y.csv", "--json")
    assert run.code == 3
    error = run.error()
    assert error["code"] == code and error["file"] == "x.h5"
    assert message in error["message"] + error.get("hint", ""), error


def test_an_hdf5_file_through_a_pipe_is_refused(cda, tmp_path, values):
    write_anndata(tmp_path / "x.h5ad", values, "dense")
    os.mkfifo(tmp_path / "pipe.h5ad")
    feeder = subprocess.Popen(["sh", "-c", "cat x.h5ad > pipe.h5ad"], cwd=tmp_path, stderr=subprocess.DEVNULL)
    run = cda("fit", "pipe.h5ad", "y.csv")
    feeder.wait()
    assert run.code == 3
    assert "cannot be read from a pipe" in run.err


@pytest.mark.slow
def test_an_interrupt_while_a_library_reads_ends_both_processes(tmp_path, values):
    with h5py.File(tmp_path / "x.h5", "w") as file:  # small, and long to unpack
        file.create_dataset("d", shape=(200_000, 100), dtype="i1", chunks=(1, 100), compression="gzip")
        file["d"][:1000] = 1
    process = start_cda("fit", "x.h5", "y.csv", cwd=tmp_path)
    time.sleep(0.3)
    children = pathlib.Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=20)
    assert process.returncode == 130
    deadline = time.monotonic() + 10
    while any(pathlib.Path(f"/proc/{child}").exists() for child in children) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not any(pathlib.Path(f"/proc/{child}").exists() for child in children)


MATLAB = pathlib.Path(scipy.io.matlab.__file__).parent / "tests" / "data"


def write_numbers(path, values):
    """The same numbers as CSV, with the names that columns without names get."""
    rows = [",".join(f"col_{j + 1}" for j in range(values.shape[1]))]
    rows += [",".join(repr(float(value)) for value in row) for row in values]
    path.write_text("\n".join(rows) + "\n")


@pytest.mark.parametrize("options", [{"format": "4"}, {"format": "5"}, {"format": "5", "do_compression": True}])
@pytest.mark.parametrize("form", [numpy.asarray, scipy.sparse.csc_matrix, lambda v: numpy.asarray(v, order="F")])
def test_a_matrix_written_by_scipy_gives_the_model_of_the_same_csv(cda, tmp_path, values, options, form):
    scipy.io.savemat(tmp_path / "x.mat", {"matrix": form(values), "word": "text"}, **options)
    write_numbers(tmp_path / "x.csv", values)
    assert model_of(cda, tmp_path, "x.mat") == model_of(cda, tmp_path, "x.csv")


@pytest.mark.parametrize("kind", ["testmatrix", "testsparse"])
@pytest.mark.parametrize("version", ["4.2c_SOL2", "6.1_SOL2", "6.5.1_GLNX86", "7.1_GLNX86", "7.4_GLNX86"])
def test_a_matrix_written_by_matlab_gives_the_model_of_the_same_csv(cda, tmp_path, values, kind, version):
    path = MATLAB / f"{kind}_{version}.mat"
    matrix = scipy.io.loadmat(path)[kind]
    write_numbers(tmp_path / "x.csv", matrix.toarray() if scipy.sparse.issparse(matrix) else matrix)
    assert model_of(cda, tmp_path, path) == model_of(cda, tmp_path, "x.csv")


def test_a_matlab_7_3_file_gives_the_model_of_the_same_csv(cda, tmp_path, values):
    with h5py.File(tmp_path / "x.mat", "w", userblock_size=512) as file:
        file["matrix"] = values.T
        file["matrix"].attrs["MATLAB_class"] = numpy.bytes_("double")
    with open(tmp_path / "x.mat", "r+b") as file:
        file.write(b"MATLAB 7.3 MAT-file, for a test".ljust(124) + b"\0\2IM")
    write_numbers(tmp_path / "x.csv", values)
    assert model_of(cda, tmp_path, "x.mat") == model_of(cda, tmp_path, "x.csv")


@pytest.mark.parametrize("path", sorted(MATLAB.glob("*.mat")), ids=lambda path: path.stem)
def test_every_file_of_matlab_is_read_or_refused_by_name(cda, values, path):
    run = cda("fit", path, "y.csv", *FAST)
    assert run.code in (0, 3, 5), run.err
    assert run.code == 0 or path.name in run.err
