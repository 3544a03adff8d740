// Methods on the paper's relations (cda synth linear|mixed|nonlinear), whose truth is a subspace of each table, and how
// far from it each one ends.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "cda/fit.hpp"
#include "cda/synthetic.hpp"
#include "studies/replicates.hpp"

namespace cda {

// A method as a study runs it.
struct Contender {
  std::string name;         // as it is listed
  FitOptions options = {};  // its method, and what differs from the method's defaults
  bool paired_rows = false, equal_columns = false;
  bool joint = false;   // pairs are found together, so that fewer are not the first ones of more
  bool random = false;  // no method: random directions
};
Contender contender(const std::string& method);
Contender random_directions();
std::vector<Contender> contenders(const std::vector<std::string>& methods);

// The relations as they are asked for. Methods that need equal columns get x1 ... xl alone, as in the paper.
struct RelationTables {
  SyntheticPair unequal, equal;  // m x l columns, and l x l

  RelationTables(const SyntheticOptions& options);  // NOLINT(google-explicit-constructor): options as they are written
  const SyntheticPair& of(const Contender& contender) const { return contender.equal_columns ? equal : unequal; }
};

// What is compared: the first columns of each side against the truth, as many as the truth has.
struct RetrievalError {
  std::optional<double> x, y;  // none where the truth is the whole space: nothing can be missed
  double seconds = 0.0;        // of one thread's work

  static auto fields(auto& self) { return std::tie(self.x, self.y, self.seconds); }
};

// The first columns found, as weights of the original columns (m x rank_x, l x rank_y).
struct FoundDirections {
  Matrix x, y;
  double seconds = 0.0;
};
FoundDirections found_directions(const Contender& contender, const SyntheticPair& data, Index x_rank, Index y_rank,
                                 const Replicate& replicate);

// Without a value where the method cannot be used on these tables, or ends without a result (a collapse).
std::optional<RetrievalError> retrieval_error(const Contender& contender, const SyntheticPair& data,
                                              const Replicate& replicate);

using RetrievalErrors = std::vector<std::optional<RetrievalError>>;  // by contender
RetrievalErrors retrieval_errors(const std::vector<Contender>& all, const RelationTables& tables,
                                 const Replicate& replicate);

std::vector<ResultColumn> retrieval_columns();
// Both errors by method, with chance; along a column of numbers, or in a panel for each content of others.
std::vector<ResultPlot> retrieval_plots(const std::string& along, const std::vector<std::string>& panels);
// A row per contender: what was asked (setting, relation, ...), then its errors over all runs beside chance, in the
// columns of retrieval_columns(). Each is tested against random directions, Holm-corrected. The example tells
// dimensions and ranks.
void add_retrieval_rows(const std::vector<Cell>& asked, const std::vector<Contender>& all,
                        const RelationTables& example, const std::vector<RetrievalErrors>& runs, Results& results);
// What so many runs can show at best, for the notes.
std::string smallest_p_note(Index runs);

}  // namespace cda
