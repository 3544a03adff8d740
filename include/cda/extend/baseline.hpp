// Methods that are not presets of parts: cCDA, which couples rows instead of comparing projections, and those that CDA
// is compared with. Each is one file in src/find/clouds/parts or, added by add_peers() (cda/peers.hpp), in peers/parts,
// and enters the list of methods under its name in capitals: CCA, PCA, ... They take the same two tables and leave the
// same Model; what they need of the tables beyond that (rows or columns that correspond) they say, and it is checked
// before they begin.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cda/extend/catalogue.hpp"
#include "cda/extend/coupling.hpp"
#include "cda/extend/executor.hpp"
#include "cda/extend/formulation.hpp"
#include "cda/extend/preparation.hpp"
#include "cda/types.hpp"

namespace cda {

struct BaselineTask {
  const Matrix& x;   // n x p, prepared
  const Matrix& y;   // k x q, prepared; row i belongs to row i of x, or column j to column j, where that is needed
  Index components;  // pairs wanted, from 1 to the smaller rank
  std::uint64_t seed;
  const Executor& executor;
  std::function<void(double share)> advance;  // to be called now and then: throws where the work is to end
  std::function<std::string()> enough;        // the reason to finish with the best so far, or nothing
};

struct BaselineMaps {
  // Values are rows_x * x and rows_y * y * diag(scales), of the prepared rows or of their kernel features.
  Directions directions;
  Vector figures;                        // per pair: what the method itself goes by (figure_name)
  std::optional<KernelMap> kernel = {};  // where the map is not linear: features of both sides
  bool converged = true;
  std::string stopped = "solved in closed form";
  int iterations = 0;
  std::vector<std::string> warnings = {};
  std::optional<Coupling> coupling = {};  // of cCDA
};

class Baseline {
 public:
  virtual ~Baseline() = default;
  virtual BaselineMaps fit(const BaselineTask& task) const = 0;

  virtual std::string figure_name() const = 0;            // "canonical correlation"
  virtual std::vector<PartSpec> preparation() const = 0;  // its own, unless another is asked for
  virtual std::string spelling() const { return {}; }     // of its name, where that is not in capitals
  virtual bool compared() const { return true; }          // here to be compared with; false for a method of our own
  virtual Index usual_components() const { return 10; }   // at most so many pairs where no number is asked for
  virtual bool joint() const { return false; }            // pairs are found together: fewer are not the first of more
  virtual bool paired_rows() const { return false; }      // row i of both tables belongs together
  virtual bool equal_columns() const { return false; }    // column j of both tables means the same
  virtual bool pooled() const { return false; }           // columns are prepared by the rows of both tables together
};

Catalogue<Baseline>& baselines();

}  // namespace cda
