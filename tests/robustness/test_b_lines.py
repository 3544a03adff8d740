"""B01 to B17: the form of a text table. Exact or refused, with the place; never a silent shift."""
import pytest
from box import X, Y
from rows import row

LINES = X.splitlines()


@row("B01")
def test_b01_a_byte_order_mark_is_no_part_of_the_first_name(box):
    box.reads_as(b"\xef\xbb\xbf" + X.encode(), X)
    box.reads_as(b"\xef\xbb\xbf" + X.replace("a,b,c", '"a",b,c').encode(), X)


@row("B02")
@pytest.mark.parametrize("ends", [["\r\n"], ["\r"], ["\n", "\r\n", "\r"]], ids=["CRLF", "CR", "mixed"])
def test_b02_line_ends(box, ends):
    text = "".join(line + ends[number % len(ends)] for number, line in enumerate(LINES))
    box.reads_as(text, X)


@row("B02")
@pytest.mark.parametrize("end", ["\r\n", "\r"], ids=["CRLF", "CR"])
def test_b02_lines_are_counted_with_every_line_end(box, end):
    box.refused_table(end.join(["a,b", "1,2", "3,oops", "5,6"]) + end, says='expected a number .*"oops"', place=(3, 2))


@row("B03")
@pytest.mark.parametrize("end", ["\n", "\r\n"], ids=["LF", "CRLF"])
def test_b03_the_last_row_needs_no_line_end(box, end):
    box.reads_as(end.join(LINES), X)


@row("B04")
@pytest.mark.parametrize("name", ["a\nb", "a\r\nb", "a,b", 'a"b', '"', ", ", 'a "quoted" name, with\nall'])
def test_b04_a_quoted_name_may_hold_anything(box, name):
    field = '"' + name.replace('"', '""') + '"'
    box.write("x.csv", X.replace("a,b,c", field + ",b,c"))
    assert box.fitted("x.csv", "y.csv", "--method", "CDA_M")["x"]["columns"] == [name, "b", "c"]


@row("B04")
def test_b04_lines_are_physical_also_after_quoted_newlines(box):
    box.refused_table('"a\nb\r\nc",d\n1,2\n"3",4\n5,oops\n', says='"oops"', place=(6, 2))


@row("B05")
@pytest.mark.parametrize(
    "content, place",
    [
        ('a,b\n1,2\n3,"4\n5,6\n7,8\n', (3, 2)),
        ('a,"b\n1,2\n', (1, 2)),
        ('a,b\n"1,2\n3,4\n', (2, 1)),
        ('a,b\n1,"2""\n', (2, 2)),
        ('a,b\n1,"', (2, 2)),
    ],
)
def test_b05_an_open_quote_is_shown_where_it_opens(box, content, place):
    box.refused_table(content, says="quote opens here", place=place)


@row("B06")
@pytest.mark.parametrize(
    "content, place",
    [
        ('a,b\n1,2\n"3"x,4\n', (3, 1)),
        ('a,b\n1,"2" \n', (2, 2)),
        ('a,b\n1,"2"3\n', (2, 2)),
        ('"a"b,c\n1,2\n', (1, 1)),
        ('a,b\n1,2"3"\n', (2, 2)),
    ],
)
def test_b06_text_beside_quotes_is_refused(box, content, place):
    box.refused_table(content, says="quote", place=place)


@row("B07")
@pytest.mark.parametrize(
    "content, line", [("a,b\n1,2\n3,4,5\n", 3), ("a,b\n1,2,3\n4,5,6\n", 2), ("a,b\n1,2\n\n3,4,5\n", 4)]
)
def test_b07_a_longer_row(box, content, line):
    box.refused_table(content, says="row has 3 fields, header has 2", place=(line, 0))


@row("B08")
@pytest.mark.parametrize("content, line", [("a,b,c\n1,2,3\n4,5\n", 3), ("a,b,c\n1,2\n", 2)])
def test_b08_a_shorter_row(box, content, line):
    box.refused_table(content, says="row has 2 fields, header has 3", place=(line, 0))


@row("B09")
@pytest.mark.parametrize("header", ["a,b,c", "a,b,c,"], ids=["rows only", "header too"])
def test_b09_trailing_delimiters_never_shift_columns(box, header):
    text = header + "\n" + "".join(line + ",\n" for line in LINES[1:])
    box.refused_table(text, says="", hint="--ignore-trailing-delimiter", place=(2, 0))
    box.reads_as(text, X, "--ignore-trailing-delimiter")


