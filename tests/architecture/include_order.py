"""Includes point one way through the house, and a room's headers are its own affair but for those it offers.

A file may include its own room, public headers of its room and of rooms below, and of the private headers of rooms
below those that OFFERED names. Parts (the files of a folder `parts`) are chosen by name and never include each other.
cda.hpp is for those outside.
"""
import pathlib
import re
import sys

# Each room, what it holds, and the rooms right below it.
ROOMS = {
    "base": ("errors, random streams, catalogues, threads and ranks, matrices, JSON", []),
    "table": ("tables, summaries and moments of their columns, made-up tables", ["base"]),
    "files": ("tables in files of many formats, read exactly and written whole", ["table"]),
    "prepare": ("columns made fit for optimisation, and how to redo that", ["table"]),
    "divergence": ("rows seen through directions, statistics of them, and divergences", ["base"]),
    "optimise": ("manifolds, line searches, stopping, many starts, and optimisers", ["base"]),
    "model": ("what was found, as data: pairs, evidence, and how new rows are mapped", ["files", "prepare", "optimise"]),
    "find": ("from two tables to a model: pairs, components, clouds", ["model", "divergence", "optimise"]),
    "evidence": ("how sure is that", ["find"]),
    "use": ("what is done with tables and models: match, score, transfer", ["model", "divergence"]),
    "report": ("pages that show it", ["find"]),
    "peers": ("methods that ours are compared with", ["find"]),
    "clusters": ("rows that belong together in some of the columns", ["report"]),
    "studies": ("how well all of it works where the truth is known", ["evidence", "use", "clusters", "peers"]),
    "apps": ("the command", ["evidence", "use", "clusters", "peers"]),
    "experiment": ("the program of the studies", ["studies", "apps"]),
    "python": ("the package", ["evidence", "use", "clusters", "peers"]),
}
BESIDE = {"peers", "clusters", "studies"}  # folders beside src/

PUBLIC = {
    "base": "catalogue communicator error executor fields memory modules random types version",
    "table": "raw_table summary synthetic table table_moments",
    "files": "files format",
    "prepare": "preparation",
    "divergence": "divergence projection statistics values",
    "optimise": "manifold optimiser",
    "model": "coupling directions fit_summary model options rows verdicts",
    "find": "baseline fit formulation",
    "evidence": "evidence",
    "use": "match score transfer",
    "report": "report",
    "peers": "peers",
    "clusters": "cluster",
    "studies": "experiment",
    "apps": "cda",
}
ROOM_OF_PUBLIC = {name: room for room, names in PUBLIC.items() for name in names.split()}

# Private headers that other rooms may include.
OFFERED = {
    "base": "assignment base64 gaussian_kernels json_field json_fields linear_algebra moments option_text over_ranks part processor products "
    "rounded sha256 shared_order shell_word utf8",
    "table": "missing_cells moment_sums synthetic_kinds",
    "divergence": "quantiles",
    "optimise": "multi_start stopping",
    "evidence": "progress",
    "find": "components/components components/matching pairs/deflation pairs/search follow prepared_table request",
    "report": "model_words page",
    "clusters": "cluster_distance",
}

# cda.hpp only collects.
EXEMPT = {"include/cda/cda.hpp"}


def reachable(room):
    seen, todo = {room}, [room]
    while todo:
        for lower in ROOMS[todo.pop()][1]:
            if lower not in seen:
                seen.add(lower)
                todo.append(lower)
    return seen


def room_of(path):
    """The room a file of this project belongs to, e.g. src/files/csv_reader.hpp -> files."""
    parts = pathlib.PurePosixPath(path).parts
    if parts[:2] == ("apps", "experiment"):
        return parts[1]
    if parts[0] in ("apps", "python") or parts[0] in BESIDE:
        return parts[0]
    if parts[:2] == ("include", "cda"):
        return ROOM_OF_PUBLIC.get(pathlib.PurePosixPath(path).stem)
    return parts[1] if parts[0] == "src" and len(parts) > 2 else None


def included_room(name, from_room):
    if name.startswith("cda/"):
        return ROOM_OF_PUBLIC.get(pathlib.PurePosixPath(name).stem)
    return name.split("/")[0] if "/" in name else from_room


