"""Completion, asked for in the shells themselves: bash, zsh and fish load the script and say what they would offer."""
import os
import re
import subprocess

import pytest
from conftest import run_cda
from support.command import COMMAND, environment

pytestmark = pytest.mark.slow

SHELLS = ["bash", "zsh", "fish"]
ZSH_SETUP = r"""
fpath=($PWD $fpath)
autoload -Uz compinit && compinit -u -D
compadd() {
  local -a found
  if (( ! ${@[(I)-[OAD]*]} )); then
    builtin compadd -O found "$@"
    (( $#found )) && print -rl -- $found >> offers
  fi
  builtin compadd "$@"
}
ask() { _main_complete; print done > done }
zle -C ask list-choices ask
bindkey '^T' ask
print ready > ready
"""
ZSH_ASK = r"""
zmodload zsh/zpty
zpty inner zsh -f
zpty -w inner 'stty -echo; source ./setup.zsh'
while [[ ! -s ready ]]; do sleep 0.05; done
zpty -w -n inner "$1"$'\C-t'
while [[ ! -s done ]]; do zpty -r -t inner > /dev/null; sleep 0.05; done
zpty -d inner
"""


def settings(folder):
    """The command is found by its name, as one that is installed."""
    path = os.path.dirname(COMMAND) + os.pathsep + os.environ["PATH"]
    return environment({"HOME": str(folder), "TERM": "xterm", "PATH": path})


def bash(line, folder):
    words = line.split(" ")
    script = (
        'source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _cda; '
        'for word in "${COMPREPLY[@]}"; do printf "%s\\n" "$word"; done'
    )
    # As readline does, a word is broken at =.
    split = [part for word in words for part in (re.split("(=)", word) if "=" in word else [word])]
    if "=" in line and split[-1] == "":
        split.pop()
    run = subprocess.run(
        ["bash", "--norc", "-c", script, "bash", "script.bash", *split],
        cwd=folder, capture_output=True, text=True, env=settings(folder),
    )  # fmt: skip
    assert run.returncode == 0 and run.stderr == "", run.stderr
    return run.stdout.splitlines()


def fish(line, folder):
    run = subprocess.run(
        ["fish", "--no-config", "-c", "source script.fish; complete -C $argv[1]", line],
        cwd=folder, capture_output=True, text=True, env=settings(folder),
    )  # fmt: skip
    assert run.returncode == 0 and run.stderr == "", run.stderr
    offers = [offer.split("\t")[0] for offer in run.stdout.splitlines()]
    return [offer.split("=", 1)[1] if line.split(" ")[-1].startswith("--") and "=" in offer else offer for offer in offers]


def zsh(line, folder):
    """In a terminal of its own, with the completion system on: what it adds to its list of matches is written down."""
    (folder / "_cda").write_text((folder / "script.zsh").read_text())
    (folder / "setup.zsh").write_text(ZSH_SETUP)
    (folder / "ask.zsh").write_text(ZSH_ASK)
    for name in ("offers", "ready", "done"):
        (folder / name).unlink(missing_ok=True)
    subprocess.run(["zsh", "-f", "ask.zsh", line], cwd=folder, check=True, timeout=60, env=settings(folder))
    offers = (folder / "offers").read_text().splitlines() if (folder / "offers").exists() else []
    return [re.sub(r"=$", "", offer) for offer in offers]


ASK = {"bash": bash, "zsh": zsh, "fish": fish}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("completion")
    for shell in SHELLS:
        run = run_cda("completion", shell)
        assert run.code == 0 and run.err == ""
        (folder / f"script.{shell}").write_text(run.out)
    (folder / "tables").mkdir()
    (folder / "my table.csv").write_text("a\n1\n")
    return folder


@pytest.fixture(params=SHELLS)
def offers(request, folder):
    return lambda line: sorted(set(ASK[request.param](line, folder)))


def names(kind):
    return [part["name"] for part in run_cda("list", kind, "--json").json()[kind]]


def commands():
    text = run_cda("--help").out
    return re.findall(r"^  (\w+) ", text[text.index("\nCommands:") :], re.M)


@pytest.mark.parametrize("shell", SHELLS)
def test_the_shell_finds_no_fault_with_the_script(shell, folder):
    check = {"bash": ["bash", "-n"], "zsh": ["zsh", "-n"], "fish": ["fish", "--no-execute"]}[shell]
    run = subprocess.run([*check, f"script.{shell}"], cwd=folder, capture_output=True, text=True)
    assert run.returncode == 0 and run.stderr == ""


def test_commands(offers):
    assert offers("cda exp") == ["experiment"]
    assert set(commands()) <= set(offers("cda ")) and len(commands()) >= 12


