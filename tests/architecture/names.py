"""One type to a name in each namespace: two classes of one name in headers that never meet are two to the reader and one
to the linker, which then takes the functions of either for both; an alias of a class's name, or of something else than
an alias of the same name, misleads the reader alone.

    names.py ROOT | --self-test
"""
import collections
import pathlib
import re
import sys

DEFINITION = re.compile(r"(?:class|struct|union|enum class) (\w+)(?: final)?(?: : [^;{]*)? ?\{")
ALIAS = re.compile(r"using (\w+) = (.*);")


def types_in(text):
    """Names of the types that a file defines in named namespaces, with these, and what an alias stands for."""
    spaces = []
    for line in text.splitlines():
        if opened := re.match(r"namespace ?([\w:]*) ?\{", line):
            spaces.append(opened[1])
        elif re.match(r"\}  // namespace", line) and spaces:
            spaces.pop()
        elif (found := DEFINITION.match(line)) and "" not in spaces:
            yield "::".join([*spaces, found[1]]), None
        elif (found := ALIAS.match(line)) and "" not in spaces:
            yield "::".join([*spaces, found[1]]), found[2]


def defined_twice(files):
    meanings = collections.defaultdict(dict)  # by name: what it stands for, and where; a class stands for itself
    for path, text in files.items():
        for name, alias_of in types_in(text):
            meanings[name].setdefault(alias_of or f"the class in {path}", path)
    return {name: list(found.values()) for name, found in meanings.items() if len(found) > 1}


def self_test():
    files = {
        "a.hpp": "namespace cda {\nclass Watch {\n};\nstruct Point;\n}  // namespace cda",
        "b.hpp": "namespace cda {\nstruct Watch final : Base {\n};\nstruct Point {\n};\n}  // namespace cda",
        "c.cpp": "namespace cda {\nnamespace {\nclass Watch {\n};\n}  // namespace\n}  // namespace cda",
        "d.hpp": "namespace cda::hdf5 {\nclass Watch {\n};\n}  // namespace cda::hdf5",
        "e.hpp": "namespace cda {\nusing Point = Vector;\nusing Text = std::string;\n}  // namespace cda",
        "f.hpp": "namespace cda {\nusing Text = std::string;\n}  // namespace cda",
    }
    return 0 if defined_twice(files) == {"cda::Watch": ["a.hpp", "b.hpp"], "cda::Point": ["b.hpp", "e.hpp"]} else 1


def main(root):
    root = pathlib.Path(root)
    paths = [path for top in ("include", "src", "peers", "clusters", "studies", "apps", "python") for path in sorted((root / top).rglob("*.[ch]pp"))]
    twice = defined_twice({path.relative_to(root).as_posix(): path.read_text(encoding="utf-8") for path in paths})
    for name, places in twice.items():
        print(f"{name} is defined in {' and in '.join(places)}")
    print(f"{len(paths)} files, {len(twice)} names of more than one type")
    return 1 if twice else 0


if __name__ == "__main__":
    sys.exit(self_test() if sys.argv[1] == "--self-test" else main(sys.argv[1]))