def problems_in(path, text):
    room = room_of(path)
    if room not in ROOMS:
        return [f"{path}: its place in the order is unknown; add it to {pathlib.Path(__file__).name}"]
    allowed = reachable(room)
    problems = []
    for number, line in enumerate(text.splitlines(), 1):
        match = re.match(r'\s*#\s*include\s*"([^"]+)"', line) or re.match(r"\s*#\s*include\s*<(cda/[^>]+)>", line)
        if not match:
            continue
        target, name = included_room(match[1], room), match[1]
        if target not in ROOMS:
            problems.append(f'{path}:{number}: "{name}" has no place in the order')
        elif target not in allowed:
            problems.append(f'{path}:{number}: {room} may not include "{name}" ({target})')
        elif "/parts/" in f"/{name}":
            problems.append(f'{path}:{number}: parts are not included: "{name}"')
        elif target != room and not name.startswith("cda/"):
            if name.removeprefix(target + "/").removesuffix(".hpp") not in OFFERED.get(target, "").split():
                problems.append(f'{path}:{number}: {target} does not offer "{name}" to {room}')
    return problems


def self_test():
    wrong = {
        "src/table/table.cpp": '#include "cda/files.hpp"',
        "src/optimise/parts/lbfgs.cpp": '#include "cda/extend/projection.hpp"',
        "src/divergence/parts/mmd.cpp": '#include "divergence/parts/energy.hpp"',
        "include/cda/types.hpp": '#include "cda/model.hpp"',
        "src/novel/x.cpp": "",
        "src/find/fit.cpp": "#include <cda/cda.hpp>",
        "src/divergence/sample.cpp": '#include "nowhere/x.hpp"',
        "src/evidence/examine.cpp": '#include "cda/extend/experiment.hpp"',
        "src/find/methods.cpp": '#include "cda/peers.hpp"',
        "apps/cda/list.cpp": '#include "cda/extend/experiment.hpp"',
        "src/find/request.cpp": '#include "divergence/bandwidth.hpp"',
        "peers/cca.cpp": '#include "studies/replicates.hpp"',
    }
    right = {
        "src/find/fit.cpp": '#include "cda/fit.hpp"\n#include "find/pairs/search.hpp"\n#include <vector>',
        "src/optimise/parts/lbfgs.cpp": '#include "optimise/line_search.hpp"\n#include "base/part.hpp"',
        "apps/experiment/main.cpp": '#include "cda/extend/experiment.hpp"\n#include "program.hpp"',
        "apps/cda/main.cpp": '#include "cda/cda.hpp"\n#include "console.hpp"',
        "studies/parts/noise.cpp": '#include "studies/retrieval.hpp"\n#include "base/part.hpp"',
    }
    missed = [path for path, text in wrong.items() if len(problems_in(path, text)) != 1]
    blamed = [problem for path, text in right.items() for problem in problems_in(path, text)]
    for path in missed:
        print(f"not noticed: {path}")
    for problem in blamed:
        print(f"wrongly blamed: {problem}")
    return 1 if missed or blamed else 0


def main(root):
    root = pathlib.Path(root)
    tops = ("include", "src", *sorted(BESIDE), "apps", "python")
    files = [path for top in tops for path in sorted((root / top).rglob("*.[ch]pp"))]
    problems, offered = [], {f"{room}/{name}.hpp" for room, names in OFFERED.items() for name in names.split()}
    for path in files:
        name = path.relative_to(root).as_posix()
        text = path.read_text(encoding="utf-8")
        if name not in EXEMPT:
            problems += problems_in(name, text)
        for header in re.findall(r'#include "([^"]+)"', text):
            if header.split("/")[0] != room_of(name):
                offered.discard(header)
    problems += [f"{header} is offered to other rooms, but none takes it" for header in sorted(offered)]
    for problem in problems:
        print(problem)
    print(f"{len(files)} files, {len(problems)} includes against the order")
    return 1 if problems or not files else 0


if __name__ == "__main__":
    sys.exit(self_test() if sys.argv[1:] == ["--self-test"] else main(sys.argv[1]))
