"""J08 to J11: binary tables. Each is read exactly or refused by name; no header is ever believed or evaluated."""
import io
import json
import struct

import numpy
import pytest
from box import QUICK, X
from rows import row

VALUES = numpy.array([[float(cell) for cell in line.split(",")] for line in X.splitlines()[1:]])
NAMES = ["a", "b", "c"]


def refused_file(box, name, content, says, *options, code=3):
    box.write(name, content)
    return box.refused("fit", name, "y.csv", *QUICK, "-o", "new.json", *options, code=code, says=says)


def same_numbers(box, name, *options, **named):
    """Read as X, whatever its columns are called."""
    box.write("plain.csv", X)
    plain = box.fitted("plain.csv", "y.csv", *QUICK)
    result = box.fitted(name, "y.csv", *QUICK, *options, **named)
    assert result["x"]["rows"] == len(VALUES)
    assert result["pairs"][0]["x_direction"] == plain["pairs"][0]["x_direction"]
    assert result["pairs"][0]["divergence"] == plain["pairs"][0]["divergence"]
    return result


# ---- NPY ----


def npy(array, version=None):
    file = io.BytesIO()
    numpy.lib.format.write_array(file, array, version)
    return file.getvalue()


def header(text, data=b"", version=1):
    """A NumPy file with any header."""
    text = text.encode("latin-1")
    size = struct.pack("<H" if version == 1 else "<I", len(text))
    return b"\x93NUMPY" + bytes([version, 0]) + size + text + data


@row("J08")
@pytest.mark.parametrize("version", [(1, 0), (2, 0), (3, 0)])
@pytest.mark.parametrize("order", ["C", "F"])
def test_j08_versions_and_orders(box, version, order):
    box.write("x.npy", npy(numpy.array(VALUES, order=order), version))
    same_numbers(box, "x.npy")


@row("J08")
@pytest.mark.parametrize("kind", ["<f8", ">f8", "<f4", ">f4", "<f2", "<i8", ">i4", "<i2", "i1", "u1", "<u2", "<u8"])
def test_j08_kinds_of_numbers(box, kind):
    values = numpy.round(VALUES).astype(kind)
    box.write("x.npy", npy(values))
    box.write("plain.csv", "a,b,c\n" + "".join(",".join(repr(float(v)) for v in line) + "\n" for line in values))
    plain, result = (box.fitted(name, "y.csv", *QUICK) for name in ("plain.csv", "x.npy"))
    assert result["pairs"][0]["divergence"] == pytest.approx(plain["pairs"][0]["divergence"], rel=1e-12)


@row("J08")
def test_j08_one_dimension_is_one_column(box):
    box.write("x.npy", npy(VALUES[:, 0]))
    assert box.fitted("x.npy", "y.csv", *QUICK)["x"]["rows"] == len(VALUES)


@row("J08")
@pytest.mark.parametrize(
    "array, says",
    [
        (numpy.array([[1, "a"], [None, {}]], dtype=object), "(?i)object|pickle"),
        (numpy.array([["a", "b"]]), "(?i)text|kind|type|U"),
        (numpy.ones((3, 2)) * 1j, "(?i)complex|kind|type"),
        (numpy.ones((2, 3, 4)), "(?i)dimension"),
        (numpy.ones(()), "(?i)dimension"),
        (numpy.ones((0, 3)), "(?i)row|empty|no values"),
        (numpy.ones((3, 0)), "(?i)column|empty|no values"),
        (numpy.array([[1.0, numpy.inf], [2.0, 3.0]]), "(?i)inf|finite"),
        (numpy.array(["2024-01-01"], dtype="datetime64[D]"), "(?i)kind|type|M8|date"),
    ],
    ids=["objects", "text", "complex", "three", "none", "no rows", "no columns", "infinite", "dates"],
)
def test_j08_what_is_no_table(box, array, says):
    file = io.BytesIO()
    numpy.lib.format.write_array(file, array, allow_pickle=True)
    refused_file(box, "x.npy", file.getvalue(), says)


@row("J08")
def test_j08_missing_values_are_counted(box):
    values = VALUES.copy()
    values[2, 1] = numpy.nan
    refused_file(box, "x.npy", npy(values), "1 cell is missing")
    assert box.fitted("x.npy", "y.csv", *QUICK, "--missing", "drop-rows")["x"]["rows"] == len(VALUES) - 1


GOOD = "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 2), }\n"


