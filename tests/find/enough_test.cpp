// It is enough: a fit told so ends with a whole model of what it has, at whatever moment that is.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>

#include "support/samples.hpp"

using namespace cda;
using cda::test::all_methods;
using cda::test::skewed_rows;

namespace {

struct Told {
  std::shared_ptr<std::atomic<int>> asked = std::make_shared<std::atomic<int>>(0);
  // Enough from the `patience`-th question on.
  std::function<std::string()> after(int patience) const {
    return [count = asked, patience]() -> std::string { return ++*count > patience ? "time limit" : ""; };
  }
};

class EnoughForEveryMethod : public testing::TestWithParam<std::string> {};

TEST_P(EnoughForEveryMethod, KeepsTheBestSoFarWheneverItIsTold) {
  const Table x = make_table(skewed_rows(80, 5, "x")), y = make_table(skewed_rows(70, 4, "y"), {}, "y");
  FitOptions options{.method = GetParam(), .components = 3, .starts = 6, .refined = 2, .threads = 1};
  const Told never;
  options.stopping.enough = never.after(1000000000);
  const Model whole = fit(x, y, options);
  EXPECT_TRUE(whole.stopped.empty());
  const int questions = *never.asked;
  ASSERT_GT(questions, 4);
  for (int share = 0; share < 8; ++share) {
    const int patience = questions * share / 8;
    options.stopping.enough = Told().after(patience);
    const Model model = fit(x, y, options);
    SCOPED_TRACE(patience);
    EXPECT_EQ(model.stopped, "time limit");
    ASSERT_GE(model.pairs.size(), 1U);
    EXPECT_LE(model.pairs.size(), whole.pairs.size());
    if (share == 0) {
      EXPECT_EQ(model.pairs[0].stopped, "time limit");
    }
    EXPECT_TRUE(model.transform(Side::x, x).allFinite());
    EXPECT_TRUE(model.transform(Side::y, y).allFinite());
    for (const Pair& pair : model.pairs) {
      EXPECT_TRUE(std::isfinite(pair.objective));
      EXPECT_FALSE(pair.converged && pair.stopped == "time limit");
    }
    EXPECT_EQ(
        std::count(model.warnings.begin(), model.warnings.end(),
                   "the fit ended early (time limit): " +
                       std::string(model.pairs.size() == 1 ? "1 pair" : std::to_string(model.pairs.size()) + " pairs") +
                       " kept, the best found so far"),
        1);
    const std::string bytes = model.to_json();
    EXPECT_EQ(Model::from_json(bytes).to_json(), bytes);
  }
  // Asked to the end, but never told: the same bytes as without.
  options.stopping.enough = {};
  EXPECT_EQ(fit(x, y, options).to_json(), whole.to_json());
}

INSTANTIATE_TEST_SUITE_P(Catalogue, EnoughForEveryMethod, testing::ValuesIn(all_methods()),
                         [](const auto& tested) { return tested.param; });

TEST(Enough, IsHeardByEveryOptimiser) {
  const Table x = make_table(skewed_rows(80, 5, "x")), y = make_table(skewed_rows(70, 4, "y"), {}, "y");
  for (const PartInfo& part : optimisers().list()) {
    FitOptions options{.method = "CDA_M", .optimiser = PartSpec(part.name), .components = 1, .starts = 6, .threads = 2};
    options.stopping.enough = [] { return std::string("interrupted"); };
    const Model model = fit(x, y, options);
    EXPECT_EQ(model.stopped, "interrupted") << part.name;
    EXPECT_EQ(model.pairs.size(), 1U);
  }
}

// Evidence of half of the refits would be none: it is the observer's to end it, and half a fit is not enough there.
TEST(Enough, DoesNotReachTheRefitsOfAnExamination) {
  const Table x = make_table(skewed_rows(80, 3, "x")), y = make_table(skewed_rows(70, 3, "y"), {}, "y");
  FitOptions options{.method = "CDA_M", .components = 1, .threads = 1};
  const Model model = fit(x, y, options);
  EvidenceOptions how;
  how.surrogates = 3;
  how.bootstraps = 3;
  const Evidence expected = examine(x, y, model, how);
  options.stopping.enough = [] { return std::string("time limit"); };
  EXPECT_EQ(examine(x, y, model, how).pairs[0].p, expected.pairs[0].p);
}

}  // namespace
