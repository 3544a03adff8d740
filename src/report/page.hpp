// A page: words, tables and figures in the order they are read. What it shows is decided by those who fill it (a model,
// a study); how it looks, by page.cpp and the charts under web/. One file of HTML comes out, which needs nothing else.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace cda {

using PageJson = nlohmann::ordered_json;

// One chart and the table it is drawn from: the same columns are shown as a table, saved as CSV and drawn.
struct Figure {
  std::string id;       // unique on the page: letters, digits and hyphens
  std::string kind;     // which chart (web/charts.ts)
  std::string title;    // short: "pair 1"
  std::string caption;  // one sentence computed from the data
  PageJson columns;     // {"name": [values], ...}, all of one length: numbers, texts, null where there is none
  PageJson options = PageJson::object();
};

// A table in plain HTML. The first row of cells is the heading; numbers are aligned to the right.
struct PageTable {
  std::string caption;
  std::vector<std::string> heading;
  std::vector<std::vector<std::string>> rows;
};

struct Section {
  std::string id;  // as of figures, and none of theirs
  std::string heading;
  std::vector<std::string> text = {};  // a paragraph each
  std::vector<PageTable> tables = {};
  std::vector<Figure> figures = {};
  bool folded = false;  // closed until asked for: what few readers need
};

// What the page comes to, in a box at its top.
struct PageVerdict {
  enum class Level { good, unsure, none, neutral };  // shown by words and a sign, not by colour alone
  Level level = Level::neutral;
  std::string label;  // "supported"
  std::string text;
};

struct Page {
  std::string title, subtitle;
  std::vector<PageVerdict> verdicts;
  std::vector<std::string> warnings;
  std::vector<Section> sections;
  std::string footer;
};

// The whole file: the same bytes for the same page. Text from outside is shown as text, whatever it holds; in
// paragraphs, verdicts, warnings and the footer `what stands between backticks` is set as code, a paragraph of nothing
// else as a block.
std::string to_html(const Page& page);

}  // namespace cda
