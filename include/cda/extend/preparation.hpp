// Preparations turn the columns a person has into numbers fit for optimisation. A preparation is fitted on training
// rows; what it learnt is then applied to new rows, and can be undone and saved.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "cda/extend/catalogue.hpp"
#include "cda/extend/executor.hpp"
#include "cda/extend/table_moments.hpp"
#include "cda/types.hpp"

namespace cda {

// rows -> (rows - centre) * forward, and back. `forward` is either diagonal (one factor per column) or dense.
struct AffineMap {
  Vector centre;    // m
  Vector factor;    // m where the map is diagonal, else empty
  Matrix forward;   // m x p where dense, else empty
  Matrix backward;  // p x m, the pseudo-inverse of forward, where dense

  Index inputs() const { return centre.size(); }
  Index outputs() const { return factor.size() > 0 || forward.size() == 0 ? centre.size() : forward.cols(); }
  Matrix apply(const Matrix& rows) const;
  ColumnMoments apply(const ColumnMoments& columns) const;  // of the rows it would make; where the map is diagonal
  void apply_in_place(Matrix& rows, const Executor& executor) const;  // a block of rows at a time
  Matrix undo(const Matrix& rows) const;
  Matrix weights(const Matrix& directions) const;  // m x r: what the original columns are multiplied with
  Matrix directions(const Matrix& weights) const;  // p x r: the directions with the same values on the fitted rows
};

// A map that is not affine and leaves the number of columns as it is: rows brought to length one, cells to their
// logarithm, or columns bent along curves of their own. There is no way back from it, and columns before it have no
// weights.
struct BendingMap {
  enum class Kind {
    unit_rows,  // row / |row|; rows of zeros stay
    logarithm,  // sign(cell) log(1 + |cell|)
    curves      // piecewise linear between knots, constant beyond the first and the last
  };
  struct Curve {
    Vector from, to;  // as many knots each: increasing, and not decreasing
  };
  Kind kind = Kind::logarithm;
  std::vector<Curve> curves = {};  // one per column, where there are curves

  Matrix apply(const Matrix& rows) const;  // n x m -> n x m; a cell that is not a number stays one
};

// What a preparation learnt.
using PreparationMap = std::variant<AffineMap, BendingMap>;

// rows -> k(row, landmark c), c = 1 ... b: features in which a map that is not linear in the columns is linear.
struct KernelMap {
  enum class Kernel {
    rbf,
    laplace
  };  // exp(-d^2 / 2 width^2), exp(-d / width), with d the distance of row and landmark
  Kernel kernel = Kernel::rbf;
  double width = 1.0;
  Matrix landmarks;  // b x p

  Matrix apply(const Matrix& rows) const;  // n x p -> n x b
};

class Preparation {
 public:
  virtual ~Preparation() = default;
  // Learns from finite rows in which no column is constant.
  virtual PreparationMap fit(const Matrix& rows, const Executor& executor) const = 0;
  // The same from moments alone, where that is enough; nothing where rows are needed.
  virtual std::optional<AffineMap> fit_moments(const ColumnMoments& /*columns*/) const { return std::nullopt; }
  // True where multiplying a column by anything positive would not change the outcome.
  virtual bool forgets_units() const { return false; }
  // True where the map is not linear.
  virtual bool bends() const { return false; }
};

Catalogue<Preparation>& preparations();

// One table's way from its own columns to the space that is optimised over: columns that do not vary are set aside;
// where the first preparation forgets units anyway, the others are brought to magnitude one by powers of two (exact, so
// 1e-300 and 1e300 behave like 1); then the preparations follow in order.
class PreparedColumns {
 public:
  struct Step {
    PartSpec spec;
    PreparationMap map;
  };

  // Which columns take part. Those that do not vary never do.
  struct Choice {
    bool few_valued = true;        // false: not those of few values, which win every match of shapes and mean little
    std::vector<Index> only = {};  // where given: these, in this order, which all vary
  };

  // The rows that were fitted on as they come out, beside the map that new rows take.
  struct WithRows;
  // Where the rows come from: read in this order (empty: as they come), on these threads.
  struct Source {
    const Matrix& rows;
    const std::vector<std::string>& names;
    std::vector<Index> order = {};
    Executor executor = Executor(1);
    Matrix* give_up = nullptr;  // the rows once more, where their memory may become the result's
  };

