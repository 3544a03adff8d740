"""The methods to compare with, computed once more by NumPy, SciPy and scikit-learn."""
import numpy
import pytest

pytestmark = pytest.mark.slow

linalg = pytest.importorskip("scipy.linalg")
from scipy.optimize import linear_sum_assignment  # noqa: E402
from scipy.spatial.distance import cdist  # noqa: E402
from scipy.stats import skew  # noqa: E402
from sklearn.cross_decomposition import CCA  # noqa: E402
from sklearn.decomposition import PCA  # noqa: E402
from sklearn.linear_model import Ridge  # noqa: E402

COLUMNS = 4


@pytest.fixture
def fitted(cda, tmp_path):
    """Fits a method to two tables and gives back what the model makes of their rows, and its figures."""

    def fit(method, x, y, components):
        names = ",".join("abcdefgh"[: x.shape[1]]), ",".join("abcdefgh"[: y.shape[1]])
        for table, header, name in zip((x, y), names, "xy"):
            numpy.savetxt(tmp_path / f"{name}.csv", table, delimiter=",", header=header, comments="", fmt="%.17g")
        run = cda("fit", "x.csv", "y.csv", "--method", method, "--components", components, "--json", "-o", "model.json")
        assert run.code == 0, run.err
        values = []
        for name in "xy":
            out = cda("transform", "model.json", f"--{name}", f"{name}.csv")
            assert out.code == 0, out.err
            values.append(numpy.loadtxt(out.out.splitlines(), delimiter=",", skiprows=1, ndmin=2))
        return *values, numpy.array([pair["objective"] for pair in run.json()["pairs"]])

    return fit


def tables(seed, rows=(120, 120), shared=True):
    """Two tables of the same skewed sources in other mixtures, or of sources of their own."""
    random = numpy.random.default_rng(seed)
    sources = random.gamma(2.0, size=(max(rows), COLUMNS))
    others = sources if shared else random.gamma(1.0, size=(max(rows), COLUMNS))
    x = sources[: rows[0]] @ random.normal(size=(COLUMNS, COLUMNS)) + 0.3 * random.normal(size=(rows[0], COLUMNS))
    y = others[: rows[1]] @ random.normal(size=(COLUMNS, COLUMNS)) + 0.3 * random.normal(size=(rows[1], COLUMNS))
    return x, y + 1.0


def standardised(table):
    return (table - table.mean(axis=0)) / table.std(axis=0)


def columns_agree(found, expected, tolerance):
    """The same values but for the sign and scale of each column."""
    for j in range(found.shape[1]):
        assert abs(numpy.corrcoef(found[:, j], expected[:, j])[0, 1]) == pytest.approx(1.0, abs=tolerance), j


def test_cca_is_that_of_scikit_learn_and_of_the_generalised_eigenvalues(fitted):
    x, y = tables(1)
    x_values, y_values, correlations = fitted("CCA", x, y, 3)
    by_sklearn = CCA(n_components=3, max_iter=10000, tol=1e-14).fit(x, y).transform(x, y)
    columns_agree(x_values, by_sklearn[0], 1e-8)
    columns_agree(y_values, by_sklearn[1], 1e-8)
    a, b, n = standardised(x), standardised(y), len(x)
    blocks = numpy.block([[0 * (a.T @ a), a.T @ b], [b.T @ a, 0 * (b.T @ b)]]) / n
    variances = linalg.block_diag(a.T @ a, b.T @ b) / n
    assert correlations == pytest.approx(linalg.eigh(blocks, variances)[0][::-1][:3], abs=1e-6)  # kappa is 1e-8


def test_regularised_cca_solves_its_own_eigenvalue_problem(fitted):
    x, y = tables(2)
    _, _, correlations = fitted("CCA:kappa=0.2", x, y, 3)
    a, b, n = standardised(x), standardised(y), len(x)
    blocks = numpy.block([[0 * (a.T @ a), a.T @ b], [b.T @ a, 0 * (b.T @ b)]]) / n
    variances = linalg.block_diag(a.T @ a, b.T @ b) / n + 0.2 * numpy.eye(2 * COLUMNS)
    assert correlations == pytest.approx(linalg.eigh(blocks, variances)[0][::-1][:3], abs=1e-10)


