// Is it text? What a file that is none looks like, and text of other encodings as UTF-8.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace cda {

// Throws where these first bytes of a file are those of no text, or of text that is no table, saying what they look
// like.
void refuse_other_content(std::string_view head, const std::string& shown);

// Appends a character of Unicode, below 2^21; text of ISO 8859-1, as UTF-8.
void append_utf8(std::string& text, std::uint32_t code);
std::string from_latin1(const std::string& bytes);

// The bytes of a whole file as UTF-8 text without byte order mark. Throws at a NUL byte.
std::string decoded_text(std::string bytes, const std::string& encoding, const std::string& shown);

}  // namespace cda
