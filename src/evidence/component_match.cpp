// Is the agreement of two components more than unrelated shapes of their strength would show?
//
// Around each component stands a reference set: random shapes (random_shape.hpp) of about its strength, each seen
// through a sample of its table's size. For components x_i and y_j with references RX_i and RY_j, on the scale w =
// -log(1 - A) of the agreement A (the better of both signs):
//
//   pY_ij   share of {w(x_i, r), r in RY_j} above w(x_i, y_j): how often a foreign y would match x_i this well
//   pX_ij   share of {w(r, y_j), r in RX_i} above it: how often a foreign x would match y_j this well
//   E_ij    -log max(pX_ij, pY_ij), the evidence of the pair; T is the largest over all pairs
//
// A common shape is matched by many references and so yields little evidence, however large its agreement. Surrogate
// tables replace every y_j by a member of RY_j (or every x_i by one of RX_i) and their evidence is worked out in the
// same way; p is the share of surrogates with a T at least as large, the larger of the two sides. Further pairs: those
// matched before are set aside, on both sides, and the rest is tested again; p never decreases. The global test sums w
// over the three best pairs. No fit is repeated, so nothing here depends on an optimiser.
// Cost: shapes O((nx + ny) L n), then nx ny products of 256 x L matrices, L = 499 references.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "divergence/quantiles.hpp"
#include "evidence/nulls.hpp"
#include "evidence/random_shape.hpp"
#include "evidence/tail.hpp"
#include "find/components/components.hpp"
#include "find/components/matching.hpp"