def test_pca_is_that_of_scikit_learn_with_signs_by_skewness(fitted):
    x, y = tables(3, rows=(150, 90), shared=False)
    for values, table in zip(fitted("PCA", x, y, 3)[:2], (x, y)):
        columns_agree(values, PCA(n_components=3, whiten=True).fit_transform(standardised(table)), 1e-10)
        assert values.std(axis=0) == pytest.approx(numpy.ones(3), rel=1e-9)
        assert (skew(values) > 0.0).all()


def kernel_matrix(kernel, rows):
    if kernel == "linear":
        return rows @ rows.T
    distances = cdist(rows, rows)
    return numpy.exp(-0.5 * (distances / 1.7) ** 2) if kernel == "rbf" else numpy.exp(-distances / 1.7)


@pytest.mark.parametrize("kernel", ["linear", "rbf", "laplace"])
def test_tca_is_the_leading_part_of_the_whole_kernel_matrix(fitted, kernel):
    x, y = tables(4, rows=(70, 50), shared=False)
    width = "" if kernel == "linear" else ",width=1.7"
    x_values, y_values, figures = fitted(f"TCA:kernel={kernel},mu=0.5{width}", x, y, 3)
    rows = standardised(numpy.vstack([x, y]))
    total = len(rows)
    k = kernel_matrix(kernel, rows)
    means = numpy.concatenate([numpy.full(len(x), 1 / len(x)), numpy.full(len(y), -1 / len(y))])
    centring = numpy.eye(total) - 1.0 / total
    left = k @ numpy.outer(means, means) @ k + 0.5 * numpy.eye(total)
    eigenvalues, coefficients = linalg.eigh(k @ centring @ k, left)
    assert figures == pytest.approx(eigenvalues[::-1][:3], rel=1e-6)
    columns_agree(numpy.vstack([x_values, y_values]), k @ coefficients[:, ::-1][:, :3], 1e-7)


def ridge_predictors(rows, penalty):
    """Each column from all others, by scikit-learn."""
    weights = numpy.zeros((COLUMNS, COLUMNS))
    for pivot in range(COLUMNS):
        others = [j for j in range(COLUMNS) if j != pivot]
        ridge = Ridge(alpha=penalty * len(rows), fit_intercept=False, solver="cholesky")
        weights[others, pivot] = ridge.fit(rows[:, others], rows[:, pivot]).coef_
    return weights


PENALTIES = 10.0 ** numpy.arange(-4, 2)


def test_scl_is_the_space_of_scikit_learns_ridge_predictors(fitted):
    x, y = tables(5, rows=(90, 60), shared=False)
    x_values, y_values, figures = fitted("SCL", x, y, 2)
    a, b = standardised(x), standardised(y)
    spaces = [numpy.linalg.svd(ridge_predictors(numpy.vstack([a, b]), penalty)) for penalty in PENALTIES]
    chosen = min(spaces, key=lambda space: numpy.abs(space[1][:2] - figures).max())  # the penalty is cross-validated
    assert figures == pytest.approx(chosen[1][:2], abs=1e-9)
    columns_agree(x_values, a @ chosen[0][:, :2], 1e-9)
    columns_agree(y_values, b @ chosen[0][:, :2], 1e-9)


def test_dac_is_the_common_space_of_both_tables_ridge_predictors(fitted):
    x, y = tables(6, rows=(90, 60), shared=False)
    x_values, y_values, figures = fitted("DAC", x, y, 2)
    a, b = standardised(x), standardised(y)
    spaces = [numpy.linalg.svd(numpy.vstack([ridge_predictors(a, of_x), ridge_predictors(b, of_y)]))
              for of_x in PENALTIES for of_y in PENALTIES]
    chosen = min(spaces, key=lambda space: numpy.abs(space[1][:2] - figures).max())
    assert figures == pytest.approx(chosen[1][:2], abs=1e-9)
    columns_agree(x_values, a @ chosen[0][:COLUMNS, :2], 1e-9)
    columns_agree(y_values, b @ chosen[0][COLUMNS:, :2], 1e-9)


