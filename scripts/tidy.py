"""clang-tidy over the library, the command and the Python module.

Parsing Eigen and walking through it takes most of the time, so files are looked at in batches, each as if it were one
file. A batch in which something is found, or which fails because names of its files are in each other's way, is
halved until single files are left.

A file that passed is not looked at again until it, a header of the project it includes, the checks or the flags
change: what passed is remembered in build/tidy by a hash of all of that.
"""
import collections
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
FLAGS = ["-std=c++20", "-Iinclude", "-Isrc", "-I.", "-isystem", "/usr/include/eigen3", '-DCDA_VERSION="0"', "-Wall", "-Wextra"]
FLAGS += ["-isystem", "/usr/include/hdf5/serial", "-DH5_USE_110_API"]
FLAGS += ['-DCDA_MODULES_FROM_PROGRAM="modules"', '-DCDA_INSTALLED_MODULES="modules"']
FILES_IN_A_BATCH = 40


def flags_for(path):
    if path.is_relative_to(ROOT / "python"):
        return FLAGS + ["-isystem", sysconfig.get_path("include")]
    if path.is_relative_to(ROOT / "apps" / "mpi"):
        folders = subprocess.run(["pkg-config", "--cflags-only-I", "ompi-c"], capture_output=True, text=True).stdout
        return FLAGS + ["-Iapps/cda"] + [flag.replace("-I", "-isystem", 1) for flag in folders.split()]
    if path.is_relative_to(ROOT / "apps" / "experiment"):
        return FLAGS + ["-Iapps/cda"]
    return FLAGS


def closure(path, seen):
    """The file and all headers of the project it includes, directly or not."""
    if path in seen:
        return seen
    seen.add(path)
    for name in re.findall(r'^\s*#\s*include\s*"([^"]+)"', path.read_text(encoding="utf-8"), re.M):
        for folder in (path.parent, ROOT / "include", ROOT / "src", ROOT / "apps/cda", ROOT):
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


def tidy(path, flags):
    command = ["clang-tidy", "--quiet", "--warnings-as-errors=*", str(path), "--", *flags]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True)


def batches(paths):
    """Files of the same flags, none of which define the same name: the build groups them so."""
    same_flags = collections.defaultdict(list)
    for path in paths:
        same_flags[tuple(flags_for(path))].append(str(path))
    for files in same_flags.values():
        command = ["cmake", "-P", "cmake/CdaUnity.cmake", str(FILES_IN_A_BATCH), *files]
        lines = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines()
        yield from ([pathlib.Path(file) for file in line.split()] for line in lines)


def check(paths, keys):
    """What clang-tidy says of each of these files that is not fine."""
    flags = flags_for(paths[0])
    if len(paths) == 1:
        result = tidy(paths[0].relative_to(ROOT), flags)
        if result.returncode != 0:
            return [result.stdout + result.stderr]
    else:
        together = CACHE / f"batch-{keys[paths[0]]}.cpp"
        together.write_text("".join(f'#include "{path}"\n' for path in paths), encoding="utf-8")
        result = tidy(together, flags)
        together.unlink()
        if result.returncode != 0:
            half = len(paths) // 2
            return check(paths[:half], keys) + check(paths[half:], keys)
    for path in paths:
        (CACHE / keys[path]).touch()
    return []


def main():
    if shutil.which("clang-tidy") is None:
        print("clang-tidy is not installed")
        return 1
    CACHE.mkdir(parents=True, exist_ok=True)
    version = subprocess.run(["clang-tidy", "--version"], capture_output=True, text=True, check=True).stdout
    files = [path.resolve() for top in ("src", "peers", "clusters", "studies", "apps", "python") for path in sorted((ROOT / top).rglob("*.cpp"))]
    files = [path for path in files if not sys.argv[1:] or any(name in str(path) for name in sys.argv[1:])]
    keys = {path: key(path, version) for path in files}
    with concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        unseen = list(batches(path for path in files if not (CACHE / keys[path]).exists()))
        findings = [text for found in pool.map(lambda paths: check(paths, keys), unseen) for text in found]
    for text in findings:
        print(text)
    print(f"{len(files)} files, {len(findings)} with findings")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
