// Tables with known sources, mixed into all columns.
#pragma once

#include "cda/cda.hpp"
#include "cda/extend/random.hpp"

namespace cda::test {

// Two groups, 35 to 65, well apart.
inline Vector two_groups(Index rows, Random& random) {
  Vector values(rows);
  for (double& value : values) value = (random.uniform() < 0.35 ? 1.6 : -0.9) + 0.25 * random.normal();
  return values;
}

inline Vector exponentials(Index rows, Random& random) {
  Vector values(rows);
  for (double& value : values) value = random.exponential();
  return values;
}

struct Planted {
  Table table;
  Matrix mixing;  // sources x columns
};

// The given sources (n x s) and as many normal ones as are missing, mixed into `columns` columns.
inline Planted mixed(const Matrix& sources, Index columns, Random& random, const std::string& prefix = "x") {
  Matrix all = random.normals(sources.rows(), columns);
  all.leftCols(sources.cols()) = sources;
  const Matrix mixing = random.normals(columns, columns);
  return {make_table(all * mixing, {}, prefix), mixing};
}

inline Table gaussian_table(Index rows, Index columns, const char* name) {
  Random random(11, name);
  return mixed(Matrix(rows, 0), columns, random, name).table;
}

inline Table two_group_table(Index rows, Index columns, const char* name) {
  Random random(11, name);
  const Vector source = two_groups(rows, random);
  return mixed(source, columns, random, name).table;
}

// A fit and what is found out about it.
struct Examined {
  Model model;
  Evidence evidence;
};
inline Examined examined(const Table& x, const Table& y, const FitOptions& options, const EvidenceOptions& how) {
  Model model = fit(x, y, options);
  EvidenceOptions on_threads = how;
  on_threads.threads = options.threads;
  Evidence evidence = examine(x, y, model, on_threads);
  return {std::move(model), std::move(evidence)};
}

inline void expect_same(const Evidence& a, const Evidence& b) {
  EXPECT_EQ(a.global_p, b.global_p);
  EXPECT_EQ(a.statement, b.statement);
  ASSERT_EQ(a.pairs.size(), b.pairs.size());
  for (std::size_t i = 0; i < a.pairs.size(); ++i) {
    EXPECT_EQ(a.pairs[i].p, b.pairs[i].p);
    EXPECT_EQ(a.pairs[i].statistic, b.pairs[i].statistic);
    EXPECT_EQ(a.pairs[i].null_quantiles, b.pairs[i].null_quantiles);
    EXPECT_EQ(a.pairs[i].stability, b.pairs[i].stability);
    EXPECT_EQ(a.pairs[i].agreement_held_out, b.pairs[i].agreement_held_out);
    EXPECT_EQ(a.pairs[i].statement, b.pairs[i].statement);
    EXPECT_EQ(a.pairs[i].notes, b.pairs[i].notes);
  }
}

}  // namespace cda::test
