"""scripts/cpp_tests.py beside a program that talks like GoogleTest's and of whose tests one crashes, one never ends and
one fails: these three are named, all others run and count."""
import os
import pathlib
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as xml

PROGRAM = """#!%s
import os, signal, sys, time
tests = ["Good.One", "Good.Two", "Bad.Crashes", "Bad.NeverEnds", "Bad.Fails", "Good.Skips", "Last.IsRun"]
if sys.argv[1] == "--gtest_list_tests":
    suite = ""
    for name in tests:
        if name.split(".")[0] + "." != suite:
            suite = name.split(".")[0] + "."
            print(suite)
        print("  " + name.split(".")[1] + "  # GetParam() = 1")
    sys.exit(0)
wanted = sys.argv[1].split("=")[1].split(":")
for name in filter(wanted.__contains__, tests):
    print(f"[ RUN      ] {name}", flush=True)
    if name == "Bad.Crashes":
        print("about to", flush=True)
        os.kill(os.getpid(), signal.SIGSEGV)
    if name == "Bad.NeverEnds":
        time.sleep(1000)
    word = {"Bad.Fails": "[  FAILED  ]", "Good.Skips": "[  SKIPPED ]"}.get(name, "[       OK ]")
    print(f"a word of {name}\\n{word} {name} (1 ms)", flush=True)
sys.exit("Bad.Fails" in wanted)
"""


def main(root):
    with tempfile.TemporaryDirectory() as folder:
        program, report = pathlib.Path(folder, "program"), pathlib.Path(folder, "report.xml")
        program.write_text(PROGRAM % sys.executable)
        program.chmod(0o755)
        run = subprocess.run(
            [sys.executable, pathlib.Path(root, "scripts", "cpp_tests.py"), program, report],
            env={**os.environ, "CDA_TEST_PATIENCE": "2"},
            capture_output=True,
            text=True,
        )
        verdicts = {
            f"{case.get('classname')}.{case.get('name')}": next((part.tag for part in case), "passed")
            for case in xml.parse(report).getroot().iter("testcase")
        }
    assert run.returncode == 1
    assert run.stdout.splitlines()[-1] == "3 passed, 3 failed, 1 left out", run.stdout
    expected = dict.fromkeys(["Good.One", "Good.Two", "Last.IsRun"], "passed") | {"Good.Skips": "skipped"}
    expected |= dict.fromkeys(["Bad.Crashes", "Bad.NeverEnds", "Bad.Fails"], "failure")
    assert verdicts == expected, verdicts
    for words in ("FAILED: Bad.Crashes\nabout to\nthe process was ended by SIGSEGV", "FAILED: Bad.NeverEnds\nit did not end"):
        assert words in run.stdout, run.stdout


main(sys.argv[1])
