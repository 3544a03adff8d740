"""`--report` and `cda report`: one page, whole, the same bytes every time."""
import hashlib
import html
import json
import re
import shlex

import numpy

from support.command import ROOT

BUILDINGS = [ROOT / "examples/buildings/X.csv", ROOT / "examples/buildings/Y.csv"]


def figures_of(page):
    """Kind and data of every figure, as a reader's browser finds them."""
    pattern = r'<figure[^>]*data-kind="(\w+)".*?<script type="application/json">(.*?)</script>'
    return [(kind, json.loads(data)) for kind, data in re.findall(pattern, page, re.S)]


def test_a_fit_and_a_kept_model_give_the_same_page(cda, tables):
    first = cda("test", "x.csv", "y.csv", "--method", "CDA_M", "--bootstrap", "9", "-o", "m.json", "--report", "a.html")
    assert first.code == 0, first.err
    assert "Report written to a.html" in first.out
    assert cda("report", "m.json", "-o", "b.html").code == 0
    again = cda("test", "x.csv", "y.csv", "--method", "CDA_M", "--bootstrap", "9", "--report", "c.html", "--threads", "1")
    assert again.code == 0
    pages = [(tables / name).read_bytes() for name in ("a.html", "b.html", "c.html")]
    assert pages[0] == pages[1] == pages[2]
    text = pages[0].decode()
    for path in ("x.csv", "y.csv"):
        assert hashlib.sha256((tables / path).read_bytes()).hexdigest() in text
    assert "default-src 'none'" in text


def test_the_model_keeps_aggregates_of_what_was_read(cda, tables):
    with open(tables / "x.csv", "a") as file:
        file.write("NA,1,2\n")
    assert cda("fit", "x.csv", "y.csv", "--method", "CDA_M", "--missing", "drop-rows", "-o", "m.json").code == 0
    summary = json.loads((tables / "m.json").read_text())["summary"]
    assert summary["x"]["name"] == "x.csv"
    assert [column["missing"] for column in summary["x"]["columns"]] == [1, 0, 0]
    assert summary["x"]["remarks"] and summary["y"]["remarks"] == []
    rows = numpy.genfromtxt(tables / "y.csv", delimiter=",", skip_header=1)
    for column, values in zip(summary["y"]["columns"], rows.T):
        assert numpy.isclose(column["median"], numpy.median(values))
        assert list(column["histogram"]) == list(numpy.histogram(values, 16)[0])
    cda("transform", "m.json", "--y", "y.csv", "-o", "mapped.csv")
    mapped = numpy.genfromtxt(tables / "mapped.csv", delimiter=",", skip_header=1)
    for pair, values in zip(summary["pairs"], mapped.T):
        assert numpy.allclose(pair["y_quantiles"], numpy.percentile(values, numpy.arange(101)), rtol=1e-5, atol=1e-5)


def test_without_evidence_the_page_says_how_to_get_it(cda, tables):
    assert cda("fit", "x.csv", "y.csv", "--method", "CDA_Q", "--report", "p.html").code == 0
    text = (tables / "p.html").read_text()
    assert "not tested" in text and "cda test x.csv y.csv" in text


def test_the_command_on_the_page_makes_the_same_model(cda, tmp_path):
    random = numpy.random.default_rng(5)
    for name, columns in (("my x.csv", ["id", "a", "b", "skip,me"]), ("y.tsv", ["id", "c", "d", "kind"])):
        mark = "," if name.endswith("csv") else "\t"
        lines = [mark.join(f'"{each}"' if "," in each else each for each in columns)]
        for i, row in enumerate(random.gamma(2, size=(60, 3))):
            values = [f"r{i}"] + [f"{value:.6f}" for value in row]
            if name == "y.tsv":
                values[3] = "text"
            if name == "my x.csv" and i == 7:
                values[1] = "?"
            lines.append(mark.join(values))
        (tmp_path / name).write_text("\n".join(lines) + "\n")
    reading = ["--index-column", "id", "--x-exclude", '"skip,me"', "--y-only-numeric", "--x-na", "?", "--x-missing", "mean"]
    first = ["test", "my x.csv", "y.tsv", "--method", "CDA_M", "--pairs", "1", "--decrease-times", "7", *reading]
    result = cda(*first, "--surrogates", "19", "--bootstrap", "5", "-o", "a.json", "--report", "p.html")
    assert result.code == 0, result.err
    page = (tmp_path / "p.html").read_text()
    typed = html.unescape(re.search(r'<pre class="command"[^>]*><code>(.*?)</code>', page, re.S)[1])
    again = cda(*shlex.split(typed)[1:], "-o", "b.json")
    assert again.code == 0, again.err
    assert (tmp_path / "a.json").read_bytes() == (tmp_path / "b.json").read_bytes()


