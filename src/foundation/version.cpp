#include "cda/version.hpp"

namespace cda {

const char* version() { return CDA_VERSION; }

}  // namespace cda