def test_options_by_their_beginning(offers):
    assert offers("cda fit --me") == ["--method"]
    assert offers("cda fit --as-pub") == ["--as-published"]
    assert offers("cda synth --noi") == ["--noise", "--noise-columns"]
    assert offers("cda list --me") == []


def test_options_for_one_table_are_offered_where_one_is_begun(offers):
    assert offers("cda fit --x-mis") == ["--x-missing"]
    plain = offers("cda fit --")
    assert "--x-missing" not in plain and {"--missing", "--x-part", "--method"} <= set(plain)


def test_values_from_the_catalogues(offers):
    assert offers("cda fit --method i") == ["iCDA"]
    assert offers("cda test X.csv --divergence ") == sorted(names("divergences"))
    assert offers("cda fit --optimiser ") == sorted(names("optimisers"))
    assert offers("cda fit --prepare ") == sorted([*names("preparations"), "none"])
    assert offers("cda describe --format ") == sorted(names("formats"))
    assert set(names("experiments")) < set(offers("cda experiment "))
    assert offers("cda list ") == sorted(run_cda("list", "--json").json())


def test_values_of_enumerations(offers):
    assert offers("cda fit --missing ") == ["drop-columns", "drop-rows", "mean", "refuse"]
    assert offers("cda fit --x-missing drop-") == ["drop-columns", "drop-rows"]
    assert offers("cda fit --scale ") == ["lemma", "optimised"]  # or a number, which nobody can guess
    assert offers("cda completion ") == ["bash", "fish", "zsh"]
    assert offers("cda fit --seed ") == []


def test_values_after_an_equals_sign(offers):
    assert [offer.split("=")[-1] for offer in offers("cda fit --method=i")] == ["iCDA"]


def test_files_where_files_are_expected(offers):
    for line in ("cda fit my", "cda fit a.csv my", "cda transform --x my", "cda fit -o my", "cda fit --output=my", "cda fit --seed 1 my"):
        found = offers(line)
        assert len(found) == 1 and found[0].replace("\\", "") == "my table.csv", line
    assert [offer.rstrip("/") for offer in offers("cda synth linear -o ta")] == ["tables"]
    assert not any("my" in offer for offer in offers("cda list my"))


def test_every_option_of_every_command_is_offered(offers):
    for command in commands():
        found = {offer for begun in ("--", "--x-", "--y-") for offer in offers(f"cda {command} {begun}")}
        shown = set(re.findall(r"--[a-z][a-z-]*[a-z]", run_cda(command, "--help").out.split("\nUsage:")[1]))
        assert shown <= found, (command, shown - found)


def test_what_was_given_is_not_offered_again_unless_it_may_be(offers):
    assert offers("cda fit --method iCDA --me") == [] and offers("cda fit -o a.json --out") == []
    assert offers("cda fit --na a --na") == ["--na"]


def test_words_after_two_dashes_are_no_options(offers):
    assert offers("cda list -- ") == sorted(run_cda("list", "--json").json())
    assert offers("cda list -- --js") == []


def test_fish_shows_what_an_offer_means(folder):
    asked = ["fish", "--no-config", "-c", "source script.fish; complete -C 'cda '"]
    run = subprocess.run(asked, cwd=folder, capture_output=True, text=True, env=settings(folder))
    meanings = dict(line.split("\t") for line in run.stdout.splitlines())
    assert set(meanings) == set(commands())
    assert all(meaning in " ".join(run_cda("--help").out.split()) for meaning in meanings.values())


@pytest.mark.parametrize("shell", SHELLS)
def test_a_command_that_is_not_there_is_not_missed(shell, folder):
    asked = {
        "bash": "source script.bash; COMP_WORDS=(/no/cda f) COMP_CWORD=1; _cda; echo ${#COMPREPLY[@]}",
        "zsh": "source script.zsh 2>/dev/null; words=(/no/cda f) CURRENT=2 PREFIX=f; _cda; echo 0",
        "fish": "source script.fish; complete -C '/no/cda f'; echo 0",
    }[shell]
    run = subprocess.run([shell, "-c", asked], cwd=folder, capture_output=True, text=True, env=settings(folder))
    assert run.stdout == "0\n" and run.stderr == ""


def test_answers_stand_alone_whatever_is_asked(cda):
    for words in ([], [""], ["="], ["fit", "--seed", "="], ["no-such-command", ""], ["fit", "--no-such-option="], ["fit", "-"], ["--"]):
        run = cda("__complete", *words)
        assert run.code == 0 and run.err == "" and run.out.startswith("words\n"), words
    assert "__complete" not in cda("--help").out and "__complete" not in cda("man").out


def test_an_unknown_shell_lists_the_near_ones(cda):
    run = cda("completion", "zhs")
    assert run.code == 2 and "zsh" in run.err and run.out == ""
