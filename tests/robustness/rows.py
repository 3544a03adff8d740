"""The promises about inputs, data, models, the system and hostile names: one row each. Every row has tests of its
number (`@row("B05")`); docs/robustness.md shows the rows with the result of the tests."""
import pytest

# number: (what is given, what happens)
ROWS = {
    # ---- Text tables ----
    "B01": ("a byte order mark at the begin of a CSV file", "skipped; the first column name is clean"),
    "B02": ("lines ending with CRLF, CR, or a mixture", "read as the same numbers as with LF"),
    "B03": ("no line end after the last row", "the row is kept"),
    "B04": ("names with newline, comma or quote inside quotes", "RFC 4180; later messages count physical lines"),
    "B05": ("a quote that is never closed", "exit 3, at the line where it opens"),
    "B06": ("text after a closing quote", "exit 3, at line and column"),
    "B07": ("a row longer than the header", "exit 3, both counts are said"),
    "B08": ("a row shorter than the header", "exit 3, both counts are said"),
    "B09": ("a delimiter at the end of every line", "exit 3, a hint: --ignore-trailing-delimiter, which reads it"),
    "B10": ("a file of 0 bytes", "exit 3: the file is empty"),
    "B11": ("nothing but a byte order mark or line ends", "exit 3: the file is empty"),
    "B12": ("a header without rows", "exit 3: there are no data rows"),
    "B13": ("numbers in the first line", "taken for names, with a warning; --header no decides"),
    "B14": ("two columns of one name", "exit 3, both positions are said; --dedupe-names reads it"),
    "B15": ("a column without a name", "called col_N, with a warning; still has to be unique"),
    "B16": ("blank lines between rows", "skipped, lines still counted; a missing value where there is one column"),
    "B17": ("comment lines", "exit 3 at the line; --comment reads past them"),
    "B18": ("NA, NaN, null, empty cells", "exit 3 with the count per column; --na and --missing say what to do"),
    "B19": ("infinities", "exit 3 at the cell"),
    "B20": ("1e400", "exit 3 at the cell: too large for a double"),
    "B21": ("1e-400, 4.9e-324", "0, and the smallest double"),
    "B22": ("+1, .5, 5., 1E5, -0", "read"),
    "B23": ("0x10, 1_000, 1d5, full-width digits, a typographic minus", "exit 3 at the cell; a hint for the minus"),
    "B24": ("quoted thousands: \"1,234\"", "exit 3, the hint names --thousands, which reads it"),
    "B25": ("semicolons and decimal commas", "exit 3, the hint names --decimal, which reads it"),
    "B26": ("a locale with decimal commas in the environment", "the same bytes as in the C locale"),
    "B27": ("tabs, semicolons, pipes; a tie; spaces", "found out; exit 3 where two are possible: --delimiter"),
    "B28": ("columns of text", "exit 3, all are named at once; --exclude and --only-numeric read the rest"),
    "B29": ("row names in the first column", "exit 3, the hint names --index-column"),
    "B30": ("a field of 200 kB; a line without end", "exit 3, memory stays bounded"),
    "B31": ("100,000 columns", "read; messages stay short"),
    "B32": ("a NUL byte", "exit 3 with its place"),
    "B33": ("binary files under the name of a table", "exit 3, says what the file looks like"),
    "B34": ("Latin-1 bytes", "exit 3 at line and column; --encoding latin1 reads them"),
    "B35": ("UTF-16", "exit 3, said so"),
    "B36": ("broken UTF-8 in a name", "exit 3; never printed raw"),
    "B37": ("gzip: plain, several members, without the suffix", "read, all members"),
    "B38": ("gzip cut short", "exit 3: the stream ends early"),
    "B39": ("gzip with a wrong checksum or bytes after the end", "exit 3"),
    "B40": ("a small file that unpacks to an enormous one", "exit 6 at --max-bytes"),
    "B41": ("zst; zip and xlsx", "zst is read; the others exit 3, named"),
    "B42": ("a path that does not exist", "exit 4, near names are offered"),
    "B43": ("a directory as a table", "exit 4, said so"),
    "B44": ("a file without the right to read it", "exit 4, permission denied"),
    "B45": ("a pipe, /dev/stdin, -", "read once, without seeking"),
    "B46": ("both tables from one stream", "exit 2"),
    "B47": ("a file that changes while it is read", "exit 3, said so"),
    "B48": ("paths with blanks, quotes, newlines, other bytes, dashes, stars", "work, and are shown escaped"),
    "B49": ("one file as both tables", "a warning; divergence near 0"),
    "B50": ("a full disk", "exit 4, nothing left behind, the old file intact"),
    "B51": ("an output that cannot be written", "exit 4 before anything is computed"),
    "B52": ("standard output closed, or a reader that leaves", "exit 4; a broken pipe ends quietly"),
    "B53": ("an output that is an input, also through links", "exit 2, the input intact"),
    "B54": ("kill -9 at any moment of writing", "the old file whole or the new one whole; the next run works"),
    "B55": ("any system call of writing failing once", "never exit 0 with a bad file"),
    # ---- Data ----
    "D01": ("a table of one row", "exit 3, with the number of rows found and needed"),
    "D02": ("two to four rows", "works, with a warning"),
    "D03": ("one column each", "works; directions are 1 or -1"),
    "D04": ("a constant column", "set aside with a warning; its weight is 0"),
    "D05": ("only constant columns", "exit 5, said so"),
    "D06": ("equal rows", "works, with a warning; finite"),
    "D07": ("columns that depend on each other exactly", "works; the rank is said; more components than that: exit 2"),
    "D08": ("columns that depend on each other almost exactly", "the same answer again"),
    "D09": ("numbers up to the largest double", "as for the unscaled table"),
    "D10": ("numbers down to the smallest double", "as for the unscaled table, or a warning"),
    "D11": ("a small spread far from 0", "as for the unshifted table"),
    "D12": ("more columns than rows: 20 x 5000", "works in bounded memory, or exit 6"),
    "D13": ("10 rows against very many", "works in bounded memory"),
    "D14": ("very many rows on both sides", "works within --max-memory, or exit 6 at once"),
    "D15": ("more components than columns, 0, -1, 1e9", "exit 2 with what is allowed"),
    "D16": ("numeric options that are no such numbers", "exit 2, the option is named"),
    "D17": ("the limit of iterations", "a warning and converged: false; exit 5 with --strict"),
    "D18": ("rows in another order", "the same result"),
    "D19": ("columns in another order", "the same weights in that order"),
    "D20": ("X and Y exchanged", "the exchanged result where the measure is symmetric"),
    "D21": ("the sign of a direction", "fixed: the column of X that says most about the pair has a positive loading"),
    "D22": ("the same seed, any number of threads", "the same bytes"),
    "D23": ("arrays of every kind from Python", "the right result or a TypeError; inputs never changed"),
    "D24": ("transform: columns missing, further, in another order", "exit 3, listed; ignored with a warning; by name"),
    # ---- Models and binary formats ----
    "J01": ("a model cut short, not JSON, empty", "exit 3 with line and column"),
    "J02": ("a model of a newer or no format version", "exit 3, both versions are said"),
    "J03": ("a wrong kind, a field missing or unknown", "exit 3, the field is named; unknown ones are a warning"),
    "J04": ("sizes that contradict each other, negative, 1e18", "exit 3 before memory is asked for"),
    "J05": ("null, text, 1e999 as a weight; keys twice; deep nesting", "exit 3"),
    "J06": ("one changed byte anywhere in a model", "exit 3"),
    "J07": ("a pickle as a model", "exit 3, never loaded"),
    "J08": ("NPY: versions 1 to 3, both orders; objects, evil headers, huge shapes, cut short", "read, or exit 3"),
    "J09": ("HDF5, h5ad: nothing in it, bad sparse indices, links to other files, loops", "exit 3, the part is named"),
    "J10": ("MATLAB files: several matrices, none, versions 4 to 7.3", "read, or exit 3 with the list of variables"),
    "J11": ("Parquet: cut short, nested, missing values, no rows", "read, or exit 3 with the file's name"),
    # ---- The system ----
    "S01": ("Ctrl-C once and twice", "exit 130 within a second, nothing left behind; --keep-partial keeps"),
    "S02": ("SIGTERM, SIGHUP; Ctrl-C under Python", "exit 143, 129; KeyboardInterrupt"),
    "S03": ("too little memory, or an allocation failing anywhere", "exit 6, never a crash"),
    "S04": ("few file descriptors, no threads", "works with fewer threads and a warning"),
    "S05": ("no HOME, no TZ, a dumb terminal, no terminal", "works"),
    # ---- Hostile names and paths ----
    "X01": ("names with markup", "shown as text in the report, nothing runs"),
    "X02": ("names with escape sequences, turned direction, no width", "escaped on the terminal"),
    "X03": ("names that a spreadsheet takes for formulas", "made harmless in CSV output; numbers are untouched"),
    "X04": ("names that look like paths", "files are never named after data"),
    "X05": ("an output through .. or a link", "written where it leads; the link stays"),
    "X06": ("a report of a million points", "aggregated, small"),
    "X07": ("MPI: one rank in trouble", "the whole job ends with one message"),
    "X08": ("fork after a fit, many Python threads, joblib", "no hang, the same results"),
}

# What the product does not have yet. A test that needs it skips and says so; test_rows.py notices when it has arrived.
# Options are looked up in the help of the command; the others have to be taken away from here by hand.
ABSENT = {
    "report": "the report",
    "python": "the Python module",
    "mpi": "MPI",
}


def row(number):
    """Marks a test as one of a row of the table."""
    if number not in ROWS:
        raise KeyError(f"there is no row {number}")
    return pytest.mark.row(number)


def needs(part):
    """Skips where the product lacks this part; rows with skipped tests only are shown as not applicable yet."""
    if part in ABSENT:
        pytest.skip(f"not applicable yet: {ABSENT[part]}")
