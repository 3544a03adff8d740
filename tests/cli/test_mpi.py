"""`mpirun cda fit`: what several processes find is what one finds. The promise is the objective to 1e-9 and angles to
1e-6; blocks of rows are added in one order, so that on machines of one kind they are the same numbers."""
import json
import math
import subprocess

import numpy
import pytest
from support.command import COMMAND, run_cda, write_table
from support.ranks import LAUNCHERS

pytestmark = pytest.mark.slow

# The tables are longer than the rows that starts are followed on, and than a block: their rows are spread. Few steps: the
# numbers are the same at each.
QUICK = ["--scouting-rows", "100", "--starts", "2", "--refined", "1", "--max-iterations", "3", "--threads", "1"]
METHODS = {
    "CDA_M": ["--method", "CDA_M", "--threads", "1"],  # solved exactly, without starts
    "CDA_Q": ["--method", "CDA_Q", *QUICK],
    "CDA_P": ["--method", "CDA_P", *QUICK],
    "iCDA": QUICK,
    "wasserstein": ["--method", "CDA_Q", "--divergence", "wasserstein", *QUICK],
}


@pytest.fixture(params=LAUNCHERS, ids=lambda launcher: launcher.name)
def launcher(request, monkeypatch):
    monkeypatch.setenv("ASAN_OPTIONS", "detect_leaks=0")  # those of MPI itself, where a sanitizer looks for them
    if request.param.missing():
        pytest.skip(request.param.missing())
    return request.param


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    directory = tmp_path_factory.mktemp("tables")
    write_table(directory / "x.csv", ["a", "b", "c"], 13000, 1)
    write_table(directory / "y.csv", ["d", "e"], 5000, 2)
    return directory


@pytest.fixture(scope="module")
def alone(folder):
    """What one process finds, by method; each is run once."""
    known = {}

    def found(method):
        if method not in known:
            run = run_cda("fit", "x.csv", "y.csv", *METHODS[method], "--json", cwd=folder)
            assert run.code == 0, run.err
            known[method] = run.json()
        return known[method]

    return found


def angle(a, b):
    a, b = list(a.values()), list(b.values())
    norm = lambda v: math.sqrt(sum(x * x for x in v))  # noqa: E731
    return norm([x / norm(a) - y / norm(b) for x, y in zip(a, b)])


def assert_same(found, expected):
    assert len(found["pairs"]) == len(expected["pairs"])
    for one, other in zip(found["pairs"], expected["pairs"]):
        assert one["objective"] == pytest.approx(other["objective"], rel=1e-9)
        assert angle(one["x_weights"], other["x_weights"]) < 1e-6
        assert angle(one["y_weights"], other["y_weights"]) < 1e-6
    assert found["warnings"] == expected["warnings"]


@pytest.mark.parametrize("ranks", [1, 2, 3, 4])
def test_any_number_of_ranks_finds_what_one_process_finds(launcher, folder, alone, ranks):
    run = launcher.run((ranks, ["fit", "x.csv", "y.csv", *METHODS["CDA_Q"], "--json"]), cwd=folder)
    assert run.code == 0, run.err
    assert run.err == ""
    assert_same(run.json(), alone("CDA_Q"))


@pytest.mark.parametrize("method", ["CDA_M", "rCDA_M"])
def test_rows_on_ranks_lead_where_moments_lead_one_process(launcher, tmp_path, method):
    """One process goes by moments where rows are that many; sums are then rounded otherwise, and a search that is followed to
    its end ends at the same place."""
    for name, columns, seed in (("x.npy", 6, 1), ("y.npy", 5, 2)):
        numpy.save(tmp_path / name, numpy.random.default_rng(seed).lognormal(size=(70000, columns)))
    to_the_end = ["--tolerance", "1e-12", "--decrease-tolerance", "1e-15"]
    request = ["fit", "x.npy", "y.npy", "--method", method, "--components", "2", "--json", *to_the_end]
    one = run_cda(*request, cwd=tmp_path).json()
    assert "described_rows" in json.dumps(one["x"])
    run = launcher.run((2, request), cwd=tmp_path)
    assert run.code == 0, run.err
    assert_same({**run.json(), "warnings": []}, {**one, "warnings": []})


