// The columns that go with a pair's values most, those of X beside those of Y, each with its loading and a bar. All
// pairs of a model share one layout, so that their columns stand under each other.
#pragma once

#include <string>

#include "cda/model.hpp"
#include "console.hpp"

namespace cda::command {

// What bars of negative loadings are made of.
std::string negative_bar(const Page& page);

class LoadingsTable {
 public:
  LoadingsTable(const Model& model, const Page& page);
  std::string of(const Pair& pair) const;

 private:
  struct Side {
    const std::vector<std::string>& columns;
    std::size_t names = 1;  // their width
  };
  // A block of lines, one per leading column.
  std::vector<std::string> lines(const Side& side, const Vector& loadings) const;

  Page page_;
  bool stacked_;
  Side x_, y_;
  std::size_t bar_;  // the width of a loading of 1
};

}  // namespace cda::command
