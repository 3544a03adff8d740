// One file of HTML. Words, tables and captions are there for every reader; charts are drawn by the page's own script
// from the data that stand beside them. A policy in the page lets nothing run or load that was not in it when it was
// written.
#include "report/page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <set>

#include "base/rounded.hpp"
#include "report/assets.hpp"
#include "report/html.hpp"

namespace cda {
namespace {

// Two curves that overlap.
constexpr std::string_view icon =
    "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16' fill='none' stroke-width='1.6'%3E"
    "%3Cpath d='M1 13c4 0 3-9 5.5-9s1.500 9 5.5 9' stroke='%231b6ca8'/%3E"
    "%3Cpath d='M4 13c4 0 3-9 5.5-9s1.500 9 5.5 9' stroke='%23b8500c' stroke-dasharray='2 1.3'/%3E%3C/svg%3E";

// A number, a share or an interval in words, or nothing: a column of these is aligned to the right.
bool number_like(const std::string& cell) {
  const bool digit = std::any_of(cell.begin(), cell.end(), [](char c) { return c >= '0' && c <= '9'; });
  return cell.empty() || cell == "-" || cell == "\u2013" ||
         (digit &&
          cell.find_first_not_of("0123456789+-.,eE% <>=()[]\u2212\u2013\u2026\u00a0\u202f") == std::string::npos);
}

std::string paragraph(const std::string& text) {
  const bool only_code = text.size() > 2 && text.front() == '`' && text.find('`', 1) == text.size() - 1;
  if (only_code)
    return fmt::format("<pre class=\"command\" tabindex=\"0\"><code>{}</code></pre>\n",
                       html(text.substr(1, text.size() - 2), true));
  return fmt::format("<p>{}</p>\n", html_with_code(text));
}

std::string table(const PageTable& table) {
  std::size_t columns = table.heading.size();
  for (const auto& row : table.rows) columns = std::max(columns, row.size());
  std::vector<std::string_view> kinds(columns, " class=\"number\"");
  for (std::size_t column = 0; column < columns; ++column)
    for (const auto& row : table.rows)
      if (column < row.size() && !number_like(row[column])) kinds[column] = "";

  std::string text =
      fmt::format("<div class=\"scroll\" role=\"group\" tabindex=\"0\" aria-label=\"{}\">\n<table{}>\n",
                  table.caption.empty() ? "Table" : html(table.caption), columns > 9 ? " class=\"wide\"" : "");
  if (!table.caption.empty()) text += fmt::format("<caption>{}</caption>\n", html(table.caption));
  text += "<thead><tr>";
  for (std::size_t column = 0; column < columns; ++column)
    text += fmt::format("<th scope=\"col\"{}><bdi>{}</bdi></th>", kinds[column],
                        column < table.heading.size() ? html(table.heading[column]) : "");
  text += "</tr></thead>\n<tbody>\n";
  for (const auto& row : table.rows) {
    text += "<tr>";
    for (std::size_t column = 0; column < columns; ++column)
      text += fmt::format("<td{}><bdi>{}</bdi></td>", kinds[column], column < row.size() ? html(row[column]) : "");
    text += "</tr>\n";
  }
  return text + "</tbody>\n</table>\n</div>\n";
}

// Numbers with six digits: more cannot be seen, and would be most of the page.
PageJson shortened(PageJson value) {
  if (value.is_structured())
    for (PageJson& each : value) each = shortened(std::move(each));
  else if (value.is_number_float())
    value = rounded(value.get<double>());
  return value;
}

std::string figure(const Figure& figure) {
  const std::string id = html(figure.id);
  return fmt::format(
      "<figure class=\"figure\" id=\"{0}\" data-kind=\"{1}\" aria-labelledby=\"{0}-title\">\n"
      "<h3 id=\"{0}-title\">{2}</h3>\n<div class=\"chart\"></div>\n<figcaption id=\"{0}-caption\">{3}</figcaption>\n"
      "<script type=\"application/json\">{4}</script>\n</figure>\n",
      id, html(figure.kind), html(figure.title), html(figure.caption),
      inline_json({{"columns", shortened(figure.columns)}, {"options", shortened(figure.options)}}));
}

std::string section(const Section& section) {
  std::string inside;
  for (const std::string& text : section.text) inside += paragraph(text);
  for (const PageTable& each : section.tables) inside += table(each);
  if (!section.figures.empty()) {
    inside += fmt::format("<div class=\"figures\"{}>\n", section.figures.size() > 4 ? " data-many" : "");
    for (const Figure& each : section.figures) inside += figure(each);
    inside += "</div>\n";
  }
  const std::string heading = fmt::format("<h2>{}</h2>", html(section.heading));
  if (!section.folded) return fmt::format("<section id=\"{}\">\n{}\n{}</section>\n", html(section.id), heading, inside);
  return fmt::format(
      "<section id=\"{}\">\n<details class=\"folded\">\n<summary>{}</summary>\n{}</details>\n</section>\n",
      html(section.id), heading, inside);
}

std::string verdict(const PageVerdict& verdict) {
  struct Look {
    std::string_view name, sign;
  };
  const auto look = [&]() -> Look {
    switch (verdict.level) {
      case PageVerdict::Level::good:
        return {"good", "\u2713"};
      case PageVerdict::Level::unsure:
        return {"unsure", "?"};
      case PageVerdict::Level::none:
        return {"none", "\u2013"};
      case PageVerdict::Level::neutral:
        break;
    }
    return {"neutral", "i"};
  }();
  return fmt::format(
      "<li class=\"{}\"><span class=\"sign\" aria-hidden=\"true\">{}</span><p><strong>{}</strong> {}</p></li>\n",
      look.name, look.sign, html(verdict.label), html_with_code(verdict.text));
}

std::string contents(const Page& page) {
  std::string text = "<nav class=\"contents\" aria-label=\"Contents\">\n<ol>\n";
  for (const Section& each : page.sections)
    text += fmt::format("<li><a href=\"#{}\">{}</a></li>\n", html(each.id), html(each.heading));
  return text + "</ol>\n</nav>\n";
}

std::string top(const Page& page) {
  std::string text;
  if (!page.verdicts.empty()) {
    text += "<ul class=\"verdicts\">\n";
    for (const PageVerdict& each : page.verdicts) text += verdict(each);
    text += "</ul>\n";
  }
  if (!page.warnings.empty()) {
    text +=
        "<section class=\"warnings\" aria-labelledby=\"warnings-title\">\n<h2 "
        "id=\"warnings-title\">Warnings</h2>\n<ul>\n";
    for (const std::string& each : page.warnings) text += fmt::format("<li>{}</li>\n", html_with_code(each));
    text += "</ul>\n</section>\n";
  }
  return text;
}

bool has_figures(const Page& page) {
  return std::any_of(page.sections.begin(), page.sections.end(),
                     [](const Section& each) { return !each.figures.empty(); });
}

// What links and labels in the page rely on; those who fill it see to it.
[[maybe_unused]] bool ids_are_sound(const Page& page) {
  std::set<std::string> seen;
  const auto is_new = [&](const std::string& id) {
    const bool plain = !id.empty() && std::all_of(id.begin(), id.end(), [](unsigned char c) {
      return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-';
    });
    return plain && seen.insert(id).second;
  };
  return std::all_of(page.sections.begin(), page.sections.end(), [&](const Section& section) {
    return is_new(section.id) && std::all_of(section.figures.begin(), section.figures.end(),
                                             [&](const Figure& figure) { return is_new(figure.id); });
  });
}

}  // namespace

std::string to_html(const Page& page) {
  assert(ids_are_sound(page));
  std::string text = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src '{}'; style-src '{}'; "
      "img-src data:; base-uri 'none'; form-action 'none'\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"referrer\" content=\"no-referrer\">\n<meta name=\"color-scheme\" content=\"light dark\">\n"
      "<title>{}</title>\n<link rel=\"icon\" href=\"{}\">\n<style>{}</style>\n</head>\n<body>\n",
      content_hash(assets::script), content_hash(assets::style), html(page.title), icon, assets::style);
  text += "<a class=\"skip\" href=\"#content\">Skip to the content</a>\n";
  text += fmt::format("<header class=\"top\">\n<h1>{}</h1>\n", html(page.title));
  if (!page.subtitle.empty()) text += fmt::format("<p class=\"subtitle\">{}</p>\n", html_with_code(page.subtitle));
  text += "</header>\n<div class=\"body\">\n";
  if (page.sections.size() > 1) text += contents(page);
  text += "<main id=\"content\">\n" + top(page);
  if (has_figures(page))
    text +=
        "<noscript><p class=\"notice\">The charts are drawn by a script in this page, and scripts are turned off. "
        "Everything else can be read without it.</p></noscript>\n";
  for (const Section& each : page.sections) text += section(each);
  text += "</main>\n</div>\n<footer class=\"bottom\">\n";
  if (!page.footer.empty()) text += fmt::format("<p>{}</p>\n", html_with_code(page.footer));
  text += fmt::format(
      "<details class=\"notices\">\n<summary>Licences of the software in this page</summary>\n"
      "<pre tabindex=\"0\">{}</pre>\n</details>\n</footer>\n<script>{}</script>\n</body>\n</html>\n",
      html(assets::notices, true), assets::script);
  return text;
}

}  // namespace cda
