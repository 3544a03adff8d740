#include "loadings_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace cda::command {
namespace {

constexpr std::size_t beside_each_other = 60;  // columns from which both sides fit on one line
constexpr std::size_t number = 7;              // " +0.81 "
constexpr std::size_t shortest_bar = 6, longest_bar = 10, shortest_name = 8;

std::size_t widest(const Model& model, const std::vector<std::string>& columns, Vector Pair::*loadings,
                   std::size_t limit) {
  std::size_t width = 1;
  for (const Pair& pair : model.pairs)
    for (const Index j : leading_columns(pair.*loadings))
      width = std::max(width, shown_width(shown_within(columns[static_cast<std::size_t>(j)], limit)));
  return width;
}

std::string repeated(const char* cell, std::size_t count) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i) text += cell;
  return text;
}

// A bar of `length` for a loading of 1. Blocks are drawn to an eighth of a column, where the fill allows it.
std::string bar(double loading, std::size_t length, const Page& page) {
  const double exact = std::min(std::abs(loading), 1.0) * static_cast<double>(length);
  if (!page.blocks || loading < 0.0)
    return repeated(loading < 0.0 ? negative_bar(page).c_str() : "#", static_cast<std::size_t>(std::lround(exact)));
  static const char* const eighths[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
  const auto whole = static_cast<std::size_t>(std::lround(8.0 * exact));
  return repeated("█", whole / 8) + eighths[whole % 8];
}

}  // namespace

std::string negative_bar(const Page& page) { return page.blocks ? "░" : "-"; }

LoadingsTable::LoadingsTable(const Model& model, const Page& page)
    : page_(page),
      stacked_(page.width < beside_each_other),
      x_{model.x.columns},
      y_{model.y.columns},
      bar_(longest_bar) {
  // What both sides have for names and bars: beside each other with a gap of three after an indent of two, or one
  // below the other after "  X  ".
  const std::size_t fixed = stacked_ ? 5 + number : 2 + 3 + 2 * number;
  const std::size_t room = page.width > fixed ? page.width - fixed : 0;
  const std::size_t sides = stacked_ ? 1 : 2;
  // In a wide window even the longest names leave room for whole bars.
  const std::size_t share = room / sides, bars = share >= 4 * longest_bar ? longest_bar : shortest_bar;
  const std::size_t most = std::max(shortest_name, share - std::min(share, bars));
  x_.names = widest(model, model.x.columns, &Pair::x_loadings, most);
  y_.names = widest(model, model.y.columns, &Pair::y_loadings, most);
  const std::size_t names = stacked_ ? std::max(x_.names, y_.names) : x_.names + y_.names;
  if (stacked_) x_.names = y_.names = names;
  bar_ = std::clamp(room > names ? (room - names) / sides : 0, shortest_bar, longest_bar);
}

std::vector<std::string> LoadingsTable::lines(const Side& side, const Vector& loadings) const {
  std::vector<std::string> lines;
  for (const Index j : leading_columns(loadings)) {
    const std::string name = shown_within(side.columns[static_cast<std::size_t>(j)], side.names);
    lines.push_back(fmt::format("{} {:+.2f} {}", padded(name, side.names), loadings[j], bar(loadings[j], bar_, page_)));
  }
  return lines;
}

std::string LoadingsTable::of(const Pair& pair) const {
  const std::vector<std::string> of_x = lines(x_, pair.x_loadings), of_y = lines(y_, pair.y_loadings);
  std::string text;
  if (stacked_) {
    for (std::size_t i = 0; i < of_x.size(); ++i) text += fmt::format("  {}  {}\n", i == 0 ? "X" : " ", of_x[i]);
    for (std::size_t i = 0; i < of_y.size(); ++i) text += fmt::format("  {}  {}\n", i == 0 ? "Y" : " ", of_y[i]);
    return text;
  }
  const std::size_t left = x_.names + number + bar_ + 3;
  text = "  " + padded("X", left) + "Y\n";
  for (std::size_t i = 0; i < std::max(of_x.size(), of_y.size()); ++i) {
    const std::string x = i < of_x.size() ? of_x[i] : "", y = i < of_y.size() ? of_y[i] : "";
    text += "  " + (y.empty() ? x : padded(x, left) + y) + "\n";
  }
  return text;
}

}  // namespace cda::command
