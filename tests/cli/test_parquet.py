"""Parquet files on the command line, with the library beside the program (scripts/install-parquet)."""
import pytest


@pytest.fixture
def written(cda, tables):
    """The same rows as out.parquet and out.csv."""
    assert cda("fit", "x.csv", "y.csv", "--method", "CDA_M", "--components", "2", "-o", "model.json").code == 0
    for name in ("out.parquet", "out.csv"):
        run = cda("transform", "model.json", "--x", "x.csv", "-o", name)
        assert run.code == 0, run.err
    return tables


def test_what_transform_writes_is_what_fit_reads(cda, written):
    assert (written / "out.parquet").read_bytes()[:4] == b"PAR1"
    found = [cda("fit", name, "y.csv", "--method", "CDA_M", "--json").json() for name in ("out.parquet", "out.csv")]
    for result in found:
        for pair in result["pairs"]:
            del pair["seconds"]
    assert found[0]["pairs"] == found[1]["pairs"]
    assert found[0]["x"]["columns"] == found[1]["x"]["columns"]


def test_a_damaged_file_is_bad_input(cda, written):
    (written / "cut.parquet").write_bytes((written / "out.parquet").read_bytes()[:200])
    run = cda("match", "cut.parquet", "y.csv")
    assert run.code == 3
    assert run.out == "" and run.err.startswith("cda: error: cut.parquet: this cannot be read as Parquet; DuckDB says:")
    assert len(run.err.splitlines()) == 1


def test_a_missing_library_is_said_with_how_to_get_it(cda, written):
    run = cda("match", "out.parquet", "y.csv", env={"CDA_DUCKDB": "/nowhere/libduckdb.so"})
    assert run.code == 2
    assert "scripts/install-parquet" in run.err
    before = sorted(written.iterdir())
    run = cda("transform", "model.json", "--x", "x.csv", "-o", "new.pq", env={"CDA_DUCKDB": "/nowhere/libduckdb.so"})
    assert run.code == 2
    assert sorted(written.iterdir()) == before