namespace cda {
namespace {

constexpr Index most_references = 499;
constexpr Index most_drawn = 10000;  // values of a reference: beyond, sampling noise no longer matters

Shapes reference_set(double contrast, Index rows, Index count, const Random& draw) {
  Shapes shapes(quantile_blocks, count);
  for (Index r = 0; r < count; ++r) {
    Random stream = draw.stream(fmt::format("{}", r));
    const double strength = RandomShape::varied_strength(contrast, rows, stream);
    shapes.col(r) = RandomShape(strength, stream).drawn_deviation(std::min(rows, most_drawn), stream);
  }
  return shapes;
}

std::vector<double> listed(const Vector& values) { return {values.begin(), values.end()}; }

double evidence_of(double x_share, double y_share) { return -std::log(std::max(x_share, y_share)); }

// One pair of components: what was observed, and what each member of the reference sets would give in its partner's
// place.
struct PairTable {
  double w = 0.0, evidence = 0.0;
  Vector w_of_foreign_x, evidence_of_foreign_x;  // r in RX_i against y_j
  Vector w_of_foreign_y, evidence_of_foreign_y;  // r in RY_j against x_i
};

PairTable tabulate(const Vector& x, const Vector& y, const Shapes& x_references, const Shapes& y_references) {
  PairTable table;
  table.w = match_strengths(x, y)(0, 0);
  table.w_of_foreign_x = match_strengths(x_references, y);
  table.w_of_foreign_y = match_strengths(x, y_references).transpose();
  const Matrix among = match_strengths(x_references, y_references);
  const Tail foreign_x(listed(table.w_of_foreign_x)), foreign_y(listed(table.w_of_foreign_y));
  table.evidence = evidence_of(foreign_x.share_above(table.w), foreign_y.share_above(table.w));
  table.evidence_of_foreign_x.resize(x_references.cols());
  for (Index r = 0; r < x_references.cols(); ++r) {
    const double w = table.w_of_foreign_x[r];
    table.evidence_of_foreign_x[r] = evidence_of(foreign_x.share_above(w), Tail(listed(among.row(r))).share_above(w));
  }
  table.evidence_of_foreign_y.resize(y_references.cols());
  for (Index r = 0; r < y_references.cols(); ++r) {
    const double w = table.w_of_foreign_y[r];
    table.evidence_of_foreign_y[r] = evidence_of(Tail(listed(among.col(r))).share_above(w), foreign_y.share_above(w));
  }
  return table;
}

// Which member of each reference set a surrogate uses: permutations in turn, so that all are used equally often.
std::vector<std::vector<Index>> members(Index sets, Index references, int surrogates, const Random& draw) {
  std::vector<std::vector<Index>> chosen(static_cast<std::size_t>(sets));
  for (Index s = 0; s < sets; ++s) {
    Random stream = draw.stream(fmt::format("{}", s));
    std::vector<Index>& list = chosen[static_cast<std::size_t>(s)];
    while (static_cast<int>(list.size()) < surrogates) {
      const std::vector<Index> round = stream.permutation(references);
      list.insert(list.end(), round.begin(), round.end());
    }
  }
  return chosen;
}

// The sum of the three largest entries, no two in one row or column, taken greedily.
double three_best(Matrix w) {
  double sum = 0.0;
  for (Index pair = 0; pair < std::min<Index>({3, w.rows(), w.cols()}); ++pair) {
    Index i = 0, j = 0;
    sum += w.maxCoeff(&i, &j);
    w.row(i).setConstant(-1.0);
    w.col(j).setConstant(-1.0);
  }
  return sum;
}

class MatchTest {
 public:
  MatchTest(const Study& study, int surrogates)
      : study_(study),
        x_(study.model.x.shapes),
        y_(study.model.y.shapes),
        surrogates_(surrogates),
        references_(std::clamp<Index>(surrogates, 99, x_.cols() * y_.cols() > 64 ? 249 : most_references)) {
    const Random draw = study.random("foreign shapes");
    const std::vector<Shapes> x_references = sets("x", x_, study.model.x.rows, draw);
    const std::vector<Shapes> y_references = sets("y", y_, study.model.y.rows, draw);
    tables_.resize(static_cast<std::size_t>(x_.cols() * y_.cols()));
    study.executor.for_each(x_.cols() * y_.cols(), [&](Index at) {
      const Index i = at / y_.cols(), j = at % y_.cols();
      tables_[static_cast<std::size_t>(at)] = tabulate(x_.col(i), y_.col(j), x_references[static_cast<std::size_t>(i)],
                                                       y_references[static_cast<std::size_t>(j)]);
      study.progress.done();
    });
    x_members_ = members(x_.cols(), references_, surrogates, draw.stream("x members"));
    y_members_ = members(y_.cols(), references_, surrogates, draw.stream("y members"));
  }

  double evidence(Index i, Index j) const { return table(i, j).evidence; }

  struct Answer {
    double p = 1.0;
    Vector quantiles;  // of the side that gives p
  };

  // Against the largest evidence among these components.
  Answer against_largest(double observed, const std::vector<Index>& xs, const std::vector<Index>& ys) const {
    return answer(observed, [&](bool foreign_x, std::size_t b) {
      double largest = 0.0;
      for (const Index i : xs)
        for (const Index j : ys) {
          const PairTable& pair = table(i, j);
          largest = std::max(largest, foreign_x ? pair.evidence_of_foreign_x[member(x_members_, i, b)]
                                                : pair.evidence_of_foreign_y[member(y_members_, j, b)]);
        }
      return largest;
    });
  }

  Answer against_sum() const {
    Matrix observed(x_.cols(), y_.cols());
    for (Index i = 0; i < x_.cols(); ++i)
      for (Index j = 0; j < y_.cols(); ++j) observed(i, j) = table(i, j).w;
    return answer(three_best(observed), [&](bool foreign_x, std::size_t b) {
      Matrix w(x_.cols(), y_.cols());
      for (Index i = 0; i < x_.cols(); ++i)
        for (Index j = 0; j < y_.cols(); ++j)
          w(i, j) = foreign_x ? table(i, j).w_of_foreign_x[member(x_members_, i, b)]
                              : table(i, j).w_of_foreign_y[member(y_members_, j, b)];
      return three_best(std::move(w));
    });
  }

