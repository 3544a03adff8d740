"""clang-tidy over the library, the command and the Python module.

A file that passed is not looked at again until it, a header of the project it includes, the checks or the flags
change: what passed is remembered in build/tidy by a hash of all of that. Parsing Eigen takes seconds per file.
"""
import concurrent.futures
import hashlib
import os
import pathlib
import re
import shutil
import subprocess
import sys
import sysconfig

ROOT = pathlib.Path(__file__).resolve().parent.parent
CACHE = ROOT / "build" / "tidy"
# Not the build's own commands: its precompiled headers are in GCC's format.
FLAGS = ["-std=c++20", "-Iinclude", "-Isrc", "-isystem", "/usr/include/eigen3", '-DCDA_VERSION="0"', "-Wall", "-Wextra"]
FLAGS += ["-isystem", "/usr/include/hdf5/serial", "-DCDA_WITH_HDF5", "-DH5_USE_110_API", "-DCDA_WITH_REPORT"]
FLAGS += ['-DCDA_MODULES="modules"']


def flags_for(path):
    if path.is_relative_to(ROOT / "python"):
        return FLAGS + ["-isystem", sysconfig.get_path("include")]
    if path.is_relative_to(ROOT / "apps" / "mpi"):
        folders = subprocess.run(["pkg-config", "--cflags-only-I", "ompi-c"], capture_output=True, text=True).stdout
        return FLAGS + ["-Iapps/cda"] + [flag.replace("-I", "-isystem", 1) for flag in folders.split()]
    return FLAGS


def closure(path, seen):
    """The file and all headers of the project it includes, directly or not."""
    if path in seen:
        return seen
    seen.add(path)
    for name in re.findall(r'^\s*#\s*include\s*"([^"]+)"', path.read_text(encoding="utf-8"), re.M):
        for folder in (path.parent, ROOT / "include", ROOT / "src"):
            if (folder / name).is_file():
                closure((folder / name).resolve(), seen)
                break
    return seen


def key(path, tool_version):
    digest = hashlib.sha256(repr((flags_for(path), tool_version)).encode())
    digest.update((ROOT / ".clang-tidy").read_bytes())
    for part in sorted(closure(path, set())):
        digest.update(part.relative_to(ROOT).as_posix().encode() + b"\0" + part.read_bytes() + b"\0")
    return digest.hexdigest()


def check(path, tool_version):
    """None where the file is fine, else what clang-tidy says."""
    mark = CACHE / key(path, tool_version)
    if mark.exists():
        return None
    command = ["clang-tidy", "--quiet", "--warnings-as-errors=*", str(path.relative_to(ROOT)), "--", *flags_for(path)]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    if result.returncode != 0:
        return result.stdout + result.stderr
    mark.touch()
    return None


def main():
    if shutil.which("clang-tidy") is None:
        print("clang-tidy is not installed")
        return 1
    CACHE.mkdir(parents=True, exist_ok=True)
    version = subprocess.run(["clang-tidy", "--version"], capture_output=True, text=True, check=True).stdout
    files = [path.resolve() for top in ("src", "apps", "python") for path in sorted((ROOT / top).rglob("*.cpp"))]
    files = [path for path in files if not sys.argv[1:] or any(name in str(path) for name in sys.argv[1:])]
    with concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        findings = [text for text in pool.map(lambda path: check(path, version), files) if text is not None]
    for text in findings:
        print(text)
    print(f"{len(files)} files, {len(findings)} with findings")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
