"""Runs the stages of ./test, counts their tests, and says what each of them took.

    stages.py quick|release|debug|asan-ubsan|tsan|full

A stage is a command. The main ones run one after the other, each on all cores. Beside them runs one more at a time:
what waits for a network or a browser, and clang-tidy, which takes what time the others leave. So both cores are busy
and nothing waits but for what it needs. What a stage prints is kept in BUILD/stages/NAME.log, and shown where it
fails. The table at the end is in BUILD/test-times.tsv, too.
"""
import os
import pathlib
import re
import resource
import subprocess
import sys
import threading
import time
import xml.etree.ElementTree as xml
from dataclasses import dataclass, field

ROOT = pathlib.Path(__file__).resolve().parent.parent
CORES = len(os.sched_getaffinity(0))
# Left out of `quick`: tests that take more than a second or two, marked so where they are.
FAST = ["-m", "not slow"]


@dataclass
class Stage:
    name: str
    command: list
    needs: list = field(default_factory=list)  # names of stages that have to pass first
    count: str = "check"  # check: passes or fails as a whole; junit, tap, last: where the count is
    beside: bool = False
    patient: bool = False  # yields to all others
    environment: dict = field(default_factory=dict)
    # What became of it
    passed: int = 0
    failed: int = 0
    wall: float = 0.0
    processor: float = 0.0
    done: threading.Event = field(default_factory=threading.Event)


def say(text):
    print(text, file=sys.stderr, flush=True)


# ---- What there is to run ----


def build(preset, directory, options, targets=()):
    script = f'source scripts/setup; build {preset} {directory} "$@"'
    return Stage("build", ["bash", "-c", script, "build", *options, *targets])


def cpp(directory, *chosen):
    program = f"{directory}/tests/cda_tests"
    report = f"{directory}/stages/C++.xml"
    return Stage("C++", [sys.executable, "scripts/cpp_tests.py", program, report, *chosen], ["build"], "junit")


def suite(name, folder, directory, *chosen):
    """Tests in Python that run the command, or import the package, as they were built."""
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-n", str(CORES)]
    command += ["--junitxml", f"{directory}/stages/{name}.xml", *chosen, folder]
    if folder == "tests/cli":  # one process for each file, whose tests share what they fitted
        command += ["--dist", "loadfile"]
    environment = {"CDA_COMMAND": str(ROOT / directory / "cda"), "PYTHONPATH": str(ROOT / directory / "python")}
    return Stage(name, command, ["build"], "junit", environment=environment)


def around(directory):
    """What CTest knows: the drawing of the house, the fuzzers' corpus, the installed library."""
    command = ["ctest", "--test-dir", directory, "--output-on-failure", "--no-tests=error"]
    return Stage("house", [*command, "--output-junit", str(ROOT / directory / "stages/house.xml")], ["build"], "junit", True)


def report(directory):
    pages = {
        "CDA_SAMPLE_PAGES": str(ROOT / directory / "tests/cda_sample_pages"),
        "CDA_SCREENSHOTS": str(ROOT / directory / "report-screenshots"),
        "CDA_COMMAND": str(ROOT / directory / "cda"),
    }
    check = "node_modules/.bin/tsc --noEmit && node_modules/.bin/prettier --check --log-level warn ."
    fetch = Stage("report: packages", ["npm", "run", "--silent", "fetch"], beside=True)
    types = Stage("report: types", ["bash", "-c", check], [fetch.name], beside=True)
    browser = "node --test --test-reporter=tap tests/*.test.mjs"
    pictures = Stage("report: Chromium", ["bash", "-c", browser], ["build", fetch.name], "tap", True, environment=pages)
    return fetch, types, pictures


def whole(level, directory, options):
    """Everything that a submission needs."""
    fetch, types, browser = report(directory)
    parquet = Stage("Parquet's library", ["scripts/install-parquet"], beside=True)
    main = [
        build("release", directory, options),
        cpp(directory),
        suite("command line", "tests/cli", directory),
        suite("robustness", "tests/robustness", directory),
        suite("Python", "tests/python", directory),
    ]
    for stage in main[1:]:
        stage.needs.append(parquet.name)
    tidy = Stage("clang-tidy", [sys.executable, "scripts/tidy.py"], beside=True, patient=True)
    beside = [parquet, fetch, Stage("format", ["scripts/format", "--check"], beside=True), types]
    return [*main, *beside, around(directory), browser, tidy]


def quick(directory, options):
    what_changed = build("release", directory, options, ["cda_command", "cda_tests"])
    return [what_changed, cpp(directory), suite("command line", "tests/cli", directory, *FAST)]


# What runs on several threads: the executor and what is summed on it, searches, fits and evidence on any number of
# them, and what stops them in between.
THREADED = (
    "Threads|^(Executor|MultiStart|Sample|Projection|FourierSums|Resampling|Enough)[.]"
    "|^[A-Za-z]+[.].*(StopsWhen|StopWhen|AndStops)"
)


def sanitized(preset, directory, options):
    if preset == "tsan":
        return [build(preset, directory, options, ["cda_tests"]), cpp(directory, "--only", THREADED)]
    if preset == "debug":
        return [build(preset, directory, options), cpp(directory), around(directory)]
    # Studies on real data are about figures, and take more than ten minutes under a sanitizer.
    return [
        build(preset, directory, options),
        cpp(directory, "--except", "^RealFigures[.]"),
        suite("command line", "tests/cli", directory),
        suite("robustness", "tests/robustness", directory),
        around(directory),
    ]


