"""J01 to J07: a model file is believed in nothing. What is wrong is named, and nothing is computed with it."""
import hashlib
import json
import pickle
import os
import random
import subprocess

import pytest
from box import X, harmless
from rows import row
from support.command import COMMAND

DIGEST = "0" * 64


def sealed(content):
    """The text of a model with its digest made anew, so that what was changed is found by other means."""
    if "sha256" not in content:
        return json.dumps(content, indent=1) + "\n"
    text = json.dumps({**content, "sha256": DIGEST}, indent=1) + "\n"
    at = text.index(DIGEST)
    digest = hashlib.sha256((text[:at] + text[at + 64 :]).encode()).hexdigest()
    return text[:at] + digest + text[at + 64 :]


@pytest.fixture
def models(box, model):
    box.write("x.csv", X)
    box.content = json.loads(model)
    return box


def refused_model(box, content, **expected):
    box.write("bad.json", content if isinstance(content, (str, bytes)) else sealed(content))
    return box.refused("transform", "bad.json", "--x", "x.csv", "-o", "new.csv", code=3, file="bad.json", **expected)


def test_a_model_sealed_here_is_read(models):
    models.write("again.json", sealed(models.content))
    run = models.run("transform", "again.json", "--x", "x.csv")
    assert run.code == 0, run.err
    assert run.out == models.projected("x.csv")


@row("J01")
@pytest.mark.parametrize("share", [0.02, 0.3, 0.7, 0.99])
def test_j01_a_model_cut_short(models, model, share):
    text = model[: int(len(model) * share)]
    error = refused_model(models, text, says="not a model|ends early")
    assert error["line"] == text.count(b"\n") + 1 or error["line"] == text.count(b"\n")


@row("J01")
@pytest.mark.parametrize(
    "content",
    ["", "\n", "not json", "{", "[", '"model"', "[1, 2]", "42", "null", "a,b\n1,2\n", "{'a': 1}", '{"a": 01}',
     "\ufeff{}", "{}x"],
)
def test_j01_what_is_no_model(models, content):
    error = refused_model(models, content, says="not a model|model")
    assert error["file"] == "bad.json"


@row("J01")
@pytest.mark.parametrize("content", [b"\x00" * 100, bytes(range(256)), b"\xff\xfe{\x00}\x00", b'{"format": "\xff"}'])
def test_j01_bytes_that_are_no_text(models, content):
    refused_model(models, content, says="model")


@row("J01")
def test_j01_the_place_is_said(models):
    refused_model(models, '{\n "format": "cda-model",\n "x": oops\n}\n', says="broken here", place=(3, 7))


@row("J01")
@pytest.mark.parametrize(
    "arguments",
    [["transform", "-", "--x", "x.csv"], ["report", "-", "-o", "new.html"],
     ["score", "model.json", "--x", "x.csv", "--y", "y.csv", "--truth", "-"]],
    ids=lambda arguments: arguments[0],
)  # fmt: skip
@pytest.mark.parametrize("begin", ["a,b\n1,2\n", "\ufeff\n \"a\",b\n1,2\n", "1.5,2\n"])
def test_j01_a_table_in_place_of_a_model_is_not_read_to_its_end(models, arguments, begin):
    """As when arguments are swapped: the table may be larger than the memory. This one has no end at all."""
    reader, writer = os.pipe()
    os.write(writer, begin.encode() + b"3,4\n" * 5000)
    try:
        finished = subprocess.run(
            [COMMAND, *arguments], cwd=models.directory, stdin=reader, capture_output=True, timeout=60
        )
    finally:
        os.close(reader)
        os.close(writer)
    assert finished.returncode == 3 and finished.stdout == b"", finished.stderr
    assert b"this is not a " in finished.stderr and finished.stderr.count(b"\n") == 1


@row("J02")
@pytest.mark.parametrize("version", [999, 1000000])
def test_j02_a_newer_format(models, version):
    refused_model(models, {**models.content, "format_version": version}, says=f"format {version}.*cda \\d")


