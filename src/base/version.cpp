#include "cda/extend/version.hpp"

namespace cda {

const char* version() { return CDA_VERSION; }

}  // namespace cda