@row("B10")
def test_b10_an_empty_file(box):
    box.refused_table("", says="the file is empty", place=(0, 0))


@row("B11")
@pytest.mark.parametrize("content", [b"\xef\xbb\xbf", b"\n", b"\n\n\n", b"\r\n\r\n", b"\r", b"\xef\xbb\xbf\n\n"])
def test_b11_nothing_but_a_mark_or_line_ends(box, content):
    box.refused_table(content, says="the file is empty", place=(0, 0))


@row("B12")
@pytest.mark.parametrize("content", ["a,b", "a,b\n", "a,b\r\n\r\n", "a\n"])
def test_b12_a_header_without_rows(box, content):
    box.refused_table(content, says="no data rows", place=(0, 0))


@row("B13")
def test_b13_numbers_in_the_first_line_are_names_with_a_warning(box):
    rows = LINES[1:]
    box.write("x.csv", "\n".join(rows) + "\n")
    result = box.warned("x.csv", "y.csv", "--method", "CDA_M", says="first line.*--header no")
    assert result["x"]["rows"] == len(rows) - 1
    decided = box.fitted("x.csv", "y.csv", "--method", "CDA_M", "--x-header", "no")
    assert decided["x"]["rows"] == len(rows) and decided["x"]["columns"] == ["col_1", "col_2", "col_3"]
    assert decided["warnings"] == box.fitted("x.csv", "y.csv", "--method", "CDA_M", "--x-header", "no")["warnings"]
    assert not any("first line" in text for text in decided["warnings"])


@row("B14")
@pytest.mark.parametrize("header, both", [("a,b,a", "columns 1 and 3"), ('b,"a", a ', "columns 2 and 3")])
def test_b14_two_columns_of_one_name(box, header, both):
    text = X.replace("a,b,c", header)
    box.refused_table(text, says=both + '.*"a"', hint="--dedupe-names")
    result = box.fitted("x.csv", "y.csv", "--method", "CDA_M", "--dedupe-names")
    assert sorted(result["x"]["columns"]) == ["a", "a_2", "b"]


@row("B14")
def test_b14_a_name_made_unique_does_not_hit_another(box):
    box.write("x.csv", X.replace("a,b,c", "a,a_2,a"))
    result = box.fitted("x.csv", "y.csv", "--method", "CDA_M", "--dedupe-names")
    assert result["x"]["columns"] == ["a", "a_2", "a_3"]


@row("B15")
@pytest.mark.parametrize("header", ["a,,c", 'a,"",c', "a,  ,c"])
def test_b15_a_column_without_a_name_gets_one(box, header):
    box.write("x.csv", X.replace("a,b,c", header))
    result = box.warned("x.csv", "y.csv", "--method", "CDA_M", says="column 2 has no name.*col_2")
    assert result["x"]["columns"] == ["a", "col_2", "c"]


@row("B15")
def test_b15_the_name_given_has_to_be_unique(box):
    box.refused_table(X.replace("a,b,c", "col_2,,c"), says='columns 1 and 2.*"col_2"')


@row("B16")
@pytest.mark.parametrize("end", ["\n", "\r\n"], ids=["LF", "CRLF"])
def test_b16_blank_lines_are_skipped(box, end):
    blank = [LINES[0], "", *LINES[1:4], "", "", *LINES[4:], "", ""]
    box.reads_as(end.join(blank) + end, X)


@row("B16")
def test_b16_lines_are_counted_across_blank_ones(box):
    box.refused_table("a,b\n\n1,2\n\n\n3,oops\n", says='"oops"', place=(6, 2))


@row("B16")
def test_b16_a_blank_line_of_one_column_is_a_missing_value(box):
    box.refused_table("a\n1\n\n3\n\n\n6\n", says='3 cells are missing.*"a"')


@row("B17")
@pytest.mark.parametrize(
    "text, place",
    [(X.replace("\n", "\n# a remark\n", 1), (2, 0)), (X.replace("\n", "\n# one, and, two\n", 1), (2, 1))],
    ids=["of other length", "of equal length"],
)
def test_b17_comment_lines_have_to_be_asked_for(box, text, place):
    box.refused_table(text, says="", hint="--comment", place=place)
    box.reads_as(text, X, "--comment", "#")


@row("B17")
def test_b17_comments_before_the_header(box):
    box.refused_table("# made yesterday\n" + X, says="")
    box.reads_as("# made yesterday\n#\n" + X, X, "--comment", "#")
    assert Y == box.path("y.csv").read_text()
