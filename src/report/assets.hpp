// What web/build.mjs made of web/: the script and the style of every page, and the licences of what is in them. In
// pieces, to be joined: compilers limit how long a literal may be. Without the report (CDA_WITH_REPORT=OFF) they are
// not there.
#pragma once

#include <initializer_list>
#include <string_view>

namespace cda::assets {

extern const std::initializer_list<std::string_view> script, style, notices;

}  // namespace cda::assets
