"""Tables in other formats than CSV, and the options that say how a file is to be read."""
import gzip
import json
import pathlib
import subprocess

import numpy
import pytest
from conftest import COMMAND, run_cda, write_table

FAST = ["--method", "CDA_M", "--pairs", "1"]


@pytest.fixture(scope="module")
def fitted(tmp_path_factory):
    """A model of x.csv and y.csv, and the rows of x.csv in its common space; tests do not change this directory."""
    folder = tmp_path_factory.mktemp("fitted")
    write_table(folder / "x.csv", ["a", "b", "c"], 40, 1)
    write_table(folder / "y.csv", ["d", "e"], 30, 2)
    run = run_cda("fit", "x.csv", "y.csv", "-o", "model.json", *FAST, cwd=folder)
    assert run.code == 0, run.err
    return folder


@pytest.fixture
def x_values(fitted):
    return numpy.loadtxt(fitted / "x.csv", delimiter=",", skiprows=1)


@pytest.fixture
def transformed(cda, fitted):
    """The values of rows of X, as CSV."""

    def transform(path, *options, **named):
        return cda("transform", fitted / "model.json", "--x", path, *options, **named)

    return transform


@pytest.fixture
def expected(transformed, fitted):
    run = transformed(fitted / "x.csv")
    assert run.code == 0, run.err
    return run.out


def record_array(values):
    return numpy.array([tuple(row) for row in values], dtype=[("a", ">f8"), ("b", "f8"), ("c", "f8")])


def save_npy(path, values):
    numpy.save(path, record_array(values))


def save_npz(path, values):
    numpy.savez(path, x=values, columns=numpy.array(["a", "b", "c"]))


def save_packed_npz(path, values):
    numpy.savez_compressed(path, x=numpy.asfortranarray(values), columns=numpy.array(["a", "b", "c"]))


def csv_text(values):
    return "a,b,c\n" + "".join(",".join(map(repr, row)) + "\n" for row in values.tolist())


def save_gzip(path, values):
    path.write_bytes(gzip.compress(csv_text(values).encode()))


def save_zstd(path, values):
    subprocess.run(["zstd", "--quiet", "-o", path], input=csv_text(values).encode(), check=True)


def arff_text(values):
    return "@relation r\n@attribute a numeric\n@attribute b real\n@attribute c REAL\n@data\n" + csv_text(values)[6:]


def save_arff(path, values):
    path.write_text(arff_text(values))


FORMATS = {
    "x.npy": save_npy,
    "x.npz": save_npz,
    "packed.npz": save_packed_npz,
    "x.csv.gz": save_gzip,
    "x.csv.zst": save_zstd,
    "x.arff": save_arff,
}


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_holds_the_same_rows(transformed, expected, tmp_path, x_values, name):
    FORMATS[name](tmp_path / name, x_values)
    run = transformed(name)
    assert run.code == 0, run.err
    assert run.out == expected
    assert run.err == ""


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_gives_the_same_model(cda, fitted, tmp_path, x_values, name):
    FORMATS[name](tmp_path / name, x_values)
    run = cda("fit", name, fitted / "y.csv", "-o", "model.json", *FAST)
    assert run.code == 0, run.err
    ours, theirs = (json.loads((folder / "model.json").read_text()) for folder in (tmp_path, fitted))
    assert ours["pairs"] == theirs["pairs"]
    assert ours["x"]["columns"] == theirs["x"]["columns"]


@pytest.mark.parametrize("dtype", ["<f8", ">f8", "<f4", "<f2", "<i8", ">i4", "|i1", "|u1", "?"])
def test_arrays_of_every_type_as_numpy_saves_them(transformed, tmp_path, dtype):
    values = (numpy.arange(12).reshape(4, 3) % 5).astype(dtype)
    (tmp_path / "x.csv").write_text(csv_text(values.astype(float)))
    expected = transformed("x.csv").out
    for name, array in {"rows.npz": values, "columns.npz": numpy.asfortranarray(values)}.items():
        numpy.savez(tmp_path / name, array, columns=["a", "b", "c"])
        run = transformed(name)
        assert run.code == 0, run.err
        assert run.out == expected


def test_arrays_of_objects_are_refused_without_running_them(transformed, tmp_path):
    class Evil:
        def __reduce__(self):
            return (open, (str(tmp_path / "evil"), "w"))

    numpy.save(tmp_path / "x.npy", numpy.array([Evil(), 1], dtype=object), allow_pickle=True)
    run = transformed("x.npy")
    assert run.code == 3
    assert "Python objects" in run.err
    assert not (tmp_path / "evil").exists()


