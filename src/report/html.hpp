// Text from outside on its way into a page. Whatever it holds, it is shown as text and stays where it was put: markup
// is escaped; what cannot be seen, turns the direction of writing or is no UTF-8 is shown by its number.
#pragma once

#include <string>
#include <string_view>

#include "report/page.hpp"

namespace cda {

// `\u{202e}` for a character that hides or steers, `\xff` for a byte that is no UTF-8. Ends of lines may stay.
std::string visible(std::string_view text, bool keep_lines = false);

// For the content of an element and for attributes in double quotes.
std::string html(std::string_view text, bool keep_lines = false);

// As html(), and what stands between two backticks becomes <code>.
std::string html_with_code(std::string_view text);

// For the content of a <script> element that is never run: ASCII without <, > and &; every text in it visible().
std::string inline_json(const PageJson& value);

// "sha256-...": how a content security policy names a script or style.
std::string content_hash(std::string_view content);

}  // namespace cda