@row("J08")
@pytest.mark.parametrize(
    "text",
    [
        "{'descr': '<f8', 'fortran_order': False, 'shape': (__import__('os').system('touch ran'), 2), }\n",
        "__import__('os').system('touch ran')\n",
        "{'descr': __import__('os').popen('touch ran'), 'fortran_order': False, 'shape': (2, 2)}\n",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (-2, 2), }\n",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (1000000000000000000, 2), }\n",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (4294967296, 4294967296), }\n",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (2**70, 2), }\n",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (99999999999999999999999, 2), }\n",
        "{'descr': '<f8', 'fortran_order': False}\n",
        "{'descr': '<f8', 'shape': (2, 2)}\n",
        "{'fortran_order': False, 'shape': (2, 2)}\n",
        "{'descr': '<f99', 'fortran_order': False, 'shape': (2, 2), }\n",
        "{'descr': '', 'fortran_order': False, 'shape': (2, 2), }\n",
        "{'descr': '<f8', 'fortran_order': Maybe, 'shape': (2, 2), }\n",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 2",
        "{" * 60000,
        "",
        "\x00" * 100,
    ],
)
def test_j08_evil_headers(box, text):
    refused_file(box, "x.npy", header(text, bytes(32)), "")
    assert not box.path("ran").exists()


@row("J08")
def test_j08_the_good_header_these_are_made_from(box):
    box.write("x.npy", header(GOOD, numpy.array([1.0, 2.0, 3.0, 5.0]).tobytes()))
    assert box.fitted("x.npy", "y.csv", *QUICK)["x"]["rows"] == 2


@row("J08")
@pytest.mark.parametrize("version", [0, 4, 255])
def test_j08_versions_that_are_none(box, version):
    refused_file(box, "x.npy", header(GOOD, bytes(32), version), "(?i)version")


@row("J08")
@pytest.mark.parametrize("size", [0, 5, 6, 8, 9, 10, 60, 128, 200, -8, -1])
def test_j08_cut_short(box, size):
    refused_file(box, "x.npy", npy(VALUES)[:size], "")


@row("J08")
@pytest.mark.parametrize("further", [b"\x00", bytes(8), b"garbage"])
def test_j08_bytes_after_the_end(box, further):
    refused_file(box, "x.npy", npy(VALUES) + further, "")


@row("J08")
def test_j08_a_header_longer_than_the_file(box):
    whole = bytearray(npy(VALUES))
    whole[8:10] = b"\xff\xff"
    refused_file(box, "x.npy", bytes(whole), "")


@row("J08")
def test_j08_several_arrays_in_one_file(box):
    file = io.BytesIO()
    numpy.savez_compressed(file, first=VALUES, second=VALUES[:, :2])
    refused_file(box, "x.npz", file.getvalue(), "first.*second|--x-variable")
    same_numbers(box, "x.npz", "--x-variable", "first")
    box.refused("fit", "x.npz", "y.csv", *QUICK, "--x-variable", "third", code=2, says="third.*(first|second)")


# ---- HDF5 and AnnData ----


@pytest.fixture
def h5py():
    import h5py

    return h5py


@row("J09")
def test_j09_a_matrix_is_read(box, h5py):
    with h5py.File(box.path("x.h5"), "w") as file:
        file["table"] = VALUES
    same_numbers(box, "x.h5")
    with h5py.File(box.path("x.h5"), "a") as file:
        file["other"] = VALUES[:, :2]
    box.refused("fit", "x.h5", "y.csv", *QUICK, code=3, says="table|other|--x-variable")
    same_numbers(box, "x.h5", "--x-variable", "table")


@row("J09")
def test_j09_nothing_to_read(box, h5py):
    with h5py.File(box.path("x.h5"), "w"):
        pass
    box.refused("fit", "x.h5", "y.csv", *QUICK, code=3, says="x.h5|no ")
    with h5py.File(box.path("x.h5ad"), "w") as file:
        file.create_group("obs")
        file.create_group("var")
    box.refused("fit", "x.h5ad", "y.csv", *QUICK, code=3, says="X")


def sparse(file, indptr, indices, data, shape=(4, 3), kind="csr_matrix"):
    group = file.create_group("X")
    group.attrs["encoding-type"] = kind
    group.attrs["encoding-version"] = "0.1.0"
    group.attrs["shape"] = numpy.array(shape)
    group["indptr"], group["indices"], group["data"] = (numpy.array(v) for v in (indptr, indices, data))


