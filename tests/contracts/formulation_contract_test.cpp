// Every divergence in every formulation under every rule for the scale: the problem posed has the gradient of its
// value, starts on its set, and leaves earlier pairs alone.
#include <gtest/gtest.h>

#include <cmath>

#include "support/samples.hpp"

using namespace cda;
using cda::test::skewed_rows;

namespace {

using Combination = std::tuple<std::string, std::string, std::string>;  // divergence, formulation, scale

class EveryProblem : public testing::TestWithParam<Combination> {};

TEST_P(EveryProblem, HasTheGradientOfItsValue) {
  const auto& [divergence, formulation, scale] = GetParam();
  const Sample x(skewed_rows(60, 5, "x")), y(skewed_rows(45, 4, "y"));
  const Comparison comparison{x, y, divergences().make(divergence), ScaleRule::parse(scale), 1};
  const auto formulated = formulations().make(formulation);
  Directions found{Matrix::Identity(5, 1), Matrix::Identity(4, 1), Vector::Ones(1)};
  PairProblem posed = formulated->pose(comparison, found, 2);
  const std::vector<Vector> starts = posed.starts(3, Random(1, "starts"));
  const Vector point = starts.back();
  posed.tune(point);
  const bool kinked = divergence == "energy" || divergence.find("order=1") != std::string::npos;
  EXPECT_LT(check_gradient(posed.problem(), point), kinked ? 5e-3 : 1e-5);
}

TEST_P(EveryProblem, KeepsNewDirectionsOrthogonalToEarlierOnesAndStartsOnItsSet) {
  const auto& [divergence, formulation, scale] = GetParam();
  const Sample x(skewed_rows(60, 5, "x")), y(skewed_rows(45, 4, "y"));
  const Comparison comparison{x, y, divergences().make(divergence), ScaleRule::parse(scale), 1};
  const auto formulated = formulations().make(formulation);
  Random random(4, "found");
  Directions found{random.normals(5, 2), random.normals(4, 2), Vector::Ones(2)};
  const PairProblem posed = formulated->pose(comparison, found, 2);
  for (const Vector& start : posed.starts(3, Random(1, "starts"))) {
    const Directions at = posed.directions(start);
    if (!formulated->joint()) {
      EXPECT_LT((found.x.transpose() * at.x).norm(), 1e-12);
      EXPECT_LT((found.y.transpose() * at.y).norm(), 1e-12);
    }
    const Index r = at.pairs();
    EXPECT_LT((at.x.transpose() * at.x - Matrix::Identity(r, r)).norm(), 1e-12);
    EXPECT_LT((posed.point(at) - start).norm(), 1e-12);
    EXPECT_GT(at.scales.minCoeff(), 0.0);
  }
}

std::string test_name(const testing::TestParamInfo<Combination>& info) {
  std::string name = std::get<0>(info.param) + "__" + std::get<1>(info.param) + "__" + std::get<2>(info.param);
  for (char& c : name)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  return name;
}

std::vector<std::string> divergences_to_pose() {
  std::vector<std::string> all = divergences().names();
  for (const char* variant : {"extended_mallows:order=1", "quadratic:estimator=paper,bandwidth=paper",
                              "pearson:estimate=paper,constant=no,combine=sum,bandwidth=paper"})
    all.emplace_back(variant);
  return all;
}

std::vector<std::string> formulations_to_pose() {
  std::vector<std::string> all = formulations().names();
  all.emplace_back("reconstruction:cost=paper");
  all.emplace_back("multi_dimensional_reconstruction:cost=paper");
  return all;
}

INSTANTIATE_TEST_SUITE_P(Catalogue, EveryProblem,
                         testing::Combine(testing::ValuesIn(divergences_to_pose()),
                                          testing::ValuesIn(formulations_to_pose()),
                                          testing::Values("lemma", "optimised", "0.8")),
                         test_name);

TEST(LemmaScale, CountsEntriesThatAreNotZeroToRounding) {
  Matrix u = Matrix::Ones(6, 1), v = Matrix::Ones(3, 1);
  EXPECT_DOUBLE_EQ(lemma_scales(u, v)[0], std::sqrt(2.0));
  u(0, 0) = 1e-12;
  u(1, 0) = 0.0;
  EXPECT_DOUBLE_EQ(lemma_scales(u, v)[0], std::sqrt(4.0 / 3.0));
}

TEST(ScaleRule, RefusesWhatIsNeitherARuleNorAPositiveNumber) {
  for (const char* wrong : {"", "0", "-1", "nan", "inf", "1e999", "lema", "2x"})
    EXPECT_THROW(ScaleRule::parse(wrong), Error) << wrong;
}

}  // namespace
