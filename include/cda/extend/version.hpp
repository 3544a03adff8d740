// Which release this is.
#pragma once

namespace cda {

const char* version();  // "0.1.0"

}  // namespace cda
