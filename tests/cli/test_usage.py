"""What is wrong with a command line is said before anything is read or computed, with exit code 2."""
import pytest
from conftest import METHODS, listing


def test_help_leads_with_examples(cda):
    for command in (["fit"], ["transform"], ["synth"], ["experiment"], ["list"], []):
        arguments = [*command, "--help"]
        run = cda(*arguments)
        assert run.code == 0 and run.err == ""
        assert run.out.index("Examples:") < run.out.index("Usage:")


def test_help_of_fit_names_every_option_of_the_contract(cda):
    text = cda("fit", "--help").out
    for option in (
        "--method --components --divergence --formulation --optimiser --prepare --bandwidth --scale --beta "
        "--as-published --starts --refined --max-iterations --tolerance --seed --threads --strict --json --quiet "
        "--verbose --output --only --exclude --only-numeric --index-column --missing --na --delimiter --header "
        "--dedupe-names"
    ).split():
        assert option in text, option


def test_version_is_one_line(cda):
    run = cda("--version")
    assert run.code == 0
    assert run.out.startswith("cda ") and run.out.count("\n") == 1


@pytest.mark.parametrize(
    "arguments, said",
    [
        ([], "a command is required"),
        (["fti"], "did you mean fit?"),
        (["experimant", "all"], "did you mean experiment?"),
        (["--versoin"], "did you mean --version?"),
        (["fit", "x.csv", "y.csv", "-method", "CDA_M"], "did you mean --method?"),
        (["fit", "x.csv", "y.csv", "--x-missng=mean"], "did you mean --x-missing"),
        (["fit", "x.csv", "y.csv", "--missing", "drop-row"], "did you mean drop-rows"),
        (["fit", "x.csv", "y.csv", "--null", "gausian"], "did you mean gaussian?"),
        (["fit", "x.csv", "y.csv", "--formulation", "iteratif"], "did you mean iterative?"),
        (["fit", "x.csv", "y.csv", "--format", "cvs"], "did you mean csv"),
        (["fit", "x.csv", "y.csv", "--encoding", "utf-9"], "did you mean utf-8"),
        (["match", "x.csv", "y.csv", "--units", "rav"], "did you mean raw?"),
        (["experiment", "recovry"], "did you mean recovery?"),
        (["experiment", "calibration:row=3"], "did you mean rows?"),
        (["completion", "bsh"], "did you mean bash"),
        (["fit", "x.csv", "y.csv", "--metod", "CDA_M"], "did you mean --method?"),
        (["fit", "x.csv", "--seeed", "3"], "did you mean --seed?"),
        (["fit", "x.csv", "y.csv", "z.csv"], '"z.csv" is one argument too many'),
        (["fit", "x.csv"], "Y is required"),
        (["fit", "x.csv", "y.csv", "--method"], "--method"),
        (["fit", "x.csv", "y.csv", "--method", "rCDA_W"], "did you mean rCDA_"),
        (["fit", "x.csv", "y.csv", "--divergence", "quadratik"], "did you mean quadratic?"),
        (["fit", "x.csv", "y.csv", "--divergence", "quadratic:bandwith=1"], "did you mean bandwidth?"),
        (["fit", "x.csv", "y.csv", "--optimiser", "lbgfs"], "did you mean lbfgs?"),
        (["fit", "x.csv", "y.csv", "--prepare", "minmax+pcaa:2"], "did you mean pca?"),
        (["fit", "x.csv", "y.csv", "--scale", "lema"], "lema"),
        (["fit", "x.csv", "y.csv", "--pairs", "0"], "--pairs"),
        (["fit", "x.csv", "y.csv", "--components", "-1"], "--pairs"),
        (["fit", "x.csv", "y.csv", "--pairs", "1e9"], "--pairs"),
        (["fit", "x.csv", "y.csv", "--tolerance", "nan"], "--tolerance"),
        (["fit", "x.csv", "y.csv", "--tolerance", "-1"], "--tolerance"),
        (["fit", "x.csv", "y.csv", "--tolerance", "1e999"], "--tolerance"),
        (["fit", "x.csv", "y.csv", "--max-iterations", "abc"], "--max-iterations"),
        (["fit", "x.csv", "y.csv", "--seed", "-3"], "--seed"),
        (["fit", "x.csv", "y.csv", "--threads", "0"], "--threads"),
        (["fit", "x.csv", "y.csv", "--delimiter", "ab"], "--delimiter"),
        (["fit", "x.csv", "y.csv", "--header", "perhaps"], "--header"),
        (["fit", "x.csv", "y.csv", "--missing", "ignore"], "ignore"),
        (["fit", "x.csv", "y.csv", "--exclude", "a,,b"], "--exclude"),
        (["fit", "-", "-"], "cannot be read twice"),
        (["transform", "model.json"], "--x FILE or --y FILE"),
        (["transform", "model.json", "--x", "a", "--y", "b"], "--x FILE or --y FILE"),
        (["synth", "lineer", "-o", "d"], "did you mean linear?"),
        (["synth", "linear"], "--output"),
        (["synth", "linear", "-o", "d", "--remove", "2"], "--remove"),
        (["synth", "linear", "-o", "d", "--n", "many"], "--n"),
        (["match", "x.csv", "y.csv", "--excel-safe", "perhaps"], '--excel-safe is "perhaps", expected yes or no'),
        (["list", "divergencies"], "did you mean divergences?"),
    ],
)
def test_wrong_command_lines_are_refused_with_a_useful_message(cda, tables, arguments, said):
    before = listing(tables)
    run = cda(*arguments)
    assert run.code == 2, run.err
    assert run.out == ""
    assert run.err.startswith("cda: ")
    assert said in run.err
    assert listing(tables) == before


