#!/usr/bin/env python3
"""Writes docs/results.md from the results of `cda experiment all -o FOLDER`.

    scripts/results_page.py FOLDER > docs/results.md

Every table states the command that makes it. Figures are rounded as the command rounds them.
"""
import json
import pathlib
import sys

INTRODUCTION = """# Results

The tables and figures of the paper's evaluation, and ours. All of them are redone by

    cda experiment all --full -o results
    scripts/results_page.py results > docs/results.md

on two cores in under an hour (54 minutes, 99 of processor time, in one run; a third of them for `table1`, a quarter for
`subspace`). Each section names the command that made what it shows. Ctrl-C ends the first, and given again it goes on from
what is in the folder, with the same result. Times are given as ratios only; everything else is the same on every
run. Chance levels stand beside the figures; where a method is at chance, that is what it says. Two views of one population
have a page of their own ([alignment.md](alignment.md)).
"""

ORDER = ["table1", "noise", "beta", "efficiency", "subspace", "identifiable"]


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
    found = [json.loads(path.read_text(encoding="utf-8")) for path in sorted(pathlib.Path(folder).glob("*.json"))]
    if not found:
        sys.exit(f"{folder} holds no results: cda experiment all -o {folder}")
    place = {name: number for number, name in enumerate(ORDER)}
    found.sort(key=lambda results: (place.get(results["experiment"], len(ORDER)), results["experiment"]))
    sys.stdout.write(INTRODUCTION + "\n" + "\n".join(map(section, found)))


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(sys.argv[1])