@pytest.mark.parametrize("method", [name for name in METHODS if name != "CDA_Q"])
def test_every_method_finds_what_one_process_finds(launcher, folder, alone, method):
    run = launcher.run((3, ["fit", "x.csv", "y.csv", *METHODS[method], "--json"]), cwd=folder)
    assert run.code == 0, run.err
    assert_same(run.json(), alone(method))


def test_rank_0_alone_prints_and_writes(launcher, folder, tmp_path):
    request = ["fit", folder / "x.csv", folder / "y.csv", *METHODS["CDA_M"], "-o"]
    run = launcher.run((2, [*request, "ranks.json"]), cwd=tmp_path)
    one = run_cda(*request, "one.json", cwd=tmp_path)
    assert run.code == one.code == 0, run.err
    # OpenMPI gives rank 0 a terminal, so that its words may look different; they are there once.
    assert run.out.count("Model written to ranks.json") == run.out.count("found 2 pairs") == 1
    assert sorted(path.name for path in tmp_path.iterdir()) == ["one.json", "ranks.json"]
    spread, whole = (json.loads((tmp_path / name).read_text()) for name in ("ranks.json", "one.json"))
    assert spread["summary"]["x"] == whole["summary"]["x"]
    assert spread["x"] == whole["x"]


def test_parts_of_a_table_are_one_table(launcher, folder, alone, tmp_path):
    lines = (folder / "x.csv").read_text().splitlines(keepends=True)
    (tmp_path / "x1.csv").write_text("".join(lines[:1200]))
    (tmp_path / "x2.csv").write_text("".join([lines[0], *lines[1200:]]))
    request = ["fit", "x1.csv", folder / "y.csv", "--x-part", "x2.csv", *METHODS["CDA_M"], "--json"]
    run = launcher.run((2, request), cwd=tmp_path)
    assert run.code == 0, run.err
    assert_same(run.json(), alone("CDA_M"))


def test_ranks_may_be_more_than_rows(launcher, tmp_path):
    write_table(tmp_path / "x.csv", ["a", "b"], 3, 1)
    write_table(tmp_path / "y.csv", ["c"], 2, 2)
    request = ["fit", "x.csv", "y.csv", "--method", "CDA_M", "--json"]
    run, one = launcher.run((4, request), cwd=tmp_path), run_cda(*request, cwd=tmp_path)
    assert run.code == one.code == 0, run.err
    assert_same(run.json(), one.json())


def test_what_is_not_for_ranks_says_so_once(launcher, folder):
    for request in (
        ["describe", "x.csv"],
        ["test", "x.csv", "y.csv"],
        ["fit", "x.csv", "y.csv", "--surrogates", "9"],
        ["fit", "x.csv", "y.csv", *QUICK, "--max-columns", "2"],
        ["fit", "x.csv", "y.csv", "--method", "CCA"],
        ["fit", "-", "y.csv"],
    ):
        run = launcher.run((2, request), cwd=folder)
        assert run.code == 2, (request, run.err)
        assert run.out == ""
        assert run.err.count("cda: error:") == 1 == len(run.err.splitlines()), run.err


def test_the_command_itself_needs_no_mpi():
    linked = subprocess.run(["ldd", COMMAND], capture_output=True, text=True).stdout
    assert "libmpi" not in linked and "libmpich" not in linked


def test_a_launcher_whose_mpi_is_not_built_in_is_refused(tmp_path, folder):
    """Else it would be several processes that do the same, and write over each other."""
    lonely = tmp_path / "cda"
    lonely.write_bytes(open(COMMAND, "rb").read())
    lonely.chmod(0o755)
    run = subprocess.run(
        [lonely, "fit", "x.csv", "y.csv"], cwd=folder, env={"PMI_RANK": "0", "PMI_SIZE": "2"}, capture_output=True
    )
    assert run.returncode == 2
    assert b"cda_mpich.so cannot be loaded" in run.stderr
