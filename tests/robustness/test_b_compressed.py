"""B37 to B41: compressed tables are read whole or refused."""
import gzip
import io
import random
import subprocess
import zipfile

import pytest
from box import QUICK, X
from rows import row

LINES = X.splitlines(keepends=True)


def long_table(rows=4000):
    """Numbers that do not compress away, so that a cut falls into the middle of them."""
    numbers = random.Random(5)
    return "a,b,c\n" + "".join(",".join(repr(numbers.random()) for _ in "abc") + "\n" for _ in range(rows))


@row("B37")
@pytest.mark.parametrize("name", ["x.csv.gz", "x.gz", "x.csv"])
def test_b37_gzip_is_known_by_its_bytes(box, name):
    box.reads_as(gzip.compress(X.encode()), X, name=name)


@row("B37")
@pytest.mark.parametrize("cuts", [(3,), (1, 2, 9), tuple(range(1, len(LINES)))], ids=["two", "four", "one per line"])
def test_b37_all_members_are_read(box, cuts):
    edges = [0, *cuts, len(LINES)]
    members = ["".join(LINES[begin:end]) for begin, end in zip(edges, edges[1:])]
    box.reads_as(b"".join(gzip.compress(text.encode()) for text in members), X, name="x.csv.gz")


@row("B37")
def test_b37_a_member_may_end_in_the_middle_of_a_number(box):
    half = len(X) // 2
    box.reads_as(gzip.compress(X[:half].encode()) + gzip.compress(X[half:].encode()), X, name="x.csv.gz")


@row("B37")
def test_b37_gzip_on_standard_input(box):
    box.write("plain.csv", X)
    assert box.projected("-", stdin=gzip.compress(X.encode())) == box.projected("plain.csv")


@row("B37")
def test_b37_places_are_those_of_the_unpacked_text(box):
    box.write("x.csv.gz", gzip.compress(b"a,b\n1,2\n3,oops\n"))
    box.refused("fit", "x.csv.gz", "y.csv", *QUICK, code=3, says='"oops"', place=(3, 2), file="x.csv.gz")


@row("B38")
@pytest.mark.parametrize("share", [0.1, 0.5, 0.9, 0.999])
def test_b38_a_stream_cut_short_is_never_a_shorter_table(box, share):
    whole = gzip.compress(long_table().encode())
    box.write("x.csv.gz", whole[: int(len(whole) * share)])
    box.refused("fit", "x.csv.gz", "y.csv", *QUICK, "-o", "new.json", code=3, says="ends early", file="x.csv.gz")


@row("B38")
@pytest.mark.parametrize("missing", range(1, 9))
def test_b38_the_end_of_the_stream_counts_too(box, missing):
    box.write("x.csv.gz", gzip.compress(X.encode())[:-missing])
    box.refused("fit", "x.csv.gz", "y.csv", *QUICK, code=3, says="ends early|gzip", file="x.csv.gz")


@row("B38")
@pytest.mark.parametrize("length", [2, 5, 9, 12])
def test_b38_a_stream_of_a_few_bytes(box, length):
    box.write("x.csv.gz", gzip.compress(X.encode())[:length])
    box.refused("fit", "x.csv.gz", "y.csv", *QUICK, code=3, says="ends early|gzip", file="x.csv.gz")


@row("B39")
@pytest.mark.parametrize("place", [-8, -5, -4, -1, 30], ids=["sum", "sum", "length", "length", "data"])
def test_b39_a_wrong_checksum(box, place):
    packed = bytearray(gzip.compress(X.encode()))
    packed[place] ^= 0x55
    box.write("x.csv.gz", bytes(packed))
    box.refused("fit", "x.csv.gz", "y.csv", *QUICK, code=3, says="gzip|checksum|damaged", file="x.csv.gz")


@row("B39")
@pytest.mark.parametrize("rest", [b"garbage", b"\x00\x01", b"\x1f\x8b", b"\x1f\x8b\x08broken"])
def test_b39_bytes_after_the_end(box, rest):
    box.write("x.csv.gz", gzip.compress(X.encode()) + rest)
    box.refused("fit", "x.csv.gz", "y.csv", *QUICK, code=3, says="gzip", file="x.csv.gz")


def bomb(size):
    """Very many equal lines in very few bytes."""
    packed = io.BytesIO()
    with gzip.GzipFile(fileobj=packed, mode="wb", compresslevel=9) as file:
        file.write(b"a,b\n")
        block = b"1,2\n" * (1 << 18)
        for _ in range(size >> 20):
            file.write(block)
    return packed.getvalue()


@row("B40")
def test_b40_a_bomb_is_given_up_at_the_limit(box):
    box.write("x.csv.gz", bomb(200 << 20))
    assert box.path("x.csv.gz").stat().st_size < 1 << 20
    arguments = ["fit", "x.csv.gz", "y.csv", *QUICK, "--max-bytes", "10000000"]
    box.refused(*arguments, code=6, says="--max-bytes|10000000", file="x.csv.gz")


@row("B40")
def test_b40_the_limit_can_be_met_exactly(box):
    box.write("x.csv.gz", gzip.compress(X.encode()))
    box.write("plain.csv", X)
    assert box.projected("x.csv.gz", "--max-bytes", str(len(X))) == box.projected("plain.csv")
    box.refused(
        "transform", "model.json", "--x", "x.csv.gz", "-o", "o.csv", "--max-bytes", str(len(X) - 1), code=6, says="byte"
    )


@row("B40")
@pytest.mark.parametrize("limit", ["0", "-1", "many", "1e999"])
def test_b40_limits_that_are_none(box, limit):
    box.write("x.csv", X)
    box.refused("fit", "x.csv", "y.csv", *QUICK, "--max-bytes", limit, code=2, says="--max-bytes")


def zstandard(content):
    return subprocess.run(["zstd", "-q", "-c"], input=content, capture_output=True, check=True).stdout


@row("B41")
@pytest.mark.parametrize("name", ["x.csv.zst", "x.csv"])
def test_b41_zstandard_is_read(box, name):
    box.reads_as(zstandard(X.encode()), X, name=name)


@row("B41")
def test_b41_zstandard_frames_follow_each_other(box):
    half = len(X) // 2
    box.reads_as(zstandard(X[:half].encode()) + zstandard(X[half:].encode()), X, name="x.csv.zst")


@row("B41")
@pytest.mark.parametrize("share", [0.3, 0.9, 0.999])
def test_b41_zstandard_cut_short(box, share):
    whole = zstandard(long_table().encode())
    box.write("x.csv.zst", whole[: int(len(whole) * share)])
    box.refused("fit", "x.csv.zst", "y.csv", *QUICK, code=3, says="ends early|[Zz]st", file="x.csv.zst")


@row("B41")
def test_b41_zstandard_damaged(box):
    packed = bytearray(zstandard(long_table(200).encode()))
    packed[len(packed) // 2] ^= 0xFF
    box.write("x.csv.zst", bytes(packed))
    box.refused("fit", "x.csv.zst", "y.csv", *QUICK, code=3, says="", file="x.csv.zst")


@row("B41")
@pytest.mark.parametrize("name, inside", [("x.zip", "x.csv"), ("x.csv", "x.csv"), ("x.xlsx", "xl/workbook.xml")])
def test_b41_archives_and_spreadsheets_are_named_and_refused(box, name, inside):
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        if inside.startswith("xl/"):
            archive.writestr("[Content_Types].xml", "<Types/>")
        archive.writestr(inside, X)
    box.write(name, packed.getvalue())
    box.refused("fit", name, "y.csv", *QUICK, code=3, says="(?i)zip|xlsx|spreadsheet", file=name)
