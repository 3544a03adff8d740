"""Builds a wheel with CMake (PEP 517), with nothing but Python and what the library itself is built with, and without a
network.

    pip install --no-build-isolation .             into a virtual environment
    pip wheel --no-build-isolation --no-deps .     a wheel to keep

The compiled module links the system's shared libraries (NLopt, fmt, ...): a wheel runs where those of its build are.
Options of CMake can be added: CMAKE_ARGS="-DCDA_WITH_MPI=OFF" pip install .
"""
import base64
import hashlib
import os
import pathlib
import re
import shlex
import subprocess
import sys
import sysconfig
import tempfile
import zipfile

# Debian's packages whose code is compiled in; what they ask to be passed on goes with the wheel (Boost asks for nothing).
COMPILED_IN = ("libeigen3-dev", "libfast-float-dev", "nlohmann-json3-dev", "pybind11-dev")
ROOT = pathlib.Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "python" / "cda"


def _version():
    return re.search(r"project\(cda VERSION (\S+)", (ROOT / "CMakeLists.txt").read_text(encoding="utf-8"))[1]


def _metadata():
    # What pyproject.toml says, which Python reads by itself from 3.11 on only.
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    optional = re.findall(r'"([^"]+)"', re.search(r"^all = \[(.*)\]", text, re.M)[1])
    needed = re.findall(r'"([^"]+)"', re.search(r"^dependencies = \[(.*)\]", text, re.M)[1])
    lines = ["Metadata-Version: 2.1", "Name: cda", f"Version: {_version()}"]
    lines += ["Summary: " + re.search(r'^description = "(.*)"', text, re.M)[1]]
    lines += ["Requires-Python: " + re.search(r'^requires-python = "(.*)"', text, re.M)[1]]
    lines += [f"Requires-Dist: {each}" for each in needed] + ["Provides-Extra: all"]
    lines += [f'Requires-Dist: {each} ; extra == "all"' for each in optional]
    lines += ["Description-Content-Type: text/markdown", "", (ROOT / "README.md").read_text(encoding="utf-8")]
    return "\n".join(lines)


def _tag():
    python = f"cp{sys.version_info.major}{sys.version_info.minor}"
    platform = re.sub(r"[^a-zA-Z0-9]", "_", sysconfig.get_platform())
    return f"{python}-{python}-{platform}"


def _compile(directory):
    """The package as CMake puts it together in `directory`/python/cda."""
    jobs = os.environ.get("CMAKE_BUILD_PARALLEL_LEVEL") or str(len(os.sched_getaffinity(0)))
    off = [f"-DCDA_WITH_{part}=OFF" for part in ("TESTS", "BENCHMARKS", "EXAMPLES")]
    options = [*off, "-DCDA_WITH_PYTHON=ON", f"-DPython_EXECUTABLE={sys.executable}", "-DCMAKE_BUILD_TYPE=Release"]
    options += shlex.split(os.environ.get("CMAKE_ARGS", ""))
    if not (pathlib.Path(directory) / "CMakeCache.txt").exists():
        subprocess.run(["cmake", "-S", str(ROOT), "-B", directory, *options], check=True)
    subprocess.run(["cmake", "--build", directory, "--target", "cda_python", "--parallel", jobs], check=True)
    return pathlib.Path(directory) / "python" / "cda"


def _write(archive, records, name, content):
    info = zipfile.ZipInfo(name, (2020, 1, 1, 0, 0, 0))  # the same files make the same wheel
    info.compress_type = zipfile.ZIP_DEFLATED
    info.external_attr = (0o755 if name.endswith(".so") else 0o644) << 16
    archive.writestr(info, content)
    digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
    records.append(f"{name},sha256={digest},{len(content)}")


def prepare_metadata_for_build_wheel(metadata_directory, config_settings=None):
    about = pathlib.Path(metadata_directory) / f"cda-{_version()}.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(_metadata(), encoding="utf-8")
    (about / "WHEEL").write_text(_wheel(), encoding="utf-8")
    return about.name


def _wheel():
    return f"Wheel-Version: 1.0\nGenerator: cda\nRoot-Is-Purelib: false\nTag: {_tag()}\n"


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    name = f"cda-{_version()}-{_tag()}.whl"
    about = f"cda-{_version()}.dist-info"
    records = []
    with tempfile.TemporaryDirectory() as temporary:
        # CDA_BUILD_DIRECTORY keeps what was compiled for the next time; what is configured there stays as it is.
        built = _compile(os.environ.get("CDA_BUILD_DIRECTORY") or temporary)
        with zipfile.ZipFile(pathlib.Path(wheel_directory) / name, "w") as archive:
            for path in sorted([*built.glob("*.so"), *PACKAGE.glob("*.py"), *PACKAGE.glob("*.pyi"), PACKAGE / "py.typed"]):
                _write(archive, records, f"cda/{path.name}", path.read_bytes())
            _write(archive, records, f"{about}/METADATA", _metadata().encode())
            _write(archive, records, f"{about}/WHEEL", _wheel().encode())
            _write(archive, records, f"{about}/LICENSE", (ROOT / "LICENSE").read_bytes())
            for package in COMPILED_IN:
                notice = pathlib.Path("/usr/share/doc") / package / "copyright"
                if notice.exists():
                    _write(archive, records, f"{about}/third_party/{package}.txt", notice.read_bytes())
            archive.writestr(f"{about}/RECORD", "\n".join([*records, f"{about}/RECORD,,"]) + "\n")
    return name


def build_sdist(sdist_directory, config_settings=None):
    raise NotImplementedError("there is no source distribution: install from a checkout")