@row("J09")
@pytest.mark.parametrize(
    "indptr, indices",
    [
        ([0, 1, 2, 3, 99], [0, 1, 2, 0]),
        ([0, 3, 1, 3, 4], [0, 1, 2, 0]),
        ([-1, 1, 2, 3, 4], [0, 1, 2, 0]),
        ([0, 1, 2, 3, 4], [0, 1, 2, 77]),
        ([0, 1, 2, 3, 4], [0, 1, 2, -1]),
        ([0, 1, 2], [0, 1, 2, 0]),
        ([], [0, 1, 2, 0]),
        ([0, 1, 2, 3, 4], [0, 1]),
    ],
)
@pytest.mark.parametrize("kind", ["csr_matrix", "csc_matrix"])
def test_j09_sparse_indices_that_lead_outside(box, h5py, indptr, indices, kind):
    with h5py.File(box.path("x.h5ad"), "w") as file:
        shape = (4, 3) if kind == "csr_matrix" else (3, 4)
        sparse(file, indptr, indices, [1.0, 2.0, 3.0, 4.0], shape, kind)
    box.refused("fit", "x.h5ad", "y.csv", *QUICK, code=3, says="X|indptr|indices|data")


@row("J09")
@pytest.mark.parametrize("shape", [(10**12, 10**12), (-1, 3), (4,)])
def test_j09_sparse_shapes_that_are_none(box, h5py, shape):
    with h5py.File(box.path("x.h5ad"), "w") as file:
        sparse(file, [0, 1, 2, 3, 4], [0, 1, 2, 0], [1.0, 2.0, 3.0, 4.0], shape)
    run = box.run("fit", "x.h5ad", "y.csv", *QUICK)
    assert run.code in (3, 6) and run.out == "" and run.err.count("\n") == 1, run.err


@row("J09")
@pytest.mark.parametrize("kind", ["link", "dataset"])
def test_j09_other_files_are_never_opened(box, h5py, kind):
    with h5py.File(box.path("secret.h5"), "w") as file:
        file["table"] = VALUES
    (box.path("raw")).write_bytes(VALUES.tobytes())
    with h5py.File(box.path("x.h5"), "w") as file:
        if kind == "link":
            file["table"] = h5py.ExternalLink("secret.h5", "/table")
        else:
            file.create_dataset("table", VALUES.shape, "<f8", external=[("raw", 0, VALUES.nbytes)])
    box.refused("fit", "x.h5", "y.csv", *QUICK, code=3, says="table|external|link|other file|no ")
    box.refused("fit", "x.h5", "y.csv", *QUICK, "--x-variable", "table", code=3, says="table|external|link")


@row("J09")
def test_j09_a_link_that_leads_to_itself(box, h5py):
    with h5py.File(box.path("x.h5"), "w") as file:
        file["loop"] = h5py.SoftLink("/loop")
        file["group/up"] = h5py.SoftLink("/group")
    box.refused("fit", "x.h5", "y.csv", *QUICK, code=3, says="", timeout=60)
    box.refused("fit", "x.h5", "y.csv", *QUICK, "--x-variable", "loop", code=3, says="loop", timeout=60)


@row("J09")
@pytest.mark.parametrize("filter_", ["gzip", "lzf", "szip"])
def test_j09_filters_that_may_be_absent(box, h5py, filter_):
    with h5py.File(box.path("x.h5"), "w") as file:
        file.create_dataset("table", data=VALUES, compression=filter_, chunks=(5, 3))
    run = box.run("fit", "x.h5", "y.csv", *QUICK, "--json")
    if run.code == 0:
        return
    assert run.code == 3 and "table" in run.err, run.err


@row("J09")
@pytest.mark.parametrize("share", [0.1, 0.5, 0.9])
def test_j09_cut_short_or_damaged(box, h5py, share):
    with h5py.File(box.path("x.h5"), "w") as file:
        file.create_dataset("table", data=numpy.arange(3000.0).reshape(1000, 3), compression="gzip")
    content = box.path("x.h5").read_bytes()
    refused_file(box, "x.h5", content[: int(len(content) * share)], "")


@row("J09")
@pytest.mark.parametrize("name", ["x.h5", "x.mat"])
def test_j09_standard_input_is_read_and_no_file_of_that_name(box, h5py, name):
    with h5py.File(box.path(name), "w", userblock_size=512 if name == "x.mat" else 0) as file:
        file["table"] = VALUES.T if name == "x.mat" else VALUES
        file["table"].attrs["MATLAB_class"] = numpy.bytes_("double")
    if name == "x.mat":
        with open(box.path(name), "r+b") as file:
            file.write(b"MATLAB 7.3 MAT-file".ljust(124) + b"\0\2IM")
    with h5py.File(box.path("-"), "w") as file:
        file["wrong"] = VALUES[:, :1]
    same_numbers(box, "-", wrapper=["sh", "-c", f'exec "$@" <{name}', "sh"])


# ---- MATLAB ----


@pytest.fixture
def scipy_io():
    import scipy.io

    return scipy.io


@row("J10")
@pytest.mark.parametrize("version,packed", [("4", False), ("5", False), ("5", True)])
def test_j10_one_matrix_is_read(box, scipy_io, version, packed):
    scipy_io.savemat(box.path("x.mat"), {"table": VALUES}, format=version, do_compression=packed)
    same_numbers(box, "x.mat")