def test_names_from_outside_stay_text(cda, tmp_path):
    names = ["<script>alert(1)</script>", 'a"b\'c', "line\u2028end", "\u202egnp.exe", "n" * 300, "\U0001f600"]
    random = numpy.random.default_rng(1)
    for name, columns in (("x.csv", names), ("y.csv", [each + "y" for each in names])):
        quoted = ",".join('"' + each.replace('"', '""') + '"' for each in columns)
        body = "\n".join(",".join(f"{v:.6f}" for v in row) for row in random.gamma(2, size=(60, 6)))
        (tmp_path / name).write_text(quoted + "\n" + body + "\n", encoding="utf-8")
    result = cda("fit", "x.csv", "y.csv", "--method", "CDA_M", "--report", "p.html")
    assert result.code == 0, result.err
    text = (tmp_path / "p.html").read_text(encoding="utf-8")
    assert "<script>alert" not in text
    assert "\u202e" not in text and "\u2028" not in text
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in text


def test_a_million_rows_stay_a_small_page(cda, tmp_path):
    random = numpy.random.default_rng(2)
    numpy.save(tmp_path / "x.npy", random.exponential(size=(1_000_000, 3)))
    numpy.save(tmp_path / "y.npy", random.exponential(size=(1_000_000, 2)))
    result = cda("fit", "x.npy", "y.npy", "--method", "CDA_M", "--report", "p.html", "-o", "m.json")
    assert result.code == 0, result.err
    assert (tmp_path / "p.html").stat().st_size < 1_500_000
    assert (tmp_path / "m.json").stat().st_size < 500_000


def test_places_that_cannot_be_written_are_refused_before_the_work(cda, tables):
    before = (tables / "x.csv").read_bytes()
    for arguments, said in (
        (["--report", "-"], "standard output"),
        (["--report", "x.csv"], "also an input"),
        (["--report", "p.html", "-o", "p.html"], "two outputs"),
        (["--report", "no/such/p.html"], "no/such"),
    ):
        result = cda("fit", "x.csv", "y.csv", *arguments)
        assert result.code in (2, 4), arguments
        assert said in result.err
    assert (tables / "x.csv").read_bytes() == before
    assert not (tables / "p.html").exists()
    (tables / "m.json").write_text("{}")
    broken = cda("report", "m.json", "-o", "p.html")
    assert broken.code == 3 and not (tables / "p.html").exists()


def test_a_study_has_a_page_with_its_rows(cda, tmp_path):
    result = cda("experiment", "recovery", "--quick", "--runs", "1", "--report", "p.html", "-o", "r.json")
    assert result.code == 0, result.err
    page = (tmp_path / "p.html").read_text()
    rows = json.loads((tmp_path / "r.json").read_text())["rows"]
    drawn = [value for _, figure in figures_of(page) for value in figure["columns"]["value"]]
    found = [row[kind]["share"] for row in rows for kind in ("recovered", "laplace_t")]
    shares = [share for share in found if share is not None]
    assert shares and numpy.allclose(sorted(drawn), sorted(shares), rtol=1e-5)
    assert cda("experiment", "all", "--report", "p.html").code == 2


def test_the_demonstration_shows_three_supported_pairs(cda, tmp_path):
    result = cda("test", *BUILDINGS, "--surrogates", "199", "--bootstrap", "9", "--report", "p.html", "-q")
    assert result.code == 0, result.err
    page = (tmp_path / "p.html").read_text()
    assert page.count("supported</") >= 3
    assert [kind for kind, _ in figures_of(page)].count("densities") == 3
    assert re.search(r"co2_ppm \(\+0\.\d\d\)", page)