def full(directory, options):
    """Beside everything: checked memory, threads and arithmetic, every file by itself, fuzzing, the studies."""
    alone = build("release", "build-single", [*options, "-DCDA_UNITY=OFF"])
    alone.name = "every file by itself"
    runs = [Stage(f"under {name}", ["./test", name], count="last") for name in ("asan-ubsan", "tsan")]
    fuzz = Stage("fuzzing", ["scripts/fuzz", "60"])
    studies = Stage("studies", [f"{directory}/cda", "experiment", "all", "--quick", "-o", f"{directory}/studies"], ["build"])
    return [*whole("full", directory, options), alone, studies, *runs, fuzz]


# ---- Running it ----


def junit(path):
    cases = list(xml.parse(path).getroot().iter("testcase"))
    failed = sum(case.find("failure") is not None or case.find("error") is not None for case in cases)
    skipped = sum(case.find("skipped") is not None for case in cases)
    return len(cases) - failed - skipped, failed


def counted(stage, code, log, directory):
    """How many tests passed and failed. Ending badly without a failed test is a failure too, and so is a suite without
    tests."""
    passed = failed = 0
    if stage.count == "check":
        passed = int(code == 0)
    elif stage.count == "junit":
        path = ROOT / directory / "stages" / f"{stage.name}.xml"
        if path.exists():
            passed, failed = junit(path)
    else:
        text = log.read_text(errors="replace")
        words = {"tap": r"^# (pass|fail) (\d+)$", "last": r"^(\d+) (passed), (\d+) (failed)$"}[stage.count]
        for found in re.finditer(words, text, re.M):
            if stage.count == "last":
                passed, failed = int(found[1]), int(found[3])
            elif found[1] == "pass":
                passed = int(found[2])
            else:
                failed = int(found[2])
    if failed == 0 and (code != 0 or passed == 0):
        failed = 1
    return passed, failed


def run(stage, directory):
    log = ROOT / directory / "stages" / f"{stage.name}.log"
    (ROOT / directory / "stages" / f"{stage.name}.xml").unlink(missing_ok=True)
    say(f"== {stage.name}")
    begun = time.monotonic()
    with open(log, "wb") as output:
        shown = None if stage.name == "build" else output
        process = subprocess.Popen(
            stage.command,
            cwd=ROOT / "web" if stage.name.startswith("report: ") else ROOT,
            env={**os.environ, **stage.environment},
            stdin=subprocess.DEVNULL,
            stdout=shown if shown else sys.stderr,
            stderr=shown if shown else sys.stderr,
            preexec_fn=(lambda: os.nice(19)) if stage.patient else None,
        )
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    stage.wall = time.monotonic() - begun
    stage.processor = used.ru_utime + used.ru_stime
    stage.passed, stage.failed = counted(stage, process.returncode, log, directory)
    if stage.failed and shown:
        say(log.read_text(errors="replace"))
    say(f"   {stage.name}: {stage.passed} passed, {stage.failed} failed, {stage.wall:.0f} s")


def run_in_turn(stages, by_name, directory):
    for stage in stages:
        try:
            for name in stage.needs:
                by_name[name].done.wait()
            missing = [name for name in stage.needs if by_name[name].failed]
            if missing:
                say(f"== {stage.name}: not run, for {' and '.join(missing)} failed")
                stage.failed = 1
            else:
                run(stage, directory)
        except Exception as reason:  # a stage without a count has failed, whatever happened
            say(f"{stage.name}: {reason}")
            stage.failed = 1
        finally:
            stage.done.set()


def table(stages, directory, wall):
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    rows = [("stage", "passed", "failed", "wall_s", "processor_s")]
    rows += [(s.name, str(s.passed), str(s.failed), f"{s.wall:.1f}", f"{s.processor:.1f}") for s in stages]
    total = [str(sum(s.passed for s in stages)), str(sum(s.failed for s in stages))]
    rows.append(("all", *total, f"{wall:.1f}", f"{used.ru_utime + used.ru_stime:.1f}"))
    (ROOT / directory / "test-times.tsv").write_text("".join("\t".join(row) + "\n" for row in rows))
    for row in rows:
        say(f"{row[0]:<22}" + "".join(f"{cell:>13}" for cell in row[1:]))


def main():
    level = sys.argv[1]
    directory = {"quick": "build", "release": "build", "full": "build"}.get(level, f"build-{level}")
    begun = time.monotonic()
    options = [f"-DCDA_WITH_{part}=ON" for part in ("TESTS", "EXAMPLES", "HDF5", "MPI", "STUDIES")]
    options.append(f"-DCDA_PYTHON={sys.executable}")
    options.append(f"-DCDA_WARNINGS_AS_ERRORS={'ON' if os.environ.get('CI') == 'true' else 'OFF'}")
    everything = "ON" if directory == "build" else "OFF"
    options += [f"-DCDA_WITH_BENCHMARKS={everything}", f"-DCDA_WITH_PYTHON={everything}"]
    if level == "quick":
        stages = quick(directory, options)
    elif level == "release":
        stages = whole(level, directory, options)
    elif level == "full":
        stages = full(directory, options)
    else:
        stages = sanitized(level, directory, options)
    (ROOT / directory / "stages").mkdir(parents=True, exist_ok=True)
    by_name = {stage.name: stage for stage in stages}
    beside = threading.Thread(
        target=run_in_turn, args=([s for s in stages if s.beside], by_name, directory), daemon=True
    )
    beside.start()
    run_in_turn([s for s in stages if not s.beside], by_name, directory)
    beside.join()
    table(stages, directory, time.monotonic() - begun)
    for stage in stages:
        if stage.failed:
            say(f"FAILED: {stage.name}")
    passed, failed = sum(s.passed for s in stages), sum(s.failed for s in stages)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