def test_standard_input_takes_any_format(fitted, expected, x_values):
    for content, options in [
        (gzip.compress(csv_text(x_values).encode()), []),
        (gzip.compress(arff_text(x_values).encode()), ["--format", "arff"]),
    ]:
        finished = subprocess.run(
            [COMMAND, "transform", fitted / "model.json", "--x", "-", *options], input=content, capture_output=True
        )
        assert finished.returncode == 0, finished.stderr
        assert finished.stdout.decode() == expected


def test_a_truncated_stream_never_gives_fewer_rows(transformed, tmp_path, x_values):
    whole = gzip.compress(csv_text(x_values).encode())
    (tmp_path / "x.csv.gz").write_bytes(whole[: len(whole) // 2])
    run = transformed("x.csv.gz", "-o", "out.csv")
    assert run.code == 3
    assert "ends early" in run.err
    assert not (tmp_path / "out.csv").exists()


def test_values_are_written_as_an_array_where_the_name_asks_for_it(transformed, expected, fitted, tmp_path):
    run = transformed(fitted / "x.csv", "-o", "out.npy")
    assert run.code == 0, run.err
    array = numpy.load(tmp_path / "out.npy", allow_pickle=False)
    assert array.shape == (40, 1)
    assert array[:, 0].tolist() == [float(line) for line in expected.splitlines()[1:]]


@pytest.mark.parametrize("name", ["out.npz", "out.arff", "out.csv.gz", "out.zst"])
def test_formats_that_are_only_read_are_not_written(transformed, fitted, tmp_path, name):
    run = transformed(fitted / "x.csv", "-o", name)
    assert run.code == 2
    assert "read but not written" in run.err
    assert list(tmp_path.iterdir()) == []


# ---- Text as categories ----


@pytest.fixture
def colours(cda, tmp_path):
    generator = numpy.random.default_rng(4)
    kinds = generator.choice(["red", "green", "dark, blue"], size=60)
    rows = [f'{value!r},"{kind}"' for value, kind in zip(generator.normal(size=60).tolist(), kinds)]
    (tmp_path / "x.csv").write_text("a,kind\n" + "\n".join(rows) + "\n")
    write_table(tmp_path / "y.csv", ["d", "e"], 30, 2)
    run = cda("fit", "x.csv", "y.csv", "--x-encode", "kind", "-o", "model.json", *FAST)
    assert run.code == 0, run.err
    return tmp_path


def test_a_model_keeps_the_categories_it_was_fitted_on(cda, colours):
    model = json.loads((colours / "model.json").read_text())
    assert model["x"]["columns"] == ["a", "kind=dark, blue", "kind=green", "kind=red"]
    assert model["x"]["encodings"] == [{"column": "kind", "categories": ["dark, blue", "green", "red"]}]
    run = cda("transform", "model.json", "--x", "x.csv")
    assert run.code == 0 and run.err == ""
    assert "" not in run.out.splitlines()


def test_without_encode_the_column_of_text_is_refused(cda, colours):
    run = cda("fit", "x.csv", "y.csv", *FAST)
    assert run.code == 3
    assert '"kind" holds text' in run.err


def test_a_category_the_model_does_not_know_gives_empty_cells_and_one_warning(cda, colours):
    (colours / "new.csv").write_text("kind,a\nred,1\nviolet,2\n,3\npink,4\ngreen,5\n")
    run = cda("transform", "model.json", "--x", "new.csv")
    assert run.code == 0, run.err
    cells = run.out.splitlines()[1:]
    assert [cell == "" or cell == '""' for cell in cells] == [False, True, True, True, False]
    assert run.err.count("warning") == 1 and "texts in 2 rows" in run.err and "violet" in run.err
    assert cda("transform", "model.json", "--x", "new.csv", "--strict").code == 5


def test_a_further_column_of_text_is_ignored_with_one_warning(cda, colours):
    (colours / "new.csv").write_text("a,note,kind\n1,hello,red\n2,world,green\n")
    run = cda("transform", "model.json", "--x", "new.csv")
    assert run.code == 0, run.err
    assert run.err.count("warning") == 1 and '"note"' in run.err
    (colours / "plain.csv").write_text("a,kind\n1,red\n2,green\n")
    assert run.out == cda("transform", "model.json", "--x", "plain.csv").out


@pytest.mark.parametrize(
    "content, missing",
    [
        ("a\n1\n", "1 of the model's 2 columns is missing: \"kind\""),  # not each of its categories
        ("kind\nred\n", "1 of the model's 2 columns is missing: \"a\""),
        ("z\n1\n", "2 of the model's 2 columns are missing: \"a\", \"kind\""),
    ],
)
def test_missing_columns_are_named_with_exit_3(cda, colours, content, missing):
    (colours / "new.csv").write_text(content)
    run = cda("transform", "model.json", "--x", "new.csv")
    assert run.code == 3
    assert missing in run.err


# The encoding of a column that was left out stayed in the model, which could then not be read.
def test_a_model_without_the_encoded_column_can_be_read_back(cda, colours):
    (colours / "holes.csv").write_text((colours / "x.csv").read_text() + "1.5,\n")
    run = cda("fit", "holes.csv", "y.csv", "--x-encode", "kind", "--missing", "drop-columns", "-o", "less.json", *FAST)
    assert run.code == 0, run.err
    assert cda("transform", "less.json", "--x", "x.csv").code == 0


# ---- Several files, several arrays ----


def test_parts_of_one_table_stand_below_each_other(cda, fitted, tmp_path, x_values):
    (tmp_path / "one.csv").write_text(csv_text(x_values[:10]))
    numpy.save(tmp_path / "two.npy", record_array(x_values[10:30]))
    turned = csv_text(x_values[30:, [2, 0, 1]]).replace("a,b,c", "c,a,b")
    (tmp_path / "three.csv.gz").write_bytes(gzip.compress(turned.encode()))
    parts = ["--x-part", "two.npy", "--x-part", "three.csv.gz"]
    run = cda("fit", "one.csv", fitted / "y.csv", *parts, "-o", "m.json", *FAST)
    assert run.code == 0, run.err
    ours, theirs = (json.loads(path.read_text()) for path in (tmp_path / "m.json", fitted / "model.json"))
    assert ours["pairs"] == theirs["pairs"] and ours["x"]["rows"] == 40
    (tmp_path / "less.csv").write_text("a,b\n1,2\n")
    run = cda("fit", "one.csv", fitted / "y.csv", "--x-part", "less.csv", *FAST)
    assert run.code == 3 and "less.csv" in run.err and '"c"' in run.err
    assert cda("fit", "one.csv", fitted / "y.csv", "--x-part", "gone.csv", *FAST).code == 4


def test_the_array_of_each_side_is_chosen_by_name(cda, tmp_path):
    generator = numpy.random.default_rng(5)
    numpy.savez(tmp_path / "both.npz", left=generator.normal(size=(30, 2)), right=generator.normal(size=(20, 3)))
    run = cda("fit", "both.npz", "both.npz", *FAST)
    assert run.code == 3 and '"left", "right"' in run.err and "--x-variable NAME" in run.err
    assert "--variable NAME" in cda("describe", "both.npz").err
    run = cda("fit", "both.npz", "both.npz", "--x-variable", "left", "--y-variable", "right", "-o", "m.json", *FAST)
    assert run.code == 0, run.err
    model = json.loads((tmp_path / "m.json").read_text())
    assert (model["x"]["rows"], model["y"]["rows"]) == (30, 20)
    run = cda("fit", "both.npz", "both.npz", "--x-variable", "lft", "--y-variable", "right", *FAST)
    assert run.code == 2 and '"left"' in run.err


# ---- How text is read ----

WAYS = {
    "--decimal": (["--decimal", ","], lambda text: text.replace(",", ";").replace(".", ",")),
    "--thousands": (["--thousands", "'"], lambda text: text.replace("1234.5", "1'234.5")),
    "--comment": (["--comment", "#"], lambda text: "# made by hand\n" + text.replace("\n", "\n#,\n", 1)),
    "--ignore-trailing-delimiter": (["--ignore-trailing-delimiter"], lambda text: text.replace("\n", ",\n")),
    "--delimiter": (["--delimiter", "!"], lambda text: text.replace(",", "!")),
}


@pytest.mark.parametrize("option", WAYS)
def test_a_way_of_writing_is_read_only_when_asked_for(transformed, tmp_path, option):
    options, rewritten = WAYS[option]
    text = "a,b,c\n1234.5,2.5,-3.25\n-0.5,1.5,1e-3\n"
    (tmp_path / "plain.csv").write_text(text)
    (tmp_path / "other.csv").write_text(rewritten(text))
    assert transformed("other.csv").code == 3
    run = transformed("other.csv", *options)
    assert run.code == 0, run.err
    assert run.out == transformed("plain.csv").out


def test_latin1_is_read_only_when_asked_for(transformed, tmp_path):
    (tmp_path / "x.csv").write_bytes("a,b,c,é\n1,2,3,4\n".encode("latin-1"))
    run = transformed("x.csv")
    assert run.code == 3 and "UTF-8" in run.err and "--encoding latin1" in run.err
    run = transformed("x.csv", "--encoding", "latin1")
    assert run.code == 0 and '"é"' in run.err


def test_the_format_can_be_said(transformed, expected, tmp_path, x_values):
    (tmp_path / "x.dat").write_text(arff_text(x_values))
    assert transformed("x.dat").code == 3
    run = transformed("x.dat", "--format", "ARFF")
    assert run.code == 0, run.err
    assert run.out == expected
    assert transformed("x.dat", "--format", "npy").code == 3


def test_the_size_of_the_content_is_limited_after_unpacking(transformed, tmp_path, x_values):
    text = csv_text(x_values) + "1,2,3\n" * 10_000
    (tmp_path / "x.csv.gz").write_bytes(gzip.compress(text.encode()))
    assert (tmp_path / "x.csv.gz").stat().st_size < 10_000
    run = transformed("x.csv.gz", "--max-bytes", "50k", "-o", "out.csv")
    assert run.code == 6
    assert "51200 bytes when unpacked" in run.err and "--max-bytes" in run.err
    assert transformed("x.csv.gz", "--max-bytes", "1M").code == 0


@pytest.mark.parametrize(
    "options",
    [
        ["--decimal", "x"],
        ["--decimal", ",."],
        ["--decimal", ""],
        ["--thousands", "x"],
        ["--thousands", "."],
        ["--thousands", ",,"],
        ["--comment", "##"],
        ["--comment", '"'],
        ["--encoding", "ebcdic"],
        ["--format", "xlsx"],
        ["--max-bytes", "0"],
        ["--max-bytes", "-1"],
        ["--max-bytes", "lots"],
        ["--max-bytes", "1XB"],
        ["--max-bytes", "1e30"],
        ["--delimiter", ",", "--decimal", ","],
        ["--ignore-trailing-delimiter=maybe"],
        ["--variable"],
    ],
    ids=" ".join,
)
def test_nonsense_is_a_matter_of_usage(transformed, fitted, options):
    run = transformed(fitted / "x.csv", *options)
    assert run.code == 2, run.err
    assert run.out == ""


def test_options_of_one_side_stand_in_for_those_of_both(cda, tmp_path):
    write_table(tmp_path / "y.csv", ["d", "e"], 30, 2)
    text = (tmp_path / "y.csv").read_text()
    (tmp_path / "x.csv").write_text(text.replace(",", ";").replace(".", ","))
    assert cda("fit", "x.csv", "y.csv", *FAST).code == 3
    assert cda("fit", "x.csv", "y.csv", "--decimal", ",", *FAST).code == 3
    assert cda("fit", "x.csv", "y.csv", "--x-decimal", ",", *FAST).code == 0
    run = cda("fit", "x.csv", "y.csv", "--decimal", ",", "--y-decimal", ".", *FAST)
    assert run.code == 0, run.err


HDF5 = b"\x89HDF\r\n\x1a\n" + bytes(600)


@pytest.mark.parametrize("taken_away", [False, True])
def test_a_format_is_listed_as_read_only_where_its_module_is_there(cda, tmp_path, taken_away):
    """HDF5 is read by a module: what is listed has to say where it is missing, and of nothing else."""
    env = {"CDA_MODULES": str(tmp_path)} if taken_away else {}
    listed = {part["name"]: part["summary"] for part in cda("list", "formats", "--json", env=env).json()["formats"]}
    (tmp_path / "x.h5").write_bytes(HDF5)
    missing = cda("describe", "x.h5", "--json", env=env).error()["code"] == "hdf5.module"
    assert missing or not taken_away
    for name, summary in listed.items():
        assert ("not installed" in summary) == (missing and name in ("hdf5", "mat")), summary


def test_a_module_that_is_of_no_use_says_why(cda, tmp_path):
    (tmp_path / "x.h5").write_bytes(HDF5)
    (tmp_path / "x.mat").write_bytes(b"MATLAB 7.3 MAT-file".ljust(512) + HDF5)
    module = tmp_path / "cda_hdf5.so"

    def expect(reason):
        for name, format in (("x.h5", "HDF5"), ("x.mat", "MATLAB 7.3")):
            run = cda("describe", name, "--json", env={"CDA_MODULES": str(tmp_path)})
            error = run.error()
            assert (run.code, error["code"], error["file"]) == (2, "hdf5.module", name)
            assert error["message"].startswith(f"{format} files are read by the module cda_hdf5.so, which {reason}")
            assert "scripts/add hdf5" in error["hint"]

    expect("is not installed")
    module.write_text("no library")
    expect("cannot be loaded: ")
    module.unlink()
    maps = pathlib.Path("/proc/self/maps").read_text().split()
    module.symlink_to(next(path for path in maps if "/libc.so" in path))
    expect("is that of another version")
