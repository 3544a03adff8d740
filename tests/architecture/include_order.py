"""Includes point one way through the house.

    foundation < data < {formats, hdf5}
    foundation < data < preparation < projection < divergence < divergences
                        preparation < preparations
    foundation < optimisation < optimisers
    {divergence, optimisation} < objective < formulations
    projection < coupling
    {objective, preparations, coupling} < baseline < baselines
    {formats, preparations, divergences, optimisers, formulations, baselines} < model
    model < {inference, transfer, subspace} < experiment < experiments < report < {apps, python}

A plural folder holds parts, its singular the interface and machinery they share: formulations see the interface of
divergences and optimisers, never a part.

A file may include its own folder and everything below it. Parts in a plural folder are chosen by name and never
include each other. A public header belongs to the folder that implements it; cda.hpp is for those outside.
"""
import pathlib
import re
import sys

BELOW = {
    "foundation": [],
    "data": ["foundation"],
    "formats": ["data"],
    "hdf5": ["data"],
    "preparation": ["data"],
    "preparations": ["preparation"],
    "projection": ["preparation"],
    "divergence": ["projection"],
    "divergences": ["divergence"],
    "optimisation": ["foundation"],
    "optimisers": ["optimisation"],
    "objective": ["divergence", "optimisation"],
    "formulations": ["objective"],
    "baseline": ["objective", "preparations", "coupling"],
    "coupling": ["projection"],
    "baselines": ["baseline"],
    "model": ["formats", "preparations", "divergences", "optimisers", "formulations", "baselines"],
    "inference": ["model"],
    "transfer": ["model"],
    "subspace": ["model"],
    "experiment": ["inference", "transfer", "subspace"],
    "experiments": ["experiment"],
    "report": ["experiments"],
    "apps": ["report"],
    "python": ["report"],
}

PUBLIC_HEADERS = {
    "catalogue": "foundation",
    "communicator": "foundation",
    "error": "foundation",
    "executor": "foundation",
    "memory": "foundation",
    "modules": "foundation",
    "random": "foundation",
    "types": "foundation",
    "version": "foundation",
    "table": "data",
    "files": "data",
    "format": "data",
    "summary": "data",
    "synthetic": "data",
    "table_moments": "data",
    "preparation": "preparation",
    "projection": "projection",
    "statistics": "projection",
    "divergence": "divergence",
    "values": "divergence",
    "manifold": "optimisation",
    "optimiser": "optimisation",
    "formulation": "objective",
    "baseline": "baseline",
    "cluster": "subspace",
    "coupling": "coupling",
    "evidence": "model",
    "fit": "model",
    "fit_summary": "model",
    "inference": "inference",
    "model": "model",
    "rows": "model",
    "match": "inference",
    "score": "transfer",
    "transfer": "transfer",
    "experiment": "experiment",
    "report": "report",
    "cda": "apps",
}

CATALOGUES = {"formats", "divergences", "optimisers", "preparations", "formulations", "baselines", "experiments"}

# cda.hpp only collects.
EXEMPT = {"include/cda/cda.hpp"}


def reachable(folder):
    seen, todo = {folder}, [folder]
    while todo:
        for lower in BELOW[todo.pop()]:
            if lower not in seen:
                seen.add(lower)
                todo.append(lower)
    return seen


def folder_of(path):
    """The folder a file of this project belongs to, e.g. src/data/csv.hpp -> data."""
    parts = pathlib.PurePosixPath(path).parts
    if parts[0] in ("apps", "python"):
        return parts[0]
    if parts[:2] == ("include", "cda"):
        return PUBLIC_HEADERS.get(pathlib.PurePosixPath(path).stem)
    return parts[1] if parts[0] == "src" and len(parts) > 2 else None


def included_folder(name, from_folder):
    if name.startswith("cda/"):
        return PUBLIC_HEADERS.get(pathlib.PurePosixPath(name).stem)
    return name.split("/")[0] if "/" in name else from_folder


def problems_in(path, text):
    folder = folder_of(path)
    if folder not in BELOW:
        return [f"{path}: its place in the order is unknown; add it to {pathlib.Path(__file__).name}"]
    allowed = reachable(folder)
    problems = []
    for number, line in enumerate(text.splitlines(), 1):
        match = re.match(r'\s*#\s*include\s*"([^"]+)"', line) or re.match(r"\s*#\s*include\s*<(cda/[^>]+)>", line)
        if not match:
            continue
        target = included_folder(match[1], folder)
        if target not in BELOW:
            problems.append(f'{path}:{number}: "{match[1]}" has no place in the order')
        elif target not in allowed:
            problems.append(f'{path}:{number}: {folder} may not include "{match[1]}" ({target})')
        elif target in CATALOGUES and folder in CATALOGUES and path.startswith("src/") and "cda/" not in match[1]:
            problems.append(f'{path}:{number}: parts do not include parts: "{match[1]}"')
    return problems


def self_test():
    wrong = {
        "src/data/table.cpp": '#include "cda/divergence.hpp"',
        "src/optimisers/lbfgs.cpp": '#include "projection/sums.hpp"',
        "src/divergences/mmd.cpp": '#include "divergences/energy.hpp"',
        "include/cda/types.hpp": '#include "cda/model.hpp"',
        "src/novel/x.cpp": "",
        "src/model/fit.cpp": "#include <cda/cda.hpp>",
        "src/projection/sample.cpp": '#include "nowhere/x.hpp"',
        "src/inference/examine.cpp": '#include "cda/experiment.hpp"',
    }
    right = {
        "src/model/fit.cpp": '#include "cda/fit.hpp"\n#include "objective/pair.hpp"\n#include <vector>',
        "src/optimisers/lbfgs.cpp": '#include "optimisation/line_search.hpp"\n#include "foundation/part.hpp"',
        "apps/cda/main.cpp": '#include "cda/cda.hpp"\n#include "console.hpp"',
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
    files = [path for top in ("include", "src", "apps", "python") for path in sorted((root / top).rglob("*.[ch]pp"))]
    problems = []
    for path in files:
        name = path.relative_to(root).as_posix()
        if name not in EXEMPT:
            problems += problems_in(name, path.read_text(encoding="utf-8"))
    for problem in problems:
        print(problem)
    print(f"{len(files)} files, {len(problems)} includes against the order")
    return 1 if problems or not files else 0


if __name__ == "__main__":
    sys.exit(self_test() if sys.argv[1:] == ["--self-test"] else main(sys.argv[1]))
