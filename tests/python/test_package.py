"""The package as a whole: its types, its documents, its examples, and its wheel."""
import doctest
import importlib
import inspect
import os
import pathlib
import pkgutil
import re
import subprocess
import sys
import zipfile

import matplotlib
import pytest

import cda
from cda import baselines, plot
from conftest import ROOT

matplotlib.use("Agg")
pytestmark = pytest.mark.filterwarnings("ignore::cda.Warning")
BUILT = pathlib.Path(cda.__file__).parent.parent
MODULES = ["cda", *(f"cda.{module.name}" for module in pkgutil.iter_modules(cda.__path__) if module.name != "_core")]


def run(*arguments, **environment):
    environment = {**os.environ, "PYTHONPATH": str(BUILT), "MYPYPATH": str(BUILT), **environment}
    command = [sys.executable, *map(str, arguments)]
    done = subprocess.run(command, env=environment, cwd="/", capture_output=True, text=True)  # nothing to import there
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


# ---- Types ----


def test_types_are_right(tmp_path):
    run("-m", "mypy", "--config-file", ROOT / "pyproject.toml", "--cache-dir", tmp_path, "-p", "cda")


def test_stubs_are_those_of_the_compiled_module(tmp_path):
    options = ["--mypy-config-file", ROOT / "pyproject.toml", "--allowlist", ROOT / "tests" / "python" / "stubtest.allow"]
    run("-m", "mypy.stubtest", *options, "cda._core", MYPY_CACHE_DIR=str(tmp_path))
    assert (BUILT / "cda" / "py.typed").exists()


# ---- Documents ----


@pytest.mark.parametrize("name", MODULES)
def test_examples_in_docstrings_work(name):
    assert doctest.testmod(importlib.import_module(name)).failed == 0


def test_all_that_does_something_has_an_example():
    """Functions and estimators; what they raise and return is shown with them."""
    told = [cda.CDA.test, cda.CDA.bootstrap, plot.Plots]
    for public in [*told, *(getattr(cda, name) for name in cda.__all__)]:
        results = isinstance(public, type) and not issubclass(public, (cda.CDA, baselines.Baseline, plot.Plots))
        if not results:
            assert any(test.examples for test in doctest.DocTestFinder(recurse=False).find(public)), public


def test_everything_public_is_documented():
    for name in cda.__all__:
        public = getattr(cda, name)
        assert public.__doc__, name
        for method, value in inspect.getmembers(public, callable) if isinstance(public, type) else ():
            assert method.startswith("_") or value.__doc__, f"{name}.{method}"


def test_the_document_works_as_it_stands(tmp_path, monkeypatch):
    text = (ROOT / "docs" / "python.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```python\n(.*?)^```", text, re.M | re.S)
    assert len(blocks) >= 5
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    monkeypatch.chdir(tmp_path)
    names: dict = {}
    for block in blocks:
        exec(compile(block, "docs/python.md", "exec"), names)  # noqa: S102 - our own document
    assert all(name in text for name in cda.__all__), [name for name in cda.__all__ if name not in text]


# ---- Examples ----


def example(name, *arguments):
    return run("-W", "ignore", ROOT / "examples" / "python" / f"{name}.py", *arguments)


def test_the_example_of_two_buildings_finds_all_three_pairs():
    said = example("two_buildings")
    assert said.count("pair ") == 3 and "better than unrelated tables" in said
    assert "staff_present" in said and "learnt from X" in said


def test_the_example_of_drift_finds_the_sensor():
    lines = [line.split() for line in example("drift").splitlines() if line.lstrip().startswith("sensor")]
    assert len(lines) == 5 and [line[0] for line in lines if line[-1] == "moved"] == ["sensor3"]


needs_data = pytest.mark.skipif("CDA_DATA" not in os.environ, reason="the data are not here (CDA_DATA)")


@needs_data
def test_the_example_of_omics_beats_chance():
    folder = pathlib.Path(os.environ["CDA_DATA"]) / "omics"
    said = example("omics_label_transfer", folder / "pbmc_atac.csv", folder / "pbmc_rna.csv")
    for found, chance in re.findall(r"(\S+) right; chance (\S+),", said):
        assert float(found) > float(chance) + 0.2


@needs_data
def test_the_example_of_drift_reads_two_years_of_bicycles():
    said = example("drift", pathlib.Path(os.environ["CDA_DATA"]) / "bike_sharing" / "hour.csv")
    assert re.search(r"registered .* moved", said) and "8645 and 8734 rows" in said


# ---- The wheel ----


def test_a_wheel_is_built_offline_and_works_by_itself(tmp_path):
    pip = ["-m", "pip", "--disable-pip-version-check", "--no-input"]
    build = [*pip, "wheel", "--no-index", "--no-build-isolation", "--no-deps", "-w", tmp_path, ROOT]
    run(*build, CDA_BUILD_DIRECTORY=str(BUILT.parent))
    (wheel,) = tmp_path.glob("cda-*.whl")
    assert cda.__version__ in wheel.name
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        assert archive.testzip() is None
    assert {"cda/py.typed", "cda/_core.pyi", "cda/plot.py"} <= set(names)
    assert sum("/third_party/" in name for name in names) == 4  # what is compiled in asks for its licence to be passed on
    assert {pathlib.PurePath(name).name for name in names if name.startswith("cda/")} == {
        path.name for path in (BUILT / "cda").iterdir() if path.is_file()
    }
    run(*pip, "install", "--no-index", "--no-deps", "--target", tmp_path / "there", wheel)
    code = "import cda; x, y, _ = cda.synthesise(n=60, k=50); print(cda.__file__, cda.fit(x, y, method='CDA_M').model_.pairs)"
    said = run("-W", "ignore", "-c", code, PYTHONPATH=str(tmp_path / "there"))
    assert said.startswith(str(tmp_path / "there"))
