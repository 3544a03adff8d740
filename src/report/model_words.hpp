// What a report says of a model, in sentences computed from it.
#pragma once

#include <string>
#include <vector>

#include "cda/model.hpp"
#include "report/page.hpp"

namespace cda {

std::string counted(Index count, const char* thing);  // "1 row", "2 rows"

// The file's name, or what stands in for it: "X".
std::string table_name(const Model& model, Side side);

// "electricity (+0.81) and occupancy (+0.55)"
std::string leading_names(const std::vector<std::string>& columns, const Vector& loadings, std::size_t most = 3);

// "92 % of the shape agrees on rows not used for fitting; ... in X go with ... in Y."
std::string pair_sentence(const Model& model, std::size_t pair);

// What the pairs were compared with, and how.
struct ComparedWith {
  bool by_shape;            // a small p says that shapes are shared; else only that both tables have some
  bool smaller_is_further;  // the smaller the statistic, the further from chance
  std::string tables;       // "unrelated tables"
  std::string statistic;    // "evidence"
};
ComparedWith compared_with(const Evidence& evidence);

std::vector<PageVerdict> verdicts(const Model& model);
std::vector<std::string> page_warnings(const Model& model);

// The command that makes this model, as far as it is known from it.
std::string command_line(const Model& model);

Section glossary(const Model& model);

}  // namespace cda