@row("J10")
def test_j10_several_matrices_are_listed(box, scipy_io):
    scipy_io.savemat(box.path("x.mat"), {"table": VALUES, "other": VALUES[:, :2], "label": "text"})
    box.refused("fit", "x.mat", "y.csv", *QUICK, code=3, says="(table.*other|other.*table).*--x-variable")
    same_numbers(box, "x.mat", "--x-variable", "table")
    box.refused("fit", "x.mat", "y.csv", *QUICK, "--x-variable", "third", code=2, says="third.*(table|other)")


@row("J10")
@pytest.mark.parametrize(
    "content",
    [{"s": {"a": 1.0, "b": 2.0}}, {"t": "text"}, {"c": numpy.array([[1, "a"]], dtype=object)}, {"z": VALUES * 1j}, {}],
    ids=["struct", "text", "cell", "complex", "nothing"],
)
def test_j10_no_matrix_in_it(box, scipy_io, content):
    scipy_io.savemat(box.path("x.mat"), content)
    box.refused("fit", "x.mat", "y.csv", *QUICK, code=3, says="")


@row("J10")
def test_j10_version_7_3_is_hdf5(box, scipy_io, h5py):
    with h5py.File(box.path("x.mat"), "w", userblock_size=512) as file:
        file["table"] = VALUES.T
        file["table"].attrs["MATLAB_class"] = numpy.bytes_("double")
    start = b"MATLAB 7.3 MAT-file, written by a test".ljust(124) + b"\x00\x02IM"
    with open(box.path("x.mat"), "r+b") as file:
        file.write(start)
    same_numbers(box, "x.mat")


@row("J10")
@pytest.mark.parametrize("share", [0.02, 0.3, 0.8, 0.99])
@pytest.mark.parametrize("packed", [False, True])
def test_j10_cut_short(box, scipy_io, share, packed):
    file = io.BytesIO()
    scipy_io.savemat(file, {"table": numpy.arange(3000.0).reshape(1000, 3) % 17}, do_compression=packed)
    refused_file(box, "x.mat", file.getvalue()[: int(len(file.getvalue()) * share)], "")


# ---- Parquet ----


@pytest.fixture
def parquet(box):
    """The content of a small Parquet file with the column pair1, written by the command itself."""
    box.write("x.csv", X)
    run = box.run("transform", "model.json", "--x", "x.csv", "-o", "made.parquet")
    assert run.code == 0, run.err
    return box.path("made.parquet").read_bytes()


@row("J11")
@pytest.mark.parametrize(
    "content",
    [b"PAR1", b"PAR1" + bytes(100) + b"PAR1", b"PAR1garbage\xff\xff\xff\x7fPAR1"],
    ids=["short", "zeros", "huge"],
)
def test_j11_what_only_begins_like_parquet(box, parquet, content):
    refused_file(box, "x.parquet", content, "(?i)parquet")


@row("J11")
def test_j11_what_is_written_is_read(box, parquet):
    box.write("plain.csv", box.projected("x.csv"))
    plain, result = (box.fitted(name, "y.csv", *QUICK) for name in ("plain.csv", "made.parquet"))
    assert result["x"]["columns"] == ["pair1"]
    assert result["pairs"][0]["divergence"] == plain["pairs"][0]["divergence"]


@row("J11")
@pytest.mark.parametrize("share", [0.1, 0.5, 0.9, 0.99])
def test_j11_cut_short(box, parquet, share):
    refused_file(box, "x.parquet", parquet[: int(len(parquet) * share)], "(?i)parquet")


@row("J11")
def test_j11_missing_values_are_counted(box, parquet):
    box.write("gap.csv", X.replace("0.5,7,1.25", "0.5,,1.25", 1))
    assert box.run("transform", "model.json", "--x", "gap.csv", "-o", "gap.parquet").code == 0
    box.refused("fit", "gap.parquet", "y.csv", *QUICK, code=3, says="missing")


@row("J11")
def test_j11_one_changed_byte_is_never_a_crash(box, parquet):
    for place in range(0, len(parquet), 1 + len(parquet) // 20):
        changed = bytearray(parquet)
        changed[place] ^= 0x41
        box.write("x.parquet", bytes(changed))
        run = box.run("fit", "x.parquet", "y.csv", *QUICK, "-q")
        assert run.code in (0, 3, 5, 6), (place, run.code, run.err)


def test_formats_are_listed(box):
    names = [entry["name"] for entry in json.loads(box.run("list", "formats", "--json").out)["formats"]]
    assert {"csv", "npy"} <= set(names)
