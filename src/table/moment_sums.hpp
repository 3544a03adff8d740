// Moments of rows that come in blocks, and some of the rows.
#pragma once

#include <string>
#include <vector>

#include "cda/extend/executor.hpp"
#include "cda/extend/table_moments.hpp"
#include "table/row_choice.hpp"

namespace cda {

class MomentSums {
 public:
  MomentSums(const std::vector<std::string>& names, const Executor& executor);

  // The next rows. How they are cut into blocks changes nothing, to the last bit.
  void add(const Eigen::Ref<const Matrix>& rows);
  Index rows() const { return rows_ + carried_; }

  // Of all rows so far; nothing can be added after. Not finite where a cell is not, or its square is no double.
  ColumnMoments finished();
  Matrix some_rows() const;

 private:
  struct Sums {
    Vector lowest, highest, sum;
    Matrix products;  // lower half, and zeros around it
    Sums& operator+=(const Sums& other);
  };
  Sums none() const;
  void add_chunks(const Eigen::Ref<const Matrix>& rows);
  void choose_origin(const Eigen::Ref<const Matrix>& rows);
  void add_chunk(const Eigen::Ref<const Matrix>& rows, Sums& sums, std::uint64_t* hashes) const;

  Executor executor_;
  Index columns_, rows_ = 0;  // in the sums
  Vector origin_, unit_;      // sums are of (row - origin) * unit
  Sums total_;
  RowChoice choice_;
  Matrix carry_;  // rows that do not fill a chunk yet
  Index carried_ = 0;
};

}  // namespace cda
