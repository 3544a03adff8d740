"""What the documents show can be typed as it stands, and is what the code says."""
import pathlib
import re
import shlex
import shutil
import subprocess

import pytest
from conftest import COMMAND, ROOT
from support.command import sanitised

pytestmark = pytest.mark.slow

as_it_is_built_for_use = pytest.mark.skipif(sanitised(), reason="takes minutes under a sanitizer")


def blocks(document, language):
    return re.findall(rf"^```{language}\n(.*?)^```", (ROOT / document).read_text(encoding="utf-8"), re.M | re.S)


def readme_commands():
    """Lines of README.md's shell blocks that run the command, continued lines joined, comments left out."""
    commands = []
    for block in blocks("README.md", "sh"):
        for line in block.replace("\\\n", " ").splitlines():
            if line.startswith(("build/cda ", "./run ")):
                commands.append(line)
    return commands


@pytest.fixture(scope="module")
def readme_runs(tmp_path_factory):
    """Each command of README.md and how it ended, run once and in order."""
    folder = tmp_path_factory.mktemp("readme")
    shutil.copytree(ROOT / "examples", folder / "examples")
    (folder / "build").mkdir()
    (folder / "build" / "cda").symlink_to(COMMAND)
    runs = []
    for command in readme_commands():
        line = ["bash", "-o", "pipefail", "-c", re.sub(r"^\./run ", "build/cda ", command)]
        runs.append((command, subprocess.run(line, cwd=folder, capture_output=True, text=True, timeout=300)))
    return runs


@as_it_is_built_for_use
def test_the_commands_of_the_readme_work_in_order(readme_runs):
    assert readme_runs, "README.md shows no command"
    for command, finished in readme_runs:
        assert finished.returncode == 0, f"{command}\n{finished.stderr}"


@as_it_is_built_for_use
def test_the_findings_shown_in_the_readme_are_what_the_command_prints(readme_runs):
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    shown = re.search(r"^```\n(Is anything shared\?.*?)^```", readme, re.M | re.S)[1]
    (printed,) = [run.stdout for command, run in readme_runs if command.startswith("build/cda test ")]
    printed = iter(printed.splitlines())
    for line in shown.splitlines():  # in this order; ... stands for lines that are left out
        assert line.strip() == "..." or line in printed, line


def test_the_table_of_formats_is_the_catalogue():
    made = subprocess.run(
        ["/usr/bin/python3", ROOT / "scripts" / "formats_table.py", COMMAND], check=True, capture_output=True, text=True
    )
    assert made.stdout in (ROOT / "docs" / "formats.md").read_text(encoding="utf-8"), "run scripts/formats_table.py"


def test_options_in_the_documents_exist():
    helps = {}
    for document in ["README.md", "CONTRIBUTING.md", *(f"docs/{path.name}" for path in (ROOT / "docs").glob("*.md"))]:
        for block in blocks(document, "sh"):
            for line in block.replace("\\\n", " ").splitlines():
                words = shlex.split(line, comments=True)
                if len(words) < 2 or words[0] not in ("build/cda", "cda", "./run") or words[1].startswith("-"):
                    continue
                command = words[1]
                if command not in helps:
                    finished = subprocess.run([COMMAND, command, "--help"], capture_output=True, text=True)
                    assert finished.returncode == 0, f"{document}: {line}"
                    helps[command] = finished.stdout
                for word in words[2:]:
                    if word.startswith("--"):
                        plain = re.sub(r"^--[xy]-", "--", word.split("=")[0])
                        assert re.search(rf"(^|[\s,]){re.escape(plain)}\b", helps[command]), f"{document}: {word}"


def test_the_worked_example_of_contributing_is_the_code_that_is_compiled():
    """CONTRIBUTING.md shows how a divergence is added. Its block is a region of a program that is built and run."""
    source = (ROOT / "examples" / "own_divergence.cpp").read_text(encoding="utf-8")
    region = re.search(r"^// begin: worked example\n(.*?)^// end: worked example$", source, re.M | re.S)
    assert region, "examples/own_divergence.cpp has no region `// begin: worked example` ... `// end: worked example`"
    assert region[1].strip() in [block.strip() for block in blocks("CONTRIBUTING.md", "cpp")]


@pytest.mark.parametrize("program", sorted(path.stem for path in (ROOT / "examples").glob("*.cpp")))
def test_examples_run(program, tmp_path):
    built = pathlib.Path(COMMAND).parent / "examples" / program
    assert built.exists(), "examples are built by ./test"
    finished = subprocess.run([built], cwd=tmp_path, capture_output=True, text=True, timeout=300)
    assert finished.returncode == 0, finished.stderr
    assert finished.stdout
