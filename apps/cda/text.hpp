// Text as a terminal shows it: names from outside made safe, widths in columns of the screen (a Chinese character takes
// two, an accent of its own none), lines and tables that fit.
#pragma once

#include <string>
#include <vector>

namespace cda::command {

// A name from outside as it may be shown on a terminal: control and bidirectional characters as \u{..}, broken UTF-8 as
// \xNN, cut after `limit` characters.
std::string shown(const std::string& name, std::size_t limit = 40);
// The same, cut to at most `width` columns of the screen, with ... where something is left out.
std::string shown_within(const std::string& name, std::size_t width);

// Columns of the screen; our own switches of colour take none.
std::size_t shown_width(const std::string& text);
std::size_t widest_line(const std::string& text);
std::string padded(const std::string& text, std::size_t width);

// Words broken into lines of at most `width` columns; every line begins with `indent`, those after the first also with
// `hanging`. A word that is wider has a line of its own.
std::string wrapped(const std::string& text, std::size_t width, const std::string& indent = "",
                    const std::string& hanging = "");
// The same for things that are not to be broken, a gap apart.
std::string flowed(const std::vector<std::string>& pieces, std::size_t width, const std::string& indent = "",
                   const std::string& hanging = "", const std::string& gap = "   ");

// Rows of text as columns, the first line as header; cells are padded by what a terminal shows.
std::string text_table(const std::vector<std::vector<std::string>>& rows, const std::string& indent = "");

// Between single quotes, as bash and zsh read it.
std::string single_quoted(const std::string& text);

}  // namespace cda::command
