"""Runs the tests of a GoogleTest program on all cores, many in one process, and writes a JUnit file.

    cpp_tests.py PROGRAM REPORT.xml [--only REGEX] [--except REGEX]

Starting a process for each of thousands of small tests takes longer than running them. Workers take tests in bundles
of whole suites. Where a process dies or a test does not end, that test is named and has failed, and the rest of its
bundle runs in a new process.
"""
import argparse
import os
import queue
import re
import signal
import subprocess
import sys
import threading
import time
import xml.etree.ElementTree as xml

BUNDLE = 40  # tests, about
PATIENCE = float(os.environ.get("CDA_TEST_PATIENCE", "600"))  # seconds for one test
LINE = re.compile(r"\[ +(RUN|OK|FAILED|SKIPPED) +\] (\S+?)(?:, where .*)?(?: \((\d+) ms\))?$")


class Outcome:
    def __init__(self, name, verdict, seconds=0.0, output=""):
        self.name, self.verdict, self.seconds, self.output = name, verdict, seconds, output


def listed(program):
    """All tests, suite by suite."""
    text = subprocess.run([program, "--gtest_list_tests"], capture_output=True, text=True, check=True).stdout
    suites = []
    for line in text.splitlines():
        name = line.split("#")[0].rstrip()
        if line.startswith("  "):
            suites[-1].append(prefix + name.strip())
        elif name.endswith("."):
            prefix = name
            suites.append([])
    return suites


def bundles(suites):
    made = [[]]
    for suite in suites:
        for begin in range(0, len(suite), BUNDLE):
            if len(made[-1]) >= BUNDLE:
                made.append([])
            made[-1].extend(suite[begin : begin + BUNDLE])
    return [bundle for bundle in made if bundle]


def ending(code):
    return f"the process was ended by {signal.Signals(-code).name}" if code < 0 else f"the process ended with {code}"


def run(program, names):
    """One process over these tests, as far as it goes: outcomes of those that were begun."""
    process = subprocess.Popen(
        [program, "--gtest_filter=" + ":".join(names), "--gtest_brief=0", "--gtest_color=no"],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
    )
    outcomes, current, output, begun, late = [], None, [], 0.0, []

    def watch():
        while process.poll() is None:
            if current is not None and time.monotonic() - begun > PATIENCE:
                late.append(current)
                process.kill()
            time.sleep(0.5)

    threading.Thread(target=watch, daemon=True).start()
    for line in process.stdout:
        found = LINE.search(line.rstrip("\n"))
        if found and found[1] == "RUN":
            current, output, begun = found[2], [], time.monotonic()
        elif found and found[2] == current:
            output.append(line[: found.start()])
            verdict = {"OK": "passed", "FAILED": "failed", "SKIPPED": "skipped"}[found[1]]
            outcomes.append(Outcome(current, verdict, int(found[3] or 0) / 1000, "".join(output)))
            current = None
        elif current is not None:
            output.append(line)
        else:
            output = [*output[-50:], line]
    code = process.wait()
    if current is not None:
        reason = f"it did not end in {PATIENCE:.0f} seconds" if late else ending(code)
        outcomes.append(Outcome(current, "failed", time.monotonic() - begun, "".join(output) + reason + "\n"))
    elif code != 0 and not any(outcome.verdict == "failed" for outcome in outcomes):
        # All went well, and then it did not: a leak, or something torn down twice.
        name = f"TheProcess.Of/{names[0]}"
        outcomes.append(Outcome(name, "failed", 0.0, "".join(output) + ending(code) + "\n"))
    return outcomes


def run_all(program, names):
    """These tests, in as many processes as it takes."""
    outcomes = []
    while names:
        here = run(program, names)
        outcomes += here
        done = {outcome.name for outcome in here}
        rest = [name for name in names if name not in done]
        if len(rest) == len(names):  # it did not even begin
            outcomes += [Outcome(name, "failed", 0.0, "it was not run: " + here[0].output) for name in rest]
            break
        names = rest
    return outcomes


def report(path, outcomes):
    suite = xml.Element("testsuite", name="C++", tests=str(len(outcomes)))
    for outcome in outcomes:
        group, _, name = outcome.name.partition(".")
        case = xml.SubElement(suite, "testcase", classname=group, name=name, time=f"{outcome.seconds:.3f}")
        if outcome.verdict != "passed":
            part = xml.SubElement(case, {"failed": "failure", "skipped": "skipped"}[outcome.verdict])
            part.text = re.sub(r"[^\t\n\x20-\ud7ff]", "?", outcome.output)
    xml.ElementTree(suite).write(path, encoding="utf-8", xml_declaration=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("report")
    parser.add_argument("--only", default="")
    parser.add_argument("--except", dest="without", default="(?!)")
    asked = parser.parse_args()
    chosen = [
        [name for name in suite if re.search(asked.only, name) and not re.search(asked.without, name)]
        for suite in listed(asked.program)
    ]
    waiting, outcomes = queue.SimpleQueue(), []
    for bundle in bundles(chosen):
        waiting.put(bundle)

    def work():
        while True:
            try:
                names = waiting.get_nowait()
            except queue.Empty:
                return
            for outcome in run_all(asked.program, names):
                outcomes.append(outcome)
                if outcome.verdict == "failed":
                    print(f"FAILED: {outcome.name}\n{outcome.output}", flush=True)

    workers = [threading.Thread(target=work) for _ in os.sched_getaffinity(0)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    report(asked.report, sorted(outcomes, key=lambda outcome: outcome.name))
    count = {verdict: sum(outcome.verdict == verdict for outcome in outcomes) for verdict in ("passed", "failed", "skipped")}
    print(f"{count['passed']} passed, {count['failed']} failed, {count['skipped']} left out")
    return 1 if count["failed"] or not outcomes else 0


if __name__ == "__main__":
    sys.exit(main())
