#include "find/pairs/contrast.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "divergence/quantiles.hpp"
#include "support/samples.hpp"

namespace cda {
namespace {

Sample whitened_sample(Index rows, Index columns, const char* name) {
  const Matrix raw = test::skewed_rows(rows, columns, name);
  std::vector<std::string> names(static_cast<std::size_t>(columns), "c");
  return Sample(PreparedColumns::fit(raw, names, {"whiten"}, nullptr).apply(raw));
}

// C = mean s^2 - 2 mean s_(i) z_i + 1, of which the search sees all but 1 - mean z^2.
TEST(Contrast, OfTheWassersteinDistanceIsTheExactDistanceToTheNormalButForAConstant) {
  const Sample sample = whitened_sample(200, 3, "plain sum");
  const NormalReference reference(sample.size());
  Projection projection(sample, Matrix::Identity(3, 1), Vector::Ones(1));
  Vector values = sample.rows().col(0);
  std::sort(values.begin(), values.end());
  const Vector z = normal_quantiles(200);
  const double exact = values.squaredNorm() / 200.0 - 2.0 * values.dot(z) / 200.0 + 1.0;
  const double constant = 1.0 - z.squaredNorm() / 200.0;
  EXPECT_NEAR(reference.contrast(*divergences().make("wasserstein"), projection, false), exact - constant, 1e-12);
}

class EveryContrast : public testing::TestWithParam<std::string> {};

TEST_P(EveryContrast, HasTheGradientOfItsValue) {
  const Sample sample = whitened_sample(80, 4, "gradient");
  const auto reference = std::make_shared<const NormalReference>(sample.size());
  ComponentProblem posed(sample, reference, divergences().make(GetParam()), Matrix::Identity(4, 4).rightCols(3));
  const Vector point = posed.starts(2, Random(3, "starts")).back();
  posed.tune(point, 1);
  EXPECT_LT(check_gradient(posed.problem(), point), GetParam() == "energy" ? 5e-3 : 1e-5);
}

INSTANTIATE_TEST_SUITE_P(Catalogue, EveryContrast, testing::ValuesIn(divergences().names()),
                         [](const auto& tested) { return tested.param; });

}  // namespace
}  // namespace cda
