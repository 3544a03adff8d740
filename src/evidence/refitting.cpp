// Would a table of unrelated shapes, searched just as hard, match as well?
//
// H0: the shapes of one table are unrelated to those of the other, that is drawn, with the strengths observed, from a
// broad population of shapes (random_shape.hpp). In the whitened space of X stand as many independent columns as X has
// dimensions: column j a sample of a random shape with the contrast of X's j-th informative component, less the 1/n
// that sampling adds; beyond the informative ones normal. This X* is fitted to the real Y exactly as X was, and
//
//   T = J_.1 of the pair on 256 quantiles,   px = (1 + #{T* <= T}) / (B + 1),   py likewise with Y*,   p = max(px, py)
//
// Strengths are taken as they are, not varied as in the component match test: refitting adds scatter of its own, and
// its level was measured so. Pair i is tested in what is left of both whitened spaces once the pairs before it are set
// aside, components and strengths found anew there; the first p above .05 ends the testing, and the pairs after it have
// that p. The global test sums J_.25 over the first three pairs, on the surrogates of pair 1.
// A pair limited to few columns is compared with pairs that are not, so that its p is larger than need be.
// Cost: 2 B fits of up to three pairs, then 2 B fits of one for each further pair tested.
#include <fmt/format.h>

#include <algorithm>

#include "evidence/nulls.hpp"
#include "evidence/random_shape.hpp"
#include "evidence/surrogates.hpp"
#include "find/components/components.hpp"
#include "find/pairs/deflation.hpp"
#include "find/request.hpp"

namespace cda {
namespace {

constexpr double significant = 0.05;

// Whitened values without the directions of earlier pairs.
Table remaining(const PreparedColumns& preparation, const Table& table, const Matrix& earlier) {
  const Index dimensions = preparation.outputs();
  const Matrix basis = complement(Matrix::Identity(dimensions, dimensions), earlier);
  return make_table(preparation.apply(table.values) * basis, {}, "w");
}

class RefittingTest {
 public:
  RefittingTest(const Study& study, int surrogates)
      : study_(study),
        surrogates_(surrogates),
        observed_(shapes_of_pairs(study.model, study.x, study.y)),
        options_(study.options) {
    // The tables that are fitted consist of whitened columns, all of which are to be used.
    options_.prepare = std::vector<PartSpec>{PartSpec("whiten")};
    options_.few_valued = FewValued::keep;
    options_.max_columns = 0;
  }

  struct Answer {
    NullAnswer pair, global;
    double statistic = 0.0;
    bool x_informative = false, y_informative = false;  // is there any shape in what is left of the table?
  };

  // Pair i where those before it are set aside, and `together` pairs from it on for the global answer.
  Answer of_pair(Index i, Index together) const {
    const Table x = remaining(study_.model.x_preparation, study_.x, study_.model.directions.x.leftCols(i));
    const Table y = remaining(study_.model.y_preparation, study_.y, study_.model.directions.y.leftCols(i));
    const std::vector<double> x_strengths = strengths(x), y_strengths = strengths(y);
    FitOptions options = options_;
    options.components = together;
    const Surrogates plan{x,
                          y,
                          [&](Random& random) { return foreign(x_strengths, x.rows(), random); },
                          [&](Random& random) { return foreign(y_strengths, y.rows(), random); },
                          options,
                          together + 1,
                          [&](const Model& model, const Table& of_x, const Table& of_y) {
                            return shape_statistics(shapes_of_pairs(model, of_x, of_y), together);
                          }};
    const Random draw = study_.random("refitting").stream(fmt::format("pair {}", i));
    const NullStatistics null = refit(study_, plan, surrogates_, draw);
    const PairShapes mine{observed_.x.middleCols(i, together), observed_.y.middleCols(i, together)};
    const Vector statistics = shape_statistics(mine, together);
    const auto any = [](const std::vector<double>& all) { return !all.empty() && all.front() > 0.0; };
    return {compared(statistics[0], null.foreign_x.col(0), null.foreign_y.col(0)),
            compared(statistics[together], null.foreign_x.col(together), null.foreign_y.col(together)), statistics[0],
            any(x_strengths), any(y_strengths)};
  }

