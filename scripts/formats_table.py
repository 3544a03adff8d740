#!/usr/bin/env python3
"""The table of formats in docs/formats.md, made from the catalogue that `cda list formats --json` prints.

    scripts/formats_table.py build/cda           prints it
    scripts/formats_table.py build/cda --write   puts it into docs/formats.md
"""
import json
import pathlib
import subprocess
import sys

DOCUMENT = pathlib.Path(__file__).resolve().parent.parent / "docs" / "formats.md"
BEGIN, END = "<!-- formats: made by scripts/formats_table.py -->\n", "<!-- end of formats -->\n"


def table(command):
    listed = json.loads(subprocess.run([command, "list", "formats", "--json"], check=True, capture_output=True).stdout)
    lines = ["| format | names end in | read | written | what it is | reference |", "|---|---|---|---|---|---|"]
    for part in listed["formats"]:
        endings = ", ".join("." + ending for ending in part["endings"])
        written = "yes" if part["writes"] else "no"
        lines.append(f"| {part['name']} | {endings} | yes | {written} | {part['summary']} | {part['reference']} |")
    return "\n".join(lines) + "\n"


def main():
    made = table(sys.argv[1])
    if "--write" not in sys.argv[2:]:
        print(made, end="")
        return
    text = DOCUMENT.read_text(encoding="utf-8")
    before, rest = text.split(BEGIN)
    after = rest.split(END)[1]
    DOCUMENT.write_text(before + BEGIN + made + END + after, encoding="utf-8")


if __name__ == "__main__":
    main()