 private:
  std::vector<Shapes> sets(const char* side, const Shapes& shapes, Index rows, const Random& draw) const {
    const Index counted = std::max<Index>(2, rows / study_.options.block_length);
    std::vector<Shapes> all(static_cast<std::size_t>(shapes.cols()));
    study_.executor.for_each(shapes.cols(), [&](Index i) {
      all[static_cast<std::size_t>(i)] =
          reference_set(contrast_of(shapes.col(i)), counted, references_, draw.stream(fmt::format("{} {}", side, i)));
      study_.progress.done();
    });
    return all;
  }

  const PairTable& table(Index i, Index j) const { return tables_[static_cast<std::size_t>(i * y_.cols() + j)]; }
  static Index member(const std::vector<std::vector<Index>>& lists, Index set, std::size_t b) {
    return lists[static_cast<std::size_t>(set)][b];
  }

  template <class Statistic>
  Answer answer(double observed, const Statistic& statistic) const {
    Answer worse;
    worse.p = 0.0;
    for (const bool foreign_x : {true, false}) {
      std::vector<double> null;
      double reached = 1.0;
      for (std::size_t b = 0; b < static_cast<std::size_t>(surrogates_); ++b) {
        null.push_back(statistic(foreign_x, b));
        if (null.back() >= observed) reached += 1.0;
      }
      const double p = reached / (1.0 + surrogates_);
      if (p > worse.p) worse = {p, null_quantiles(std::move(null))};
    }
    return worse;
  }

  const Study& study_;
  const Shapes& x_;
  const Shapes& y_;
  int surrogates_;
  Index references_;
  std::vector<PairTable> tables_;  // by x, then y
  std::vector<std::vector<Index>> x_members_, y_members_;
};

}  // namespace

void component_match_test(const Study& study, int surrogates, Evidence& evidence) {
  evidence.test = Test::component_match;
  evidence.hypothesis =
      "the shapes found in one table are unrelated to those of the other: independent draws, of equal strength, from a "
      "broad population of shapes";
  const Shapes& x = study.model.x.shapes;
  const Shapes& y = study.model.y.shapes;
  for (PairEvidence& pair : evidence.pairs) pair.p = 1.0;
  evidence.global_p = 1.0;
  study.progress.begin("unrelated shapes", 0.4, x.cols() + y.cols() + x.cols() * y.cols());
  if (x.cols() == 0 || y.cols() == 0) return;
  const MatchTest test(study, surrogates);
  evidence.global_p = test.against_sum().p;

  // The model's pairs with the components they came from, the strongest evidence first.
  struct Tested {
    std::size_t pair;
    Index x, y;
    double evidence;
  };
  std::vector<Tested> order;
  for (std::size_t i = 0; i < study.model.pairs.size(); ++i) {
    const Pair& pair = study.model.pairs[i];
    if (pair.informative) order.push_back({i, (*pair.components)[0] - 1, (*pair.components)[1] - 1, 0.0});
  }
  for (Tested& each : order) each.evidence = test.evidence(each.x, each.y);
  std::stable_sort(order.begin(), order.end(),
                   [](const Tested& a, const Tested& b) { return a.evidence > b.evidence; });
  std::vector<Index> xs(static_cast<std::size_t>(x.cols())), ys(static_cast<std::size_t>(y.cols()));
  std::iota(xs.begin(), xs.end(), Index{0});
  std::iota(ys.begin(), ys.end(), Index{0});
  double before = 0.0;
  for (const Tested& each : order) {
    MatchTest::Answer answer = test.against_largest(each.evidence, xs, ys);
    before = std::max(before, answer.p);
    PairEvidence& pair = evidence.pairs[each.pair];
    pair.p = before;
    pair.statistic = each.evidence;
    pair.null_quantiles = std::move(answer.quantiles);
    std::erase(xs, each.x);
    std::erase(ys, each.y);
  }
}

}  // namespace cda