def penalised_canonical_directions(a, b):
    """Of rows that belong together: both sides stacked, two pairs."""
    a, b, n = a - a.mean(axis=0), b - b.mean(axis=0), len(a)
    variances = [side.T @ side / n + 0.05 * numpy.mean(side**2) * numpy.eye(COLUMNS) for side in (a, b)]
    nothing = numpy.zeros((COLUMNS, COLUMNS))
    blocks = numpy.block([[nothing, a.T @ b], [b.T @ a, nothing]]) / n
    return linalg.eigh(blocks, linalg.block_diag(*variances))[1][:, ::-1][:, :2]


@pytest.mark.parametrize("rows", [(60, 60), (50, 70)])
def test_ssc_ends_where_scipys_assignment_and_its_own_directions_agree(fitted, rows):
    x, y = tables(8, rows=rows)
    x_values, y_values, _ = fitted("SSC:kappa=0.05", x, y, 2)
    a, b = standardised(x), standardised(y)
    random = numpy.random.default_rng(0)
    agreement = []
    # Values count from the means of the rows that are matched. Which these are among the more rows of Y the model does
    # not tell: where matching and means agree there may be several such, and one of them has to be that of the model.
    for _ in range(100):
        of_x, of_y = numpy.arange(rows[0]), random.permutation(rows[1])[: rows[0]]
        for _ in range(20):
            from_x, from_y = x_values - x_values[of_x].mean(axis=0), y_values - y_values[of_y].mean(axis=0)
            of_x, of_y = linear_sum_assignment(cdist(from_x, from_y, "sqeuclidean"))
        again = penalised_canonical_directions(a[of_x], b[of_y])
        found = numpy.hstack([x_values.T, y_values.T])
        expected = numpy.hstack([(a @ again[:COLUMNS]).T, (b @ again[COLUMNS:]).T])
        agreement.append(min(abs(numpy.corrcoef(found[j], expected[j])[0, 1]) for j in range(2)))
    assert max(agreement) == pytest.approx(1.0, abs=1e-8)


def squared_loss_information(u, v, seed=0):
    """Suzuki and Sugiyama's estimate with kernels about 100 of the pairs, written down plainly."""
    centres = numpy.random.default_rng(seed).permutation(len(u))[:100]
    both = numpy.hstack([u, v])
    sigma = numpy.median(cdist(both[centres], both[centres])[numpy.triu_indices(len(centres), 1)])
    k_u = numpy.exp(-0.5 * cdist(u, u[centres], "sqeuclidean") / sigma**2)
    k_v = numpy.exp(-0.5 * cdist(v, v[centres], "sqeuclidean") / sigma**2)
    h = (k_u * k_v).mean(axis=0)
    second = (k_u.T @ k_u) * (k_v.T @ k_v) / len(u) ** 2
    theta = numpy.linalg.solve(second + 1e-2 * numpy.eye(len(h)), h)
    return h @ theta - 0.5 * theta @ second @ theta - 0.5


def test_lscca_finds_more_information_than_cca_where_the_relation_is_no_line(fitted):
    random = numpy.random.default_rng(9)
    hidden = random.normal(size=300)
    x = random.normal(size=(300, COLUMNS))
    y = random.normal(size=(300, COLUMNS))
    x[:, 1] = hidden
    y[:, 2] = hidden**2 - 1.0 + 0.1 * random.normal(size=300)
    told = {}
    for method in ("LSCCA:scouts=300", "CCA"):
        u, v, _ = fitted(method, x, y, 1)
        told[method[:3]] = squared_loss_information(u / u.std(), v / v.std())
    truth = squared_loss_information(x[:, 1:2], y[:, 2:3] / y[:, 2].std())
    assert told["LSC"] > 0.9 * truth > 3.0 * told["CCA"]