 private:
  // Contrast of each column of a foreign table, without what sampling adds; 0: normal.
  std::vector<double> strengths(const Table& table) const {
    const MethodParts parts = chosen_parts(options_);
    const std::shared_ptr<const Divergence> divergence = divergences().make(parts.divergence);
    const auto optimiser = optimisers().make(parts.optimiser);
    const Sample sample(table.values, study_.executor);
    const ComponentSearch search{divergence, *optimiser, search_options(options_, parts, *divergence), study_.executor,
                                 [this](const Progress&) { return study_.progress.going_on(); }};
    const double added = 1.0 / static_cast<double>(block_count(table.rows(), options_.block_length));
    std::vector<double> found(static_cast<std::size_t>(table.columns()), 0.0);
    const std::vector<Component> components = find_components(sample, search);
    for (std::size_t j = 0; j < components.size(); ++j)
      if (components[j].informative) found[j] = std::max(0.0, components[j].contrast - added);
    return found;
  }

  Table foreign(const std::vector<double>& strengths, Index rows, Random& random) const {
    Matrix drawn = random.normals(block_count(rows, options_.block_length), static_cast<Index>(strengths.size()));
    for (std::size_t j = 0; j < strengths.size(); ++j) {
      if (strengths[j] <= 0.0) continue;
      const RandomShape shape(strengths[j], random);
      for (double& value : drawn.col(static_cast<Index>(j))) value = shape.at(value);
    }
    return make_table(in_blocks(drawn, rows, options_.block_length), {}, "w");
  }

  const Study& study_;
  int surrogates_;
  PairShapes observed_;
  FitOptions options_;
};

void warn_without_shapes(bool informative, const TableSummary& table, const char* side, Evidence& evidence) {
  if (!informative && !table.components)  // else the fit has said so
    evidence.warnings.push_back(fmt::format(
        "{}: no direction differs detectably from a bell curve, so nothing in it can be matched by shape", side));
}

}  // namespace

void refitting_test(const Study& study, int surrogates, Evidence& evidence) {
  evidence.test = Test::refitting;
  evidence.hypothesis =
      "the shapes of one table are unrelated to those of the other: a table of independent random shapes of equal "
      "strength, fitted in the same way, would match as well";
  for (PairEvidence& pair : evidence.pairs) pair.p = 1.0;
  evidence.global_p = 1.0;
  Index tested = 0;  // pairs beyond the informative components are near bell curves: nothing to test
  while (tested < study.pairs() && study.model.pairs[static_cast<std::size_t>(tested)].informative) ++tested;
  const Index pieces = 2 * static_cast<Index>(surrogates);
  study.progress.begin("unrelated tables", tested > 1 ? 0.25 : 0.4, tested > 0 ? pieces : 1);
  if (tested == 0) return;
  const RefittingTest test(study, surrogates);
  double before = 0.0;
  for (Index i = 0; i < tested; ++i) {
    PairEvidence& pair = evidence.pairs[static_cast<std::size_t>(i)];
    if (before > significant) {
      pair.p = before;
      continue;
    }
    if (i > 0)
      study.progress.begin(fmt::format("unrelated tables, pair {}", i + 1), 0.15 / static_cast<double>(tested - 1),
                           pieces);
    RefittingTest::Answer answer = test.of_pair(i, i == 0 ? std::min(tested, global_pairs) : 1);
    before = std::max(before, answer.pair.p);
    pair.p = before;
    pair.statistic = answer.statistic;
    pair.null_quantiles = std::move(answer.pair.quantiles);
    if (i > 0) continue;
    evidence.global_p = answer.global.p;
    warn_without_shapes(answer.x_informative, study.model.x, "X", evidence);
    warn_without_shapes(answer.y_informative, study.model.y, "Y", evidence);
  }
}

}  // namespace cda