  PreparedColumns() = default;
  // Fits on the rows. Throws where nothing varies. Remarks (columns set aside, rank lost) are added in words. Beside
  // the rows it is given it needs one copy of them, which becomes the result; or none, where these are given up.
  static WithRows fit_rows(const Source& source, const std::vector<PartSpec>& steps, std::vector<std::string>* remarks,
                           const Choice& choice);
  // The map alone.
  static PreparedColumns fit(const Matrix& rows, const std::vector<std::string>& names,
                             const std::vector<PartSpec>& steps, std::vector<std::string>* remarks,
                             const Choice& choice);
  static PreparedColumns fit(const Matrix& rows, const std::vector<std::string>& names,
                             const std::vector<PartSpec>& steps, std::vector<std::string>* remarks) {
    return fit(rows, names, steps, remarks, Choice());
  }

  // Fits on moments. Only for preparations that need no more.
  static PreparedColumns fit(const TableMoments& table, const std::vector<PartSpec>& steps,
                             std::vector<std::string>* remarks);

  Index inputs() const { return columns_; }
  Index outputs() const;  // the dimension that is optimised over; where there is a kernel, its landmarks
  const std::vector<Index>& kept() const { return kept_; }
  Matrix equilibrated(const Matrix& rows) const;     // the kept columns, brought to magnitude one where that is done
  Matrix apply(const Matrix& rows) const;            // n x inputs -> n x outputs
  ColumnMoments apply(ColumnMoments columns) const;  // of the rows that would make; where all steps are diagonal
  // Back to the kept columns; set-aside columns get their constant. For linear preparations.
  Matrix undo(const Matrix& prepared) const;

  // A last step that is not affine. There is then no way back, and there are no weights.
  void set_kernel(KernelMap kernel) { kernel_ = std::move(kernel); }
  const std::optional<KernelMap>& kernel() const { return kernel_; }
  bool linear() const { return !kernel_ && bent_steps() == 0; }
  // What directions make of rows that were prepared without the kernel: n x r.
  Matrix projected(const Matrix& prepared, const Matrix& directions) const;

  // value = intercept + row * weights, for directions in the prepared space (outputs x r).
  // Exactly 0 for columns set aside; the largest number where a column's values are so small that its weight is beyond.
  Matrix weights(const Matrix& directions) const;     // inputs x r
  Vector intercepts(const Matrix& directions) const;  // r
  // The directions that give the same values on the rows fitted on, up to a constant (outputs x r).
  Matrix directions(const Matrix& weights) const;
  // The same two by the columns as they are after the last step that bends them, whatever came before.
  Matrix late_weights(const Matrix& directions) const;
  Matrix late_directions(const Matrix& weights) const;
  // Covariances of the kept columns with something, from those of what they became (outputs x r): a linear preparation
  // drops only what is uncorrelated with what it keeps, so nothing is missing.
  Matrix covariances(const Matrix& of_prepared) const;  // kept x r

  // For saving and loading.
  PreparedColumns(Index columns, std::vector<Index> kept, std::vector<int> exponents, Vector constants,
                  std::vector<Step> steps);
  const std::vector<int>& exponents() const { return exponents_; }
  const Vector& constants() const { return constants_; }
  const std::vector<Step>& steps() const { return steps_; }

 private:
  void equilibrate(std::size_t kept, Eigen::Ref<Vector> column) const;
  std::size_t bent_steps() const;  // how many steps there are up to the last one that bends
  Index columns_ = 0;
  std::vector<Index> kept_;     // columns that vary, in an order given by what they hold
  std::vector<int> exponents_;  // kept column j is multiplied by 2^-exponents_[j]
  Vector constants_;            // inputs: the value of a column set aside, 0 for the others
  std::vector<Step> steps_;
  std::optional<KernelMap> kernel_;
};

struct PreparedColumns::WithRows {
  PreparedColumns columns;
  Matrix rows;        // n x outputs
  Vector deviations;  // of the kept columns, brought to magnitude one but otherwise as they came
};

}  // namespace cda
