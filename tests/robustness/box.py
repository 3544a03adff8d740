"""One directory, the command, and what may be claimed about a run in it."""
import json
import os
import re

from support.command import listing, run_cda

QUICK = ["--method", "CDA_M", "--components", "1"]

# Two small tables; what a variant of the first is read as shows in its projected values.
X = "a,b,c\n" + "".join(f"{i * 0.5},{(i * 7) % 11},{(i * i) % 13}.25\n" for i in range(1, 15))
Y = "d,e\n" + "".join(f"{(i * 5) % 17},{i * 0.25}\n" for i in range(1, 13))


class Box:
    """A test's own directory. It holds y.csv, and model.json fitted to X and Y once for the whole session."""

    def __init__(self, directory, model):
        self.directory = directory
        self.write("y.csv", Y)
        self.write("model.json", model)

    def path(self, name):
        return self.directory / name

    def write(self, name, content):
        path = os.path.join(os.fsencode(self.directory), os.fsencode(name))
        with open(path, "wb") as file:
            file.write(content.encode() if isinstance(content, str) else content)
        return name

    def names(self):
        return sorted(os.listdir(self.directory))

    def run(self, *arguments, **named):
        return run_cda(*arguments, **{"cwd": self.directory, **named})

    def refused(self, *arguments, code, says, place=None, file="x.csv", hint=None, **named):
        """The command ends with this exit code and one message, prints no result and touches nothing; with --json it
        says the same to a program. `place` is (line, column), with 0 for what is not known."""
        before = listing(self.directory)
        run = self.run(*arguments, **named)
        assert run.code == code, (run.code, run.err)
        assert run.out == ""
        lines = [line for line in run.err.splitlines() if line.startswith("cda: error: ")]
        assert len(lines) == 1 and all(line.startswith("cda: ") for line in run.err.splitlines()), run.err
        assert re.search(says, lines[0]), (says, run.err)
        assert harmless(run.err), run.err
        again = self.run(*arguments, "--json", **named)
        assert again.code == code
        error = again.error()
        assert re.search(says, error["message"] + " " + (error["hint"] or "")), error
        if place:
            assert error["file"] == file
            assert (error["line"] or 0, error["column"] or 0) == tuple(place), error
            shown = ":".join([file] + [str(number) for number in place if number])
            assert lines[0].startswith(f"cda: error: {shown}: "), lines[0]
        if hint:
            assert re.search(hint, error["hint"] or ""), error
        assert listing(self.directory) == before
        return error

    def refused_table(self, content, *options, code=3, **expected):
        """A table with this content is refused by `fit`, as X and before Y is even looked at."""
        self.write("x.csv", content)
        return self.refused("fit", "x.csv", "y.csv", *QUICK, "-o", "new.json", *options, code=code, **expected)

    def projected(self, name, *options, warns=None, **named):
        """The table of this name mapped by the model, as text; it has to have the columns a, b and c."""
        run = self.run("transform", "model.json", "--x", name, *options, **named)
        assert run.code == 0, run.err
        if warns is None:
            assert run.err == ""
        else:
            assert run.err.count("warning") == 1 and re.search(warns, run.err), run.err
        return run.out

    def reads_as(self, content, plain, *options, name="x.csv", warns=None):
        """A table with this content has the same names and numbers as a plain one."""
        self.write(name, content)
        self.write("plain.csv", plain)
        assert self.projected(name, *options, warns=warns) == self.projected("plain.csv")

    def fitted(self, *arguments, code=0, **named):
        """The result of `fit --json` as an object."""
        run = self.run("fit", *arguments, "--json", **named)
        assert run.code == code, run.err
        assert run.err == ""
        result = json.loads(run.out)
        assert finite(result)
        return result

    def warned(self, *arguments, says, **named):
        """A fit that works, says one thing in a warning, and refuses to work under --strict."""
        result = self.fitted(*arguments, **named)
        found = [text for text in result["warnings"] if re.search(says, text)]
        assert found, result["warnings"]
        spoken = self.run("fit", *arguments, **named)
        assert spoken.code == 0 and "warning" in spoken.err and re.search(says, spoken.err), spoken.err
        before = listing(self.directory)
        strict = self.run("fit", *arguments, "--strict", "-o", "strict.json", **named)
        assert strict.code == 5 and strict.out == "", strict.err
        assert re.search(says, strict.err)
        assert listing(self.directory) == before
        return result


def harmless(text):
    """Nothing that steers a terminal or hides."""
    steering = "\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ud800-\udfff"
    return not re.search(f"[{steering}]", text)


def finite(value):
    """JSON has no infinity; a number that is none would be null or text."""
    text = json.dumps(value)
    return "NaN" not in text and "Infinity" not in text
