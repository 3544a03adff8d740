#!/usr/bin/env python3
"""Writes docs/results.md from the results of `cda experiment all -o FOLDER`.

    scripts/results_page.py FOLDER > docs/results.md

Every table states the command that makes it. Figures are rounded as the command rounds them.
"""
import json
import pathlib
import sys

INTRODUCTION = """# Results

Every table and figure of the paper's evaluation, and ours, redone by one command:

    cda experiment all --full -o results
    scripts/results_page.py results > docs/results.md

Each section also names the command for itself alone. Times are given as ratios only; everything else is the same on
every run. Chance levels stand beside the figures; where a method is at chance, that is what it says.
"""

ORDER = ["table1", "noise", "beta", "efficiency", "identifiable"]


def cell(value, decimals):
    if value is None:
        return "-"
    if isinstance(value, dict):
        if value["share"] is None:
            return "-"
        return f"{value['share']:.{decimals}f} [{value['low']:.2f}, {value['high']:.2f}]"
    if isinstance(value, float):
        return f"{value:.{decimals}f}"
    return str(value).replace("|", "\\|")


def command(results):
    options = dict(results["options"])
    effort = {"quick": " --quick", "full": " --full", "usual": ""}[options.pop("effort")]
    settings = ",".join(f"{name}={value}" for name, value in sorted(options.items()))
    study = results["experiment"] + (f":{settings}" if settings else "")
    return f"cda experiment {study}{effort} --runs {results['runs']} --seed {results['seed']}"


def section(results):
    columns = results["columns"]
    lines = [f"## {results['experiment']}", "", results["title"] + ":", "", "    " + command(results), ""]
    if results["rows"]:
        lines.append("| " + " | ".join(column["name"] for column in columns) + " |")
        lines.append("|" + " --- |" * len(columns))
        for row in results["rows"]:
            lines.append("| " + " | ".join(cell(row[column["name"]], column["decimals"]) for column in columns) + " |")
        lines.append("")
        for column in columns:
            if column["summary"]:
                lines.append(f"- `{column['name']}`: {column['summary']}")
    else:
        lines.append("No rows.")
    lines.append("")
    lines += [f"- {note}" for note in results["notes"]]
    return "\n".join(lines) + "\n"


def main(folder):
    found = {}
    for path in sorted(pathlib.Path(folder).glob("*.json")):
        results = json.loads(path.read_text(encoding="utf-8"))
        found[results["experiment"]] = results
    if not found:
        sys.exit(f"{folder} holds no results: cda experiment all -o {folder}")
    names = [name for name in ORDER if name in found] + [name for name in sorted(found) if name not in ORDER]
    sys.stdout.write(INTRODUCTION + "\n" + "\n".join(section(found[name]) for name in names))


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(sys.argv[1])
