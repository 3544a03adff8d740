#pragma once

#include <string>

namespace cda {

// Text as one word of a shell's command line: in quotes where it needs them.
std::string shell_word(const std::string& text);

}  // namespace cda