@pytest.mark.parametrize(
    "arguments, option",
    [
        (["fit", "--tolerance=", "x.csv", "y.csv"], "--tolerance"),
        (["fit", "x.csv", "y.csv", "--tolerance=", "--json"], "--tolerance"),
        (["fit", "x.csv", "y.csv", "--beta="], "--beta"),
        (["fit", "x.csv", "y.csv", "--x-exclude="], "--x-exclude"),
        (["fit", "x.csv", "y.csv", "--json="], "--json"),
        (["fit", "x.csv", "y.csv", "-o="], "-o"),
        (["match", "x.csv", "y.csv", "--excel-safe="], "--excel-safe"),
        (["synth", "linear", "--output=", "d"], "--output"),
    ],
)
def test_an_option_with_an_equals_sign_and_no_value_is_named(cda, tables, arguments, option):
    before = listing(tables)
    run = cda(*arguments)
    assert run.code == 2 and run.out == ""
    assert f"{option} is followed by = and nothing" in run.err
    assert listing(tables) == before


@pytest.mark.parametrize(
    "arguments",
    [
        ["--x-only", "electricty_kWh"],
        ["--x-exclude", "Electricity_kWh"],
        ["--x-index-column", "electricity_kwh"],
        ["--x-encode", "electricity"],
    ],
    ids=lambda arguments: arguments[0],
)
def test_a_column_that_is_not_there_names_the_near_ones(cda, tables, arguments):
    text = (tables / "x.csv").read_text()
    (tables / "x.csv").write_text(text.replace("a,b,c", "electricity_kWh,b,c", 1))
    run = cda("fit", "x.csv", "y.csv", *arguments)
    assert run.code == 2 and run.out == ""
    assert 'did you mean "electricity_kWh"?' in run.err


@pytest.mark.parametrize(
    "arguments",
    [
        ["transfer", "--target", "demnd"],
        ["transfer", "--label", "demnd"],
        ["score", "--label", "demnd"],
        ["transfer", "--target", "of_x", "--train-rows", "3"],
        ["score", "--label", "of_x"],
    ],
    ids=" ".join,
)
def test_a_target_or_label_that_is_not_there_names_the_near_ones(cda, tables, arguments):
    """First one that X does not have, then one that Y does not have."""
    for name, further in (("x.csv", ("demand", "of_x")), ("y.csv", ("demand", "of_y"))):
        head, *rows = (tables / name).read_text().splitlines()
        rows = [f"{row},{number % 3},{number % 2}" for number, row in enumerate(rows)]
        (tables / name).write_text("\n".join([f"{head},{','.join(further)}", *rows]) + "\n")
    fit = ["fit", "x.csv", "y.csv", "--x-only", "a,b,c", "--y-only", "d,e", "--method", "CDA_M", "-q", "-o", "m.json"]
    assert cda(*fit).code == 0
    command, *how = arguments
    run = cda(command, "m.json", "--x", "x.csv", "--y", "y.csv", *how)
    assert run.code == 3 and run.out == ""
    assert f'did you mean "{"of_y" if "of_x" in arguments else "demand"}"' in run.err
    piped = cda(command, "m.json", "--x", "/dev/stdin", "--y", "y.csv", *how, stdin=(tables / "x.csv").read_text())
    assert piped.code == 3 and "no column" in piped.err


