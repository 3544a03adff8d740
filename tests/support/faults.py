"""Faults on purpose: a library put in front of the C library that makes one call of one kind fail, or ends the process
there. It needs no rights. The same can be had from strace where tracing is allowed.

    shim.env("write", at=3, fault="ENOSPC")     the third write() fails with that error
    shim.env("rename", at=1, fault="kill")      SIGKILL instead of the first rename()
    shim.env("read", at=2, fault="grow")        before the second read() of a plain file, a byte is added to it
"""
import errno
import pathlib
import subprocess


SOURCE = pathlib.Path(__file__).resolve().parent / "shim" / "faults.cpp"


class Shim:
    def __init__(self, library, mark):
        self.library = library
        self.mark = mark

    def env(self, call, at, fault, least=0):
        """The environment for one run. Afterwards fired() tells whether the call came that far. Of malloc, calls for
        fewer than `least` bytes do not count."""
        self.mark.unlink(missing_ok=True)
        number = {"kill": -1, "grow": -2, "shrink": -3}.get(fault) or getattr(errno, fault)
        return {
            "LD_PRELOAD": str(self.library),
            "ASAN_OPTIONS": "verify_asan_link_order=0",
            "FAULT_CALL": call,
            "FAULT_AT": str(at),
            "FAULT_ERROR": str(number),
            "FAULT_MARK": str(self.mark),
            "FAULT_LEAST": str(least),
        }

    def fired(self):
        return self.mark.exists()


def build_shim(directory, sanitised):
    """`sanitised`: a sanitizer brings an allocator of its own, which has to stay the first."""
    library = directory / "faults.so"
    subprocess.run(
        ["g++", "-O1", "-shared", "-fPIC", *(["-DWITHOUT_MALLOC"] if sanitised else []), "-o", library, SOURCE],
        check=True,
    )
    return Shim(library, directory / "fired")
