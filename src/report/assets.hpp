// What web/build.mjs made of web/: the script and the style of every page, and the licences of what is in them. Files
// of web/bundle, which cmake/CdaReport.cmake puts into the library.
#pragma once

#include <string_view>

namespace cda::assets {

extern const std::string_view script, style, notices;

}  // namespace cda::assets