@pytest.mark.parametrize("command", ["transform", "nearest", "transfer", "score"])
@pytest.mark.parametrize("option", ["--encode", "--x-encode"])
def test_what_a_model_decides_is_no_option(cda, tables, command, option):
    """It knows which columns are encoded, and would not listen."""
    assert cda("fit", "x.csv", "y.csv", "--method", "CDA_M", "-q", "-o", "m.json").code == 0
    tables_of = ["--x", "x.csv"] if command == "transform" else ["--x", "x.csv", "--y", "y.csv"]
    how = {"transfer": ["--target", "t"], "score": ["--paired"]}.get(command, [])
    run = cda(command, "m.json", *tables_of, *how, option, "a")
    assert run.code == 2 and f'there is no option "{option}"' in run.err
    assert "--encode " not in cda(command, "--help").out


def test_an_equals_sign_after_an_unknown_name_or_inside_a_path_means_nothing(cda, tables):
    assert "did you mean --tolerance?" in cda("fit", "x.csv", "y.csv", "--tolerence=").err
    assert "No such file" in cda("fit", "x=", "y.csv").err
    assert "No such file" in cda("fit", "--", "--seed=", "y.csv").err


def test_more_components_than_the_rank_names_the_rank(cda, tables):
    run = cda("fit", "x.csv", "y.csv", "--components", "3", "-o", "model.json")
    assert run.code == 2
    assert "2" in run.err
    assert not (tables / "model.json").exists()


def test_json_errors_are_one_object_on_standard_error(cda, tables):
    error = cda("fit", "x.csv", "y.csv", "--method", "rCDA_W", "--json").error()
    assert list(error) == ["code", "file", "line", "column", "message", "hint"]
    assert error["code"] == "name.unknown" and error["file"] is None and error["line"] is None
    # The form is kept for errors in the command line itself.
    assert cda("fit", "--jsn", "--json").error()["code"] == "option.unknown"


def test_json_and_another_result_do_not_share_standard_output(cda, tables):
    for arguments in (["fit", "x.csv", "y.csv", "-o", "-"], ["transform", "model.json", "--x", "x.csv"]):
        run = cda(*arguments, "--json")
        assert run.code == 2
        assert run.error()["code"] == "usage"


def test_json_errors_carry_the_place(cda, tables):
    (tables / "bad.csv").write_text("a,b\n1,2\n3,oops\n")
    run = cda("fit", "bad.csv", "y.csv", "--json")
    assert run.code == 3
    error = run.error()
    assert (error["file"], error["line"], error["column"]) == ("bad.csv", 3, 2)


def test_list_names_every_method_and_kind(cda):
    lists = cda("list", "--json").json()
    kinds = ["methods", "baselines", "divergences", "formulations", "optimisers", "preparations", "formats", "experiments"]
    assert list(lists) == kinds
    names = [method["name"] for method in lists["methods"]]
    assert set(METHODS) <= set(names)
    for kind in ("baselines", "divergences", "formulations", "optimisers", "preparations", "experiments"):
        assert lists[kind], kind
        for part in lists[kind]:
            assert list(part) == ["name", "summary", "reference", "options"]
            assert part["summary"] and "\n" not in part["summary"], part["name"]
    human = cda("list").out
    for kind, parts in lists.items():
        for part in parts:
            assert part["name"] in human
    only = cda("list", "optimisers", "--json").json()
    assert only == {"optimisers": lists["optimisers"]}