@row("J02")
@pytest.mark.parametrize("version", ["2", None, 0, -1, 1.5, [1], 1e300, True])
def test_j02_a_version_that_is_none(models, version):
    refused_model(models, {**models.content, "format_version": version}, says="format_version")


@row("J02")
def test_j02_no_version_or_no_format(models):
    for key in ("format_version", "format"):
        refused_model(models, {name: value for name, value in models.content.items() if name != key}, says=key)
    refused_model(models, {**models.content, "format": "other-model"}, says="format")


def pointers(value, path=""):
    """Every place in a model, as JSON pointers; of a list only the first entry."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield f"{path}/{key}", value, key
            yield from pointers(inner, f"{path}/{key}")
    elif isinstance(value, list) and value:
        yield f"{path}/0", value, 0
        yield from pointers(value[0], f"{path}/0")


FREE = ("/options/", "/warnings", "/written_by", "/sha256", "/summary", "/x/components", "/y/components")
OPTIONAL = (*FREE, "/pairs/0/lower_bound", "/pairs/0/components", "/stopped")


@row("J03")
def test_j03_a_field_that_is_missing(models):
    """Each field of the model in turn; entries of lists are counted, so that taking one away is noticed too."""
    removed = 0
    for pointer, _, _ in list(pointers(models.content)):
        if pointer.startswith(OPTIONAL) and pointer != "/warnings":
            continue
        content = json.loads(json.dumps(models.content))
        holder, key = next((where, key) for place, where, key in pointers(content) if place == pointer)
        del holder[key]
        models.write("bad.json", sealed(content))
        run = models.run("transform", "bad.json", "--x", "x.csv", "-o", "new.csv")
        tolerated = run.code == 0 and ("alternatives/" in pointer or "preparation/steps/" in pointer)
        assert run.code == 3 or tolerated, (pointer, run.code, run.err)
        assert not models.path("new.csv").exists() or tolerated
        models.path("new.csv").unlink(missing_ok=True)
        if run.code == 3 and isinstance(key, str) and "/0" not in pointer:
            assert key in run.err, (pointer, run.err)
        removed += 1
    assert removed > 20


@row("J03")
@pytest.mark.parametrize("wrong", [None, "text"])
def test_j03_a_field_of_another_kind(models, wrong):
    for pointer, _, _ in list(pointers(models.content)):
        if pointer.startswith(FREE) and pointer != "/warnings":
            continue
        content = json.loads(json.dumps(models.content))
        holder, key = next((where, key) for place, where, key in pointers(content) if place == pointer)
        if type(holder[key]) is type(wrong):
            continue
        holder[key] = wrong
        models.write("bad.json", sealed(content))
        run = models.run("transform", "bad.json", "--x", "x.csv", "-o", "new.csv")
        assert run.code == 3, (pointer, wrong, run.code, run.err)
        assert run.err.count("\n") == 1 and "/" in run.err or "not a model" in run.err, run.err
        assert not models.path("new.csv").exists()


@row("J03")
def test_j03_an_unknown_field_is_a_warning(models):
    models.write("more.json", sealed({**models.content, "colour\x1b[31m": "blue"}))
    run = models.run("transform", "more.json", "--x", "x.csv")
    assert run.code == 0 and run.out == models.projected("x.csv")
    assert "warning" in run.err and "colour" in run.err and harmless(run.err)
    assert models.run("transform", "more.json", "--x", "x.csv", "--strict").code == 5


def changed(content, *path, to):
    content = json.loads(json.dumps(content))
    holder = content
    for key in path[:-1]:
        holder = holder[key]
    holder[path[-1]] = to
    return content


@row("J04")
@pytest.mark.parametrize(
    "path, to",
    [
        (("pairs", 0, "x_direction"), [1.0]),
        (("pairs", 0, "x_direction"), [1.0] * 1000),
        (("pairs", 0, "x_loadings"), []),
        (("pairs", 0, "x_direction"), [0.0, 0.0, 0.0]),
        (("x", "columns"), ["a", "b"]),
        (("x", "columns"), ["a", "b", "b"]),
        (("x", "columns"), []),
        (("x", "rows"), -5),
        (("x", "rows"), 10**18),
        (("x", "rows"), 10**30),
        (("x", "rank"), -1),
        (("x", "preparation", "kept"), [0, 1, 1000000000000]),
        (("x", "preparation", "kept"), [0, 1, -1]),
        (("x", "preparation", "exponents"), [0, 0, 100000]),
        (("x", "preparation", "constants"), [0.0]),
        (("pairs",), []),
        (("pairs", 0, "iterations"), 10**18),
        (("pairs", 0, "scale"), 0.0),
        (("pairs", 0, "scale"), -1.0),
        (("seed",), -1),
        (("seed",), 2**70),
    ],
    ids=str,
)
def test_j04_sizes_that_contradict_each_other(models, path, to):
    error = refused_model(models, changed(models.content, *path, to=to), says="/" + "|/".join(map(str, path)))
    assert len(error["message"]) < 300


@row("J05")
@pytest.mark.parametrize("text", ["NaN", "null", '"1"', "1e999", "-1e999", "Infinity", "true", "[]", "0x10", "+1"])
def test_j05_a_weight_that_is_no_number(models, text):
    place = "here be the weight"
    content = sealed(changed(models.content, "pairs", 0, "x_direction", 0, to=place))
    refused_model(models, content.replace(f'"{place}"', text), says="")


@row("J05")
def test_j05_a_key_that_occurs_twice(models):
    text = sealed(models.content)
    refused_model(models, text.replace('"seed":', '"seed": 1, "seed":', 1), says='"seed" occurs twice')
    refused_model(models, text.replace('"rows":', '"rows": 5,\n "rows":', 1), says='"rows" occurs twice')


@row("J05")
@pytest.mark.parametrize("opening, depth", [("[", 10**6), ('{"a":', 10**6), ("[", 100), ('{"a":', 40)])
def test_j05_deep_nesting(models, opening, depth):
    refused_model(models, opening * depth, says="nested too deeply|broken|ends early")


@row("J05")
def test_j05_deep_nesting_inside_a_model(models):
    text = sealed(models.content)
    nested = '{"deep": ' + "[" * 1000 + "]" * 1000 + "," + text[1:]
    refused_model(models, nested, says="nested too deeply")


@row("J06")
def test_j06_one_changed_byte(models, model):
    """A choice of places; the tests of the library go through all of them."""
    choice = random.Random(6)
    places = sorted(choice.sample(range(len(model)), 60)) + [0, 1, len(model) - 2, len(model) - 1]
    for place in places:
        changed_bytes = bytearray(model)
        changed_bytes[place] ^= 1 << choice.randrange(8)
        models.write("bad.json", bytes(changed_bytes))
        run = models.run("transform", "bad.json", "--x", "x.csv", "-o", "new.csv")
        assert run.code == 3, (place, model[place : place + 1], run.code, run.err)
        assert not models.path("new.csv").exists() and run.err.count("\n") == 1


@row("J06")
@pytest.mark.parametrize("edit", [(b"\n", b""), (b"\n", b"\r\n"), (b" ", b"  "), (b"", b"\n")])
def test_j06_white_space_counts(models, model, edit):
    old, new = edit
    content = model.replace(old, new, 1) if old else model + new
    refused_model(models, content, says="")


@row("J07")
@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_j07_a_pickle_is_never_loaded(models, protocol):
    ran = models.path("ran")
    payload = pickle.dumps(Evil(str(ran)), protocol)
    refused_model(models, payload, says="pickle" if protocol >= 2 else "pickle|not a model")  # 0 and 1 are plain text
    assert not ran.exists()


class Evil:
    """What a pickle can do when it is loaded."""

    def __init__(self, path):
        self.path = path

    def __reduce__(self):
        return open, (self.path, "w")
